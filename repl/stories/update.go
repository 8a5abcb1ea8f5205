package stories

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// Came is a place where an expectation failed, and the argument with which the expectation would hold.
type Came struct {
	Where engine.Site
	Call  string // "expect_parts", "expect_error", "ask", "expect"
	Text  string // the actual result, written as an argument; "" when it cannot be written
	Why   string // why the result cannot be written
}

// CameIn lists the places where expectations of the present world failed, with the actual results.
func CameIn(s *repl.Session) []Came {
	byPlace := map[engine.Site]*cameBuilder{}
	for rank, r := range s.Ranks {
		for _, c := range r.Checks {
			if byPlace[c.Where] == nil {
				byPlace[c.Where] = &cameBuilder{times: map[int]*cameOnce{}}
			}
			byPlace[c.Where].add(rank, s.Size(), c)
		}
	}
	var list []Came
	for where, b := range byPlace {
		if b.failed {
			list = append(list, b.came(where))
		}
	}
	slices.SortFunc(list, func(a, b Came) int {
		return cmp.Or(cmp.Compare(a.Where.File, b.Where.File), cmp.Compare(a.Where.Line, b.Where.Line))
	})
	return list
}

// cameBuilder collects the checks of all ranks at one place.
type cameBuilder struct {
	calls  []string
	times  map[int]*cameOnce // by how often the place was reached
	failed bool
}

// cameOnce has the checks of one execution of the place.
type cameOnce struct {
	held     []heldPart // of expect_parts, by rank
	literals []string   // of other expectations, distinct; "" for a rank where the expectation held
}

func (b *cameBuilder) add(rank, size int, c program.Check) {
	if !slices.Contains(b.calls, c.Call) {
		b.calls = append(b.calls, c.Call)
	}
	b.failed = b.failed || !c.OK
	once := b.times[c.Occurrence]
	if once == nil {
		once = &cameOnce{held: make([]heldPart, size)}
		b.times[c.Occurrence] = once
	}
	if !slices.Contains(once.literals, c.Literal) {
		once.literals = append(once.literals, c.Literal)
	}
	h := heldPart{some: true}
	if group, remote := c.Held(); group != nil {
		h.part, h.all = program.PartText(group, remote), slices.Concat(group, remote)
	}
	once.held[rank] = h
}

// came returns the argument with which the expectation would hold on all ranks in all executions, or why there is none.
func (b *cameBuilder) came(where engine.Site) Came {
	c := Came{Where: where, Call: b.calls[0]}
	switch {
	case len(b.calls) > 1:
		c.Why = "the line has several expectations"
		return c
	case c.Call == "expect":
		c.Why = "what a condition should be, only its author knows"
		return c
	}
	texts := map[string]bool{}
	for _, once := range b.times {
		text := ""
		if c.Call == "expect_parts" {
			parts, _, together := parted(once.held)
			if !together {
				c.Why = "ranks of one communicator hold different ones"
				return c
			}
			text = "[" + strings.Join(parts, ",") + "]"
		} else if len(once.literals) == 1 {
			text = once.literals[0]
		}
		if text == "" {
			c.Why = "what came differs from rank to rank, or cannot be written as a value"
			return c
		}
		texts[text] = true
		c.Text = text
	}
	if len(texts) > 1 {
		c.Text, c.Why = "", "the line ran several times, with different results"
	}
	return c
}

// expected is, for each call, the argument with the expected result: its name in a program, its name in a command, and
// its index.
var expected = map[string]struct {
	name, param string
	index       int
}{
	"expect_parts": {"parts", "parts", 1}, "expect_error": {"cls", "error", 0}, "ask": {"answer", "answer", 2},
}

// Updated returns the text of the script with its failed expectations corrected. left has a line for each expectation
// that could not be corrected.
func (s *Script) Updated(came []Came) (text string, left []string, err error) {
	chunks, err := s.Chunks()
	if err != nil {
		return "", nil, err
	}
	text = s.Text
	for _, c := range slices.Backward(came) { // from the end, so that earlier places stay valid
		if c.Why == "" {
			text, c.Why = s.replace(text, chunks, c)
		}
		if c.Why != "" {
			left = append(left, fmt.Sprintf("%s is left as it is: %s", c.Where, c.Why))
		}
	}
	slices.Reverse(left)
	return text, left, nil
}

// replace puts the actual result into the text, or returns why it cannot.
func (s *Script) replace(text string, chunks []*lang.Chunk, c Came) (changed, why string) {
	line := int(c.Where.Line)
	at := slices.IndexFunc(chunks, func(k *lang.Chunk) bool {
		return c.Where.File == k.File && k.Line <= line && line <= k.Line+strings.Count(k.Text, "\n")
	})
	if at < 0 {
		return text, "it does not stand in this script"
	}
	chunk, arg := chunks[at], expected[c.Call]
	came := c.Text
	var spans []program.Span
	begin := lineStart(text, chunk.Line)
	if chunk.Kind == lang.Command {
		spans = commandSpans(chunk, arg.param)
	} else {
		if c.Call == "expect_parts" {
			came = strings.ReplaceAll(came, ",", ", ")
		}
		body := chunk.Text
		if chunk.Ranks.Text != "" {
			body = chunk.Body.Text
			begin += chunk.Body.Col - 1
		}
		spans = program.Literals(body, line-chunk.Line+1, c.Call, arg.name, arg.index)
	}
	switch {
	case len(spans) != 1:
		return text, fmt.Sprintf("the line has %d calls of %s, not one", len(spans), c.Call)
	case spans[0].To == 0:
		return text, "what is expected is not written there as a value"
	}
	return text[:begin+spans[0].From] + came + text[begin+spans[0].To:], ""
}

// commandSpans returns the span of an argument of a command in its chunk. The span has length 0 when the argument is
// missing or is not a literal.
func commandSpans(chunk *lang.Chunk, param string) []program.Span {
	word, err := repl.Argument(chunk, param)
	if err != nil {
		return nil
	}
	for _, a := range chunk.Args {
		if a.Line == word.Line && a.Col == word.Col && program.IsLiteral(a.Text) {
			from := lineStart(chunk.Text, a.Line-chunk.Line+1) + a.Col - 1
			return []program.Span{{From: from, To: from + len(a.Text)}}
		}
	}
	return []program.Span{{}}
}

// lineStart returns the byte where a line, from 1, begins in a text.
func lineStart(text string, line int) int {
	at := 0
	for range line - 1 {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return at
}
