package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/render"
)

func newHWShow(s Streams) *cobra.Command {
	f := newWorldFlags()
	c := &cobra.Command{
		Use:   "show",
		Short: "the hardware tree",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t, err := load(c.Context(), f.config.Topo)
			if err != nil {
				return err
			}
			return showTopology(s, f, t)
		},
	}
	c.Flags().SortFlags = false
	for _, name := range []string{"topo", "output", "color"} {
		c.Flags().AddFlag(f.set.Lookup(name))
	}
	return c
}

func showTopology(s Streams, f *worldFlags, t *hw.Topology) error {
	if f.output == "json" {
		return render.TopologyJSON(s.Out, t)
	}
	v := &render.View{Snapshot: &engine.Snapshot{Topology: t}}
	if err := render.Tree(s.Out, v, s.style(f.color)); err != nil {
		return err
	}
	for _, n := range t.Notes {
		fmt.Fprintf(s.Out, "note: %s\n", n)
	}
	return nil
}
