package engine

import "slices"

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
