package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// waitKey is equal for waits that are reported as one.
type waitKey struct {
	call   Call
	core   *core
	over   *rendezvous // of a call over groups: different ones may be under way
	source int32       // of a receive, as its tag: what the rank waits for
	tag    int32
	right  bool       // of an intercommunicator, where source is a rank of the other group
	out    bool       // a synchronous send: source is its destination
	build  Call       // the nonblocking call that it waits for
	op     *operation // of that call, when others made it, too
	behind int        // how many nonblocking calls on core stand before it
	half   *half      // the side of an intercommunicator that waits for the other one
}

// anySelf stands for every MPI_COMM_SELF: processes that wait on their own ones are reported together.
var anySelf = &core{info: &CommInfo{ID: SelfID}}

// waits lists who is blocked, in order of the lowest rank. Ranks that wait in one call at different places
// of the program have a row for each place.
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

// waiting are the processes that wait in a call, in rank order. Of the others it touches nothing: in a large world that
// would be a cache miss each.
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

// wait describes processes at one place that wait in a call; with all that wait in it, wherever they are.
func (w *World) wait(ranks, all []int32, sets rankSets) Wait {
	k := w.keyOf(&w.procs[ranks[0]])
	who := RanksOf(ranks...)
	v := Wait{Ranks: who, Call: k.call, Comm: k.core.id(), Where: w.places(ranks, who),
		together: k.call.overCommunicator() || k.build != CallNone}
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

// awaited is the request that the process waits for, the first of several; nil when it waits for
// something else.
func (c *post) awaited() *Request {
	switch x := c.x.(type) {
	case *Request:
		return x
	case *waitSet:
		return x.first()
	}
	return nil
}

// wanted are the processes that the call of waiting ranks needs; some of them may have made it. When all processes
// have called MPI_Comm_disconnect, wanted are the processes whose communication has not ended. mutual: the waiting
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

// rankSets makes sets of lists of members, and gives many calls that need the same processes one set. A list is known
// by its first element in memory and its length.
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

// blockedCalls are the calls that the processes wait in, as steps that did not end, numbered behind
// the trace. known reports whether each has all that was passed: what takes part in groups, requests and
// objects of other kinds is not told.
func (w *World) blockedCalls(waiting []Wait) (steps []Step, known bool) {
	known = true
	for _, v := range waiting {
		s := Step{Number: len(w.steps) + len(steps) + 1, Call: v.Call, Comm: v.Comm, Ranks: v.Ranks, Where: v.Where}
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
		case CallRecv:
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
	if len(w.partial) > 0 && len(w.failed)+len(w.program) == 0 {
		if e := w.clashingGroups(); e != nil {
			w.failed = append(w.failed, e)
		}
	}
	st := Status{Waiting: w.waits()}
	if len(w.failed)+len(w.program) > 0 {
		st.Failure = &Failure{MergeErrors(w.failed), w.program, w.failedBy, st.Waiting}
	}
	return st
}

// Leak is something that a line of a program made and never ended, however often: communicators that no process
// freed, receives that no message came for, messages that no process received, duplications that not all processes
// joined, and communicators that were freed but are still referred to by such operations, so that their context ids
// are not given back (§7.4.3).
type Leak struct {
	Kind  LeakKind
	Comms []int // the leaked communicators, or those of the leaked operations
	Ranks Ranks // the processes with the leak
	Where string
	Call  Call // the call that made it
	Does  Call // of a request, the call whose work it does: MPI_Ibcast where MPI_Start started a persistent broadcast
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

// Leaks lists what the program did not end: first the communicators, then requests and messages, each in the order
// in which the program made them. The world must be quiet, and have a trace.
func (w *World) Leaks() []Leak {
	list := w.leakedComms()
	at := map[string]int{}
	for _, k := range w.lingering {
		where := w.freedAt(k.info.ID)
		i, ok := at[where]
		if !ok {
			i = len(list)
			at[where] = i
			list = append(list, Leak{Kind: LeakedContext, Where: where, Call: CallFree})
		}
		l := &list[i]
		l.Comms, l.Ranks, l.Count = append(l.Comms, k.info.ID), slices.Concat(l.Ranks, RanksOf(k.all...)).merged(), l.Count+int(k.underway+k.arrived)
	}
	return append(list, w.Unfinished()...)
}

// Unfinished lists the leaks of communication: receives, messages and duplications that never completed. The world
// must be quiet.
func (w *World) Unfinished() []Leak {
	var list []Leak
	var peers [][]int32
	at, told := map[leakOf]int{}, map[leakOn]bool{}
	add := func(rank int32, l leakOf, comm int, tag int32, peer ...int32) {
		i, ok := at[l]
		if !ok {
			i = len(list)
			at[l] = i
			list = append(list, Leak{Kind: l.kind, Where: l.site.String(), Call: l.call, Does: l.does, Tag: int(tag)})
			peers = append(peers, nil)
		}
		if on := (leakOn{i, comm}); !told[on] {
			told[on] = true
			list[i].Comms = append(list[i].Comms, comm)
		}
		if n := len(list[i].Ranks); n == 0 || !list[i].Ranks.Has(int(rank)) {
			list[i].Ranks.Append(rank)
		}
		if list[i].Tag != int(tag) {
			list[i].Tag = AnyTag
		}
		peers[i] = append(peers[i], peer...)
		list[i].Count++
	}
	for r := range w.procs {
		t := w.procs[r].mail
		if t == nil {
			continue
		}
		for _, q := range t.pending {
			add(int32(r), leakOf{LeakedReceive, q.call, q.call, q.site}, q.comm.core.info.ID, q.tag)
		}
		for _, q := range t.building {
			l, on := leakOf{LeakedDup, q.started(), q.build.call, q.site}, q.comm.core.info.ID
			if i, known := at[l]; known && told[leakOn{i, on}] {
				add(int32(r), l, on, 0)
			} else {
				add(int32(r), l, on, 0, q.build.absent(q.comm.core)...)
			}
		}
		for _, m := range t.inbox {
			add(int32(r), leakOf{LeakedMessage, m.call, m.call, m.site}, m.core.info.ID, m.tag, m.sender())
		}
	}
	for i := range list {
		list[i].Peers = RanksOf(peers[i]...)
		if list[i].Kind == LeakedDup {
			list[i].Peers = list[i].Peers.minus(list[i].Ranks)
		}
	}
	return list
}

// leakOf identifies the leaks that are reported as one.
type leakOf struct {
	kind LeakKind
	call Call
	does Call
	site Site
}

// leakOn is a leak, by its index, with a communicator that it is about.
type leakOn struct{ leak, comm int }

// leakedComms lists the communicators that were never freed, a leak for all communicators of a line.
func (w *World) leakedComms() []Leak {
	type made struct {
		call  Call
		where string
	}
	freed := w.Snapshot().Freed()
	var list []Leak
	at := map[made]int{}
	for _, c := range w.comms {
		if c.ID < firstID || freed[c.ID] {
			continue
		}
		i, ok := at[made{c.Op, c.Where}]
		if !ok {
			i = len(list)
			at[made{c.Op, c.Where}] = i
			list = append(list, Leak{Kind: LeakedComm, Where: c.Where, Call: c.Op})
		}
		l := &list[i]
		l.Comms, l.Count = append(l.Comms, c.ID), l.Count+1
		if whole := len(l.Ranks) == 1 && l.Ranks.Len() == w.size; !whole {
			l.Ranks = slices.Concat(l.Ranks, RanksOf(c.Group...), RanksOf(c.Remote...)).merged()
		}
	}
	return list
}
