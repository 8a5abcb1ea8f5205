package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"commsplit/render/paint"
)

// overlay is something in front of the panes that takes all keys.
type overlay interface {
	title() string
	// lines are at most height lines of the inside.
	lines(m *Model, width, height int) []paint.Line
	key(m *Model, msg tea.KeyMsg) tea.Cmd
	// size is how much it would like to have, without its frame.
	size(m *Model) (width, height int)
}

// front is where the overlay is drawn, with its frame.
func (m *Model) front() rect {
	w, h := m.over.size(m)
	w = min(w+4, m.width)
	h = min(h+2, m.height-2)
	return rect{x: (m.width - w) / 2, y: max(1, (m.height-h)/2), w: w, h: h}
}

// cover draws the overlay over a frame.
func (m *Model) cover(frame string) string {
	r := m.front()
	rows := strings.Split(frame, "\n")
	var top paint.Line
	top.Add("╭─ ", paint.Accent)
	top.Add(m.over.title(), paint.Accent)
	top.Add(" ", paint.Accent)
	top.PadWith(r.w-1, "─", paint.Accent)
	top.Add("╮", paint.Accent)
	box := []paint.Line{top}
	inside := m.over.lines(m, r.w-4, r.h-2)
	for i := range r.h - 2 {
		var l paint.Line
		l.Add("│ ", paint.Accent)
		if i < len(inside) {
			var b strings.Builder
			m.inks.Write(&b, inside[i], r.w-4)
			l.Add(b.String(), paint.Plain)
		}
		l.Pad(r.w - 2)
		l.Add(" │", paint.Accent)
		box = append(box, l)
	}
	box = append(box, paint.Text("╰"+strings.Repeat("─", r.w-2)+"╯", paint.Accent))
	for i, l := range box {
		if y := r.y + i; y < len(rows) {
			var b strings.Builder
			m.inks.Write(&b, l, r.w)
			rows[y] = ansi.Truncate(rows[y], r.x, "") + b.String() + ansi.TruncateLeft(rows[y], r.x+r.w, "")
		}
	}
	return strings.Join(rows, "\n")
}

// helpView is all keys, those of the panes first or those of the prompt.
type helpView struct {
	top   int
	panes bool
}

func (m *Model) help() { m.over = &helpView{panes: !m.typing} }

func (v *helpView) title() string { return "keys" }

func (v *helpView) size(m *Model) (int, int) { return 84, len(v.text()) }

// text is a line a key, by sections.
func (v *helpView) text() []paint.Line {
	var out []paint.Line
	sections := keyTable
	if v.panes {
		sections = append(keyTable[1:len(keyTable):len(keyTable)], keyTable[0])
	}
	for i, s := range sections {
		if i > 0 {
			out = append(out, nil)
		}
		out = append(out, paint.Text(s.name, paint.Accent))
		for _, b := range s.bindings {
			var l paint.Line
			l.Add("  "+b.show, paint.Bold)
			l.Pad(16)
			l.Add(b.help, paint.Plain)
			out = append(out, l)
		}
	}
	return out
}

func (v *helpView) lines(_ *Model, _, height int) []paint.Line {
	text := v.text()
	v.top = max(0, min(v.top, len(text)-height))
	return text[v.top:min(len(text), v.top+height)]
}

func (v *helpView) key(m *Model, msg tea.KeyMsg) tea.Cmd {
	page := m.front().h - 3
	switch msg.String() {
	case "up", "k":
		v.top--
	case "down", "j":
		v.top++
	case "pgup", "ctrl+u":
		v.top -= page
	case "pgdown", " ", "ctrl+d":
		v.top += page
	case "home", "g":
		v.top = 0
	case "end", "G":
		v.top = 1 << 20
	case "esc", "q", "?", "f1", "enter", "ctrl+c":
		m.over = nil
	}
	return nil
}
