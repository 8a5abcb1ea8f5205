package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Report prints the end of a script: how many expectations passed, what each failed expectation wanted and what
// was found, and what the program made.
func Report(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	p.verdicts(v.Expectations)
	if s := v.Snapshot; len(s.Steps) > 0 || len(s.Comms) > 1 || len(v.Errors) > 0 || v.Deadlock != nil {
		p.line(faint(madeSummary(v)))
	}
	return p.writeTo(w)
}

// Summary returns how a session ended, in two lines: its expectations, if any, and what was made.
func Summary(v *View) []string {
	var list []string
	if v.Expectations.Passed+v.Expectations.Failed > 0 {
		list = append(list, expectationSummary(v.Expectations))
	}
	return append(list, madeSummary(v))
}

// Verdicts prints how expectations ended, nothing when there were none.
func Verdicts(w io.Writer, e Expectations, st Style) error {
	if e.Passed+e.Failed == 0 {
		return nil
	}
	p := newPage(st)
	p.verdicts(e)
	return p.writeTo(w)
}

func (p *page) verdicts(e Expectations) {
	for _, f := range e.Failures {
		ranks := ""
		if len(f.Ranks) > 0 {
			ranks = RankNoun(f.Ranks.List(), unbounded)
		}
		p.line(styled("FAILED", paint.Alarm), plain("  "+words(f.Where, ranks)))
		if f.Source != "" {
			p.paragraph(f.Source, 4, paint.Plain)
		}
		p.paragraph(f.Message, 2, paint.Plain)
	}
	ink := paint.Bold
	if e.Failed > 0 {
		ink = paint.Alarm
	}
	p.line(styled(expectationSummary(e), ink))
}

// expectationSummary returns "7 expectations passed" or "6 expectations passed, 1 failed".
func expectationSummary(e Expectations) string {
	switch {
	case e.Passed+e.Failed == 0:
		return "no expectations"
	case e.Failed == 0:
		return spell.Plural(e.Passed, "expectation") + " passed"
	}
	return spell.Plural(e.Passed, "expectation") + " passed, " + strconv.Itoa(e.Failed) + " failed"
}

// madeSummary returns "3 steps, 5 communicators made, 1 freed, 2 errors, deadlock".
func madeSummary(v *View) string {
	s := v.Snapshot
	n := 0
	for _, c := range s.Comms {
		if c.ID > engine.SelfID {
			n++
		}
	}
	list := []string{spell.Plural(len(s.Steps), "step"), spell.Plural(n, "communicator") + " made"}
	freed := len(s.Freed())
	if freed > 0 {
		list = append(list, strconv.Itoa(freed)+" freed")
	}
	if n > freed {
		list = append(list, strconv.Itoa(n-freed)+" never freed")
	}
	if k := len(v.Errors); k > 0 {
		list = append(list, spell.Plural(k, "error"))
	}
	if v.Deadlock != nil {
		list = append(list, "deadlock")
	}
	return strings.Join(list, ", ")
}

// Leak is something that a program made and never freed: where, and on which ranks.
type Leak struct {
	What  string // "communicator half#2", "2 groups"
	Made  string // the call that made it; "" when the kind says it
	Where string // "demo.py:7"; "" when unknown
	Ranks engine.Ranks
	Told  bool // whether the view tells it as unfinished, too
}

// String returns "communicator half#2 of MPI_Comm_split (demo.py:7) on ranks 0-3".
func (l Leak) String() string {
	text := l.What
	if l.Made != "" && !l.Told {
		text += " of " + l.Made
	}
	if l.Where != "" {
		text += " (" + l.Where + ")"
	}
	return text + " on " + l.Ranks.Noun()
}

// Leaks prints the table of what a program never freed or completed.
func Leaks(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	if len(v.Leaks) == 0 {
		p.line(plain("no leaks: everything was freed or completed"))
		return p.writeTo(w)
	}
	g := &grid{columns: []column{{flexible: true}, {}, {}, {flexible: true}}}
	g.below = 2
	g.row(head("Never freed"), head("Made by"), head("Where"), head("On"))
	for _, l := range v.Leaks {
		ranks := l.Ranks.List()
		g.row(text(l.What), text(cmp.Or(l.Made, "-")), text(cmp.Or(l.Where, "-")),
			cell{fit: func(width int) string { return RankNoun(ranks, width) }})
	}
	g.drawTo(p)
	return p.writeTo(w)
}

// TellLeaks gives the view its leaks: what the engine found, with the names that variables give communicators, and
// handles of other kinds.
func (v *View) TellLeaks(found []engine.Leak, handles []Leak) {
	names := newNaming(v)
	v.Leaks = make([]Leak, len(found))
	for i, l := range found {
		d := Leak{Made: l.Call.String(), Where: l.Where, Ranks: l.Ranks}
		about := fromTo(l.Comms, names.of)
		d.Told = l.Kind != engine.LeakedComm && l.Kind != engine.LeakedContext
		switch l.Kind {
		case engine.LeakedComm:
			d.What = "communicator " + about
			if len(l.Comms) > 1 {
				d.What = strconv.Itoa(len(l.Comms)) + " communicators " + about
			}
		case engine.LeakedContext:
			d.What = about + ", freed, kept by " + spell.Plural(l.Count, "operation")
		case engine.LeakedReceive:
			d.What = spell.Plural(l.Count, "receive") + " on " + about + " without a message"
		case engine.LeakedMessage:
			d.What = spell.Plural(l.Count, "message") + " on " + about + " that nobody received"
		case engine.LeakedDup:
			d.What = spell.Plural(l.Count, started(l.Does)) + " of " + about + " not complete"
		}
		v.Leaks[i] = d
	}
	v.Leaks = append(v.Leaks, handles...)
}

// fromTo returns "half#2", or "half#2 to half#9" for several communicators.
func fromTo(comms []int, name func(id int) string) string {
	if len(comms) == 1 {
		return name(comms[0])
	}
	return name(comms[0]) + " to " + name(comms[len(comms)-1])
}

// Unfinished is communication that had not completed when the program ended.
type Unfinished struct {
	What    string       // "message" or "request"
	Ranks   engine.Ranks // that made the call
	Call    engine.Call
	Where   string // "demo.py:7"; "" when unknown
	Message string // the whole sentence
}

// started names the result of a nonblocking collective call.
func started(c engine.Call) string {
	if c.MakesComm() {
		return "duplication"
	}
	return c.Started()
}

// TellUnfinished gives the view what the engine found that never completed.
func (v *View) TellUnfinished(found []engine.Leak) {
	name := Called(v)
	for _, l := range found {
		u := Unfinished{What: "request", Ranks: l.Ranks, Call: l.Call, Where: l.Where}
		on, at, tag := fromTo(l.Comms, name), "", ""
		if l.Where != "" {
			at = " (" + l.Where + ")"
		}
		if l.Tag >= 0 {
			tag = " with tag " + strconv.Itoa(l.Tag)
		}
		switch l.Kind {
		case engine.LeakedMessage:
			u.What, u.Ranks = "message", l.Peers
			u.Message = "nobody received " + several(l.Count, "the message", "messages") + tag + " that " + l.Peers.Noun() +
				" sent to " + l.Ranks.Noun() + " on " + on + at
		case engine.LeakedReceive:
			u.Message = "no message" + tag + " came for " + several(l.Count, "the receive", "receives") + " that " + l.Ranks.Noun() +
				" started on " + on + at
		case engine.LeakedDup:
			u.Message = several(l.Count, "the "+started(l.Does), started(l.Does)+"s") + " of " + on + " that " + l.Ranks.Noun() + " started" + at +
				choose(l.Count == 1, " is", " are") + " not complete"
			if len(l.Peers) > 0 {
				u.Message += ": " + l.Peers.Noun() + " did not call " + l.Call.String()
			}
		}
		v.Unfinished = append(v.Unfinished, u)
	}
}

// several returns "the message" or "2 messages".
func several(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return strconv.Itoa(n) + " " + many
}

// UncompletedRequest tells of requests that no call of the program completed, or of persistent requests that the
// program did not free.
func UncompletedRequest(call engine.Call, count int, ranks engine.Ranks, where string) Unfinished {
	verb, calls := "completed", "Wait or Test"
	if call.Starts() != engine.CallNone {
		verb, calls = "freed", "Free"
	}
	text := ranks.Noun() + " never " + verb + " " + several(count, "the request", "requests") + " of " + call.String()
	if where != "" {
		text += " (" + where + ")"
	}
	return Unfinished{"request", ranks, call, where, text + ": call " + calls + " on " + choose(count == 1, "it", "each")}
}

// As prints where a library would give another result: a line for each difference, wrapped, with the place, the
// call, the ranks and what they would get; and below the first difference of a kind the reason.
func As(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	if len(v.As.Notes) == 0 {
		p.paragraph(v.As.Library.String()+" would give the same result: no known deviation applies", 0, paint.Plain)
		return p.writeTo(w)
	}
	p.line(styled(v.As.Library.String()+" would differ:", paint.Bold))
	told := map[string]bool{}
	for i := range v.As.Notes {
		n := &v.As.Notes[i]
		p.paragraph(noteHead(n, p.width)+": "+n.Text, 2, paint.Plain)
		if !told[n.Deviation] {
			p.paragraph(n.Rule+" ("+n.Source+")", 4, paint.Faint)
			told[n.Deviation] = true
		}
	}
	return p.writeTo(w)
}

// noteHead returns "demo.py:7 MPI_Comm_split, ranks 0-3".
func noteHead(n *deviation.Note, width int) string {
	head := RankNoun(n.Ranks.List(), width/2)
	if n.Call != engine.CallNone {
		head = n.Call.String() + ", " + head
	}
	return words(n.Where, head)
}

// Test is one test of a TAP stream.
type Test struct {
	OK      bool
	Name    string
	Skip    string      // why there was nothing to test; "" when the test ran
	Details [][2]string // the details of a failed test: names and texts
}

// Tests makes a test of each expectation. ended is the error that ended the script early or came at its end, which
// is a failed test of its own; nil when the script ended well.
func Tests(script string, list []Point, ended error) []Test {
	var tests []Test
	for _, p := range list {
		t := Test{OK: p.Failure == nil, Name: strings.TrimSpace(p.Where + " " + p.Text)}
		if f := p.Failure; f != nil {
			t.Details = append(t.Details, [2]string{"message", f.Message})
			if len(f.Ranks) > 0 {
				t.Details = append(t.Details, [2]string{"ranks", f.Ranks.String()})
			}
		}
		tests = append(tests, t)
	}
	if ended != nil {
		tests = append(tests, Test{Name: script + " runs to its end", Details: [][2]string{{"message", ended.Error()}}})
	}
	return tests
}

// TAP writes tests in the Test Anything Protocol, version 13, which harnesses such as prove read.
func TAP(w io.Writer, tests []Test) error {
	var b strings.Builder
	b.WriteString("TAP version 13\n")
	for i, t := range tests {
		if !t.OK {
			b.WriteString("not ")
		}
		fmt.Fprintf(&b, "ok %d - %s", i+1, tapName.Replace(t.Name))
		switch {
		case t.Skip != "" && t.OK:
			b.WriteString(" # SKIP " + t.Skip)
		case t.Skip != "":
			b.WriteString(" # " + t.Skip)
		}
		b.WriteString("\n")
		if len(t.Details) == 0 {
			continue
		}
		b.WriteString("  ---\n")
		for _, d := range t.Details {
			fmt.Fprintf(&b, "  %s: %s\n", d[0], tapText(d[1]))
		}
		b.WriteString("  ...\n")
	}
	fmt.Fprintf(&b, "1..%d", len(tests))
	if len(tests) == 0 {
		b.WriteString(" # SKIP there are no expectations")
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, paint.Printable(b.String()))
	return err
}

// tapName keeps a name in its line, and apart from a directive.
var tapName = strings.NewReplacer("\\", `\\`, "#", `\#`, "\n", " ")

// tapText quotes text as YAML does, which takes JSON's strings.
func tapText(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // text always has an encoding
	}
	return strings.TrimSuffix(b.String(), "\n")
}
