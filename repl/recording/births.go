package recording

import (
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
)

// childKey identifies one of the communicators that a call made, by the leaders of its groups.
type childKey struct{ low, high int32 }

// born makes the communicators that a meeting gave its processes.
func (a *assembly) born(m *meeting) error {
	made := map[childKey]*comm{}
	answers, refusals := 0, 0
	a.deduce(m)
	for _, c := range m.callers {
		p := c.stream.p
		k := &p.calls[c.call]
		switch k.result.kind {
		case pending:
			continue
		case failed:
			refusals++
			continue
		}
		answers++
		if k.result.kind != gotComm {
			continue
		}
		if err := a.member(m, made, p, k); err != nil {
			return &located{at(p, k), err}
		}
	}
	m.fill()
	if a.Trace != "" {
		m.shape()
	}
	m.blocked, m.refused = answers+refusals == 0, answers == 0 && refusals > 0
	for _, k := range m.children {
		if p := m.parent; p != nil && k.remote == nil && slices.Equal(k.members, p.members) {
			k.members = p.members // a duplicate
		}
	}
	a.comms = append(a.comms, m.children...)
	return nil
}

// fill finds members of which there is no record: those of a duplicate, a single one, or as many as there are places.
func (m *meeting) fill() {
	var holes []*int32
	for _, k := range m.children {
		k.members[0] = k.leader
		if k.remote != nil {
			k.remote[0] = k.remoteLeader
		}
		for _, group := range [][]int32{k.members, k.remote} {
			for i := range group {
				if i > 0 && group[i] < 0 {
					holes = append(holes, &group[i])
				}
			}
		}
		if m.op.call == engine.CallDup && len(k.members) == len(m.parent.members) && len(k.remote) == len(m.parent.remote) {
			copy(k.members, m.parent.members)
			copy(k.remote, m.parent.remote)
			return
		}
	}
	var left []int32 // processes that told nothing, and have no place yet
	for _, w := range m.absent {
		if !slices.ContainsFunc(m.children, func(k *comm) bool { return slices.Contains(k.members, w) || slices.Contains(k.remote, w) }) {
			left = append(left, w)
		}
	}
	if len(holes) != len(left) {
		return
	}
	for i, h := range holes {
		*h = left[i]
	}
	for _, k := range m.children {
		k.guessed = len(holes) > 1
	}
}

// member makes a process a member of the communicator that a call gave it.
func (a *assembly) member(m *meeting, made map[childKey]*comm, p *Process, k *call) error {
	r := &k.result
	key := childKey{r.leader, r.leader}
	swapped := false
	if r.remote > 0 {
		key = childKey{min(r.leader, r.remoteLeader), max(r.leader, r.remoteLeader)}
		swapped = r.leader > r.remoteLeader
	}
	alone := m.op.call == engine.CallIntercommCreate && (m.other == nil || m.other.kind == foreigner)
	if r.leader < 0 || r.remote > 0 && r.remoteLeader < 0 || alone {
		p.comms[r.id] = &comm{kind: foreigner, maker: m}
		return nil
	}
	if int(max(r.leader, r.remoteLeader)) >= len(a.Processes) {
		return fmt.Errorf("there is no rank %d: the run had %d ranks", max(r.leader, r.remoteLeader), len(a.Processes))
	}
	n := max(m.expected, len(m.callers)+len(m.absent))
	left, right := r.size, r.remote
	if swapped {
		left, right = right, left
	}
	if int(r.size)+int(max(r.remote, 0)) > n {
		return fmt.Errorf("a communicator of %d processes cannot come from a call of %d", int(r.size)+int(max(r.remote, 0)), n)
	}
	child := made[key]
	if child == nil {
		if err := a.holds(int(left + max(right, 0))); err != nil {
			return err
		}
		child = &comm{maker: m, members: slices.Repeat([]int32{-1}, int(left)), leader: key.low, remoteLeader: key.high}
		if right > 0 {
			child.remote = slices.Repeat([]int32{-1}, int(right))
		}
		made[key] = child
		m.children = append(m.children, child)
	}
	group := child.members
	if swapped {
		group = child.remote
	}
	if len(child.members) != int(left) || len(child.remote) != int(max(right, 0)) || group[r.rank] >= 0 ||
		r.rank == 0 && int(r.leader) != p.Rank {
		return fmt.Errorf("the process is rank %d of %d in a communicator led by %d, and another process says otherwise",
			r.rank, r.size, r.leader)
	}
	if p.comms[r.id] != nil {
		return fmt.Errorf("communicator %d already exists", r.id)
	}
	group[r.rank] = int32(p.Rank)
	p.comms[r.id] = child
	return nil
}
