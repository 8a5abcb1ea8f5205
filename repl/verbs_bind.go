package repl

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/repl/lang"
)

// rebinding is the verb that moves ranks. .bind, the meta command, makes a fresh world instead.
var rebinding = &Verb{
	Name: "bind",
	Params: []Param{{"ranks", RanksParam, "", "world ranks: 3, or 0-3,7"},
		{"cpuset", CPUSetParam, "", "PUs of the host of each of them, by P#: 0-1, or 0-1+8; or an expression that is text"}},
	Short:   "let ranks run on other PUs from now on",
	Long:    "The ranks may use these PUs and no others, as if the system had moved them. Communicators stay as they are: those that were split by hardware and no longer reflect it are stale, which pictures and .explain tell. Later splits and hw_info go by the new PUs.",
	Example: "bind 3 0-1",
	run:     runBind, program: lines("bind({ranks}, {cpuset})"),
}

// runBind carries out the function of the same name in programs.
func runBind(i *issue) (starlark.Value, error) { return i.builtin() }

// listed puts an argument that is a list of numbers, such as 0-3,7 or 0-1+8, into the quotes that it
// has in a program. Anything else is an expression.
func (p Param) listed(a lang.Arg) lang.Arg {
	isList := a.Text != "" && strings.Trim(a.Text, "0123456789,+-") == ""
	if isList && (p.Kind == RanksParam || p.Kind == CPUSetParam) {
		a.Text = strconv.Quote(a.Text)
	}
	return a
}

// namesRanks reports whether the verb says itself which ranks it is for.
func (v *Verb) namesRanks() bool { return len(v.Params) > 0 && v.Params[0].Kind == RanksParam }

// moves says where ranks run since a step, a line each: "ranks 0-3 now run on PUs 0-1 instead of PU 2";
// where they ran on different PUs before, it leaves that out.
func (s *Session) moves(from int) string {
	now := s.world.Snapshot()
	before := now.BindingsAt(from)
	ranks, left := map[string]*engine.Ranks{}, map[string]map[string]bool{}
	var order []string
	for r := range now.Rebound(from).All {
		to := pus(now.Bindings[r].CPUSet)
		if ranks[to] == nil {
			ranks[to], left[to] = &engine.Ranks{}, map[string]bool{}
			order = append(order, to)
		}
		ranks[to].Append(int32(r))
		left[to][pus(before[r].CPUSet)] = true
	}
	var told []string
	for i, to := range order {
		if i == mostTold {
			told = append(told, fmt.Sprintf("... and %d more places", len(order)-i))
			break
		}
		verb, instead := "run", ""
		if ranks[to].Len() == 1 {
			verb = "runs"
		}
		for was := range left[to] {
			if instead = " instead of " + was; was == to {
				instead = ", as before"
			}
		}
		if len(left[to]) > 1 {
			instead = ""
		}
		told = append(told, fmt.Sprintf("%s now %s on %s%s", ranks[to].Noun(), verb, to, instead))
	}
	return strings.Join(told, "\n")
}

func pus(set hw.Set) string {
	if set.Len() == 1 {
		return "PU " + set.String()
	}
	return "PUs " + set.String()
}
