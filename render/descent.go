package render

import (
	"math"

	"codeberg.org/commsplit/commsplit/engine"
)

// Descent is the communicators of a snapshot by lineage: which communicator was made from which. All pictures and
// tables of lineage show rows of it.
type Descent struct {
	kids map[int][]*engine.CommInfo // by parent; -1: those that were made without one
	size int                        // of the world, in communicators
}

// DescentOf returns the lineage of the communicators of a snapshot.
func DescentOf(s *engine.Snapshot) *Descent {
	d := &Descent{kids: map[int][]*engine.CommInfo{}, size: len(s.Comms)}
	for _, c := range s.Comms {
		d.kids[c.Parent] = append(d.kids[c.Parent], c)
	}
	return d
}

// Fold tells whether a row has rows below it, and whether these show.
type Fold uint8

// The states of a row.
const (
	Bare   Fold = iota // the row has no rows below
	Open               // the rows below follow
	Closed             // the row stands for the rows below
)

// Sign returns the sign before a row that can be folded, of two columns.
func (f Fold) Sign() string { return [...]string{"  ", "▾ ", "▸ "}[f] }

// Kin is a row of lineage: a communicator, or siblings that a single call made.
type Kin struct {
	Comms    []*engine.CommInfo
	Above    int    // index of the row of what they were made from; -1 for none
	Depth    int    // how many rows are above
	Branch   string // before the row: "│  └─ "
	Under    string // before further lines of the row: "│     "
	Fold     Fold
	Gathered bool // closed, and rows follow with what was made from all its communicators
}

// KinKey identifies a row in each lineage of a session: by the id of its first communicator, and how many it has.
type KinKey struct{ First, N int }

// Key identifies the row; it is the zero key of a row without communicators.
func (k *Kin) Key() KinKey {
	if len(k.Comms) == 0 {
		return KinKey{}
	}
	return KinKey{k.Comms[0].ID, len(k.Comms)}
}

// Unfolding tells which rows a lineage has.
type Unfolding struct {
	Alone  int                               // the most siblings of a call with a row each; more share a row
	Open   func(k *Kin, byDefault bool) bool // whether the rows below a row show; nil: by default
	Gather int                               // the most rows below a closed row of several communicators
	Every  bool                              // there are rows below closed rows, too
}

// The rows of a lineage that a person unfolds: the most siblings of a call that always have a row each, even with little
// room, the most that may have where there is room, and the most rows below a closed row of siblings.
const (
	leastAlone   = 8
	mostSiblings = 32
	mostGathered = 4
)

// InRoom returns what unfolds by default where there is room for so many lines: siblings of a call have a row each when
// they take at most two thirds of the lines.
func InRoom(lines int) Unfolding {
	return Unfolding{Alone: min(max(leastAlone, lines*2/3), mostSiblings), Gather: mostGathered}
}

// Fit returns the rows of all communicators, with the first of some numbers of siblings that may have a row each in which
// there are at most so many rows.
func (d *Descent) Fit(most int, alone ...int) (rows []Kin) {
	for _, n := range alone {
		whole := func(k *Kin, _ bool) bool { return len(k.Comms) == 1 }
		if rows = d.Rows(Unfolding{Alone: n, Open: whole, Gather: math.MaxInt}); len(rows) <= most {
			break
		}
	}
	return rows
}

// roomy is the most communicators of a world whose lineage is open by default.
const roomy = 200

// Rows returns rows of the lineage, in the order of the tree.
func (d *Descent) Rows(u Unfolding) []Kin {
	w := unfolding{d, u, nil}
	for _, comms := range grouped(d.kids[-1], u.Alone, !u.Every) { // those of a line of the program may be of several steps
		w.add(comms, -1, "", "")
	}
	return w.rows
}

type unfolding struct {
	*Descent
	Unfolding
	rows []Kin
}

func (w *unfolding) add(comms []*engine.CommInfo, above int, branch, under string) {
	at, several := len(w.rows), len(comms) > 1
	k := Kin{Comms: comms, Above: above, Branch: branch, Under: under}
	if above >= 0 {
		k.Depth = w.rows[above].Depth + 1
	}
	var below [][]*engine.CommInfo
	if several {
		below = chunks(comms)
	} else {
		below = grouped(w.kids[comms[0].ID], w.Alone, false)
	}
	if len(below) > 0 {
		open := !several && (w.size <= roomy || k.Depth == 0)
		if w.Open != nil {
			open = w.Open(&k, open)
		}
		if k.Fold = Open; !open {
			k.Fold = Closed
		}
		if !open && !w.Every {
			below = nil
			if several {
				below = w.gathered(comms)
				k.Gathered = len(below) > 0
			}
		}
	}
	w.rows = append(w.rows, k)
	for i, kids := range below {
		if i == len(below)-1 {
			w.add(kids, at, under+"└─ ", under+"   ")
		} else {
			w.add(kids, at, under+"├─ ", under+"│  ")
		}
	}
}

// gathered returns the communicators made from several others, those of one line of the program together.
func (w *unfolding) gathered(comms []*engine.CommInfo) [][]*engine.CommInfo {
	var kids []*engine.CommInfo
	for _, c := range comms {
		kids = append(kids, w.kids[c.ID]...)
	}
	list := grouped(kids, 0, true)
	return list[max(len(list)-w.Gather, 0):]
}

// origin is what siblings have in common: the call that made them, or the line of the program where it stands.
type origin struct {
	op    engine.Call
	where string
	step  int
}

func originOf(c *engine.CommInfo, bySite bool) origin {
	switch {
	case c.ID == 0:
		return origin{step: -1} // MPI_COMM_WORLD has no siblings
	case bySite:
		return origin{c.Op, c.Where, 0}
	}
	return origin{c.Op, c.Where, c.Step}
}

// grouped groups communicators that were made from the same ones: those that a single call made are together when they
// are more than may be alone. With bySite, calls at the same line of the program count as one call.
func grouped(comms []*engine.CommInfo, alone int, bySite bool) [][]*engine.CommInfo {
	var runs [][]*engine.CommInfo // siblings are neighbors, but for those of several calls
	count := map[origin]int{}
	for lo := 0; lo < len(comms); {
		hi, of := lo+1, originOf(comms[lo], bySite)
		for hi < len(comms) && originOf(comms[hi], bySite) == of {
			hi++
		}
		runs, lo = append(runs, comms[lo:hi:hi]), hi
		count[of] += len(runs[len(runs)-1])
	}
	at := map[origin]int{}
	var list [][]*engine.CommInfo
	for _, run := range runs {
		of := originOf(run[0], bySite)
		k, known := at[of]
		switch {
		case count[of] <= alone:
			for i := range run {
				list = append(list, run[i:i+1])
			}
		case known:
			list[k] = append(list[k], run...)
		default:
			at[of] = len(list)
			list = append(list, run)
		}
	}
	return list
}

// chunks divides siblings that share a row: a row for each, or for a power of ten of them when there are very many.
func chunks(comms []*engine.CommInfo) [][]*engine.CommInfo {
	size := 1
	for len(comms) > size*mostSiblings {
		size *= 10
	}
	var list [][]*engine.CommInfo
	for lo := 0; lo < len(comms); lo += size {
		list = append(list, comms[lo:min(lo+size, len(comms))])
	}
	return list
}
