package engine

import (
	"fmt"
	"strings"
)

// diagnosis is one deadlock while it is put into words.
type diagnosis struct {
	w       *World
	waiting []Wait              // calls in which most ranks wait first
	name    func(id int) string // what the program calls a communicator
}

// knot writes the diagnosis.
func (d *diagnosis) knot() Knot {
	clauses := d.clauses()
	failed, failures := d.w.failedCalls(d.waiting)
	clauses = append(clauses, failures...)
	if idlers := d.w.idle(d.waiting, failed); len(idlers) > 0 {
		clauses = append(clauses, fmt.Sprintf("%s %s made all %s calls", idlers.Noun(), plural(idlers, "has", "have"), plural(idlers, "its", "their")))
	}
	rule, fix := d.remedy(d.cause())
	if len(failed) > 0 {
		fix = "correct the call that failed; the others wait for it."
	}
	k := Knot{Comm: d.waiting[0].Comm, Rule: rule, Fix: fix}
	var who []int
	for _, v := range d.waiting {
		who = append(who, v.Ranks.Slice()...)
	}
	k.Ranks = RanksOf(who...)
	head := "DEADLOCK"
	if k.Comm >= 0 {
		head += " on " + d.name(k.Comm)
	}
	text := fmt.Sprintf("%s: %s.", head, strings.Join(clauses, "; "))
	k.Message = strings.Join(nonEmpty(text, circle(d.waiting), rule, "Fix: "+fix), " ")
	return k
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

// clauses tell who waits where. Ranks that wait in one call at several places are told together.
func (d *diagnosis) clauses() []string {
	var list []string
	for i := 0; i < len(d.waiting); {
		if len(list) == maxSides {
			return append(list, fmt.Sprintf("and %d more calls are blocked", len(d.waiting)-i))
		}
		v := d.waiting[i]
		text := d.clause(v, i == 0, v.Comm != d.waiting[0].Comm && v.Comm >= 0)
		for i++; i < len(d.waiting) && d.waiting[i].sharesCall(v); i++ {
			text += fmt.Sprintf(", %s at %s", d.waiting[i].Ranks.Noun(), d.waiting[i].Site())
		}
		list = append(list, text)
	}
	return list
}

// sharesCall reports whether the ranks of two waits wait in the very same call.
func (w Wait) sharesCall(o Wait) bool {
	return len(w.with) > 0 && len(o.with) > 0 && &w.with[0] == &o.with[0]
}

// clause is "ranks 1-3 wait in MPI_Comm_split (demo.py:7)", with "on world" when the communicator is
// not the one that the message began with.
func (d *diagnosis) clause(v Wait, first, named bool) string {
	verb := plural(v.Ranks, "is", "are")
	if first {
		verb = plural(v.Ranks, "waits", "wait")
	}
	text := fmt.Sprintf("%s %s in %s", v.Ranks.Noun(), verb, v.Call)
	if named {
		text += " on " + d.name(v.Comm)
	}
	if where := v.Site(); where != "" {
		text += " (" + where + ")"
	}
	p := d.first(v)
	c := &p.current
	if r := c.awaited(); r != nil {
		return text + " for " + d.request(r)
	}
	if r := p.standsBehind(); r != nil {
		text += " behind " + r.build.call.String() + r.place()
	}
	switch h := d.w.halfOf(p); {
	case h != nil:
		text += " for " + d.half(h)
	case c.call.overGroups():
		text += fmt.Sprintf(" of %s with %s", c.invitation().group.braces(), c.point().label())
	}
	return text
}

// first is the lowest rank that waits there, which stands for all.
func (d *diagnosis) first(v Wait) *Process { return &d.w.procs[v.Ranks.First()] }

// place is " (demo.py:7)", where the operation was started, or "" when that is unknown.
func (r *Request) place() string {
	if where := r.site.String(); where != "" {
		return " (" + where + ")"
	}
	return ""
}

// request is "a message from rank 2 of world with tag 7".
func (d *diagnosis) request(r *Request) string {
	on := d.name(r.comm.core.info.ID)
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

// half is "remote leader 3 of world with tag 7".
func (d *diagnosis) half(h *half) string {
	if h.peer == nil {
		return fmt.Sprintf("remote leader %d of %s", h.remoteRank, h.group.braces())
	}
	return fmt.Sprintf("remote leader %d of %s with tag %d", h.remoteRank, d.name(h.peer.info.ID), h.tag)
}

// passes says which communicators ranks act on: "ranks 0-2 pass world, rank 3 d".
func (d *diagnosis) passes(a, b Wait) string {
	return fmt.Sprintf("%s %s %s, %s %s", a.Ranks.Noun(), plural(a.Ranks, "passes", "pass"), d.name(a.Comm), b.Ranks.Noun(), d.name(b.Comm))
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
