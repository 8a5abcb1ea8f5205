package engine

import (
	"cmp"
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
	Waiting []Wait
	Message string // the whole diagnosis: who waits where, who is missing, the rule and a fix
}

// Error is the diagnosis.
func (d *Deadlock) Error() string { return d.Message }

// Deadlock diagnoses a world in which ranks wait and nobody can go on.
func (w *World) Deadlock() *Deadlock {
	waiting := w.waits()
	if len(waiting) == 0 {
		return nil
	}
	slices.SortStableFunc(waiting, func(a, b Wait) int { return cmp.Compare(b.Ranks.Len(), a.Ranks.Len()) })
	return &Deadlock{Waiting: waiting, Message: w.diagnose(waiting)}
}

// diagnose writes the message; the largest set of waiting ranks comes first.
func (w *World) diagnose(waiting []Wait) string {
	var clauses []string
	for i, v := range waiting {
		if i == maxSides {
			clauses = append(clauses, fmt.Sprintf("and %d more calls are blocked", len(waiting)-i))
			break
		}
		clauses = append(clauses, w.clause(v, i == 0, v.Comm != waiting[0].Comm))
	}
	if idlers := w.idle(waiting); len(idlers) > 0 {
		clauses = append(clauses, fmt.Sprintf("%s %s made all %s calls", idlers.noun(), plural(idlers, "has", "have"), plural(idlers, "its", "their")))
	}
	rule, fix := w.ruleFor(waiting)
	return fmt.Sprintf("DEADLOCK on %s: %s. %s %s", commName(waiting[0].Comm), strings.Join(clauses, "; "), rule, fix)
}

// clause is "ranks 1-3 wait in MPI_Comm_split (demo.py:7)", with "on world" when the communicator is
// not the one that the message began with.
func (w *World) clause(v Wait, first, named bool) string {
	verb := plural(v.Ranks, "is", "are")
	if first {
		verb = plural(v.Ranks, "waits", "wait")
	}
	text := fmt.Sprintf("%s %s in %s", v.Ranks.noun(), verb, v.Call)
	if named {
		text += " on " + commName(v.Comm)
	}
	if where := joinPlaces(v.Where); where != "" {
		text += " (" + where + ")"
	}
	if c := &w.procs[v.Ranks.First()].current; c.call == CallRecv || c.call == CallProbe || c.call == CallWait {
		text += " for " + wanted(c.x.(*Request))
	}
	return text
}

// wanted is "a message from rank 2 with tag 7".
func wanted(r *Request) string {
	source, tag := "any rank", "any tag"
	if r.source >= 0 {
		source = fmt.Sprintf("rank %d", r.source)
	}
	if r.tag >= 0 {
		tag = fmt.Sprintf("tag %d", r.tag)
	}
	return fmt.Sprintf("a message from %s of %s with %s", source, commName(r.comm.core.info.ID), tag)
}

// idle lists the ranks that somebody waits for and that have nothing left to do.
func (w *World) idle(waiting []Wait) Ranks {
	var list []int32
	for _, v := range waiting {
		for m := range v.Missing.All {
			if w.procs[m].state == idle || w.procs[m].state == gone {
				list = append(list, int32(m))
			}
		}
	}
	return RanksOf(list...)
}

// ruleFor is the sentence of the standard that the first call breaks, and what to do.
func (w *World) ruleFor(waiting []Wait) (rule, fix string) {
	first := waiting[0]
	switch {
	case first.Call >= CallSend:
		return "A receive returns only when a matching message was sent on the same communicator [MPI-5.0 §3.5].",
			"Fix: send that message, or check source, tag and communicator."
	case first.Call == CallCreateGroup:
		return "All processes of the group must call MPI_Comm_create_group with the same group and tag [MPI-5.0 §7.4.2].",
			"Fix: let " + first.Missing.noun() + " make the call too."
	}
	rule = "All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]."
	if len(waiting) > 1 {
		return rule, "Fix: put the calls of these ranks in one order."
	}
	return rule, fmt.Sprintf("Fix: let %s call %s too.", first.Missing.noun(), first.Call)
}

func commName(id int) string {
	switch id {
	case 0:
		return "world"
	case selfID:
		return "self"
	}
	return fmt.Sprintf("communicator %d", id)
}

func plural(r Ranks, one, many string) string {
	if r.Len() == 1 {
		return one
	}
	return many
}
