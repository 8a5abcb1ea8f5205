package cmd

import (
	"github.com/spf13/cobra"

	"commsplit/hw"
	"commsplit/render"
)

func newHWShow(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	noIO := false
	c := &cobra.Command{
		Use:   "show",
		Short: "the hardware tree",
		Args:  nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			t, err := load(c.Context(), f.config.Topo)
			if err != nil {
				return err
			}
			return showTopology(s, f, t, !noIO)
		},
	}
	c.Flags().SortFlags = false
	for _, name := range []string{"topo", "output", "color", "full"} {
		c.Flags().AddFlag(f.set.Lookup(name))
	}
	c.Flags().BoolVar(&noIO, "no-io", false, "leave out I/O devices and Misc objects")
	return c
}

func showTopology(s Streams, f *worldFlags, t *hw.Topology, devices bool) error {
	if f.output == "json" {
		return render.TopologyJSON(s.Out, t, devices)
	}
	return render.Hardware(s.Out, t, devices, f.style(s))
}
