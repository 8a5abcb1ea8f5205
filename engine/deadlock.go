package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// locateCalls makes blocked ranks that do not know their line look it up.
func (w *World) locateCalls() {
	w.locate = true
	for i := range w.procs {
		if p := &w.procs[i]; p.state == blocked && p.site == (Site{}) {
			w.release(p.rank)
		}
	}
	if w.resume() {
		<-w.quiet
	}
	w.locate = false
}

// Deadlock is the error of a world in which ranks wait and nobody can go on.
type Deadlock struct {
	Waiting []Wait // calls in which most ranks wait first
	Knots   []Knot // deadlocks that have nothing to do with each other, at least one
	Message string // the whole diagnosis, a line for each knot: who waits where, who is missing, the rule and a fix
	Calls   []Step // what they wait in, as steps that have not ended, in the order of Waiting
	Told    bool   // whether Calls has all that was passed
}

// Knot is one deadlock: its ranks have no rank that they wait for in common with those of another knot.
type Knot struct {
	Ranks   Ranks  // who waits
	Comm    int    // the communicator of the call in which most of them wait, -1 for none
	Message string // the diagnosis, which ends with the rule and the fix
	Rule    string // what they break, with its section
	Fix     string // what to do
}

// mostKnots bounds how many independent deadlocks one message spells out.
const mostKnots = 4

// Error is the diagnosis.
func (d *Deadlock) Error() string { return d.Message }

// Deadlock diagnoses a world in which ranks wait and nobody can go on; nil when none waits. name is what
// the program calls a communicator, by id; nil where nobody knows.
func (w *World) Deadlock(name func(id int) string) *Deadlock {
	waiting := w.waits()
	if len(waiting) == 0 {
		return nil
	}
	if name == nil {
		name = commName
	}
	slices.SortStableFunc(waiting, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(b.with.Len(), a.with.Len()), cmp.Compare(a.with.First(), b.with.First()),
			cmp.Compare(b.Ranks.Len(), a.Ranks.Len()))
	})
	d := &Deadlock{Waiting: waiting}
	d.Calls, d.Told = w.blockedCalls(waiting)
	var lines []string
	for i, tied := range knots(waiting) {
		k := (&diagnosis{w, tied, name}).knot()
		d.Knots = append(d.Knots, k)
		if i < mostKnots {
			lines = append(lines, k.Message)
		}
	}
	if n := len(d.Knots) - mostKnots; n > 0 {
		lines = append(lines, fmt.Sprintf("And %d more deadlocks, apart from these.", n))
	}
	d.Message = strings.Join(lines, "\n")
	return d
}

// knots parts waits that have nothing to do with each other, and keeps their order. Waits hang together
// when one needs ranks of the other, or when both need the same ranks. Many share the set that they need:
// each is looked at once.
func knots(waiting []Wait) [][]Wait {
	parent := make([]int, len(waiting))
	knownBy := map[int32]int{} // by rank, a wait of it or for it
	for i, v := range waiting {
		parent[i] = i
		for r := range v.Ranks.All {
			knownBy[int32(r)] = i
		}
	}
	var root func(i int) int
	root = func(i int) int {
		if parent[i] != i {
			parent[i] = root(parent[i])
		}
		return parent[i]
	}
	tie := func(i, j int) {
		i, j = root(i), root(j)
		parent[max(i, j)] = min(i, j)
	}
	firstOf := map[*Range]int{}
	for i, v := range waiting {
		if len(v.wanted) == 0 {
			continue
		}
		if first, seen := firstOf[&v.wanted[0]]; seen {
			tie(first, i)
			continue
		}
		firstOf[&v.wanted[0]] = i
		for r := range v.wanted.All {
			if j, known := knownBy[int32(r)]; known {
				tie(i, j)
			} else {
				knownBy[int32(r)] = i
			}
		}
	}
	at := map[int]int{}
	var list [][]Wait
	for i, v := range waiting {
		k, seen := at[root(i)]
		if !seen {
			k = len(list)
			at[root(i)] = k
			list = append(list, nil)
		}
		list[k] = append(list[k], v)
	}
	return list
}
