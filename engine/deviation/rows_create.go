package deviation

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
)

var create, createGroup = []engine.Call{engine.CallCreate}, []engine.Call{engine.CallCreateGroup}

// createRows are about wrong groups in MPI_Comm_create (§7.4.2).
var createRows = slices.Concat(
	[]Deviation{
		{Name: "create-not-subset", Library: MPICH, Calls: create,
			Source: "MPICH 4.0 and 4.2; 5.0 raises it everywhere",
			Rule:   "a process checks the group against the communicator only if it is in that group",
			step:   notInOwnGroup},
		{Name: "create-not-subset", Library: OpenMPI, Calls: create, Source: "Open MPI 4.1 and 5.0",
			Rule:  "the group is not checked against the communicator",
			fault: mistaken("no error: a communicator with members that do not take part", engine.MistakeNotSubgroup)},
		{Name: "create-inter-order", Library: OpenMPI, Calls: create, Source: "Open MPI 4.1 and 5.0",
			Rule: "on an intercommunicator the remote group sees a reordered group in the old order",
			step: createInterOrder},
	},
	both(Deviation{Name: "create-groups-clash", Calls: create,
		Source: "MPICH 4.0 and 4.2, Open MPI 4.1 and 5.0",
		Rule:   "the groups that the processes pass are not compared",
		fault:  mistaken("no error: a broken communicator, whose processes disagree about its members and ranks", engine.MistakeGroupsClash)}),
	both(Deviation{Name: "create-std-1.1", Calls: create, Source: "all versions since MPI-2.2",
		Rule:  "they follow MPI-2.2 and later",
		fault: mistaken("no error where the groups are disjoint", engine.MistakeGroupsStd)}),
)

// createGroupRows are about wrong arguments of MPI_Comm_create_group (§7.4.2).
var createGroupRows = slices.Concat(
	[]Deviation{
		{Name: "create-group-null", Library: OpenMPI, Calls: createGroup, Source: "Open MPI 4.1 and 5.0",
			Rule:  "MPI_GROUP_NULL is treated as an empty group",
			fault: mistaken("no error but MPI_COMM_NULL", engine.MistakeGroupNull)},
		{Name: "create-group-inter", Library: OpenMPI, Calls: createGroup, Source: "Open MPI 4.1 and 5.0",
			Rule: "an intercommunicator is accepted",
			fault: raisesIf(func(s *scene, e *engine.Error) bool { return s.isInter(e.Comm) },
				"no error: an intracommunicator of the local group", engine.ErrComm)},
		{Name: "create-group-clash", Library: MPICH, Calls: createGroup, Source: "MPICH 4.0", Before: 42,
			Rule: "the groups that the processes pass are not compared",
			fault: mistaken("no error: a broken communicator, whose processes disagree about its members and ranks, "+
				"or a hang", engine.MistakeGroupsClash)},
		{Name: "create-group-clash", Library: OpenMPI, Calls: createGroup, Source: "Open MPI 4.1", Before: 50,
			Rule:  "the groups that the processes pass are not compared",
			fault: mistaken("hangs: the processes wait for each other without an error", engine.MistakeGroupsClash)},
		{Name: "tag-ub", Library: MPICH, Calls: []engine.Call{engine.CallCreateGroup,
			engine.CallIntercommCreate, engine.CallSend, engine.CallIsend,
			engine.CallRecv, engine.CallIrecv}, Source: "MPICH 4.0 and 4.2",
			Rule: "MPI_TAG_UB is 268435455", step: tagAboveUB},
	},
	both(Deviation{Name: "create-group-not-subset", Calls: createGroup,
		Source: "MPICH 4.0 and 4.2, Open MPI 4.1 and 5.0",
		Rule:   "the group is not checked against the communicator",
		fault:  mistaken("no error: the program crashes", engine.MistakeNotSubgroup)}),
)

// notInOwnGroup finds, in a call that failed here, callers that pass a group with processes outside the communicator
// and are not members of this group.
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

// members reads a group as the trace writes it, "{0,2,4}"; where the trace cut the group, it returns the members
// before the cut.
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

// createInterOrder finds the groups of new intercommunicators that order their members otherwise
// than the parent.
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

// inOrderOf returns the members in the order that they have in another group.
func inOrderOf(order, members []int32) []int32 {
	in := make(map[int32]bool, len(members))
	for _, m := range members {
		in[m] = true
	}
	return slices.DeleteFunc(slices.Clone(order), func(m int32) bool { return !in[m] })
}

// inheritRows are about what a new communicator inherits from its parent: attributes, topology, error handler (§7.4.2,
// §7.7, §8.4, §9.3).
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
	{Name: "create-group-topology", Beside: true, Virtual: true, Library: OpenMPI, Calls: createGroup,
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

var (
	intercomm = []engine.Call{engine.CallIntercommCreate}
	merge     = []engine.Call{engine.CallMerge}
)

// interRows are about intercommunicators (§7.6).
var interRows = slices.Concat(
	[]Deviation{
		{Name: "leader", Library: OpenMPI, Calls: intercomm, Source: "Open MPI 4.1 and 5.0",
			Rule: "a leader that does not exist or leads both groups is a bad argument, not a bad rank",
			fault: raises("MPI_ERR_ARG (4.1, when both groups have the same leader: MPI_ERR_INTERN)",
				engine.ErrRank)},
		{Name: "intercomm-tag", Library: OpenMPI, Calls: intercomm, Source: "Open MPI 4.1 and 5.0",
			Rule:  "the tag is not checked",
			fault: raises("no error: the tag is used unchecked", engine.ErrTag)},
		{Name: "groups-overlap", Library: MPICH, Calls: intercomm, Source: "MPICH 4.0 and 4.2",
			Rule:  "the leaders detect that the groups overlap, but do not tell the other ranks",
			fault: raises("MPI_ERR_COMM on the leaders; the others hang", engine.ErrGroup)},
		{Name: "groups-overlap", Library: OpenMPI, Calls: intercomm, Source: "Open MPI 4.1 and 5.0",
			Rule:  "overlapping groups are a bad argument; with MPI_THREAD_MULTIPLE they are not detected",
			fault: raises("MPI_ERR_ARG (4.1: MPI_ERR_INTERN)", engine.ErrGroup)},
		{Name: "merge-intra", Library: MPICH, Calls: merge, Source: "MPICH 4.0 and 4.2",
			Rule:  "merging an intracommunicator is not detected",
			fault: raisesIf(ofIntra, "no error: an assertion fails and the program ends", engine.ErrComm)},
		{Name: "merge-high-differs", Library: MPICH, Calls: merge, Source: "MPICH 4.0 and 4.2",
			Rule:  "the group that disagrees about high detects it, but does not tell the other group",
			fault: raises("MPI_ERR_ARG in the group that disagrees; the other group hangs", engine.ErrArg)},
		{Name: "merge-high-differs", Library: OpenMPI, Calls: merge, Source: "Open MPI 4.1 and 5.0",
			Rule: "high is not compared inside a group",
			fault: raises("no error: a broken communicator (4.1 can give two processes the same rank)",
				engine.ErrArg)},
		{Name: "merge-equal-high", Library: OpenMPI, Calls: merge, Source: "Open MPI 5.0; 4.1 is as here", From: 50,
			Rule: "when high is equal the group that does not hold the lowest world rank comes first; " +
				"the standard leaves the order open",
			step: mergeEqualHigh},
		{Name: "inter-split-first", Library: MPICH, Calls: []engine.Call{engine.CallSplit}, Source: "MPICH 4.0",
			Rule: "if the first process of a group gets no communicator, those of the others in the group are broken",
			step: firstLeftOut},
		{Name: "remote-size-intra", Library: MPICH, Calls: []engine.Call{engine.CallRemoteSize},
			Source: "MPICH 4.0",
			Rule:   "the remote size of an intracommunicator is its size",
			fault:  raisesIf(ofIntra, "no error: the size of the communicator", engine.ErrComm)},
		{Name: "remote-size-intra", Library: OpenMPI, Calls: []engine.Call{engine.CallRemoteSize},
			Source: "Open MPI 4.1 and 5.0",
			Rule:   "the remote size of an intracommunicator is 0",
			fault:  raisesIf(ofIntra, "no error: 0", engine.ErrComm)},
		{Name: "remote-group-intra", Library: MPICH, Calls: []engine.Call{engine.CallRemoteGroup},
			Source: "MPICH 4.0; later versions fail an assertion",
			Rule:   "the remote group of an intracommunicator is not refused",
			fault:  raisesIf(ofIntra, "no error: some group (5.0: an assertion fails)", engine.ErrComm)},
	},
)

// ofIntra reports whether the error is about an intracommunicator that was not freed.
func ofIntra(s *scene, e *engine.Error) bool {
	return e.Comm >= 0 && !s.isInter(e.Comm) && !s.freed[e.Comm]
}

// firstLeftOut finds the groups of an intercommunicator whose first process got nothing from a split, while others did.
func firstLeftOut(s *scene, st *engine.Step) []finding {
	inter := s.Comm(st.Comm)
	if inter == nil || inter.Remote == nil {
		return nil
	}
	var got engine.Ranks
	for _, id := range st.Made {
		got = union(got, engine.RanksOf(slices.Concat(s.Comm(id).Group, s.Comm(id).Remote)...))
	}
	if len(got) == 0 || got.Has(int(inter.Group[0])) && got.Has(int(inter.Remote[0])) {
		return nil
	}
	return []finding{{got, "a broken intercommunicator: the next MPI_Comm_dup of it hangs"}}
}

func mergeEqualHigh(s *scene, st *engine.Step) []finding {
	inter, high := s.Comm(st.Comm), column(st, "high")
	if inter == nil || inter.Remote == nil || high == nil || len(st.Made) == 0 {
		return nil
	}
	if slices.ContainsFunc(high.Ints, func(h int32) bool { return (h != 0) != (high.Ints[0] != 0) }) {
		return nil
	}
	first, second := inter.Group, inter.Remote
	if slices.Min(first) < slices.Min(second) {
		first, second = second, first
	}
	return []finding{{st.Ranks, groupText(slices.Concat(first,
		second)) + " (here " + groupText(s.Comm(st.Made[0]).Group) + ")"}}
}

var (
	fromGroup  = []engine.Call{engine.CallCreateFromGroup}
	fromGroups = []engine.Call{engine.CallIntercommCreateFromGroups}
	fromAny    = slices.Concat(fromGroup, fromGroups)
)

// sessionRows are about sessions, process sets and the constructors from groups (§7.4.2, §7.6.2, §11.3).
var sessionRows = slices.Concat(
	[]Deviation{
		{Name: "from-group-null", Library: OpenMPI, Calls: fromGroup, Source: "Open MPI 5.0",
			Rule:  "MPI_GROUP_NULL is treated as an empty group",
			fault: mistaken("no error but MPI_COMM_NULL", engine.MistakeGroupNull)},
		{Name: "from-group-errhandler", Library: OpenMPI, Calls: fromAny,
			Source: "Open MPI 5.0; 6.0 is as here", Before: 60,
			Rule:  "a null error handler is a bad argument",
			fault: raises("MPI_ERR_ARG", engine.ErrErrhandler)},
		{Name: "from-group-errhandler", Library: MPICH, Calls: fromAny, Source: "MPICH 4.0; 4.2 is as here", Before: 42,
			Rule:  "a null error handler was a bad argument before 4.2",
			fault: raises("MPI_ERR_ARG in 4.0", engine.ErrErrhandler)},
		{Name: "from-group-singleton", Library: OpenMPI, Calls: fromGroup,
			Source: "Open MPI 5.0, by its source; ompi#10800",
			Rule:   "a process that mpirun did not start cannot make the call", step: singleton},
		{Name: "from-groups-empty", Library: OpenMPI, Calls: fromGroups, Source: "Open MPI 5.0",
			Rule: "an empty remote group is refused", step: emptyRemote("MPI_ERR_ARG at the leader, then a crash")},
		{Name: "from-groups-empty", Library: MPICH, Calls: fromGroups, Source: "MPICH 4.0; 4.2 is as here", Before: 42,
			Rule: "an empty remote group crashed MPICH before 4.2", step: emptyRemote("MPICH 4.0 crashes")},
		{Name: "from-groups-leader", Library: MPICH, Calls: fromGroups, Source: "MPICH 5.0, by its source",
			Rule:  "the leaders are not checked",
			fault: raises("no error; what follows is undefined", engine.ErrRank, engine.ErrArg)},
		{Name: "from-groups-leader", Library: OpenMPI, Calls: fromGroups,
			Source: "Open MPI 5.0, by its source",
			Rule:   "a leader that does not exist is a bad argument",
			fault:  raises("MPI_ERR_ARG", engine.ErrRank)},
		{Name: "sessions-mixed", Library: MPICH, Calls: fromAny, Source: "MPICH 5.0, by its source",
			Rule:  "groups of different sessions raise another error class",
			fault: raises("MPI_ERR_OTHER", engine.ErrSession)},
		{Name: "sessions-mixed", Library: OpenMPI, Calls: fromAny, Source: "Open MPI 5.0, by its source",
			Rule:  "whether the groups belong to one session is not checked",
			fault: raises("no error", engine.ErrSession)},
		{Name: "psets", Beside: true, Library: MPICH, Calls: []engine.Call{engine.CallGroupFromPset,
			engine.CallSessionPsetInfo},
			Source: "MPICH 4.0 to 5.0", Rule: "the only process sets are mpi://WORLD and mpi://SELF",
			step: ownPset},
		{Name: "num-psets", Beside: true, Library: OpenMPI, Calls: []engine.Call{engine.CallSessionNumPsets},
			Source: "Open MPI 5.0",
			Rule:   "there is one more process set",
			step:   always("one more process set: mpix://SHARED, the processes of the node")},
	},
	both(Deviation{Name: "stringtag-length", Calls: fromAny, Source: "MPICH 4.0 and 4.2, Open MPI 5.0",
		Rule:  "the length of a stringtag is not checked",
		fault: mistaken("no error: the long stringtag is used", engine.MistakeStringtag)}),
)

func singleton(s *scene, st *engine.Step) []finding {
	if s.Size > 1 {
		return nil
	}
	return []finding{{st.Ranks, "MPI_ERR_UNSUPPORTED_OPERATION, unless mpirun starts the program"}}
}

// emptyRemote returns a rule that has the text for a call that makes no communicator because the remote group is empty.
func emptyRemote(text string) stepRule {
	return func(_ *scene, st *engine.Step) []finding {
		if len(st.Made) > 0 {
			return nil
		}
		return []finding{{st.Ranks, text}}
	}
}

// ownPset finds process sets other than mpi://WORLD and mpi://SELF, which the person defines with --pset.
func ownPset(_ *scene, st *engine.Step) []finding {
	for _, c := range st.Args {
		for _, name := range c.Texts {
			if name != "mpi://WORLD" && name != "mpi://SELF" {
				return []finding{{st.Ranks, "MPI_ERR_ARG: there is no process set " + name}}
			}
		}
	}
	return nil
}
