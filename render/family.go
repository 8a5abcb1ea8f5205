package render

import (
	"commsplit/engine"
	"commsplit/engine/reason"
)

// family is the communicators by their parents.
type family struct {
	view     *View
	names    naming
	freed    map[int]bool
	stale    map[int]*reason.Stale
	children map[int][]*engine.CommInfo
	alone    int // how many siblings of one call have a line each
	lines    []kin
}

// kin is one line: a communicator, or several siblings.
type kin struct {
	branch string
	comms  []*engine.CommInfo
}

func newFamily(v *View, alone int) *family {
	f := &family{view: v, names: newNaming(v), freed: v.Snapshot.Freed(), stale: reason.StaleComms(v.Snapshot), alone: alone}
	f.children = map[int][]*engine.CommInfo{}
	for _, c := range v.Snapshot.Comms {
		f.children[c.Parent] = append(f.children[c.Parent], c)
	}
	return f
}

// roots is what has no parent, in the lines that it gets: MPI_COMM_WORLD, then what was made from
// groups alone. Each of these has a call of its own; where there is no room, those of one line of the
// program share a line.
func (f *family) roots() [][]*engine.CommInfo {
	all := f.children[-1]
	return append([][]*engine.CommInfo{all[:1]}, f.lined(all[1:], f.alone == 1)...)
}

// add adds the line of some siblings and everything made from them. lead stands before the line,
// under before the lines below it.
func (f *family) add(comms []*engine.CommInfo, lead, under string) {
	f.lines = append(f.lines, kin{lead, comms})
	below := f.below(comms)
	for i, kids := range below {
		if i == len(below)-1 {
			f.add(kids, under+"└─ ", under+"   ")
		} else {
			f.add(kids, under+"├─ ", under+"│  ")
		}
	}
}

// below is what was made from some communicators, in the lines that it gets.
func (f *family) below(comms []*engine.CommInfo) [][]*engine.CommInfo {
	var kids []*engine.CommInfo
	for _, parent := range comms {
		kids = append(kids, f.children[parent.ID]...)
	}
	return f.lined(kids, len(comms) > 1)
}

// lined puts communicators that one call made into one line when they are many; together makes one
// call of those on several parents.
func (f *family) lined(comms []*engine.CommInfo, together bool) [][]*engine.CommInfo {
	type origin struct {
		op    engine.Call
		where string
		step  int // 0 when the calls on several parents count as one
	}
	var order []origin
	byOrigin := map[origin][]*engine.CommInfo{}
	for _, c := range comms {
		o := origin{c.Op, c.Where, c.Step}
		if together {
			o.step = 0
		}
		if byOrigin[o] == nil {
			order = append(order, o)
		}
		byOrigin[o] = append(byOrigin[o], c)
	}
	var lines [][]*engine.CommInfo
	for _, o := range order {
		list := byOrigin[o]
		if len(list) > f.alone || together {
			lines = append(lines, list)
			continue
		}
		for i := range list {
			lines = append(lines, list[i:i+1])
		}
	}
	return lines
}
