package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/tui/paint"
)

// item is one thing to choose.
type item struct {
	name string
	note string
	do   func(m *Model) tea.Cmd
}

// picker is a list to choose from; letters filter it.
type picker struct {
	list
	head  string
	items []item
	typed string
}

func (p *picker) title() string {
	if p.typed != "" {
		return p.head + ": " + p.typed + "▏"
	}
	return p.head
}

func (p *picker) size(*Model) (int, int) {
	width := len(p.head) + 8
	for _, it := range p.items {
		width = max(width, p.column()+paint.Width(it.note)+4)
	}
	return width, len(p.items)
}

func (p *picker) column() int {
	w := 0
	for _, it := range p.items {
		w = max(w, paint.Width(it.name))
	}
	return w + 2
}

// shown is the items that have what was typed.
func (p *picker) shown() []item {
	var list []item
	for _, it := range p.items {
		if strings.Contains(strings.ToLower(it.name+" "+it.note), strings.ToLower(p.typed)) {
			list = append(list, it)
		}
	}
	return list
}

func (p *picker) lines(_ *Model, width, height int) []paint.Line {
	items := p.shown()
	if len(items) == 0 {
		return []paint.Line{paint.Text("nothing has "+p.typed, paint.Faint)}
	}
	from, to := p.window(len(items), height)
	column := p.column()
	var out []paint.Line
	for i := from; i < to; i++ {
		var l paint.Line
		l.Add(mark(i == p.at), paint.Accent)
		l.Add(" "+items[i].name, litIf(paint.Bold, i == p.at))
		l.Pad(column + 2)
		l.Add(items[i].note, paint.Faint)
		out = append(out, l)
	}
	return out
}

func (p *picker) key(m *Model, msg tea.KeyMsg) tea.Cmd {
	n := len(p.shown())
	switch msg.String() {
	case "up", "ctrl+p":
		p.to(p.at-1, n)
	case "down", "ctrl+n", "tab":
		p.to(p.at+1, n)
	case "pgup":
		p.to(p.at-10, n)
	case "pgdown":
		p.to(p.at+10, n)
	case "home":
		p.to(0, n)
	case "end":
		p.to(n-1, n)
	case "enter":
		return p.choose(m)
	case "esc", "ctrl+c":
		m.over = nil
	case "backspace":
		if r := []rune(p.typed); len(r) > 0 {
			p.typed = string(r[:len(r)-1])
		}
	default:
		if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
			p.typed += string(msg.Runes)
			p.at = 0
		}
	}
	return nil
}

func (p *picker) choose(m *Model) tea.Cmd {
	items := p.shown()
	if p.at >= len(items) {
		return nil
	}
	m.over = nil
	return items[p.at].do(m)
}
