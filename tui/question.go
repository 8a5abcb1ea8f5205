package tui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/render/paint"
	"commsplit/repl"
	"commsplit/tui/scene"
)

// question is asked by a line, which waits for the prediction of the person. The answer shows only after it.
type question struct {
	prompt string
	text   string
	notes  []string      // notes since the question before
	lines  []string      // that ran since something was narrated: the question is about them
	moment *scene.Moment // the present, with the answer
	from   int           // the last step that does not tell the answer
	reply  chan string   // takes the prediction
	draft  string        // the line that was being typed when the question came
	page   *page         // of the script that asks; nil: a line that was typed asks
}

// verdict says whether a prediction was right.
type verdict struct{ question, text string }

// askMsg says that a line waits for a prediction.
type askMsg struct {
	*question
	judged []verdict // on predictions before
}

// predicting lets a console ask the person at the screen.
func (r *running) predicting(ctx context.Context, c *repl.Console, before *scene.Moment) {
	text := ""
	c.Predict = func(prompt string) (string, error) {
		q := r.question(scene.NewMoment(c.Session.View(), -1, before))
		q.prompt, q.lines, text = prompt, c.Session.Unexplained(), q.text
		if r.lesson != nil {
			q.page = r.lesson.asks(q.text)
		}
		answer, ok := answered(ctx, r, askMsg{q, r.verdicts()}, q.reply)
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

// verdicts takes the verdicts of which the screen does not know yet.
func (r *running) verdicts() []verdict {
	list := r.judged
	r.judged = nil
	return list
}

// question is the last note of a moment. The steps since the note before belong to the answer.
func (r *running) question(now *scene.Moment) *question {
	q := &question{moment: now, from: min(r.seen, now.Last), reply: make(chan string, 1)}
	snapshot := now.View.Snapshot
	said, _ := snapshot.Since(min(r.heard, snapshot.Spoken()))
	step := q.from // of the note before
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
	r.seen, r.heard = q.from, snapshot.Spoken() // the steps of the answer are seen after it
	return q
}

// ask shows a question, and nothing of what answers it.
func (m *Model) ask(msg askMsg) tea.Cmd {
	q := msg.question
	m.log.add(m.output.take()...)
	m.judge(msg.judged)
	m.see(q.moment.At(q.from))
	m.choose(scene.Selection{})
	m.asked, m.page, m.typing = q, q.page, true
	q.draft = m.prompt.Text()
	m.prompt.Set("")
	m.show(whyPane)
	return nil
}

// judge keeps verdicts, which show where the questions do.
func (m *Model) judge(list []verdict) {
	for _, v := range list {
		m.verdicts[v.question] = v.text
		m.notice = v.text
	}
}

// predict takes the typed line as the prediction.
func (m *Model) predict() tea.Cmd {
	q := m.asked
	m.asked = nil
	m.player.stop()
	m.player.leave(m)
	q.reply <- m.prompt.Text()
	m.prompt.Set(q.draft)
	return tea.Batch(m.busy.next, m.lookAgain())
}

// interrupt stops the line that runs: the prompt is back at once, and what is typed runs once that line has wound
// down and the session is as before it. When it waited for a prediction, the screen waits for its next
// message again.
func (m *Model) interrupt() tea.Cmd {
	m.busy.cancel()
	m.busy.stopping, m.busy.since = true, m.now()
	m.dropQueue()
	if m.halt != nil {
		m.halt = nil
		return m.busy.next
	}
	if m.asked == nil {
		return nil
	}
	m.prompt.Set(m.asked.draft)
	m.asked = nil
	return m.busy.next
}

// resting reports whether nothing changes the session now: no line runs, or it waits for the person.
func (m *Model) resting() bool {
	return m.console != nil && (m.busy == nil || m.asked != nil || m.halt != nil)
}

// latest is the last step that may show.
func (m *Model) latest() int {
	if m.asked != nil {
		return m.asked.from
	}
	return m.moment.Last
}

// questionText is the question, then the notes before it.
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
