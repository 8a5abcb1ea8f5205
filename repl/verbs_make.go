package repl

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/program"
)

var commParam = Param{"comm", CommParam, "world", "the communicator acted on"}

// constructors are the verbs that make communicators of one group or of several disjoint groups.
var constructors = []*Verb{
	{
		Name: "split", Makes: MakesComm, Call: engine.CallSplit, OneShot: true,
		Params: []Param{commParam,
			{"color", IntParam, "", "nonnegative, or UNDEFINED for no communicator"},
			{"key", IntParam, "0", "orders the ranks of each color; ties go by the old rank"}},
		Short:   "partition by color, order by key",
		Long:    "Ranks with the same color form a new communicator, ranked by key; ties go by the rank in comm. color=UNDEFINED gives COMM_NULL. Expressions are evaluated on each rank, which knows rank, size, host, node, package, numa, core and pu.",
		Example: "half = split world color=rank%2 key=-rank",
		text:    lines("{comm}.Split({color}, {key})"),
	},
	{
		Name: "split_type", Makes: MakesComm, Call: engine.CallSplitType, OneShot: true,
		Params: []Param{commParam,
			{"type", TypeParam, "", "SHARED, HW_GUIDED, RESOURCE_GUIDED, HW_UNGUIDED or UNDEFINED"},
			{"key", IntParam, "0", "orders the ranks of each color; ties go by the old rank"},
			{"resource", ResourceParam, `""`, "hardware resource type for the guided types: sets mpi_hw_resource_type"},
			{"pset", PsetParam, `""`, "process set for RESOURCE_GUIDED: sets mpi_pset_name"},
			{"info", InfoParam, "None", "an info object of your own instead of resource and pset"}},
		Short:   "partition by hardware",
		Long:    "SHARED makes one communicator per host. HW_GUIDED and RESOURCE_GUIDED make one per instance of the resource; its members are the ranks that are restricted to that instance, and a rank that may use several instances gets COMM_NULL. HW_UNGUIDED goes one level down the hardware; hw_info lists the types that HW_UNGUIDED can pass over.",
		Example: `numa = split_type world HW_GUIDED resource="hwloc://NUMANode"`,
		text:    splitTypeText, check: splitTypeArguments,
	},
	{
		Name: "create", Makes: MakesComm, Call: engine.CallCreate, OneShot: true,
		Params:  []Param{commParam, {"group", GroupParam, "", "ranks of comm in their new order, or a group"}},
		Short:   "communicator of a group; every rank of comm calls",
		Long:    "All ranks of comm must call it. All members of a group must pass that group, in the same order; ranks may pass disjoint groups. A rank that is not in the group that it passes gets COMM_NULL.",
		Example: "sub = create world group=[3,1,0]",
		text:    lines("{comm}.Create({comm}.group.Incl({group}))"),
	},
	{
		Name: "create_group", Makes: MakesComm, Call: engine.CallCreateGroup, OneShot: true,
		Params: []Param{commParam, {"group", GroupParam, "", "ranks of comm in their new order, or a group"},
			{"tag", IntParam, "0", "tells concurrent calls apart"}},
		Short:   "communicator of a group; only its members call",
		Long:    "Only the members of the group need to call it, with the same group and tag. For other ranks, the call is local and gives COMM_NULL.",
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
		Long:    "The first ranks of comm become the points of a grid in row-major order and keep their ranks; ranks beyond the grid get COMM_NULL. In a program, the grid has Get_coords, Get_cart_rank, Shift and Sub; MPI.Compute_dims balances sizes.",
		Example: "grid = cart world dims=[2,4] periods=[True,False]",
		text:    lines("{comm}.Create_cart({dims}, {periods})"),
	},
	{
		Name: "dup_with_info", Makes: MakesComm, Call: engine.CallDupWithInfo,
		Params:  []Param{commParam, {"info", InfoParam, "", "an info object with the hints"}},
		Short:   "dup with info hints",
		Long:    "As dup, but the duplicate gets the hints in info. A plain dup copies no hints (since MPI-4.0).",
		After:   `hints = MPI.Info.Create({"mpi_assert_exact_length": "true"})`,
		Example: "lib = dup_with_info world hints",
		text:    lines("{comm}.Dup_with_info({info})"),
	},
	{
		Name: "idup", Makes: MakesComm, Call: engine.CallIdup, Params: []Param{commParam},
		Short:   "dup without waiting: a pair of communicator and request",
		Long:    "Returns at once. Attributes and the topology are copied at the call. The communicator must not be used before the request has completed: lib = wait later.",
		Example: "later = idup world",
		text:    lines("{comm}.Idup()"),
	},
	{
		Name: "wait", Makes: MakesComm, Call: engine.CallWait,
		Params:  []Param{{"pair", AnyValue, "", "the result of idup: the communicator and its request"}},
		Short:   "complete an idup and return its communicator",
		Long:    "Waits until all ranks have called idup; then the communicator can be used.",
		After:   "later = idup world",
		Example: "lib = wait later",
		text:    lines("{pair}[1].wait()", "{pair}[0]"), check: isPair,
	},
}

// splitTypeArguments returns an error for a resource, process set or info object that the call would ignore.
func splitTypeArguments(i *issue) error {
	n, err := starlark.AsInt32(i.arg("type"))
	t := engine.SplitType(n)
	if err != nil {
		return nil // the call says that it must be an integer
	}
	resource := i.arg("resource") != starlark.String("")
	if resource && t == engine.TypeHWSubdomain {
		return i.wrong("resource", "resource sets mpi_hw_resource_type, but HW_SUBDOMAIN reads mpi_hw_domain_type: pass info=MPI.Info.Create({%q:%s})", engine.KeyHWDomainType, i.arg("resource"))
	}
	for _, name := range []string{"resource", "pset"} {
		if i.arg(name) == starlark.String("") {
			continue
		}
		if i.names(t) {
			return i.wrong(name, "%s ignores %s: use HW_GUIDED or RESOURCE_GUIDED, or leave it out", t, name)
		}
		if i.arg("info") != starlark.None {
			return i.wrong(name, "%s is put into a new info object: pass info or %s, not both", name, name)
		}
	}
	return nil
}

// names reports whether the line names split type t literally, and t ignores resources. A computed type may
// differ between ranks; the call itself checks that.
func (i *issue) names(t engine.SplitType) bool {
	written := i.cmd.bound[i.cmd.verb.Index("type")].Text
	return (t == engine.TypeShared || t == engine.TypeHWUnguided) && strings.HasSuffix(t.String(), strings.TrimPrefix(written, "MPI."))
}

// isPair returns an error for a value that is not the result of an idup.
func isPair(i *issue) error {
	if !program.IsStarted(i.arg("pair")) {
		return i.wrong("pair", "pair must be the result of idup, a communicator and its request, not %s", article(i.arg("pair").Type()))
	}
	return nil
}

// createFromGroup is the verb of MPI_Comm_create_from_group, the only constructor that acts on no
// communicator. It opens a new session on each rank.
var createFromGroup = &Verb{
	Name: "create_from_group", Makes: MakesComm, Call: engine.CallCreateFromGroup, OneShot: true,
	Params: []Param{
		{"group", GroupParam, "None", "world ranks in their new order, or a group"},
		{"pset", PsetParam, `""`, "a process set instead of group"},
		{"tag", TextParam, `"org.mpi4py"`, "the stringtag, which tells concurrent calls apart"}},
	Short:   "communicator of a group or process set; no parent",
	Long:    "Opens a session and makes a communicator of a process set, or of ranks of mpi://WORLD. Only the members of the group need to call it, with the same group and tag; for other ranks, the call is local and gives COMM_NULL. --pset defines process sets; mpi://WORLD and mpi://SELF always exist.",
	Example: `sea = create_from_group group=[0,1,2] tag="org.example.sea"`,
	text:    fromGroupText, check: oneSource,
}

// Pieces of the verbs' texts: a new session, and the group of all ranks in it.
const (
	openSession = "session = MPI.Session.Init()"
	worldPset   = `session.Create_group("mpi://WORLD")`
)

// groupItself removes the call that makes a group from a list of ranks, for an argument that is already a group.
var groupItself = strings.NewReplacer("{comm}.group.Incl({group})", "{group}", worldPset+".Incl({group})", "{group}")

func fromGroupText(given func(string) bool) []string {
	group := worldPset + ".Incl({group})"
	if given("pset") {
		group = "session.Create_group({pset})"
	}
	return []string{openSession, "MPI.Intracomm.Create_from_group(" + group + ", {tag})"}
}

// oneSource returns an error unless exactly one of group and pset is given.
func oneSource(i *issue) error {
	_, isNull := i.arg("group").(starlark.NoneType)
	set := i.arg("pset") != starlark.String("")
	switch {
	case isNull && !set:
		return i.wrong("group", "create_from_group needs group, as in group=[0,1,2], or pset, as in pset=\"mpi://WORLD\"")
	case !isNull && set:
		return i.wrong("pset", "create_from_group takes group or pset, not both")
	}
	return nil
}

// intercommFromGroups is the verb of MPI_Intercomm_create_from_groups. Each rank passes its own group as the
// local group.
var intercommFromGroups = &Verb{
	Name: "intercomm_create_from_groups", Makes: MakesComm, Call: engine.CallIntercommCreateFromGroups,
	Params: []Param{
		{"left", GroupParam, "", "world ranks of one group"},
		{"right", GroupParam, "", "world ranks of the other group"},
		{"left_leader", IntParam, "0", "rank of the left leader in left"},
		{"right_leader", IntParam, "0", "rank of the right leader in right"},
		{"tag", TextParam, `""`, "the stringtag, which tells concurrent calls apart"}},
	Short:   "intercommunicator of two groups; no parent",
	Long:    "Opens a session and joins two disjoint groups of ranks of mpi://WORLD. Each rank passes its own group as the local group; for a rank in neither group, the call is local and gives COMM_NULL.",
	Example: "pair = intercomm_create_from_groups left=[0,1] right=[2,3,4]",
	check:   listsOnly,
	text: lines(openSession, "left = "+worldPset+".Incl({left})", "right = "+worldPset+".Incl({right})",
		"on_left = left.Get_rank() != MPI.UNDEFINED",
		"MPI.Intercomm.Create_from_groups(left if on_left else right, {left_leader} if on_left else {right_leader}, right if on_left else left, {right_leader} if on_left else {left_leader}, {tag})"),
}

// listsOnly returns an error for group objects: a group of the World Model does not belong to the verb's session.
func listsOnly(i *issue) error {
	for _, name := range []string{"left", "right"} {
		if _, ok := program.GroupOf(i.arg(name)); ok {
			return i.wrong(name, "%s must be a list of world ranks such as [0, 1], not a group", name)
		}
	}
	return nil
}

// interVerbs are the verbs about intercommunicators.
var interVerbs = []*Verb{
	{
		Name: "intercomm_create", Makes: MakesComm, Call: engine.CallIntercommCreate,
		Params: []Param{{"comm", CommParam, "", "the local communicator: each side passes its own"},
			{"remote_leader", IntParam, "", "rank of the other side's leader in peer; only the local leader's value counts"},
			{"local_leader", IntParam, "0", "rank of this side's leader in comm"},
			{"peer", HandleParam, "world", "a communicator that holds both leaders"},
			{"tag", IntParam, "0", "both leaders must pass the same tag"}},
		Short:   "join two groups into an intercommunicator",
		Long:    "Collective over both groups. Each side passes its own communicator, and the leaders find each other in peer. After half = split world color=rank%2, the leaders are world ranks 0 and 1; each rank evaluates remote_leader for itself.",
		Example: "inter = intercomm_create half remote_leader=1-world.rank%2",
		text:    lines("{comm}.Create_intercomm({local_leader}, {peer}, {remote_leader}, {tag})"),
	},
	intercommFromGroups,
	{
		Name: "merge", Makes: MakesComm, Call: engine.CallMerge,
		Params: []Param{{"comm", CommParam, "", "an intercommunicator"},
			{"high", AnyValue, "False", "the group that passes False comes first"}},
		Short:   "make one intracommunicator of both groups",
		Long:    "Each group keeps its order. All ranks of a group must pass the same high. If both groups pass the same high, the standard leaves the order open; here the group with the lowest world rank comes first.",
		After:   "inter = intercomm_create half remote_leader=1-world.rank%2",
		Example: "all = merge inter high=world.rank%2==0",
		text:    lines("{comm}.Merge({high})"),
	},
}

func splitTypeText(given func(string) bool) []string {
	call := "{comm}.Split_type({type}, {key}, %s)"
	switch {
	case given("info"):
		return []string{fmt.Sprintf(call, "{info}")}
	case !given("resource") && !given("pset"):
		return []string{"{comm}.Split_type({type}, {key})"}
	}
	list := []string{"info = MPI.Info.Create()"}
	if given("resource") {
		list = append(list, fmt.Sprintf("info.Set(%q, {resource})", engine.KeyHWResourceType))
	}
	if given("pset") {
		list = append(list, fmt.Sprintf("info.Set(%q, {pset})", engine.KeyPsetName))
	}
	return append(list, fmt.Sprintf(call, "info"))
}
