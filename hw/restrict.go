package hw

import "slices"

// Restrict takes away from the machine's tree what may not be used, as hwloc
// does: PUs outside cpus and NUMA nodes outside nodes go, sets shrink, and
// objects that hold nothing any more go too. A package that keeps an allowed
// node keeps its place, with an empty cpuset. It must come before New.
func Restrict(machine *Object, cpus, nodes Set) { machine.restrict(cpus, nodes) }

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
