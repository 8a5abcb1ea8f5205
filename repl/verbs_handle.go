package repl

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

// handleVerbs are the verbs that make no communicator.
var handleVerbs = []*Verb{
	{
		Name: "free", Call: engine.CallFree, Params: []Param{{"comm", CommParam, "", "the communicator to free"}},
		Short:   "free a communicator; the variable becomes COMM_NULL",
		Long:    "Collective over the communicator. MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed.",
		Example: "free half",
		text:    lines("{comm}.Free()"),
	},
	{
		Name: "disconnect", Call: engine.CallDisconnect, Params: []Param{{"comm", CommParam, "", "the communicator to free"}},
		Short:   "free a communicator once all communication on it has ended",
		Long:    "As free, but ranks wait in it for receives and duplications under way.",
		Example: "disconnect half",
		text:    lines("{comm}.Disconnect()"),
	},
	{
		Name: "compare", Makes: MakesValue, Call: engine.CallCompare,
		Params:  []Param{commParam, {"other", CommParam, "", "the communicator to compare with"}},
		Short:   "IDENT, CONGRUENT, SIMILAR or UNEQUAL",
		Long:    "IDENT: the same communicator. CONGRUENT: the same ranks in the same order, another context. SIMILAR: the same ranks in another order. UNEQUAL: anything else.",
		Example: "compare world half",
		text:    lines("MPI.Comm.Compare({comm}, {other})"), show: comparison,
	},
	{
		Name: "name", Call: engine.CallSetName,
		Params:  []Param{commParam, {"text", TextParam, "", "the name"}},
		Short:   "name a communicator",
		Long:    "The name shows in tables and pictures. A duplicate does not inherit it.",
		Example: `name world "everybody"`,
		text:    lines("{comm}.Set_name({text})"),
	},
	{
		Name: "barrier", Call: engine.CallBarrier, Params: []Param{commParam},
		Short:   "wait for all ranks of a communicator",
		Long:    "Returns on a rank once all ranks of comm have called it. With @ranks in front, it shows what happens when not everybody does.",
		Example: "barrier world",
		text:    lines("{comm}.Barrier()"),
	},
	{
		Name: "hw_info", Makes: MakesInfo, Call: engine.CallHWInfo, OneShot: true,
		Short:   "which hardware each rank is restricted to",
		Long:    `For each hardware resource type: "true" on ranks that are restricted to a single instance of it. The names are those that split_type takes as resource.`,
		Example: "hw = hw_info",
		text:    lines("MPI.Get_hw_resource_info()"),
	},
}

// comparison is the result of MPI_Comm_compare by its name.
func comparison(v starlark.Value) string {
	n, err := starlark.AsInt32(v)
	if err != nil {
		return v.String()
	}
	return engine.Comparison(n).String()
}
