package tui

import (
	"strings"

	"commsplit/render/paint"
	"commsplit/tui/scene"
)

// hwView is the pane with the hardware and the ranks on it.
type hwView struct {
	list
	col   int // the cell with the cursor; -1: the whole line
	folds scene.Folds
	rows  []scene.HWRow
	made  hwShape // what rows were made for

	widths map[cellKey]int // of cells
}

// hwShape is what the rows depend on.
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
	if v.rows == nil || shape != v.made {
		v.rows = m.moment.Ground.HWRows(&v.folds, func(label int) int {
			const marks = 6 // the cursor, the fold, blanks and rules
			return (width - label - marks - 3*(len(b.handles)-1)) / each
		})
		v.made = shape
		v.to(v.at, len(v.rows))
	}
	return b
}

// refold makes the rows anew.
func (v *hwView) refold() { v.made.folded++; v.rows = nil }

func (v *hwView) lines(m *Model, width, height int) []paint.Line {
	if m.moment.Ground.Topology == nil && m.moment.Size() == 0 {
		return nil
	}
	b := v.update(m, width)
	var out []paint.Line
	from, to := v.window(len(v.rows), height-min(1, len(b.handles)-1))
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
	for _, r := range v.rows[from:to] {
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
	r := &v.rows[i]
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

// mark is what stands before the line with the cursor.
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
