// Package preset holds machines by name: the machine of Figure 7.3 of the MPI standard and some
// well-known real machines, as vendors, sites and hwloc's own dumps describe them. It has the
// shape of each machine: CPUs, caches, NUMA nodes, kinds of cores, and of some machines the GPUs
// and network cards, at their place.
//
// A preset is a description in the language of package synthetic, with a list of devices; the
// table in this package has all presets.
package preset

import (
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
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

// All lists the presets in the order of the table.
func All() []Preset { return slices.Concat(presets, sites) }

// Names lists the names of the presets in the order of the table.
func Names() []string {
	names := make([]string, len(presets)+len(sites))
	for i, p := range All() {
		names[i] = p.Name
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
	root, err := synthetic.Parse(p.Spec)
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
	t := hw.New(p.Name, root, synthetic.Notes(root)...)
	t.Slurm = p.Slurm
	return t
}

// hang puts the device below its object. A device on a bus of unknown number hangs there without
// a PCI device.
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
