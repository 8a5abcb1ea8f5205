package repl

import (
	"slices"
	"strings"

	"commsplit/engine"
)

var commParam = Param{"comm", CommParam, "world", "the communicator acted on"}

// Verbs is the table of all verbs, in the order of the help.
var Verbs = []*Verb{
	{
		Name: "split", Makes: MakesComm, Call: engine.CallSplit, OneShot: true,
		Params: []Param{commParam,
			{"color", IntParam, "", "nonnegative, or UNDEFINED for no communicator"},
			{"key", IntParam, "0", "orders the ranks of a part; ties go by the old rank"}},
		Short:   "partition by color, order by key",
		Long:    "Ranks with the same color form a new communicator, ranked by key, ties by the rank in comm. color=UNDEFINED gives COMM_NULL. Expressions are evaluated on each rank, which knows rank, size, host, node, package, numa, core and pu.",
		Example: "half = split world color=rank%2 key=-rank",
		run:     runSplit, program: lines("{comm}.Split({color}, {key})"),
	},
	{
		Name: "split_type", Makes: MakesComm, Call: engine.CallSplitType, OneShot: true,
		Params: []Param{commParam,
			{"type", TypeParam, "", "SHARED, HW_GUIDED, RESOURCE_GUIDED, HW_UNGUIDED or UNDEFINED"},
			{"key", IntParam, "0", "orders the ranks of a part; ties go by the old rank"},
			{"resource", ResourceParam, `""`, "hardware resource type for the guided types: sets mpi_hw_resource_type"},
			{"pset", TextParam, `""`, "process set for RESOURCE_GUIDED: sets mpi_pset_name"},
			{"info", InfoParam, "None", "an info object of your own instead of resource and pset"}},
		Short:   "partition by hardware",
		Long:    "SHARED makes a communicator per host. HW_GUIDED and RESOURCE_GUIDED make one per instance of the resource, of the ranks that are restricted to it; a rank that may use several instances gets COMM_NULL. HW_UNGUIDED goes one level down the hardware.",
		Example: `numa = split_type world HW_GUIDED resource="hwloc://NUMANode"`,
		run:     runSplitType, program: splitTypeProgram,
	},
	{
		Name: "create", Makes: MakesComm, Call: engine.CallCreate, OneShot: true,
		Params:  []Param{commParam, {"group", GroupParam, "", "ranks of comm in their new order, or a group"}},
		Short:   "communicator of a group; every rank of comm calls",
		Long:    "All ranks of comm call it. All members of a group must pass that very group, in the same order; different ranks may pass disjoint groups; a rank outside the group it passes gets COMM_NULL.",
		Example: "sub = create world group=[3,1,0]",
		run:     runCreate, program: lines("{comm}.Create({comm}.group.Incl({group}))"),
	},
	{
		Name: "create_group", Makes: MakesComm, Call: engine.CallCreateGroup, OneShot: true,
		Params: []Param{commParam, {"group", GroupParam, "", "ranks of comm in their new order, or a group"},
			{"tag", IntParam, "0", "tells concurrent calls apart"}},
		Short:   "communicator of a group; only its members call",
		Long:    "Only the members of the group need to call it, with the same group and tag. For the others it is a local call that gives COMM_NULL.",
		Example: "sub = create_group world group=[0,2,4] tag=7",
		run:     runCreateGroup, program: lines("{comm}.Create_group({comm}.group.Incl({group}), {tag})"),
	},
	{
		Name: "dup", Makes: MakesComm, Call: engine.CallDup, OneShot: true, Params: []Param{commParam},
		Short:   "same group, new context",
		Long:    "The duplicate has the same ranks in the same order and its own context: messages on one are never received on the other. The error handler is copied; the name and the info hints are not.",
		Example: "lib = dup world",
		run:     runDup, program: lines("{comm}.Dup()"),
	},
	{
		Name: "free", Call: engine.CallFree, Params: []Param{{"comm", CommParam, "", "the communicator to free"}},
		Short:   "free a communicator; the variable becomes COMM_NULL",
		Long:    "Collective over the communicator. MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed.",
		Example: "free half",
		run:     runFree, program: lines("{comm}.Free()"),
	},
	{
		Name: "compare", Makes: MakesValue, Call: engine.CallCompare,
		Params:  []Param{commParam, {"other", CommParam, "", "the communicator to compare with"}},
		Short:   "IDENT, CONGRUENT, SIMILAR or UNEQUAL",
		Long:    "IDENT: the same communicator. CONGRUENT: the same ranks in the same order, another context. SIMILAR: the same ranks in another order.",
		Example: "compare world half",
		run:     runCompare, program: lines("MPI.Comm.Compare({comm}, {other})"),
	},
	{
		Name: "name", Call: engine.CallSetName,
		Params:  []Param{commParam, {"text", TextParam, "", "the name"}},
		Short:   "name a communicator",
		Long:    "The name shows in tables and pictures. A duplicate does not inherit it.",
		Example: `name world "everybody"`,
		run:     runName, program: lines("{comm}.Set_name({text})"),
	},
	{
		Name: "barrier", Call: engine.CallBarrier, Params: []Param{commParam},
		Short:   "wait for all ranks of a communicator",
		Long:    "With @ranks, it shows what happens when not everybody calls.",
		Example: "barrier world",
		run:     runBarrier, program: lines("{comm}.Barrier()"),
	},
	{
		Name: "hw_info", Makes: MakesInfo, Call: engine.CallHWInfo, OneShot: true,
		Short:   "which hardware each rank is restricted to",
		Long:    `For each hardware resource type: "true" on ranks that are restricted to a single instance of it. The names are those that split_type takes as resource.`,
		Example: "hw = hw_info",
		run:     runHWInfo, program: lines("MPI.Get_hw_resource_info()"),
	},
	{
		Name:    "expect",
		Params:  []Param{{"cond", AnyValue, "", "must be true on every rank that issues it"}, {"message", TextParam, `""`, "what it means"}},
		Short:   "expectation: a condition",
		Long:    "Counts as passed when the condition is true on all ranks that issue it.",
		Example: `expect world.size==8 "eight ranks"`,
		run:     runExpect, program: lines("expect({cond}, {message})"),
	},
	{
		Name: "expect_parts",
		Params: []Param{{"handle", HandleParam, "", "the variable"},
			{"parts", PartsParam, "", "the world ranks of each communicator in rank order: [[0,2],[1,3]]"}},
		Short:   "expectation: who is in which communicator",
		Long:    "Ranks that are in no part must hold COMM_NULL.",
		Example: "expect_parts half [[6,4,2,0],[7,5,3,1]]",
		run:     runExpectParts, program: lines("expect_parts({handle}, {parts})"),
	},
	{
		Name: "expect_error",
		Params: []Param{{"error", AnyValue, "", "an error class: MPI.ERR_ARG"},
			{"call", FuncParam, "", "a function without parameters that must raise it"}},
		Short:   "expectation: an MPI error",
		Long:    "The function must raise an error of that class on every rank that issues the command.",
		Example: "expect_error MPI.ERR_ARG (lambda: world.Split(-1))",
		run:     runExpectError, program: lines("expect_error({error}, {call})"),
	},
	{
		Name:    "expect_deadlock",
		Short:   "expectation: ranks are blocked; lets them go",
		Long:    "Passes when some ranks wait in calls that cannot return. The lines that led there are taken back.",
		Example: "expect_deadlock",
	},
	{
		Name:    "note",
		Params:  []Param{{"text", TextParam, "", "what to say"}},
		Short:   "narrate",
		Example: `note "two halves"`,
		Long:    "Prints the text once, for the reader of a script.",
		run:     runNote, program: lines("note({text})"),
	},
	{
		Name: "ask",
		Params: []Param{{"question", TextParam, "", "what the reader should predict"},
			{"answer", AnyValue, "", "an expression that must be true"}},
		Short:   "let the reader predict, then reveal",
		Long:    "Shows the question; in a script that runs unattended it is an expectation.",
		Example: `ask "Is rank 0 first?" world.group.rank==world.rank`,
		run:     runAsk, program: lines("ask({question}, {answer})"),
	},
}

// FindVerb finds a verb by name, with "-" or "_"; nil when there is none.
func FindVerb(name string) *Verb {
	name = strings.ReplaceAll(name, "-", "_")
	if i := slices.IndexFunc(Verbs, func(v *Verb) bool { return v.Name == name }); i >= 0 {
		return Verbs[i]
	}
	return nil
}

func isVerb(word string) bool { return FindVerb(word) != nil }

func verbNames() []string {
	names := make([]string, len(Verbs))
	for i, v := range Verbs {
		names[i] = v.Name
	}
	return names
}
