package engine

import "fmt"

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
		return nil, c.fail(ErrRank, call, fmt.Sprintf("local_leader must be a rank of the local communicator, 0 to %d", n-1), fmt.Sprintf("local_leader %d", localLeader))
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
		return nil, c.fail(ErrComm, call, "peer_comm is not there yet: wait for the request of "+peer.ext.making.build.call.String()+" first", "")
	}
	if peer.IsNull() || peer.core == nil {
		return nil, c.fail(ErrComm, call, "peer_comm is MPI_COMM_NULL at the local leader, which must be a member of it", "")
	}
	members := peer.peers().members
	if remoteLeader < 0 || remoteLeader >= len(members) {
		return nil, c.fail(ErrRank, call, fmt.Sprintf("remote_leader must be a rank of the peer communicator, 0 to %d", len(members)-1), fmt.Sprintf("remote_leader %d", remoteLeader))
	}
	if members[remoteLeader] == c.p.rank {
		return nil, c.fail(ErrRank, call, "remote_leader must be the leader of the other group, not the local leader itself", fmt.Sprintf("remote_leader %d", remoteLeader))
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
	return c.fail(ErrTag, call, fmt.Sprintf("a tag lies between 0 and MPI_TAG_UB (%d), and is no wildcard", TagUB), fmt.Sprintf("tag %d", tag))
}

// finishIntercommCreate takes the call over one local communicator to its partner.
func (op *operation) finishIntercommCreate(w *World) {
	var mine *half // there is none when nobody takes the lead
	if op.err = op.checkHalf(); op.err == nil {
		mine = op.x[op.a[0]].(*half)
	}
	op.seek(w, mine)
}

// checkHalf holds what the processes of one group passed against the rules.
func (op *operation) checkHalf() *Error {
	if err := op.agreeOnLeader(); err != nil {
		return err
	}
	if h := op.x[op.a[0]].(*half); op.core.group.has(h.remote) {
		return op.wrong(ErrGroup, fmt.Sprintf("the two groups of an intercommunicator must be disjoint, but the remote leader, world rank %d, is in the local group %s; "+
			"a real MPI would hang here: first make communicators for the two groups, with MPI_Comm_split", h.remote, op.core.group.braces()))
	}
	return nil
}
