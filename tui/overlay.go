package tui

import (
	"slices"
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

// helpView lists all keys, beginning with the keys of the panes or of the prompt.
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

// item is a choice of a picker.
type item struct {
	name  string
	note  string
	do    func(m *Model) tea.Cmd
	group string // stands above the first item of several; "" for none
}

// picker is a list to choose from; letters filter it.
type picker struct {
	list
	head  string
	group string // of the items that are added next
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
	return width, len(rowsOf(p.items))
}

func (p *picker) add(name, note string, do func(m *Model) tea.Cmd) {
	p.items = append(p.items, item{name, note, do, p.group})
}

// pickerRow is a line of a picker: an item, or the group above some (item -1).
type pickerRow struct {
	item  int
	group string
}

func rowsOf(items []item) []pickerRow {
	var rows []pickerRow
	group := ""
	for i, it := range items {
		if it.group != group {
			group = it.group
			rows = append(rows, pickerRow{-1, group})
		}
		rows = append(rows, pickerRow{i, group})
	}
	return rows
}

// visible is the rows that show, the cursor among them, with its group where there is room.
func (p *picker) visible(items []item, height int) []pickerRow {
	p.to(p.at, len(items))
	rows := rowsOf(items)
	v := list{top: p.top}
	v.at = slices.IndexFunc(rows, func(r pickerRow) bool { return r.item == p.at })
	if v.at == 1 || v.at > 0 && v.at <= v.top && rows[v.at-1].item < 0 {
		v.at--
		v.window(len(rows), height)
		v.at++
	}
	from, to := v.window(len(rows), height)
	p.top = from
	return rows[from:to]
}

func (p *picker) column() int {
	w := 0
	for _, it := range p.items {
		w = max(w, paint.Width(it.name))
	}
	return w + 2
}

// shown is the items that have the typed text.
func (p *picker) shown() []item {
	var list []item
	for _, it := range p.items {
		if strings.Contains(strings.ToLower(it.name+" "+it.note+" "+it.group), strings.ToLower(p.typed)) {
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
	column := p.column()
	var out []paint.Line
	for _, r := range p.visible(items, height) {
		if r.item < 0 {
			out = append(out, paint.Text(r.group, paint.Accent))
			continue
		}
		var l paint.Line
		l.Add(mark(r.item == p.at), paint.Accent)
		l.Add(" "+items[r.item].name, litIf(paint.Bold, r.item == p.at))
		l.Pad(column + 2)
		l.Add(items[r.item].note, paint.Faint)
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
