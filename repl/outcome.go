package repl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"go.starlark.net/starlark"
)

// Outcome is the result of running one chunk.
type Outcome struct {
	Chunk   *lang.Chunk
	Verb    *Verb           // of a command
	Handle  string          // variable that got communicators; "" for none
	Values  []ValueGroup    // the value of a command or an expression, when it is not a communicator
	Callers engine.Ranks    // ranks that issued the command's call
	Echo    string          // the command in SPMD words
	From    int             // steps of the trace before the chunk
	Caught  []*engine.Error // errors that expect_error met, merged over ranks
	Why     string          // of ask: the reason for those who predict wrongly; "" when it gives none
	effect
	hidden []string // see Entry
}

// describe fills in the results of a command.
func (o *Outcome) describe(s *Session, cmd *command, ranks engine.Ranks) {
	var later engine.Ranks // blocked before they come to the call
	for r, called := range s.called {
		switch {
		case called:
			o.Callers.Append(int32(r))
		case s.blocked >= 0 && !s.world.Idle(r) && ranks.Has(r):
			later.Append(int32(r))
		}
	}
	who := o.Callers
	switch cmd.verb.Call {
	case engine.CallCreateGroup, engine.CallCreateFromGroup, engine.CallIntercommCreateFromGroups:
		who = o.takingPart(s, cmd)
	}
	o.Echo = cmd.echo(who, later)
	if cmd.verb.actsOn(RanksParam) {
		o.Echo = strings.TrimPrefix(movesOf(s, o.From)+cmd.stillToMove(later), "\n")
	}
	if cmd.verb.Makes == MakesComm {
		o.Handle = cmd.target
		if o.Callers.Len() < s.Size() {
			o.bare = s.bare(cmd.target, s.known(cmd.target), ranks)
			s.fillNull(cmd.target, cmd.at.String(), ranks, o.From)
		}
	}
	if s.values != nil {
		show := program.Text
		if cmd.verb.Call == engine.CallCompare {
			show = comparison
		}
		o.Values = groupValues(s.values, show)
	}
	switch cmd.verb.Name {
	case "expect_error":
		o.Caught = s.caught()
		nameComms(s, o.Caught)
	case "ask":
		if r := slices.Index(s.called, true); r >= 0 && s.ranks[r] != nil {
			o.Why = s.ranks[r].Why
		}
	}
}

// takingPart returns the ranks that issued a call over groups alone and are in the groups: the others get MPI_COMM_NULL
// without a call for which anyone waits. Where no rank is in a group, it returns all ranks that issued the call.
func (o *Outcome) takingPart(s *Session, cmd *command) engine.Ranks {
	var who []int
	for _, step := range s.world.Snapshot().Steps[o.From:] {
		if step.Call == cmd.verb.Call {
			who = append(who, step.Ranks.Slice()...)
		}
	}
	if who == nil {
		return o.Callers
	}
	return engine.RanksOf(who...)
}

// ValueGroup is a value as text and the ranks that have it.
type ValueGroup struct {
	Ranks engine.Ranks
	Text  string
}

// groupValues merges equal values over ranks, in order of the lowest rank. None is left out.
func groupValues(values []starlark.Value, show func(starlark.Value) string) []ValueGroup {
	at := map[string]int{}
	var list []ValueGroup
	for r, v := range values {
		if v == nil || v == starlark.None {
			continue
		}
		text := show(v)
		i, ok := at[text]
		if !ok {
			i = len(list)
			at[text] = i
			list = append(list, ValueGroup{Text: text})
		}
		list[i].Ranks.Append(int32(r))
	}
	return list
}

// echo describes in SPMD words the call that the ranks who made, and that the blocked ranks later will make.
func (cmd *command) echo(who, later engine.Ranks) string {
	switch {
	case cmd.verb.Call == engine.CallNone:
		return ""
	case later.Len() > 0 && who.Len() == 0:
		return cmd.echo(later, nil) + letGo(later)
	case later.Len() > 0:
		return fmt.Sprintf("%s; %s will%s", cmd.echo(who, nil), later.Noun(), letGo(later))
	case who.Len() == 0 && cmd.verb.actsOn(CommParam):
		return fmt.Sprintf("no rank calls %s: %s is COMM_NULL on all of them", cmd.verb.Call, cmd.bound[0].Text)
	}
	var args []string
	for k, p := range cmd.verb.Params {
		switch {
		case p.Kind == CommParam && k == 0:
			args = append(args, cmd.bound[k].Text)
		case cmd.given[k] || p.Kind == IntParam:
			args = append(args, p.Name+"="+cmd.bound[k].Text)
		}
	}
	return fmt.Sprintf("%s %s %s(%s)", who.Noun(), spell.Agreeing(who.Len(), "calls", "each call"), cmd.verb.Call, strings.Join(args, ", "))
}

// letGo returns " once it is let go" for one blocked rank, " once they are let go" for several.
func letGo(who engine.Ranks) string {
	return spell.Agreeing(who.Len(), " once it is let go", " once they are let go")
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
		told = append(told, m.ranks.Noun()+spell.Agreeing(m.ranks.Len(), " now runs on ", " now run on ")+m.to+m.from)
	}
	if len(stay) > 0 {
		told = append(told, stay.Noun()+spell.Agreeing(stay.Len(), " runs where it did", " run where they did"))
	}
	return strings.Join(told, "\n")
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
	return spell.Agreeing(set.Len(), "PU ", "PUs ") + set.String()
}
