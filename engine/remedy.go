package engine

import (
	"fmt"
	"slices"
	"strings"
)

// These functions find the rule that a deadlock breaks, and a fix for it. A fix changes the calls that the ranks have
// posted: proposals are made for what the ranks ask for, and the first proposal whose changes run is the fix.

const (
	ruleTogether   = "All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]."
	ruleReceive    = "A receive returns only when a matching message was sent on the same communicator [MPI-5.0 §3.5]."
	ruleSend       = "A synchronous send completes only when a matching receive has started on the same communicator [MPI-5.0 §3.4]."
	ruleUnlike     = "A nonblocking collective call does not match a blocking one [MPI-5.0 §6.12]."
	ruleStarted    = "All processes must start collective calls on a communicator, nonblocking and blocking ones, in the same order [MPI-5.0 §6.12]."
	rulePersistent = "Once a process starts a persistent collective operation, all other processes of the communicator must start it, too [MPI-5.0 §6.13]."
	ruleComplete   = "A nonblocking collective call completes only when all processes of the group have made it, in the same order as their other calls [MPI-5.0 §6.12]."
	ruleEnd        = "MPI_Comm_disconnect waits for all communication on the communicator to end [MPI-5.0 §11.10.4]."
)

// proposal is a sentence for the person, and the rule that it mends. The sentence may leave a choice: each of the
// changes in ways must run.
type proposal struct {
	rule, fix string
	ways      []change
	alone     bool // the ways must run without later calls of the released ranks
}

// mostFixes is how many changes a fix consists of at most.
const mostFixes = 8

// remedy returns the rule that the ranks come to break, and a fix that ran; "" when none did. A change may release only
// some of the ranks: then the fix consists of several.
func (d *diagnosis) remedy() (rule, fix string) {
	whole := d.waiting
	defer func() { d.waiting, d.settled, d.released = whole, nil, nil }()
	var fixes []string
	for range mostFixes {
		v := d.cause()
		part, rest := proposal{}, d.ranks()
		for _, p := range d.propose(v) {
			stuck, ran := d.run(p)
			if rule == "" || ran && len(fixes) == 0 {
				rule = p.rule
			}
			if ran {
				return rule, strings.Join(appendNew(fixes, p.fix), "; ") + "."
			}
			if part.ways == nil && !p.alone && !stuck.meets(v.Ranks) {
				part, rest = p, stuck
			}
		}
		if part.ways == nil {
			return rule, ""
		}
		fixes, d.settled = appendNew(fixes, part.fix), append(d.settled, part.ways[0])
		d.released = d.ranks().minus(rest)
		d.waiting = slices.DeleteFunc(slices.Clone(d.waiting), func(w Wait) bool { return !w.Ranks.meets(rest) })
	}
	return rule, ""
}

// run tries each way of a proposal, and reports whether all ran. stuck are the ranks that still wait after the first
// way.
func (d *diagnosis) run(p proposal) (stuck Ranks, ran bool) {
	ran = true
	for i, way := range p.ways {
		rest, alone := d.try(way)
		if i == 0 {
			stuck = rest
		}
		if ran = len(rest) == 0 && (alone || !p.alone); !ran {
			break
		}
	}
	return stuck, ran
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// cause returns the wait that keeps the first wait from ending, directly or through others: its ranks wait for nobody
// who waits elsewhere. In a circle there is no such wait. Then cause returns a receive of the circle, since a
// collective call returns once its processes come, but no call brings a message; without a receive a send, or else the
// first wait.
func (d *diagnosis) cause() Wait {
	list := d.waiting[:min(len(d.waiting), mostWaits)]
	seen := make([]bool, len(list))
	for i := 0; !seen[i]; {
		seen[i] = true
		next := slices.IndexFunc(list, func(v Wait) bool { return needs(list[i], v) })
		if next < 0 {
			return list[i]
		}
		i = next
	}
	ring := d.ring()
	for _, outgoing := range []bool{false, true} {
		for _, v := range ring {
			if r := d.message(v); r != nil && r.outgoing == outgoing {
				return v
			}
		}
	}
	return d.waiting[0]
}

// ring returns the circle in which ranks wait elsewhere for each other; nil when there is none.
func (d *diagnosis) ring() []Wait {
	ring := around(d.waiting, needs)
	return ring[:max(len(ring)-1, 0)] // the first wait stands at the end again
}

// message returns the receive, probe or send that ranks wait in; nil when they wait in another call.
func (d *diagnosis) message(v Wait) *Request {
	if r := d.first(v).current.awaited(); r != nil && r.build == nil {
		return r
	}
	return nil
}

// propose lists what could help ranks that wait, the best first.
func (d *diagnosis) propose(v Wait) []proposal {
	p := d.first(v)
	var list []proposal
	switch h := d.w.halfOf(p); {
	case d.message(v) != nil && d.message(v).outgoing:
		list = d.sending(v)
	case d.message(v) != nil:
		list = d.receiving(v)
	case h != nil:
		list = d.leading(h)
	case v.Call.overGroups():
		list = d.meeting(v)
	case d.w.isDisconnecting(p.current.on()):
		list = d.disconnecting(p.current.on())
	default:
		list = d.calling(v)
	}
	if len(d.failed) > 0 {
		list = slices.Insert(list, 0, proposal{list[0].rule, "correct the call that failed; the others wait for it", []change{func(t *trial) {
			for _, o := range d.waiting {
				d.let(d.failed.common(o.Missing()), before, o)(t)
			}
		}}, false})
	}
	return list
}

// When ranks make another call: before the call that they wait in, or instead of it. Ranks that have made all their
// calls make it after these.
const (
	before = iota
	instead
)

// let makes ranks do their part of the call in which others wait.
func (d *diagnosis) let(who Ranks, when int, v Wait) change {
	return d.letPart(who, when, d.first(v).current, v.Ranks)
}

func (d *diagnosis) letPart(who Ranks, when int, c post, waiting Ranks) change {
	return func(t *trial) {
		for r := range who.All {
			part, at := t.part(c, int32(r), waiting), max(len(t.calls[r])-1, 0)
			if when == instead && len(t.calls[r]) > 0 {
				t.calls[r] = t.calls[r][:at]
				if c.awaited() != nil && c.awaited().build != nil {
					part = append(part, post{call: CallWait, x: part[0].x})
				}
			} else if d.w.procs[r].state != blocked {
				at = len(t.calls[r])
			}
			t.calls[r] = slices.Insert(t.calls[r], at, part...)
		}
	}
}

// leave makes ranks leave out the call that they wait in.
func (d *diagnosis) leave(who Ranks) change {
	return func(t *trial) {
		for r := range who.All {
			t.calls[r], t.over[r] = nil, true
		}
	}
}

// all makes several changes at once.
func all(list ...change) change {
	return func(t *trial) {
		for _, f := range list {
			f(t)
		}
	}
}

// inOrder makes ranks make the calls of the list in its order: each rank that a call needs, and that is in a later call
// or in none, makes this call first.
func (d *diagnosis) inOrder(list []Wait) change {
	var changes []change
	var within Ranks
	for _, v := range list {
		within = append(within, v.Ranks...)
	}
	within = within.merged()
	for i, v := range list {
		for _, later := range list[i+1:] {
			changes = append(changes, d.let(later.Ranks.common(v.wanted), before, v))
		}
		changes = append(changes, d.let(v.wanted.minus(within), before, v))
	}
	return all(changes...)
}

// calling proposes remedies for a collective call on a communicator.
func (d *diagnosis) calling(v Wait) []proposal {
	if list := d.starting(v); list != nil {
		return list
	}
	if sides := d.sides(v); len(sides) > 1 {
		return d.agreeing(sides)
	}
	if ring := d.ring(); ring != nil {
		order := "put the calls of these ranks in one order"
		if len(ring) == 2 {
			order = d.firstOf(ring[0], ring[1])
		}
		list := []proposal{{ruleTogether, order, []change{d.inOrder(ring)}, false}}
		if len(ring) == 2 && ring[0].Call == ring[1].Call && ring[0].Comm != ring[1].Comm {
			a, b := ring[0], ring[1]
			one, passed := d.let(b.Ranks.common(a.wanted), instead, a), "on one communicator: "+d.passes(a, b)
			p := proposal{ruleTogether, order + ", or let them make the call " + passed, []change{d.inOrder(ring), one}, false}
			if a.Site() == b.Site() {
				p.fix, p.ways = fmt.Sprintf("let %s and %s call %s %s", a.Ranks.Noun(), b.Ranks.Noun(), v.Call, passed), p.ways[1:]
			}
			list = slices.Insert(list, 0, p)
		}
		return list
	}
	absent := d.absent(v)
	too := proposal{ruleTogether, fmt.Sprintf("let %s call %s too", absent.Noun(), v.Call), []change{d.let(absent, before, v)}, false}
	if v.Call == CallDisconnect {
		end := d.disconnecting(d.first(v).current.on())[0]
		return []proposal{too, {ruleTogether, too.fix + "; " + end.fix, []change{all(too.ways[0], end.ways[0]), all(too.ways[0], end.ways[1])}, false}}
	}
	return []proposal{too}
}

// firstOf writes that the ranks of b make the call in which others wait for them before their own: "let rank 2 call
// MPI_Comm_free on half before MPI_Barrier on world".
func (d *diagnosis) firstOf(a, b Wait) string {
	return fmt.Sprintf("let %s call %s on %s before %s on %s", b.Ranks.common(a.wanted).Noun(), a.Call, d.name(a.Comm), b.Call, d.name(b.Comm))
}

// absent returns the ranks that a wait misses, except those that a change has released, which come to it.
func (d *diagnosis) absent(v Wait) Ranks { return v.Missing().minus(d.released) }

// sides lists the collective calls in which ranks wait on the communicator of v, the call of v first, as one wait for
// each call.
func (d *diagnosis) sides(v Wait) []Wait {
	v.Ranks = v.with
	list := []Wait{v}
	for _, o := range d.waiting {
		if o.Comm == v.Comm && o.together && v.Missing().meets(o.Ranks) && !slices.ContainsFunc(list, o.sharesCall) {
			o.Ranks = o.with
			list = append(list, o)
		}
	}
	return list
}

// agreeing proposes remedies for ranks that make different calls on one communicator: all make one of these calls, or
// each makes all of them in one order, in which a call that frees the communicator is the last.
func (d *diagnosis) agreeing(sides []Wait) []proposal {
	v, names := sides[0], callsOf(sides)
	rest := d.absent(v)
	same := []change{}
	for _, o := range sides[1:] {
		same, rest = append(same, d.let(o.Ranks.common(v.wanted), instead, v)), rest.minus(o.Ranks)
	}
	one := all(append(same, d.let(rest, before, v))...)
	if len(rest) > 0 {
		names += ", " + rest.Noun() + " none"
	}
	back := slices.Clone(sides)
	slices.Reverse(back)
	there, andBack := d.inOrder(sides), d.inOrder(back)
	calls := "both calls"
	if len(sides) > 2 {
		calls = "all these calls"
	}
	either := func(order string, ways ...change) proposal {
		return proposal{ruleTogether, fmt.Sprintf("let these ranks make the same call, or all of them %s %s: %s", calls, order, names), append(ways, one), false}
	}
	return []proposal{
		either("in one order", there, andBack),
		either("with "+sides[len(sides)-1].Call.String()+" last", there),
		either("with "+v.Call.String()+" last", andBack),
		{ruleTogether, "let all of them make the same call: " + names, []change{one}, false},
	}
}

// callsOf writes "rank 0 calls MPI_Comm_free, ranks 1-3 call MPI_Comm_disconnect".
func callsOf(waits []Wait) string {
	var list []string
	for _, v := range waits {
		list = append(list, calling(v.Ranks, v.Call))
	}
	return strings.Join(list, ", ")
}

func calling(r Ranks, c Call) string {
	return fmt.Sprintf("%s %s %s", r.Noun(), plural(r, "calls", "call"), c)
}

// starting proposes remedies for a nonblocking call that some processes have started on the communicator of v; nil when
// none has.
func (d *diagnosis) starting(v Wait) []proposal {
	k := d.w.keyOf(d.first(v)).core
	q := d.first(v).current.awaited()
	if q == nil {
		q = d.first(v).standsBehind()
	}
	var started Ranks
	for _, m := range slices.Sorted(slices.Values(k.all)) {
		if r := d.w.procs[m].startedOn(k); r != nil {
			started.Append(m)
			if q == nil {
				q = r
			}
		}
	}
	if q == nil {
		return nil
	}
	absent := RanksOf(k.all...).minus(started)
	if q.build.op != nil {
		absent = RanksOf(q.build.absent(k)...)
	}
	var blocking []Wait
	for _, o := range d.waiting {
		if p := d.first(o); o.together && p.current.awaited() == nil && p.current.on() == k && p.startedOn(k) == nil {
			blocking = append(blocking, o)
		}
	}
	part := func(when int) []change { return []change{d.letPart(absent, when, post{x: q}, v.Ranks)} }
	if len(blocking) == 0 {
		rule := ruleComplete
		if q.of != nil {
			rule = rulePersistent
		}
		return []proposal{{rule, fmt.Sprintf("let %s call %s too", absent.Noun(), q.started()), part(before), false}}
	}
	names := callsOf(blocking) + ", " + calling(started, q.build.call)
	first := fmt.Sprintf("let %s call %s before that, too", absent.Noun(), q.build.call)
	one := proposal{ruleUnlike, "let all of them make the same call: " + names, part(instead), false}
	both := proposal{ruleStarted, "let these ranks make the same call, or all of them both calls in one order: " + names,
		append(part(before), part(instead)...), false}
	if q.build.call.varies(blocking[0].Call) {
		both = one
	}
	return []proposal{{ruleStarted, first, part(before), true}, both, one, {ruleStarted, first, part(before), false}}
}

// meeting proposes remedies for a call over a group.
func (d *diagnosis) meeting(v Wait) []proposal {
	mine := &d.first(v).current
	at := mine.point()
	word, _, _ := strings.Cut(at.label(), " ")
	rule := fmt.Sprintf("All processes of the group must call %s with the same group and %s [%s].", at.call, word, at.call.Rule())
	missing := v.Missing()
	var list []proposal
	for _, o := range d.waiting {
		other := &d.first(o).current
		if o.Call != v.Call || !missing.meets(o.Ranks) {
			continue
		}
		if !mine.invitation().group.same(other.invitation().group) {
			if ring := d.ring(); ring != nil {
				list = append(list, proposal{rule, "put the calls of the processes that are in both groups in one order", []change{d.inOrder(ring)}, false})
			}
			continue
		}
		var differ []string
		if mine.on() != other.on() {
			differ = append(differ, "the communicators differ: "+d.passes(v, o))
		}
		if a, b := at, other.point(); a.tag != b.tag || a.name != b.name {
			differ = append(differ, fmt.Sprintf("the %ss differ: let %s and %s pass the same one", word, v.Ranks.Noun(), o.Ranks.Noun()))
		}
		list = append(list, proposal{rule, strings.Join(differ, "; "), []change{d.let(missing.common(o.Ranks), instead, v)}, false})
	}
	return append(list, proposal{rule, "let " + missing.Noun() + " make the call too", []change{d.let(missing, before, v)}, false})
}

// disconnecting proposes a remedy for communication that keeps processes in MPI_Comm_disconnect.
func (d *diagnosis) disconnecting(k *core) []proposal {
	busy := d.w.busyOn(k)
	ended := func(t *trial) {
		for r := range busy.All {
			b := t.box(int32(r))
			b.receives = slices.DeleteFunc(b.receives, func(q *Request) bool { return q.comm.core == k })
		}
	}
	free := func(t *trial) {
		for _, r := range k.all {
			for i := range t.calls[r] {
				if t.calls[r][i].on() == k {
					t.calls[r][i].call = CallFree
				}
			}
		}
	}
	return []proposal{{ruleEnd, "complete the requests of " + busy.Noun() + " first, or use MPI_Comm_free", []change{ended, free}, false}}
}

// leading proposes a remedy for two halves of an intercommunicator that do not find each other.
func (d *diagnosis) leading(mine *half) []proposal {
	rule := mine.rule()
	other := d.w.halves[mine.remote]
	if other == nil || other.call != mine.call {
		return d.following(mine)
	}
	var differ []string
	if other.peer != mine.peer {
		differ = append(differ, fmt.Sprintf("use one peer communicator: rank %d passes %s, rank %d %s",
			mine.leader, d.name(mine.peer.info.ID), other.leader, d.name(other.peer.info.ID)))
	}
	if other.remote != mine.leader {
		differ = append(differ, fmt.Sprintf("let the leaders name each other: rank %d names rank %d as the remote leader, but rank %d names rank %d",
			mine.leader, mine.remote, other.leader, other.remote))
	}
	if other.stringtag != mine.stringtag {
		differ = append(differ, fmt.Sprintf("use one stringtag: rank %d passes %q, rank %d %q", mine.leader, mine.stringtag, other.leader, other.stringtag))
	}
	if other.tag != mine.tag {
		differ = append(differ, fmt.Sprintf("use one tag: rank %d passes tag %d, rank %d tag %d", mine.leader, mine.tag, other.leader, other.tag))
	}
	now := *other
	now.remote, now.peer, now.tag, now.stringtag = mine.leader, mine.peer, mine.tag, mine.stringtag
	return []proposal{{rule, strings.Join(differ, "; "), []change{asking(other, now)}, false}}
}

// asking makes the group of h ask for another half.
func asking(h *half, now half) change {
	return func(t *trial) {
		for _, r := range h.op.core.all {
			switch x := t.calls[r][0].x.(type) {
			case *half:
				t.calls[r][0].x = &now
			case *invitation:
				own := *x
				own.half, own.stringtag = &now, now.stringtag
				t.calls[r][0].x = &own
			}
		}
	}
}

// following proposes a remedy for a group whose remote leader leads no group.
func (d *diagnosis) following(mine *half) []proposal {
	rule := mine.rule()
	var other *half // of the group of the named rank
	for _, h := range d.w.halves {
		if h.call == mine.call && slices.Contains(h.op.core.all, mine.remote) && (other == nil || h.leader < other.leader) {
			other = h
		}
	}
	if other != nil {
		who := RanksOf(mine.op.core.all...)
		fix := fmt.Sprintf("%s %s rank %d as the remote leader, but rank %d leads there", who.Noun(), plural(who, "names", "name"), mine.remote, other.leader)
		if mine.peer != nil {
			if r := mine.peer.group.rankOf(other.leader); r != Undefined {
				fix += fmt.Sprintf(": let rank %d pass %d for remote_leader, its rank in %s", mine.leader, r, d.name(mine.peer.info.ID))
			}
		}
		now := *mine
		now.remote = other.leader
		return []proposal{{rule, fix, []change{asking(mine, now)}, false}}
	}
	for _, o := range d.waiting {
		if o.Call == mine.call && o.Ranks.Has(int(mine.remote)) {
			return []proposal{{rule, fmt.Sprintf("let %s call %s too", o.Missing().Noun(), mine.call), []change{d.let(o.Missing(), before, o)}, false}}
		}
	}
	alone := &Group{members: []int32{mine.remote}}
	there := func(t *trial) {
		now := *mine
		now.leader, now.remote = mine.remote, mine.leader
		on := &Comm{core: &core{group: alone, all: alone.members}}
		call := post{call: mine.call, comm: on, x: &invitation{group: alone, half: &now, stringtag: mine.stringtag}}
		t.calls[mine.remote] = slices.Insert(t.calls[mine.remote], 0, call)
	}
	fix := fmt.Sprintf("let the group of rank %d call %s too, with rank %d as its local leader", mine.remote, mine.call, mine.remote)
	return []proposal{{rule, fix, []change{there}, false}}
}
