package tui

import (
	"strconv"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/render/paint"
	"commsplit/tui/scene"
)

// rankView is the translation table: where each rank is in every variable.
type rankView struct {
	rowPane
	table []rankRow
	of    *scene.Moment // that the rows of the table were made for
}

// rankRow is a row of the table, or one rank of a row that was opened.
type rankRow struct {
	row  int
	rank int // -1: the whole row
	fold scene.Fold
}

func (v *rankView) update(m *Model) {
	if v.of == m.moment {
		return
	}
	v.of, v.table = m.moment, v.table[:0]
	t := m.moment.Table()
	for i := range t.Len() {
		n := t.Ranks(i).Len()
		switch {
		case n == 1:
			v.table = append(v.table, rankRow{i, t.Ranks(i).First(), scene.Bare})
		case !v.folds.IsOpen(i):
			v.table = append(v.table, rankRow{i, -1, scene.Closed})
		default:
			v.table = append(v.table, rankRow{i, -1, scene.Open})
			for r := range t.Ranks(i).All {
				v.table = append(v.table, rankRow{i, r, scene.Bare})
			}
		}
	}
	v.to(v.at, len(v.table))
}

func (v *rankView) rows(m *Model) (*list, int) {
	v.update(m)
	return &v.list, len(v.table)
}

func (v *rankView) hidden(height int) string { return v.shown(len(v.table), height-1) }

// text is the world ranks of a row.
func (v *rankView) text(m *Model, i int) string {
	r := v.table[i]
	if r.rank >= 0 {
		if v.table[i].fold == scene.Bare && m.moment.Table().Ranks(r.row).Len() > 1 {
			return "  " + strconv.Itoa(r.rank)
		}
		return strconv.Itoa(r.rank)
	}
	return m.moment.Table().Label(r.row)
}

func (v *rankView) cell(m *Model, i, column int) (string, int) {
	r := v.table[i]
	text, part := "", 0
	if r.rank >= 0 {
		text, part = m.moment.Table().One(r.rank, column)
	} else {
		text, part = m.moment.Table().Cell(r.row, column)
	}
	text = bare(text)
	if part >= 0 && m.moment.Stale(m.moment.Parting(column+1).Comm(part)) != nil {
		text += " stale"
	}
	return text, part
}

func (v *rankView) lines(m *Model, width, height int) []paint.Line {
	v.update(m)
	from, to := v.window(len(v.table), height-1)
	label := len("rank")
	for i := from; i < to; i++ {
		label = max(label, paint.Width(v.text(m, i)))
	}
	handles := m.moment.Handles[1:]
	wide := make([]int, len(handles))
	for k := range handles {
		wide[k] = paint.Width(handles[k].Name)
		for i := from; i < to; i++ {
			text, _ := v.cell(m, i, k)
			wide[k] = max(wide[k], paint.Width(text))
		}
	}
	first := v.first(m, wide, width-label-6)
	head := paint.Line{{Text: " ", Ink: paint.Plain}, {Text: "  rank", Ink: paint.Bold}}
	head.Pad(label + 4)
	for k := first; k < len(handles); k++ {
		if k > first && head.Width()+2+wide[k] > width {
			wide = wide[:k]
			break
		}
		ink := paint.Bold
		if k == m.handle-1 {
			ink = paint.Accent
		}
		head.Add("  ", paint.Plain)
		head.Add(handles[k].Name, ink)
		head.Pad(head.Width() + wide[k] - paint.Width(handles[k].Name))
	}
	where := head.Width()+16 <= width
	if where {
		head.Add("  where", paint.Bold)
	}
	out := []paint.Line{head}
	for i := from; i < to; i++ {
		l := v.line(m, i, first, label, wide)
		if r := v.table[i].rank; r >= 0 && where {
			l.Add("  "+m.whatDoes(r), paint.Faint)
		}
		out = append(out, l)
	}
	return out
}

// first is the variable in the first column: the columns from there on include the present variable.
func (v *rankView) first(m *Model, wide []int, room int) int {
	first, used := 0, 0
	for k := range wide {
		used += wide[k] + 2
		for used > room && first < k && k <= m.handle-1 {
			used -= wide[first] + 2
			first++
		}
	}
	return first
}

func (v *rankView) line(m *Model, i, first, label int, wide []int) paint.Line {
	r := v.table[i]
	here := i == v.at && m.focus == rankPane && !m.typing
	lit := false
	if r.rank >= 0 {
		lit = m.lit.Has(r.rank)
	} else if m.lit.Len() > 0 {
		lit = m.lit.Any(m.moment.Table().Ranks(r.row))
	}
	var l paint.Line
	l.Add(mark(here), paint.Accent)
	l.Add(foldSign(r.fold), paint.Faint)
	text := v.text(m, i)
	if r.rank >= 0 && m.moment.Blocked(r.rank) {
		text += "!"
	}
	l.Add(text, litIf(paint.Bold, lit))
	l.Pad(label + 4)
	for k := first; k < len(wide); k++ {
		text, part := v.cell(m, i, k)
		l.Add("  ", paint.Plain)
		l.Add(text, litIf(paint.Part(m.moment.Parting(k+1).Slot(part)), lit && k == m.handle-1))
		l.Pad(l.Width() + wide[k] - paint.Width(text))
	}
	return l
}

// whatDoes tells of a rank where it runs, or in which call it waits.
func (m *Model) whatDoes(rank int) string {
	for _, w := range m.moment.View.Snapshot.Waiting {
		if w.Ranks.Has(rank) {
			return "waits in " + m.moment.Words.WaitCall(w)
		}
	}
	return m.whereIs(rank)
}

// whereIs names the hardware that a rank runs on.
func (m *Model) whereIs(rank int) string {
	o := m.moment.Ground.Home(rank)
	if o == nil {
		return ""
	}
	return render.Where(m.moment.View.Snapshot, rank, o)
}

// moved selects the ranks of the row with the cursor.
func (v *rankView) moved(m *Model) {
	v.update(m)
	r := v.table[v.at]
	ranks := m.moment.Table().Ranks(r.row)
	if r.rank >= 0 {
		ranks = engine.RanksOf(r.rank)
	}
	m.choose(scene.Selection{Ranks: ranks})
}

func (v *rankView) fold(m *Model) bool {
	_, n := v.rows(m)
	if n == 0 || v.table[v.at].fold == scene.Bare {
		return false
	}
	v.folds.Toggle(v.table[v.at].row)
	v.of = nil
	v.update(m)
	return true
}

// click goes to a row; the first line is the head of the table.
func (v *rankView) click(m *Model, _ rect, line, _ int) {
	if i := v.top + line - 1; line > 0 && i < len(v.table) {
		v.at = i
		v.moved(m)
	}
}

// sideways goes to the variable in the next column.
func (v *rankView) sideways(m *Model, step int) { m.turnHandle(step) }

// reveal moves the cursor to the first row with a lit rank.
func (v *rankView) reveal(m *Model, r rect) {
	first := m.lit.First()
	if first < 0 {
		return
	}
	v.update(m)
	for i, row := range v.table {
		if row.rank == first || row.rank < 0 && row.fold == scene.Closed && m.moment.Table().Has(row.row, first) {
			v.center(i, r.h-2)
			return
		}
	}
}
