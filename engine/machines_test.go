package engine_test

import (
	"commsplit/engine"
	"commsplit/hw"
)

// machine is a host with PUs 0 to n-1; parts go below it.
func machine(n int, parts ...*hw.Object) *hw.Object {
	return &hw.Object{Type: hw.Machine, CPUSet: hw.SetRange(0, n-1), Children: parts}
}

// part is an object over PUs lo to hi.
func part(typ hw.Type, index, lo, hi int, parts ...*hw.Object) *hw.Object {
	return &hw.Object{Type: typ, OSIndex: index, CPUSet: hw.SetRange(lo, hi), Children: parts}
}

// cores are PUs lo to hi, each in a core of its own.
func cores(lo, hi int) []*hw.Object {
	var list []*hw.Object
	for pu := lo; pu <= hi; pu++ {
		list = append(list, part(hw.Core, pu, pu, pu, part(hw.PU, pu, pu, pu)))
	}
	return list
}

// local hangs a NUMA node on an object, over the same PUs.
func local(o *hw.Object, node int) *hw.Object {
	numa := &hw.Object{Type: hw.NUMANode, OSIndex: node, CPUSet: o.CPUSet,
		NodeSet: hw.SetOf(node)}
	o.Memory = append(o.Memory, numa)
	return o
}

// bind gives each rank some PUs of host 0.
func bind(sets ...hw.Set) []*hw.Binding {
	list := make([]*hw.Binding, len(sets))
	for i, s := range sets {
		list[i] = &hw.Binding{CPUSet: s}
	}
	return list
}

// twoNodes is two hosts of two cores in one package, and a rank on every core.
func twoNodes() (*hw.Topology, []*hw.Binding) {
	node := func() *hw.Object {
		return machine(2, local(part(hw.Package, 0, 0, 1, cores(0, 1)...), 0))
	}
	cluster := &hw.Object{Type: hw.Level, Subtype: "Cluster",
		Children: []*hw.Object{node(), node()}}
	var b []*hw.Binding
	for host := range 2 {
		for pu := range 2 {
			b = append(b, &hw.Binding{Host: host, CPUSet: hw.SetOf(pu)})
		}
	}
	return hw.New("two nodes", cluster), b
}

// twoPackages is one host with two packages of two cores, each package a NUMA node. Ranks 0 to 3
// have a core each, rank 4 spans both cores of package 1, rank 5 a core of either package.
func twoPackages() engine.Config {
	host := machine(4,
		local(part(hw.Package, 0, 0, 1, cores(0, 1)...), 0),
		local(part(hw.Package, 1, 2, 3, cores(2, 3)...), 1))
	return engine.Config{
		Topology: hw.New("two packages", host),
		Bindings: bind(hw.SetOf(0), hw.SetOf(1), hw.SetOf(2), hw.SetOf(3), hw.SetOf(2, 3),
			hw.SetOf(0, 3)),
	}
}

// figure73 is the machine of Figure 7.3 in MPI-5.0: rack 0 with two NUMA nodes of two CPUs, rack 1
// with one NUMA node of two CPUs, two cores a CPU. P0 to P11 have a core each, but for P6 and P7,
// which share cores 6 and 7.
func figure73() engine.Config {
	cpu := func(i int) *hw.Object { return part(hw.Package, i, 2*i, 2*i+1, cores(2*i, 2*i+1)...) }
	rack := func(i, lo, hi int, parts ...*hw.Object) *hw.Object {
		r := part(hw.Group, i, lo, hi, parts...)
		r.Subtype = "Rack"
		return r
	}
	half := func(i int) *hw.Object {
		return local(part(hw.Group, i, 4*i, 4*i+3, cpu(2*i), cpu(2*i+1)), i)
	}
	first, second := half(0), half(1)
	first.Attached, second.Attached = true, true
	host := machine(12, rack(0, 0, 7, first, second), local(rack(1, 8, 11, cpu(4), cpu(5)), 2))
	var sets []hw.Set
	for pu := range 12 {
		if pu == 6 || pu == 7 {
			sets = append(sets, hw.SetOf(6, 7))
		} else {
			sets = append(sets, hw.SetOf(pu))
		}
	}
	return engine.Config{Topology: hw.New("Figure 7.3", host), Bindings: bind(sets...)}
}
