package sysfs

import (
	"slices"

	"commsplit/hw"
)

// restrict takes away from the tree below o what may not be used, as hwloc
// does: PUs and NUMA nodes go, sets shrink, and objects that hold nothing any
// more go too. A package that keeps an allowed node keeps its place, with an
// empty cpuset. It reports whether o stays.
func restrict(o *hw.Object, cpus, mems hw.Set) bool {
	gone := func(c *hw.Object) bool { return !restrict(c, cpus, mems) }
	o.CPUSet = o.CPUSet.Intersect(cpus)
	o.NodeSet = o.NodeSet.Intersect(mems)
	o.Memory = slices.DeleteFunc(o.Memory, gone)
	o.Children = slices.DeleteFunc(o.Children, gone)
	switch o.Type {
	case hw.PU:
		return !o.CPUSet.Empty()
	case hw.NUMANode:
		return mems.Has(o.OSIndex)
	case hw.Machine:
		return true
	}
	return len(o.Children)+len(o.Memory) > 0
}
