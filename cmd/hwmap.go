package cmd

import (
	"errors"

	"github.com/spf13/cobra"

	"commsplit/render"
	"commsplit/repl"
)

func newHWMap(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	var picture, tree bool
	c := &cobra.Command{
		Use:   "map",
		Short: "where ranks run, as mpirun would say it",
		Long: `Where ranks run: in the words of mpirun 5; with --picture, a line of signs for
each rank as mpirun 4 draws it; with --tree, the hardware with the ranks on it.`,
		Example: `  commsplit hw map -n 8 --topo epyc-9654-nps4 --map-by numa
  commsplit hw map --topo 'pack:2 core:4' --map-by ppr:2:package:pe=2 --picture`,
		Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			draw := render.Map
			switch {
			case picture && tree:
				return errors.New("--picture and --tree: choose one")
			case f.output == "json" && (picture || tree):
				return errors.New("--picture and --tree are drawn: leave out -o json")
			case picture:
				draw = render.Strips
			case tree:
				draw = render.Tree
			}
			session, err := repl.Open(c.Context(), f.config, nil)
			if err != nil {
				return err
			}
			defer session.Close()
			if f.output == "json" {
				return render.MapJSON(s.Out, session.View())
			}
			return draw(s.Out, session.View(), f.style(s))
		},
	}
	c.Flags().BoolVar(&picture, "picture", false, "draw a line of signs for each rank: [BB/..][../..]")
	c.Flags().BoolVar(&tree, "tree", false, "draw the hardware with the ranks on it")
	f.add(c, false)
	return c
}
