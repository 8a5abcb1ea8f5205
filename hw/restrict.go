package hw

import (
	"fmt"
	"slices"
)

// Absence is the reason why PUs are not in a tree.
type Absence int

// The reasons why a PU is missing: it is unknown, offline, or not allowed for this process.
const (
	Unheard Absence = iota
	SwitchedOff
	NotAllowed
)

// Restrict removes from the machine's tree what may not be used, as hwloc does:
// PUs outside cpus and NUMA nodes outside nodes go, sets and kinds of cores
// shrink, and objects that become empty go too. An object that still holds an
// allowed node or an I/O device keeps its place, with an empty cpuset. The
// Details of the objects tell which PUs went and why; where they are there but not
// allowed, the machine keeps the whole tree, too. Call Restrict before New.
func Restrict(machine *Object, cpus, nodes Set, why Absence) {
	lost, lostNodes := machine.CPUSet.Minus(cpus), machine.NodeSet.Minus(nodes)
	if why == NotAllowed && machine.Type == Machine && !(lost.Empty() && lostNodes.Empty()) {
		whole := machine.own()
		d := whole.Detailed()
		d.Disallowed.Merge(lost)
		d.DisallowedNodes.Merge(lostNodes)
		machine.Detailed().Whole = whole
	}
	machine.restrict(cpus, nodes, why)
	if d := machine.Details; d != nil {
		d.Kinds = restrictKinds(d.Kinds, machine.CPUSet)
	}
}

// Whole returns t with the objects that this process may not use; Allows tells them apart. It returns t itself where
// there are none, or where the tree was changed after it was read.
func (t *Topology) Whole() *Topology {
	found := false
	root := t.Root.own().whole(&found)
	if !found {
		return t
	}
	return t.reshaped(root)
}

// whole returns the whole machine that o is the usable part of, else o with whole machines below it.
func (o *Object) whole(found *bool) *Object {
	if o.Type == Machine {
		if o.Details == nil || o.Details.Whole == nil {
			return o
		}
		*found = true
		w := o.Details.Whole.own()
		w.Name, w.OSIndex = o.Name, o.OSIndex
		return w
	}
	for i, c := range o.Children {
		o.Children[i] = c.whole(found)
		if c != o.Children[i] {
			o.CPUSet.Merge(o.Children[i].CPUSet)
			o.NodeSet.Merge(o.Children[i].NodeSet)
		}
	}
	return o
}

// Allows reports whether this process may use some part of an object. Only trees of Whole have objects of which it may
// use nothing.
func (t *Topology) Allows(o *Object) bool {
	host := o.Host()
	if host == nil || host.Details == nil {
		return true
	}
	d := host.Details
	if o.Type == NUMANode {
		return !d.DisallowedNodes.Has(o.OSIndex)
	}
	return o.CPUSet.Empty() || !o.CPUSet.SubsetOf(d.Disallowed) || slices.ContainsFunc(o.Memory, t.Allows)
}

// restrict restricts o and all below; it reports whether o stays.
func (o *Object) restrict(cpus, nodes Set, why Absence) bool {
	gone := func(c *Object) bool {
		stays := c.restrict(cpus, nodes, why)
		if !stays {
			o.adoptDevices(c)
		}
		return !stays
	}
	if !o.CPUSet.SubsetOf(cpus) {
		switch lost := o.CPUSet.Minus(cpus); why {
		case SwitchedOff:
			o.Detailed().Offline.Merge(lost)
		case NotAllowed:
			o.Detailed().Disallowed.Merge(lost)
		}
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

// adoptDevices takes over the devices of a child that is removed.
func (o *Object) adoptDevices(child *Object) {
	if len(child.Devices()) > 0 {
		mine := o.Detailed()
		mine.Devices = append(mine.Devices, child.Devices()...)
		SortDevices(mine.Devices)
	}
}

// Only returns t with only the given PUs of each machine, as lstopo --restrict does: kinds shrink, empty objects go, and
// memory stays. A machine with none of these PUs is an error.
func (t *Topology) Only(pus Set) (*Topology, error) {
	root := t.Root.own()
	for _, h := range machinesBelow(root) {
		if !h.CPUSet.Intersects(pus) {
			return nil, fmt.Errorf("%s has none of PUs %s: it has %s", h.Name, pus, h.CPUSet)
		}
		Restrict(h, h.CPUSet.Intersect(pus), h.NodeSet, Unheard)
	}
	return t.reshaped(root), nil
}

// machinesBelow lists the machines of a tree, without walking through them.
func machinesBelow(root *Object) (list []*Object) {
	if root.Type == Machine {
		return []*Object{root}
	}
	for _, c := range root.Children {
		list = append(list, machinesBelow(c)...)
	}
	return list
}

// Shown is a choice of the objects of a type that a picture shows.
type Shown int

// The choices, hwloc's.
const (
	ShownAll       Shown = iota
	ShownStructure       // those that bring structure: whose level is not the same as the one above or below
	ShownNone
)

// Filtered returns t for a picture, without the objects that are not shown; their parents get their children, memory and
// devices. Machines and the levels above them stay.
func (t *Topology) Filtered(shown map[Type]Shown) *Topology {
	root := t.Root.own()
	root.drop(func(typ Type) bool { return shown[typ] == ShownNone && typ != Machine && typ != Level })
	for _, h := range machinesBelow(root) {
		mergeLevels(h, func(o *Object) bool { return shown[o.Type] == ShownStructure && o.Type != Machine })
	}
	return t.reshaped(root)
}

// reshaped returns a topology like t with another tree.
func (t *Topology) reshaped(root *Object) *Topology {
	r := New(t.Name, root, t.Notes...)
	r.Slurm = t.Slurm
	return r
}

// own returns a copy of o and of all objects below o that shares no details with them.
func (o *Object) own() *Object {
	root := o.Copy()
	for c := range root.All() {
		if c.Details == nil {
			continue
		}
		d := *c.Details
		d.Devices, d.Kinds = slices.Clone(d.Devices), slices.Clone(d.Kinds)
		d.Offline, d.Disallowed = d.Offline.Clone(), d.Disallowed.Clone()
		d.DisallowedNodes = d.DisallowedNodes.Clone()
		c.Details = &d
	}
	return root
}

// drop removes objects below o; their children, memory and devices take their places.
func (o *Object) drop(goes func(Type) bool) {
	o.Memory = o.dropped(o.Memory, goes)
	o.Children = o.dropped(o.Children, goes)
	without := func(c *Object) bool { return c.CPUSet.Empty() } // nobody knows any more where such a one was
	if o.Type != Level && !slices.ContainsFunc(o.Children, without) {
		slices.SortStableFunc(o.Children, func(a, b *Object) int { return CompareFirst(a.CPUSet, b.CPUSet) })
	}
}

func (o *Object) dropped(list []*Object, goes func(Type) bool) (left []*Object) {
	for _, c := range list {
		c.drop(goes)
		if !goes(c.Type) {
			left = append(left, c)
			continue
		}
		o.adoptDevices(c)
		if c.Type.IsMemory() {
			left = append(left, c.Memory...)
		} else {
			o.Memory = append(o.Memory, c.Memory...)
			left = append(left, c.Children...)
		}
	}
	return left
}
