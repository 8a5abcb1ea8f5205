package scene

import (
	"strconv"

	"commsplit/engine"
)

// Fold is whether a row stands for rows below it.
type Fold uint8

// The states of a row.
const (
	Bare   Fold = iota // nothing is below
	Open               // the rows below follow
	Closed             // it stands for the rows below
)

// Folds remembers which rows a person opened and closed. A row has a key: an object, a chunk of
// siblings. The zero value has everything as it is by default.
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

// open is the present state of a row that is open by default or not.
func (f *Folds) open(key any, byDefault bool) bool { return byDefault != f.changed[key] }

// mostSiblings is how many siblings have rows of their own; more are shown in chunks.
const mostSiblings = 32

// chunkOf is how many of n siblings one row stands for: a power of ten.
func chunkOf(n int) int {
	size := 1
	for n > size*mostSiblings {
		size *= 10
	}
	return size
}

// IsOpen reports whether a row that is closed by default was opened.
func (f *Folds) IsOpen(key any) bool { return f.open(key, false) }

// CommRow is a line of the communicators by descent: a communicator, or siblings that the same call made.
type CommRow struct {
	Branch string // "│  └─ "
	Under  string // before further lines of the row: "│     "
	Comms  []*engine.CommInfo
	Fold   Fold
	Key    any
}

// Name is "half#2", or "half#2-65" of several.
func (m *Moment) RowName(r *CommRow) string {
	name := m.Name(r.Comms[0].ID)
	if n := len(r.Comms); n > 1 {
		name += "-" + strconv.Itoa(r.Comms[n-1].ID)
	}
	return name
}

// alone is how many siblings of one call have a line each by default, where there is no more room.
const alone = 8

// CommRows lists the lines that are unfolded. Siblings of one call have a line each by default when they take
// at most two thirds of so many lines.
func (m *Moment) CommRows(f *Folds, room int) []CommRow {
	w := commWalk{m: m, folds: f, roomy: len(m.View.Snapshot.Comms) <= 200}
	w.alone = min(max(alone, room*2/3), mostSiblings)
	for _, c := range m.kids[-1] {
		w.add([]*engine.CommInfo{c}, "", "", 0)
	}
	return w.rows
}

type commWalk struct {
	m     *Moment
	folds *Folds
	roomy bool // everything is open by default
	alone int  // how many siblings have a line each
	rows  []CommRow
}

// family is a row of several communicators, known by the first of them and their number.
type familyKey struct{ first, n int }

func (w *commWalk) add(comms []*engine.CommInfo, lead, under string, depth int) {
	key := familyKey{comms[0].ID, len(comms)}
	row := CommRow{Branch: lead, Under: under, Comms: comms, Key: key}
	var kids [][]*engine.CommInfo
	if len(comms) > 1 {
		kids = chunks(comms)
	} else {
		kids = w.below(comms[0])
	}
	at := len(w.rows)
	w.rows = append(w.rows, row)
	if len(kids) == 0 {
		return
	}
	byDefault := w.roomy && len(comms) == 1 || depth == 0
	if !w.folds.open(key, byDefault) {
		w.rows[at].Fold = Closed
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

// below lists the communicators that were made from a communicator; many siblings of a call are together.
func (w *commWalk) below(c *engine.CommInfo) [][]*engine.CommInfo {
	kids := w.m.kids[c.ID]
	var list [][]*engine.CommInfo
	for lo := 0; lo < len(kids); {
		hi := lo + 1
		for hi < len(kids) && kids[hi].Step == kids[lo].Step && kids[hi].Op == kids[lo].Op {
			hi++
		}
		if hi-lo > w.alone {
			list = append(list, kids[lo:hi])
		} else {
			for i := lo; i < hi; i++ {
				list = append(list, kids[i:i+1])
			}
		}
		lo = hi
	}
	return list
}

// chunks cuts siblings into rows: a row for each, or for several of them when they are very many.
func chunks(comms []*engine.CommInfo) [][]*engine.CommInfo {
	size := chunkOf(len(comms))
	var list [][]*engine.CommInfo
	for lo := 0; lo < len(comms); lo += size {
		list = append(list, comms[lo:min(lo+size, len(comms))])
	}
	return list
}
