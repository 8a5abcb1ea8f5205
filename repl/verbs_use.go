package repl

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
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
		Short:   "free a communicator after its communication is complete",
		Long:    "As free, but each rank waits until its pending receives and duplications have completed.",
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
		Long:    "Returns on a rank once all ranks of comm have called it. With @ranks in front, it shows what happens when some ranks do not call it.",
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

// comparison returns the name of a result of MPI_Comm_compare.
func comparison(v starlark.Value) string {
	n, err := starlark.AsInt32(v)
	if err != nil {
		return v.String()
	}
	return engine.Comparison(n).String()
}

// rebinding is the verb that moves ranks. .bind, the meta command, makes a fresh world instead.
var rebinding = &Verb{
	Name: "bind",
	Params: []Param{{"ranks", RanksParam, "", "world ranks: 3, or 0-3,7"},
		{"cpuset", CPUSetParam, "", "PUs of the host of each of them, by P#: 0-1, or 0-1+8; or an expression that is text"}},
	Short:   "move ranks to other PUs",
	Long:    "The ranks may use these PUs and no others, as if the system had moved them. Communicators stay as they are: those that were split by hardware and no longer reflect it are stale, and pictures and .explain say so. Later splits and hw_info go by the new PUs.",
	Example: "bind 3 0-1",
	text:    lines("bind({ranks}, {cpuset})"),
}

// movesOf lists where ranks were moved after step from, a line for each new place: "ranks 0-3 now run on PUs 0-1
// instead of PU 2". The old place is left out where the ranks of a line came from different places.
func movesOf(s *Session, from int) string {
	now := s.world.Snapshot()
	before := now.BindingsAt(from)
	type move struct {
		ranks    engine.Ranks
		from, to string
	}
	var list []*move
	byPlace := map[string]*move{}
	var stay engine.Ranks
	for r := range now.Rebound(from).All {
		was, to := pus(before[r].CPUSet), pus(now.Bindings[r].CPUSet)
		if was == to {
			stay.Append(int32(r))
			continue
		}
		m := byPlace[to]
		if m == nil {
			m = &move{from: " instead of " + was, to: to}
			byPlace[to], list = m, append(list, m)
		}
		if m.ranks.Append(int32(r)); m.from != " instead of "+was {
			m.from = ""
		}
	}
	var told []string
	for i, m := range list {
		if i == mostTold {
			told = append(told, fmt.Sprintf("... and %d more places", len(list)-i))
			break
		}
		told = append(told, m.ranks.Noun()+runs(m.ranks, " now runs on ", " now run on ")+m.to+m.from)
	}
	if len(stay) > 0 {
		told = append(told, stay.Noun()+runs(stay, " runs where it did", " run where they did"))
	}
	return strings.Join(told, "\n")
}

func runs(who engine.Ranks, one, several string) string {
	if who.Len() == 1 {
		return one
	}
	return several
}

// stillToMove returns a line about the blocked ranks among the ranks that the command names, which will move later; ""
// for none.
func (cmd *command) stillToMove(blocked engine.Ranks) string {
	text, err := strconv.Unquote(cmd.bound[0].Text)
	if err != nil {
		text = cmd.bound[0].Text // an expression, which only the ranks evaluate
	}
	named, err := engine.ParseRanks(text, engine.MaxSize)
	var later engine.Ranks
	for r := range blocked.All {
		if err != nil || named.Has(r) {
			later.Append(int32(r))
		}
	}
	if len(later) == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s will move%s", later.Noun(), letGo(later))
}

func pus(set hw.Set) string {
	if set.Len() == 1 {
		return "PU " + set.String()
	}
	return "PUs " + set.String()
}
