package page

import (
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/picture"
)

// trace lists the calls, and what happened between them.
func (c *collector) trace() {
	spelled := c.spelledUntil()
	for i := range c.last.Snapshot.Steps {
		if i+1 < c.from {
			c.doc.Steps = append(c.doc.Steps, c.before.doc.Steps[i])
		} else {
			c.doc.Steps = append(c.doc.Steps, c.step(&c.last.Snapshot.Steps[i], c.tell[i+1]))
			c.doc.Steps[i].Picture = c.did(i + 1)
		}
		if i+1 >= spelled {
			c.spell(i + 1)
		}
	}
	c.doc.Moments = make([]moment, c.Last+1)
	for k := range c.doc.Moments {
		c.doc.Moments[k].Said = []line{}
		if k < c.from {
			c.doc.Moments[k].Table, c.doc.Moments[k].Letters = c.before.doc.Moments[k].Table, c.before.doc.Moments[k].Letters
		} else {
			c.doc.Moments[k].Table, c.doc.Moments[k].Letters = c.table(k), c.lettering(k)
		}
	}
	c.parted, c.named = nil, nil
	c.events()
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

// spelledUntil returns the first step whose lines may differ from those in the document before. It is 0 if a site
// of that document has called again, because a site shows the lines of its last call.
func (c *collector) spelledUntil() int {
	steps := c.last.Snapshot.Steps
	made := map[engine.Site]bool{}
	for i := range steps {
		for _, p := range steps[i].Where {
			if i+1 >= c.from && made[p.Site] {
				return 0
			}
		}
		for _, p := range steps[i].Where {
			if i+1 < c.from {
				made[p.Site] = true
			}
		}
	}
	return c.from
}

// spell adds the lines of a step in each language.
func (c *collector) spell(k int) {
	list, last := c.Spelled(k)
	if len(list) == 0 {
		return
	}
	var spelled []spelling
	for _, x := range list {
		spelled = append(spelled, spelling{c.word(x.In), c.word(x.Text), x.Unsaid})
	}
	c.doc.Steps[k-1].Spelled, c.doc.Steps[k-1].Until = c.spelled.written(spelled), last
}

// column returns an argument. Numbers become texts, because MPI_UNDEFINED may be among them.
func (c *collector) column(a *engine.Column) column {
	var words []word
	for _, text := range a.Texts {
		words = append(words, c.word(text))
	}
	for _, n := range a.Ints {
		text := strconv.Itoa(int(n))
		if render.IsUndefined(a.Name, n) {
			text = "MPI_UNDEFINED"
		}
		words = append(words, c.word(text))
	}
	return column{c.word(a.Name), pack(words)}
}

// table returns the number of the table that lists the ranks after step k, 0 for a table with a row for each rank.
func (c *collector) table(k int) int {
	t := render.TranslationOf(c.views[k], render.Together(c.partings(k)...))
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

// events adds all that happened between the calls. Steps between a question and the note before it belong to the
// answer.
func (c *collector) events() {
	ended := map[string]bool{}
	for _, e := range c.last.Errors {
		ended[e.Error()] = true
	}
	c.doc.Locks = []lock{}
	before := 0
	for i := range c.Events {
		e := &c.Events[i]
		switch {
		case e.Line != nil:
			c.say(e.Step, c.spoken(e, before))
			if e.Line.Note {
				before = e.Step
			}
		case e.Caught != nil && ended[e.Caught.Error()]:
		case e.Caught != nil:
			c.say(e.Step, line{Kind: "bad", Text: c.word("Caught: " + e.Caught.Error()), Verdict: c.word(strings.TrimSpace(c.Source(siteOf(e.Caught.Where))))})
		case e.Failure != nil:
			f := e.Failure
			c.say(e.Step, line{Kind: "bad", Text: c.word("FAILED  " + f.Message), Who: c.word(f.Where), Verdict: c.word(f.Source)})
		case e.Drawn != "":
			c.say(e.Step, line{Kind: "drawn", Text: c.word(e.Drawn), Who: c.word(e.Typed)})
		case e.Typed != "":
			c.say(e.Step, line{Kind: "typed", Text: c.word(e.Typed)})
		case e.Called != "":
			c.say(e.Step, line{Kind: "called", Text: c.word(e.Called)})
		case e.Locked != nil:
			c.say(e.Step, line{Kind: "lock", Text: c.word(e.Locked.Deadlock.Message), Lock: len(c.doc.Locks)})
			c.doc.Locks = append(c.doc.Locks, c.lock(e.Locked))
		}
	}
}

// siteOf returns the first place of an error: "demo.py:7".
func siteOf(where string) engine.Site {
	first, _, _ := strings.Cut(where, ",")
	i := strings.LastIndexByte(first, ':')
	if i < 0 {
		return engine.Site{}
	}
	n, err := strconv.Atoi(first[i+1:])
	if err != nil {
		return engine.Site{}
	}
	return engine.Site{File: first[:i], Line: int32(n)}
}

// spoken returns the line of an output or a question. before is the step of the note before it.
func (c *collector) spoken(e *render.Event, before int) line {
	l := e.Line
	x := line{Kind: "out", Text: c.word(l.Text), Who: c.word(l.Ranks.String())}
	if l.Note {
		x.Kind = "note"
		if l.Ranks.Len() == c.doc.Size {
			x.Who = 0
		}
	}
	if q := e.Question; q != nil {
		x.Kind, x.From, c.doc.Rules = "ask", before, c.Rules
		x.Verdict, x.Answer, x.Judge = c.word(q.Verdict), c.word(q.Answer), q.Judge
		x.Why = c.word(q.Why)
		for _, text := range q.Lines {
			x.Lines = append(x.Lines, c.word(text))
		}
	}
	return x
}

// lock returns who waits for whom.
func (c *collector) lock(v *render.View) lock {
	words := render.NewWords(v)
	k := lock{Waits: []wait{}, Picture: c.drawn(picture.Waiting(v, -1, didWidth))}
	for _, w := range v.Snapshot.Waiting {
		t := words.Waiting(w, width)
		k.Waits = append(k.Waits, wait{packRanks(w.Ranks), c.word(t.Who), c.word(t.What), c.word(t.Site), c.word(t.Whom), c.word(t.Doing)})
	}
	for i := range c.doc.Handles {
		h := &render.Handle{IDs: c.world}
		if i > 0 {
			h.IDs = heldIn(v, c.doc.Handles[i].Name, c.nothing)
		}
		k.Lanes = append(k.Lanes, c.none(v, h))
	}
	return k
}

// ending adds who waits for whom at the end, and how the session ended.
func (c *collector) ending() {
	c.doc.End = []string{}
	for _, text := range c.End {
		c.doc.End = append(c.doc.End, paint.Printable(text))
	}
	if len(c.last.Snapshot.Waiting) > 0 {
		k := c.lock(c.last)
		c.doc.Stuck = &k
	}
	if d := c.last.Deadlock; d != nil {
		c.doc.Deadlock = c.word(d.Message)
	}
	c.doc.Verdict = append([]string{}, render.Summary(c.last)...)
}
