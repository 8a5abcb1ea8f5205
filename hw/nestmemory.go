package hw

import (
	"cmp"
	"slices"
)

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

// covering finds the highest object with the PUs of set, an Attached Group
// before others, or else the smallest that holds them and is no PU.
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

// attachedOr is the Attached Group with the set of o that lies in it, or o.
func (n *Nest) attachedOr(o *Object) *Object {
	for c := o; c != nil && c.CPUSet.Equal(o.CPUSet); c = n.childAt(c, o.CPUSet.First()) {
		if c.Attached {
			return c
		}
	}
	return o
}

// Finish fills in the children, ordered by their first PU, takes from all sets
// what is not in the machine, and derives the NodeSets. A machine without nodes
// gets one.
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
	for _, o := range append(n.placed, n.machine) {
		slices.SortStableFunc(o.Children, func(x, y *Object) int {
			return compareFirst(x.CPUSet, y.CPUSet)
		})
		slices.SortStableFunc(o.Memory, func(x, y *Object) int {
			return cmp.Compare(x.NodeSet.First(), y.NodeSet.First())
		})
	}
	within(n.machine)
	spreadNodeSets(n.machine, Set{})
}

// wholeMachine is where memory hangs that is local to all PUs.
func (n *Nest) wholeMachine() *Object {
	if o := n.covering(n.machine.CPUSet); o.CPUSet.Equal(n.machine.CPUSet) {
		return o
	}
	return n.machine
}

// compareFirst orders sets by their first member, empty ones last.
func compareFirst(x, y Set) int {
	if x.Empty() || y.Empty() {
		return cmp.Compare(y.Len(), x.Len())
	}
	return cmp.Compare(x.First(), y.First())
}

// within takes from the sets below o what o does not have. Memory is local to
// all PUs of what it hangs on.
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

// spreadNodeSets derives the nodesets below o: the nodes of an object are its
// own, those of all above it, and those of all below it.
func spreadNodeSets(o *Object, above Set) {
	if len(o.Memory)+len(o.Children) == 0 {
		o.NodeSet = above
		return
	}
	set := above.Clone()
	for _, m := range o.Memory {
		set.Merge(m.NodeSet)
	}
	local := set.Clone()
	for _, c := range o.Children {
		spreadNodeSets(c, local)
		set.Merge(c.NodeSet)
	}
	o.NodeSet = set
}
