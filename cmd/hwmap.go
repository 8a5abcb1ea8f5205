package cmd

import (
	"github.com/spf13/cobra"

	"commsplit/render"
	"commsplit/repl"
)

func newHWMap(s Streams) *cobra.Command {
	f := newWorldFlags()
	c := &cobra.Command{
		Use:     "map",
		Short:   "where ranks run, as mpirun would say it",
		Example: "  commsplit hw map -n 8 --topo epyc-9654-nps4 --map-by numa",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			session, err := repl.Open(c.Context(), f.config, nil)
			if err != nil {
				return err
			}
			defer session.Close()
			if f.output == "json" {
				return render.MapJSON(s.Out, session.View())
			}
			return render.Map(s.Out, session.View(), s.style(f.color))
		},
	}
	f.add(c, false)
	return c
}
