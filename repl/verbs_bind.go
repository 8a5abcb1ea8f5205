package repl

import (
	"fmt"
	"strconv"
	"strings"

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
	text:    lines("bind({ranks}, {cpuset})"),
}

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

// stillToMove says which of the ranks that the command names are blocked, and do not come to it yet.
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
