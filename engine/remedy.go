package engine

import (
	"fmt"
	"slices"
	"strings"
)

// What a deadlock breaks, and what to do about it. The fix has to fit the cause: ranks that make the
// same call on different communicators, or another kind of the same call, are not helped by an order.

const (
	ruleTogether = "All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]."
	ruleReceive  = "A receive returns only when a matching message was sent on the same communicator [MPI-5.0 §3.5]."
	ruleSend     = "A synchronous send completes only when a matching receive has started on the same communicator [MPI-5.0 §3.4]."
	ruleUnlike   = "A nonblocking collective call does not match a blocking one [MPI-5.0 §6.12]."
	ruleStarted  = "All processes must start collective calls on a communicator, nonblocking and blocking ones, in the same order [MPI-5.0 §6.12]."
)

// cause is the wait that keeps the first one from ending, directly or through others: its ranks wait
// for nobody who waits elsewhere. In a circle there is none; then a receive in it stands for all, since a
// collective call returns once its processes come, but no call brings a message; or else the first wait.
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
	for _, v := range d.ring() {
		if d.message(v) != nil {
			return v
		}
	}
	return d.waiting[0]
}

// ring is the circle in which ranks wait elsewhere for each other, the first wait again at the end; nil when
// there is none.
func (d *diagnosis) ring() []Wait {
	list := d.waiting[:min(len(d.waiting), mostWaits)]
	var ring []Wait
	for _, k := range around(list, needs) {
		ring = append(ring, list[k])
	}
	return ring
}

// message is the receive or probe that ranks wait in; nil when they wait in another call.
func (d *diagnosis) message(v Wait) *Request {
	if r := d.first(v).current.awaited(); r != nil && r.build == nil {
		return r
	}
	return nil
}

// remedy is the sentence of the standard that the ranks of a wait come to break, and what to do.
func (d *diagnosis) remedy(v Wait) (rule, fix string) {
	p := d.first(v)
	switch h := d.w.halfOf(p); {
	case d.message(v) != nil && d.message(v).outgoing:
		return ruleSend, d.fixSend(v)
	case d.message(v) != nil:
		return ruleReceive, d.fixReceive(v)
	case h != nil:
		return h.rule(), d.fixHalf(h)
	case v.Call.overGroups():
		return d.remedyOverGroup(v)
	case d.w.isDisconnecting(p.current.on()):
		return "MPI_Comm_disconnect waits for all communication on the communicator to end [MPI-5.0 §11.10.4].",
			"complete the requests of " + d.w.busyOn(p.current.on()).Noun() + " first, or use MPI_Comm_free."
	}
	if rule, fix = d.remedyStarted(v); rule != "" {
		return rule, fix
	}
	return ruleTogether, d.fixTogether(v)
}

// fixTogether says what is wrong with collective calls on communicators.
func (d *diagnosis) fixTogether(v Wait) string {
	const order = "put the calls of these ranks in one order"
	if others := d.otherCalls(v); len(others) > 0 {
		switch alike(append(others, v)) {
		case exclusive:
			return "let all of them make the same call: " + callsOf(append([]Wait{v}, others...)) + "."
		case akin:
			return "let these ranks make the same call, or put their calls in one order: " + callsOf(append([]Wait{v}, others...)) + "."
		}
		return order + "."
	}
	ring := d.ring()
	if len(ring) == 3 && ring[0].Call == ring[1].Call && ring[0].Comm != ring[1].Comm {
		passed := "on one communicator: " + d.passes(ring[0], ring[1]) + "."
		if ring[0].Site() == ring[1].Site() {
			return fmt.Sprintf("let %s and %s call %s %s", ring[0].Ranks.Noun(), ring[1].Ranks.Noun(), v.Call, passed)
		}
		return order + ", or let them make the call " + passed
	}
	if ring != nil {
		return order + "."
	}
	return fmt.Sprintf("let %s call %s too.", v.Missing().Noun(), v.Call)
}

// otherCalls are those other collective calls on the communicator in which ranks are that v's wait for.
func (d *diagnosis) otherCalls(v Wait) []Wait {
	missing := v.Missing()
	var list []Wait
	for _, o := range d.waiting {
		if o.Comm == v.Comm && o.together && missing.meets(o.Ranks) {
			list = append(list, o)
		}
	}
	return list
}

// How calls are related that ranks made instead of one.
const (
	unrelated = iota
	akin      // they do much the same: one was taken for the other
	exclusive // no process can make both
)

// families are calls that are taken for each other.
var families = [][]Call{
	{CallFree, CallDisconnect},
	{CallDup, CallDupWithInfo},
	{CallSplit, CallSplitType, CallCreate},
	{CallCartCreate, CallGraphCreate, CallDistGraphCreate, CallDistGraphCreateAdjacent},
	{CallGather, CallAllgather},
	{CallReduce, CallAllreduce},
	{CallScan, CallExscan},
}

// alike tells how the calls of waits are related.
func alike(waits []Wait) int {
	for _, f := range families {
		if !slices.ContainsFunc(waits, func(v Wait) bool { return !slices.Contains(f, v.Call) }) {
			if f[0] == CallFree {
				return exclusive
			}
			return akin
		}
	}
	return unrelated
}

// callsOf is "rank 0 calls MPI_Comm_free, ranks 1-3 call MPI_Comm_disconnect".
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

// remedyStarted is about nonblocking calls that processes have started on the communicator of v and that
// others have not; rule is "" when there are none.
func (d *diagnosis) remedyStarted(v Wait) (rule, fix string) {
	k := d.coreOf(v)
	started, oldest := d.started(k)
	if oldest == nil {
		return "", ""
	}
	blocking := d.waiting[:0:0] // those whose next call there is a blocking one
	for _, o := range d.waiting {
		if p := d.first(o); o.together && p.current.awaited() == nil && d.coreOf(o) == k && p.startedOn(k) == nil {
			blocking = append(blocking, o)
		}
	}
	unlike := len(blocking) > 0 && oldest.build.call.varies(blocking[0].Call)
	switch behind := d.behind(k); {
	case behind != nil && (!unlike || behind.Call == blocking[0].Call):
		if oldest.build.op == nil {
			return ruleStarted, "put the calls of these ranks in one order."
		}
		return ruleStarted, fmt.Sprintf("let %s call %s before that, too.", RanksOf(oldest.build.absent(k)...).Noun(), oldest.build.call)
	case unlike:
		return ruleUnlike, fmt.Sprintf("let all of them make the same call: %s, %s.", callsOf(blocking), calling(started, oldest.build.call))
	case len(blocking) > 0:
		return ruleStarted, fmt.Sprintf("put the calls of these ranks in one order: %s, %s.", callsOf(blocking), calling(started, oldest.build.call))
	case d.first(v).current.awaited() == nil:
		return "", ""
	}
	return "A nonblocking collective call completes only when all processes of the group have made it, in the same order as their other calls [MPI-5.0 §6.12].",
		fmt.Sprintf("let %s call %s too.", v.Missing().Noun(), oldest.build.call)
}

// coreOf is the communicator of the call in which ranks wait; when they wait for a request, the request's.
func (d *diagnosis) coreOf(v Wait) *core { return d.w.keyOf(d.first(v)).core }

// started lists the processes of k that have started a nonblocking call there which has not ended, and the
// oldest such request of the lowest of them.
func (d *diagnosis) started(k *core) (who Ranks, oldest *Request) {
	if k == nil {
		return nil, nil
	}
	var list []int32
	for _, m := range k.all {
		if r := d.w.procs[m].startedOn(k); r != nil {
			list = append(list, m)
			if oldest == nil || m < oldest.p.rank {
				oldest = r
			}
		}
	}
	return RanksOf(list...), oldest
}

// behind is the first wait in a blocking call on k that stands behind a nonblocking one; nil when none does.
func (d *diagnosis) behind(k *core) *Wait {
	for i, v := range d.waiting {
		if p := d.first(v); p.standsBehind() != nil && p.current.on() == k {
			return &d.waiting[i]
		}
	}
	return nil
}

// varies reports whether c is a nonblocking variant of the blocking call, or of its like.
func (c Call) varies(blocking Call) bool {
	if c == CallIbarrier {
		return blocking == CallBarrier
	}
	return (c == CallIdup || c == CallIdupWithInfo) && (blocking == CallDup || blocking == CallDupWithInfo)
}

// remedyOverGroup is what a call over groups asks for, and what to do about one that not all make.
func (d *diagnosis) remedyOverGroup(first Wait) (rule, fix string) {
	mine := &d.first(first).current
	at := mine.point()
	missing := first.Missing()
	word, _, _ := strings.Cut(at.label(), " ")
	rule = fmt.Sprintf("All processes of the group must call %s with the same group and %s [%s].", at.call, word, at.call.Rule())
	for _, v := range d.waiting {
		other := &d.first(v).current
		if v.Call != first.Call || !missing.meets(v.Ranks) {
			continue
		}
		switch {
		case !mine.invitation().group.same(other.invitation().group):
			if d.ring() != nil {
				return rule, "put the calls of the processes that are in both groups in one order."
			}
		case mine.on() != other.on():
			return rule, "the communicators differ: " + d.passes(first, v) + "."
		default:
			return rule, fmt.Sprintf("the %ss differ: let %s and %s pass the same one.", word, first.Ranks.Noun(), v.Ranks.Noun())
		}
	}
	return rule, "let " + missing.Noun() + " make the call too."
}

// fixHalf says why two halves of an intercommunicator do not find each other.
func (d *diagnosis) fixHalf(mine *half) string {
	other := d.w.halves[mine.remote]
	if other == nil || other.call != mine.call {
		return d.fixLeader(mine)
	}
	switch {
	case other.peer != mine.peer:
		return fmt.Sprintf("use one peer communicator: rank %d passes %s, rank %d %s.", mine.leader, d.name(mine.peer.info.ID), other.leader, d.name(other.peer.info.ID))
	case other.remote != mine.leader:
		return fmt.Sprintf("let the leaders name each other: rank %d names rank %d as the remote leader, but rank %d names rank %d.",
			mine.leader, mine.remote, other.leader, other.remote)
	case other.stringtag != mine.stringtag:
		return fmt.Sprintf("use one stringtag: rank %d passes %q, rank %d %q.", mine.leader, mine.stringtag, other.leader, other.stringtag)
	}
	return fmt.Sprintf("use one tag: rank %d passes tag %d, rank %d tag %d.", mine.leader, mine.tag, other.leader, other.tag)
}

// fixLeader is fixHalf when a process names a remote leader that leads no group.
func (d *diagnosis) fixLeader(mine *half) string {
	var other *half // its group
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
		return fix + "."
	}
	for _, v := range d.waiting {
		if v.Call == mine.call && v.Ranks.Has(int(mine.remote)) {
			return fmt.Sprintf("let %s call %s too.", v.Missing().Noun(), mine.call)
		}
	}
	return fmt.Sprintf("let the group of rank %d call %s too, with that rank as its local leader.", mine.remote, mine.call)
}

// fixReceive says what to do about a receive that no message comes for: what lies there instead, or who is
// to send it.
func (d *diagnosis) fixReceive(v Wait) string {
	for r := range v.Ranks.All {
		if text := d.w.unread(&d.w.procs[r], d.name); text != "" {
			return text
		}
	}
	ring := d.ring()
	if ring != nil && !slices.ContainsFunc(ring, func(o Wait) bool { return d.message(o) == nil }) {
		return "let one of these ranks send before it receives, or use MPI_Sendrecv."
	}
	senders := v.Missing()
	for _, o := range d.waiting {
		if both := senders.common(o.Ranks); o.together && len(both) > 0 {
			who := both.Noun()
			if both.Len() > 1 {
				who = "one of " + who
			}
			return fmt.Sprintf("let %s send that message before %s, or leave the receive out.", who, o.Call)
		}
	}
	return "send that message, or check source, tag and communicator."
}

// fixSend says what to do about a synchronous send that nobody receives.
func (d *diagnosis) fixSend(v Wait) string {
	r := d.message(v)
	ring := d.ring()
	if ring != nil && !slices.ContainsFunc(ring, func(o Wait) bool { return d.message(o) == nil }) {
		return "let one of these ranks receive before it sends, or use MPI_Sendrecv."
	}
	for _, o := range d.waiting {
		both := v.Missing().common(o.Ranks)
		if len(both) == 0 {
			continue
		}
		if q := d.message(o); q != nil && !q.outgoing {
			return fmt.Sprintf("%s waits for %s: let both name the same tag and communicator.", both.Noun(), d.request(q))
		}
		return fmt.Sprintf("let %s receive that message before %s, or use MPI_Send, which may return before.", both.Noun(), o.Call)
	}
	return fmt.Sprintf("let rank %d receive that message.", r.comm.peers().members[r.source])
}

// sender is the world rank of the process that sent the message.
func (m *message) sender() int32 {
	if k := m.core; k.remote != nil && k.group.has(m.dest) {
		return k.remote.members[m.source]
	}
	return m.core.group.members[m.source]
}

// unread tells of the first message that lies unread while a process waits for another message, and that differs
// from it in one thing: its tag, source, communicator or receiver. "" when there is none.
func (w *World) unread(p *Process, name func(id int) string) string {
	r := p.current.awaited()
	k := r.comm.core
	from := func(m *message) bool {
		return r.source == AnySource || m.core == k && m.source == r.source || m.core != k && m.sender() == r.comm.peers().members[r.source]
	}
	tagged := func(m *message) bool { return r.tag == AnyTag || m.tag == r.tag }
	lies := func(m *message) string {
		return fmt.Sprintf("rank %d's message with tag %d lies unread", m.sender(), m.tag)
	}
	var inbox []*message
	if p.mail != nil {
		inbox = p.mail.inbox
	}
	find := func(f func(m *message) bool) *message {
		if i := slices.IndexFunc(inbox, f); i >= 0 {
			return inbox[i]
		}
		return nil
	}
	if m := find(func(m *message) bool { return m.core == k && from(m) }); m != nil {
		return fmt.Sprintf("%s: rank %d receives tag %d. Let both use one tag.", lies(m), p.rank, r.tag)
	}
	if m := find(func(m *message) bool { return m.core == k && tagged(m) }); m != nil {
		return fmt.Sprintf("%s: rank %d receives from rank %d. Let rank %d send it, or receive it from rank %d.", lies(m), p.rank,
			r.comm.peers().members[r.source], r.comm.peers().members[r.source], m.sender())
	}
	if m := find(func(m *message) bool { return m.core != k && from(m) && tagged(m) }); m != nil {
		return fmt.Sprintf("%s on %s: rank %d receives on %s. Let both use one communicator.", lies(m), name(m.core.info.ID), p.rank, name(k.info.ID))
	}
	if r.source == AnySource {
		return ""
	}
	for i := range w.procs {
		if t := w.procs[i].mail; t != nil && i != int(p.rank) {
			for _, m := range t.inbox {
				if m.core == k && from(m) && tagged(m) {
					return fmt.Sprintf("%s at rank %d: rank %d receives it. Let rank %d send it there.", lies(m), i, p.rank, m.sender())
				}
			}
		}
	}
	return ""
}
