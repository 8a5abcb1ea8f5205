package tui

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/render/paint"
	drawing "codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/learn"
	"codeberg.org/commsplit/commsplit/scripts"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// lesson is a script that a person goes through part by part: a note, and the lines up to the next note. A part
// runs when the person comes to it. So log, panes and questions all show the same moment, and nothing shows before
// its time. A lesson belongs to the goroutine that runs it; the screen gets its pages.
type lesson struct {
	r        *running
	c        *console.Console
	page     *page
	events   int  // of the session, that the pages have told
	news     bool // something was told since the person went on
	answered bool // so was a verdict
	shown    *moment.Moment
}

// page holds all that the present part of a script has told so far.
type page struct {
	name        string // "lesson 4"
	part, parts int
	rows        []told
	old         int // of the rows, that the person saw at the stop before
}

// told is a paragraph of a page.
type told struct {
	lead, text string
	ink        paint.Ink
	as         shape
}

// shape tells how a paragraph is laid out.
type shape uint8

const (
	prose shape = iota // wrapped, below a blank line
	code               // a line of the script
	drawn              // a line of a picture, which is not wrapped
	fact               // a name and a text in columns, which goes on below itself
)

// with returns a page of the same script with other rows, of another part or of the same part.
func (p *page) with(part int, rows ...told) *page {
	return &page{p.name, part, p.parts, rows, min(p.old, len(rows))}
}

// seen returns the page after the person has seen all of it.
func (p *page) seen() *page {
	q := *p
	q.old = len(q.rows)
	return &q
}

// title returns where in a script a person is.
func (p *page) title() string {
	if p.parts == 0 {
		return p.name
	}
	return p.name + "  part " + strconv.Itoa(p.part) + " of " + strconv.Itoa(p.parts)
}

// tell adds paragraphs to the page.
func (l *lesson) tell(rows ...told) {
	p := l.page
	l.page = p.with(p.part, append(p.rows[:len(p.rows):len(p.rows)], rows...)...)
}

// read opens a script that a person goes through part by part.
func (m *Model) read(e scripts.Example, cfg repl.Config, chunks []*lang.Chunk) tea.Cmd {
	name, end := e.Name, "That was all of "+e.Name+"."
	if list := scripts.Lessons.Examples(); e.Group == scripts.Lessons {
		n := slices.IndexFunc(list, func(x scripts.Example) bool { return x.Name == e.Name }) + 1
		name = "lesson " + strconv.Itoa(n)
		end = fmt.Sprintf("That was lesson %d of %d; F3 opens another one.", n, len(list))
	}
	parts := learn.Parts(chunks)
	l := &lesson{page: &page{name: name, parts: len(parts)}, shown: m.moment}
	cmd := m.perform([]step{restarting(cfg), func(ctx context.Context, c *console.Console) error {
		l.c = c
		return l.run(ctx, parts, end)
	}})
	l.r, m.busy.lesson, m.busy.seen, m.busy.heard = m.busy, l, 0, 0
	return cmd
}

// run runs the parts, and waits for the person after each but the last.
func (l *lesson) run(ctx context.Context, parts [][]*lang.Chunk, end string) error {
	for i, part := range parts {
		l.page = l.page.with(i + 1)
		if err := l.play(ctx, part); err != nil {
			return err
		}
		if i < len(parts)-1 && l.news {
			if err := l.halt(ctx); err != nil {
				return err
			}
		}
	}
	l.tell(told{"", end, paint.Note, prose})
	fmt.Fprintln(l.c.Out, end)
	return nil
}

// asks tells a question, and returns the page for the screen.
func (l *lesson) asks(question string) *page {
	l.tell(told{"? ", question, paint.Accent, prose})
	p := l.page
	l.page = p.seen()
	return p
}

// judged tells the verdict on a prediction, and the explanation of a wrong prediction.
func (l *lesson) judged(verdict, why string) {
	l.tell(told{"  ", verdict, paint.Bold, prose})
	if why != "" {
		as := prose
		if strings.Contains(why, "\n") {
			as = fact // an explanation, in columns
		}
		for row := range strings.SplitSeq(why, "\n") {
			l.tell(told{"  ", row, paint.Plain, as})
		}
	}
	l.news, l.answered = true, true
}

// play runs a part. It waits before it frees ranks that are blocked, and between a verdict and the next question.
func (l *lesson) play(ctx context.Context, part []*lang.Chunk) error {
	for k, c := range part {
		blocked := repl.ExpectsDeadlock(c) && l.c.Session.Deadlock() != nil
		if blocked || l.answered && learn.Asks(part[k:]) {
			if err := l.halt(ctx); err != nil {
				return err
			}
		}
		if !repl.Checks(c) {
			l.shows(c)
		}
		if err := l.c.Do(ctx, c); err != nil {
			return err
		}
		l.happened(c)
	}
	return nil
}

// shows shows a line of the script in the log and on the page.
func (l *lesson) shows(c *lang.Chunk) {
	text := strings.TrimRight(c.Text, "\n")
	for row := range strings.SplitSeq(text, "\n") {
		l.tell(told{"  ", row, paint.Bold, code})
	}
	fmt.Fprintln(l.r.typed, l.c.PromptText(false)+text)
	l.news = true
}

// unseen are lines whose drawing no other pane shows.
var unseen = []string{".show table", ".show messages", ".show leaks", ".show sites"}

// happened tells the events of a line.
func (l *lesson) happened(c *lang.Chunk) {
	list := l.c.Session.Events()
	if repl.ExpectsDeadlock(c) { // the events of the lines that it takes back were told
		l.events = len(list)
	}
	for i := min(l.events, len(list)); i < len(list); i++ {
		switch e := &list[i]; {
		case e.Question != nil: // it was told when it was asked
		case e.Line != nil && e.Line.Note:
			l.tell(told{"", e.Line.Text, paint.Plain, prose})
			l.news = true
		case e.Line != nil:
			l.tell(told{"", "[" + e.Line.Ranks.String() + "] " + e.Line.Text, paint.Plain, prose})
		case mishap(e) != "":
			l.tell(told{"", mishap(e), paint.Alarm, prose})
		case slices.Contains(unseen, e.Typed):
			for row := range strings.SplitSeq(e.Drawn, "\n") {
				l.tell(told{" ", row, paint.Plain, drawn})
			}
		case strings.HasPrefix(e.Typed, ".explain"):
			for row := range strings.SplitSeq(e.Drawn, "\n") {
				l.tell(told{"", row, paint.Plain, fact})
			}
		}
	}
	l.events = len(list)
}

// halt is a place where a script waits for the person.
type halt struct {
	moment *moment.Moment
	page   *page
	since  int                // the step that the person saw last
	tried  bool               // the person has just tried lines
	reply  chan []*lang.Chunk // lines to try; nil goes on
}

// halt waits until the person lets the script go on: nobody reads as fast as another. Lines that the person tries
// are taken back afterwards.
func (l *lesson) halt(ctx context.Context) error {
	stop, tried := learn.StopAt(l.c), false
	for {
		now := moment.NewMoment(l.c.Session.View(), -1, l.shown)
		h := &halt{moment: now, page: l.page, since: min(l.r.seen, now.Last), tried: tried, reply: make(chan []*lang.Chunk, 1)}
		l.r.seen, l.r.heard, l.shown = now.Last, now.View.Snapshot.Spoken(), now
		l.news, l.answered, l.page = false, false, l.page.seen()
		judged := l.r.verdicts()
		chunks, ok := answered(ctx, l.r, func(m *Model) tea.Cmd { return m.halted(h, judged) }, h.reply)
		switch {
		case !ok:
			return &repl.Failed{Interrupted: true}
		case chunks == nil:
			return l.goOn(ctx, stop)
		}
		tried = true
		for _, c := range chunks {
			refused, err := stop.Try(ctx, c)
			if err != nil {
				repl.WriteError(l.c.Err, err)
			} else if refused != "" {
				fmt.Fprintln(l.c.Err, refused)
			}
		}
	}
}

// goOn takes back the lines that were tried, and goes on.
func (l *lesson) goOn(ctx context.Context, stop learn.Stop) error {
	told, err := stop.GoOn(ctx)
	if told != "" {
		fmt.Fprintln(l.c.Out, told)
		l.r.seen = min(l.r.seen, len(l.c.Session.View().Snapshot.Steps))
		l.events = len(l.c.Session.Events())
	}
	return err
}

// halted shows the moment at which a script waits, and the verdicts on predictions up to there.
func (m *Model) halted(h *halt, judged []verdict) tea.Cmd {
	m.log.add(m.output.take()...)
	fresh := changed(m.moment, h.moment)
	m.see(h.moment)
	m.choose(moment.Selection{})
	m.halt, m.page, m.typing = h, h.page, true
	m.judge(judged)
	if h.tried {
		m.show(logPane) // which has what came of the lines
	} else {
		m.show(whyPane)
	}
	if fresh < 0 || len(h.moment.View.Snapshot.Waiting) > 0 {
		return nil
	}
	m.handle = fresh
	return m.playLast(h.since)
}

// goOn lets the script that waits go on.
func (m *Model) goOn() tea.Cmd {
	h := m.halt
	m.halt, m.notice = nil, ""
	m.player.stop()
	m.player.leave(m)
	h.reply <- nil
	return tea.Batch(m.busy.next, m.lookAgain())
}

// haltWord carries out a word for the script that waits; ok is false for a line to try.
func (m *Model) haltWord(line string) (cmd tea.Cmd, ok bool) {
	if m.lines.Pending() {
		return nil, false
	}
	switch learn.WordOf(line) {
	case learn.On:
		return m.goOn(), true
	case learn.Help:
		m.notice = "Enter goes on; .explain NAME @3 and calls can be tried; quit ends it"
	case learn.Back:
		m.notice = "5 shows the parts before in the log; [ in the panes goes back in time; o opens the lesson again"
	case learn.Leave:
		return m.interrupt(), true
	default:
		return nil, false
	}
	return nil, true
}

// tryLine runs a line that the person tries while a script waits.
func (m *Model) tryLine(line string) tea.Cmd {
	if cmd, ok := m.haltWord(line); ok {
		return cmd
	}
	m.log.add(entry{m.console.PromptText(m.lines.Pending()) + line, typed})
	chunks, err := m.lines.Feed(line, true)
	if err != nil {
		repl.WriteError(m.output.as(wrong), err)
		m.log.add(m.output.take()...)
		m.show(logPane)
		return nil
	}
	if len(chunks) == 0 {
		return nil
	}
	h := m.halt
	m.halt = nil
	m.show(logPane)
	h.reply <- chunks
	return tea.Batch(m.busy.next, m.lookAgain())
}

// haltHint tells how a script goes on.
const haltHint = "Enter: next · try lines meanwhile · Ctrl-C: end lesson"

// onPage reports whether the moment that shows is the moment of the page.
func (m *Model) onPage() bool {
	switch {
	case m.page == nil:
		return false
	case m.asked != nil:
		return m.moment.Step == m.asked.from
	}
	return !m.moment.Past()
}

// lines lays out rows of the page. Its title stands in the first line of the screen.
func (p *page) lines(rows []told, width int) []paint.Line {
	var out []paint.Line
	for _, t := range rows {
		switch t.as {
		case prose:
			if len(out) > 0 {
				out = append(out, nil)
			}
			out = paragraph(out, t.lead+t.text, width, paint.Width(t.lead), t.ink)
		case code:
			out = paragraph(out, t.lead+t.text, width, 2*paint.Width(t.lead), t.ink)
		case drawn:
			out = append(out, paint.Text(paint.Cut(t.lead+t.text, width), t.ink))
		case fact:
			name := nameOfFact.FindString(t.text)
			lead := t.lead + name
			for _, row := range paint.Wrap(t.text[len(name):], max(width-len(lead), minFact)) {
				out = append(out, paint.Text(paint.Cut(lead+row, width), t.ink))
				lead = strings.Repeat(" ", len(lead))
			}
		}
	}
	return out
}

// nameOfFact matches the name of a fact with the blanks around it: "  rule           ".
var nameOfFact = regexp.MustCompile(`^ +\S+(?: \S+)* {2,}`)

// minFact is how many columns the text of a fact has at least.
const minFact = 20

// fresh returns the first line of the page that the person has not seen.
func (p *page) fresh(width int) int {
	if p.old == 0 {
		return 0
	}
	n := len(p.lines(p.rows[:p.old], width))
	if p.old < len(p.rows) && p.rows[p.old].as == prose {
		n++ // the blank line before it
	}
	return n
}

// pageText returns the page, and what belongs below it at present.
func (m *Model) pageText(width, height int) []paint.Line {
	out := m.page.lines(m.page.rows, width)
	told := slices.ContainsFunc(m.page.rows, func(t told) bool { return t.as == fact || t.as == drawn })
	switch {
	case m.asked != nil:
		out = paragraph(append(out, nil), "Type what you expect at the prompt below; Enter alone shows the answer.", width, 2, paint.Plain)
	case m.moment.View.Deadlock != nil:
		out = append(append(out, nil), m.aboutDeadlock(width)...)
	case m.handle > 0 && !told:
		if all := append(append(out, nil), m.whatCame(drawing.WhyLook{Width: width, Bare: true, Tight: true})...); len(all) <= height {
			return all
		}
	}
	return out
}
