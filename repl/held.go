package repl

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"go.starlark.net/starlark"
)

// notePast adds to the past the changes that ranks noted since the last call of notePast. The world must be quiet.
func (s *Session) notePast() {
	p := s.past
	list := gather(s)
	freed := s.world.FreedSince(p.steps)
	p.steps = s.world.Steps()
	for _, b := range list {
		for len(freed) > 0 && freed[0].Step <= b.step {
			p.free(freed[0])
			freed = freed[1:]
		}
		p.column(b.columnKey).change(b)
		p.called.note(b)
	}
	for _, f := range freed {
		p.free(f)
	}
}

// gather merges the changes of all ranks, in order of the steps. It reads the ranks of a large world in parts, in
// parallel.
func gather(s *Session) []*batch {
	parts := make([][]*batch, runtime.GOMAXPROCS(0))
	s.inParts(func(k, first int, part []*program.Rank) { parts[k] = gatherPart(first, part, len(s.ranks)) })
	list := joined(parts)
	slices.SortStableFunc(list, func(a, b *batch) int { return cmp.Compare(a.step, b.step) })
	return list
}

// gatherPart merges the changes of a part of the ranks, which begins at world rank first. Batches stand in the order
// of their first change.
func gatherPart(first int, ranks []*program.Rank, world int) []*batch {
	var list []*batch
	known := map[batchKey]*batch{}
	var like []*batch // the batches of the changes of the rank before: most ranks change the same
	var changes []program.Change
	for i, r := range ranks {
		if r == nil {
			continue
		}
		changes = r.Changes(changes[:0])
		for n, x := range changes {
			k := batchKey{columnKey{x.Name, x.Index}, r.P.StepOf(x.Behind)}
			if n == len(like) {
				like = append(like, nil)
			}
			if b := like[n]; b == nil || b.columnKey != k.columnKey || b.step != k.step {
				if b = known[k]; b == nil {
					b = &batch{columnKey: k.columnKey, step: k.step}
					known[k] = b
					list = append(list, b)
				}
				like[n] = b
			}
			like[n].add(int32(first+i), x.ID, x.Came, world)
		}
	}
	return list
}

// joined joins the batches of all parts, which are in rank order: one batch for each column and step.
func joined(parts [][]*batch) []*batch {
	list := parts[0]
	known := map[batchKey]*batch{}
	for _, b := range list {
		known[batchKey{b.columnKey, b.step}] = b
	}
	for _, part := range parts[1:] {
		for _, b := range part {
			k := batchKey{b.columnKey, b.step}
			if before := known[k]; before != nil {
				before.join(b)
				continue
			}
			known[k] = b
			list = append(list, b)
		}
	}
	return list
}

// HeldAt returns a function that returns what a rank held in a variable as after the last step of a view.
func (s *Session) HeldAt(v *render.View, handle string) (func(rank int) reason.Held, error) {
	step := len(v.Snapshot.Steps)
	if step < s.world.Steps() && handle != "world" {
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
// the last step of an earlier view. If there are at most alone ranks, each is explained in full; of more ranks, each
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
