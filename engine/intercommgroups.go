package engine

import "fmt"

// CreateIntercommFromGroups makes an intercommunicator of two disjoint groups without a parent
// (MPI_Intercomm_create_from_groups, §7.6.2). All processes of both groups call it, each with its own
// group as local. In each group all pass the same local group, local leader (a rank of it) and
// stringtag; the remote group and its leader matter at the local leader only. With MPI_GROUP_EMPTY for
// either group the call is local and gives nil. info and errhandler as in [Process.CreateFromGroup].
// Groups that overlap or that the leaders do not agree on: MPI_ERR_GROUP; a leader that is no rank of
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

// leadGroups checks the leaders, and at the local leader what the remote side is; elsewhere it gives
// nil.
func (p *Process) leadGroups(i *invitation, remote *Group, remoteLeader int) (*half, *Error) {
	const call = CallIntercommCreateFromGroups
	wrong := func(class Class, format string, args ...any) *Error {
		return &Error{Class: class, Call: call, Comm: -1, Rule: call.Rule(), Text: fmt.Sprintf(format, args...)}
	}
	if n := i.group.Size(); i.leader < 0 || int(i.leader) >= n {
		return nil, wrong(ErrRank, "local_leader must be a rank of the local group, 0 to %d, not %d", n-1, i.leader)
	}
	if i.group.members[i.leader] != p.rank {
		return nil, nil
	}
	switch {
	case remote == nil:
		return nil, wrong(ErrGroup, "the remote group is MPI_GROUP_NULL at the local leader")
	case remote.session != i.group.session:
		return nil, wrong(ErrSession, "objects of different sessions, or of a session and the World Model, must not be mixed in one call [§11.3]: the local group derives from %s, the remote group from %s",
			i.group.session.origin(), remote.session.origin())
	case remoteLeader < 0 || remoteLeader >= remote.Size():
		return nil, wrong(ErrRank, "remote_leader must be a rank of the remote group, 0 to %d, not %d", remote.Size()-1, remoteLeader)
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
			op.err = op.wrong(ErrGroup, fmt.Sprintf("the two groups of an intercommunicator must be disjoint: %s and %s have %s in common",
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
