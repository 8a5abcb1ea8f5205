package reason

import (
	"commsplit/engine"

	"fmt"
	"slices"
)

// mergeMember explains MPI_Intercomm_merge: which group comes first.
func (c *call) mergeMember(e *Explanation, row int) {
	e.Rule = mergeRule
	high := c.ints("high")
	if !c.inter() || high == nil {
		return
	}
	passed := func(group []int32) string { return fmt.Sprint(high[c.row(int(group[0]))] != 0) }
	left, right := passed(c.on.Group), passed(c.on.Remote)
	e.add("side", "the %s group, rank %d there", sideName(c.right[row]), c.old[row])
	e.add("high", "%s in the left group, %s in the right group", left, right)
	rightFirst := left == "true"
	why := "it passed high=false"
	if left == right {
		rightFirst = slices.Min(c.on.Remote) < slices.Min(c.on.Group)
		why = "both passed the same, and it has the lowest world rank"
	}
	e.add("first", "the %s group: %s", sideName(rightFirst), why)
}

// bridgeMember explains MPI_Intercomm_create and MPI_Intercomm_create_from_groups: two groups, each
// with a leader.
func (c *call) bridgeMember(e *Explanation, row int) {
	e.Rule = bridgeRule
	info := c.s.Comm(c.step.Made[c.part[row]])
	mine, other := info.Group, info.Remote
	if c.far[row] {
		mine, other = other, mine
	}
	e.add("side", "the %s group, %d ranks; the %s group has %d",
		sideName(c.far[row]), len(mine), sideName(!c.far[row]), len(other))
	if local, remote := c.ints("local_leader"), c.ints("remote_leader"); local != nil && remote != nil {
		leader := mine[local[row]]
		e.add("local leader", "rank %d of this group, world rank %d", local[row], leader)
		where := "the leader's peer_comm"
		if c.step.Call == engine.CallIntercommCreateFromGroups {
			where = "the remote group"
		}
		e.add("remote leader", "rank %d in %s", remote[c.row(int(leader))], where)
	}
	if tag := c.ints("tag"); tag != nil {
		e.add("tag", "%d", tag[row])
	}
}
