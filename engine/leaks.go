package engine

// Leak is something that a program made and never ended: communicators that one call made and that
// nobody freed, receives that no message came for, messages that nobody received, duplications that
// not all processes joined, and communicators that were freed but are still referred to by such
// operations, so that their context ids are not given back (§7.4.3).
type Leak struct {
	Kind  LeakKind
	Comms []int // the communicators, or the one that it is about
	Ranks Ranks // the processes that have it
	Where string
	Call  Call // what made it
	Count int  // communicators, receives, messages or duplications

	Peers Ranks // who sent the messages; who has not made the call of the duplication
	Tag   int   // of messages and receives, AnyTag if they differ
}

// LeakKind is what leaked.
type LeakKind int

// The kinds of leak.
const (
	LeakedComm LeakKind = iota
	LeakedReceive
	LeakedMessage
	LeakedDup
	LeakedContext // Count is the number of operations that refer to the communicator
)

// Leaks lists the communicators, then the requests and messages, that the program did not end, in the order in which
// it made them. The world must be quiet, and have a trace.
func (w *World) Leaks() []Leak {
	list := w.leakedComms()
	for _, k := range w.lingering {
		list = append(list, Leak{Kind: LeakedContext, Comms: []int{k.info.ID}, Ranks: RanksOf(k.all...), Where: w.freedAt(k.info.ID),
			Call: CallFree, Count: int(k.underway + k.arrived)})
	}
	return append(list, w.Unfinished()...)
}

// Unfinished lists those leaks that are communication: receives, messages and duplications that never
// completed. The world must be quiet.
func (w *World) Unfinished() []Leak {
	var list []Leak
	var peers [][]int32
	at := map[leakOf]int{}
	add := func(rank int32, l leakOf, tag int32, peer ...int32) {
		i, ok := at[l]
		if !ok {
			i = len(list)
			at[l] = i
			list = append(list, Leak{Kind: l.kind, Comms: []int{l.comm}, Where: l.site.String(), Call: l.call, Tag: int(tag)})
			peers = append(peers, nil)
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
			add(int32(r), leakOf{LeakedReceive, q.comm.core.info.ID, q.call, q.site}, q.tag)
		}
		for _, q := range t.building {
			l := leakOf{LeakedDup, q.comm.core.info.ID, q.build.call, q.site}
			if _, told := at[l]; told {
				add(int32(r), l, 0)
			} else {
				add(int32(r), l, 0, q.build.absent(q.comm.core)...)
			}
		}
		for _, m := range t.inbox {
			add(int32(r), leakOf{LeakedMessage, m.core.info.ID, m.call, m.site}, m.tag, m.sender())
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

// leakOf is what equal leaks of several ranks have in common.
type leakOf struct {
	kind LeakKind
	comm int
	call Call
	site Site
}

// leakedComms lists the communicators that were never freed, those of one call together.
func (w *World) leakedComms() []Leak {
	freed := w.Snapshot().Freed()
	var list []Leak
	var members []int32
	for i, c := range w.comms {
		if c.ID >= firstID && !freed[c.ID] {
			if members == nil {
				list = append(list, Leak{Kind: LeakedComm, Where: c.Where, Call: c.Op})
			}
			l := &list[len(list)-1]
			l.Comms = append(l.Comms, c.ID)
			l.Count++
			members = append(append(members, c.Group...), c.Remote...)
		}
		if i+1 == len(w.comms) || w.comms[i+1].Step != c.Step {
			if members != nil {
				list[len(list)-1].Ranks = RanksOf(members...)
			}
			members = nil
		}
	}
	return list
}
