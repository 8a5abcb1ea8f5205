package engine

import "slices"

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

// Kind is the kind of c, also of one that is still being made.
func (c *Comm) Kind() Kind {
	if c.IsNull() {
		return Null
	}
	if c.shape().remote == nil {
		return Intra
	}
	return Inter
}

// shape is what c has in common with what it duplicates while it is still being made, or c's own; nil
// for a handle that never held a communicator.
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
	if err := c.check(CallTestInter); err != nil {
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
	if err := c.check(call); err != nil {
		return err
	}
	if c.core.remote == nil {
		return c.fail(ErrComm, call, "the communicator is an intracommunicator, which has no remote group", "")
	}
	return nil
}

// needIntra raises MPI_ERR_COMM unless c is an intracommunicator.
func (c *Comm) needIntra(call Call) error {
	if err := c.check(call); err != nil {
		return err
	}
	if c.core.remote != nil {
		return c.fail(ErrComm, call, "the communicator is an intercommunicator; this call is for intracommunicators", "")
	}
	return nil
}

// lacksInter says that a version of the standard has no such call on intercommunicators.
func (c *Comm) lacksInter(call Call) error {
	if c.core.remote == nil || c.p.w.std >= 20 {
		return nil
	}
	return c.fail(ErrComm, call, call.String()+" is for intracommunicators in MPI-"+c.p.w.std.String()+" (intercommunicators came with MPI-2.0)", "")
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
			op.err = op.wrong(ErrArg, "all processes of a group must pass the same high: "+op.sidesOf(
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
	w.make(op, []slice{alone(&Group{members: slices.Concat(first.members, second.members)})})
}

func truth(v int32) string {
	if v != 0 {
		return "true"
	}
	return "false"
}
