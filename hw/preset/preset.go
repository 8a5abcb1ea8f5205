// Package preset holds machines by name: the machine of Figure 7.3 of the MPI standard and some
// well-known real machines, as vendors, sites and hwloc's own dumps describe them. It has the
// shape of each machine: CPUs, caches, NUMA nodes, kinds of cores, and of some machines the GPUs
// and network cards, at their place.
//
// A preset is a description in the language of package synthetic, with a list of devices; presets.txt has all of them.
package preset

import (
	_ "embed" // the table
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hostlist"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// Preset is one machine of the list.
type Preset struct {
	Name   string
	Source string // one line: what machine it is, and where that is known from
	Spec   string // its description

	Devices []Device
	Slurm   *hw.Slurm // as its site has set it; nil where that is not known
}

// Device is a device that programs know by a name. Several devices may share a card.
type Device struct {
	At     hw.Type // type of the object that it is near to,
	Index  int     // and which one
	Kind   string  // "GPU", "Network", "OpenFabrics"
	Name   string
	BusID  string // PCI address; "" where it is not known for sure
	PCI    string // class, vendor and device, "0302 [10de:20b0]"
	Vendor string
	Model  string
	Parts  int // slices that programs know as NAME.0, NAME.1, ...; 0: the device whole
}

//go:embed presets.txt
var table string

// All lists the presets in the order of the table.
var All = sync.OnceValue(func() []Preset {
	var list []Preset
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\n")
		words, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || line[0] == '#':
		case !indented:
			list = append(list, Preset{Name: line})
		default:
			if err := list[len(list)-1].read(strings.Cut(words, " ")); err != nil {
				panic(fmt.Sprintf("presets.txt: %s: %v", line, err)) // a test reads the table
			}
		}
	}
	return list
})

// read reads a line of the table.
func (p *Preset) read(key, text string, _ bool) (err error) {
	switch key {
	case "source":
		p.Source = text
	case "spec":
		p.Spec = strings.TrimSpace(p.Spec + " " + text)
	case "slurm":
		p.Slurm, err = hw.ParseSlurm(text)
	case "device":
		err = p.readDevices(strings.Split(text, " | "))
	default:
		err = errors.New("there is no such key")
	}
	return err
}

// readDevices reads devices of a kind: the columns stand in the head of the table.
func (p *Preset) readDevices(columns []string) error {
	columns = append(columns, make([]string, 7-len(columns))...)
	word, places, _ := strings.Cut(columns[0], " ")
	kind, text, _ := strings.Cut(columns[1], " ")
	typ, _, known := synthetic.TypeOf(word)
	at := strings.Split(places, ",")
	names, err := hostlist.Expand(text, len(at))
	if err != nil || !known || len(names) != len(at) {
		return errors.New("want a type, and a name for each object")
	}
	parts, _ := strconv.Atoi(columns[6])
	buses := strings.Fields(columns[5])
	for i, name := range names {
		d := Device{At: typ, Kind: kind, Name: name, Vendor: columns[2], Model: columns[3], Parts: parts}
		if d.Index, err = strconv.Atoi(at[i]); err != nil {
			return err
		}
		if len(buses) > 0 {
			d.BusID, d.PCI = buses[i]+":00.0", columns[4]
		}
		p.Devices = append(p.Devices, d)
	}
	return nil
}

// Names lists the names of the presets in the order of the table.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// Lookup builds the machine called name; it returns false for an unknown name.
func Lookup(name string) (*hw.Topology, bool) {
	for _, p := range All() {
		if p.Name == name {
			return p.Topology(), true
		}
	}
	return nil, false
}

// Text returns the description of the machine that --topo takes, with its site's settings.
func (p Preset) Text() string {
	if p.Slurm == nil {
		return p.Spec
	}
	return p.Spec + " slurm(" + p.Slurm.String() + ")"
}

// Topology builds the machine. A test checks the table, so a description that cannot be read is a
// mistake in this package.
func (p Preset) Topology() *hw.Topology {
	root, notes, err := synthetic.Parse(p.Spec)
	if err != nil {
		panic("preset " + p.Name + ": " + err.Error())
	}
	machines := []*hw.Object{root}
	if root.Details != nil && root.Details.Whole != nil {
		machines = append(machines, root.Details.Whole)
	}
	for _, m := range machines {
		for i := range p.Devices {
			p.Devices[i].hang(m)
		}
	}
	t := hw.New(p.Name, root, notes...)
	t.Slurm = p.Slurm
	return t
}

// hang puts the device below its object, without a PCI device where the number of its bus is not
// known.
func (d *Device) hang(root *hw.Object) {
	index := d.Index
	for o := range root.All() {
		if o.Type != d.At {
			continue
		}
		if index--; index >= 0 {
			continue
		}
		near := o
		if o.Type == hw.NUMANode { // a NUMA node holds no devices: the object that it is attached to does
			near = holder(root, o)
		}
		mine := near.Detailed()
		mine.Devices = append(mine.Devices, d.device())
		return
	}
	panic(fmt.Sprintf("preset: no %s L#%d for %s", d.At, d.Index, d.Name))
}

// holder returns the object that a NUMA node is attached to.
func holder(root, node *hw.Object) *hw.Object {
	for o := range root.All() {
		if slices.Contains(o.Memory, node) {
			return o
		}
	}
	return root
}

func (d *Device) device() *hw.Device {
	o := &hw.Device{Type: "OSDev", Name: d.Name, Attrs: []hw.Info{{Name: "osdev_type", Value: hw.OSDevType(d.Kind)}},
		Infos: []hw.Info{{Name: "Vendor", Value: d.Vendor}, {Name: "Model", Value: d.Model}}}
	if d.BusID == "" {
		return o
	}
	domain, bus := d.BusID[:4], d.BusID[5:7]
	names := []*hw.Device{o}
	for i := range d.Parts {
		names = append(names, &hw.Device{Type: "OSDev", Name: fmt.Sprintf("%s.%d", d.Name, i), Attrs: o.Attrs, Infos: o.Infos})
	}
	card := &hw.Device{Type: "PCIDev", Devices: names, Attrs: []hw.Info{{Name: "pci_busid", Value: d.BusID},
		{Name: "pci_type", Value: d.PCI + " [0000:0000] 00"}}}
	return &hw.Device{Type: "Bridge", Devices: []*hw.Device{card}, Attrs: []hw.Info{{Name: "bridge_type", Value: "0-1"},
		{Name: "depth", Value: "0"}, {Name: "bridge_pci", Value: domain + ":[" + bus + "-" + bus + "]"}}}
}

// counted are the types that a shape counts, with their names.
var counted = []struct {
	typ       hw.Type
	one, many string
}{
	{hw.Package, "package", "packages"}, {hw.NUMANode, "NUMA node", "NUMA nodes"},
	{hw.L3Cache, "L3", "L3"}, {hw.L2Cache, "L2", "L2"},
	{hw.Core, "core", "cores"}, {hw.PU, "PU", "PUs"},
}

// Shape describes in one line what the machine has: "2 packages, 8 NUMA nodes,
// 24 L3, 192 cores, 384 PUs". It counts the objects of the topology. It leaves
// out the obvious: a single package or NUMA node, an L2 or PU for each core.
func (p Preset) Shape() string {
	t := p.Topology()
	var parts []string
	parts = append(parts, groups(t)...)
	cores := len(t.Objects(hw.Core))
	for _, c := range counted {
		n := len(t.Objects(c.typ))
		switch {
		case n == 0, c.typ == hw.L2Cache && n == cores, c.typ == hw.PU && n == cores,
			n == 1 && (c.typ == hw.Package || c.typ == hw.NUMANode):
			continue
		case n == 1:
			parts = append(parts, "1 "+c.one)
			continue
		}
		text := fmt.Sprintf("%d %s", n, c.many)
		if kinds := details(t).Kinds; c.typ == hw.Core && len(kinds) > 1 {
			text += fmt.Sprintf(" of %d kinds", len(kinds))
		}
		if n := special(t); c.typ == hw.NUMANode && n != "" {
			text += n
		}
		parts = append(parts, text)
	}
	gpus := 0
	for _, d := range p.Devices {
		if d.Kind == "GPU" {
			gpus++
		}
	}
	if gpus > 0 {
		parts = append(parts, fmt.Sprintf("%d GPUs", gpus))
	}
	if n := details(t).Disallowed.Len(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d disallowed", n))
	}
	return strings.Join(parts, ", ")
}

// groups counts the Groups that have a name.
func groups(t *hw.Topology) (parts []string) {
	for _, r := range t.Resources() {
		if r.Type == hw.Group && r.Subtype != "" {
			parts = append(parts, spell.Plural(len(r.Instances), strings.ToLower(r.Subtype)))
		}
	}
	return parts
}

// special counts the NUMA nodes whose memory nobody gets by default: " (4
// MCDRAM)".
func special(t *hw.Topology) string {
	n, subtype := 0, ""
	for _, o := range t.Objects(hw.NUMANode) {
		if tier := hw.MemoryTier(o); tier != "" {
			n++
			subtype = tier
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d %s)", n, subtype)
}

func details(t *hw.Topology) hw.Details {
	if d := t.Hosts[0].Details; d != nil {
		return *d
	}
	return hw.Details{}
}
