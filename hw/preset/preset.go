// Package preset holds machines by name: the one of Figure 7.3 of the MPI
// standard and some well-known real ones, as vendors, sites and hwloc's own
// dumps describe them. Only their shape is here: CPUs, caches, NUMA nodes, kinds
// of cores. None has I/O devices.
//
// Each is one description in the language of package synthetic; the table in
// this package is the whole list.
package preset

import (
	"commsplit/hw"
	"commsplit/hw/synthetic"
)

// Preset is one machine of the list.
type Preset struct {
	Name   string
	Source string // one line: what machine it is, and where that is known from
	Spec   string // its description
}

// All lists the presets in the order of the table.
func All() []Preset { return presets }

// Names lists the names of the presets in the order of the table.
func Names() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.Name
	}
	return names
}

// Lookup builds the machine called name. It is false for an unknown name.
func Lookup(name string) (*hw.Topology, bool) {
	for _, p := range presets {
		if p.Name == name {
			return p.Topology(), true
		}
	}
	return nil, false
}

// Topology builds the machine. The table is checked by a test, so a description
// that cannot be read is a mistake in this package.
func (p Preset) Topology() *hw.Topology {
	root, err := synthetic.Parse(p.Spec)
	if err != nil {
		panic("preset " + p.Name + ": " + err.Error())
	}
	return hw.New(p.Name, root, synthetic.Notes(root)...)
}
