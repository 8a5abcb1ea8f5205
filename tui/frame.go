package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Below these sizes nobody could read the screen.
const (
	tinyWidth  = 20
	tinyHeight = 6
)

// View returns the screen.
func (m *Model) View() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	var b strings.Builder
	if m.width < tinyWidth || m.height < tinyHeight {
		m.inks.Write(&b, paint.Text("too small", paint.Plain), m.width)
		return b.String() + strings.Repeat("\n"+strings.Repeat(" ", m.width), m.height-1)
	}
	b.Grow(m.width * m.height * 2)
	m.inks.Write(&b, m.titleLine(), m.width)
	for _, row := range m.body() {
		b.WriteByte('\n')
		b.WriteString(row)
	}
	frame := b.String()
	if m.over != nil {
		frame = m.cover(frame)
	}
	return frame
}

// body returns the lines below the title: panes, prompt, hints, footer.
func (m *Model) body() []string {
	if m.drawn == nil {
		m.drawn = m.paneRows()
	}
	rows := make([]string, 0, m.height)
	rows = append(rows, m.drawn...)
	add := func(l paint.Line) {
		var b strings.Builder
		m.inks.Write(&b, l, m.width)
		rows = append(rows, b.String())
	}
	add(m.promptLine(m.width))
	for _, l := range m.hintLines(m.width, m.layout.hints) {
		add(l)
	}
	if m.layout.footer {
		add(m.footer(m.width))
	}
	return rows
}

// paneRows returns the lines of the panes, side by side.
func (m *Model) paneRows() []string {
	rows := []string{}
	if m.parts == nil {
		m.parts = make([][]paint.Line, len(m.layout.rects))
	}
	for i, r := range m.layout.rects {
		if m.parts[i] == nil {
			m.parts[i] = m.pane(r)
		}
	}
	for y := 1; y < m.layout.prompt; y++ {
		var b strings.Builder
		for i, r := range m.layout.rects {
			if y < r.y || y >= r.y+r.h {
				continue
			}
			if r.x > 0 {
				m.inks.Write(&b, paint.Text(m.layout.joint(y, r), paint.Faint), 1)
			}
			var l paint.Line
			if k := y - r.y; k < len(m.parts[i]) {
				l = m.parts[i][k]
			}
			m.inks.Write(&b, l, r.inner())
		}
		rows = append(rows, b.String())
	}
	return rows
}

// pane returns the lines of a pane: its rule, and the lines below.
func (m *Model) pane(r rect) []paint.Line {
	width := r.inner()
	if m.moment == nil {
		out := []paint.Line{m.rule(r, width)}
		if r.pane == hwPane {
			out = append(out, paint.Text("  making the world ...", paint.Plain))
		}
		return out
	}
	height := r.h - 1
	if height <= 0 {
		return []paint.Line{m.rule(r, width)}
	}
	p := m.panes[r.pane]
	lines := p.lines(m, width, height) // may scroll, which the rule shows
	if r.pane == m.focus && m.find.text != "" {
		if cursor, _ := p.rows(m); cursor == nil {
			for i := range lines {
				lines[i] = lighten(lines[i], m.find.text)
			}
		}
	}
	return append([]paint.Line{m.rule(r, width)}, lines...)
}

// titleLine returns the title: the world and the hardware of the session, and the step that shows.
func (m *Model) titleLine() paint.Line {
	var l paint.Line
	l.Add(" commsplit ", paint.Accent.Lit())
	if m.moment == nil {
		return l
	}
	s := m.moment.View.Snapshot
	text := " " + spell.Plural(s.Size, "rank")
	if s.Topology != nil {
		text += " on " + s.Topology.Name
	}
	at := "◀ step " + strconv.Itoa(m.moment.Step) + "/" + strconv.Itoa(m.moment.Last) + " ▶"
	ink := paint.Faint
	if m.moment.Past() && m.asked == nil {
		at, ink = "past: "+at, paint.Note.Lit()
	}
	if m.asked != nil {
		at, ink = "QUESTION  "+"step "+strconv.Itoa(m.moment.Step), paint.Note.Lit()
	}
	if n := len(s.Waiting); n > 0 {
		at, ink = "BLOCKED  "+at, paint.Alarm.Lit()
	}
	if e := m.moment.Present.Expectations; e.Failed > 0 {
		at, ink = strconv.Itoa(e.Failed)+" expectations failed  "+at, paint.Alarm.Lit()
	}
	if m.page != nil {
		at = m.page.title() + "  " + at
	}
	if r := m.busy; r != nil && !m.resting() {
		word := "running "
		if r.stopping {
			word = "stopping "
		}
		if time := m.elapsed(r.since); time != "" {
			at, ink = word+time, paint.Note.Lit()
		}
	}
	if word := m.player.word(); word != "" {
		at = word + "  " + at
	}
	l.Add(paint.Cut(text, max(m.width-l.Width()-paint.Width(at)-3, 0)), paint.Plain)
	l.Add("  "+s.Std.Title(), paint.Faint)
	if gap := m.width - l.Width() - paint.Width(at) - 1; gap < 1 {
		l = l[:len(l)-1]
	}
	l.Pad(m.width - paint.Width(at) - 1)
	l.Add(at+" ", ink)
	return l
}

// clickTitle goes a step back or on when the arrows beside the counter are clicked.
func (m *Model) clickTitle(x int) tea.Cmd {
	switch {
	case x >= m.width-3:
		return m.stepBy(1)
	case x >= m.width-3-len("◀ step 99/99 ▶") && m.moment.Step > 0:
		return m.stepBy(-1)
	}
	return nil
}

// footer returns the line of the keys that matter now.
func (m *Model) footer(width int) paint.Line {
	var l paint.Line
	for _, b := range m.buttons(width) {
		key, _, _ := strings.Cut(b.show, " ") // the help shows the other keys
		l.Pad(b.x)
		l.Add(" "+key, paint.Bold)
		l.Add(" "+b.footer+" ", paint.Plain)
	}
	return l
}

// clickFooter does what the key in column x of the footer does.
func (m *Model) clickFooter(x int) tea.Cmd {
	for _, b := range m.buttons(m.width) {
		if x >= b.x && x < b.x+b.w {
			return b.chosen(m)
		}
	}
	return nil
}

// button is a binding with its columns in the footer.
type button struct {
	binding
	x, w int
}

// buttons returns the keys that matter now, from the left. Where not all have room, the most useful remain; help and
// quit always do.
func (m *Model) buttons(width int) []button {
	var list, last []button
	ends := 0
	for _, b := range m.bindingsNow() {
		if m.shown == onePane && b.show == "+" || m.shown == forLesson && b.show == "T" {
			b.footer = toAllPanes
		}
		key, _, _ := strings.Cut(b.show, " ")
		one := button{b, 0, len("   ") + paint.Width(key) + paint.Width(b.footer)}
		switch b.footer {
		case "":
		case "help", "quit", "leave":
			last = append(last, one)
			ends += one.w
		default:
			list = append(list, one)
		}
	}
	if !m.typing {
		slices.SortStableFunc(list, func(a, b button) int { return cmp.Compare(usefulness(a), usefulness(b)) })
	}
	var out []button
	x := 0
	put := func(b button) {
		b.x, x = x, x+b.w
		out = append(out, b)
	}
	for _, b := range list {
		if x+b.w+ends <= width {
			put(b)
		}
	}
	x = max(x, width-ends)
	for _, b := range last {
		put(b)
	}
	return out
}

// mostUseful are the keys that come first in the footer of panes, in this order.
var mostUseful = []string{"pgdown", ":", "x", "]", "p", ">", "z", "f3", "b", "/", "+", "T", "tab"}

// toAllPanes is the word in the footer for the key that shows all panes again. It comes first.
const toAllPanes = "all panes"

func usefulness(b button) int {
	if b.footer == toAllPanes {
		return -1
	}
	for _, key := range b.keys {
		if i := slices.Index(mostUseful, key); i >= 0 {
			return i
		}
	}
	return len(mostUseful)
}

// tab is the name of a pane on a rule, with its columns.
type tab struct {
	pane paneID
	text string
	x, w int
}

// tabs returns the names on the rule of a place: a number and a name for each of its panes. Behind them so many columns
// stay free; where that leaves no room, panes that do not show have their numbers alone, or nothing.
func (r rect) tabs(free int) (list []tab) {
	for _, all := range []string{"names", "numbers", ""} {
		list = list[:0]
		x := 1 + r.w - r.inner()
		for _, p := range r.panes {
			t := tab{p, " " + strconv.Itoa(int(p)+1) + " ", x, 0}
			switch {
			case p != r.pane && all == "":
				continue
			case p == r.pane || all == "names":
				t.text += paneTable[p].name + " "
			}
			if p == r.pane && len(r.panes) > 1 { // boldness alone would not be enough
				t.text = "[" + t.text[1:len(t.text)-1] + "]"
			}
			t.w = len(t.text) + 1
			list = append(list, t)
			x += t.w
		}
		if x+free <= r.w {
			break
		}
	}
	return list
}

// rule returns the first line of a pane: the names of the panes in the same place, the note of the pane that shows, and
// how much of it is hidden.
func (m *Model) rule(r rect, width int) paint.Line {
	focused := r.pane == m.focus && !m.typing
	line, ink := "─", paint.Faint
	if focused {
		line, ink = "━", paint.Accent
	}
	var l paint.Line
	l.Add(line, ink)
	for _, t := range m.tabs(r) {
		switch {
		case t.pane == r.pane && focused:
			l.Add(t.text, paint.Accent)
		case t.pane == r.pane:
			l.Add(t.text, paint.Bold)
		default:
			l.Add(t.text, paint.Faint)
		}
		l.Add(line, ink)
	}
	note, more := "", m.hidden(r)
	if m.moment != nil {
		note = m.panes[r.pane].note(m)
	}
	room := width - l.Width() - 3
	if more != "" { // which rows show matters more than the note
		room -= paint.Width(more) + 4
	}
	if note != "" && paint.Width(note) <= room {
		l.Add(" "+note+" ", paint.Plain)
	}
	if more != "" && l.Width()+paint.Width(more)+3 <= width {
		l.PadWith(width-paint.Width(more)-3, line, ink)
		l.Add(" "+more+" ", paint.Plain)
	}
	l.PadWith(width, line, ink)
	return l
}

// hidden tells how much of the pane that shows in a place is hidden.
func (m *Model) hidden(r rect) string {
	if m.moment == nil {
		return ""
	}
	return m.panes[r.pane].hidden(r.h - 1)
}

// tabs returns the names on the rule of a place, which leave room for how much of its pane is hidden.
func (m *Model) tabs(r rect) []tab {
	free := 0
	if more := m.hidden(r); more != "" {
		free = paint.Width(more) + 3
	}
	return r.tabs(free)
}

// wrapped breaks a text at blanks into rows of at most width columns.
func wrapped(text string, width int) []string {
	text = paint.Clean(text)
	if paint.Width(text) <= width {
		return []string{text}
	}
	if strings.IndexByte(text, '\x1b') < 0 { // paint.Wrap does not break lines of code at a minus
		return paint.Wrap(text, max(width, 8))
	}
	return strings.Split(ansi.Wrap(text, max(width, 8), ""), "\n")
}

// paragraph appends a text in one ink to out, in lines of at most width columns; the lines after the first are
// indented.
func paragraph(out []paint.Line, text string, width, indent int, k paint.Ink) []paint.Line {
	for i, row := range wrapped(text, width-indent) {
		lead := ""
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		out = append(out, paint.Line{{Text: lead, Ink: paint.Plain}, {Text: row, Ink: k}})
	}
	return out
}

// picture splits a text from render into lines.
func picture(text string) []paint.Line {
	var out []paint.Line
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		out = append(out, paint.Text(line, paint.Plain))
	}
	return out
}

// style returns the style for text from render in a pane.
func (m *Model) style(width int) render.Style {
	return render.Style{Width: width, Colors: m.opts.Colors, Dark: m.opts.Dark}
}
