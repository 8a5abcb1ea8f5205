package repl

import (
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/program"
)

// createFromGroup is the verb of MPI_Comm_create_from_group: the one constructor without a
// communicator to act on. It opens a session of its own on each rank.
var createFromGroup = &Verb{
	Name: "create_from_group", Makes: MakesComm, Call: engine.CallCreateFromGroup, OneShot: true,
	Params: []Param{
		{"group", GroupParam, "None", "world ranks in their new order, or a group"},
		{"pset", PsetParam, `""`, "a process set instead of group"},
		{"tag", TextParam, `"org.mpi4py"`, "the stringtag, which tells concurrent calls apart"}},
	Short:   "communicator of a group or process set; no parent",
	Long:    "Opens a session and makes a communicator of a process set, or of ranks of mpi://WORLD. Only the members need to call it, all with the same group and tag; for the others it is a local call that gives COMM_NULL. Process sets come from --pset; mpi://WORLD and mpi://SELF are always there.",
	Example: `sea = create_from_group group=[0,1,2] tag="org.example.sea"`,
	text:    fromGroupText, check: oneSource,
}

// What the verb is as a program.
const (
	openSession = "session = MPI.Session.Init()"
	worldPset   = `session.Create_group("mpi://WORLD")`
)

// groupItself replaces what makes a group of a list of ranks where the argument is a group already.
var groupItself = strings.NewReplacer("{comm}.group.Incl({group})", "{group}", worldPset+".Incl({group})", "{group}")

func fromGroupText(given func(string) bool) []string {
	group := worldPset + ".Incl({group})"
	if given("pset") {
		group = "session.Create_group({pset})"
	}
	return []string{openSession, "MPI.Intracomm.Create_from_group(" + group + ", {tag})"}
}

// oneSource refuses both of group and pset, and neither.
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

// intercommFromGroups is the verb of MPI_Intercomm_create_from_groups. Each rank passes the group that
// it is in as the local one.
var intercommFromGroups = &Verb{
	Name: "intercomm_create_from_groups", Makes: MakesComm, Call: engine.CallIntercommCreateFromGroups,
	Params: []Param{
		{"left", GroupParam, "", "world ranks of one group"},
		{"right", GroupParam, "", "world ranks of the other group"},
		{"left_leader", IntParam, "0", "rank in left of its leader"},
		{"right_leader", IntParam, "0", "rank in right of its leader"},
		{"tag", TextParam, `""`, "the stringtag, which tells concurrent calls apart"}},
	Short:   "intercommunicator of two groups; no parent",
	Long:    "Opens a session and joins two disjoint groups of ranks of mpi://WORLD. Each rank passes the group that it is in as the local group; for a rank in neither it is a local call that gives COMM_NULL.",
	Example: "pair = intercomm_create_from_groups left=[0,1] right=[2,3,4]",
	check:   listsOnly,
	text: lines(openSession, "left = "+worldPset+".Incl({left})", "right = "+worldPset+".Incl({right})",
		"on_left = left.Get_rank() != MPI.UNDEFINED",
		"MPI.Intercomm.Create_from_groups(left if on_left else right, {left_leader} if on_left else {right_leader}, right if on_left else left, {right_leader} if on_left else {left_leader}, {tag})"),
}

// listsOnly refuses group objects: those of the World Model are not of the verb's session.
func listsOnly(i *issue) error {
	for _, name := range []string{"left", "right"} {
		if _, ok := program.GroupOf(i.arg(name)); ok {
			return i.wrong(name, "%s must be a list of world ranks such as [0, 1], not a group", name)
		}
	}
	return nil
}
