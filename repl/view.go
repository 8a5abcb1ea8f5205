package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/repl/program"
)

// View describes the session as it is now.
func (s *Session) View() *render.View {
	v := &render.View{
		Snapshot: s.world.Snapshot(), Placement: s.config.Policy, Psets: s.world.Psets(),
		Expectations: s.expectations(),
	}
	for _, name := range s.Handles() {
		v.Handles = append(v.Handles, s.Handle(name))
	}
	if s.failure != nil {
		v.Errors = s.failure.Errors
	} else {
		v.Deadlock = s.Deadlock()
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
	reached := map[checked]*verdict{}
	var order []*verdict
	for i, r := range s.ranks {
		if r == nil {
			continue
		}
		for _, c := range r.Checks() {
			k := checked{c.Where, c.Occurrence}
			v := reached[k]
			if v == nil {
				v = &verdict{checked: k}
				reached[k] = v
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
	slices.SortStableFunc(e.Failures, byPlace)
	return e
}

// byPlace orders failures by file and line.
func byPlace(a, b render.Failure) int {
	fileA, lineA := cutLine(a.Where)
	fileB, lineB := cutLine(b.Where)
	return cmp.Or(cmp.Compare(fileA, fileB), cmp.Compare(lineA, lineB))
}

// cutLine cuts "demo.mpi:9" at the colon.
func cutLine(where string) (file string, line int) {
	i := strings.LastIndexByte(where, ':')
	if i < 0 {
		return where, 0
	}
	line, _ = strconv.Atoi(where[i+1:])
	return where[:i], line
}

// verdict is one expectation while its ranks are merged.
type verdict struct {
	checked
	failed engine.Ranks
	text   string
	sides  []side // distinct, by lowest rank
	at     map[[2]string]int
}

// side is what some ranks expected and found.
type side struct {
	expected, found string
	ranks           engine.Ranks
}

func (v *verdict) add(rank int32, c program.Check) {
	if c.OK {
		return
	}
	v.failed.Append(rank)
	if v.text == "" {
		v.text = c.Message
	}
	if c.Expected == "" && c.Found == "" {
		return
	}
	k := [2]string{c.Expected, c.Found}
	i, known := v.at[k]
	if !known {
		if v.at == nil {
			v.at = map[[2]string]int{}
		}
		i = len(v.sides)
		v.at[k] = i
		v.sides = append(v.sides, side{expected: c.Expected, found: c.Found})
	}
	v.sides[i].ranks.Append(rank)
}

// mostSides is how many different findings a message tells.
const mostSides = 6

// message puts expected and found side by side: what all ranks expected once, otherwise each one's
// own.
func (v *verdict) message() string {
	if len(v.sides) == 0 {
		return v.text
	}
	same := !slices.ContainsFunc(v.sides, func(s side) bool { return s.expected != v.sides[0].expected })
	var told []string
	for _, s := range v.sides[:min(len(v.sides), mostSides)] {
		text := "found " + s.found
		if !same {
			text = "expected " + s.expected + ", " + text
		}
		if len(v.sides) > 1 {
			text += " (" + s.ranks.Noun() + ")"
		}
		told = append(told, text)
	}
	if more := len(v.sides) - len(told); more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	head := v.text + ": "
	if same {
		head += "expected " + v.sides[0].expected + ", "
	}
	return head + strings.Join(told, "; ")
}
