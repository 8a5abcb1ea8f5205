package repl

import (
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/program"
)

var commParam = Param{"comm", CommParam, "world", "the communicator acted on"}

// constructors are the verbs that make communicators of one group or several disjoint ones.
var constructors = []*Verb{
	{
		Name: "split", Makes: MakesComm, Call: engine.CallSplit, OneShot: true,
		Params: []Param{commParam,
			{"color", IntParam, "", "nonnegative, or UNDEFINED for no communicator"},
			{"key", IntParam, "0", "orders the ranks of a part; ties go by the old rank"}},
		Short:   "partition by color, order by key",
		Long:    "Ranks with the same color form a new communicator, ranked by key, ties by the rank in comm. color=UNDEFINED gives COMM_NULL. Expressions are evaluated on each rank, which knows rank, size, host, node, package, numa, core and pu.",
		Example: "half = split world color=rank%2 key=-rank",
		text:    lines("{comm}.Split({color}, {key})"),
	},
	{
		Name: "split_type", Makes: MakesComm, Call: engine.CallSplitType, OneShot: true,
		Params: []Param{commParam,
			{"type", TypeParam, "", "SHARED, HW_GUIDED, RESOURCE_GUIDED, HW_UNGUIDED or UNDEFINED"},
			{"key", IntParam, "0", "orders the ranks of a part; ties go by the old rank"},
			{"resource", ResourceParam, `""`, "hardware resource type for the guided types: sets mpi_hw_resource_type"},
			{"pset", PsetParam, `""`, "process set for RESOURCE_GUIDED: sets mpi_pset_name"},
			{"info", InfoParam, "None", "an info object of your own instead of resource and pset"}},
		Short:   "partition by hardware",
		Long:    "SHARED makes a communicator per host. HW_GUIDED and RESOURCE_GUIDED make one per instance of the resource, of the ranks that are restricted to it; a rank that may use several instances gets COMM_NULL. HW_UNGUIDED goes one level down the hardware; hw_info tells the types that it passes over.",
		Example: `numa = split_type world HW_GUIDED resource="hwloc://NUMANode"`,
		text:    splitTypeText, check: splitTypeArguments,
	},
	{
		Name: "create", Makes: MakesComm, Call: engine.CallCreate, OneShot: true,
		Params:  []Param{commParam, {"group", GroupParam, "", "ranks of comm in their new order, or a group"}},
		Short:   "communicator of a group; every rank of comm calls",
		Long:    "All ranks of comm call it. All members of a group must pass that very group, in the same order; different ranks may pass disjoint groups; a rank outside the group it passes gets COMM_NULL.",
		Example: "sub = create world group=[3,1,0]",
		text:    lines("{comm}.Create({comm}.group.Incl({group}))"),
	},
	{
		Name: "create_group", Makes: MakesComm, Call: engine.CallCreateGroup, OneShot: true,
		Params: []Param{commParam, {"group", GroupParam, "", "ranks of comm in their new order, or a group"},
			{"tag", IntParam, "0", "tells concurrent calls apart"}},
		Short:   "communicator of a group; only its members call",
		Long:    "Only the members of the group need to call it, with the same group and tag. For the others it is a local call that gives COMM_NULL.",
		Example: "sub = create_group world group=[0,2,4] tag=7",
		text:    lines("{comm}.Create_group({comm}.group.Incl({group}), {tag})"),
	},
	createFromGroup,
	{
		Name: "dup", Makes: MakesComm, Call: engine.CallDup, OneShot: true, Params: []Param{commParam},
		Short:   "same group, new context",
		Long:    "The duplicate has the same ranks in the same order and its own context: messages on one are never received on the other. Attributes, a virtual topology and the error handler are copied; the name and (since MPI-4.0) the info hints are not.",
		Example: "lib = dup world",
		text:    lines("{comm}.Dup()"),
	},
	{
		Name: "cart", Makes: MakesComm, Call: engine.CallCartCreate, OneShot: true,
		Params: []Param{commParam,
			{"dims", AnyValue, "", "ranks in each dimension: [2,4]"},
			{"periods", AnyValue, "False", "which dimensions are rings: [True,False], or one for all"}},
		Short:   "communicator with a Cartesian grid",
		Long:    "The first ranks of comm become the points of a grid in row-major order and keep their ranks; those that it has no room for get COMM_NULL. In a program the grid has Get_coords, Get_cart_rank, Shift and Sub; MPI.Compute_dims balances sizes.",
		Example: "grid = cart world dims=[2,4] periods=[True,False]",
		text:    lines("{comm}.Create_cart({dims}, {periods})"),
	},
	{
		Name: "dup_with_info", Makes: MakesComm, Call: engine.CallDupWithInfo,
		Params:  []Param{commParam, {"info", InfoParam, "", "an info object with the hints"}},
		Short:   "dup with info hints",
		Long:    "As dup; the hints of the duplicate are those of info. A plain dup carries none over (since MPI-4.0).",
		After:   `hints = MPI.Info.Create({"mpi_assert_exact_length": "true"})`,
		Example: "lib = dup_with_info world hints",
		text:    lines("{comm}.Dup_with_info({info})"),
	},
	{
		Name: "idup", Makes: MakesComm, Call: engine.CallIdup, Params: []Param{commParam},
		Short:   "dup without waiting: a pair of communicator and request",
		Long:    "Returns at once. What is copied is copied at the call. The communicator must not be used before the request has completed: lib = wait later.",
		Example: "later = idup world",
		text:    lines("{comm}.Idup()"),
	},
	{
		Name: "wait", Makes: MakesComm, Call: engine.CallWait,
		Params:  []Param{{"pair", AnyValue, "", "what idup gave: the communicator and its request"}},
		Short:   "complete an idup; the result is its communicator",
		Long:    "Waits until all ranks have made the idup. Then the communicator can be used.",
		After:   "later = idup world",
		Example: "lib = wait later",
		text:    lines("{pair}[1].wait()", "{pair}[0]"), check: isPair,
	},
}

// splitTypeArguments refuses a resource, process set or info object that the call would pass over.
func splitTypeArguments(i *issue) error {
	n, err := starlark.AsInt32(i.arg("type"))
	t := engine.SplitType(n)
	if err != nil {
		return nil // which the call says
	}
	resource := i.arg("resource") != starlark.String("")
	if resource && t == engine.TypeHWSubdomain {
		return i.wrong("resource", "resource sets mpi_hw_resource_type, and HW_SUBDOMAIN looks at mpi_hw_domain_type: pass info=MPI.Info.Create({%q:%s})", engine.KeyHWDomainType, i.arg("resource"))
	}
	for _, name := range []string{"resource", "pset"} {
		if i.arg(name) == starlark.String("") {
			continue
		}
		if i.names(t) {
			return i.wrong(name, "%s looks at no %s: it is for HW_GUIDED and RESOURCE_GUIDED", t, name)
		}
		if i.arg("info") != starlark.None {
			return i.wrong(name, "%s goes into an info object of its own: pass info or %s, not both", name, name)
		}
	}
	return nil
}

// names reports whether the line names a type that nothing guides. One that is computed may differ between
// ranks, which is for the call itself to find.
func (i *issue) names(t engine.SplitType) bool {
	written := i.cmd.bound[i.cmd.verb.param("type")].Text
	return (t == engine.TypeShared || t == engine.TypeHWUnguided) && strings.HasSuffix(t.String(), strings.TrimPrefix(written, "MPI."))
}

// isPair refuses what is not of idup.
func isPair(i *issue) error {
	if !program.IsStarted(i.arg("pair")) {
		return i.wrong("pair", "pair must be what idup gave, a communicator and its request, not %s", article(i.arg("pair").Type()))
	}
	return nil
}
