package reason

import (
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
)

// member adds why the process of a row is in the communicator that the call gave it. focus is this row when only this
// process is explained, otherwise -1.
func (c *call) member(e *Explanation, row, focus int) {
	e.In = c.step.Call.Rule()
	switch call := c.step.Call; {
	case call == engine.CallSplit:
		c.splitMember(e, row, focus)
	case call == engine.CallSplitType:
		c.typeMember(e, row, focus)
	case call.Duplicates():
		c.dupMember(e, row, focus)
	case call == engine.CallMerge:
		c.mergeMember(e, row, focus)
	case call.Procedure().Param("remote_leader") != nil: // two groups
		c.bridgeMember(e, row)
	case call.Procedure().Takes("MPI_Group") != nil:
		c.groupMember(e, row, focus)
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
		e.Rule = layoutRule(c.step.Call)
	}
}

// same lists the rows that got the same communicator as row, on the same side.
func (c *call) same(row int) []int {
	if c.places == nil {
		c.places = c.sorts(c.part, c.far)
	}
	return c.places[place{c.part[row], c.far[row]}]
}

// dupMember explains a duplicate, in which every process keeps its rank.
func (c *call) dupMember(e *Explanation, row, focus int) {
	e.Facts = []Fact{{"position", "as in the communicator that was duplicated"}}
	if focus >= 0 {
		e.Facts[0].Text = fmt.Sprintf("rank %d, as in the communicator that was duplicated", c.old[row])
	}
	e.Rule = dupRule
	if c.step.Call == engine.CallIdup || c.step.Call == engine.CallIdupWithInfo {
		e.Rule += pendingDup
	}
}

// groupMember explains the calls that take a group, whose order gives the ranks.
func (c *call) groupMember(e *Explanation, row, focus int) {
	if group := c.text("group", row); group != "" {
		e.add("group", "%s, as world ranks", group)
	}
	if focus >= 0 {
		e.add("position", "world rank %d is at position %d of the group passed", c.world[row], c.seat[row])
	}
	if tags := c.ints("tag"); tags != nil {
		e.add("tag", "%d", tags[row])
	}
	e.Rule = groupRule
}

// groupNull explains MPI_Comm_create on a process that is in no group.
func (c *call) groupNull(e *Explanation, row int) {
	if group := c.text("group", row); c.inter() && len(c.step.Made) == 0 && group != "MPI_GROUP_EMPTY" {
		e.add("group", "%s, as world ranks", group)
		e.add("other side", "an intercommunicator needs two nonempty groups, and one of them is empty here")
	} else {
		notIn(e, group)
	}
	e.Rule = groupRule
}

// outsider explains a constructor that returned MPI_COMM_NULL at once, since the process is not in the group that it
// passed.
func outsider(e *Explanation, o *engine.Origin) {
	e.add("call", "%s, which was local here: no other rank took part", o.Call)
	notIn(e, engine.Braces(o.Group))
	e.Rule, e.In = localRule, o.Call.Rule()
}

// notIn adds the group that a process passed and is not in.
func notIn(e *Explanation, group string) {
	if group == "MPI_GROUP_EMPTY" {
		e.add("group", "%s: no process is in it", group)
	} else {
		e.add("group", "%s, as world ranks: this process is not in it", group)
	}
}

// placed explains other constructors, such as those of virtual topologies, by the position alone.
func (c *call) placed(e *Explanation, row, focus int) {
	if focus >= 0 {
		e.add("position", "rank %d before the call, rank %d now", c.old[row], c.seat[row])
	}
	e.add("members", "%d of the %d processes that called", len(c.same(row)), len(c.world))
	e.Rule = layoutRule(c.step.Call)
}

// layoutRule returns how a constructor of a virtual topology lays processes out.
func layoutRule(call engine.Call) string {
	switch call {
	case engine.CallCartCreate:
		return cartRule
	case engine.CallCartSub:
		return subRule
	case engine.CallGraphCreate:
		return graphRule
	case engine.CallDistGraphCreateAdjacent:
		return adjacentRule
	case engine.CallDistGraphCreate:
		return distRule
	}
	return gridRule
}

// splitMember explains MPI_Comm_split: which processes have the same color, and where key puts the process.
func (c *call) splitMember(e *Explanation, row, focus int) {
	color, key := c.ints("color"), c.ints("key")
	if c.colors == nil {
		c.colors = c.sorts(color, c.right)
	}
	mates := c.colors[place{color[row], c.right[row]}]
	e.add("color", "%d, passed by %s", color[row], ofAll(len(mates), c.side(row)))
	if focus >= 0 {
		e.add("key", "%d", key[row])
	}
	e.Rule = splitRule
	if c.inter() {
		e.add("side", "the %s group; the other group also passed color %d", sideName(c.right[row]), color[row])
		e.Rule = splitInterRule
	}
	e.Order = c.order(mates, focus)
}

// splitNull explains MPI_COMM_NULL of MPI_Comm_split.
func (c *call) splitNull(e *Explanation, row int) {
	color := c.ints("color")[row]
	if color == engine.Undefined {
		e.Facts, e.Rule = []Fact{{"color", "MPI_UNDEFINED"}}, undefinedRule
		return
	}
	e.add("color", "%d", color)
	e.add("side", "the %s group; nobody in the other group passed color %d", sideName(c.right[row]), color)
	e.Rule = oneSideRule
}

// side counts the processes of the row's own group.
func (c *call) side(row int) int {
	if c.sides == [2]int{} {
		for _, right := range c.right {
			c.sides[sideOf(right)]++
		}
	}
	return c.sides[sideOf(c.right[row])]
}

func sideName(right bool) string {
	if right {
		return "right"
	}
	return "left"
}

// ofAll writes "3 of the 8 ranks" or "all 8 ranks".
func ofAll(k, n int) string {
	switch {
	case n == 1:
		return "the only rank"
	case k == n && n == 2:
		return "both ranks"
	case k == n:
		return fmt.Sprintf("all %d ranks", n)
	}
	return fmt.Sprintf("%d of the %d ranks", k, n)
}

// mergeMember explains MPI_Intercomm_merge: which group comes first.
func (c *call) mergeMember(e *Explanation, row, focus int) {
	e.Rule = mergeRule
	high := c.ints("high")
	if !c.inter() || high == nil {
		return
	}
	passed := func(group []int32) string { return fmt.Sprint(high[c.row(int(group[0]))] != 0) }
	left, right := passed(c.on.Group), passed(c.on.Remote)
	if focus >= 0 {
		e.add("side", "the %s group, rank %d there", sideName(c.right[row]), c.old[row])
	}
	e.add("high", "%s in the left group, %s in the right group", left, right)
	rightFirst := left == "true"
	why := "it passed high=false"
	if left == right {
		rightFirst = slices.Min(c.on.Remote) < slices.Min(c.on.Group)
		why = "both groups passed the same value, and this group has the lowest world rank"
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

// The rules in the house's words. Each is in the section of its call.
const (
	undefinedRule = "A process that passes MPI_UNDEFINED gets MPI_COMM_NULL."

	splitRule = "Processes with the same color form a communicator, ranked by key; " +
		"ties go by the rank in the old group."
	splitInterRule = "Processes of both groups with the same color form an intercommunicator; " +
		"each side is ranked by key; ties go by the rank in the old group."
	oneSideRule = "If only one group passes a color, " +
		"the processes with that color get MPI_COMM_NULL."

	guidedRule = "The processes that use one instance of the resource type and no other instance form a " +
		"communicator; the others get MPI_COMM_NULL."
	noKeyRule    = "Without an info key that names the resource, a process gets MPI_COMM_NULL."
	unknownRule  = "A value that is not recognized gives MPI_COMM_NULL on every process."
	sharedRule   = "Processes that can share memory form a communicator: here, those of one host."
	unguidedRule = "The processes that use one instance of a resource type and no other instance form a communicator, if they are a strict " +
		"subset of the group. commsplit takes the coarsest type with such an instance."
	psetRule = "The processes of a process set form a communicator. The set must be valid in the session that " +
		"the communicator split derives from; if it derives from none, all get MPI_COMM_NULL."

	dupRule    = "The duplicate has the same group or groups in the same order, and its own context."
	pendingDup = " It must not be used before the request is complete."
	groupRule  = "The members of a group form a communicator in the order of the group; " +
		"a process that is not in the group that it passes gets MPI_COMM_NULL."
	localRule = "Only the members of the group take part; for other processes the call is local and gives MPI_COMM_NULL."
	cartRule  = "The processes fill the grid in rank order, the last coordinate changing fastest; processes beyond " +
		"the grid get MPI_COMM_NULL."
	subRule = "Processes with the same coordinates in all dropped dimensions form a communicator, a grid of the dimensions " +
		"that remain."
	graphRule = "Node i of the graph is the process with rank i: index[i] counts the neighbors of the nodes 0 to i, and edges " +
		"lists them, node after node. Processes beyond the nodes get MPI_COMM_NULL."
	adjacentRule = "Each process passes its own edges: its sources are the processes that it receives from, its destinations those that it sends to. " +
		"So both ends of an edge pass the edge."
	distRule = "Each process may pass edges of any process; the graph has the edges that all processes pass."
	gridRule = "Processes for which the topology has no place get MPI_COMM_NULL."

	mergeRule = "The group that passes high=false comes first; when both pass the same value, the standard leaves the order open: " +
		"here the group with the lowest world rank comes first. Each group keeps its order."
	bridgeRule = "The local groups of the two leaders become the groups of the intercommunicator, " +
		"each in its own order."

	barrierRule = "A process returns from MPI_Barrier only after every process of the group has called it."
	hwInfoRule  = "The call is local: for each type of hardware resource it says whether the process is restricted to " +
		"one instance of the type."

	bindRule = "MPI has no such call, but the system can move a process while it runs. Communicators stay as they are; a communicator that was split " +
		"by hardware may then no longer match the PUs that its processes use."
	pendingRule = freeRule + " Operations that are pending on the communicator complete as usual."

	freeRule       = "MPI_Comm_free sets the handle to MPI_COMM_NULL."
	disconnectRule = "MPI_Comm_disconnect sets the handle to MPI_COMM_NULL."
	predefinedRule = "MPI_COMM_WORLD and MPI_COMM_SELF are predefined."
	membersRule    = "Only the processes of a communicator may use it."
)
