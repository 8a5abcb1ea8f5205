package cmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"commsplit/hw"
	"commsplit/hw/source"
	"commsplit/repl"
)

func newHW(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "hw",
		Short: "hardware: show, list, map, verify, export, record",
		Long:  hardwareHelp,
		Args:  knownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newHWShow(s), newHWList(s), newHWMap(s), newHWVerify(s), newHWExport(s), newHWRecord(s))
	return c
}

// load reads a topology; not finding out about a machine is input that failed, no wrong usage.
func load(ctx context.Context, spec string) (*hw.Topology, error) {
	t, err := source.Load(ctx, spec)
	if gone := (*source.Unavailable)(nil); errors.As(err, &gone) {
		return nil, &repl.InputError{Err: err}
	}
	return t, err
}
