package engine

import (
	"fmt"
	"slices"
)

// half is one group's side of an intercommunicator in the making: what its leader asks for.
type half struct {
	call           Call
	op             *operation // the call over the local group, once all of it have made it
	leader, remote int32      // world ranks of the two leaders
	remoteRank     int32      // of the remote one, as the leader named it

	peer *core // of MPI_Intercomm_create: where the leaders find each other
	tag  int32

	stringtag string // of MPI_Intercomm_create_from_groups
	group     *Group // the remote group
}

// fits reports whether two leaders found each other.
func (h *half) fits(g *half) bool {
	return h.call == g.call && h.peer == g.peer && h.tag == g.tag && h.stringtag == g.stringtag &&
		h.leader == g.remote && h.remote == g.leader
}

// agreeOnLeader holds the local leaders that the processes of one group name against each other.
func (op *operation) agreeOnLeader() *Error {
	for _, leader := range op.a {
		if leader != op.a[0] {
			return op.wrong(ErrArg, "all processes of a group must name the same local_leader: "+
				op.sides(func(slot int) string { return fmt.Sprintf("local_leader %d", op.a[slot]) }))
		}
	}
	return nil
}

// seek takes the complete call over one group to that of the other, unless it is erroneous.
func (op *operation) seek(w *World, mine *half) {
	if op.err == nil {
		w.pair(op, mine)
		return
	}
	op.endHalf(w)
	if w.trace {
		w.record(op)
	}
}

// pair joins a complete half with that of the other group, or keeps it until that comes.
func (w *World) pair(op *operation, mine *half) {
	mine.op = op
	other := w.halves[mine.remote]
	if other == nil || !mine.fits(other) {
		w.halves[mine.leader] = mine // which waits, so it leads no other
		return
	}
	delete(w.halves, other.leader)
	if op.core.low < other.op.core.low {
		w.join(mine, other)
	} else {
		w.join(other, mine)
	}
}

// join makes the intercommunicator of two halves and lets the processes of both go on. The group
// with the lowest world rank is the left one.
func (w *World) join(left, right *half) {
	a, b := left.op, right.op
	both := &operation{call: left.call, core: &core{info: a.core.info, group: a.core.group, remote: b.core.group,
		all: slices.Concat(a.core.all, b.core.all), low: a.core.low}}
	both.core.sessions = w.joined(both.core, a.core.sessions, b.core.sessions)
	both.a = slices.Concat(a.a, b.a)
	both.b = slices.Concat(filled(len(a.a), left.tag), filled(len(b.a), right.tag))
	both.x = []any{left, right}
	if both.err = both.checkGroupsOfHalves(left, right); both.err == nil {
		w.make(both, []slice{between(a.core.group, b.core.group)})
	}
	for _, op := range []*operation{a, b} {
		op.err, op.made = both.err, both.made
		op.right = op == b
		part, newRank := op.grouping()
		for r := range part {
			part[r], newRank[r] = 0, int32(r)
		}
	}
	if both.err == nil {
		a.handles, b.handles = both.handles[:len(a.a)], both.handles[len(a.a):]
	}
	if w.trace {
		w.record(both)
	}
	a.endHalf(w)
	b.endHalf(w)
}

// checkGroupsOfHalves holds the groups that the leaders named against each other.
func (op *operation) checkGroupsOfHalves(left, right *half) *Error {
	if left.group == nil || left.group.same(right.op.core.group) && right.group.same(left.op.core.group) {
		return nil
	}
	says := func(h *half) string {
		return fmt.Sprintf("rank %d passes local group %s and remote group %s", h.leader, h.op.core.group.braces(), h.group.braces())
	}
	return op.wrong(ErrGroup, "each leader's remote group must be the other one's local group: "+says(left)+"; "+says(right))
}

// joined tells from which sessions an intercommunicator derives: those of its two sides; nil unless
// both derive from sessions.
func (w *World) joined(k *core, left, right *derivation) *derivation {
	if left == nil || right == nil {
		return nil
	}
	d := &derivation{&Group{members: k.all}, make([]*Session, len(k.all))}
	for i, m := range k.all {
		side := left
		if i >= len(k.group.members) {
			side = right
		}
		d.sessions[i] = side.of(&w.procs[m])
	}
	return d
}

// endHalf lets the processes of one side go on.
func (op *operation) endHalf(w *World) {
	op.settle()
	op.reply(w)
	op.release(w)
}

// halfOf is the complete half that a process waits in for the other group; nil when there is none.
func (w *World) halfOf(p *Process) *half {
	var h *half
	switch c := &p.current; c.call {
	case CallIntercommCreate:
		if op := c.comm.core.pending.Load(); op != nil && op.call == c.call && op.arrived.Load() == int32(len(op.a)) {
			h = op.x[op.a[0]].(*half)
		}
	case CallIntercommCreateFromGroups:
		h = c.invitation().half
	}
	if h == nil || w.halves[h.leader] != h {
		return nil
	}
	return h
}

// rule is the sentence of the standard for groups that do not find each other.
func (h *half) rule() string {
	where := "peer communicator and tag"
	if h.peer == nil {
		where = "stringtag"
	}
	return fmt.Sprintf("Both groups must call %s; each leader names the other one, with the same %s [MPI-5.0 §7.6.2].", h.call, where)
}

// halfColumns are the arguments of the call in the order of the step's ranks: those of the leaders
// stand for their whole groups.
func (op *operation) halfColumns(order []int32) []Column {
	leader := Column{Name: "local_leader", Ints: reorder(op.a, order)}
	if op.core.remote == nil {
		return []Column{leader}
	}
	n := len(op.core.group.members)
	ofSide := func(f func(*half) int32) []int32 {
		return reorder(slices.Concat(filled(n, f(op.x[0].(*half))), filled(len(op.a)-n, f(op.x[1].(*half)))), order)
	}
	remote := Column{Name: "remote_leader", Ints: ofSide(func(h *half) int32 { return h.remoteRank })}
	if h := op.x[0].(*half); h.peer == nil {
		return []Column{leader, remote, op.texts("stringtag", order, func(int) string { return h.stringtag })}
	}
	return []Column{
		leader,
		{Name: "peer_comm", Ints: ofSide(func(h *half) int32 { return int32(h.peer.info.ID) })},
		remote,
		{Name: "tag", Ints: reorder(op.b, order)},
	}
}
