package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// waitKey is equal for waits that are reported as one wait.
type waitKey struct {
	call   Call
	core   *core
	over   *rendezvous // of a call over a group
	source int32       // source and tag are those of a receive or send
	tag    int32
	right  bool       // in an intercommunicator source is a rank of the other group
	out    bool       // a send: source is its destination
	build  Call       // the nonblocking call for which it waits
	op     *operation // its operation, when it has one
	behind int        // how many nonblocking calls on core stand before the call
	half   *half      // the group waits for the other group of an intercommunicator
}

// anySelf stands for every MPI_COMM_SELF: processes that wait on their own are reported together.
var anySelf = &core{info: &CommInfo{ID: SelfID}}

// waits lists who waits in calls, in order of the lowest rank. Ranks that wait in one call at different places of the
// program have a row for each place.
func (w *World) waits() []Wait {
	type row struct {
		call  int // its index in calls
		ranks []int32
	}
	type placed struct {
		waitKey
		site Site
	}
	var calls [][]int32 // who waits in each call
	var rows []row
	callOf, rowOf := map[waitKey]int{}, map[placed]int{}
	var last placed
	at := -1
	for p := range w.waiting {
		if k := (placed{w.keyOf(p), p.site}); at < 0 || k != last {
			last = k
			call, ok := callOf[k.waitKey]
			if !ok {
				call = len(calls)
				callOf[k.waitKey], calls = call, append(calls, nil)
			}
			if at, ok = rowOf[k]; !ok {
				at = len(rows)
				rowOf[k], rows = at, append(rows, row{call: call})
			}
		}
		rows[at].ranks = append(rows[at].ranks, p.rank)
		calls[rows[at].call] = append(calls[rows[at].call], p.rank)
	}
	list := make([]Wait, len(rows))
	sets := rankSets{}
	for i, r := range rows {
		list[i] = w.wait(r.ranks, calls[r.call], sets)
	}
	return list
}

// waiting yields the processes that wait in a call, in rank order. It does not touch the other processes: in a large
// world each would be a cache miss.
func (w *World) waiting(yield func(*Process) bool) {
	for i := range w.shards {
		s := &w.shards[i]
		for calling := s.calling; calling != 0; calling &= calling - 1 {
			p := &w.procs[int(s.base)+bits.TrailingZeros64(calling)]
			if p.state == blocked && !yield(p) {
				return
			}
		}
	}
}

// wait describes the ranks that wait in a call at one place; all are the ranks that wait in this call anywhere.
func (w *World) wait(ranks, all []int32, sets rankSets) Wait {
	k := w.keyOf(&w.procs[ranks[0]])
	who := RanksOf(ranks...)
	v := Wait{Ranks: who, Call: k.call, Comm: k.core.id(), Where: w.places(ranks, who),
		together: callTable[k.call].overCommunicator || k.build != CallNone}
	v.wanted, v.mutual = w.wanted(ranks, sets)
	v.with = v.Ranks
	if len(all) > len(ranks) && (v.together || k.call.overGroups()) {
		v.with = sets.of(all)
	}
	return v
}

func (w *World) keyOf(p *Process) waitKey {
	c := &p.current
	k := waitKey{call: c.call, core: c.on(), half: w.halfOf(p)}
	switch {
	case c.call.overGroups():
		k.over = w.rendezvousOf(c)
	case c.awaited() != nil:
		r := c.awaited()
		k.core = r.comm.core
		if r.build != nil {
			k.build, k.op = r.build.call, r.build.op
		} else {
			k.source, k.tag, k.right, k.out = r.source, r.tag, r.comm.right, r.outgoing
		}
	case c.behind:
		k.behind = p.ahead(c.comm.core)
	}
	if k.core.id() == SelfID {
		k.core = anySelf
	}
	return k
}

// awaited returns the request for which the process waits, the first of several; nil when it waits for something else.
func (c *post) awaited() *Request {
	switch x := c.x.(type) {
	case *Request:
		return x
	case *waitSet:
		return x.first()
	}
	return nil
}

// wanted returns the processes that the call of waiting ranks needs; some of them may have made the call. When all
// processes have called MPI_Comm_disconnect, it returns those whose communication has not ended. mutual: the waiting
// ranks wait for each other, too, such as several that wait for a message from any rank.
func (w *World) wanted(waiting []int32, sets rankSets) (wanted Ranks, mutual bool) {
	p := &w.procs[waiting[0]]
	c := &p.current
	if w.isDisconnecting(c.on()) {
		return w.busyOn(c.on()), true
	}
	if h := w.halfOf(p); h != nil {
		return RanksOf(h.remote), false
	}
	if c.call.overGroups() {
		return sets.of(c.invitation().group.members), false
	}
	switch r := c.awaited(); {
	case r == nil:
		return sets.of(c.comm.core.all), false
	case r.build != nil:
		return sets.of(r.build.absent(r.comm.core)), false
	case r.source >= 0:
		return RanksOf(r.comm.peers().members[r.source]), false
	default:
		return sets.of(r.comm.peers().members), len(waiting) > 1 && r.comm.core.info.ID != SelfID
	}
}

// rankSets makes sets of lists of members, one set for all calls that need the same list. It knows a list by its first
// element in memory and its length.
type rankSets map[listOf]Ranks

type listOf struct {
	first  *int32
	length int
}

func (s rankSets) of(members []int32) Ranks {
	if len(members) == 0 {
		return nil
	}
	k := listOf{&members[0], len(members)}
	set, ok := s[k]
	if !ok {
		set = RanksOf(members...)
		s[k] = set
	}
	return set
}

// absent lists the processes of k that have not made the nonblocking call.
func (b *building) absent(k *core) []int32 {
	if b.op == nil {
		return k.all
	}
	var list []int32
	for slot, x := range b.op.x {
		if x == nil {
			list = append(list, k.all[slot])
		}
	}
	return list
}

// blockedCalls returns the calls in which processes wait, as steps that did not end, numbered after the trace. known
// reports whether each has all its arguments: groups, requests and objects of some other kinds are missing.
func (w *World) blockedCalls(waiting []Wait) (steps []Step, known bool) {
	known = true
	for _, v := range waiting {
		s := Step{Number: len(w.steps) + len(steps) + 1, Call: v.Call.half(CallRecv), Comm: v.Comm, Ranks: v.Ranks, Where: v.Where}
		var a, b []int32
		var braces []string
		for r := range v.Ranks.All {
			c := &w.procs[r].current
			a, b = append(a, c.a), append(b, c.b)
			if g, ok := c.x.(*Group); ok && v.Call == CallCreate {
				braces = append(braces, g.base().braces())
			}
		}
		ints := func(name string, list []int32) { s.Args = append(s.Args, Column{Name: name, Ints: list}) }
		switch v.Call {
		case CallDup, CallBarrier, CallAllgather, CallAlltoall:
		case CallSplit:
			ints("color", a)
			ints("key", b)
		case CallMerge:
			ints("high", a)
		case CallBcast, CallGather, CallScatter:
			ints("root", a)
		case CallRecv, CallSendrecv:
			ints("source", a)
			ints("tag", b)
		case CallCreate:
			s.Args = []Column{{Name: "group", Texts: braces}}
			known = known && len(braces) == v.Ranks.Len()
		default:
			known = false
		}
		steps = append(steps, s)
	}
	return steps, known
}

// Status is how the world stands when Wait returns: all ranks are done, or some wait, or the program ended by an
// error.
type Status struct {
	Waiting []Wait   // blocked ranks, by call and communicator
	Failure *Failure // nil when no rank failed
}

// Wait is a set of ranks that wait at one place of the program in the same call on the same communicator,
// and of receives for the same source and tag.
type Wait struct {
	Ranks  Ranks
	Call   Call
	Comm   int     // -1 for none
	Where  []Place // at most one
	wanted Ranks   // the processes that the call needs; some wait in it, too
	with   Ranks   // who waits in this very call, at other places, too

	mutual   bool // the ranks wait for each other or for themselves, too
	together bool // all processes of the communicator make the call, or that of the request for which it waits
}

// Missing returns the ranks for which the wait's ranks wait; none when each waits for itself alone.
func (w Wait) Missing() Ranks {
	if w.mutual {
		return w.wanted
	}
	return w.wanted.minus(w.with)
}

// Site returns where the ranks wait: "demo.py:7".
func (w Wait) Site() string { return sites(w.Where) }

// Failure is the end of a program by errors: MPI errors that nobody caught, or other errors that
// ranks returned.
type Failure struct {
	Errors  []*Error // merged over ranks
	Program []error  // other errors, in rank order of By
	By      []int32  // the ranks that returned them
	Waiting []Wait   // ranks that were left waiting
}

// Error returns all errors, a line each.
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

// Leak is something that a line of a program made and never ended, however often: communicators that no process freed,
// receives without a message, messages that no process received, duplications that not all processes joined, and freed
// communicators to which such operations still refer, so that their context ids are not given back (§7.4.3).
type Leak struct {
	Kind  LeakKind
	Comms []int // the leaked communicators, or those of the leaked operations
	Ranks Ranks // the processes with the leak
	Where string
	Call  Call // the call that made it
	Does  Call // of a request that MPI_Start started, the nonblocking call: MPI_Ibcast; else as Call
	Count int  // communicators, receives, messages or duplications

	Peers Ranks // senders of the messages; processes that have not called the duplication
	Tag   int   // of messages and receives, AnyTag if they differ
}

// LeakKind tells what leaked.
type LeakKind int

// The kinds of leak.
const (
	LeakedComm LeakKind = iota
	LeakedReceive
	LeakedMessage
	LeakedDup
	LeakedContext // Count is the number of operations that refer to the communicator
)

// Leaks lists what the program did not end: first the communicators, then requests and messages, each in the order in
// which the program made them. The world must be quiet, and have a trace.
func (w *World) Leaks() []Leak {
	list := w.leakedComms()
	for _, same := range ByKey(w.lingering, func(k *core) string { return w.freedAt(k.info.ID) }) {
		l := Leak{Kind: LeakedContext, Where: w.freedAt(same[0].info.ID), Call: CallFree}
		for _, k := range same {
			l.Comms, l.Ranks, l.Count = append(l.Comms, k.info.ID), slices.Concat(l.Ranks, RanksOf(k.all...)).merged(), l.Count+int(k.underway+k.arrived)
		}
		list = append(list, l)
	}
	return append(list, w.Unfinished()...)
}

// Unfinished lists the leaks of communication: receives, messages and duplications that never completed. The world
// must be quiet.
func (w *World) Unfinished() []Leak {
	var open []unended
	for r := range w.procs {
		t, rank := w.procs[r].mail, int32(r)
		if t == nil {
			continue
		}
		for _, q := range t.pending {
			open = append(open, unended{leakOf: leakOf{LeakedReceive, q.call, q.call, q.site}, rank: rank, tag: q.tag, on: q.comm.core})
		}
		for _, q := range t.building {
			open = append(open, unended{leakOf: leakOf{LeakedDup, q.started(), q.build.call, q.site}, rank: rank, on: q.comm.core, build: q.build})
		}
		for _, m := range t.inbox {
			open = append(open, unended{leakOf: leakOf{LeakedMessage, m.call, m.call, m.site}, rank: rank, tag: m.tag, on: m.core, unread: m})
		}
	}
	var list []Leak
	for _, same := range ByKey(open, func(u unended) leakOf { return u.leakOf }) {
		list = append(list, leak(same))
	}
	return list
}

// unended is a receive, a message or a nonblocking call that has not ended.
type unended struct {
	leakOf
	rank, tag int32
	on        *core
	build     *building // of a nonblocking call
	unread    *message
}

// leakOf identifies the leaks that are reported as one.
type leakOf struct {
	kind LeakKind
	call Call
	does Call
	site Site
}

// leak joins communication that is reported as one leak.
func leak(same []unended) Leak {
	first := same[0]
	l := Leak{Kind: first.kind, Where: first.site.String(), Call: first.call, Does: first.does, Tag: int(first.tag), Count: len(same)}
	var ranks, peers []int32
	told := map[int]bool{}
	for _, u := range same {
		ranks = append(ranks, u.rank)
		if int(u.tag) != l.Tag {
			l.Tag = AnyTag
		}
		if u.unread != nil {
			peers = append(peers, u.unread.sender())
		}
		id := u.on.info.ID
		if told[id] {
			continue
		}
		told[id] = true
		l.Comms = append(l.Comms, id)
		if u.build != nil {
			peers = append(peers, u.build.absent(u.on)...)
		}
	}
	l.Ranks, l.Peers = RanksOf(ranks...), RanksOf(peers...)
	if l.Kind == LeakedDup {
		l.Peers = l.Peers.minus(l.Ranks)
	}
	return l
}

// leakedComms lists the communicators that were never freed, as a leak for each line.
func (w *World) leakedComms() []Leak {
	type made struct {
		call  Call
		where string
	}
	freed := FatesAfter(w.steps).Freed
	kept := slices.DeleteFunc(slices.Clone(w.comms), func(c *CommInfo) bool { return c.ID < firstID || freed[c.ID] })
	var list []Leak
	for _, same := range ByKey(kept, func(c *CommInfo) made { return made{c.Op, c.Where} }) {
		l := Leak{Kind: LeakedComm, Where: same[0].Where, Call: same[0].Op, Count: len(same)}
		for _, c := range same {
			l.Comms = append(l.Comms, c.ID)
			if whole := len(l.Ranks) == 1 && l.Ranks.Len() == w.size; !whole {
				l.Ranks = slices.Concat(l.Ranks, RanksOf(c.Group...), RanksOf(c.Remote...)).merged()
			}
		}
		list = append(list, l)
	}
	return list
}
