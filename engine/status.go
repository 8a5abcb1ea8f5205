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

// Wait is a set of ranks that wait at one place of the program in the same call on the same communicator,
// receives for the same source and tag.
type Wait struct {
	Ranks  Ranks
	Call   Call
	Comm   int     // -1 for none
	Where  []Place // at most one
	wanted Ranks   // the processes that the call needs, those that wait in it among them
	with   Ranks   // who waits in this very call, those at other places too

	mutual   bool // those that wait are waited for, too, by each other or by themselves
	together bool // the call is one that all processes of the communicator make, or waits for such a one
}

// Missing is whom the ranks wait for; empty when each waits for itself alone.
func (w Wait) Missing() Ranks {
	if w.mutual {
		return w.wanted
	}
	return w.wanted.minus(w.with)
}

// Site is where the ranks wait: "demo.py:7".
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
		st.Failure = &Failure{MergeErrors(w.failed), w.program, w.failedBy, st.Waiting}
	}
	return st
}
