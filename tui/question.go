package tui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// question is a question of a line that runs and waits for a prediction. The answer shows only after the
// prediction.
type question struct {
	prompt string
	text   string
	notes  []string       // between the question before and this one
	lines  []string       // that ran since the last note: the question is about them
	moment *moment.Moment // the current moment, which shows the answer
	from   int            // the last step that does not show the answer
	reply  chan string    // receives the prediction
	page   *page          // of the script that asks; nil: a typed line asks
}

// verdict tells in words whether a prediction was right.
type verdict struct{ question, text string }

// predicting lets a console ask the person at the screen.
func (r *running) predicting(ctx context.Context, c *console.Console, before *moment.Moment) {
	text := ""
	c.Predict = func(prompt string) (string, error) {
		q := r.question(moment.NewMoment(c.Session.View(), -1, before))
		q.prompt, q.lines, text = prompt, c.Session.Unexplained(), q.text
		if r.lesson != nil {
			q.page = r.lesson.asks(q.text)
		}
		judged := r.verdicts()
		answer, ok := answered(ctx, r, func(m *Model) tea.Cmd { return m.ask(q, judged) }, q.reply)
		if !ok {
			return "", &repl.Failed{Interrupted: true}
		}
		return answer, nil
	}
	c.Judged = func(v, why string) {
		r.judged = append(r.judged, verdict{text, v})
		if r.lesson != nil {
			r.lesson.judged(v, why)
		}
	}
}

// verdicts returns the verdicts that the screen does not have yet, and forgets them.
func (r *running) verdicts() []verdict {
	list := r.judged
	r.judged = nil
	return list
}

// question returns the question that stands last in the notes of a moment. The steps after the note before the
// question belong to the answer.
func (r *running) question(now *moment.Moment) *question {
	q := &question{moment: now, from: min(r.seen, now.Last), reply: make(chan string, 1)}
	snapshot := now.View.Snapshot
	said, _ := snapshot.Since(min(r.heard, snapshot.Spoken()))
	step := q.from // the step of the note before
	for _, l := range said {
		if !l.Note {
			continue
		}
		if q.text != "" {
			q.notes = append(q.notes, q.text)
			q.from = max(q.from, step)
		}
		q.text, step = l.Text, l.Step
	}
	r.seen, r.heard = q.from, snapshot.Spoken() // the person sees the steps of the answer after it
	return q
}

// ask shows a question, and nothing that reveals its answer; judged is the verdicts on earlier predictions.
func (m *Model) ask(q *question, judged []verdict) tea.Cmd {
	m.log.add(m.output.take()...)
	m.see(q.moment.At(q.from))
	m.choose(moment.Selection{})
	m.asked, m.page, m.typing = q, q.page, true
	m.judge(judged)
	m.prompt.push("")
	m.show(whyPane)
	return nil
}

// judge stores verdicts, which show with their questions.
func (m *Model) judge(list []verdict) {
	for _, v := range list {
		if m.verdicts[v.question] = v.text; m.page == nil { // a page has them
			m.notice = v.text
		}
	}
}

// predict sends the typed line as the prediction.
func (m *Model) predict() tea.Cmd {
	q := m.asked
	m.asked = nil
	m.player.stop()
	m.player.leave(m)
	q.reply <- m.prompt.Text()
	m.prompt.pop()
	return tea.Batch(m.busy.next, m.lookAgain())
}

// interrupt stops the line that runs. The prompt is back at once; the next line runs when the stopped line has
// ended and was taken back. If the stopped line waited for a prediction, interrupt waits for its end.
func (m *Model) interrupt() tea.Cmd {
	m.busy.cancel()
	m.busy.stopping, m.busy.since = true, m.opts.Now()
	m.dropQueue()
	if m.halt != nil {
		m.halt = nil
		return m.busy.next
	}
	if m.asked == nil {
		return nil
	}
	m.prompt.pop()
	m.asked = nil
	return m.busy.next
}

// resting reports whether nothing changes the session at present: no line runs, or the line that runs waits for the
// person.
func (m *Model) resting() bool {
	return m.console != nil && (m.busy == nil || m.asked != nil || m.halt != nil)
}

// latest returns the last step that may show.
func (m *Model) latest() int {
	if m.asked != nil {
		return m.asked.from
	}
	return m.moment.Last
}

// questionText returns the question, then the notes before it.
func (m *Model) questionText(width int) []paint.Line {
	var out []paint.Line
	for _, line := range m.asked.lines {
		for row := range strings.SplitSeq(line, "\n") {
			out = append(out, paint.Text(paint.Cut(row, width), paint.Bold))
		}
	}
	out = paragraph(out, "? "+m.asked.text, width, 2, paint.Accent)
	out = paragraph(out, "Type what you expect at the prompt below; Enter alone shows the answer.", width, 2, paint.Plain)
	out = append(out, nil)
	for _, n := range m.asked.notes {
		out = paragraph(out, "· "+n, width, 2, paint.Note)
	}
	return out
}
