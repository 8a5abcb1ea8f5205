package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw/compare"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
)

const diffHelp = `Print in which ways two machines differ, or one before and after: an update,
another firmware, what a container leaves of it. A and B are what --topo takes.

What is the same on many objects is one line: PUs that only one of them has with
the cores, caches and nodes that go with them (and whether SMT is off, or they
are switched off or not allowed), numbers, sizes, memory, models, what a
description notes of machine and packages (firmware, kernel), kinds of cores,
and devices: whether they are there, at which address, what they are near to.

Hosts are compared by their names, or else in their order; names alone make no
difference, and neither is memory that is less than a hundredth apart, as it is
between two starts of one machine.

Exit code 1 means that they differ. -o json is one object: "a", "b" and
"differences" (hosts, type, objects, property, a, b, only_a, only_b, why).`

// unequal is the error of two machines that differ.
type unequal struct{ differences int }

// Error says it in one line.
func (u *unequal) Error() string { return spell.Plural(u.differences, "difference") }

func newHWDiff(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "in which ways two machines differ",
		Long:  diffHelp,
		Example: `  commsplit hw diff fsroot:before.tar.gz fsroot:after.tar.gz
  commsplit hw diff fsroot:login-node.tar this
  commsplit hw diff 'pack:2 core:8 pu:2' 'pack:2 core:8 pu:1'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s takes two machines, each as --topo takes it: A and B", c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completing(source.Complete),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := load(c.Context(), args[0])
			if err != nil {
				return err
			}
			b, err := load(c.Context(), args[1])
			if err != nil {
				return err
			}
			list := compare.Of(a, b)
			if f.output == "json" {
				err = document.Differences(s.Out, args[0], args[1], list)
			} else {
				err = render.Differences(s.Out, args[0], args[1], list, f.style(s))
			}
			if err == nil && len(list) > 0 {
				err = &unequal{len(list)}
			}
			return err
		},
	}
	c.Flags().SortFlags = false
	for _, name := range []string{"output", "color", "theme", "full"} {
		c.Flags().AddFlag(f.set.Lookup(name))
	}
	return c
}
