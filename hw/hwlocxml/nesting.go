package hwlocxml

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"commsplit/hw"
)

// checkPlace says why o cannot lie in parent, which is nil for the machine.
func checkPlace(o, parent *hw.Object) error {
	switch {
	case parent == nil:
		return nil
	case o.Type == hw.Machine:
		return fmt.Errorf("a machine in a %s: want it outermost", parent.Type)
	case parent.Type == hw.PU || parent.Type == hw.NUMANode:
		return fmt.Errorf("it lies in a %s, which holds nothing", parent.Type)
	case parent.Type == hw.MemCache && !o.Type.IsMemory():
		return fmt.Errorf("it lies in a MemCache, which only holds NUMA nodes")
	case !o.CPUSet.SubsetOf(parent.CPUSet):
		return fmt.Errorf("PUs %s are not in the cpuset of its %s",
			short(o.CPUSet.Minus(parent.CPUSet)), parent.Type)
	case !o.NodeSet.SubsetOf(parent.NodeSet):
		return fmt.Errorf("NUMA nodes %s are not in the nodeset of its %s",
			short(o.NodeSet.Minus(parent.NodeSet)), parent.Type)
	}
	return nil
}

// adopt hangs the children in o in hwloc's order: by their first PU, offline
// ones counted, those without any last; memory by its first node.
func (r *reader) adopt(o *hw.Object, children []*hw.Object) error {
	hw.SortDevices(o.Devices())
	slices.SortStableFunc(children, func(a, b *hw.Object) int {
		return cmp.Compare(firstOf(a.Complete()), firstOf(b.Complete()))
	})
	var held hw.Set
	for _, c := range children {
		if c.Type.IsMemory() {
			o.Memory = append(o.Memory, c)
			continue
		}
		if c.CPUSet.Intersects(held) {
			return r.errorf("%s: PUs %s are in two of its children", o.Type,
				short(c.CPUSet.Intersect(held)))
		}
		held.Merge(c.CPUSet)
		o.Children = append(o.Children, c)
	}
	slices.SortStableFunc(o.Memory, func(a, b *hw.Object) int {
		return cmp.Compare(firstOf(a.NodeSet), firstOf(b.NodeSet))
	})
	if o.Type != hw.PU && !o.Type.IsMemory() && !held.Equal(o.CPUSet) {
		return r.errorf("%s: PUs %s of its cpuset are in none of its children",
			o.Type, short(o.CPUSet.Minus(held)))
	}
	return nil
}

// firstOf is the first index of s; an empty set comes after all others.
func firstOf(s hw.Set) int {
	if first := s.First(); first >= 0 {
		return first
	}
	return math.MaxInt
}
