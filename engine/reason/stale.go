package reason

import (
	"fmt"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// Stale tells that a communicator of a split by hardware no longer reflects the hardware that its processes use: the
// same split would now give the instance other processes. The text warns of that (§7.4.2, advice to users); the
// communicator itself works as before. A duplicate "has the same properties as the original", so it is stale, too.
//
// An unguided split might also choose another type now. That makes nothing stale: its communicators still have the
// processes of one instance.
type Stale struct {
	Comm     int
	Original int // the communicator from which Comm was duplicated, in one or more steps; else Comm
	Resource *hw.Resource
	Instance int    // which of the resource's instances the communicator was made for
	Left     []Move // processes of the communicator that have left the instance
	Joined   []Move // processes of the split that have come to the instance, and are not in the communicator
}

// Move has ranks that run on the same PUs now.
type Move struct {
	Ranks engine.Ranks
	PUs   string // "PUs 4-5", "PU 4", with several hosts "PUs 4-5 of node1"
	Where string // the instances of the resource type there: "NUMANode L#1", "no L3Cache"
}

// StaleComms returns the communicators that are stale, by id, except freed ones.
func StaleComms(s *engine.Snapshot) map[int]*Stale {
	stale := map[int]*Stale{}
	if len(s.Rebound(0)) == 0 {
		return stale
	}
	for i := range s.Steps {
		st := &s.Steps[i]
		moved := s.Rebound(st.Number)
		if len(moved) == 0 {
			break
		}
		if st.Call == engine.CallSplitType && len(st.Made) > 0 {
			aging{newCall(s, st), stale}.look(moved)
		}
	}
	for _, c := range s.Comms {
		if original := stale[c.Parent]; original != nil && c.Op.Duplicates() {
			x := *original
			x.Comm = c.ID
			stale[c.ID] = &x
		}
	}
	for id := range s.Freed() {
		delete(stale, id)
	}
	return stale
}

// aging compares a split by hardware with the places where its processes run now.
type aging struct {
	*call
	stale map[int]*Stale
}

// look notes which communicators of the split are stale since some ranks moved.
func (a aging) look(moved engine.Ranks) {
	then := a.byHardware()
	if then.chosen < 0 {
		return // it was by process sets, which nobody leaves
	}
	now := *then
	now.bindings, now.instances = a.s.Bindings, map[ofBinding][]*hw.Object{}
	of := map[int]int{} // communicators by instance
	for _, id := range a.step.Made {
		of[a.s.Comm(id).Instance] = id
	}
	for rank := range moved.All {
		row := a.row(rank)
		if row < 0 || a.undefined(row) {
			continue
		}
		was, is := then.instance(then.chosen, rank), now.instance(now.chosen, rank)
		if was == is {
			continue
		}
		if id, ok := of[was]; ok {
			x := a.of(id, then)
			x.Left = withMove(x.Left, &now, rank)
		}
		if id, ok := of[is]; ok {
			x := a.of(id, then)
			x.Joined = withMove(x.Joined, &now, rank)
		}
	}
}

func (a aging) of(id int, h *hardware) *Stale {
	if a.stale[id] == nil {
		a.stale[id] = &Stale{Comm: id, Original: id, Resource: h.resource(), Instance: a.s.Comm(id).Instance}
	}
	return a.stale[id]
}

// withMove adds a rank to the move of ranks that run on the same PUs, or a new move.
func withMove(list []Move, h *hardware, rank int) []Move {
	m := Move{engine.RanksOf(rank), h.pus(rank), h.names(h.chosen, rank)}
	if m.Where == "" {
		m.Where = "no " + bare(h.resource().URI)
	}
	for i := range list {
		if list[i].PUs == m.PUs && list[i].Where == m.Where {
			list[i].Ranks.Append(int32(rank))
			return list
		}
	}
	return append(list, m)
}

// Made names the instance that the communicator was made for: "NUMANode L#0".
func (x *Stale) Made() string {
	return fmt.Sprintf("%s L#%d", bare(x.Resource.URI), x.Resource.Instances[x.Instance].LogicalIndex)
}

// Why writes who moved: "rank 3 now runs on PUs 4-5, NUMANode L#1 (P#1); the communicator was made for NUMANode L#0".
func (x *Stale) Why() string {
	var parts []string
	for _, m := range x.Left {
		parts = append(parts, m.String())
	}
	for _, m := range x.Joined {
		parts = append(parts, m.String()+choose(m.Ranks, ", and is not in it", ", and are not in it"))
	}
	const most = 4
	if n := len(parts); n > most {
		parts = append(parts[:most], fmt.Sprintf("%d more places", n-most))
	}
	return strings.Join(parts, "; ") + "; the communicator was made for " + x.Made()
}

func (m Move) String() string {
	return fmt.Sprintf("%s now %s on %s, %s", m.Ranks.Noun(), choose(m.Ranks, "runs", "run"), m.PUs, m.Where)
}

func choose(who engine.Ranks, one, several string) string {
	if who.Len() == 1 {
		return one
	}
	return several
}
