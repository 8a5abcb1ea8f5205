package deviation

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
)

// splitRows are the errors of MPI_Comm_split and MPI_Comm_split_type (§7.4.2).
var splitRows = slices.Concat(
	[]Deviation{
		{Name: "negative-color", Library: MPICH, Calls: []engine.Call{engine.CallSplit},
			Source: "MPICH 4.0 and 4.2",
			Rule:   "a negative color is a color like any other, but for MPI_UNDEFINED",
			fault: raisesIf(says("nonnegative"),
				"no error: processes of the same negative color get a communicator", engine.ErrArg)},
		{Name: "negative-color", Library: OpenMPI, Calls: []engine.Call{engine.CallSplit},
			Source: "Open MPI 4.1 and 5.0",
			Rule:   "the error is raised where the color is negative, and nobody tells the others",
			fault:  othersHang},
		{Name: "split-type-differs", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 and 4.2",
			Rule: "split types are not compared",
			fault: raisesIf(says("the same split_type"),
				"no error: it hangs or makes broken communicators", engine.ErrArg)},
		{Name: "resource-differs", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 and 4.2",
			Rule: "processes that name different resources get no communicator",
			fault: raisesIf(says("the same info key and value"),
				"no error but MPI_COMM_NULL everywhere (4.0: MPI_ERR_OTHER)",
				engine.ErrArg)},
		{Name: "resource-differs", Library: OpenMPI, Calls: splitType, Source: "Open MPI 5.0",
			Rule: "a process whose resource it does not know returns MPI_COMM_NULL at once, without the " +
				"others; names are compared as " +
				"what it takes them for", fault: resourcesDiffer},
		{Name: "freed-info", Library: MPICH, Calls: splitType, Source: "MPICH 4.0 and 4.2",
			Rule: "freed info objects are not found out",
			fault: raises("no error: the freed info object is used, or the program crashes",
				engine.ErrInfo)},
		{Name: "split-type-inter", Library: OpenMPI, Calls: splitType, Source: "Open MPI 4.1", Before: 50,
			Rule: "it could not split an intercommunicator by type before 5.0", step: splitTypeInter},
	},
	both(Deviation{Name: "both-keys", Calls: splitType, Source: "MPICH 4.2; Open MPI 6.0, by its source",
		Rule: "of mpi_hw_resource_type and mpi_pset_name together the first one wins",
		fault: raisesIf(says("only one of the info keys"),
			"no error: mpi_hw_resource_type is used", engine.ErrArg)}),
)

// says is a condition on what is wrong: the engine has one class for many mistakes.
func says(words string) condition {
	return func(_ *scene, e *engine.Error) bool { return strings.Contains(e.Text, words) }
}

// othersHang tells the members of a communicator that made no mistake what becomes of them.
func othersHang(s *scene, e *engine.Error) []finding {
	c := s.Comm(e.Comm)
	if c == nil || !says("nonnegative")(s, e) {
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

// valuePassed finds the names of resources in the message about who passed what.
var valuePassed = regexp.MustCompile(engine.KeyHWResourceType + `=("(?:[^"\\]|\\.)*")`)

// resourcesDiffer tells what Open MPI makes of processes that name different resources: nothing is
// told where it finds the mistake too.
func resourcesDiffer(_ *scene, e *engine.Error) []finding {
	if e.Class != engine.ErrArg || !says("the same info key and value")(nil, e) {
		return nil
	}
	words := map[int]bool{}
	if strings.Contains(e.Text, "no resource") {
		words[-1] = true
	}
	for _, m := range valuePassed.FindAllStringSubmatch(e.Text, -1) {
		value, err := strconv.Unquote(m[1])
		if err != nil {
			return nil
		}
		words[openMPIWord(value)] = true
	}
	switch {
	case len(words) == 1 && words[-1]:
		return []finding{{e.Ranks, "no error but MPI_COMM_NULL everywhere"}}
	case words[-1]:
		return []finding{{e.Ranks, "hangs: who names a resource that it does not know has left the call " +
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
	return []finding{{st.Ranks, "Open MPI 4.1 crashes; 5.0 does as here"}}
}
