package reason

import (
	"fmt"

	"commsplit/engine"
)

// member adds why the process of a row is in the communicator that the call gave it. focus is that
// row when it is about this process alone, otherwise -1.
func (c *call) member(e *Explanation, row, focus int) {
	e.In = c.step.Call.Rule()
	switch c.step.Call {
	case engine.CallSplit:
		c.splitMember(e, row, focus)
	case engine.CallSplitType:
		c.typeMember(e, row, focus)
	case engine.CallCreate, engine.CallCreateGroup, engine.CallCreateFromGroup:
		c.groupMember(e, row, focus)
	case engine.CallDup, engine.CallDupWithInfo, engine.CallIdup, engine.CallIdupWithInfo:
		c.dupMember(e, row, focus)
	case engine.CallMerge:
		c.mergeMember(e, row)
	case engine.CallIntercommCreate, engine.CallIntercommCreateFromGroups:
		c.bridgeMember(e, row)
	default:
		c.placed(e, row, focus)
	}
}

// null adds why the process of a row got MPI_COMM_NULL.
func (c *call) null(e *Explanation, row int, alone bool) {
	e.In = c.step.Call.Rule()
	switch c.step.Call {
	case engine.CallSplit:
		c.splitNull(e, row)
	case engine.CallSplitType:
		c.typeNull(e, row, alone)
	case engine.CallCreate:
		c.groupNull(e, row)
	default:
		e.add("members", "%d of the %d processes that called", c.members, len(c.world))
		e.Rule = gridRule
	}
}

// same lists the rows that got the same communicator as row, on the same side.
func (c *call) same(row int) []int {
	return c.rows(func(r int) bool { return c.part[r] == c.part[row] && c.far[r] == c.far[row] })
}

// dupMember explains a duplicate: nobody moves.
func (c *call) dupMember(e *Explanation, row, focus int) {
	e.Facts = []Fact{{"position", "as in the communicator that was duplicated"}}
	if focus >= 0 {
		e.Facts[0].Text = fmt.Sprintf("rank %d, as in the communicator that was duplicated", c.old[row])
	}
	e.Rule = dupRule
}

// groupMember explains the calls that take a group: the position in it is the rank.
func (c *call) groupMember(e *Explanation, row, focus int) {
	if group := c.text("group", row); group != "" {
		e.add("group", "%s, as world ranks", group)
	}
	if focus >= 0 {
		e.add("position", "world rank %d stands at position %d of the group passed", c.world[row], c.seat[row])
	}
	if tags := c.ints("tag"); tags != nil {
		e.add("tag", "%d", tags[row])
	}
	e.Rule = groupRule
}

// groupNull explains MPI_Comm_create on a process that is in no group.
func (c *call) groupNull(e *Explanation, row int) {
	group := c.text("group", row)
	switch {
	case group == "MPI_GROUP_EMPTY":
		e.add("group", "%s: no process is in it", group)
	case c.inter() && len(c.step.Made) == 0:
		e.add("group", "%s, as world ranks", group)
		e.add("other side", "an intercommunicator has two groups, and one of the two is empty here")
	default:
		e.add("group", "%s, as world ranks: this process is not in it", group)
	}
	e.Rule = groupRule
}

// outsider explains a constructor that was local: the process passed a group that it is not in.
func outsider(e *Explanation, o *engine.Origin) {
	e.add("call", "%s, which met nobody: it was local here", o.Call)
	if len(o.Group) > 0 {
		e.add("group", "%s, as world ranks: this process is not in it", groupText(o.Group))
	} else {
		e.add("group", "MPI_GROUP_EMPTY: no process is in it")
	}
	e.Rule, e.In = localRule, o.Call.Rule()
}

// groupText is a group in its order: "{0,2,4}". Long ones are cut.
func groupText(members []int32) string {
	const most = 12
	text := "{"
	for i, m := range members {
		if i == most {
			return text + fmt.Sprintf(",... %d in all}", len(members))
		}
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(m)
	}
	return text + "}"
}

// placed explains constructors whose arguments lay processes out in their own ways, such as those
// of virtual topologies: the position alone.
func (c *call) placed(e *Explanation, row, focus int) {
	if focus >= 0 {
		e.add("position", "rank %d before the call, rank %d now", c.old[row], c.seat[row])
	}
	e.add("members", "%d of the %d processes that called", len(c.same(row)), len(c.world))
	e.Rule = c.step.Call.String() + " lays the processes out as its arguments say."
}
