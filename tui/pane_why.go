package tui

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/paint"
	drawing "codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// whyView is the pane that explains the selection.
type whyView struct {
	textPane
	of       whyKey
	up, down string // keys that lead to the lines that are hidden
	need     need
	read     *page // the page that was scrolled to its news last
	answer   later[answerKey, []paint.Line]
}

// answerKey identifies an explanation of what ranks hold.
type answerKey struct {
	moment *moment.Moment
	lit    *moment.Lit // new for each selection
	handle int
	width  int
	dark   bool
}

// whyKey identifies the text of the pane.
type whyKey struct {
	moment *moment.Moment
	lit    *moment.Lit // new for each selection
	handle int
	width  int
	height int
	stage  int
	busy   bool
	page   *page
	asked  bool
	answer answerKey
}

func (v *whyView) lines(m *Model, width, height int) []paint.Line {
	key := whyKey{m.moment, m.lit, m.handle, width, height, m.player.inside(), !m.resting(), m.page, m.asked != nil, v.answer.of}
	if key != v.of || v.told == nil {
		switch {
		case !m.onPage() || m.player.inside() > 0 || !m.sel.Empty():
		case key.page != v.read:
			v.top, v.read = m.page.fresh(width-2), key.page
		case key.moment != v.of.moment && m.moment.View.Deadlock != nil: // who waits for whom stands below the page
			v.top = len(m.page.lines(m.page.rows, width-2)) + 1
		}
		v.told, v.of = m.explain(width-2, height), key
		v.of.answer = v.answer.of // that explain may have made
	}
	v.up, v.down = v.keysTo(m)
	return v.window(height)
}

func (v *whyView) note(m *Model) string {
	if m.player.inside() > 0 {
		return "inside step " + strconv.Itoa(m.moment.Step)
	}
	return ""
}

func (v *whyView) hidden(height int) string {
	above, below := strconv.Itoa(v.top), len(v.told)-v.top-height
	switch {
	case below > 0 && v.top > 0:
		return v.up + ": " + above + " above, " + v.down + ": " + strconv.Itoa(below) + " below"
	case below > 0:
		return v.down + ": " + strconv.Itoa(below) + " more below"
	case v.top > 0:
		return v.up + ": " + above + " more above"
	}
	return ""
}

// keysTo returns the keys that move the text of the pane, behind those that lead there from where the person is.
func (v *whyView) keysTo(m *Model) (up, down string) {
	switch {
	case m.typing && m.teaches(): // PgDn goes on
		return "Esc x k", "Esc x j"
	case m.typing:
		return "PgUp", "PgDn"
	case m.focus != whyPane:
		return "x k", "x j"
	}
	return "k", "j"
}

// explain returns the text about the selection. Without a selection, it returns the text about the moment; if that
// is longer than height lines, without blank lines and legends.
func (m *Model) explain(width, height int) []paint.Line {
	switch {
	case m.player.inside() > 0: // phases that pass by themselves are too fast to read about
		return m.phaseText(width, height)
	case m.sel.Rank() >= 0:
		return m.aboutRank(m.sel.Rank(), width)
	case m.sel.Object != nil:
		return m.aboutObject(m.sel.Object, width)
	case len(m.sel.Comms) > 0:
		return m.aboutComms(m.sel.Comms, width)
	case len(m.sel.Ranks) > 0:
		return m.reasons(m.sel.Ranks, width)
	case m.onPage():
		return m.pageText(width, height)
	case m.asked != nil:
		return m.questionText(width)
	case m.moment.View.Deadlock != nil:
		return m.aboutDeadlock(width)
	}
	for _, look := range []drawing.WhyLook{{Big: true}, {}} {
		look.Width, look.Tight = width, look.Big
		if look.Big && !m.roomy(width) {
			continue
		}
		if out := m.overview(look); len(out) <= height {
			return out
		}
	}
	return m.overview(drawing.WhyLook{Width: width, Tight: true})
}

// roomy reports whether a pane may have big letters: it is wide, or shows alone.
func (m *Model) roomy(width int) bool { return m.shown != allPanes || width >= bigWidth }

// need is how many lines the pane needs for the result of the last line.
type need struct {
	moment       *moment.Moment
	width, lines int
}

// wholeWhy returns how many lines, with the rule, the pane needs in a width. That changes only when lines run, not
// when a person looks at other variables or at the past.
func (m *Model) wholeWhy(width int) int {
	of := need{m.moment, width, m.why.need.lines}
	if m.moment != nil && !m.moment.Past() && of != m.why.need {
		of.lines = 1 + len(m.overview(drawing.WhyLook{Width: width - 2, Tight: true}))
		m.why.need = of
	}
	return of.lines
}

// fitsWhy reports whether the text of the pane has room.
func (m *Model) fitsWhy(width, height int) bool {
	return m.moment == nil || len(m.explain(width-2, height)) <= height
}

// mostSaid is the most events of a step that show.
const mostSaid = 40

// overview returns the text when nothing is selected.
func (m *Model) overview(look drawing.WhyLook) []paint.Line {
	var out []paint.Line
	width := look.Width
	if m.moment.Past() || m.player.on {
		out, look.Bare = m.story(m.aboutStep(width), width), true
	} else {
		for _, l := range m.moment.Said() {
			if l.Note {
				out = m.said(out, &l, width)
			}
		}
	}
	if last := m.moment.Last; last > 0 && last == m.moment.Step {
		if s := &m.moment.View.Snapshot.Steps[last-1]; len(s.Made) == 0 && s.Err == nil { // it made nothing that a variable holds
			return append(out, m.drawCall(s, look)...)
		}
	}
	switch {
	case m.handle == 0 && m.moment.Last > 0:
		return out
	case m.handle == 0:
		return append(out, m.startText(width)...)
	}
	return append(out, m.whatCame(look)...)
}

// mostCalls is the most calls of one line that show one by one.
const mostCalls = 8

// whatCame shows the calls that made the current variable, and the reasons for their results.
func (m *Model) whatCame(look drawing.WhyLook) []paint.Line {
	var out []paint.Line
	steps := m.moment.MadeBy(m.handle)
	for i, s := range steps {
		if i == mostCalls {
			return append(out, nil, paint.Text("... and "+spell.Plural(len(steps)-i, "more call")+" of the same line", paint.Plain))
		}
		if i > 0 && !look.Tight {
			out = append(out, nil)
		}
		out = append(out, m.drawCall(s, look)...)
		look.Bare = false // only the first call was told above
	}
	return append(out, m.staleText(look.Width)...)
}

// drawCall draws the reasons for the result of a call, in the letters of the current variable.
func (m *Model) drawCall(s *engine.Step, look drawing.WhyLook) []paint.Line {
	return drawing.WhyOf(m.moment.View, &m.moment.Handles[m.handle], m.moment.Parting(m.handle), s.Number, look).Draw()
}

// staleText lists the communicators of the current variable that no longer fit the hardware.
func (m *Model) staleText(width int) []paint.Line {
	const most = 3
	p := m.moment.Parting(m.handle)
	var out []paint.Line
	told := 0
	for k := range p.Len() {
		x := m.moment.Words.Stale(p.Comm(k))
		if x == nil {
			continue
		}
		if told++; told > most {
			continue
		}
		if told == 1 {
			out = append(out, nil)
		}
		_, _, why := m.moment.Words.Comm(m.moment.View.Snapshot.Comm(p.Comm(k)), p.Letter(k), width)
		out = paragraph(out, m.moment.Words.Name(p.Comm(k))+" is "+why, width, 2, paint.Alarm)
	}
	if told > most {
		out = append(out, paint.Text("... and "+spell.Plural(told-most, "more communicator"), paint.Alarm))
	}
	return out
}

// story appends the events after the current step, in their order. While a line runs, it appends only the lines
// that ranks have printed.
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
		if told == 0 && len(out) > 0 {
			out = append(out, nil)
		}
		if told++; told > mostSaid {
			return append(out, paint.Text("... and more; the log has it", paint.Plain))
		}
		switch {
		case e.Line != nil:
			out = m.said(out, e.Line, width)
		case mishap(e) != "":
			out = paragraph(out, mishap(e), width, 2, paint.Alarm)
		case e.Typed != "":
			for line := range strings.SplitSeq(e.Typed, "\n") {
				out = append(out, paint.Text("  "+paint.Cut(line, width-2), paint.Bold))
			}
			if e.Drawn != "" {
				out = append(out, paint.Text("  drew what the log has", paint.Plain))
			}
		case e.Called != "":
			out = paragraph(out, e.Called, width, 2, paint.Plain)
		case e.Locked != nil:
			out = paragraph(out, "As expected: "+e.Locked.Deadlock.Message, width, 2, paint.Alarm)
		}
	}
	return out
}

// mishap returns the text of an error that was caught, or of an expectation that failed; "" for other events.
func mishap(e *render.Event) string {
	switch {
	case e.Caught != nil:
		return "Caught: " + e.Caught.Error()
	case e.Failure != nil:
		return "FAILED  " + e.Failure.Message + "  " + e.Failure.Where
	}
	return ""
}

// said appends a line of ranks, a note, or a question with the verdict on its prediction.
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

// aboutStep returns the call of the current step: which ranks make the call, and what they pass.
func (m *Model) aboutStep(width int) []paint.Line {
	if m.moment.Step == 0 {
		return []paint.Line{paint.Text("Start: no call yet. ] steps forward.", paint.Plain)}
	}
	s := &m.moment.View.Snapshot.Steps[m.moment.Step-1]
	out := paragraph(nil, m.moment.Words.Step(s, width), width, 2, paint.Bold)
	if args := render.Passed(s, width-2); args != "" {
		out = paragraph(out, "  "+args, width, 2, paint.Plain)
	}
	return out
}

// aboutRank returns why a rank waits, and why it holds its communicator.
func (m *Model) aboutRank(rank, width int) []paint.Line {
	why := m.reasons(engine.RanksOf(rank), width)
	if !m.moment.Blocked(rank) {
		return why
	}
	return append(append(drawing.Waiting(m.moment.View, rank, width).Draw(), nil), why...)
}

// reasons explains the communicators that ranks hold in the current variable.
func (m *Model) reasons(ranks engine.Ranks, width int) []paint.Line {
	if !m.resting() {
		return []paint.Line{paint.Text("a line runs ...", paint.Plain)}
	}
	of := answerKey{m.moment, m.lit, m.handle, width, m.opts.Dark}
	variable, style := m.moment.Handles[m.handle].Name, m.style(width)
	lines, ok := m.why.answer.get(m, of, func() []paint.Line {
		return explanation(m.console.Session, of.moment.View, variable, ranks, style)
	})
	if !ok {
		return []paint.Line{m.lookingAt()}
	}
	return lines
}

// lookingAt stands for what is still made.
func (m *Model) lookingAt() paint.Line {
	return paint.Text("looking at "+spell.Plural(m.moment.Size(), "rank")+" ...", paint.Plain)
}

// explanation returns the reasons for what ranks hold in a variable.
func explanation(s *repl.Session, v *render.View, variable string, ranks engine.Ranks, style render.Style) []paint.Line {
	list, rest, err := s.Explain(v, variable, ranks, 1)
	if err != nil {
		return paragraph(nil, err.Error(), style.Width, 0, paint.Alarm)
	}
	var b strings.Builder
	if err := render.Explain(&b, v, list, rest, style); err != nil {
		return paragraph(nil, err.Error(), style.Width, 0, paint.Alarm)
	}
	return picture(b.String())
}

// aboutComms describes the selected communicators.
func (m *Model) aboutComms(ids []int, width int) []paint.Line {
	c := m.moment.View.Snapshot.Comm(ids[0])
	if c == nil {
		return nil
	}
	if len(ids) > 1 {
		list := make([]*engine.CommInfo, len(ids))
		for i, id := range ids {
			list[i] = m.moment.View.Snapshot.Comm(id)
		}
		text := strconv.Itoa(len(ids)) + " communicators that " + c.Op.String() + " made, of " + strconv.Itoa(m.lit.Len()) + " ranks in all"
		if state := m.moment.Words.State(list); state != "" {
			text += ", " + state
		}
		return append(paragraph(nil, text, width, 2, paint.Bold), m.severalComms(list, width)...)
	}
	look := m.comms.look(m, width)
	look.Room = lanes.Room{Tall: true, Rows: 12}
	out := append(m.commHead(c, width), m.comms.source(m).Lane([]*engine.CommInfo{c}, m.viewer).Members(look).Draw()...)
	if c.Remote == nil {
		return out
	}
	return paragraph(out, "A rank sends to ranks of the other group; choose a rank to see it from its side.", width, 0, paint.Plain)
}

// mostSeveral is the most communicators that show one by one.
const mostSeveral = 100

// severalComms returns a line for each communicator.
func (m *Model) severalComms(list []*engine.CommInfo, width int) []paint.Line {
	out, src, look := []paint.Line{nil}, m.comms.source(m), m.comms.look(m, width)
	look.Room = lanes.Rooms[len(lanes.Rooms)-1]
	for _, c := range list[:min(len(list), mostSeveral)] {
		l := src.Lane([]*engine.CommInfo{c}, m.viewer)
		look.Column = max(look.Column, l.LeadWidth(lanes.Setting{}))
	}
	for i, c := range list {
		if i == mostSeveral {
			return append(out, paint.Text("... and "+strconv.Itoa(len(list)-i)+" more", paint.Plain))
		}
		out = append(out, src.Lane([]*engine.CommInfo{c}, m.viewer).Scene(lanes.Setting{}, look).Draw()...)
	}
	return out
}

// commHead returns a communicator's name, its size, and the call that made it.
func (m *Model) commHead(c *engine.CommInfo, width int) []paint.Line {
	letter := ""
	if k := m.moment.Part(m.handle, c.ID); m.handle > 0 && k >= 0 {
		letter = m.moment.Parting(m.handle).Letter(k)
	}
	head, made, stale := m.moment.Words.Comm(c, letter, width)
	out := paragraph(nil, head, width, 2, paint.Bold)
	out = paragraph(out, made, width, 2, paint.Plain)
	if stale != "" {
		out = paragraph(out, stale, width, 2, paint.Alarm)
	}
	return append(out, nil)
}

// aboutObject returns which ranks are restricted to an object, and which may also use others.
func (m *Model) aboutObject(o *hw.Object, width int) []paint.Line {
	g := m.moment.Ground
	to, beyond := g.Restricted(o)
	t := render.Object(g.Topology, o, to, beyond, width)
	out := []paint.Line{{{Text: t.Label, Ink: paint.Bold}, {Text: t.Also, Ink: paint.Plain}}}
	for _, fact := range t.Facts {
		out = paragraph(out, fact, width, 2, paint.Plain)
	}
	out = append(out, paint.Text(t.To, paint.Plain))
	if t.Beyond != "" {
		out = paragraph(out, t.Beyond, width, 2, paint.Alarm)
	}
	name := g.Resource(o)
	if name == "" {
		return paragraph(out, render.NoResource, width, 2, paint.Plain)
	}
	return paragraph(out, "r splits by "+name, width, 2, paint.Plain)
}

// aboutDeadlock tells the fixes, which a person needs most, draws who waits for whom, then tells the rest of the
// diagnosis.
func (m *Model) aboutDeadlock(width int) []paint.Line {
	var fixes, rest []paint.Line
	for text := range strings.SplitSeq(m.moment.View.Deadlock.Message, "\n") {
		text, fix, found := strings.Cut(text, " Fix: ")
		if found {
			fixes = paragraph(fixes, "Fix: "+fix, width, 2, paint.Bold)
		}
		rest = paragraph(rest, text, width, 2, paint.Plain)
	}
	switch {
	case m.moment.Stuck > 0:
		rest = paragraph(rest, "The ranks stayed blocked until a later line let them go on: ] goes there.", width, 0, paint.Plain)
	case m.halt == nil: // otherwise the lines are those of a script
		rest = paragraph(rest, "Esc z takes the last line back.", width, 0, paint.Plain)
	}
	return slices.Concat(fixes, drawing.Waiting(m.moment.View, -1, width).Draw(), []paint.Line{nil}, rest)
}
