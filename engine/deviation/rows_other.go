package deviation

import (
	"slices"

	"commsplit/engine"
)

var ranges = []engine.Call{engine.CallGroupRangeIncl, engine.CallGroupRangeExcl}

// groupRows are the group constructors (§7.3.2).
var groupRows = slices.Concat(
	[]Deviation{
		{Name: "range-class", Library: MPICH, Calls: ranges, Source: "MPICH 4.0 and 4.2",
			Rule:  "whatever is wrong with a range is a bad argument",
			fault: raises("MPI_ERR_ARG", engine.ErrRank)},
		{Name: "range-class", Library: OpenMPI, Calls: ranges, Source: "Open MPI 4.1 and 5.0",
			Rule:  "whatever is wrong with a range is a bad rank",
			fault: raises("MPI_ERR_RANK", engine.ErrArg)},
	},
	both(Deviation{Name: "duplicate-ranks", Calls: []engine.Call{engine.CallGroupIncl,
		engine.CallGroupExcl},
		Source: "MPICH 4.0 and 4.2, Open MPI 4.1 and 5.0",
		Rule:   "ranks that are named twice are not found out",
		fault: raisesIf(says("named twice"),
			"no error: a group that is wrong (MPI_ERR_RANK only for more ranks than the group has)",
			engine.ErrRank)}),
)

// infoRows are the hints of communicators (§7.4.4).
var infoRows = []Deviation{
	{Name: "hints", Beside: true, Library: MPICH, Calls: []engine.Call{engine.CallGetInfo}, Source: "MPICH 4.0 and 4.2",
		Rule: "MPI_Comm_get_info gives every hint that it knows, with its default, and drops keys that " +
			"it does not know",
		step: always("also all hints of its own with their defaults; no key that it does not know")},
	{Name: "hints", Beside: true, Library: OpenMPI, Calls: []engine.Call{engine.CallGetInfo},
		Source: "Open MPI 5.0; 4.1 keeps the keys that a constructor got",
		Rule:   "keys that it does not know are dropped, and mpi_assert_no_any_tag is not told",
		step:   always("only hints that it knows, and not mpi_assert_no_any_tag")},
}

// otherRows are about any call: handles, limits and deadlocks.
var otherRows = slices.Concat(
	[]Deviation{
		{Name: "freed-handle", Library: OpenMPI, Source: "Open MPI 4.1 and 5.0",
			Rule: "the handle of a freed communicator is used unseen",
			fault: raisesIf(func(s *scene, e *engine.Error) bool { return s.freed[e.Comm] },
				"no error: the program crashes (in C; mpi4py sets the handle to COMM_NULL)",
				engine.ErrComm)},
		{Name: "context-limit", Library: MPICH, Source: "MPICH 4.0 and 4.2",
			Rule: "a process has at most 2046 communicators besides MPI_COMM_WORLD and MPI_COMM_SELF",
			step: contextLimit},
		{Name: "context-class", Library: OpenMPI, Source: "Open MPI 4.1 and 5.0",
			Rule:  "to have too many communicators is an internal error",
			fault: raisesIf(says("too many communicators"), "MPI_ERR_INTERN", engine.ErrOther)},
	},
	both(Deviation{Name: "deadlock", Source: "all versions",
		Rule: "deadlocks are not found", deadlock: hangs}),
)

// mpichContexts is how many communicators a process of MPICH can have, MPI_COMM_WORLD counted and
// MPI_COMM_SELF, which takes no context here, not.
const mpichContexts = 2047

func contextLimit(s *scene, st *engine.Step) []finding {
	var late engine.Ranks
	for _, id := range st.Made {
		if c := s.Comm(id); c.Context >= mpichContexts {
			late = union(late, engine.RanksOf(slices.Concat(c.Group, c.Remote)...))
		}
	}
	if len(late) == 0 {
		return nil
	}
	return []finding{{late, "MPI_ERR_OTHER: too many communicators"}}
}

// hangs tells what becomes of a deadlock. Where the processes are in different calls on the same
// communicator, their messages may even match.
func hangs(_ *scene, d *engine.Deadlock) []finding {
	var all engine.Ranks
	on := map[int]engine.Call{}
	mixed := false
	for _, w := range d.Waiting {
		all = union(all, w.Ranks)
		if c, ok := on[w.Comm]; ok && c != w.Call && c < engine.CallSend && w.Call < engine.CallSend {
			mixed = true
		}
		on[w.Comm] = w.Call
	}
	text := "hangs without a word until somebody ends it"
	if mixed {
		text = "hangs without a word, or takes the messages of one call for another's and goes on with " +
			"garbage"
	}
	return []finding{{all, text}}
}
