package repl

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// HeldAt returns a function that returns what a rank held in a variable as after the last step of a view.
func (s *Session) HeldAt(v *render.View, handle string) (func(rank int) reason.Held, error) {
	step := len(v.Snapshot.Steps)
	if step < s.world.Now().Steps && handle != "world" {
		if held := s.past.heldAt(handle, step); held != nil {
			return held, nil
		}
	}
	return holding(s, handle)
}

// holding returns a function that returns what a rank holds in a variable, or in an element of a list: "half" or
// "levels[1]".
func holding(s *Session, text string) (func(rank int) reason.Held, error) {
	name, indexes, err := cutIndexes(text)
	if err != nil {
		return nil, err
	}
	switch {
	case s.known(name):
	case text == "world":
		return func(int) reason.Held { return reason.Held{} }, nil
	default:
		return nil, fmt.Errorf("there is no variable %s%s; .explain takes a variable that holds communicators",
			name, spell.DidYouMean(name, s.Handles()))
	}
	return func(rank int) reason.Held {
		if s.ranks[rank] == nil {
			return program.HeldBy(nil)
		}
		if s.ranks[rank].Vars.Get(name) == nil && !s.world.Idle(rank) {
			return reason.Held{Comm: -1, Unset: "none yet: the rank is blocked"}
		}
		v, ok := elementOf(s.ranks[rank].Vars.Get(name), indexes)
		if !ok {
			return reason.Held{Comm: -1, Unset: fmt.Sprintf("none: there is no %s on this rank", text)}
		}
		return program.HeldBy(v)
	}, nil
}

// elementOf follows indexes into lists; negative indexes count from the end. ok is false when v has no such
// element. For a variable without a value the element is nil and ok is true.
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

// cutIndexes parses a name with indexes: "levels[1][-1]".
func cutIndexes(text string) (name string, indexes []int, err error) {
	name, rest, more := strings.Cut(text, "[")
	if !lang.IsName(name) {
		return "", nil, fmt.Errorf(".explain takes a variable or an element of a list, such as levels[1], not %s", text)
	}
	for more {
		number, after, ok := strings.Cut(rest, "]")
		i, bad := strconv.Atoi(strings.TrimSpace(number))
		if !ok || bad != nil || after != "" && after[0] != '[' {
			return "", nil, fmt.Errorf("%s: write an element of a list as %s[1]", text, name)
		}
		indexes = append(indexes, i)
		_, rest, more = strings.Cut(after, "[")
	}
	return name, indexes, nil
}

// Explain returns why world ranks hold their communicators in a variable, or in an element of a list, now or as after
// the last step of an earlier view. Up to alone ranks are each explained in full; where there are more ranks, each
// reason is told once. rest are the ranks whose reasons are left out.
func (s *Session) Explain(v *render.View, handle string, ranks engine.Ranks, alone int) (list []reason.Explanation, rest engine.Ranks, err error) {
	held, err := s.HeldAt(v, handle)
	if err != nil {
		return nil, nil, err
	}
	reader := reason.NewReader(v.Snapshot)
	if ranks.Len() > alone {
		list, rest = reader.Handle(held, ranks, mostReasons)
		return list, rest, nil
	}
	for r := range ranks.All {
		list = append(list, reader.Rank(held(r), r))
	}
	return list, nil, nil
}

// mostReasons is how many reasons are reported of many ranks.
const mostReasons = 12
