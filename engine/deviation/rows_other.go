package deviation

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// nameRows are about the names of hardware resources, and the calls that list them (§9.1.2).
var nameRows = slices.Concat(
	[]Deviation{
		{Name: "resource-name", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 to 5.0",
			Rule: "names of resources are bare words of its own list, without hwloc://",
			step: unknownName},
		{Name: "resource-word", Library: MPICH, Calls: splitType, Source: "MPICH 5.0, by its source",
			Rule: "it has further words: cpu, hbm, bindset", step: guidedFor(ownWord)},
		{Name: "resource-name", Library: OpenMPI, Calls: splitType,
			Source: "Open MPI 5.0; ompi#14008, hwloc:// comes with PR 14317",
			Rule:   "names of resources are bare words of its own list, without hwloc://",
			step:   unknownName},
		{Name: "resource-word", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0",
			Rule: "a value that only begins with one of its words counts as that word",
			step: guidedFor(ownWord)},
		{Name: "hw-info", Beside: true, Library: OpenMPI, Calls: []engine.Call{engine.CallHWInfo},
			Source: "Open MPI 6.0; 5.0 has no such procedure",
			Rule:   "MPI_Get_hw_resource_info gives an empty info object",
			step:   always("an empty info object; Open MPI 5.0 does not have the procedure")},
		{Name: "hw-info", Beside: true, Library: MPICH, Calls: []engine.Call{engine.CallHWInfo},
			Source: "MPICH 4.2 to 5.0",
			Rule:   "MPI_Get_hw_resource_info gives an empty info object", step: always("an empty info object")},
	},
	both(Deviation{Name: "unguided-name", Beside: true, Calls: splitType, Source: "MPICH 4.0 to 5.0, Open MPI 5.0",
		Rule: "an unguided split names the resource by a bare word", step: unguidedName}),
	both(Deviation{Name: "hwsubdomain", Beside: true, Calls: []engine.Call{engine.CallHWSubdomainNames},
		Source: "all versions",
		Rule:   "the proposal of 2019 was never implemented", step: always("no such procedure")}),
)

// ownWords has each library's word for a type of resource.
var ownWords = map[Library]map[hw.Type]string{
	MPICH: {hw.NUMANode: "numanode", hw.Package: "package", hw.Die: "die", hw.L3Cache: "l3cache",
		hw.L2Cache: "l2cache",
		hw.L1Cache: "l1cache", hw.Core: "core", hw.PU: "pu", hw.Machine: engine.ValueSharedMemory},
	OpenMPI: {hw.NUMANode: "numanode", hw.Package: "socket", hw.L3Cache: "l3cache", hw.L2Cache: "l2cache",
		hw.L1Cache: "l1cache", hw.Core: "core", hw.PU: "hwthread", hw.Machine: "host"},
}

// unknownName tells who gets nothing because of a name, and what the library's own word would give.
func unknownName(s *scene, _ *engine.Step) []finding {
	q := s.asked
	if q == nil || !q.guided() {
		return nil
	}
	ranks := s.gives.differing(q, unknown)
	if len(ranks) == 0 {
		return nil
	}
	text := fmt.Sprintf("MPI_COMM_NULL: it does not know %q", q.value)
	if r := s.machine.lookup(q.value); r != nil {
		if word := s.library.word(r); word != "" {
			text += fmt.Sprintf("; its own word %s gives %s", word, s.spelled(word).summary(q))
		}
	}
	return []finding{{engine.RanksOf(ranks...), text}}
}

// word returns the library's name of a resource type; "" when it has none. MPICH has one name for all kinds of special
// memory.
func (l Library) word(r *hw.Resource) string {
	if r.Type == hw.NUMANode && r.Subtype != "" {
		if l == MPICH {
			return "hbm"
		}
		return ""
	}
	return ownWords[l][r.Type]
}

// spelled returns the library's answer to the present request with another name of the resource.
func (s *scene) spelled(word string) *answer {
	q := *s.asked
	q.value = word
	if s.library == MPICH {
		return s.machine.mpich(&q)
	}
	return s.machine.openMPI(&q)
}

// summary writes the results of all processes of a split under the library.
func (a *answer) summary(q *request) string {
	for _, r := range q.asked {
		if a.why[r] == overlap {
			return "groups that overlap"
		}
	}
	return a.tell(slices.Sorted(slices.Values(q.asked)))
}

// unguidedName returns the library's name of the resource in the info objects that were passed, if the library makes
// the same communicators.
func unguidedName(s *scene, st *engine.Step) []finding {
	q := s.asked
	if q == nil || q.kind != engine.TypeHWUnguided || len(st.Made) == 0 || len(s.gives.differing(q)) > 0 {
		return nil
	}
	var ranks engine.Ranks
	for r := range st.Told.All {
		if s.gives.group(int32(r)) != nil {
			ranks.Append(int32(r))
		}
	}
	if len(ranks) == 0 {
		return nil
	}
	here := s.Comm(st.Made[0]).Resource
	return []finding{{ranks, fmt.Sprintf("the info object says %q, not %q", s.gives.value, here)}}
}

var ranges = []engine.Call{engine.CallGroupRangeIncl, engine.CallGroupRangeExcl}

// groupRows are about group constructors (§7.3.2).
var groupRows = slices.Concat(
	[]Deviation{
		{Name: "range-class", Library: MPICH, Calls: ranges, Source: "MPICH 4.0 and 4.2",
			Rule:  "any error in a range is a bad argument",
			fault: raises("MPI_ERR_ARG", engine.ErrRank)},
		{Name: "range-class", Library: OpenMPI, Calls: ranges, Source: "Open MPI 4.1 and 5.0",
			Rule:  "any error in a range is a bad rank",
			fault: raises("MPI_ERR_RANK", engine.ErrArg)},
	},
	both(Deviation{Name: "duplicate-ranks", Calls: []engine.Call{engine.CallGroupIncl,
		engine.CallGroupExcl},
		Source: "MPICH 4.0 and 4.2, Open MPI 4.1 and 5.0",
		Rule:   "ranks named twice are not detected",
		fault:  mistaken("no error: a wrong group (MPI_ERR_RANK only if more ranks are named than the group has)", engine.MistakeRankTwice)}),
)

// topologyRows are about virtual topologies (§8).
var topologyRows = []Deviation{
	{Name: "cart-sub-nothing", Library: MPICH, Calls: []engine.Call{engine.CallCartSub}, Source: "MPICH 4.0",
		Rule: "if no dimension remains, MPI_Cart_sub acts as MPI_Cart_create of one grid without dimensions, which has room for rank 0 only",
		step: nothingRemains},
}

// nothingRemains finds the processes that get no communicator from MPICH when no dimension remains; by the standard
// each gets one of its own (§8.5.7).
func nothingRemains(s *scene, st *engine.Step) []finding {
	grid, remain := s.Comm(st.Comm), text(st, "remain_dims", 0)
	if grid == nil || len(st.Made) == 0 || strings.Contains(remain, "true") || strings.Contains(remain, "in all") { // long lists are cut
		return nil
	}
	without := engine.RanksOf(grid.Group[1:]...)
	if len(without) == 0 {
		return nil
	}
	return []finding{{without, "MPI_COMM_NULL"}}
}

// classRows are about mistakes for which a library has another error class, or no error.
var classRows = slices.Concat(
	unlike(MPICH, "MPICH 4.0", []otherClass{
		{"cart-dims", noError, engine.CallCartCreate, engine.MistakeDimsNotPositive},
		{"direction-class", "MPI_ERR_ARG", engine.CallCartShift, engine.MistakeDirection},
		{"node-count", noError + " for 0, MPI_ERR_ARG for a negative number", engine.CallDimsCreate, engine.MistakeNodeCount},
		{"edge-rank", "no error: the program crashes", engine.CallDistGraphCreate, engine.MistakeEdgeRank},
		{"edge-rank-adjacent", noError, engine.CallDistGraphCreateAdjacent, engine.MistakeEdgeRank},
		{"degrees", noError + " for a negative degree", engine.CallDistGraphCreate, engine.MistakeDegrees},
		{"weights", noError + " for a negative weight", engine.CallDistGraphCreate, engine.MistakeWeights},
		{"disconnect-world", "no error: MPI_COMM_WORLD is gone, and later calls fail", engine.CallDisconnect, engine.MistakeCommPredefined},
		{"info-class", "MPI_ERR_ARG", engine.CallSetInfo, engine.MistakeInfoNull},
		{"errhandler-class", "MPI_ERR_ARG", engine.CallSetErrhandler, engine.MistakeErrhandlerNull},
	}),
	unlike(OpenMPI, "Open MPI 4.1", []otherClass{
		{"cart-dims", "MPI_ERR_OTHER", engine.CallCartCreate, engine.MistakeDimsNotPositive},
		{"cart-map", noError, engine.CallCartMap, engine.MistakeDimsNotPositive},
		{"direction-class", noError + " for the number of dimensions", engine.CallCartShift, engine.MistakeDirection},
		{"cart-rank", noError + " for the size of the communicator", engine.CallCartCoords, engine.MistakeTopologyRank},
		{"graph-index", noError + " for an index that decreases", engine.CallGraphCreate, engine.MistakeGraphIndex},
		{"graph-neighbor", noError, engine.CallGraphCreate, engine.MistakeGraphNeighbor},
		{"edge-rank", "MPI_ERR_ARG", engine.CallDistGraphCreate, engine.MistakeEdgeRank},
		{"edge-rank-adjacent", "MPI_ERR_ARG", engine.CallDistGraphCreateAdjacent, engine.MistakeEdgeRank},
		{"translate-rank", noError, engine.CallGroupTranslate, engine.MistakeGroupRank},
		{"no-topology", "MPI_ERR_INTERN", engine.CallNeighborAllgather, engine.MistakeNoTopology},
		{"errhandler-class", "MPI_ERR_ARG", engine.CallSetErrhandler, engine.MistakeErrhandlerNull},
	}))

const noError = "no error"

// otherClass tells what a library raises for a mistake in a call.
type otherClass struct {
	name, text string
	call       engine.Call
	mistake    engine.Mistake
}

// unlike makes a row of each otherClass.
func unlike(l Library, source string, list []otherClass) []Deviation {
	var rows []Deviation
	for _, c := range list {
		rule := "the error has another class"
		if strings.HasPrefix(c.text, noError) {
			rule = "the mistake is not detected"
		}
		rows = append(rows, Deviation{Name: c.name, Library: l, Calls: []engine.Call{c.call}, Source: source, Rule: rule,
			fault: mistaken(c.text, c.mistake)})
	}
	return rows
}

// infoRows are about the hints of communicators (§7.4.4).
var infoRows = []Deviation{
	{Name: "hints", Beside: true, Library: MPICH, Calls: []engine.Call{engine.CallGetInfo}, Source: "MPICH 4.0 and 4.2",
		Rule: "MPI_Comm_get_info gives every hint that it knows, with its default, and drops keys that " +
			"it does not know",
		step: always("also all hints of its own with their defaults; no key that it does not know")},
	{Name: "hints", Beside: true, Library: OpenMPI, Calls: []engine.Call{engine.CallGetInfo},
		Source: "Open MPI 5.0; 4.1 keeps the keys that a constructor got",
		Rule:   "keys that it does not know are dropped, and mpi_assert_no_any_tag is not reported",
		step:   always("only hints that it knows, and not mpi_assert_no_any_tag")},
}

// otherRows are about any call: handles, limits and deadlocks.
var otherRows = slices.Concat(
	[]Deviation{
		{Name: "freed-handle", Library: OpenMPI, Source: "Open MPI 4.1 and 5.0",
			Rule: "the handle of a freed communicator is used unchecked",
			fault: raisesIf(func(s *scene, e *engine.Error) bool { return s.freed[e.Comm] },
				"no error: the program crashes (in C; mpi4py sets the handle to COMM_NULL)",
				engine.ErrComm)},
		{Name: "context-limit", Library: MPICH, Source: "MPICH 4.0 and 4.2",
			Rule: "a process has at most 2046 communicators besides MPI_COMM_WORLD and MPI_COMM_SELF",
			step: contextLimit},
		{Name: "context-class", Library: OpenMPI, Source: "Open MPI 4.1 and 5.0",
			Rule:  "too many communicators are an internal error",
			fault: mistaken("MPI_ERR_INTERN", engine.MistakeCommLimit)},
	},
	both(Deviation{Name: "deadlock", Source: "all versions",
		Rule: "deadlocks are not detected", deadlock: hangs}),
)

// mpichContexts is how many communicators a process of MPICH can have, with MPI_COMM_WORLD and without MPI_COMM_SELF,
// which takes no context here.
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

// hangs returns what becomes of a deadlock. If the processes are in different calls on the same communicator, their
// messages may even match.
func hangs(_ *scene, d *engine.Deadlock) []finding {
	var all engine.Ranks
	on := map[int]engine.Call{}
	mixed := false
	for _, w := range d.Waiting {
		all = union(all, w.Ranks)
		if c, ok := on[w.Comm]; ok && c != w.Call && c.Collective() && w.Call.Collective() {
			mixed = true
		}
		on[w.Comm] = w.Call
	}
	text := "hangs without a message until somebody ends it"
	if mixed {
		text = "hangs without a message, or mixes up the messages of two calls and goes on with " +
			"garbage"
	}
	return []finding{{all, text}}
}
