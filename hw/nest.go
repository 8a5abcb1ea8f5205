package hw

// Nest is the tree of a machine in the making. It takes objects in the order in
// which they are found and keeps hwloc's rules for what contradicts: what was
// there first stays, an object that only partly overlaps it stays out.
//
// Until Finish runs only Parent and Memory are kept: moving a subtree is one
// assignment. owner[pu] is the smallest object so far that holds the PU, nil
// for the machine.
type Nest struct {
	machine *Object
	owner   []*Object
	placed  []*Object
}

// NewNest begins the tree of machine, whose CPUSet must be told.
func NewNest(machine *Object) *Nest {
	machine.Parent, machine.Children, machine.Memory = nil, nil, nil
	return &Nest{machine: machine, owner: make([]*Object, machine.CPUSet.Last()+1)}
}

// at is the smallest object that holds a PU.
func (n *Nest) at(pu int) *Object {
	if pu < len(n.owner) && n.owner[pu] != nil {
		return n.owner[pu]
	}
	return n.machine
}

// childAt is the child of o that holds a PU of o; nil when only o itself does,
// or when the smallest object that holds the PU does not lie in o.
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

// merge makes one object of two with the same set; nil when they are two.
func merge(old, o *Object) *Object {
	// Memory does not hang on PUs: the Group for it stays.
	apart := old.Attached && o.Type == PU || o.Attached && old.Type == PU
	switch {
	case apart, old.Type != Group && o.Type != Group && old.Type != o.Type:
		return nil
	case old.Type == Group && (o.Type != Group || groupRank(o) < groupRank(old)):
		old.Type, old.Subtype, old.Attached = o.Type, o.Subtype, o.Attached
		old.OSIndex, old.Name, old.Bytes = o.OSIndex, o.Name, o.Bytes
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
