package hw

import "slices"

// Restrict takes away from the machine's tree what may not be used, as hwloc
// does: PUs outside cpus and NUMA nodes outside nodes go, sets shrink, and
// objects that hold nothing any more go too. A package that keeps an allowed
// node keeps its place, with an empty cpuset. The machine's Details tell which
// PUs went. It must come before New.
func Restrict(machine *Object, cpus, nodes Set) {
	if gone := machine.CPUSet.Minus(cpus); !gone.Empty() || machine.Details != nil {
		if machine.Details == nil {
			machine.Details = &Details{}
		}
		machine.Details.disallow(gone)
	}
	machine.restrict(cpus, nodes)
}

// disallow moves PUs from the kinds to Disallowed. A kind without PUs is none.
func (d *Details) disallow(gone Set) {
	d.Disallowed = d.Disallowed.Union(gone)
	var kinds []Kind
	for _, k := range d.Kinds {
		if k.CPUSet = k.CPUSet.Minus(gone); k.CPUSet.Empty() {
			continue
		}
		if k.Efficiency != Unknown {
			k.Efficiency = len(kinds)
		}
		kinds = append(kinds, k)
	}
	if len(kinds) == 1 {
		kinds[0].Efficiency = 0
	}
	d.Kinds = kinds
}

// restrict reports whether o stays.
func (o *Object) restrict(cpus, nodes Set) bool {
	gone := func(c *Object) bool { return !c.restrict(cpus, nodes) }
	o.CPUSet = o.CPUSet.Intersect(cpus)
	o.NodeSet = o.NodeSet.Intersect(nodes)
	o.Memory = slices.DeleteFunc(o.Memory, gone)
	o.Children = slices.DeleteFunc(o.Children, gone)
	switch o.Type {
	case PU:
		return !o.CPUSet.Empty()
	case NUMANode:
		return nodes.Has(o.OSIndex)
	case Machine:
		return true
	}
	return len(o.Children)+len(o.Memory) > 0
}
