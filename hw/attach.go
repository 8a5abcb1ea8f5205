package hw

// attach hangs a NUMA node or memory-side cache where its CPUs are.
func (b *builder) attach(node *Object) {
	node.CPUSet = node.CPUSet.Intersect(b.machine.CPUSet)
	for _, m := range node.Memory {
		node.NodeSet.Merge(m.NodeSet)
		m.CPUSet = node.CPUSet
	}
	place := b.placeFor(node.CPUSet)
	node.Parent = place
	place.Memory = append(place.Memory, node)
}

// placeFor finds or makes the object that holds memory local to set. Memory is
// local to the PUs of what it hangs in, so without CPUs it gets a Group of its
// own, as in hwloc.
func (b *builder) placeFor(set Set) *Object {
	if set.Empty() {
		group := &Object{Type: Group, OSIndex: Unknown, Attached: true}
		b.place(group, b.machine)
		return group
	}
	o := b.owner[set.First()]
	if o.Type == PU {
		o = o.Parent
	}
	for !set.SubsetOf(o.CPUSet) {
		o = o.Parent
	}
	if !o.CPUSet.Equal(set) {
		return b.groupBelow(o, set)
	}
	for up := o; up != b.machine && up != nil && up.CPUSet.Equal(set); up = up.Parent {
		o = up
		if up.Attached {
			break
		}
	}
	return o
}

// groupBelow makes a Group for set between o and those children of o that lie
// in set. Where a child sticks out of set no Group fits: o itself has to do.
func (b *builder) groupBelow(o *Object, set Set) *Object {
	var members []*Object
	rest := set.Clone()
	for pu := rest.First(); pu >= 0; pu = rest.Next(pu + 1) {
		child := b.owner[pu]
		for child != o && child.Parent != o {
			child = child.Parent
		}
		if child == o {
			continue // a PU that no object below o holds
		}
		if !child.CPUSet.SubsetOf(set) {
			return o
		}
		members = append(members, child)
		rest = rest.Minus(child.CPUSet)
	}
	group := &Object{Type: Group, OSIndex: Unknown, CPUSet: set, Attached: true}
	b.place(group, o)
	for _, m := range members {
		m.Parent = group
	}
	return group
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
