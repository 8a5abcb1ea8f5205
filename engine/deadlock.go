package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// locateCalls makes ranks that wait in calls and do not know their line look the line up.
func (w *World) locateCalls() {
	w.locate = true
	w.order(func() {
		for i := range w.procs {
			if p := &w.procs[i]; p.state == blocked && p.site == (Site{}) {
				w.release(p.rank)
			}
		}
	})
	<-w.quiet
	w.locate = false
}

// Deadlock is the error of a world in which ranks wait and nobody can go on.
type Deadlock struct {
	Waiting []Wait // calls in which most ranks wait first
	Knots   []Knot // deadlocks that do not touch each other, at least one
	Message string // the whole diagnosis, a line for each knot: who waits where, who is missing, the rule and a fix
	Calls   []Step // the calls of Waiting, in its order, as steps that have not ended
	Told    bool   // whether Calls has all arguments
}

// Knot is one deadlock. No rank of it, and no rank for which it waits, is in another knot.
type Knot struct {
	Ranks   Ranks  // who waits
	Comm    int    // the communicator of the call in which most of them wait, -1 for none
	Message string // the diagnosis, which ends with the rule and the fix
	Rule    string // the rule that they break, with its section
	Fix     string // what to do
}

// mostKnots is how many independent deadlocks one message describes at most.
const mostKnots = 4

// Error returns the diagnosis.
func (d *Deadlock) Error() string { return d.Message }

// Deadlock diagnoses a world in which ranks wait and nobody can go on; it returns nil when none waits. name returns
// what the program calls a communicator with this id; nil when nobody knows.
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
	raised, ended := w.raisedIn(), w.ended()
	for i, tied := range knots(waiting) {
		k := (&diagnosis{w: w, all: tied, waiting: tied, name: name, raised: raised, ended: ended}).knot(i < mostKnots)
		d.Knots = append(d.Knots, k)
		if i < mostKnots {
			lines = append(lines, k.Message)
		}
	}
	if n := len(d.Knots) - mostKnots; n > 0 {
		lines = append(lines, fmt.Sprintf("And %d more separate deadlocks.", n))
	}
	d.Message = strings.Join(lines, "\n")
	return d
}

// knots groups waits into independent deadlocks, in order. Two waits belong together when the ranks of one need ranks
// of the other, or both need the same ranks. Many waits need the same set of ranks: each set is looked at once.
func knots(waiting []Wait) [][]Wait {
	tied := make(ties, len(waiting))
	knownBy := map[int32]int{} // by rank, a wait of it or for it
	for i, v := range waiting {
		tied[i] = i
		for r := range v.Ranks.All {
			knownBy[int32(r)] = i
		}
	}
	firstOf := map[*Range]int{}
	for i, v := range waiting {
		if len(v.wanted) == 0 {
			continue
		}
		if first, seen := firstOf[&v.wanted[0]]; seen {
			tied.tie(first, i)
			continue
		}
		firstOf[&v.wanted[0]] = i
		for r := range v.wanted.All {
			if j, known := knownBy[int32(r)]; known {
				tied.tie(i, j)
			} else {
				knownBy[int32(r)] = i
			}
		}
	}
	at := -1
	return ByKey(waiting, func(Wait) int { at++; return tied.root(at) })
}

// ties are disjoint sets of numbers: each number has another one of its set, or itself, which is the root of the set.
type ties []int

func (t ties) root(i int) int {
	if t[i] != i {
		t[i] = t.root(t[i])
	}
	return t[i]
}

// tie joins the sets of two numbers. The lowest number becomes the root.
func (t ties) tie(i, j int) {
	i, j = t.root(i), t.root(j)
	t[max(i, j)] = min(i, j)
}

// The ranks that others wait for may have made the call and failed, or have nothing left to do. Many waits need the
// same ranks, by a set that they share: each set is looked at once.

// callOver is a call, by its name and the id of the communicator.
type callOver struct {
	call Call
	comm int
}

// failedCalls finds the missing ranks that made the call in which others wait, but got an error, which they caught.
// clauses describes them.
func (w *World) failedCalls(waiting []Wait, raised map[callOver]Ranks) (failed map[int32]bool, clauses []string) {
	type question struct {
		callOver
		of *Range
	}
	failed = map[int32]bool{}
	seen := map[question]bool{}
	for _, v := range waiting {
		on := callOver{v.Call, v.Comm}
		who := v.wanted.common(raised[on])
		if len(who) == 0 || seen[question{on, &v.wanted[0]}] {
			continue
		}
		seen[question{on, &v.wanted[0]}] = true
		clauses = append(clauses, w.howFailed(who, failed)...)
	}
	return failed, clauses
}

// raisedIn lists, by call, the ranks whose latest error came from that call. It leaves out ranks that made the call
// again and wait in it.
func (w *World) raisedIn() map[callOver]Ranks {
	by := map[callOver]Ranks{}
	for i := range w.procs {
		p := &w.procs[i]
		if p.mail == nil || p.mail.raised == nil {
			continue
		}
		on := callOver{p.mail.raised.Call, p.mail.raised.Comm}
		if p.state == blocked && p.current.call == on.call && w.keyOf(p).core.id() == on.comm {
			continue
		}
		set := by[on]
		set.Append(p.rank)
		by[on] = set
	}
	return by
}

// howFailed writes "the call of rank 2 failed with MPI_ERR_ARG (demo.py:7)" for the ranks in who that are not in failed
// yet, and adds them to failed.
func (w *World) howFailed(who Ranks, failed map[int32]bool) []string {
	var fresh []int
	for m := range who.All {
		if !failed[int32(m)] {
			failed[int32(m)] = true
			fresh = append(fresh, m)
		}
	}
	var clauses []string
	raised := func(m int) *Error { return w.procs[m].mail.raised }
	for _, ranks := range ByKey(fresh, func(m int) string { return raised(m).Class.String() + " " + raised(m).Where }) {
		text := fmt.Sprintf("the call of %s failed with %s", RanksOf(ranks...).Noun(), raised(ranks[0]).Class)
		if where := raised(ranks[0]).Where; where != "" {
			text += " (" + where + ")"
		}
		clauses = append(clauses, text)
	}
	return clauses
}

// ended lists the ranks that have nothing left to do.
func (w *World) ended() (list Ranks) {
	for i := range w.procs {
		if s := w.procs[i].state; s == idle || s == gone {
			list.Append(int32(i))
		}
	}
	return list
}

// idle lists the ended ranks that somebody waits for and whose calls did not fail.
func (d *diagnosis) idle(failed map[int32]bool) Ranks {
	over := d.ended
	if len(failed) > 0 {
		over = over.minus(RanksOf(slices.Collect(maps.Keys(failed))...))
	}
	var list Ranks
	seen := map[*Range]bool{}
	for _, v := range d.waiting {
		if len(v.wanted) > 0 && !seen[&v.wanted[0]] {
			seen[&v.wanted[0]] = true
			list = append(list, v.wanted.common(over)...)
		}
	}
	return list.merged()
}

// mostWaits is how many waits a search for a circle looks at.
const mostWaits = 64

// Circle lists waits in a circle: the ranks of each wait for ranks of the next, and the first wait stands at the end
// again. It is the shortest circle through the first wait that is in a circle; nil when none is.
func Circle(waiting []Wait) []Wait {
	return around(waiting, func(a, b Wait) bool { return a.Missing().meets(b.Ranks) })
}

// circle writes "They wait in a circle: rank 0 for rank 1, rank 1 for rank 0." when ranks wait for each other on
// different communicators or for messages: the shape that is hardest to see. It returns "" when there is no circle.
func circle(waiting []Wait) string {
	ring := around(waiting, needs)
	if ring == nil {
		return ""
	}
	var parts []string
	for k, next := range ring[1:] {
		parts = append(parts, ring[k].Ranks.Noun()+" for "+ring[k].wanted.common(next.Ranks).Noun())
	}
	return "They wait in a circle: " + strings.Join(parts, ", ") + "."
}

// around finds what Circle returns; needs reports whether the ranks of one wait need those of another.
func around(waiting []Wait, needs func(a, b Wait) bool) (ring []Wait) {
	list := waiting[:min(len(waiting), mostWaits)]
	needed := make([][]int, len(list)) // by wait, the waits that it needs
	for i := range list {
		for j := range list {
			if i != j && needs(list[i], list[j]) {
				needed[i] = append(needed[i], j)
			}
		}
	}
	for i := 0; i < len(list) && ring == nil; i++ {
		for _, k := range wayBack(needed, i) {
			ring = append(ring, list[k])
		}
	}
	return ring
}

// wayBack returns the shortest circle of waits through start, where each wait needs the next and the last one needs
// start; nil when there is none.
func wayBack(needed [][]int, start int) []int {
	const unseen = -1
	from := filled(len(needed), unseen)
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		for _, j := range needed[i] {
			if from[j] == unseen {
				from[j] = int32(i)
				queue = append(queue, j)
			}
		}
		if from[start] == unseen {
			continue
		}
		path := []int{start}
		for k := int(from[start]); k != start; k = int(from[k]) {
			path = append([]int{k}, path...)
		}
		return append([]int{start}, path...)
	}
	return nil
}

// needs reports whether the ranks of a wait for ranks that are in call b on another communicator. For different calls
// on one communicator, diagnoses have other words.
func needs(a, b Wait) bool {
	if a.Comm == b.Comm && (a.together && b.together || a.Comm < 0) {
		return false
	}
	return a.wanted.meets(b.Ranks)
}

// diagnosis has one deadlock, for which it finds words and a fix.
type diagnosis struct {
	w        *World
	waiting  []Wait              // calls in which most ranks wait first
	name     func(id int) string // what the program calls a communicator
	all      []Wait              // waiting, before any fix
	raised   map[callOver]Ranks  // see raisedIn
	ended    Ranks               // ranks of the world that have nothing left to do
	failed   Ranks               // ranks that others wait for and whose calls failed
	settled  []change            // changes that release some of the ranks
	released Ranks               // by settled
	talking  []int32             // see ranksWithMail
}

// ranks returns the ranks of the deadlock.
func (d *diagnosis) ranks() Ranks {
	var set Ranks
	for _, v := range d.all {
		set = append(set, v.Ranks...)
	}
	return set.merged()
}

// ranksWithMail lists the ranks of the world that have communication under way.
func (d *diagnosis) ranksWithMail() []int32 {
	if d.talking == nil {
		d.talking = []int32{}
		for i := range d.w.procs {
			if m := d.w.procs[i].mail; m != nil && len(m.inbox)+len(m.pending)+len(m.building) > 0 {
				d.talking = append(d.talking, int32(i))
			}
		}
	}
	return d.talking
}

// knot returns the diagnosis; where fixed is set, with a fix.
func (d *diagnosis) knot(fixed bool) Knot {
	clauses := d.clauses()
	failed, failures := d.w.failedCalls(d.waiting, d.raised)
	clauses = append(clauses, failures...)
	if idlers := d.idle(failed); len(idlers) > 0 {
		clauses = append(clauses, fmt.Sprintf("%s %s made all %s calls", idlers.Noun(), plural(idlers, "has", "have"), plural(idlers, "its", "their")))
	}
	k := Knot{Comm: d.waiting[0].Comm, Ranks: d.ranks()}
	last := ""
	if fixed {
		d.failed = RanksOf(slices.Collect(maps.Keys(failed))...)
		if k.Rule, k.Fix = d.remedy(); k.Fix != "" {
			last = "Fix: " + k.Fix
		} else {
			last = d.lacks(d.cause())
		}
	}
	head := "DEADLOCK"
	if k.Comm >= 0 {
		head += " on " + d.name(k.Comm)
	}
	text := fmt.Sprintf("%s: %s.", head, strings.Join(clauses, "; "))
	parts := []string{text, circle(d.waiting), k.Rule, last}
	k.Message = strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
	return k
}

// lacks writes what the ranks of a wait miss.
func (d *diagnosis) lacks(v Wait) string {
	if r := d.message(v); r != nil {
		return fmt.Sprintf("Missing: %s.", d.request(r))
	}
	return fmt.Sprintf("Missing: %s in %s.", v.Missing().Noun(), v.Call)
}

// clauses writes who waits where. Ranks that wait in one call at several places come in one clause.
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

// sharesCall reports whether the ranks of both waits wait in the very same call.
func (w Wait) sharesCall(o Wait) bool {
	return len(w.with) > 0 && len(o.with) > 0 && &w.with[0] == &o.with[0]
}

// clause writes "ranks 1-3 wait in MPI_Comm_split (demo.py:7)", with "on world" if named.
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
		text += " behind " + r.build.call.String() + r.startedAt()
	}
	switch h := d.w.halfOf(p); {
	case h != nil:
		text += " for " + d.half(h)
	case c.call.overGroups():
		text += fmt.Sprintf(" of %s with %s", c.invitation().group.braces(), c.point().label())
	}
	return text
}

// first returns the lowest rank of a wait, which stands for all.
func (d *diagnosis) first(v Wait) *Process { return &d.w.procs[v.Ranks.First()] }

// startedAt writes " (demo.py:7)", where the operation was started; "" when the place is unknown.
func (r *Request) startedAt() string { return r.site.inBrackets() }

func (s Site) inBrackets() string {
	if where := s.String(); where != "" {
		return " (" + where + ")"
	}
	return ""
}

// request writes "a message from rank 2 of world with tag 7".
func (d *diagnosis) request(r *Request) string {
	on := d.name(r.comm.core.info.ID)
	if r.build != nil {
		return "the " + r.build.call.Started() + " of " + on + " that " + r.started().String() + " started" + r.startedAt()
	}
	source, tag := "any rank", "any tag"
	if r.source >= 0 {
		source = fmt.Sprintf("rank %d", r.source)
	}
	if r.tag >= 0 {
		tag = fmt.Sprintf("tag %d", r.tag)
	}
	if r.outgoing {
		return fmt.Sprintf("%s of %s to receive the message with %s", source, on, tag)
	}
	return fmt.Sprintf("a message from %s of %s with %s", source, on, tag)
}

// half writes "remote leader 3 of world with tag 7".
func (d *diagnosis) half(h *half) string {
	if h.peer == nil {
		return fmt.Sprintf("remote leader %d of %s", h.remoteRank, h.group.braces())
	}
	return fmt.Sprintf("remote leader %d of %s with tag %d", h.remoteRank, d.name(h.peer.info.ID), h.tag)
}

// passes writes on which communicators ranks call: "ranks 0-2 pass world, rank 3 d".
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
