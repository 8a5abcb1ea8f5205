package repl

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/render"
	"commsplit/repl/lang"
	"commsplit/repl/program"
)

const explainHelp = "Tells, for each reason that there is, which ranks hold which communicator in a variable, " +
	"or MPI_COMM_NULL, because of it: the call, what counted in it, and the rule of the standard. " +
	".explain half @3 tells it of world rank 3 in full, with its place in the order by key and old rank; " +
	"@0-3,7 of several ranks. .explain levels[1] looks into a list."

// mostReasons is how many reasons are told when no ranks are named.
const mostReasons = 12

// mostAlone is how many ranks are explained one by one when ranks are named.
const mostAlone = 8

func (c *Console) metaExplain(_ context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf(".explain needs a variable that holds communicators: .explain half, or .explain half @3")
	}
	v := c.view()
	held, err := c.Session.heldAt(v, args[0])
	if err != nil {
		return err
	}
	if len(args) == 1 {
		list, rest := reason.Handle(v.Snapshot, held, engine.AllRanks(c.Session.Size()), mostReasons)
		return render.Explain(c.Out, v, list, rest, c.Style)
	}
	text, ok := strings.CutPrefix(args[1], "@")
	if !ok {
		return fmt.Errorf(".explain takes ranks as @0-3, not %s: .explain %s @%s", args[1], args[0], args[1])
	}
	ranks, err := engine.ParseRanks(text, c.Session.Size())
	if err != nil {
		return err
	}
	if ranks.Len() > mostAlone {
		list, rest := reason.Handle(v.Snapshot, held, ranks, mostReasons)
		return render.Explain(c.Out, v, list, rest, c.Style)
	}
	var list []reason.Explanation
	for r := range ranks.All {
		list = append(list, reason.Rank(v.Snapshot, held(r), r))
	}
	return render.Explain(c.Out, v, list, nil, c.Style)
}

// holding tells what ranks hold in a variable, or at a place in a list: "half", "levels[1]".
func (s *Session) holding(text string) (func(rank int) reason.Held, error) {
	name, indexes, err := cutIndexes(text)
	if err != nil {
		return nil, err
	}
	switch {
	case s.known(name):
	case text == "world":
		return func(int) reason.Held { return reason.Held{} }, nil
	default:
		return nil, fmt.Errorf("no variable is called %s%s; .explain takes a variable that holds communicators",
			name, didYouMean(name, s.Handles()))
	}
	return func(rank int) reason.Held {
		if s.ranks[rank] == nil {
			return program.HeldBy(nil)
		}
		if s.ranks[rank].Vars[name] == nil && !s.world.Idle(rank) {
			return reason.Held{Comm: -1, Unset: "none yet: the rank is blocked"}
		}
		v, ok := elementOf(s.ranks[rank].Vars[name], indexes)
		if !ok {
			return reason.Held{Comm: -1, Unset: fmt.Sprintf("none: there is no %s on this rank", text)}
		}
		return program.HeldBy(v)
	}, nil
}

// elementOf follows indexes into lists, negative ones from the end; ok is false when v has no such
// element. A variable without a value stays nil.
func elementOf(v starlark.Value, indexes []int) (element starlark.Value, ok bool) {
	for _, i := range indexes {
		if v == nil {
			return nil, true
		}
		list, ok := v.(starlark.Indexable)
		if i < 0 && ok {
			i += list.Len()
		}
		if !ok || i < 0 || i >= list.Len() {
			return nil, false
		}
		v = list.Index(i)
	}
	return v, true
}

// cutIndexes takes "levels[1][-1]" apart.
func cutIndexes(text string) (name string, indexes []int, err error) {
	name, rest, more := strings.Cut(text, "[")
	if !lang.IsName(name) {
		return "", nil, fmt.Errorf(".explain takes a variable, or a place in a list such as levels[1], not %s", text)
	}
	for more {
		number, after, ok := strings.Cut(rest, "]")
		i, bad := strconv.Atoi(strings.TrimSpace(number))
		if !ok || bad != nil || after != "" && after[0] != '[' {
			return "", nil, fmt.Errorf("%s: a place in a list is written %s[1]", text, name)
		}
		indexes = append(indexes, i)
		_, rest, more = strings.Cut(after, "[")
	}
	return name, indexes, nil
}
