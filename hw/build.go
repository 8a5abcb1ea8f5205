package hw

import (
	"cmp"
	"slices"
)

// Build nests objects below machine by inclusion of their cpusets, equal ones
// by type order, and attaches the memory objects of nodes by their cpusets. The
// order of objects does not matter.
//
// Of like objects with the same cpuset the first one stays; Groups that only
// stand for their PUs (no Subtype, not Attached) merge into any other object
// with that set, and into the machine. Memory goes to the highest object with
// its set, the machine last, or to a new Attached Group when there is none; a
// node without CPUs goes to a Group without CPUs, as in hwloc. A machine without
// nodes gets one. NodeSets of all other objects are derived.
//
// An empty machine.CPUSet becomes the union of the objects' sets. Objects with
// an empty set, with PUs outside of the machine, or that intersect a larger
// object without lying in it are left out and returned, largest first.
func Build(machine *Object, objects []*Object, nodes []*Object) (dropped []*Object) {
	if machine.CPUSet.Empty() {
		machine.CPUSet = Set{}
		for _, o := range objects {
			machine.CPUSet.Merge(o.CPUSet)
		}
	}
	n := NewNest(machine)
	for _, o := range sortedForNesting(objects, machine) {
		if !n.insertLargestFirst(o) {
			dropped = append(dropped, o)
		}
	}
	for _, node := range nodes {
		n.attachWithin(node)
	}
	n.Finish()
	return dropped
}

// attachWithin attaches a node by those of its PUs that the machine has.
func (n *Nest) attachWithin(node *Object) {
	node.CPUSet = node.CPUSet.Intersect(n.machine.CPUSet)
	for _, m := range node.Memory {
		node.NodeSet.Merge(m.NodeSet)
	}
	if node.CPUSet.Equal(n.machine.CPUSet) {
		n.AttachTo(node, n.wholeMachine())
		return
	}
	n.Attach(node)
}

// insertLargestFirst places an object that has no part of it placed yet.
func (n *Nest) insertLargestFirst(o *Object) bool {
	first := o.CPUSet.First()
	return first >= 0 && o.CPUSet.SubsetOf(n.machine.CPUSet) && n.put(o, n.at(first))
}

// sized is an object with what sorting looks at first.
type sized struct {
	*Object
	size, first int
}

// sortedForNesting returns the objects to insert, outer ones first, without
// those that are merged into others.
func sortedForNesting(objects []*Object, machine *Object) []*Object {
	list := make([]sized, len(objects))
	for i, o := range objects {
		list[i] = sized{o, o.CPUSet.Len(), o.CPUSet.First()}
	}
	slices.SortStableFunc(list, func(a, b sized) int {
		if c := cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.first, b.first)); c != 0 {
			return c
		}
		return cmp.Or(a.CPUSet.compare(b.CPUSet), cmp.Compare(a.Type, b.Type))
	})
	r := make([]*Object, 0, len(list))
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].CPUSet.Equal(list[from].CPUSet) {
			to++
		}
		r = appendMerged(r, list[from:to], machine)
		from = to
	}
	return r
}

// appendMerged adds a run of objects with one set to r, without those that add
// nothing to the others.
func appendMerged(r []*Object, run []sized, machine *Object) []*Object {
	start := len(r)
	redundant := run[0].CPUSet.Equal(machine.CPUSet) ||
		slices.ContainsFunc(run, func(o sized) bool { return !plain(o.Object) })
	for _, o := range run {
		like := func(p *Object) bool { return keyOf(p) == keyOf(o.Object) }
		if plain(o.Object) && redundant || slices.ContainsFunc(r[start:], like) {
			continue
		}
		r = append(r, o.Object)
	}
	return r
}

// plain reports whether o is a Group that stands for nothing but its PUs.
func plain(o *Object) bool { return o.Type == Group && o.Subtype == "" && !o.Attached }
