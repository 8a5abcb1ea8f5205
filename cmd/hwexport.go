package cmd

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"commsplit/hw"
	"commsplit/hw/hwlocxml"
	"commsplit/hw/spell"
	"commsplit/hw/synthetic"
)

// exporting is the flags of hw export.
type exporting struct {
	format string // xml or synthetic
	host   string // of several machines, the one to write
	force  bool   // write over a file
}

var formats = []string{"xml", "synthetic"}

func newHWExport(s Streams) *cobra.Command {
	f := newWorldFlags()
	e := exporting{format: formats[0]}
	c := &cobra.Command{
		Use:   "export [FILE]",
		Short: "the hardware as an hwloc file, or as a description",
		Long: `Write the hardware to FILE, or to standard output: as an hwloc file, which
lstopo and an MPI library (HWLOC_XMLFILE) read, or as a synthetic description,
which only symmetric hardware has. A description has the sizes of the first
object of each level, and no devices, subtypes or kinds of cores.

An hwloc file describes one machine: of several, --host names the one.`,
		Example: `  commsplit hw export --topo figure-7.3 figure.xml
  commsplit hw export --topo frontier --to synthetic`,
		Args: atMost("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			t, err := load(c.Context(), f.config.Topo)
			if err != nil {
				return err
			}
			text, err := e.text(t)
			if err != nil {
				return err
			}
			return s.deliver(args, text, e.force)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().AddFlag(f.set.Lookup("topo"))
	c.Flags().Var(&oneOf{&e.format, formats}, "to", "format: "+strings.Join(formats, " or "))
	c.Flags().StringVar(&e.host, "host", "", "of several machines, the one of that `NAME`")
	forceFlag(c, &e.force)
	return c
}

// text is the hardware in the format asked for.
func (e *exporting) text(t *hw.Topology) ([]byte, error) {
	if e.host != "" {
		host, err := findHost(t, e.host)
		if err != nil {
			return nil, err
		}
		t = t.Alone(host)
	}
	if e.format == "synthetic" {
		text, err := synthetic.Format(t)
		if err != nil {
			return nil, fmt.Errorf("--to synthetic: %w", err)
		}
		return []byte(text + "\n"), nil
	}
	if t.Root.Type != hw.Machine {
		return nil, fmt.Errorf("an hwloc file describes one machine, and this is a %s: "+
			"name one with --host, such as --host %s", t.Root.TypeName(), t.Hosts[0].Name)
	}
	var b bytes.Buffer
	err := hwlocxml.Write(&b, t)
	return b.Bytes(), err
}

// findHost is the machine of that name.
func findHost(t *hw.Topology, name string) (*hw.Object, error) {
	var names []string
	for _, h := range t.Hosts {
		if h.Name == name {
			return h, nil
		}
		names = append(names, h.Name)
	}
	if near := spell.Nearest(name, names); near != "" {
		return nil, fmt.Errorf("--host %s: there is no such machine: did you mean %s?", name, near)
	}
	return nil, fmt.Errorf("--host %s: there is no such machine: there are %d, from %s to %s",
		name, len(names), names[0], names[len(names)-1])
}
