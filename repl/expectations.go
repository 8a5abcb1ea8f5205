package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// checked identifies an expectation across ranks: a place, and how often a rank had come to that place.
type checked struct {
	where engine.Site
	times int
}

// Expectations merges the checks of ranks. One expectation is one execution of a line, by all ranks that came to
// the line; it fails when it fails on any of these ranks.
func (s *Session) Expectations() render.Expectations {
	e := render.Expectations{Points: slices.Clone(s.own)}
	for _, v := range s.verdicts() {
		p := render.Point{Where: v.where.String(), Text: v.text}
		if len(v.failed) > 0 {
			p.Failure = &render.Failure{Where: p.Where, Ranks: v.failed, Message: v.message(), Source: s.source(v.where), At: v.at}
		}
		e.Points = append(e.Points, p)
	}
	slices.SortStableFunc(e.Points, byPlace)
	for _, p := range e.Points {
		if p.Failure == nil {
			e.Passed++
			continue
		}
		e.Failed++
		e.Failures = append(e.Failures, *p.Failure)
	}
	return e
}

// earlier returns the expectations of earlier worlds with their moments set before the first step of the present
// world.
func earlier(e render.Expectations) render.Expectations {
	for i, p := range e.Points {
		if p.Failure != nil {
			f := *p.Failure
			f.At = engine.Moment{}
			e.Points[i].Failure = &f
		}
	}
	return e
}

// byPlace orders expectations by file and line.
func byPlace(a, b render.Point) int {
	at, other := SiteOf(a.Where), SiteOf(b.Where)
	return cmp.Or(cmp.Compare(at.File, other.File), cmp.Compare(at.Line, other.Line))
}

// SiteOf reads what engine.Site prints: "grid.c:47", or a place without a line.
func SiteOf(text string) engine.Site {
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		if n, err := strconv.ParseInt(text[i+1:], 10, 32); err == nil && n > 0 {
			return engine.Site{File: text[:i], Line: int32(n)}
		}
	}
	return engine.Site{File: text}
}

// verdict is one expectation while its ranks are merged.
type verdict struct {
	checked
	failed engine.Ranks
	at     engine.Moment // the latest moment at which a rank of failed checked it
	text   string
	sides  []side // distinct, by lowest rank
	told   map[[2]string]int
}

// side is an expected value and a found value, with the ranks that have both.
type side struct {
	expected, found string
	ranks           engine.Ranks
}

func (v *verdict) add(rank int32, c program.Check) {
	if c.OK {
		return
	}
	v.failed.Append(rank)
	if at := c.At(); at.Compare(v.at) > 0 {
		v.at = at
	}
	if len(v.failed) == 1 {
		v.text = c.Message // the message of the first rank that failed
	}
	if c.Expected == "" && c.Found == "" {
		return
	}
	k := [2]string{c.Expected, c.Found}
	i, known := v.told[k]
	if !known {
		if v.told == nil {
			v.told = map[[2]string]int{}
		}
		i = len(v.sides)
		v.told[k] = i
		v.sides = append(v.sides, side{expected: c.Expected, found: c.Found})
	}
	v.sides[i].ranks.Append(rank)
}

// mostSides is how many different findings a message lists.
const mostSides = 6

// message lists the sides of a failed expectation. A value that all ranks expected is written once; otherwise each
// side has its own expected value.
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

// verdicts returns the expectations that ranks of the present world checked: first those that rank 0 came to, in its
// order, then the remaining ones of the next rank, and so on.
func (p *processes) verdicts() []*verdict {
	reached := map[checked]*verdict{}
	var order []*verdict
	for i, r := range p.Ranks {
		for _, c := range r.Checks {
			k := checked{c.Where, c.Occurrence}
			v := reached[k]
			if v == nil {
				v = &verdict{checked: k, text: c.Message}
				reached[k] = v
				order = append(order, v)
			}
			v.add(int32(i), c)
		}
	}
	return order
}
