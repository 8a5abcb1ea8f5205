package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"commsplit/hw"
	"commsplit/hw/source"
	"commsplit/repl"
)

func newHW(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "hw",
		Short: "hardware: show, export, list presets, map ranks on it",
		Args:  knownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newHWShow(s), newHWList(s), newHWMap(s), newHWExport(s))
	return c
}

// load reads a topology; not finding out about a machine is input that failed, no wrong usage.
func load(ctx context.Context, spec string) (*hw.Topology, error) {
	t, err := source.Load(ctx, spec)
	if err != nil && source.Outside(spec) {
		return nil, &repl.InputError{Err: err}
	}
	return t, err
}
