package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// overlay is a box in front of the panes that takes all keys.
type overlay interface {
	title() string
	// place returns which item of how many is chosen: "3/74"; "" for an overlay that is not a list.
	place() string
	// lines returns at most height lines of the inside.
	lines(m *Model, width, height int) []paint.Line
	key(m *Model, msg tea.KeyMsg) tea.Cmd
	// size returns the size that the overlay would like, without its frame; w is at most width.
	size(m *Model, width int) (w, h int)
}

// front returns the rectangle of the overlay, with its frame.
func (m *Model) front() rect {
	w, h := m.over.size(m, m.width-4)
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
	top.Add(paint.Cut(m.over.title(), r.w-6), paint.Accent)
	top.Add(" ", paint.Accent)
	end := "─╮"
	if place := m.over.place(); place != "" && top.Width()+paint.Width(place)+5 < r.w {
		end = " " + place + " " + end
	}
	top.PadWith(r.w-paint.Width(end), "─", paint.Accent)
	top.Add(end, paint.Accent)
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

// help lists all keys, those of the current place first: panes or prompt. Choosing a key in the list runs its
// action.
func (m *Model) help() {
	p := &picker{head: "keys"}
	sections := keyTable
	if !m.typing {
		sections = append(keyTable[1:len(keyTable):len(keyTable)], keyTable[0])
	}
	for _, s := range sections {
		p.group = s.name
		for _, b := range s.bindings {
			p.add(b.show, b.help, b.chosen)
			p.items[len(p.items)-1].also = b.footer
		}
	}
	m.over = p
}

// chosen runs the action of a key that a person chose in the help.
func (b binding) chosen(m *Model) tea.Cmd {
	if b.do == nil {
		return nil
	}
	switch {
	case b.where == inPanes && m.moment != nil:
		m.typing = false
	case b.where == atPrompt:
		m.typing = true
	}
	return b.do(m)
}

// item is a choice of a picker.
type item struct {
	name  string
	note  string
	do    func(m *Model) tea.Cmd
	group string // the heading above its items; "" for none
	also  string // further words by which letters find it
}

// picker is a list to choose from; letters filter the list. A note too long for its room continues on further
// rows.
type picker struct {
	list  // at is the chosen item, top the first row that shows
	head  string
	group string // of items added next
	items []item
	typed string
}

func (p *picker) title() string {
	if p.typed != "" {
		return p.head + ": " + p.typed + "▏"
	}
	return p.head
}

func (p *picker) place() string {
	n := len(p.shown())
	return strconv.Itoa(min(p.at+1, n)) + "/" + strconv.Itoa(n)
}

func (p *picker) size(_ *Model, most int) (w, h int) {
	w = len(p.head) + 16
	column := p.column(most)
	for _, it := range p.items {
		w = max(w, column+paint.Width(it.note)+4)
	}
	w = min(w, most)
	return w, len(p.rowsOf(p.items, w))
}

func (p *picker) add(name, note string, do func(m *Model) tea.Cmd) {
	p.items = append(p.items, item{name, note, do, p.group, ""})
}

// pickerRow is a row of a picker: part of an item, or the heading of a group (item -1).
type pickerRow struct {
	item  int
	first bool // the row with the item's name
	text  string
}

func (p *picker) rowsOf(items []item, width int) []pickerRow {
	var rows []pickerRow
	group := ""
	room := max(width-p.column(width)-2, 8)
	for i, it := range items {
		if it.group != group {
			group = it.group
			rows = append(rows, pickerRow{item: -1, text: group})
		}
		for k, text := range wrapped(it.note, room) {
			rows = append(rows, pickerRow{i, k == 0, text})
		}
	}
	return rows
}

// visible returns the rows that show. The rows of the chosen item are among them, and so is the heading above it if
// there is room.
func (p *picker) visible(items []item, width, height int) []pickerRow {
	p.to(p.at, len(items))
	rows := p.rowsOf(items, width)
	first := slices.IndexFunc(rows, func(r pickerRow) bool { return r.item == p.at })
	if first < 0 || height <= 0 {
		return nil
	}
	last := first
	for last+1 < len(rows) && rows[last+1].item == p.at {
		last++
	}
	if first > 0 && rows[first-1].item < 0 {
		first--
	}
	v := list{at: last, top: p.top}
	v.window(len(rows), height)
	v.at = first
	p.top, _ = v.window(len(rows), height)
	return rows[p.top:min(len(rows), p.top+height)]
}

// column returns the columns of the names, with a gap.
func (p *picker) column(width int) int {
	w := 0
	for _, it := range p.items {
		w = max(w, paint.Width(it.name))
	}
	return min(w, width*2/5) + 2
}

// shown returns the items that contain all typed words.
func (p *picker) shown() []item {
	words := strings.Fields(strings.ToLower(p.typed))
	var list []item
	for _, it := range p.items {
		text := strings.ToLower(it.name + " " + it.note + " " + it.group + " " + it.also)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			list = append(list, it)
		}
	}
	return list
}

func (p *picker) lines(_ *Model, width, height int) []paint.Line {
	items := p.shown()
	if len(items) == 0 {
		return []paint.Line{paint.Text("nothing contains "+p.typed, paint.Plain)}
	}
	column := p.column(width)
	var out []paint.Line
	for _, r := range p.visible(items, width, height) {
		if r.item < 0 {
			out = append(out, paint.Text(r.text, paint.Accent))
			continue
		}
		here := r.item == p.at
		var l paint.Line
		l.Add(mark(here), paint.Accent)
		if r.first {
			l.Add(" "+paint.Cut(items[r.item].name, column-2), litIf(paint.Bold, here))
		}
		l.Pad(column + 2)
		l.Add(r.text, paint.Plain)
		out = append(out, l)
	}
	return out
}

func (p *picker) key(m *Model, msg tea.KeyMsg) tea.Cmd {
	n := len(p.shown())
	page := max(m.front().h-4, 1)
	switch msg.String() {
	case "up", "ctrl+p":
		p.to(p.at-1, n)
	case "down", "ctrl+n", "tab":
		p.to(p.at+1, n)
	case "pgup", "ctrl+u":
		p.to(p.at-page, n)
	case "pgdown", "ctrl+d":
		p.to(p.at+page, n)
	case "home":
		p.to(0, n)
	case "end":
		p.to(n-1, n)
	case "enter":
		return p.choose(m)
	case "esc", "ctrl+c", "f1":
		m.over = nil
	default:
		if typeInto(&p.typed, msg) {
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
