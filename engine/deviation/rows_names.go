package deviation

import (
	"fmt"
	"slices"

	"commsplit/engine"
	"commsplit/hw"
)

// nameRows are how hardware resources are called (§9.1.2), and the question for them.
var nameRows = slices.Concat(
	[]Deviation{
		{Name: "resource-name", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 to 5.0",
			Rule: "names of resources are bare words; it knows no hwloc:// and none beyond its own list",
			step: unknownName},
		{Name: "resource-word", Library: MPICH, Calls: splitType, Source: "MPICH 5.0, by its source",
			Rule: "it has words of its own: cpu, hbm, bindset", step: guidedFor(ownWord)},
		{Name: "resource-name", Library: OpenMPI, Calls: splitType,
			Source: "Open MPI 5.0; ompi#14008, hwloc:// comes with PR 14317",
			Rule:   "names of resources are bare words; it knows no hwloc:// and none beyond its own list",
			step:   unknownName},
		{Name: "resource-word", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0",
			Rule: "a value that only begins with one of its words is taken for the word",
			step: guidedFor(ownWord)},
		{Name: "hw-info", Beside: true, Library: OpenMPI, Calls: []engine.Call{engine.CallHWInfo},
			Source: "Open MPI 6.0; 5.0 has no such procedure",
			Rule:   "MPI_Get_hw_resource_info tells nothing",
			step:   always("an empty info object; Open MPI 5.0 does not have the procedure")},
		{Name: "hw-info", Beside: true, Library: MPICH, Calls: []engine.Call{engine.CallHWInfo},
			Source: "MPICH 4.2 to 5.0",
			Rule:   "MPI_Get_hw_resource_info tells nothing", step: always("an empty info object")},
	},
	both(Deviation{Name: "unguided-name", Beside: true, Calls: splitType, Source: "MPICH 4.0 to 5.0, Open MPI 5.0",
		Rule: "an unguided split names the resource by a bare word", step: unguidedName}),
	both(Deviation{Name: "hwsubdomain", Beside: true, Calls: []engine.Call{engine.CallHWSubdomainNames},
		Source: "all versions",
		Rule:   "the proposal of 2019 was never implemented", step: always("no such procedure")}),
)

// ownWords is how each library calls a type of resource that the standard calls by a URI.
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

// word is how the library calls a resource type; "" when it has no word for it. MPICH's for special
// memory is one for all of its kinds.
func (l Library) word(r *hw.Resource) string {
	if r.Type == hw.NUMANode && r.Subtype != "" {
		if l == MPICH {
			return "hbm"
		}
		return ""
	}
	return ownWords[l][r.Type]
}

// spelled is the library's answer to the request at hand with another name of the resource.
func (s *scene) spelled(word string) *answer {
	q := *s.asked
	q.value = word
	if s.library == MPICH {
		return s.machine.mpich(&q)
	}
	return s.machine.openMPI(&q)
}

// summary is what the library gives all processes of a split.
func (a *answer) summary(q *request) string {
	for _, r := range q.asked {
		if a.why[r] == overlap {
			return "groups that overlap"
		}
	}
	return a.tell(slices.Sorted(slices.Values(q.asked)))
}

// unguidedName tells what the info objects that were passed say where a library makes the same communicators.
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
