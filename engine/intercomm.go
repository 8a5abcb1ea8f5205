package engine

import (
	"fmt"
	"slices"
	"strconv"
)

// An intercommunicator joins two disjoint groups (§7.6). To a process, its own group is the local group and the other
// one the remote group; left and right name the same groups for all processes. Rank and Size speak of the local group;
// messages and roots name ranks of the remote group.

// local returns the group of the process; of an intracommunicator, its only group.
func (c *Comm) local() *Group {
	if c.right {
		return c.core.remote
	}
	return c.core.group
}

// peers returns the group whose ranks messages and roots name: the remote group or, of an intracommunicator, the
// only one.
func (c *Comm) peers() *Group {
	if c.core.remote == nil || c.right {
		return c.core.group
	}
	return c.core.remote
}

// slotOf returns the index of a world rank in the columns of an operation, or Undefined.
func (k *core) slotOf(world int32) int {
	if r := k.group.rankOf(world); r != Undefined || k.remote == nil {
		return r
	}
	if r := k.remote.rankOf(world); r != Undefined {
		return r + len(k.group.members)
	}
	return Undefined
}

// Kind is the kind of communicator that a handle holds, for display.
type Kind int

// The kinds of communicator.
const (
	Null Kind = iota // MPI_COMM_NULL
	Intra
	Inter
)

// Kind returns the kind of c; c may be a communicator that is not made yet.
func (c *Comm) Kind() Kind {
	if c.IsNull() {
		return Null
	}
	if c.shape().remote == nil {
		return Intra
	}
	return Inter
}

// shape returns the core of c. For a duplicate that is not made yet, it returns the core of the original, which has the
// same groups and topology; for a handle that never held a communicator, nil.
func (c *Comm) shape() *core {
	if c.Pending() && c.core == nil {
		return c.ext.making.comm.core
	}
	if c == nil {
		return nil
	}
	return c.core
}

// IsInter reports whether c is an intercommunicator (MPI_Comm_test_inter, §7.6.1).
func (c *Comm) IsInter() (bool, error) {
	if err := c.Check(CallTestInter); err != nil {
		return false, err
	}
	return c.core.remote != nil, nil
}

// RemoteSize returns the number of processes in the remote group (MPI_Comm_remote_size, §7.6.1). An
// intracommunicator has no remote group: MPI_ERR_COMM.
func (c *Comm) RemoteSize() (int, error) {
	g, err := c.remoteGroup(CallRemoteSize)
	return g.Size(), err
}

// RemoteGroup returns the remote group (MPI_Comm_remote_group, §7.6.1). An intracommunicator has no remote group:
// MPI_ERR_COMM.
func (c *Comm) RemoteGroup() (*Group, error) { return c.remoteGroup(CallRemoteGroup) }

func (c *Comm) remoteGroup(call Call) (*Group, error) {
	if err := c.needInter(call); err != nil {
		return nil, err
	}
	return c.peers(), nil
}

// needInter raises MPI_ERR_COMM unless c is an intercommunicator.
func (c *Comm) needInter(call Call) error {
	if err := c.Check(call); err != nil {
		return err
	}
	if c.core.remote == nil {
		return c.fail(MistakeIntracomm.In(call))
	}
	return nil
}

// needIntra raises MPI_ERR_COMM unless c is an intracommunicator.
func (c *Comm) needIntra(call Call) error {
	if err := c.Check(call); err != nil {
		return err
	}
	if c.core.remote != nil {
		return c.fail(MistakeIntercomm.In(call))
	}
	return nil
}

// Merge joins the two groups of an intercommunicator into one intracommunicator (MPI_Intercomm_merge, §7.6.2): the
// group that passes high=false comes first, each group in its own order. When both groups pass the same, the
// standard leaves the order open; here the group with the lowest world rank comes first. All processes of a group
// must pass the same high: else MPI_ERR_ARG on every process.
func (c *Comm) Merge(high bool) (*Comm, error) {
	if err := c.needInter(CallMerge); err != nil {
		return nil, err
	}
	return c.construct(CallMerge, flag(high), 0, nil)
}

func (op *operation) finishMerge(w *World) {
	left, right := op.core.group, op.core.remote
	n := len(left.members)
	highs := [2]int32{op.a[0], op.a[n]}
	for slot, high := range op.a {
		if side := min(slot/n, 1); high != highs[side] {
			op.err = op.wrong(MistakeHighsDiffer, op.sidesOf(
				func(slot int) bool { return min(slot/n, 1) == side },
				func(slot int) string { return "high=" + strconv.FormatBool(op.a[slot] != 0) }))
			return
		}
	}
	leftFirst := highs[0] < highs[1] || highs[0] == highs[1] && slices.Min(left.members) < slices.Min(right.members)
	members, first := op.core.all, 0 // first: the new rank of slot 0
	if !leftFirst {
		members, first = slices.Concat(right.members, left.members), len(right.members)
	}
	part, newRank := op.grouping()
	for slot := range part {
		part[slot], newRank[slot] = 0, int32((first+slot)%len(part))
	}
	w.make(op, []*Group{{members: members}}, nil)
}

// CreateIntercomm joins the group of c, an intracommunicator, with another group into an intercommunicator
// (MPI_Intercomm_create, §7.6.2). It is collective over both groups. All processes of a group name the same local
// leader, a rank of c. peer, remoteLeader (the other group's leader, a rank of peer) and tag matter only at the local
// leader; both leaders must be in the peer communicator and use the same tag. The groups must be disjoint: else
// MPI_ERR_GROUP. A rank out of range or a leader that names itself: MPI_ERR_RANK; a wildcard or negative tag:
// MPI_ERR_TAG.
func (c *Comm) CreateIntercomm(localLeader int, peer *Comm, remoteLeader, tag int) (*Comm, error) {
	const call = CallIntercommCreate
	if err := c.needIntra(call); err != nil {
		return nil, err
	}
	if n := len(c.core.group.members); localLeader < 0 || localLeader >= n {
		return nil, c.fail(MistakeLocalLeader.In(call, n-1).passingInt("local_leader", localLeader))
	}
	var x any
	if localLeader == int(c.rank) {
		h, err := c.lead(peer, remoteLeader, tag)
		if err != nil {
			return nil, err
		}
		x = h
	}
	return c.construct(call, int32(localLeader), int32(tag), x)
}

// lead checks the arguments that matter only at the local leader.
func (c *Comm) lead(peer *Comm, remoteLeader, tag int) (*half, error) {
	const call = CallIntercommCreate
	if peer.Pending() {
		return nil, c.fail(MistakeCommPending.In(call).saying("peer_comm is not ready: wait for the request of %s first", peer.ext.making.build.call))
	}
	if peer.IsNull() || peer.core == nil {
		return nil, c.fail(MistakePeerCommNull.In(call))
	}
	members := peer.peers().members
	if remoteLeader < 0 || remoteLeader >= len(members) {
		return nil, c.fail(MistakeRemoteLeader.In(call, len(members)-1).passingInt("remote_leader", remoteLeader))
	}
	if members[remoteLeader] == c.p.rank {
		return nil, c.fail(MistakeLeadsItself.In(call).passingInt("remote_leader", remoteLeader))
	}
	if err := c.checkTag(call, tag); err != nil {
		return nil, err
	}
	return &half{call: call, peer: peer.core, leader: c.p.rank, remote: members[remoteLeader], remoteRank: int32(remoteLeader), tag: int32(tag)}, nil
}

// checkTag raises MPI_ERR_TAG unless a message may have the tag.
func (c *Comm) checkTag(call Call, tag int) error {
	if tag >= 0 && tag <= TagUB {
		return nil
	}
	return c.fail(MistakeTag.In(call, TagUB, ", and is not a wildcard").passingInt("tag", tag))
}

// finishIntercommCreate takes the complete call of one local group to the call of the other group.
func (op *operation) finishIntercommCreate(w *World) {
	var mine *half // nil when no process is the leader
	if op.err = op.checkHalf(); op.err == nil {
		mine = op.x[op.a[0]].(*half)
	}
	op.seek(w, mine)
}

// checkHalf returns an error when the processes of one group name different leaders, or the groups overlap.
func (op *operation) checkHalf() *Error {
	if err := op.agreeOnLeader(); err != nil {
		return err
	}
	if h := op.x[op.a[0]].(*half); op.core.group.has(h.remote) {
		return op.wrong(MistakeGroupsOverlap, fmt.Sprintf(", but the remote leader, world rank %d, is in the local group %s; "+
			"a real MPI would hang here: first make communicators for the two groups, with MPI_Comm_split", h.remote, op.core.group.braces()))
	}
	return nil
}

// CreateIntercommFromGroups makes an intercommunicator of two disjoint groups without a parent
// (MPI_Intercomm_create_from_groups, §7.6.2). All processes of both groups call it, each with its own group as local.
// All processes of a group pass the same local group, local leader (a rank of the local group) and stringtag; the
// remote group and its leader matter only at the local leader. With MPI_GROUP_EMPTY for either group the call is local
// and returns nil. info and errhandler are as in [Process.CreateFromGroup]. Groups that overlap, or leaders that name
// different groups: MPI_ERR_GROUP; a leader that is not a rank of its group: MPI_ERR_RANK; differing local leaders:
// MPI_ERR_ARG.
func (p *Process) CreateIntercommFromGroups(local *Group, localLeader int, remote *Group, remoteLeader int, stringtag string, info *Info, errhandler *Errhandler) (*Comm, error) {
	const call = CallIntercommCreateFromGroups
	e := p.checkFromGroup(call, local, stringtag, info, errhandler)
	if e == nil && (local.Size() == 0 || remote != nil && remote.Size() == 0 || !local.has(p.rank)) {
		p.returnNull(call, nil, local)
		return nil, nil // a local call
	}
	i := &invitation{stringtag: stringtag, group: local, leader: int32(localLeader)}
	if e == nil {
		i.half, e = p.leadGroups(i, remote, remoteLeader)
	}
	if e != nil {
		return nil, p.raiseFromGroup(local, errhandler, e)
	}
	op, failed := p.meetOver(post{call: call, x: i})
	if failed != nil {
		return nil, p.raiseFromGroup(local, errhandler, failed)
	}
	return op.madeOver(p).dressed(info, errhandler), nil
}

// leadGroups checks the leaders. At the local leader it also checks the remote group and returns the leader's half of
// the call; elsewhere it returns nil.
func (p *Process) leadGroups(i *invitation, remote *Group, remoteLeader int) (*half, *Error) {
	const call = CallIntercommCreateFromGroups
	if n := i.group.Size(); i.leader < 0 || int(i.leader) >= n {
		return nil, MistakeLocalLeader.In(call).saying("local_leader must be a rank of the local group, 0 to %d, not %d", n-1, i.leader)
	}
	if i.group.members[i.leader] != p.rank {
		return nil, nil
	}
	switch {
	case remote == nil:
		return nil, MistakeGroupNull.In(call).saying("the remote group is MPI_GROUP_NULL at the local leader")
	case remote.session != i.group.session:
		return nil, MistakeSessionsMixed.In(call, "the local group", i.group.session.origin(), "the remote group", remote.session.origin())
	case remoteLeader < 0 || remoteLeader >= remote.Size():
		return nil, MistakeRemoteLeader.In(call).saying("remote_leader must be a rank of the remote group, 0 to %d, not %d", remote.Size()-1, remoteLeader)
	}
	return &half{call: call, leader: p.rank, remote: remote.members[remoteLeader], remoteRank: int32(remoteLeader), stringtag: i.stringtag, group: remote}, nil
}

// finishIntercommFromGroups takes the complete call of one local group to the call of the other group.
func (op *operation) finishIntercommFromGroups(w *World) {
	var mine *half
	for slot, x := range op.x {
		i := x.(*invitation)
		op.a[slot] = i.leader
		if i.half != nil {
			mine = i.half
		}
	}
	if op.err = op.agreeOnLeader(); op.err == nil {
		if both := mine.group.filter(op.core.group.has); both.Size() > 0 {
			op.err = op.wrong(MistakeGroupsOverlap, fmt.Sprintf(": %s and %s have %s in common",
				op.core.group.braces(), mine.group.braces(), RanksOf(both.members...).Noun()))
		}
	}
	if op.err == nil {
		for _, x := range op.x {
			x.(*invitation).half = mine // all wait for the other group now
		}
	}
	op.seek(w, mine)
}
