package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/render/paint"
	"commsplit/tui/scene"
)

// hwView is the pane with the hardware and the ranks on it.
type hwView struct {
	rowPane
	col  int // the cell with the cursor; -1: the whole line
	tree []scene.HWRow
	made hwShape // that the rows of the tree were made for

	widths map[cellKey]int // of cells
}

// hwShape is all that the rows depend on.
type hwShape struct {
	ground *scene.Ground
	width  int
	each   int // columns of a cell, in all variables together
	folded int
}

// update makes the rows for a width.
func (v *hwView) update(m *Model, width int) blocks {
	b := m.blocksNow(width)
	each := (b.cell + 3) * len(b.handles)
	shape := hwShape{m.moment.Ground, width, each, m.hw.made.folded}
	if v.tree == nil || shape != v.made {
		v.tree = m.moment.Ground.HWRows(&v.folds, func(label int) int {
			const marks = 6 // the cursor, the fold, blanks and rules
			return (width - label - marks - 3*(len(b.handles)-1)) / each
		})
		v.made = shape
		v.to(v.at, len(v.tree))
	}
	return b
}

// refold makes the rows anew.
func (v *hwView) refold() { v.made.folded++; v.tree = nil }

func (v *hwView) lines(m *Model, width, height int) []paint.Line {
	if m.moment.Ground.Topology == nil && m.moment.Size() == 0 {
		return nil
	}
	b := v.update(m, width)
	var out []paint.Line
	from, to := v.window(len(v.tree), height-min(1, len(b.handles)-1))
	column := v.column(from, to, width, b)
	if len(b.handles) > 1 {
		out = append(out, v.heads(m, b, column))
	}
	for i := from; i < to; i++ {
		out = append(out, v.line(m, i, column, width, b))
	}
	return out
}

// column is where cells begin: behind the longest label that has some.
func (v *hwView) column(from, to, width int, b blocks) int {
	column := 0
	for _, r := range v.tree[from:to] {
		if len(r.Cells) > 0 || r.Own.Len() > 0 {
			need := len(r.Cells) * (b.cell + 3) * len(b.handles)
			if need == 0 {
				need = 24 // of shares
			}
			column = max(column, min(labelWidth(&r), max(width-need-2, width*2/5)))
		}
	}
	return column + 1
}

func labelWidth(r *scene.HWRow) int { return 1 + 2*r.Depth + 2 + paint.Width(r.Label) }

func (v *hwView) line(m *Model, i, column, width int, b blocks) paint.Line {
	r := &v.tree[i]
	here := i == v.at && m.focus == hwPane && !m.typing
	var l paint.Line
	l.Add(mark(here), paint.Accent)
	l.Add(strings.Repeat("  ", r.Depth)+foldSign(r.Fold), paint.Faint)
	ink := paint.Plain
	switch {
	case here && v.col < 0:
		ink = paint.Bold.Lit()
	case m.sel.Object != nil && r.Object == m.sel.Object:
		ink = paint.Bold.Lit()
	case len(r.Cells) > 0 && r.Object == nil:
		ink = paint.Faint
	}
	room := max(column-l.Width()-1, min(12, width-l.Width()-1))
	label := r.Label
	if short, _, ok := strings.Cut(label, " ("); ok && paint.Width(label) > room {
		label = short // its size gives way first
	}
	l.Add(paint.Cut(label, room), ink)
	if len(r.Cells) == 0 && r.Own.Len() == 0 {
		l[len(l)-1].Text = r.Label
		return l
	}
	l.Pad(column)
	for k, h := range b.handles {
		if k > 0 {
			l.Add("  ", paint.Plain)
		}
		if len(r.Cells) > 0 {
			v.cells(m, &l, r, h, b, here)
		} else {
			v.summary(m, &l, r, h, (width-column)/len(b.handles))
		}
	}
	return l
}

func litIf(k paint.Ink, lit bool) paint.Ink {
	if lit {
		return k.Lit()
	}
	return k
}

// mark stands before each line: a bar before the line with the cursor.
func mark(here bool) string {
	if here {
		return "▌"
	}
	return " "
}

func foldSign(f scene.Fold) string {
	switch f {
	case scene.Open:
		return "▾ "
	case scene.Closed:
		return "▸ "
	}
	return "  "
}

// blocks says how cells are drawn: the cells of each variable that shows are a block.
type blocks struct {
	handles []int // indexes of variables
	cell    int   // columns of a cell without its brackets
}

// mostBlocks is how many variables are shown side by side.
const mostBlocks = 4

// blocksNow chooses the variables that show: the present variable, or as many around it as have room.
func (m *Model) blocksNow(width int) blocks {
	b := blocks{handles: []int{m.handle}}
	var list []int
	at := 0
	for k := 1; m.all && k < len(m.moment.Handles); k++ {
		if p := m.moment.Parting(k); p.Len() == 1 && p.Comm(0) == 0 {
			continue // as world
		}
		if k <= m.handle {
			at = len(list)
		}
		list = append(list, k)
		b.cell = max(b.cell, m.cellWidth(k))
	}
	if len(list) > 1 {
		const label = 20 // columns
		n := max(1, min(mostBlocks, (width-label)/(2*(b.cell+3)+2), len(list)))
		from := max(0, min(at-n/2, len(list)-n))
		b.handles = list[from : from+n]
	}
	for _, h := range b.handles {
		b.cell = max(b.cell, m.cellWidth(h))
	}
	return b
}

// cellKey is all that the width of cells depends on.
type cellKey struct {
	moment *scene.Moment
	handle int
	world  bool
	motion *scene.Motion
}

// cellWidth is the columns of the widest cell of a variable.
func (m *Model) cellWidth(handle int) int {
	k := cellKey{m.moment, handle, m.world, m.player.motion}
	w, ok := m.hw.widths[k]
	if !ok {
		if len(m.hw.widths) > 64 || m.hw.widths == nil {
			m.hw.widths = map[cellKey]int{}
		}
		w = m.measure(handle)
		m.hw.widths[k] = w
	}
	return w
}

func (m *Model) measure(handle int) int {
	if m.player.phase > 0 && handle == 0 {
		return m.player.wide
	}
	digits := len(strconv.Itoa(m.moment.Size() - 1))
	letters, rank := 0, 0
	if handle > 0 {
		p := m.moment.Parting(handle)
		for k := range p.Len() {
			w := len(p.Letter(k))
			n := 1
			if c := m.moment.View.Snapshot.Comm(p.Comm(k)); c != nil {
				n = max(len(c.Group), len(c.Remote))
				if c.Remote != nil {
					w++
				}
			}
			letters, rank = max(letters, w), max(rank, len(strconv.Itoa(n-1)))
		}
	}
	if handle == 0 || m.world {
		rank = digits
	}
	one := max(letters+rank, 1)
	if m.player.phase > 0 {
		one = max(one, m.player.wide)
	}
	if len(m.moment.View.Snapshot.Waiting) > 0 {
		one++
	}
	switch crowd := m.moment.Ground.Crowd(); {
	case crowd <= 1:
		return one
	case crowd == 2:
		return 2*one + 1
	default:
		return max(letters, 1) + 1 + len(strconv.Itoa(crowd)) + 2
	}
}

// heads names the variables above their blocks.
func (v *hwView) heads(m *Model, b blocks, column int) paint.Line {
	var l paint.Line
	l.Pad(column)
	most := 1
	for i := range v.tree {
		most = max(most, len(v.tree[i].Cells))
	}
	for k, h := range b.handles {
		ink := paint.Bold
		if h == m.handle {
			ink = paint.Accent
		}
		l.Add(tail(m.moment.Handles[h].Name, most*(b.cell+3)), ink)
		l.Pad(column + (k+1)*(most*(b.cell+3)+2))
	}
	return l
}

// tail shortens a name to so many columns at its beginning: elements of a list differ at the end.
func tail(name string, width int) string {
	if extra := paint.Width(name) - width; extra > 0 {
		return ansi.TruncateLeft(name, extra+1, "…")
	}
	return name
}

// cells draws the leaves of a line: "│ A0 │[B1]│", lit ones in brackets.
func (v *hwView) cells(m *Model, l *paint.Line, r *scene.HWRow, handle int, b blocks, here bool) {
	l.Add("│", paint.Faint)
	for i, c := range r.Cells {
		text, ink := m.leaf(handle, c)
		open, end := " ", " "
		if n := m.lit.Count(c.Ranks); n > 0 {
			open, end, ink = "[", "]", ink.Lit()
		} else if c.Object != nil && c.Object == m.sel.Object || here && v.col == i {
			open, end, ink = "[", "]", paint.Plain.Lit()
		}
		l.Add(open+center(text, b.cell)+end, ink)
		l.Add("│", paint.Faint)
	}
}

func center(text string, width int) string {
	left := (width - paint.Width(text)) / 2
	if left < 0 {
		return paint.Cut(text, width)
	}
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", width-left-paint.Width(text))
}

// leaf is the text of a core: its rank, its two ranks, or how many ranks of which communicator.
func (m *Model) leaf(handle int, c scene.Cell) (string, paint.Ink) {
	ranks := m.moment.Ground.Ranks(c.Ranks)
	switch {
	case len(ranks) == 0:
		return "·", paint.Faint
	case m.moment.Ground.Crowd() <= 2:
		text, ink := m.cell(handle, ranks[0])
		if len(ranks) == 2 {
			second, _ := m.cell(handle, ranks[1])
			text += " " + second
		}
		return text, ink
	}
	if handle == 0 {
		return "×" + strconv.Itoa(len(ranks)), paint.Plain
	}
	list := m.shares(handle, ranks)
	if len(list) == 0 {
		return "", paint.Plain
	}
	text := list[0].Name + "×" + strconv.Itoa(list[0].N)
	if len(list) > 1 {
		text += "+" + strconv.Itoa(len(list)-1)
	}
	return text, m.partInk(list[0].Part)
}

// cell is one rank: "A2", or "3A" when cells name world ranks; "!" marks a rank that is blocked.
func (m *Model) cell(handle int, rank int32) (string, paint.Ink) {
	text, ink := "", paint.Plain
	if handle == 0 {
		text = strconv.Itoa(int(rank))
	} else {
		p := m.moment.Parting(handle)
		k, _, right := p.Place(int(rank))
		text, ink = bare(p.Cell(int(rank))), m.partInk(k)
		if m.world {
			name := bare(p.Cell(int(rank)))
			if k >= 0 {
				name = p.Letter(k)
			}
			if right {
				name += "'"
			}
			text = strconv.Itoa(int(rank)) + name
		}
	}
	if staged, k, ok := m.player.staged(rank); ok {
		return staged, k
	} else if m.player.phase > 0 && handle == 0 {
		return "·", paint.Faint
	}
	if m.moment.Blocked(int(rank)) {
		return text + "!", paint.Alarm
	}
	return text, ink
}

// bare is a cell of a table or of the hardware: empty for a rank that holds nothing yet.
func bare(text string) string {
	if text == render.NotYet {
		return ""
	}
	return text
}

func (m *Model) partInk(k int) paint.Ink { return paint.Part(k) }

// summary draws ranks that have no cell of their own: one by one while they fit, else counted.
func (v *hwView) summary(m *Model, l *paint.Line, r *scene.HWRow, handle, width int) {
	ranks := m.moment.Ground.Ranks(r.Own)
	if len(ranks) <= 8 && len(ranks)*(m.cellWidth(handle)+1) < width {
		l.Add("│", paint.Faint)
		for _, rank := range ranks {
			text, ink := m.cell(handle, rank)
			if m.lit.Has(int(rank)) {
				l.Add("["+text+"]", ink.Lit())
			} else {
				l.Add(" "+text+" ", ink)
			}
		}
		l.Add("│", paint.Faint)
		return
	}
	n := m.lit.Count(r.Own)
	note := ""
	if n > 0 {
		note = " [" + strconv.Itoa(n) + " lit]"
	}
	if handle == 0 {
		l.Add(paint.Cut(render.RankNoun(ranks, max(width-len(note), 12)), width-len(note)), litIf(paint.Plain, n == len(ranks)))
		l.Add(note, paint.Bold)
		return
	}
	v.shares(m, l, m.shares(handle, ranks), width-len(note), n == len(ranks))
	l.Add(note, paint.Bold)
}

// shares counts ranks by the communicator that they hold in a variable; ranks that hold nothing yet are
// left out.
func (m *Model) shares(handle int, ranks []int32) []render.Share {
	list := m.moment.Parting(handle).Shares(ranks)
	if n := len(list); n > 0 && list[n-1].Part == render.Unset {
		return list[:n-1]
	}
	return list
}

// shares draws "A×64 B×64", and how many more there are.
func (v *hwView) shares(m *Model, l *paint.Line, list []render.Share, width int, lit bool) {
	used := 0
	for i, s := range list {
		text := s.Name + "×" + strconv.Itoa(s.N) + " "
		if used += paint.Width(text); used > width-12 && i < len(list)-1 {
			l.Add("… "+strconv.Itoa(len(list))+" comms", paint.Faint)
			return
		}
		l.Add(strings.TrimRight(text, " "), litIf(m.partInk(s.Part), lit))
		l.Add(" ", paint.Plain)
	}
}

func (v *hwView) note(m *Model) string {
	switch {
	case m.player.phase > 0:
		return m.player.note()
	case m.handle == 0:
		return "world ranks"
	}
	return "cells: " + m.moment.Handles[m.handle].Name
}

func (v *hwView) hidden(height int) string { return v.shown(len(v.tree), height) }

// rows makes the rows for where the pane shows.
func (v *hwView) rows(m *Model) (*list, int) {
	if r, ok := m.layout.of(hwPane); ok {
		v.update(m, r.w)
	}
	return &v.list, len(v.tree)
}

func (v *hwView) text(_ *Model, row int) string { return v.tree[row].Label }

// moved selects the object or the ranks under the cursor.
func (v *hwView) moved(m *Model) {
	v.rows(m)
	if len(v.tree) == 0 {
		return
	}
	r := &v.tree[v.at]
	v.col = min(v.col, len(r.Cells)-1)
	if v.col >= 0 {
		m.choose(cellSelection(m, r.Cells[v.col]))
		return
	}
	switch {
	case r.Object != nil:
		m.choose(scene.Selection{Object: r.Object})
	default:
		m.choose(scene.Selection{Ranks: engine.RanksOf(m.moment.Ground.Ranks(r.All)...)})
	}
}

// cellSelection is a rank that is alone on its core, or the core.
func cellSelection(m *Model, c scene.Cell) scene.Selection {
	if c.Ranks.Len() == 1 || c.Object == nil {
		return scene.Selection{Ranks: engine.RanksOf(m.moment.Ground.Ranks(c.Ranks)...)}
	}
	return scene.Selection{Object: c.Object}
}

// sideways moves among the cells of a line; it closes and opens lines that have none.
func (v *hwView) sideways(m *Model, step int) {
	v.rows(m)
	if v.at >= len(v.tree) {
		return
	}
	r := &v.tree[v.at]
	if len(r.Cells) > 0 {
		v.col = max(-1, min(v.col+step, len(r.Cells)-1))
		v.moved(m)
		return
	}
	if step > 0 && r.Fold == scene.Closed || step < 0 && r.Fold == scene.Open {
		v.fold(m)
	}
}

func (v *hwView) fold(m *Model) bool {
	_, n := v.rows(m)
	if v.at >= n || v.tree[v.at].Fold == scene.Bare {
		return false
	}
	v.folds.Toggle(v.tree[v.at].Key)
	v.refold()
	return true
}

// reveal moves the cursor to the selected object, or to the first line that shows a lit rank.
func (v *hwView) reveal(m *Model, r rect) {
	v.update(m, r.w)
	height := r.h - 1
	if m.lit.Len() == 0 {
		return
	}
	for i := range v.tree {
		r := &v.tree[i]
		if r.Object != nil && r.Object == m.sel.Object {
			v.center(i, height)
			v.col = -1
			return
		}
	}
	for i := range v.tree {
		r := &v.tree[i]
		if m.lit.Count(r.Own) > 0 {
			v.center(i, height)
			v.col = -1
			return
		}
		for k, c := range r.Cells {
			if m.lit.Count(c.Ranks) > 0 {
				v.center(i, height)
				v.col = k
				return
			}
		}
	}
}

// click selects the line, or the core at a column of it; a line that is clicked again opens or
// closes.
func (v *hwView) click(m *Model, r rect, row, x int) {
	b := v.update(m, r.w)
	i := v.top + row - min(1, len(b.handles)-1)
	if i < 0 || i >= len(v.tree) {
		return
	}
	again := i == v.at && v.col < 0 && !m.sel.Empty()
	from, to := v.window(len(v.tree), r.h-1-min(1, len(b.handles)-1))
	column := v.column(from, to, r.w, b)
	v.at, v.col = i, -1
	if n := len(v.tree[i].Cells); n > 0 && x >= column {
		v.col = min((x-column)/(b.cell+3), n-1)
		again = false
	}
	v.moved(m)
	if again {
		v.fold(m)
	}
}
