package deviation

import (
	"slices"

	"commsplit/engine"
)

var (
	fromGroup  = []engine.Call{engine.CallCreateFromGroup}
	fromGroups = []engine.Call{engine.CallIntercommCreateFromGroups}
	fromAny    = slices.Concat(fromGroup, fromGroups)
)

// sessionRows are sessions, process sets and the constructors from groups (§7.4.2, §7.6.2, §11.3).
var sessionRows = slices.Concat(
	[]Deviation{
		{Name: "from-group-null", Library: OpenMPI, Calls: fromGroup, Source: "Open MPI 5.0",
			Rule:  "MPI_GROUP_NULL is taken for an empty group",
			fault: raisesIf(says("MPI_GROUP_NULL"), "no error but MPI_COMM_NULL", engine.ErrGroup)},
		{Name: "from-group-errhandler", Library: OpenMPI, Calls: fromAny,
			Source: "Open MPI 5.0; 6.0 is as here", Before: 60,
			Rule:  "a null error handler is a bad argument",
			fault: raises("MPI_ERR_ARG", engine.ErrErrhandler)},
		{Name: "from-group-errhandler", Library: MPICH, Calls: fromAny, Source: "MPICH 4.0; 4.2 is as here", Before: 42,
			Rule:  "a null error handler was a bad argument before 4.2",
			fault: raises("MPI_ERR_ARG in 4.0", engine.ErrErrhandler)},
		{Name: "from-group-singleton", Library: OpenMPI, Calls: fromGroup,
			Source: "Open MPI 5.0, by its source; ompi#10800",
			Rule:   "a process that mpirun did not start cannot make it", step: singleton},
		{Name: "from-groups-empty", Library: OpenMPI, Calls: fromGroups, Source: "Open MPI 5.0",
			Rule: "an empty remote group is refused", step: emptyRemote("MPI_ERR_ARG at the leader, then a crash")},
		{Name: "from-groups-empty", Library: MPICH, Calls: fromGroups, Source: "MPICH 4.0; 4.2 is as here", Before: 42,
			Rule: "an empty remote group made it crash before 4.2", step: emptyRemote("MPICH 4.0 crashes")},
		{Name: "from-groups-leader", Library: MPICH, Calls: fromGroups, Source: "MPICH 5.0, by its source",
			Rule:  "leaders are not looked at",
			fault: raises("no error; what follows is undefined", engine.ErrRank, engine.ErrArg)},
		{Name: "from-groups-leader", Library: OpenMPI, Calls: fromGroups,
			Source: "Open MPI 5.0, by its source",
			Rule:   "a leader that does not exist is a bad argument",
			fault:  raises("MPI_ERR_ARG", engine.ErrRank)},
		{Name: "sessions-mixed", Library: MPICH, Calls: fromAny, Source: "MPICH 5.0, by its source",
			Rule:  "groups of different sessions have another class",
			fault: raises("MPI_ERR_OTHER", engine.ErrSession)},
		{Name: "sessions-mixed", Library: OpenMPI, Calls: fromAny, Source: "Open MPI 5.0, by its source",
			Rule:  "nobody looks whether groups are of one session",
			fault: raises("no error", engine.ErrSession)},
		{Name: "psets", Beside: true, Library: MPICH, Calls: []engine.Call{engine.CallGroupFromPset,
			engine.CallSessionPsetInfo},
			Source: "MPICH 4.0 to 5.0", Rule: "there are no process sets but mpi://WORLD and mpi://SELF",
			step: ownPset},
		{Name: "num-psets", Beside: true, Library: OpenMPI, Calls: []engine.Call{engine.CallSessionNumPsets},
			Source: "Open MPI 5.0",
			Rule:   "there is one more process set",
			step:   always("one more process set: mpix://SHARED, the processes of the node")},
	},
	both(Deviation{Name: "stringtag-length", Calls: fromAny, Source: "MPICH 4.0 and 4.2, Open MPI 5.0",
		Rule:  "the length of a stringtag is not looked at",
		fault: raisesIf(says("stringtag"), "no error: the long stringtag is used", engine.ErrArg)}),
)

func singleton(s *scene, st *engine.Step) []finding {
	if s.Size > 1 {
		return nil
	}
	return []finding{{st.Ranks, "MPI_ERR_UNSUPPORTED_OPERATION, unless mpirun starts it"}}
}

// emptyRemote tells a library's answer to an empty remote group, of which no communicator comes.
func emptyRemote(text string) stepRule {
	return func(_ *scene, st *engine.Step) []finding {
		if len(st.Made) > 0 {
			return nil
		}
		return []finding{{st.Ranks, text}}
	}
}

// ownPset finds process sets that only the user of mpirun, here of --pset, defines.
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
