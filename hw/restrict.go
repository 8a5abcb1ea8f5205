package hw

import "slices"

// Restrict takes away from the machine's tree what may not be used, as hwloc
// does: PUs outside cpus and NUMA nodes outside nodes go, sets and kinds of
// cores shrink, and objects that hold nothing any more go too. What still holds
// an allowed node or an I/O device keeps its place, with an empty cpuset. The
// PUs that went are the objects' Disallowed ones. It must come before New.
func Restrict(machine *Object, cpus, nodes Set) {
	machine.restrict(cpus, nodes)
	if d := machine.Details; d != nil {
		d.Kinds = restrictKinds(d.Kinds, machine.CPUSet)
	}
}

// restrict reports whether o stays.
func (o *Object) restrict(cpus, nodes Set) bool {
	gone := func(c *Object) bool {
		stays := c.restrict(cpus, nodes)
		if !stays {
			o.adoptDevices(c)
		}
		return !stays
	}
	if !o.CPUSet.SubsetOf(cpus) {
		o.Detailed().Disallowed.Merge(o.CPUSet.Minus(cpus))
		o.CPUSet = o.CPUSet.Intersect(cpus)
	}
	if !o.NodeSet.SubsetOf(nodes) {
		o.NodeSet = o.NodeSet.Intersect(nodes)
	}
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
	return len(o.Children)+len(o.Memory) > 0 || slices.ContainsFunc(o.Devices(), (*Device).isIO)
}

// adoptDevices takes over the devices of a child that goes.
func (o *Object) adoptDevices(child *Object) {
	if len(child.Devices()) > 0 {
		mine := o.Detailed()
		mine.Devices = append(mine.Devices, child.Devices()...)
		SortDevices(mine.Devices)
	}
}
