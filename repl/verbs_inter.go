package repl

import "commsplit/engine"

// interVerbs are the verbs about intercommunicators.
var interVerbs = []*Verb{
	{
		Name: "intercomm_create", Makes: MakesComm, Call: engine.CallIntercommCreate,
		Params: []Param{{"comm", CommParam, "", "the local communicator: each side its own"},
			{"remote_leader", IntParam, "", "rank in peer of the other side's leader; matters at the local leader"},
			{"local_leader", IntParam, "0", "rank in comm of this side's leader"},
			{"peer", HandleParam, "world", "a communicator that holds both leaders"},
			{"tag", IntParam, "0", "both leaders must use the same"}},
		Short:   "join two groups into an intercommunicator",
		Long:    "Collective over both groups. Each side passes its own communicator, and the leaders find each other in peer. After half = split world color=rank%2 the leaders are world ranks 0 and 1; an argument that is evaluated on each rank tells them apart.",
		Example: "inter = intercomm_create half remote_leader=1-world.rank%2",
		text:    lines("{comm}.Create_intercomm({local_leader}, {peer}, {remote_leader}, {tag})"),
	},
	intercommFromGroups,
	{
		Name: "merge", Makes: MakesComm, Call: engine.CallMerge,
		Params: []Param{{"comm", CommParam, "", "an intercommunicator"},
			{"high", AnyValue, "False", "the group that passes False comes first"}},
		Short:   "make one intracommunicator of both groups",
		Long:    "Each group keeps its order. All ranks of a group must pass the same high. When both pass the same, the standard leaves the order open; here the group with the lowest world rank comes first.",
		After:   "inter = intercomm_create half remote_leader=1-world.rank%2",
		Example: "all = merge inter high=world.rank%2==0",
		text:    lines("{comm}.Merge({high})"),
	},
}
