package confirm

import (
	"slices"

	"commsplit/engine"
	"commsplit/engine/deviation"
)

// Report is what came of a confirmation.
type Report struct {
	Library  Library
	Ranks    int
	Calls    int // that make communicators, and were compared
	Handles  int // variables, likewise
	Errors   int // erroneous calls that the library finds, with the same class
	Findings []Finding
	Gaps     []Gap
	Deadlock *engine.Deadlock // the engine's diagnosis where the library hangs, too
}

// Kind says what a finding is.
type Kind uint8

// The kinds of findings, worst last.
const (
	Free  Kind = iota // the standard leaves it to the library
	Known             // a known deviation explains it
	Different
)

// String is the kind as documents have it.
func (k Kind) String() string { return [...]string{"free", "known", "difference"}[k] }

// Finding is one thing that is not the same.
type Finding struct {
	Kind     Kind
	Handle   string // the variable, "" for a call
	Ranks    engine.Ranks
	Step     int // of the trace; 0 when it is about no one call
	Call     engine.Call
	Where    string // "demo.py:7", "" when unknown
	Expected string
	Found    string
	Why      []deviation.Note // what explains it
	Rule     string           // why a library is free; "" for other kinds
}

// Gap is something that was not compared.
type Gap struct {
	What []string // variables or calls
	Why  string
}

// Verdict is the worst finding in a word: "equal", "known deviation", "difference", or "nothing compared".
func (r *Report) Verdict() string {
	worst := Free
	for _, f := range r.Findings {
		worst = max(worst, f.Kind)
	}
	switch {
	case worst == Different:
		return "difference"
	case worst == Known:
		return "known deviation"
	case r.Calls == 0 && r.Handles == 0 && r.Errors == 0 && r.Deadlock == nil && len(r.Findings) == 0:
		return "nothing compared"
	}
	return "equal"
}

// gap notes that something was not compared.
func (r *Report) gap(what, why string) {
	for i := range r.Gaps {
		if g := &r.Gaps[i]; g.Why == why {
			if !slices.Contains(g.What, what) {
				g.What = append(g.What, what)
			}
			return
		}
	}
	r.Gaps = append(r.Gaps, Gap{[]string{what}, why})
}
