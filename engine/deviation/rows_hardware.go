package deviation

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
)

// splitRows are about errors of MPI_Comm_split and MPI_Comm_split_type (§7.4.2).
var splitRows = slices.Concat(
	[]Deviation{
		{Name: "negative-color", Library: MPICH, Calls: []engine.Call{engine.CallSplit},
			Source: "MPICH 4.0 and 4.2",
			Rule:   "a negative color other than MPI_UNDEFINED is a color like any other",
			fault:  mistaken("no error: processes of the same negative color get a communicator", engine.MistakeNegativeColor)},
		{Name: "negative-color", Library: OpenMPI, Calls: []engine.Call{engine.CallSplit},
			Source: "Open MPI 4.1 and 5.0",
			Rule:   "the ranks with a negative color get the error, but the other ranks are not told",
			fault:  othersHang},
		{Name: "split-type-differs", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 and 4.2",
			Rule:  "split types are not compared",
			fault: mistaken("no error: it hangs or makes broken communicators", engine.MistakeSplitTypesDiffer)},
		{Name: "resource-differs", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 and 4.2",
			Rule:  "processes that name different resources get no communicator",
			fault: mistaken("no error but MPI_COMM_NULL everywhere (4.0: MPI_ERR_OTHER)", engine.MistakeResourcesDiffer, engine.MistakePsetsDiffer)},
		{Name: "resource-differs", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0",
			Rule: "a process that names an unknown resource returns MPI_COMM_NULL at once, without the " +
				"others; two names for one type count as equal", fault: resourcesDiffer},
		{Name: "freed-info", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 and 4.2",
			Rule: "freed info objects are not detected",
			fault: raises("no error: the freed info object is used, or the program crashes",
				engine.ErrInfo)},
		{Name: "split-type-inter", Library: OpenMPI, Calls: splitType, Source: "Open MPI 4.1", Before: 50,
			Rule: "it could not split an intercommunicator by type before 5.0", step: splitTypeInter},
	},
	both(Deviation{Name: "both-keys", Calls: splitType, Source: "MPICH 4.2; Open MPI 6.0, by its source",
		Rule:  "if both mpi_hw_resource_type and mpi_pset_name are set, the first one wins",
		fault: mistaken("no error: mpi_hw_resource_type is used", engine.MistakeTwoResources)}),
)

// othersHang returns that the members of a communicator that made no mistake hang when others pass a negative color.
func othersHang(s *scene, e *engine.Error) []finding {
	c := s.Comm(e.Comm)
	if c == nil || e.Mistake != engine.MistakeNegativeColor {
		return nil
	}
	var others []int32
	for _, m := range slices.Concat(c.Group, c.Remote) {
		if !e.Ranks.Has(int(m)) {
			others = append(others, m)
		}
	}
	if len(others) == 0 {
		return nil
	}
	return []finding{{engine.RanksOf(others...), "hangs in the call: " + e.Ranks.Noun() + " never comes"}}
}

// resourcesDiffer returns what Open MPI does when processes name different resources; nothing when Open MPI raises the
// error, too.
func resourcesDiffer(s *scene, e *engine.Error) []finding {
	st := s.failed
	if e.Mistake != engine.MistakeResourcesDiffer || st == nil || st.Call != e.Call || st.Comm != e.Comm {
		return nil
	}
	words := map[int]bool{}
	for i := range st.Ranks.Len() {
		switch key, value, _ := strings.Cut(text(st, "info", i), "="); {
		case text(st, "split_type", i) == engine.SplitType(engine.Undefined).String():
		case key == engine.KeyHWResourceType:
			words[openMPIWord(value)] = true
		case key == "":
			words[-1] = true
		}
	}
	switch {
	case len(words) == 1 && words[-1]:
		return []finding{{e.Ranks, "no error but MPI_COMM_NULL everywhere"}}
	case words[-1]:
		return []finding{{e.Ranks, "hangs: the ranks that name an unknown resource have left the call " +
			"with MPI_COMM_NULL"}}
	case len(words) == 1:
		return []finding{{e.Ranks, "no error: the names mean the same to it"}}
	}
	return nil
}

func splitTypeInter(s *scene, st *engine.Step) []finding {
	if !s.isInter(st.Comm) {
		return nil
	}
	return []finding{{st.Ranks, "Open MPI 4.1 crashes; 5.0 gives the same as here"}}
}

var splitType = []engine.Call{engine.CallSplitType}

// hardwareRows are about hardware splits (§7.4.2), except the names of resources.
var hardwareRows = []Deviation{
	{Name: "shared-alone", Library: MPICH, Calls: splitType,
		Source: "MPICH 5.0.0 and 5.0.1; mpich#7705, mpich#7814",
		Rule: "the default build for ch4:ucx puts every process of a node alone in its " +
			"shared-memory communicator",
		step: sharedAlone},
	{Name: "guided-node-share", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 to 5.0; mpich#7160",
		Rule: "a resource that all processes of a node share gives MPI_COMM_NULL",
		step: guidedFor(nodeShare)},
	{Name: "guided-bucket", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 to 5.0",
		Rule: "processes that are not restricted to a single instance form a communicator",
		step: guidedFor(bucket)},
	{Name: "guided-other", Library: MPICH, Calls: splitType, Source: "MPICH 5.0, by its source",
		Rule: "each process counts for the first object of the type that holds its whole cpuset",
		step: guidedFor(likeText)},
	{Name: "unguided", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 to 5.0",
		Rule: "it tries node, package, numanode, cpu, core, hwthread and bindset, no caches, dies or " +
			"groups, and puts the " +
			"processes that are not restricted to a single instance together; it ignores processes that pass MPI_UNDEFINED",
		step: unguidedParts},

	{Name: "guided-unbound", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0",
		Rule: "a process that may use the whole node shares no smaller resource: it gets a communicator of " +
			"its own",
		step: guidedFor(alone)},
	{Name: "guided-overlap", Library: OpenMPI, Calls: splitType,
		Source: "Open MPI 5.0; ompi#12812, ompi#10416",
		Rule: "each process joins all that share an instance with it: where bindings span instances, the " +
			"groups overlap and " +
			"the communicators are broken", step: guidedOverlap},
	{Name: "guided-absent", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0, by its source",
		Rule: "a level that the machine does not have gives every process a communicator of its own",
		step: guidedFor(absent)},
	{Name: "guided-coarse", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0",
		Rule: "cluster, cu and board are the same as the node", step: guidedFor(coarse)},
	{Name: "guided-other", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0",
		Rule: "each process joins all that share an instance with it", step: guidedFor(likeText)},
	{Name: "unguided", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0; ompi#10635, ompi#10739",
		Rule: "it tries cu, host, mpi_shared_memory, board, numanode, socket, l3cache, l2cache, " +
			"l1cache, core and hwthread; " +
			"a process that may use the whole node is alone at each finer level", step: unguidedParts},
	{Name: "undefined-hang", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0",
		Rule: "a process that names an unknown resource returns MPI_COMM_NULL at once, without the others",
		step: undefinedHang},
	{Name: "resource-guided", Library: OpenMPI, Calls: splitType,
		Source: "Open MPI 5.0 and 6.0, by its source",
		Rule:   "5.0 has no MPI_COMM_TYPE_RESOURCE_GUIDED; 6.0 treats it as MPI_COMM_TYPE_HW_GUIDED",
		step:   resourceGuided},
	{Name: "pset", Library: OpenMPI, Calls: splitType, Source: "Open MPI 6.0; ompi#14007",
		Rule: "mpi_pset_name is not implemented", step: psetNull},
	{Name: "pset", Library: MPICH, Calls: splitType, Source: "MPICH 4.2 to 5.0",
		Rule: "mpi_pset_name is not implemented", step: psetNull},
}

// guidedFor returns a rule for guided splits: it finds the processes that get another group from the library, for one
// of these reasons.
func guidedFor(why ...reason) stepRule {
	return func(s *scene, _ *engine.Step) []finding {
		if s.asked == nil || !s.asked.guided() && !s.asked.shared() {
			return nil
		}
		return s.gives.finding(s.asked, why...)
	}
}

func sharedAlone(s *scene, st *engine.Step) []finding {
	if s.asked == nil || !s.asked.shared() {
		return nil
	}
	var list engine.Ranks
	for r := range st.Ranks.All {
		if len(s.asked.here[int32(r)]) > 1 {
			list.Append(int32(r))
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []finding{{list, "every rank alone in its communicator, in builds for ucx"}}
}

// guidedOverlap returns which group each process sees when Open MPI gives overlapping groups.
func guidedOverlap(s *scene, _ *engine.Step) []finding {
	if s.asked == nil || !s.asked.guided() {
		return nil
	}
	ranks := s.gives.differing(s.asked, overlap)
	if len(ranks) == 0 {
		return nil
	}
	return []finding{{engine.RanksOf(ranks...), "broken: " + s.gives.views(ranks) + instead(s.asked,
		ranks)}}
}

// views writes which processes see which group: "rank 0 sees [0,2]; ranks 1-2 see [0,1,2]".
func (a *answer) views(ranks []int32) string {
	var told string
	for i, same := range engine.ByKey(ranks, func(r int32) string { return groupText(a.group(r)) }) {
		if i == mostParts {
			return told + "; ..."
		}
		if i > 0 {
			told += "; "
		}
		verb := "see"
		if len(same) == 1 {
			verb = "sees"
		}
		told += fmt.Sprintf("%s %s %s", engine.RanksOf(same...).Noun(), verb, groupText(a.group(same[0])))
	}
	return told
}

// unguidedParts returns which communicators a library makes in an unguided split, or that the processes hang.
func unguidedParts(s *scene, _ *engine.Step) []finding {
	if s.asked == nil || s.asked.kind != engine.TypeHWUnguided {
		return nil
	}
	ranks := s.gives.differing(s.asked)
	if len(ranks) == 0 {
		return nil
	}
	text := s.gives.tell(ranks)
	has := func(why reason) bool {
		return slices.ContainsFunc(ranks, func(r int32) bool { return s.gives.why[r] == why })
	}
	switch {
	case has(unresolved):
		text = "hangs: at " + s.gives.value + " some processes have found a smaller group, others go on"
	case has(overlap):
		text = "broken: " + s.gives.views(ranks)
	}
	if s.gives.value != "" && !has(unresolved) {
		text += fmt.Sprintf(", by %q", s.gives.value)
	}
	return []finding{{engine.RanksOf(ranks...), text + instead(s.asked, ranks)}}
}

func undefinedHang(s *scene, _ *engine.Step) []finding {
	q := s.asked
	if q == nil || len(q.undefined) == 0 || len(q.asked) == 0 || !q.byInfo() {
		return nil
	}
	if q.guided() && openMPIWord(q.value) >= 0 {
		return nil
	}
	return []finding{{q.undefined, "hangs in the call: the other ranks have left it with MPI_COMM_NULL"}}
}

func resourceGuided(s *scene, st *engine.Step) []finding {
	if s.asked == nil || s.asked.kind != engine.TypeResourceGuided || len(s.asked.asked) == 0 {
		return nil
	}
	return []finding{{st.Ranks, "does not compile with Open MPI 5.0: write MPI_COMM_TYPE_HW_GUIDED"}}
}

func psetNull(s *scene, _ *engine.Step) []finding {
	q := s.asked
	if q == nil || q.key != engine.KeyPsetName || len(q.here) == 0 {
		return nil
	}
	return s.gives.finding(q)
}
