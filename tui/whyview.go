package tui

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/render/paint"
	"commsplit/tui/scene"
)

// whyView is the pane that explains what is selected.
type whyView struct {
	top  int
	text []paint.Line
	of   whyKey
	keys int
	late bool // keys come fast in a large world: the text follows when they rest
}

// restMsg comes a moment after a key; it is how many keys there were then.
type restMsg int

// large is how many ranks make explanations too slow to follow every key.
const large = 20000

// rest asks for an explanation once the keys rest.
func (m *Model) rest() tea.Cmd {
	if m.moment == nil || m.moment.Size() < large {
		return nil
	}
	m.why.keys++
	m.why.late = true
	now := m.why.keys
	return tea.Tick(100*time.Millisecond, func(time.Time) tea.Msg { return restMsg(now) })
}

// whyKey is what the text depends on.
type whyKey struct {
	moment *scene.Moment
	lit    *scene.Lit // made anew with each selection
	handle int
	width  int
	stage  int
	busy   bool
	asked  bool
}

func (v *whyView) lines(m *Model, width, height int) []paint.Line {
	key := whyKey{m.moment, m.lit, m.handle, width, m.player.phase, !m.resting(), m.asked != nil && !m.player.on}
	if key != v.of && v.late && v.text != nil {
		return []paint.Line{paint.Text(" ...", paint.Faint)}
	}
	if key != v.of || v.text == nil {
		v.text, v.of = m.explain(width-2), key
	}
	v.top = max(0, min(v.top, len(v.text)-height))
	out := make([]paint.Line, 0, height)
	for _, l := range v.text[v.top:min(len(v.text), v.top+height)] {
		out = append(out, append(paint.Line{{Text: " ", Ink: paint.Plain}}, l...))
	}
	return out
}

// explain is the text about what is selected.
func (m *Model) explain(width int) []paint.Line {
	switch {
	case m.player.phase > 0:
		return m.phaseText(width)
	case m.sel.Rank() >= 0:
		return m.aboutRank(m.sel.Rank(), width)
	case m.sel.Object != nil:
		return m.aboutObject(m.sel.Object, width)
	case len(m.sel.Comms) > 0:
		return m.aboutComms(m.sel.Comms, width)
	case len(m.sel.Ranks) > 0:
		return m.reasons(m.sel.Ranks, width)
	case m.asked != nil && !m.player.on:
		return m.questionText(width)
	case m.moment.View.Deadlock != nil:
		return m.aboutDeadlock(width)
	}
	return m.overview(width)
}

// mostSaid is how much of what ranks printed at a step is told with it.
const mostSaid = 40

// overview is what there is to see when nothing is selected.
func (m *Model) overview(width int) []paint.Line {
	var out []paint.Line
	if m.moment.Past() || m.player.on {
		out = m.story(m.aboutStep(width), width)
	} else {
		for _, l := range m.moment.Said() {
			if l.Note {
				out = m.said(out, &l, width)
			}
		}
	}
	if m.handle == 0 && m.moment.Last > 0 {
		return out
	}
	if m.handle == 0 {
		out = paragraph(out, "Every rank is in MPI_COMM_WORLD, here called world. Write a line below, such as:", width, 0, paint.Plain)
		out = append(out, paint.Text("  half = split world color=rank%2", paint.Bold))
		return paragraph(out, "Esc goes to the panes; there, o opens examples and lessons, and ? tells all keys.", width, 0, paint.Faint)
	}
	var b strings.Builder
	h := &m.moment.Handles[m.handle]
	if err := render.Legend(&b, m.moment.View, h, m.style(width)); err != nil {
		return append(out, paint.Text(err.Error(), paint.Alarm))
	}
	return append(out, picture(b.String())...)
}

// story adds what happened behind the present step, in the order in which it did. While a line runs, that is
// what ranks said.
func (m *Model) story(out []paint.Line, width int) []paint.Line {
	var events []render.Event
	if m.resting() {
		events = m.console.Session.Events()
	} else {
		for _, l := range m.moment.Said() {
			events = append(events, render.Event{Step: l.Step, Line: &l})
		}
	}
	told := 0
	for i := range events {
		e := &events[i]
		if e.Step != m.moment.Step {
			continue
		}
		if told++; told > mostSaid {
			return append(out, paint.Text("... and more; the log has it", paint.Faint))
		}
		switch {
		case e.Line != nil:
			out = m.said(out, e.Line, width)
		case e.Caught != nil:
			out = paragraph(out, "Caught: "+e.Caught.Error(), width, 2, paint.Alarm)
		case e.Failure != nil:
			out = paragraph(out, "FAILED  "+e.Failure.Message+"  "+e.Failure.Where, width, 2, paint.Alarm)
		case e.Typed != "":
			for line := range strings.SplitSeq(e.Typed, "\n") {
				out = append(out, paint.Text("  "+paint.Cut(line, width-2), paint.Bold))
			}
			if e.Drawn != "" {
				out = append(out, paint.Text("  drew what the log has", paint.Faint))
			}
		case e.Called != "":
			out = paragraph(out, e.Called, width, 2, paint.Plain)
		case e.Locked != nil:
			out = paragraph(out, "As expected: "+e.Locked.Deadlock.Message, width, 2, paint.Alarm)
		}
	}
	return out
}

// said adds a line of ranks, a note, or a question with what came of it.
func (m *Model) said(out []paint.Line, l *engine.Line, width int) []paint.Line {
	verdict, judged := m.verdicts[l.Text]
	switch {
	case l.Note && judged:
		out = paragraph(out, "? "+l.Text, width, 2, paint.Note)
		return paragraph(out, "  "+verdict, width, 2, paint.Bold)
	case l.Note && m.asked != nil && l.Text == m.asked.text:
		return out
	case l.Note:
		return paragraph(out, "· "+l.Text, width, 2, paint.Note)
	}
	return paragraph(out, "["+l.Ranks.String()+"] "+l.Text, width, 2, paint.Plain)
}

// aboutStep tells which call the present step is.
func (m *Model) aboutStep(width int) []paint.Line {
	if m.moment.Step == 0 {
		return []paint.Line{paint.Text("The beginning: nothing was called yet. ] goes on.", paint.Plain)}
	}
	s := &m.moment.View.Snapshot.Steps[m.moment.Step-1]
	out := []paint.Line{paint.Text(m.moment.Words.Step(s, width), paint.Bold)}
	if args := render.Passed(s, width-2); args != "" {
		out = append(out, paint.Text("  "+args, paint.Plain))
	}
	return append(out, nil)
}

func listOf(set engine.Ranks) []int32 {
	list := make([]int32, 0, set.Len())
	for r := range set.All {
		list = append(list, int32(r))
	}
	return list
}

// aboutRank says where a rank runs, why it waits, and why it holds what it holds.
func (m *Model) aboutRank(rank, width int) []paint.Line {
	var out []paint.Line
	for _, w := range m.moment.View.Snapshot.Waiting {
		if w.Ranks.Has(rank) {
			out = append(out, m.waitLines(w, width)...)
			out = append(out, nil)
		}
	}
	return append(out, m.reasons(engine.RanksOf(rank), width)...)
}

// reasons explains what ranks hold in the present variable.
func (m *Model) reasons(ranks engine.Ranks, width int) []paint.Line {
	if !m.resting() {
		return []paint.Line{paint.Text("a line runs ...", paint.Faint)}
	}
	list, rest, err := m.console.Session.Explain(m.moment.View, m.moment.Handles[m.handle].Name, ranks)
	if err != nil {
		return paragraph(nil, err.Error(), width, 0, paint.Alarm)
	}
	var b strings.Builder
	if err := render.Explain(&b, m.moment.View, list, rest, m.style(width)); err != nil {
		return paragraph(nil, err.Error(), width, 0, paint.Alarm)
	}
	return picture(b.String())
}
