package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"commsplit/hw"
	"commsplit/hw/detect"
	"commsplit/hw/verify"
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
			if noIO {
				return showTopology(s, f, t, false)
			}
			detect.NameDevices(t)
			if err := showTopology(s, f, t, true); err != nil || t.Name != "this" || f.output == "json" {
				return err
			}
			return tellDevices(c.Context(), s, f, t)
		},
	}
	c.Flags().SortFlags = false
	for _, name := range []string{"topo", "output", "color", "full"} {
		c.Flags().AddFlag(f.set.Lookup(name))
	}
	c.Flags().BoolVar(&noIO, "no-io", false, "leave out I/O devices and Misc objects")
	return c
}

// tellDevices prints what this machine's devices are, and what ghw says of them beside our own reading.
func tellDevices(ctx context.Context, s Streams, f *worldFlags, t *hw.Topology) error {
	heard, err := verify.GHWDevices(ctx, "/")
	return render.Devices(s.Out, t, heard, "ghw", err, f.style(s))
}

func showTopology(s Streams, f *worldFlags, t *hw.Topology, devices bool) error {
	if f.output == "json" {
		return render.TopologyJSON(s.Out, t, devices)
	}
	return render.Hardware(s.Out, t, devices, f.style(s))
}
