package deviation

import (
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
)

var create, createGroup = []engine.Call{engine.CallCreate}, []engine.Call{engine.CallCreateGroup}

// createRows are the groups of MPI_Comm_create (§7.4.2).
var createRows = slices.Concat(
	[]Deviation{
		{Name: "create-not-subset", Library: MPICH, Calls: create,
			Source: "MPICH 4.0 and 4.2; 5.0 raises it everywhere",
			Rule:   "only processes that are in the group they pass hold it against the communicator",
			step:   notInOwnGroup},
		{Name: "create-not-subset", Library: OpenMPI, Calls: create, Source: "Open MPI 4.1 and 5.0",
			Rule: "the group is not held against the communicator",
			fault: raisesIf(says("must be a subgroup"),
				"no error: a communicator that counts processes which do not take part",
				engine.ErrGroup)},
		{Name: "create-inter-order", Library: OpenMPI, Calls: create, Source: "Open MPI 4.1 and 5.0",
			Rule: "on an intercommunicator the other side sees a reordered group in the old order",
			step: createInterOrder},
	},
	both(Deviation{Name: "create-groups-clash", Calls: create,
		Source: "MPICH 4.0 and 4.2, Open MPI 4.1 and 5.0",
		Rule:   "nobody compares the groups that the processes pass",
		fault: raisesIf(says("all members of a group must pass that group"),
			"no error: a broken communicator, whose processes disagree about its members and ranks",
			engine.ErrGroup)}),
	both(Deviation{Name: "create-std-1.1", Calls: create, Source: "all versions since MPI-2.2",
		Rule: "they follow MPI-2.2 and later",
		fault: raisesIf(says("wants the same group on all processes"),
			"no error where the groups are disjoint", engine.ErrGroup)}),
)

// createGroupRows are the arguments of MPI_Comm_create_group (§7.4.2).
var createGroupRows = slices.Concat(
	[]Deviation{
		{Name: "create-group-null", Library: OpenMPI, Calls: createGroup, Source: "Open MPI 4.1 and 5.0",
			Rule:  "MPI_GROUP_NULL is taken for an empty group",
			fault: raisesIf(says("MPI_GROUP_NULL"), "no error but MPI_COMM_NULL", engine.ErrGroup)},
		{Name: "create-group-inter", Library: OpenMPI, Calls: createGroup, Source: "Open MPI 4.1 and 5.0",
			Rule: "an intercommunicator is accepted",
			fault: raisesIf(func(s *scene, e *engine.Error) bool { return s.isInter(e.Comm) },
				"no error: an intracommunicator of the local group", engine.ErrComm)},
		{Name: "create-group-clash", Library: MPICH, Calls: createGroup, Source: "MPICH 4.0", Before: 42,
			Rule: "nobody compares the groups that the processes pass",
			fault: raisesIf(says("all members of a group must pass that group"),
				"no error: a broken communicator, whose processes disagree about its members and ranks, "+
					"or a hang", engine.ErrGroup)},
		{Name: "create-group-clash", Library: OpenMPI, Calls: createGroup, Source: "Open MPI 4.1", Before: 50,
			Rule: "nobody compares the groups that the processes pass",
			fault: raisesIf(says("all members of a group must pass that group"),
				"hangs: the processes wait for each other without an error",
				engine.ErrGroup)},
		{Name: "tag-ub", Library: MPICH, Calls: []engine.Call{engine.CallCreateGroup,
			engine.CallIntercommCreate, engine.CallSend, engine.CallIsend,
			engine.CallRecv, engine.CallIrecv}, Source: "MPICH 4.0 and 4.2",
			Rule: "MPI_TAG_UB is 268435455", step: tagAboveUB},
	},
	both(Deviation{Name: "create-group-not-subset", Calls: createGroup,
		Source: "MPICH 4.0 and 4.2, Open MPI 4.1 and 5.0",
		Rule:   "the group is not held against the communicator",
		fault:  raisesIf(says("must be a subgroup"), "no error: the program crashes", engine.ErrGroup)}),
)

// notInOwnGroup finds, in a call that failed here, the callers that pass a group with processes
// outside of the communicator and are not in it themselves.
func notInOwnGroup(s *scene, st *engine.Step) []finding {
	parent := s.Comm(st.Comm)
	if parent == nil || len(st.Made) > 0 {
		return nil
	}
	var lucky engine.Ranks
	i := 0
	for r := range st.Ranks.All {
		group := members(text(st, "group", i))
		out := slices.ContainsFunc(group, func(m int32) bool { return !slices.Contains(parent.Group, m) })
		if out && !slices.Contains(group, int32(r)) {
			lucky.Append(int32(r))
		}
		i++
	}
	if len(lucky) == 0 {
		return nil
	}
	return []finding{{lucky, "no error but MPI_COMM_NULL"}}
}

// members reads a group as the trace writes it, "{0,2,4}"; of a long one the members that it names.
func members(braces string) []int32 {
	var list []int32
	for _, word := range strings.Split(strings.Trim(braces, "{}"), ",") {
		if m, err := strconv.Atoi(word); err == nil {
			list = append(list, int32(m))
		}
	}
	return list
}

// mpichTagUB is the largest tag of MPICH (MPI_TAG_UB).
const mpichTagUB = 1<<28 - 1

func tagAboveUB(_ *scene, st *engine.Step) []finding {
	if r := callers(st, "tag", func(v int) bool { return v > mpichTagUB }); len(r) > 0 {
		return []finding{{r, "MPI_ERR_TAG: the tag is above 268435455"}}
	}
	return nil
}

// createInterOrder finds the sides of new intercommunicators whose order is not that of the parent.
func createInterOrder(s *scene, st *engine.Step) []finding {
	parent := s.Comm(st.Comm)
	var found []finding
	for _, id := range st.Made {
		c := s.Comm(id)
		if parent == nil || c.Remote == nil {
			continue
		}
		for _, side := range []struct{ parent, group, sees []int32 }{
			{parent.Group, c.Group, c.Remote}, {parent.Remote, c.Remote, c.Group}} {
			if old := inOrderOf(side.parent, side.group); !slices.Equal(old, side.group) {
				found = append(found, finding{engine.RanksOf(side.sees...),
					"remote group " + groupText(old) + " (here " + groupText(side.group) + ")"})
			}
		}
	}
	return found
}

// inOrderOf is the members in the order of another group.
func inOrderOf(order, members []int32) []int32 {
	in := make(map[int32]bool, len(members))
	for _, m := range members {
		in[m] = true
	}
	return slices.DeleteFunc(slices.Clone(order), func(m int32) bool { return !in[m] })
}

// inheritRows are what new communicators have of their parents (§7.4.2, §7.7, §8.4, §9.3).
var inheritRows = []Deviation{
	{Name: "errhandler-lost", Beside: true, Library: MPICH, Calls: []engine.Call{engine.CallCreate,
		engine.CallCreateGroup, engine.CallMerge},
		Source: "MPICH 4.0 and 4.2",
		Rule: "the new communicator has MPI_ERRORS_ARE_FATAL, not its parent's error handler; " +
			"mpi4py then sets its own",
		step: handlerLost},
	{Name: "create-group-attributes", Beside: true, Library: OpenMPI, Calls: createGroup,
		Source: "Open MPI 4.1 and 5.0; ompi#14420, PR 14421",
		Rule:   "the new communicator gets copies of the attributes", step: attributesCopied},
	{Name: "create-group-topology", Beside: true, Library: OpenMPI, Calls: createGroup,
		Source: "Open MPI 4.1 and 5.0; PR 14421",
		Rule:   "the new communicator gets the virtual topology", step: topologyCopied},
}

func handlerLost(s *scene, st *engine.Step) []finding {
	h := s.handler[st.Comm]
	if h == "" || h == "MPI_ERRORS_ARE_FATAL" || len(st.Made) == 0 {
		return nil
	}
	return []finding{{st.Ranks, "the new communicator has MPI_ERRORS_ARE_FATAL, not " + h}}
}

func attributesCopied(s *scene, st *engine.Step) []finding {
	a := s.attrs[st.Comm]
	if a == nil || len(a.here) == 0 || len(st.Made) == 0 {
		return nil
	}
	keyvals := "keyval "
	if len(a.here) > 1 {
		keyvals = "keyvals "
	}
	return []finding{{st.Ranks,
		"the new communicator gets the attributes of " + keyvals + strings.Join(byKeyval(a.here), ", ")}}
}

func topologyCopied(s *scene, st *engine.Step) []finding {
	if !s.topology[st.Comm] || len(st.Made) == 0 {
		return nil
	}
	return []finding{{st.Ranks, "the new communicator has the virtual topology of the old one"}}
}
