package engine

import (
	"fmt"
	"slices"
)

// An intercommunicator joins two disjoint groups (§7.6). To a process, its own group is the local
// one and the other the remote one; left and right name them the same for everybody. Rank and Size
// speak of the local group, the ranks of messages and roots of the remote one.

// slot is the index of the process in the columns of an operation on c: those of the left group come
// first.
func (c *Comm) slot() int32 {
	if c.right {
		return c.rank + int32(len(c.core.group.members))
	}
	return c.rank
}

// local is the group of the process, which for an intracommunicator is the only one.
func (c *Comm) local() *Group {
	if c.right {
		return c.core.remote
	}
	return c.core.group
}

// peers is the group whose ranks messages and roots name: the remote one, or the only one.
func (c *Comm) peers() *Group {
	if c.core.remote == nil || c.right {
		return c.core.group
	}
	return c.core.remote
}

// slotOf is the index of a world rank in the columns of an operation, or Undefined.
func (k *core) slotOf(world int32) int {
	if r := k.group.rankOf(world); r != Undefined || k.remote == nil {
		return r
	}
	if r := k.remote.rankOf(world); r != Undefined {
		return r + len(k.group.members)
	}
	return Undefined
}

// ascending lists the slots by ascending world rank; nil when that is their order.
func (k *core) ascending() []int32 {
	if k.remote == nil {
		return k.group.ascending()
	}
	return (&Group{members: k.all}).ascending()
}

// Kind is what sort of communicator a handle holds, for display.
type Kind int

// The kinds of communicator.
const (
	Null Kind = iota // MPI_COMM_NULL
	Intra
	Inter
)

// Kind is the kind of c; c may still be in the making.
func (c *Comm) Kind() Kind {
	if c.IsNull() {
		return Null
	}
	if c.shape().remote == nil {
		return Intra
	}
	return Inter
}

// shape is the core of c. While c is in the making, it is the core of the communicator that c will duplicate: both
// have the same groups and topology. nil for a handle that never held a communicator.
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

// RemoteSize is the number of processes in the remote group (MPI_Comm_remote_size, §7.6.1). An
// intracommunicator has none: MPI_ERR_COMM.
func (c *Comm) RemoteSize() (int, error) {
	g, err := c.remoteGroup(CallRemoteSize)
	return g.Size(), err
}

// RemoteGroup is the remote group (MPI_Comm_remote_group, §7.6.1). An intracommunicator has none:
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

// lacksInter says that a version of the standard has no such call on intercommunicators.
func (c *Comm) lacksInter(call Call) error {
	if c.core.remote == nil || c.p.w.std >= 20 {
		return nil
	}
	return c.fail(MistakeIntercommStd.In(call, call, c.p.w.std))
}

// Merge joins the two groups of an intercommunicator into one intracommunicator
// (MPI_Intercomm_merge, §7.6.2): the group that passes high=false comes first, each in its own
// order. When both pass the same, the standard leaves the order open; here the group with the
// lowest world rank comes first. All processes of a group must pass the same: else MPI_ERR_ARG on
// every process.
func (c *Comm) Merge(high bool) (*Comm, error) {
	if err := c.needInter(CallMerge); err != nil {
		return nil, err
	}
	a := int32(0)
	if high {
		a = 1
	}
	d, _, err := c.construct(CallMerge, a, 0, nil)
	return d, err
}

func (op *operation) finishMerge(w *World) {
	left, right := op.core.group, op.core.remote
	n := len(left.members)
	highs := [2]int32{op.a[0], op.a[n]}
	for slot, high := range op.a {
		if side := min(slot/n, 1); high != highs[side] {
			op.err = op.wrong(MistakeHighsDiffer, op.sidesOf(
				func(slot int) bool { return min(slot/n, 1) == side },
				func(slot int) string { return "high=" + truth(op.a[slot]) }))
			return
		}
	}
	leftFirst := highs[0] < highs[1] || highs[0] == highs[1] && lowest(left.members) < lowest(right.members)
	part, newRank := op.grouping()
	first, offset := left, [2]int32{0, int32(n)}
	second := right
	if !leftFirst {
		first, second = right, left
		offset = [2]int32{int32(len(right.members)), 0}
	}
	for slot := range part {
		part[slot] = 0
		if slot < n {
			newRank[slot] = offset[0] + int32(slot)
		} else {
			newRank[slot] = offset[1] + int32(slot-n)
		}
	}
	w.make(op, []newcomm{alone(&Group{members: slices.Concat(first.members, second.members)})})
}

func truth(v int32) string {
	if v != 0 {
		return "true"
	}
	return "false"
}

// CreateIntercomm joins the group of c, an intracommunicator, with another group into an
// intercommunicator (MPI_Intercomm_create, §7.6.2). It is collective over both groups. In each, all
// processes name the same local leader, a rank of c; peer, remoteLeader (the other group's leader, a
// rank of peer) and tag matter only there, and both leaders must be in the peer communicator and
// use the same tag. The groups must be disjoint: else MPI_ERR_GROUP. A rank out of range or a leader
// that names itself: MPI_ERR_RANK; a wildcard or negative tag: MPI_ERR_TAG.
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
	d, _, err := c.construct(call, int32(localLeader), int32(tag), x)
	return d, err
}

// lead checks the arguments that matter at the local leader.
func (c *Comm) lead(peer *Comm, remoteLeader, tag int) (*half, error) {
	const call = CallIntercommCreate
	if peer.Pending() {
		return nil, c.fail(MistakeCommPending.In(call).saying("peer_comm is not there yet: wait for the request of %s first", peer.ext.making.build.call))
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

// checkTag raises MPI_ERR_TAG unless tag is one that messages may have.
func (c *Comm) checkTag(call Call, tag int) error {
	if tag >= 0 && tag <= TagUB {
		return nil
	}
	return c.fail(MistakeTag.In(call, TagUB, ", and is no wildcard").passingInt("tag", tag))
}

// finishIntercommCreate takes the call over one local communicator to its partner.
func (op *operation) finishIntercommCreate(w *World) {
	var mine *half // there is none when nobody takes the lead
	if op.err = op.checkHalf(); op.err == nil {
		mine = op.x[op.a[0]].(*half)
	}
	op.seek(w, mine)
}

// checkHalf holds the arguments of the processes of one group against the rules.
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
// (MPI_Intercomm_create_from_groups, §7.6.2). All processes of both groups call it, each with its own
// group as local. In each group all pass the same local group, local leader (a rank of it) and
// stringtag; the remote group and its leader matter at the local leader only. With MPI_GROUP_EMPTY for
// either group the call is local and gives nil. info and errhandler as in [Process.CreateFromGroup].
// Groups that overlap, or leaders that name different groups: MPI_ERR_GROUP; a leader that is no rank of
// its group: MPI_ERR_RANK; differing local leaders: MPI_ERR_ARG.
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

// leadGroups checks the leaders. At the local leader it also checks the remote group, and returns the half; at the
// other processes it returns nil.
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

// finishIntercommFromGroups takes the call over one local group to its partner.
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
