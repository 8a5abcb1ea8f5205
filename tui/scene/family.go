package scene

import (
	"strconv"

	"commsplit/engine"
)

// CommRow is a line of the communicators by descent: one, or siblings that one call made.
type CommRow struct {
	Branch string // "│  └─ "
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

// alone is how many siblings of one call have a line each by default.
const alone = 8

// CommRows lists the lines that are unfolded.
func (m *Moment) CommRows(f *Folds) []CommRow {
	w := commWalk{m: m, folds: f, roomy: len(m.View.Snapshot.Comms) <= 200}
	for _, c := range m.kids[-1] {
		w.add([]*engine.CommInfo{c}, "", "", 0)
	}
	return w.rows
}

type commWalk struct {
	m     *Moment
	folds *Folds
	roomy bool // everything is open by default
	rows  []CommRow
}

// family is a row of several communicators, known by the first one and how many they are.
type familyKey struct{ first, n int }

func (w *commWalk) add(comms []*engine.CommInfo, lead, under string, depth int) {
	key := familyKey{comms[0].ID, len(comms)}
	row := CommRow{Branch: lead, Comms: comms, Key: key}
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

// below is what was made from a communicator: siblings of one call together when they are many.
func (w *commWalk) below(c *engine.CommInfo) [][]*engine.CommInfo {
	kids := w.m.kids[c.ID]
	var list [][]*engine.CommInfo
	for lo := 0; lo < len(kids); {
		hi := lo + 1
		for hi < len(kids) && kids[hi].Step == kids[lo].Step && kids[hi].Op == kids[lo].Op {
			hi++
		}
		if hi-lo > alone {
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

// chunks cuts siblings into rows: one each, or several when they are very many.
func chunks(comms []*engine.CommInfo) [][]*engine.CommInfo {
	size := chunkOf(len(comms))
	var list [][]*engine.CommInfo
	for lo := 0; lo < len(comms); lo += size {
		list = append(list, comms[lo:min(lo+size, len(comms))])
	}
	return list
}
