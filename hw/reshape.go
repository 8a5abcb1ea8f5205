package hw

import (
	"fmt"
	"slices"
)

// Only is t with some of the PUs of each machine, as lstopo --restrict has it: kinds shrink, objects that hold nothing any
// more go, and memory stays. An error says that a machine has none of them.
func (t *Topology) Only(pus Set) (*Topology, error) {
	root := t.Root.own()
	for o := range root.All() {
		if o.Type != Machine {
			continue
		}
		if !o.CPUSet.Intersects(pus) {
			return nil, fmt.Errorf("%s has none of PUs %s: it has %s", o.Name, pus, o.CPUSet)
		}
	}
	for _, h := range machinesBelow(root) {
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

// Shown says which objects of a type a picture has.
type Shown int

// The values of Shown, named as in hwloc.
const (
	ShownAll       Shown = iota
	ShownStructure       // those that bring structure: whose level is not the same as the one above or below
	ShownNone
)

// Filtered returns a copy of t for a picture, without the objects that are not shown. The children of a removed
// object move to its parent. Machines and the levels above them stay.
func (t *Topology) Filtered(shown map[Type]Shown) *Topology {
	root := t.Root.own()
	root.drop(func(typ Type) bool { return shown[typ] == ShownNone && typ != Machine && typ != Level })
	for _, h := range machinesBelow(root) {
		mergeLevels(h, func(typ Type) bool { return shown[typ] == ShownStructure && typ != Machine })
	}
	return t.reshaped(root)
}

// reshaped is t with another tree.
func (t *Topology) reshaped(root *Object) *Topology {
	r := New(t.Name, root, t.Notes...)
	r.Slurm = t.Slurm
	return r
}

// own is a copy of o and what is below it that shares no details with it.
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

// drop takes out objects below o: their children, memory and devices take their places.
func (o *Object) drop(goes func(Type) bool) {
	o.Memory = o.dropped(o.Memory, goes)
	o.Children = o.dropped(o.Children, goes)
	without := func(c *Object) bool { return c.CPUSet.Empty() } // nobody knows any more where such a one was
	if o.Type != Level && !slices.ContainsFunc(o.Children, without) {
		slices.SortStableFunc(o.Children, func(a, b *Object) int { return compareFirst(a.CPUSet, b.CPUSet) })
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
