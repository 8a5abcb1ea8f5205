package engine

import (
	"fmt"
	"strings"
)

// diagnose writes the message; the largest set of waiting ranks comes first.
func (w *World) diagnose(waiting []Wait) string {
	var clauses []string
	for i, v := range waiting {
		if i == maxSides {
			clauses = append(clauses, fmt.Sprintf("and %d more calls are blocked", len(waiting)-i))
			break
		}
		clauses = append(clauses, w.clause(v, i == 0, v.Comm != waiting[0].Comm && v.Comm >= 0))
	}
	failed, failures := w.failedCalls(waiting)
	clauses = append(clauses, failures...)
	if idlers := w.idle(waiting, failed); len(idlers) > 0 {
		clauses = append(clauses, fmt.Sprintf("%s %s made all %s calls", idlers.Noun(), plural(idlers, "has", "have"), plural(idlers, "its", "their")))
	}
	rule, fix := w.ruleFor(cause(waiting), waiting)
	if len(failed) > 0 {
		fix = "Fix: correct the call that failed; the others wait for it."
	}
	head := "DEADLOCK"
	if id := waiting[0].Comm; id >= 0 {
		head += " on " + commName(id)
	}
	text := fmt.Sprintf("%s: %s.", head, strings.Join(clauses, "; "))
	return strings.Join(append([]string{text}, nonEmpty(circle(waiting), rule, fix)...), " ")
}

func nonEmpty(list ...string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
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
	c := &w.procs[v.Ranks.First()].current
	if r := c.awaited(); r != nil {
		return text + " for " + r.describe()
	}
	if r := w.procs[v.Ranks.First()].standsBehind(); r != nil {
		text += " behind " + r.build.call.String() + r.place()
	}
	switch h := w.halfOf(&w.procs[v.Ranks.First()]); {
	case h != nil:
		text += " for " + h.describe()
	case c.call.overGroups():
		text += fmt.Sprintf(" of %s with %s", c.invitation().group.braces(), c.point().label())
	}
	return text
}

// place is " (demo.py:7)", where the operation was started, or "" when that is unknown.
func (r *Request) place() string {
	if where := r.site.String(); where != "" {
		return " (" + where + ")"
	}
	return ""
}

// describe is "a message from rank 2 of world with tag 7".
func (r *Request) describe() string {
	on := commName(r.comm.core.info.ID)
	if r.build != nil {
		return "the duplicate of " + on + " that " + r.build.call.String() + " started" + r.place()
	}
	source, tag := "any rank", "any tag"
	if r.source >= 0 {
		source = fmt.Sprintf("rank %d", r.source)
	}
	if r.tag >= 0 {
		tag = fmt.Sprintf("tag %d", r.tag)
	}
	return fmt.Sprintf("a message from %s of %s with %s", source, on, tag)
}

// ruleFor is the sentence of the standard that the first call breaks, and what to do.
func (w *World) ruleFor(first Wait, waiting []Wait) (rule, fix string) {
	c := &w.procs[first.Ranks.First()].current
	switch r := c.awaited(); {
	case r != nil && r.build != nil:
		return "A nonblocking collective call completes only when all processes of the group have made it, in the same order as their other calls [MPI-5.0 §6.12].",
			fmt.Sprintf("Fix: let %s call %s too; a blocking call does not match it.", first.Missing().Noun(), r.build.call)
	case r != nil:
		return "A receive returns only when a matching message was sent on the same communicator [MPI-5.0 §3.5].",
			"Fix: send that message, or check source, tag and communicator."
	case w.halfOf(&w.procs[first.Ranks.First()]) != nil:
		h := w.halfOf(&w.procs[first.Ranks.First()])
		return h.rule(), w.fix(h, waiting)
	case first.Call.overGroups():
		return w.ruleOverGroups(first, waiting)
	case w.isDisconnecting(c.on()):
		return "MPI_Comm_disconnect waits for all communication on the communicator to end [MPI-5.0 §11.10.4].",
			"Fix: complete the requests of " + w.busyOn(c.comm.core).Noun() + " first, or use MPI_Comm_free."
	}
	if rule, fix = w.ruleBehind(first, waiting); rule != "" {
		return rule, fix
	}
	rule = "All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]."
	if disordered(first, waiting) || circle(waiting) != "" {
		return rule, "Fix: put the calls of these ranks in one order."
	}
	return rule, fmt.Sprintf("Fix: let %s call %s too.", first.Missing().Noun(), first.Call)
}

// ruleBehind is the rule that ranks break which stand behind a nonblocking call on the communicator of
// the first wait that others have not made; "" when none do.
func (w *World) ruleBehind(first Wait, waiting []Wait) (rule, fix string) {
	for _, v := range waiting {
		r := w.procs[v.Ranks.First()].standsBehind()
		if r == nil || v.Comm != first.Comm {
			continue
		}
		rule = "All processes must start collective calls on a communicator, nonblocking and blocking ones, in the same order [MPI-5.0 §6.12]."
		if r.build.op == nil {
			return rule, "Fix: put the calls of these ranks in one order."
		}
		return rule, fmt.Sprintf("Fix: let %s call %s before that, too.", RanksOf(r.build.absent(r.comm.core)...).Noun(), r.build.call)
	}
	return "", ""
}

func commName(id int) string {
	switch id {
	case 0:
		return "world"
	case SelfID:
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
