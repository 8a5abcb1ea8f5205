package hw

import (
	"cmp"
	"slices"
)

// Build makes the tree of one machine from an unordered list of objects with
// CPUSets, by inclusion. Equal sets nest in the order of the types; a plain
// Group that equals another object is merged into it (one with a Subtype or
// with Attached set is kept); of several like objects with one set the first
// stays.
//
// Then it hangs in the nodes: NUMA nodes, or memory-side caches that hold one
// in Memory. Each goes to the highest object with its set, the machine last,
// or to a new Attached Group when there is none, as it is for a node without
// CPUs. A machine without nodes gets one. NodeSets of all other objects are
// derived.
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
	b := newBuilder(machine)
	for _, o := range sortedForNesting(objects, machine) {
		if !b.insert(o) {
			dropped = append(dropped, o)
		}
	}
	if len(nodes) == 0 {
		nodes = []*Object{{Type: NUMANode, CPUSet: machine.CPUSet, NodeSet: SetOf(0)}}
	}
	for _, n := range nodes {
		b.attach(n)
	}
	b.link()
	spreadNodeSets(machine, Set{})
	return dropped
}

// builder nests objects that arrive largest first. owner[pu] is the smallest
// object so far that holds the PU: a new object fits where all its PUs agree.
// Until link runs, only Parent is kept: moving a subtree is one assignment.
type builder struct {
	machine *Object
	owner   []*Object
	placed  []*Object
}

func newBuilder(machine *Object) *builder {
	machine.Parent, machine.Children, machine.Memory = nil, nil, nil
	b := &builder{machine: machine, owner: make([]*Object, machine.CPUSet.Last()+1)}
	b.own(machine)
	return b
}

func (b *builder) own(o *Object) {
	for pu := o.CPUSet.First(); pu >= 0; pu = o.CPUSet.Next(pu + 1) {
		b.owner[pu] = o
	}
}

func (b *builder) insert(o *Object) bool {
	first := o.CPUSet.First()
	if first < 0 || !o.CPUSet.SubsetOf(b.machine.CPUSet) {
		return false
	}
	parent := b.owner[first]
	for pu := first; pu >= 0; pu = o.CPUSet.Next(pu + 1) {
		if b.owner[pu] != parent {
			return false
		}
	}
	b.own(o)
	b.place(o, parent)
	return true
}

func (b *builder) place(o, parent *Object) {
	o.Parent, o.Children, o.Memory = parent, nil, nil
	b.placed = append(b.placed, o)
}

// link fills in the children and orders siblings by their first PU; those without
// PUs come last, by their first node.
func (b *builder) link() {
	for _, o := range b.placed {
		o.Parent.Children = append(o.Parent.Children, o)
	}
	for _, o := range append(b.placed, b.machine) {
		slices.SortFunc(o.Children, func(x, y *Object) int {
			// As unsigned numbers, -1 is the largest.
			return cmp.Or(cmp.Compare(uint(x.CPUSet.First()), uint(y.CPUSet.First())),
				cmp.Compare(firstNode(x), firstNode(y)))
		})
		slices.SortStableFunc(o.Memory, func(x, y *Object) int {
			return cmp.Compare(x.NodeSet.First(), y.NodeSet.First())
		})
	}
}

// firstNode is the lowest number of a node that hangs in o, or -1.
func firstNode(o *Object) int {
	if len(o.Memory) == 0 {
		return -1
	}
	return o.Memory[0].NodeSet.First()
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
