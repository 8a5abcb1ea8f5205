package hw

import "slices"

// MergeGroups takes out the levels of Groups that bring no structure to a
// machine, as hwloc does: each Group of the level is the only child of its
// parent, or has one child only. Its memory goes to what stays. It comes after
// Restrict and before New.
func MergeGroups(machine *Object) {
	hosts := int32(-1)
	setParents(machine, &hosts)
	all := findLevels(machine)
	rows := make([][]*Object, 0, len(all))
	for _, l := range all {
		if !l.key.typ.IsMemory() {
			rows = append(rows, l.objects)
		}
	}
	for i := len(rows) - 1; i > 0; i-- {
		upper, lower := rows[i-1], rows[i]
		if !parallel(upper, lower) {
			continue
		}
		switch {
		case lower[0].Type == Group:
			for _, o := range lower {
				o.Parent.adopt(o)
			}
			rows = slices.Delete(rows, i, i+1)
		case upper[0].Type == Group && i > 1:
			for _, o := range upper {
				o.giveWay(o.Children[0])
			}
			rows = slices.Delete(rows, i-1, i)
		}
	}
}

// parallel reports whether each object of a level has just the one child that
// is beside it in the next level. Memory does not hang on PUs.
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

// adopt takes over what hangs on an only child that goes.
func (o *Object) adopt(child *Object) {
	o.Memory = append(o.Memory, child.Memory...)
	o.Children = child.Children
	for _, c := range o.Children {
		c.Parent = o
	}
}

// giveWay puts an only child in the place of o.
func (o *Object) giveWay(child *Object) {
	child.Memory = slices.Concat(o.Memory, child.Memory)
	child.Parent = o.Parent
	o.Parent.Children[slices.Index(o.Parent.Children, o)] = child
}
