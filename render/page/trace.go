package page

import (
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/render"
)

// trace lists the calls, and what was said between them.
func (c *collector) trace() {
	for i := range c.last.Snapshot.Steps {
		c.doc.Steps = append(c.doc.Steps, c.step(&c.last.Snapshot.Steps[i], c.tell[i+1]))
	}
	c.doc.Moments = make([]moment, c.Last+1)
	for k := range c.doc.Moments {
		c.doc.Moments[k] = moment{Said: []line{}, Table: c.table(k)}
	}
	c.output()
	c.caught()
	for _, d := range c.Freed {
		c.say(d.Step, line{Kind: "note", Text: c.word("As expected: " + d.Text)})
	}
	for _, f := range c.last.Expectations.Failures {
		c.say(f.Step, line{Kind: "bad", Text: c.word("FAILED  " + f.Message), Who: c.word(f.Where), Verdict: c.word(f.Source)})
	}
}

func (c *collector) step(s *engine.Step, words *render.Words) step {
	x := step{
		Text: c.word(words.Step(s, width)), Args: c.word(render.Passed(s, width)), Source: []word{}, Comm: s.Comm,
		Ranks: packRanks(s.Ranks), Made: pack(s.Made), Passed: []column{},
	}
	for _, p := range s.Where {
		if text := c.Source(p.Site); text != "" {
			x.Source = append(x.Source, c.word(strings.TrimSpace(text)))
		}
	}
	for i := range s.Args {
		x.Passed = append(x.Passed, c.column(&s.Args[i]))
	}
	if s.Err != nil {
		x.Error = c.word(s.Err.Error())
	}
	return x
}

// column is an argument; numbers are texts, because MPI_UNDEFINED is one of them.
func (c *collector) column(a *engine.Column) column {
	var words []word
	for _, text := range a.Texts {
		words = append(words, c.words.of(text, text))
	}
	for _, n := range a.Ints {
		text := strconv.Itoa(int(n))
		if n == engine.Undefined && a.Name != "key" {
			text = "MPI_UNDEFINED"
		}
		words = append(words, c.word(text))
	}
	return column{c.word(a.Name), pack(words)}
}

// table is the rows in which the ranks are listed after step k, 0 for a row for each.
func (c *collector) table(k int) int {
	t := render.NewTranslation(c.views[k])
	if t.Len() == c.doc.Size {
		return 0
	}
	x := table{Rows: []int{}, Cells: [][]word{}}
	for i := range t.Len() {
		first, step, n := t.Run(i)
		x.Rows = append(x.Rows, first, step, n)
		if n == 1 {
			continue
		}
		cells := []word{c.word(t.Label(i))}
		for h := range c.views[k].Handles {
			text, _ := t.Cell(i, h)
			cells = append(cells, c.word(text))
		}
		x.Cells = append(x.Cells, cells)
	}
	return c.tables.written(x)
}

// say adds a line after step k.
func (c *collector) say(k int, l line) {
	m := &c.doc.Moments[min(k, c.Last)]
	m.Said = append(m.Said, l)
}

// output is what ranks printed and narrated. A question is the note of that text; the steps since the
// note before it belong to the answer.
func (c *collector) output() {
	asked, before := 0, 0
	for _, l := range c.last.Snapshot.Output {
		x := line{Kind: "out", Text: c.word(l.Text), Who: c.word(l.Ranks.String())}
		switch {
		case l.Note && asked < len(c.Asked) && c.Asked[asked].Text == l.Text:
			x.Kind, x.From, c.doc.Rules = "ask", before, c.Rules
			x.Verdict, x.Answer = c.word(c.Asked[asked].Verdict), c.word(c.Asked[asked].Answer)
			x.Judge = c.Asked[asked].Judge
			asked++
			before = l.Step
		case l.Note:
			x.Kind = "note"
			before = l.Step
		}
		if l.Note && l.Ranks.Len() == c.doc.Size {
			x.Who = 0
		}
		c.say(l.Step, x)
	}
}

// caught is the errors that a program survived.
func (c *collector) caught() {
	ended := map[string]bool{}
	for _, e := range c.last.Errors {
		ended[e.Error()] = true
	}
	byStep := map[int][]*engine.Error{}
	var steps []int
	for _, e := range c.last.Snapshot.Raised {
		if byStep[e.Step] == nil {
			steps = append(steps, e.Step)
		}
		byStep[e.Step] = append(byStep[e.Step], e.Error)
	}
	for _, k := range steps {
		for _, e := range engine.MergeErrors(byStep[k]) {
			if !ended[e.Error()] {
				c.say(k, line{Kind: "bad", Text: c.word("Caught: " + e.Error())})
			}
		}
	}
}

// ending is who waits for whom at the end, and how it ended.
func (c *collector) ending() {
	c.doc.End = append([]string{}, c.End...)
	waiting := c.last.Snapshot.Waiting
	for _, w := range waiting {
		t := c.tell[c.Last].Waiting(w, width)
		c.doc.Waits = append(c.doc.Waits, wait{
			packRanks(w.Ranks), c.word(t.Who), c.word(t.What), c.word(t.Site), c.word(t.Whom), c.word(t.Doing),
		})
	}
	for _, w := range render.Ring(waiting) {
		c.doc.Ring = append(c.doc.Ring, c.word(render.RankNoun(listOf(w.Ranks), 24)))
	}
	if d := c.last.Deadlock; d != nil {
		c.doc.Deadlock = c.word(d.Message)
	}
	c.doc.Verdict = append([]string{}, render.Summary(c.last)...)
}
