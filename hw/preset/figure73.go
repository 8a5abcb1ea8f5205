package preset

import "commsplit/hw"

// figure73 is the machine of Figure 7.3: no synthetic string can say that the
// second rack has one NUMA node where the first has two. PUs, cores and
// packages are numbered through; a package has two cores of one PU.
func figure73() *hw.Object {
	var objects, nodes []*hw.Object
	add := func(typ hw.Type, subtype string, index, lo, hi int) *hw.Object {
		o := &hw.Object{Type: typ, Subtype: subtype, OSIndex: index, CPUSet: hw.SetRange(lo, hi)}
		objects = append(objects, o)
		return o
	}
	add(hw.Group, "Rack", hw.Unknown, 0, 7)
	add(hw.Group, "Rack", hw.Unknown, 8, 11)
	for i := range 3 {
		group := add(hw.Group, "", hw.Unknown, 4*i, 4*i+3)
		group.Attached = true
		nodes = append(nodes, &hw.Object{
			Type: hw.NUMANode, OSIndex: i, CPUSet: group.CPUSet, NodeSet: hw.SetOf(i), Bytes: 32e9,
		})
	}
	for i := range 6 {
		add(hw.Package, "", i, 2*i, 2*i+1)
	}
	for i := range 12 {
		add(hw.Core, "", i, i, i)
		add(hw.PU, "", i, i, i)
	}
	machine := &hw.Object{Type: hw.Machine, OSIndex: 0}
	hw.Build(machine, objects, nodes)
	return machine
}
