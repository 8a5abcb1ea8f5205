package synthetic

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// complete gives every level its type, adds implied levels, fills in sizes, and
// checks what only the whole shows. It returns the levels of machines.
func (d *description) complete() ([]*level, error) {
	var machines []*level
	err := d.root.each(func(l *level) error {
		if l.typ == hw.Machine && len(l.below) > 0 {
			machines = append(machines, l)
		}
		if l.machine == nil || len(l.below) > 0 {
			return nil
		}
		return d.last(l)
	})
	for _, m := range machines {
		if err == nil {
			err = d.completeMachine(m)
		}
	}
	if err == nil {
		err = d.checkSubtypes()
	}
	return machines, err
}

// checkSubtypes returns an error for Groups that have the name of a level above
// the machines: both would be one resource type.
func (d *description) checkSubtypes() error {
	outer := map[string]bool{}
	return d.root.each(func(l *level) error {
		switch {
		case l.machine == nil:
			outer[strings.ToLower(l.name)] = true
		case l.subtype != "" && l.typ == hw.Group:
			d.subtypes = append(d.subtypes, l.subtype)
			if outer[strings.ToLower(l.subtype)] {
				return d.errorAt(l.at, l.subtype+" is a level above the machines: want another subtype")
			}
		}
		return nil
	})
}

func (d *description) completeMachine(m *level) error {
	for _, l := range m.below {
		if err := d.check(l, path{attached: len(m.nodes) > 0}); err != nil {
			return err
		}
	}
	if err := d.chooseTypes(m); err != nil {
		return err
	}
	isNode := func(l *level) bool { return l.typ == hw.NUMANode }
	if m.machine.attached == 0 && !m.has(isNode) {
		only := &level{
			typ: hw.NUMANode, typed: true, depth: -1, count: 1, width: 1,
			parent: m, machine: m.machine, below: m.below,
		}
		for _, l := range m.below {
			l.parent = only
		}
		m.below = []*level{only}
	}
	groups := 0
	for _, l := range m.below {
		groups = max(groups, l.groups())
	}
	for _, l := range m.below {
		l.setDefaults(groups)
	}
	return nil
}

// has reports whether such holds for l or a level below l.
func (l *level) has(such func(*level) bool) bool {
	return such(l) || slices.ContainsFunc(l.below, func(b *level) bool { return b.has(such) })
}

// last gives an innermost level its type: PUs, or cores with one PU each.
func (d *description) last(l *level) error {
	switch {
	case l.typ == hw.Machine && l.machine.braces == 0:
		return d.errorAt(len(d.text), "missing number of PUs")
	case l.typ == hw.Machine:
		return d.errorAt(l.at, "missing number of PUs of this machine")
	case l.typed && l.typ == hw.Core:
		pu := &level{
			typ: hw.PU, typed: true, depth: -1, at: l.at, countAt: l.countAt, count: 1, width: l.width,
		}
		pu.add(l) // each visits the new level next
		return nil
	case l.typed && l.typ != hw.PU:
		return d.errorAt(l.at, "the last level must be pu (or core, with one PU each)")
	default:
		l.typ = hw.PU
	}
	if d.pus += multiply(l.width, l.machine.width); d.pus > MaxPUs {
		return d.errorAt(l.countAt, fmt.Sprintf("more than %d PUs in all", MaxPUs))
	}
	return nil
}

// path summarizes the levels above a level, from the machine down.
type path struct {
	types    uint32 // a bit for each type that may be there once
	attached bool   // NUMA nodes in brackets
	kind     bool   // a kind of cores
}

func (p path) has(typ hw.Type) bool { return p.types>>typ&1 == 1 }

// onlyOnce reports whether there can be only one level of a type between
// machine and PU.
func onlyOnce(typ hw.Type) bool {
	switch typ {
	case hw.PU, hw.Core, hw.Die, hw.Package, hw.NUMANode:
		return true
	}
	return false
}

// check returns an error for what is there twice on the way from the machine to
// a PU and may be there only once. p is by value: siblings do not see each
// other.
func (d *description) check(l *level, p path) error {
	once := (l.typed || len(l.below) == 0) && onlyOnce(l.typ)
	p.attached = p.attached || len(l.nodes) > 0
	if once && p.has(l.typ) {
		return d.errorAt(l.at, "there are several "+l.typ.String()+" levels")
	}
	if once {
		p.types |= 1 << l.typ
	}
	switch {
	case p.attached && p.has(hw.NUMANode):
		return d.errorAt(l.at, "numa nodes must not be both a level and attached in brackets")
	case l.kind.name == "" && l.kind.rankAt > 0:
		return d.errorAt(l.kind.rankAt, "efficiency= needs a kind=")
	case l.kind.name != "" && p.kind:
		return d.errorAt(l.kind.at, "these cores have a kind from a level above")
	}
	p.kind = p.kind || l.kind.name != ""
	for _, b := range l.below {
		if err := d.check(b, p); err != nil {
			return err
		}
	}
	return nil
}

// simplify removes levels of Groups that became redundant when PUs went, as
// hwloc does: a level of plain Groups with just one child each, or in which
// each Group is the only child of its parent. Groups with a subtype stay.
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
// object at the same index of above. PUs cannot take over memory.
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

// plain reports whether the objects of a level are Groups without a subtype.
func plain(level []*hw.Object) bool {
	return !slices.ContainsFunc(level, func(o *hw.Object) bool {
		return o.Type != hw.Group || o.Subtype != ""
	})
}

// replace puts the object by in the place of o.
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
