package synthetic

import (
	"slices"

	"commsplit/hw"
)

// simplify removes levels of Groups that say nothing any more after PUs went,
// as hwloc does: a level of plain Groups with just one child each, or each the
// only child of its parent. Groups with a subtype stay.
func simplify(machine *hw.Object) {
	var levels [][]*hw.Object
	for _, l := range hw.New("", machine).Levels() {
		if !l[0].Type.IsMemory() {
			levels = append(levels, l)
		}
	}
	for i := len(levels) - 1; i > 0; i-- {
		above, below := levels[i-1], levels[i]
		if !onlyChildren(above, below) {
			continue
		}
		switch {
		case plain(below):
			for j, o := range above {
				o.Children = below[j].Children
				o.Memory = append(o.Memory, below[j].Memory...)
			}
			levels = slices.Delete(levels, i, i+1)
		case plain(above):
			for j, o := range below {
				o.Memory = append(above[j].Memory, o.Memory...)
				replace(above[j], o)
			}
			levels = slices.Delete(levels, i-1, i)
		}
		reparent(machine)
	}
	machine.Name = "" // New gave it one
}

// onlyChildren reports whether each object of below is the only child of the
// one of above. PUs cannot take over memory.
func onlyChildren(above, below []*hw.Object) bool {
	if len(above) != len(below) {
		return false
	}
	for j, o := range above {
		if len(o.Children) != 1 || o.Children[0] != below[j] {
			return false
		}
		if below[j].Type == hw.PU && len(o.Memory) > 0 {
			return false
		}
	}
	return true
}

// plain reports whether these are Groups that stand for nothing but their PUs.
func plain(level []*hw.Object) bool {
	return !slices.ContainsFunc(level, func(o *hw.Object) bool {
		return o.Type != hw.Group || o.Subtype != ""
	})
}

// replace puts by in the place of o.
func replace(o, by *hw.Object) {
	list := o.Parent.Children
	list[slices.Index(list, o)] = by
}

func reparent(o *hw.Object) {
	for _, list := range [][]*hw.Object{o.Memory, o.Children} {
		for _, c := range list {
			c.Parent = o
			reparent(c)
		}
	}
}
