package deviation

import (
	"slices"

	"commsplit/engine"
)

var (
	intercomm = []engine.Call{engine.CallIntercommCreate}
	merge     = []engine.Call{engine.CallMerge}
)

// interRows are intercommunicators (§7.6).
var interRows = slices.Concat(
	[]Deviation{
		{Name: "leader", Library: OpenMPI, Calls: intercomm, Source: "Open MPI 4.1 and 5.0",
			Rule: "a leader that does not exist or leads both groups is a bad argument, not a bad rank",
			fault: raises("MPI_ERR_ARG (4.1, when both groups have the same leader: MPI_ERR_INTERN)",
				engine.ErrRank)},
		{Name: "intercomm-tag", Library: OpenMPI, Calls: intercomm, Source: "Open MPI 4.1 and 5.0",
			Rule:  "the tag is not looked at",
			fault: raises("no error: the tag is used as it is", engine.ErrTag)},
		{Name: "groups-overlap", Library: MPICH, Calls: intercomm, Source: "MPICH 4.0 and 4.2",
			Rule:  "the leaders find out that the groups overlap, and do not tell the others",
			fault: raises("MPI_ERR_COMM on the leaders; the others hang", engine.ErrGroup)},
		{Name: "groups-overlap", Library: OpenMPI, Calls: intercomm, Source: "Open MPI 4.1 and 5.0",
			Rule:  "groups that overlap are a bad argument; with MPI_THREAD_MULTIPLE nobody looks",
			fault: raises("MPI_ERR_ARG (4.1: MPI_ERR_INTERN)", engine.ErrGroup)},
		{Name: "merge-intra", Library: MPICH, Calls: merge, Source: "MPICH 4.0 and 4.2",
			Rule:  "merging an intracommunicator is not found out",
			fault: raisesIf(ofIntra, "no error: an assertion fails and the program ends", engine.ErrComm)},
		{Name: "merge-high-differs", Library: MPICH, Calls: merge, Source: "MPICH 4.0 and 4.2",
			Rule:  "the group that disagrees about high finds out, and does not tell the other one",
			fault: raises("MPI_ERR_ARG in the group that disagrees; the other group hangs", engine.ErrArg)},
		{Name: "merge-high-differs", Library: OpenMPI, Calls: merge, Source: "Open MPI 4.1 and 5.0",
			Rule: "nobody compares high inside of a group",
			fault: raises("no error: a broken communicator (4.1 can give two processes the same rank)",
				engine.ErrArg)},
		{Name: "merge-equal-high", Library: OpenMPI, Calls: merge, Source: "Open MPI 5.0; 4.1 is as here", From: 50,
			Rule: "when high is equal the group that does not hold the lowest world rank comes first; " +
				"the standard leaves the order open",
			step: mergeEqualHigh},
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

// ofIntra is a condition: the error is about an intracommunicator that exists.
func ofIntra(s *scene, e *engine.Error) bool {
	return e.Comm >= 0 && !s.isInter(e.Comm) && !s.freed[e.Comm]
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
