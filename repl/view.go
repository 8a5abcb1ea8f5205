package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/repl/program"
)

// View describes the session as it is now.
func (s *Session) View() *render.View {
	v := &render.View{
		Snapshot: s.world.Snapshot(), Placement: s.config.Policy, Psets: s.place.psets,
		Expectations: s.expectations(),
	}
	for _, name := range s.Handles() {
		v.Handles = append(v.Handles, s.Handle(name))
	}
	if s.failure != nil {
		v.Errors = s.failure.Errors
	} else if s.blocked >= 0 {
		v.Deadlock = s.world.Deadlock()
	}
	return v
}

// Handle tells which communicators a variable holds, rank by rank.
func (s *Session) Handle(name string) render.Handle {
	h := render.Handle{Name: name, IDs: make([]int32, len(s.ranks))}
	for i, r := range s.ranks {
		h.IDs[i] = -1
		if r == nil {
			continue
		}
		ids, isList, ok := program.Held(r.Vars[name])
		switch {
		case !ok:
		case isList:
			if h.Lists == nil {
				h.Lists = map[int][]int32{}
			}
			h.Lists[i] = ids
		default:
			h.IDs[i] = ids[0]
		}
	}
	return h
}

// Handles lists the variables that hold communicators, in order of appearance.
func (s *Session) Handles() []string {
	var list []string
	for _, name := range s.order {
		if slices.ContainsFunc(s.ranks, func(r *program.Rank) bool { return holdsComm(r, name) }) {
			list = append(list, name)
		}
	}
	return list
}

func holdsComm(r *program.Rank, name string) bool {
	if r == nil {
		return false
	}
	_, _, ok := program.Held(r.Vars[name])
	return ok
}

// Variables lists all variables.
func (s *Session) Variables() []string {
	list := make([]string, 0, len(s.names))
	for n := range s.names {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// checked identifies one expectation over the ranks: a place and how often it was reached.
type checked struct {
	where engine.Site
	times int
}

// expectations merges what the ranks checked. One expectation is one execution of a line, by all
// the ranks that got there; it fails when it fails on one of them.
func (s *Session) expectations() render.Expectations {
	byPlace := map[checked]*verdict{}
	var order []*verdict
	for i, r := range s.ranks {
		if r == nil {
			continue
		}
		for _, c := range r.Checks() {
			k := checked{c.Where, c.Occurrence}
			v := byPlace[k]
			if v == nil {
				v = &verdict{checked: k, first: len(order)}
				byPlace[k] = v
				order = append(order, v)
			}
			v.add(int32(i), c)
		}
	}
	e := render.Expectations{Passed: s.passed, Failed: len(s.missed), Failures: slices.Clone(s.missed)}
	for _, v := range order {
		if len(v.failed) == 0 {
			e.Passed++
			continue
		}
		e.Failed++
		e.Failures = append(e.Failures, render.Failure{Where: v.where.String(), Ranks: v.failed, Message: v.message()})
	}
	slices.SortStableFunc(e.Failures, func(a, b render.Failure) int { return cmp.Compare(a.Where, b.Where) })
	return e
}

// verdict is one expectation while its ranks are merged.
type verdict struct {
	checked
	first    int
	failed   engine.Ranks
	text     string
	expected string
	found    []string // distinct, in order of the lowest rank
	by       map[string]engine.Ranks
}

func (v *verdict) add(rank int32, c program.Check) {
	if v.expected == "" {
		v.expected = c.Expected
	}
	if c.Found != "" {
		if v.by == nil {
			v.by = map[string]engine.Ranks{}
		}
		if _, ok := v.by[c.Found]; !ok {
			v.found = append(v.found, c.Found)
		}
		r := v.by[c.Found]
		r.Append(rank)
		v.by[c.Found] = r
	}
	if c.OK {
		return
	}
	v.failed.Append(rank)
	if v.text == "" {
		v.text = c.Message
	}
}

// message puts expected and found side by side.
func (v *verdict) message() string {
	if v.expected == "" && len(v.found) == 0 {
		return v.text
	}
	if len(v.found) == 1 {
		return fmt.Sprintf("%s: expected %s, found %s", v.text, v.expected, v.found[0])
	}
	var found []string
	for _, f := range v.found {
		found = append(found, fmt.Sprintf("%s (%s)", f, rankNoun(v.by[f])))
	}
	return fmt.Sprintf("%s: expected %s, found %s", v.text, v.expected, strings.Join(found, ", "))
}
