package render

import (
	"io"
	"strings"

	"commsplit/engine"
)

// Report prints the end of a script: how many expectations passed, what each failed one expected
// and found, and what the program made.
func Report(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	p.verdicts(v.Expectations)
	if s := v.Snapshot; len(s.Steps) > 0 || len(s.Comms) > 1 || len(v.Errors) > 0 || v.Deadlock != nil {
		p.line(faint(madeSummary(v)))
	}
	return p.writeTo(w)
}

// Summary is how a session ended, in two lines: its expectations, if any, and what was made.
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
		p.line(span{"FAILED", inkAlarm}, plain("  "+words(f.Where, rankWord(f))))
		if f.Source != "" {
			p.paragraph(f.Source, 4, inkPlain)
		}
		p.paragraph(f.Message, 2, inkPlain)
	}
	p.line(span{expectationSummary(e), summaryInk(e)})
}

func rankWord(f Failure) string {
	if len(f.Ranks) == 0 {
		return ""
	}
	return rankNoun(listOf(f.Ranks), unbounded)
}

// expectationSummary is "7 expectations passed" or "6 expectations passed, 1 failed".
func expectationSummary(e Expectations) string {
	switch {
	case e.Passed+e.Failed == 0:
		return "no expectations"
	case e.Failed == 0:
		return plural(e.Passed, "expectation") + " passed"
	}
	return plural(e.Passed, "expectation") + " passed, " + itoa(e.Failed) + " failed"
}

func summaryInk(e Expectations) ink {
	if e.Failed > 0 {
		return inkAlarm
	}
	return inkBold
}

// madeSummary is "3 steps, 5 communicators made, 1 freed, 2 errors, deadlock".
func madeSummary(v *View) string {
	s := v.Snapshot
	n := 0
	for _, c := range s.Comms {
		if c.ID > engine.SelfID {
			n++
		}
	}
	list := []string{plural(len(s.Steps), "step"), plural(n, "communicator") + " made"}
	freed := len(s.Freed())
	if freed > 0 {
		list = append(list, itoa(freed)+" freed")
	}
	if n > freed {
		list = append(list, itoa(n-freed)+" never freed")
	}
	if k := len(v.Errors); k > 0 {
		list = append(list, plural(k, "error"))
	}
	if v.Deadlock != nil {
		list = append(list, "deadlock")
	}
	return strings.Join(list, ", ")
}
