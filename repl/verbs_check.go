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

// checkVerbs are the verbs of scripts: expectations and narration.
var checkVerbs = []*Verb{
	{
		Name:    "expect",
		Params:  []Param{{"cond", AnyValue, "", "must be true on every rank that issues it"}, {"message", TextParam, `""`, "what it means"}},
		Short:   "expectation: a condition",
		Long:    "Counts as passed when the condition is true on all ranks that issue it.",
		Example: `expect world.size==8 "eight ranks"`,
		text:    lines("expect({cond}, {message})"),
	},
	{
		Name: "expect_parts",
		Params: []Param{{"handle", HandleParam, "", "the variable"},
			{"parts", PartsParam, "", "the world ranks of each communicator in rank order: [[0,2],[1,3]]"}},
		Short:   "expectation: who is in which communicator",
		Long:    "Ranks that are in no part must hold COMM_NULL. An intercommunicator is a pair of groups: ([0],[3,4]).",
		Example: "expect_parts half [[6,4,2,0],[7,5,3,1]]",
		text:    lines("expect_parts({handle}, {parts})"),
	},
	{
		Name: "expect_error",
		Params: []Param{{"error", AnyValue, "", "an error class: MPI.ERR_ARG"},
			{"call", FuncParam, "", "a function without parameters that must raise it"}},
		Short:   "expectation: an MPI error",
		Long:    "The function must raise an error of that class on every rank that issues the command.",
		Example: "expect_error MPI.ERR_ARG (lambda: world.Split(-1))",
		text:    lines("expect_error({error}, {call})"),
	},
	{
		Name:    "expect_deadlock",
		Short:   "expectation: ranks are blocked; takes their lines back",
		Long:    "Passes when some ranks wait in calls that cannot return. The lines that led there are taken back.",
		Example: "expect_deadlock",
	},
	{
		Name:  "expect_no_leaks",
		Short: "expectation: nothing is left",
		Long: "Passes when all that was made so far has been freed, and all that was started has completed: communicators, messages, " +
			"requests, groups. In a program it is decided when the program has come to its end.",
		Example: "expect_no_leaks",
		text:    lines("expect_no_leaks()"),
	},
	{
		Name:    "note",
		Params:  []Param{{"text", TextParam, "", "what to say"}},
		Short:   "narrate",
		Example: `note "two halves"`,
		Long:    "Prints the text once, for the reader of a script.",
		text:    lines("note({text})"),
	},
	{
		Name: "ask",
		Params: []Param{{"question", TextParam, "", "what the reader should predict"},
			{"value", AnyValue, "", "what came: it must be equal to answer, or true if none is given"},
			{"answer", AnyValue, "None", "what is right"},
			{"why", TextParam, "None", "what a reader who was wrong is told; without it, .explain says why, where the value is of one rank's communicator"}},
		Short: "let the reader predict, then reveal",
		Long: "At a prompt it waits for a prediction, takes any text, and shows the value; Enter alone just shows it. " +
			"The members of a list may be named in any order, unless the question has the word order; where it asks whether a call " +
			"returns, \"it hangs\" is no. In a script that runs unattended it is an expectation.",
		Example: `ask "How many ranks are in each half?" half.size answer=4`,
		text:    askText, tells: "value",
	},
}

func askText(given func(string) bool) []string {
	switch {
	case given("why"):
		return []string{"ask({question}, {value}, {answer}, {why})"}
	case given("answer"):
		return []string{"ask({question}, {value}, {answer})"}
	}
	return []string{"ask({question}, {value})"}
}

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
func earlier(points []render.Point) []render.Point {
	list := slices.Clone(points)
	for i, p := range list {
		if p.Failure != nil {
			f := *p.Failure
			f.At = engine.Moment{}
			list[i].Failure = &f
		}
	}
	return list
}

// mostLeft is how many leaks a failed expect_no_leaks names.
const mostLeft = 4

// judgeLeaks decides the expectations of expect_no_leaks, now that the world is quiet. A failed expectation fails on
// all ranks that came to it.
func judgeLeaks(s *Session) {
	var found []string
	judged := false
	for _, r := range s.ranks {
		if r == nil {
			continue
		}
		for _, k := range r.Undecided() {
			if !judged {
				found, judged = leftBy(s), true
			}
			if k.OK = len(found) == 0; !k.OK {
				k.Expected, k.Found = "nothing", strings.Join(found, "; ")
			}
		}
	}
}

// leftBy lists the objects that were never freed or completed, at most mostLeft of them.
func leftBy(s *Session) []string {
	if s.failure != nil || s.blocked >= 0 {
		return []string{"a program that did not come to its end"}
	}
	var list []string
	leaks := s.ViewLeaks().Leaks
	for i, l := range leaks {
		if i == mostLeft {
			list = append(list, fmt.Sprintf("and %d more", len(leaks)-i))
			break
		}
		list = append(list, l.String())
	}
	return list
}

// byPlace orders expectations by file and line.
func byPlace(a, b render.Point) int {
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
