package scene

import (
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render/lanes"
)

// Fold is whether a row has rows below it, and whether they show.
type Fold uint8

// The states of a row.
const (
	Bare   Fold = iota // the row has no rows below
	Open               // the rows below follow
	Closed             // the row stands for the rows below
)

// Folds remembers which rows a person opened and closed, by the key of a row: an object, or a chunk of siblings.
// With the zero value, every row is in its default state.
type Folds struct{ changed map[any]bool }

// Toggle opens a row that is closed by default, and closes a row that is open by default; called again, it
// restores the default.
func (f *Folds) Toggle(key any) {
	if f.changed == nil {
		f.changed = map[any]bool{}
	}
	if f.changed[key] = !f.changed[key]; !f.changed[key] {
		delete(f.changed, key)
	}
}

// open reports whether a row is open; byDefault is its default state.
func (f *Folds) open(key any, byDefault bool) bool { return byDefault != f.changed[key] }

// IsOpen reports whether a row that is closed by default was opened.
func (f *Folds) IsOpen(key any) bool { return f.open(key, false) }

// CommRow is a line of the communicators by lineage: a communicator, or siblings that the same call made.
type CommRow struct {
	Branch string // "│  └─ "
	Under  string // before further lines of the row: "│     "
	Comms  []*engine.CommInfo
	Fold   Fold
	Key    any

	Gathered bool // closed, and rows follow with what was made from all its communicators
}

// RowName returns "half#2", or "half#2-65" for several communicators.
func (m *Moment) RowName(r *CommRow) string {
	name := m.Name(r.Comms[0].ID)
	if n := len(r.Comms); n > 1 {
		name += "-" + strconv.Itoa(r.Comms[n-1].ID)
	}
	return name
}

// CommRows returns the lines that are unfolded. By default, siblings of a call have a line each when they take at
// most two thirds of room lines.
func (m *Moment) CommRows(f *Folds, room int) []CommRow {
	w := commWalk{m: m, folds: f, roomy: lanes.Roomy(len(m.View.Snapshot.Comms)), alone: lanes.MostAlone(room)}
	for _, c := range m.kids[-1] {
		w.add([]*engine.CommInfo{c}, "", "", 0)
	}
	return w.rows
}

type commWalk struct {
	m     *Moment
	folds *Folds
	roomy bool // everything is open by default
	alone int  // the most siblings with a line each
	rows  []CommRow
}

// familyKey identifies a row of communicators: the id of the first, and their number.
type familyKey struct{ first, n int }

func (w *commWalk) add(comms []*engine.CommInfo, lead, under string, depth int) {
	key := familyKey{comms[0].ID, len(comms)}
	row := CommRow{Branch: lead, Under: under, Comms: comms, Key: key}
	var kids [][]*engine.CommInfo
	if len(comms) > 1 {
		kids = lanes.Chunks(comms)
	} else {
		kids = lanes.Families(w.m.kids[comms[0].ID], w.alone)
	}
	at := len(w.rows)
	w.rows = append(w.rows, row)
	if len(kids) == 0 {
		return
	}
	byDefault := w.roomy && len(comms) == 1 || depth == 0
	if !w.folds.open(key, byDefault) {
		w.rows[at].Fold = Closed
		if len(comms) > 1 {
			w.gather(at, comms, under, depth)
		}
		return
	}
	w.rows[at].Fold = Open
	for i, k := range kids {
		if i == len(kids)-1 {
			w.add(k, under+"└─ ", under+"   ", depth+1)
		} else {
			w.add(k, under+"├─ ", under+"│  ", depth+1)
		}
	}
}

// gather adds rows below a closed row of several communicators: for each line that made communicators from them, one row
// with all of these.
func (w *commWalk) gather(at int, comms []*engine.CommInfo, under string, depth int) {
	var list [][]*engine.CommInfo
	for _, c := range comms {
		for _, k := range w.m.kids[c.ID] {
			i := slices.IndexFunc(list, func(o []*engine.CommInfo) bool { return o[0].Op == k.Op && o[0].Where == k.Where })
			if i < 0 {
				i, list = len(list), append(list, nil)
			}
			list[i] = append(list[i], k)
		}
	}
	if w.rows[at].Gathered = len(list) > 0; len(list) > mostGathered {
		list = list[len(list)-mostGathered:]
	}
	for i, k := range list {
		if i == len(list)-1 {
			w.add(k, under+"└─ ", under+"   ", depth+1)
		} else {
			w.add(k, under+"├─ ", under+"│  ", depth+1)
		}
	}
}

// mostGathered is the most rows below a closed row: of the last lines.
const mostGathered = 4
