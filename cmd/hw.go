package cmd

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/preset"
	"commsplit/hw/source"
	"commsplit/render"
	"commsplit/repl"
)

func newHW(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "hw",
		Short: "hardware: show it, list the presets, map ranks on it",
		Args:  knownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newHWShow(s), newHWList(s), newHWMap(s))
	return c
}

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

// load reads a topology; not finding out about a machine is input that failed, no wrong usage.
func load(ctx context.Context, spec string) (*hw.Topology, error) {
	t, err := source.Load(ctx, spec)
	if err != nil && source.Outside(spec) {
		return nil, &repl.InputError{Err: err}
	}
	return t, err
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

func newHWList(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "the preset machines",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, p := range preset.All() {
				list(s.Out, p.Name, p.Shape)
			}
			return nil
		},
	}
}

// list writes a name and what it is, in lines of 80 columns.
func list(w io.Writer, name, text string) {
	const column = 19
	lines := repl.Wrap(text, 80, strings.Repeat(" ", column))
	fmt.Fprintf(w, "%-*s%s\n", column, name, lines[column:])
}

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
