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
// an empty set, with PUs outside the machine, or that intersect a larger
// object without lying in it are left out and returned, largest first.
func Build(machine *Object, objects []*Object, nodes []*Object) (dropped []*Object) {
	if machine.CPUSet.Empty() {
		machine.CPUSet = Set{}
		for _, o := range objects {
			machine.CPUSet.Merge(o.CPUSet)
		}
	}
	sorted := slices.Clone(objects)
	slices.SortStableFunc(sorted, func(a, b *Object) int {
		return cmp.Or(cmp.Compare(b.CPUSet.Len(), a.CPUSet.Len()), cmp.Compare(a.CPUSet.First(), b.CPUSet.First()),
			cmp.Compare(a.Type, b.Type))
	})
	n := NewNest(machine)
	for i, o := range sorted {
		first := o.CPUSet.First()
		switch {
		case addsNothing(i, sorted, machine):
		case first < 0 || !o.CPUSet.SubsetOf(machine.CPUSet) || !n.put(o, n.at(first)):
			dropped = append(dropped, o)
		}
	}
	for _, node := range nodes {
		n.attachWithin(node)
	}
	n.Finish()
	return dropped
}

// addsNothing reports whether the i-th object of a list in the order of sizes and first PUs is merged into another: into a
// like one before, or, as a Group that only stands for its PUs, into any object with these PUs that is more.
func addsNothing(i int, list []*Object, machine *Object) bool {
	o := list[i]
	plain := func(p *Object) bool { return p.Type == Group && p.Subtype == "" && !p.Attached }
	if plain(o) && o.CPUSet.Equal(machine.CPUSet) {
		return true
	}
	size, first := o.CPUSet.Len(), o.CPUSet.First()
	for _, step := range []int{-1, 1} { // objects with these PUs stand around i
		for j := i + step; j >= 0 && j < len(list) && list[j].CPUSet.Len() == size && list[j].CPUSet.First() == first; j += step {
			p := list[j]
			if p.CPUSet.Equal(o.CPUSet) && (step < 0 && keyOf(p) == keyOf(o) || plain(o) && !plain(p)) {
				return true
			}
		}
	}
	return false
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

// Nest is a machine's tree under construction. It takes objects in the order in
// which they are found. Where objects contradict each other it follows hwloc: the
// earlier object stays, and an object that overlaps it only partly stays out.
//
// Until Finish runs only Parent and Memory are kept: moving a subtree is one
// assignment. owner[pu] is the smallest object so far that holds the PU, nil
// for the machine.
type Nest struct {
	machine *Object
	owner   []*Object
	placed  []*Object
}

// NewNest begins the tree of machine, whose CPUSet must be set.
func NewNest(machine *Object) *Nest {
	machine.Parent, machine.Children, machine.Memory = nil, nil, nil
	return &Nest{machine: machine, owner: make([]*Object, machine.CPUSet.Last()+1)}
}

// at returns the smallest object that holds a PU.
func (n *Nest) at(pu int) *Object {
	if pu < len(n.owner) && n.owner[pu] != nil {
		return n.owner[pu]
	}
	return n.machine
}

// childAt returns the child of o that holds a PU of o; nil when no child does, or
// when the smallest object that holds the PU does not lie in o.
func (n *Nest) childAt(o *Object, pu int) *Object {
	c := n.at(pu)
	for c != nil && c != o && c.Parent != o {
		c = c.Parent
	}
	if c == o {
		return nil
	}
	return c
}

// Insert places o. Objects with one set nest by type order; of like ones the
// first stays, and a Group merges into what has its set. Without PUs an object
// is a child of the machine. The result is o, or what it merged into, or nil
// when o cannot be placed.
func (n *Nest) Insert(o *Object) *Object {
	parent := n.machine
	for first := o.CPUSet.First(); first >= 0; {
		c := n.childAt(parent, first)
		if c == nil || !o.CPUSet.SubsetOf(c.CPUSet) {
			break
		}
		if c.CPUSet.SubsetOf(o.CPUSet) {
			if merged := merge(c, o); merged != nil {
				return merged
			}
			if o.Type < c.Type {
				break
			}
		}
		parent = c
	}
	if !n.put(o, parent) {
		return nil
	}
	return o
}

// merge puts o into old, which has the same set, and returns old; nil when both stay.
func merge(old, o *Object) *Object {
	// Memory does not hang on PUs: the Group for it stays.
	apart := old.Attached && o.Type == PU || o.Attached && old.Type == PU
	switch {
	case apart, old.Type != Group && o.Type != Group && old.Type != o.Type:
		return nil
	case old.Type == Group && (o.Type != Group || groupRank(o) < groupRank(old)):
		old.Type, old.Subtype, old.Attached = o.Type, o.Subtype, o.Attached
		old.OSIndex, old.Name, old.Bytes, old.Line, old.Ways = o.OSIndex, o.Name, o.Bytes, o.Line, o.Ways
	case old.Type == o.Type && old.Type != Group:
		if old.OSIndex == Unknown {
			old.OSIndex = o.OSIndex
		}
		if old.Bytes == 0 {
			old.Bytes = o.Bytes
		}
	}
	return old
}

// groupRank orders Groups by what they stand for, as hwloc's kinds do: the
// smallest stays when several have one set.
func groupRank(o *Object) int {
	switch {
	case o.Attached:
		return 3
	case o.Subtype == "":
		return 2
	case o.Subtype == "Cluster":
		return 1
	}
	return 0
}

// put places o below parent and above those children of parent that lie in o;
// false when one of them sticks out of o.
func (n *Nest) put(o, parent *Object) bool {
	var inside []*Object
	for pu := o.CPUSet.First(); pu >= 0; pu = o.CPUSet.Next(pu + 1) {
		c := n.childAt(parent, pu)
		if c == nil {
			if n.at(pu) != parent {
				return false
			}
			continue
		}
		if len(inside) > 0 && inside[len(inside)-1] == c {
			continue
		}
		if !c.CPUSet.SubsetOf(o.CPUSet) {
			return false
		}
		inside = append(inside, c)
	}
	for _, c := range inside {
		c.Parent = o
	}
	if last := o.CPUSet.Last(); last >= len(n.owner) {
		n.owner = append(n.owner, make([]*Object, last+1-len(n.owner))...)
	}
	for pu := o.CPUSet.First(); pu >= 0; pu = o.CPUSet.Next(pu + 1) {
		if n.at(pu) == parent {
			n.owner[pu] = o
		}
	}
	o.Parent, o.Children, o.Memory = parent, nil, nil
	n.placed = append(n.placed, o)
	return true
}

// Attach hangs a NUMA node, or a memory-side cache with its node, to the
// highest object with its cpuset below the machine, or to a new Attached Group.
// Where no such Group fits, what holds its PUs has to do.
func (n *Nest) Attach(node *Object) {
	set := node.CPUSet
	parent := n.covering(set)
	if parent == n.machine || !parent.CPUSet.Equal(set) {
		group := &Object{Type: Group, OSIndex: Unknown, CPUSet: set, Attached: true}
		if n.put(group, parent) {
			parent = group
		}
	}
	n.AttachTo(node, parent)
}

// AttachTo hangs a NUMA node, or a memory-side cache with its node, to parent.
func (n *Nest) AttachTo(node, parent *Object) {
	node.Parent = parent
	parent.Memory = append(parent.Memory, node)
}

// covering returns the highest object that has exactly the PUs of set, if possible
// an Attached Group; else the smallest object that holds these PUs and is not a PU.
func (n *Nest) covering(set Set) *Object {
	o := n.machine
	for !set.Empty() {
		c := n.childAt(o, set.First())
		if c == nil || c.Type == PU || !set.SubsetOf(c.CPUSet) {
			break
		}
		o = c
		if c.CPUSet.SubsetOf(set) {
			return n.attachedOr(o)
		}
	}
	return o
}

// attachedOr returns the Attached Group in o that has the same set as o, or o.
func (n *Nest) attachedOr(o *Object) *Object {
	for c := o; c != nil && c.CPUSet.Equal(o.CPUSet); c = n.childAt(c, o.CPUSet.First()) {
		if c.Attached {
			return c
		}
	}
	return o
}

// Finish fills in the children and arranges them. It removes from all sets the PUs
// that the machine lacks. A machine without nodes gets a node.
func (n *Nest) Finish() {
	for _, o := range n.placed {
		o.Parent.Children = append(o.Parent.Children, o)
	}
	nodes := len(n.machine.Memory)
	for _, o := range n.placed {
		nodes += len(o.Memory)
	}
	if nodes == 0 {
		n.AttachTo(&Object{Type: NUMANode, CPUSet: n.machine.CPUSet, NodeSet: SetOf(0)},
			n.wholeMachine())
	}
	n.machine.Arrange(Set{})
	within(n.machine)
}

// wholeMachine returns the object to which memory belongs that is local to all PUs.
func (n *Nest) wholeMachine() *Object {
	if o := n.covering(n.machine.CPUSet); o.CPUSet.Equal(n.machine.CPUSet) {
		return o
	}
	return n.machine
}

// within removes from the sets below o the PUs that o lacks. Memory is local to
// all PUs of its parent.
func within(o *Object) {
	for _, c := range o.Children {
		c.CPUSet = c.CPUSet.Intersect(o.CPUSet)
		within(c)
	}
	for _, m := range o.Memory {
		m.CPUSet = o.CPUSet
		within(m)
	}
}

// MergeGroups removes from a machine the levels of Groups that bring no structure,
// as hwloc does: each Group of such a level is the only child of its parent, or
// has only one child. The object that stays gets the Group's memory. Groups with a
// subtype stay unless named is true. Call MergeGroups after Restrict and before New.
func MergeGroups(machine *Object, named bool) {
	mergeLevels(machine, func(o *Object) bool { return o.Type == Group && (named || o.Subtype == "") })
}

// mergeLevels removes levels that bring no structure, if goes allows it for their objects. Of two neighboring levels it
// removes the level with the smaller weight, and of equal ones the lower level.
func mergeLevels(root *Object, goes func(*Object) bool) {
	new(census).take(root)
	var rows [][]*Object
	for _, l := range findLevels(root) {
		rows = append(rows, l.objects)
	}
	for i := len(rows) - 1; i > 0; i-- {
		upper, lower := rows[i-1], rows[i]
		up, low := upper[0], lower[0]
		if !parallel(upper, lower) {
			continue
		}
		switch {
		case goes(low) && low.Type != PU && (!goes(up) || weight(up.Type) >= weight(low.Type)):
			for _, o := range lower {
				o.Parent.adopt(o)
			}
			rows = slices.Delete(rows, i, i+1)
		case goes(up) && i > 1:
			for _, o := range upper {
				o.giveWay(o.Children[0])
			}
			rows = slices.Delete(rows, i-1, i)
		}
	}
}

// weight orders types as hwloc does: of two levels with the same objects, the type with the larger weight stays.
func weight(t Type) int {
	switch {
	case t == Group:
		return 0
	case t.IsInstructionCache():
		return 19
	case t.IsCache():
		return 20
	case t == Die:
		return 30
	case t == Package:
		return 40
	case t == Core:
		return 60
	}
	return 100
}

// parallel reports whether each object of a level has a single child, the object
// in the same place of the next level. PUs have no memory.
func parallel(upper, lower []*Object) bool {
	if len(upper) != len(lower) {
		return false
	}
	for i, o := range upper {
		if len(o.Children) != 1 || o.Children[0] != lower[i] ||
			lower[i].Type == PU && len(o.Memory) > 0 {
			return false
		}
	}
	return true
}

// adopt gives o the devices, memory and children of its only child, which goes.
func (o *Object) adopt(child *Object) {
	o.adoptDevices(child)
	o.Memory = append(o.Memory, child.Memory...)
	o.Children = child.Children
	for _, c := range o.Children {
		c.Parent = o
	}
}

// giveWay puts the only child of o in the place of o.
func (o *Object) giveWay(child *Object) {
	child.adoptDevices(o)
	child.Memory = slices.Concat(o.Memory, child.Memory)
	child.Parent = o.Parent
	o.Parent.Children[slices.Index(o.Parent.Children, o)] = child
}
