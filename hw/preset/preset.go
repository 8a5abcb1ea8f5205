// Package preset holds machines by name: the one of Figure 7.3 of the MPI
// standard and some well-known real ones, as vendors, sites and hwloc's own
// dumps describe them. Only their shape is here: CPUs, caches, NUMA nodes. No
// preset reserves cores as a site may do, and none has I/O devices.
//
// Most are one synthetic string; the table below is the whole list.
package preset

import (
	"commsplit/hw"
	"commsplit/hw/synthetic"
)

// Preset is one machine of the list.
type Preset struct {
	Name   string
	Shape  string // one line: what there is
	Source string // one line: where that is known from
	spec   string // synthetic description
	build  func() *hw.Object
}

var presets = []Preset{
	{
		Name:   "figure-7.3",
		Shape:  "2 racks, 3 NUMA nodes, 6 packages, 12 cores; the second rack is half as large",
		Source: "MPI 5.0, Figure 7.3 and Examples 7.3 to 7.5",
		build:  figure73,
	},
	{
		Name:   "epyc-9654-nps4",
		Shape:  "2 packages x 4 NUMA nodes x 3 L3 x 8 cores x 2 PUs = 192 cores",
		Source: "hwloc dump of 2 x AMD EPYC 9654; NPS4 as AMD describes it, memory assumed",
		spec: "pack:2 numa:4(memory=96GiB) l3:3(size=32MiB) l2:8(size=1MiB) l1d:1(size=32KiB) " +
			"core:1 pu:2(indexes=2*192:1*2)",
	},
	{
		Name:   "frontier",
		Shape:  "1 package x 4 NUMA nodes x 2 L3 x 8 cores x 2 PUs = 64 cores",
		Source: "OLCF user guide, a Frontier node without its GPUs and without reserved cores",
		spec: "pack:1 numa:4(memory=128GiB) l3:2(size=32MiB) l2:8(size=512KiB) l1d:1(size=32KiB) " +
			"core:1 pu:2(indexes=2*64:1*2)",
	},
	{
		Name:   "perlmutter-cpu",
		Shape:  "2 packages x 4 NUMA nodes x 2 L3 x 8 cores x 2 PUs = 128 cores",
		Source: "NERSC documentation, 2 x AMD EPYC 7763; NPS4 assumed",
		spec: "pack:2 numa:4(memory=64GiB) l3:2(size=32MiB) l2:8(size=512KiB) l1d:1(size=32KiB) " +
			"core:1 pu:2(indexes=2*128:1*2)",
	},
	{
		Name:   "xeon-snc2",
		Shape:  "2 packages, 1 L3 each over 2 NUMA nodes x 12 cores x 2 PUs = 48 cores",
		Source: "lscpu of 2 x Intel Xeon Gold 6542Y with SNC2; memory assumed",
		spec: "pack:2 l3:1(size=60MiB) numa:2(memory=128GiB) l2:12(size=2MiB) l1d:1(size=48KiB) " +
			"core:1 pu:2(indexes=2*48:1*2)",
	},
	{
		Name:   "fugaku",
		Shape:  "1 package x 4 core memory groups (NUMA node and L2) x 12 cores x 1 PU = 48 cores",
		Source: "Fujitsu's A64FX description, without assistant cores",
		spec:   "pack:1 l2:4(size=8MiB) [numa(memory=8GiB)] l1d:12(size=64KiB) core:1 pu:1",
	},
	{
		Name:   "gh200-quad",
		Shape:  "4 packages, each 1 L3, 2 NUMA nodes (CPU and GPU memory), 72 cores x 1 PU = 288 cores",
		Source: "hwloc output of a node with 4 x NVIDIA GH200",
		spec: "pack:4 [numa(memory=120GB)] [numa(memory=96GB)] l3:1(size=114MiB) l2:72(size=1MiB) " +
			"l1d:1(size=64KiB) core:1 pu:1",
	},
	{
		Name:   "bluegene-q",
		Shape:  "1 package, 1 L2 x 16 cores x 4 PUs = 16 cores",
		Source: "hwloc's Blue Gene/Q support, without the 17th core",
		spec:   "pack:1 [numa(memory=16GiB)] l2:1(size=32MiB) l1d:16(size=16KiB) core:1 pu:4",
	},
	{
		Name:   "raspberry-pi-4",
		Shape:  "1 package, 1 L2 x 4 cores x 1 PU = 4 cores",
		Source: "Broadcom BCM2711 description",
		spec:   "[numa(memory=8GB)] pack:1 l2:1(size=1MiB) l1d:4(size=32KiB) core:1 pu:1",
	},
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
	for i := range presets {
		if presets[i].Name == name {
			return hw.New(name, presets[i].tree()), true
		}
	}
	return nil, false
}

// tree builds the machine. The table is checked by a test, so a description
// that cannot be read is a mistake in this file.
func (p Preset) tree() *hw.Object {
	if p.build != nil {
		return p.build()
	}
	root, err := synthetic.Parse(p.spec)
	if err != nil {
		panic("preset " + p.Name + ": " + err.Error())
	}
	return root
}
