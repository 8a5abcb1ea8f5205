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

const diffHelp = `Print the differences between two machines, or between two states of a machine:
before and after an update, another firmware, inside a container. A and B are
values of --topo.

A difference of many objects is one line: PUs that only one machine has, with
their cores, caches and nodes (and whether SMT is off, or the PUs are offline or
not allowed), numbers, sizes, memory, models, notes about the machine and its
packages (firmware, kernel), kinds of cores, and devices: whether they exist,
their addresses, and the PUs near them.

Hosts are compared by name, or else by position; a different name alone is not a
difference, nor is less than 1 % of the memory, which also differs between two
starts of one machine.

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
		Short: "print the differences between two machines",
		Long:  diffHelp,
		Example: `  commsplit hw diff fsroot:before.tar.gz fsroot:after.tar.gz
  commsplit hw diff fsroot:login-node.tar this
  commsplit hw diff 'pack:2 core:8 pu:2' 'pack:2 core:8 pu:1'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s needs two machines A and B, each a value of --topo", c.CommandPath())
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
