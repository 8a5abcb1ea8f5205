package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Status is what Wait found: everybody done, or who waits, or why the program ended.
type Status struct {
	Waiting []Wait   // blocked ranks, by call and communicator
	Failure *Failure // nil when no rank failed
}

// Wait is a set of ranks that wait in the same call on the same communicator, receives for the same
// source and tag.
type Wait struct {
	Ranks   Ranks
	Call    Call
	Comm    int
	Where   []Place
	Missing Ranks // whom they wait for; empty when that cannot be told
}

// Site is where the ranks wait: "demo.py:7", or several places with commas.
func (w Wait) Site() string { return joinPlaces(w.Where) }

// Failure is the end of a program by errors: MPI errors that nobody caught, or other errors that
// ranks returned.
type Failure struct {
	Errors  []*Error // merged over ranks
	Program []error  // other errors, in rank order of By
	By      []int32  // the ranks that returned them
	Waiting []Wait   // ranks that were left waiting
}

// Error is all errors, a line each.
func (f *Failure) Error() string {
	var lines []string
	for _, e := range f.Errors {
		lines = append(lines, e.Error())
	}
	for i, e := range f.Program {
		lines = append(lines, fmt.Sprintf("rank %d: %v", f.By[i], e))
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As and errors.Is the single errors.
func (f *Failure) Unwrap() []error {
	list := slices.Clone(f.Program)
	for _, e := range f.Errors {
		list = append(list, e)
	}
	return list
}

func (w *World) status() Status {
	if e := w.clashingGroups(); e != nil && len(w.failed)+len(w.program) == 0 {
		w.failed = append(w.failed, e)
	}
	st := Status{Waiting: w.waits()}
	if len(w.failed)+len(w.program) > 0 {
		st.Failure = &Failure{mergeErrors(w.failed), w.program, w.failedBy, st.Waiting}
	}
	return st
}

// waits lists who is blocked, in order of the lowest rank.
func (w *World) waits() []Wait {
	type key struct {
		call   Call
		core   *core
		number int   // of MPI_Comm_create_group: different calls may be under way
		source int32 // of a receive, as its tag: what the rank waits for
		tag    int32
	}
	who := map[key][]int32{}
	var order []key
	for i := range w.procs {
		p := &w.procs[i]
		c := &p.current
		if p.state != blocked || c.call == CallNone {
			continue
		}
		k := key{call: c.call, core: c.comm.core}
		switch c.call {
		case CallCreateGroup:
			k.number = k.core.groupCall(c.x.(*Group), c.a)
		case CallRecv, CallProbe, CallWait:
			k.source, k.tag = c.a, c.b
		}
		if who[k] == nil {
			order = append(order, k)
		}
		who[k] = append(who[k], p.rank)
	}
	list := make([]Wait, 0, len(order))
	for _, k := range order {
		list = append(list, Wait{RanksOf(who[k]...), k.call, k.core.info.ID, w.places(who[k]), w.missing(who[k])})
	}
	return list
}

// missing tells whom ranks wait for that wait in one call.
func (w *World) missing(waiting []int32) Ranks {
	c := &w.procs[waiting[0]].current
	wanted := c.comm.core.group.members
	switch c.call {
	case CallCreateGroup:
		wanted = c.x.(*Group).members
	case CallRecv, CallProbe, CallWait:
		if r := c.x.(*Request); r.source >= 0 {
			wanted = []int32{wanted[r.source]}
		}
	}
	in := make(map[int32]bool, len(waiting))
	for _, r := range waiting {
		in[r] = true
	}
	var rest []int32
	for _, m := range wanted {
		if !in[m] {
			rest = append(rest, m)
		}
	}
	return RanksOf(rest...)
}
