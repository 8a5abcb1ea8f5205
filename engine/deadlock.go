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
		clauses = append(clauses, fmt.Sprintf("%s %s made all %s calls", idlers.Noun(), plural(idlers, "has", "have"), plural(idlers, "its", "their")))
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
	text := fmt.Sprintf("%s %s in %s", v.Ranks.Noun(), verb, v.Call)
	if named {
		text += " on " + commName(v.Comm)
	}
	if where := v.Site(); where != "" {
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
			"Fix: let " + first.Missing.Noun() + " make the call too."
	}
	rule = "All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]."
	if len(waiting) > 1 {
		return rule, "Fix: put the calls of these ranks in one order."
	}
	return rule, fmt.Sprintf("Fix: let %s call %s too.", first.Missing.Noun(), first.Call)
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
