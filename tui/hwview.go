package tui

import (
	"strconv"
	"strings"

	"commsplit/tui/paint"
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

// blocks is how cells are drawn: those of each variable that shows in a block of their own.
type blocks struct {
	handles []int // indexes of variables
	cell    int   // columns of a cell without its brackets
	crowd   int   // most ranks on a leaf
}

// mostBlocks is how many variables are shown side by side.
const mostBlocks = 4

// blocksNow is the variables that show: the present one, or all.
func (m *Model) blocksNow() blocks {
	b := blocks{handles: []int{m.handle}, crowd: m.moment.Ground.Crowd()}
	if n := len(m.moment.Handles); m.all && n > 2 {
		b.handles = nil
		for k := max(1, min(m.handle-mostBlocks/2, n-mostBlocks)); k < n && len(b.handles) < mostBlocks; k++ {
			b.handles = append(b.handles, k)
		}
	}
	for _, h := range b.handles {
		b.cell = max(b.cell, m.cellWidth(h))
	}
	return b
}

// cellKey is what the width of cells depends on.
type cellKey struct {
	moment *scene.Moment
	handle int
	world  bool
	phase  int
}

// cellWidth is the columns of the widest cell of a variable.
func (m *Model) cellWidth(handle int) int {
	k := cellKey{m.moment, handle, m.world, m.player.phase}
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
	if m.player.phase > 0 {
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

// update makes the rows for a width.
func (v *hwView) update(m *Model, width int) blocks {
	b := m.blocksNow()
	each := (b.cell + 3) * len(b.handles)
	shape := hwShape{m.moment.Ground, width, each, m.hw.made.folded}
	if v.rows == nil || shape != v.made {
		v.rows = m.moment.Ground.HWRows(&v.folds, func(label int) int {
			const marks = 6 // the cursor, the fold, blanks and rules
			return (width - label - marks - 3*(len(b.handles)-1)) / each
		})
		v.made = shape
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

// heads names the variables above their blocks.
func (v *hwView) heads(m *Model, b blocks, column int) paint.Line {
	var l paint.Line
	l.Pad(column)
	most := 1
	for i := range v.rows {
		most = max(most, len(v.rows[i].Cells))
	}
	for k, h := range b.handles {
		ink := paint.Bold
		if h == m.handle {
			ink = paint.Accent
		}
		l.Add(paint.Cut(m.moment.Handles[h].Name, most*(b.cell+3)), ink)
		l.Pad(column + (k+1)*(most*(b.cell+3)+2))
	}
	return l
}

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
	l.Add(paint.Cut(r.Label, max(column-l.Width()-1, min(12, width-l.Width()-1))), ink)
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
