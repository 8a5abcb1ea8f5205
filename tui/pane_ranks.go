package tui

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// rankView is the pane of the translation table: where each rank is in every variable.
type rankView struct {
	rowPane
	table  []rankRow
	single bool           // some rows have a single rank
	of     *moment.Moment // the moment that the rows belong to

	// If all rows have room in big letters: their scale, the lines of a row, the rows of a block, and the columns of a
	// block. Otherwise scale is 0 and high is 1.
	scale, high, below, block int
}

// rankRow is a row of the table, or a single rank of an opened row.
type rankRow struct {
	row  int
	rank int // -1: the whole row
	fold render.Fold
}

func (v *rankView) update(m *Model) {
	if v.of == m.moment {
		return
	}
	v.of, v.table = m.moment, v.table[:0]
	t := m.moment.Table()
	for i := range t.Len() {
		first, step, n := t.Run(i)
		switch {
		case n == 1:
			v.table = append(v.table, rankRow{i, first, render.Bare})
		case !v.folds.Open(i, false):
			v.table = append(v.table, rankRow{i, -1, render.Closed})
		default:
			v.table = append(v.table, rankRow{i, -1, render.Open})
			for k := range n {
				v.table = append(v.table, rankRow{i, first + k*step, render.Bare})
			}
		}
	}
	v.single = slices.ContainsFunc(v.table, func(r rankRow) bool { return r.rank >= 0 })
	v.to(v.at, len(v.table))
}

func (v *rankView) rows(m *Model) (*list, int) {
	v.update(m)
	return &v.list, len(v.table)
}

func (v *rankView) hidden(height int) string {
	return rowsShown(v.top, height-1, len(v.table))
}

// text returns the world ranks of a row.
func (v *rankView) text(m *Model, i int) string {
	r := v.table[i]
	if r.rank >= 0 {
		if _, _, n := m.moment.Table().Run(r.row); n > 1 {
			return "  " + strconv.Itoa(r.rank)
		}
		return strconv.Itoa(r.rank)
	}
	return m.moment.Table().Label(r.row)
}

// ranks returns the world ranks of a row: first, first+step, ...
func (v *rankView) ranks(m *Model, i int) (first, step, n int) {
	r := v.table[i]
	if r.rank >= 0 {
		return r.rank, 1, 1
	}
	return m.moment.Table().Run(r.row)
}

// column is a column of the table.
type column struct {
	name  string
	wide  int
	right bool // of numbers
	texts []string
	cells []paint.Cell // of a variable; texts again, with colors
	at    int          // index of the argument or of the variable
}

// whereWidth is the columns kept for where ranks run: "Core L#10".
const whereWidth = 2 + len("Core L#10")

// mostVariable is the most columns of a variable's name.
const mostVariable = 20

// argumentWidth is the most columns of an argument.
const argumentWidth = 20

// arguments returns the columns of the arguments that ranks passed to the calls that made the current variable.
func (v *rankView) arguments(m *Model, from, to int) []column {
	args := m.moment.Arguments(m.handle)
	if args == nil {
		return nil
	}
	var list []column
	for k := range args.Columns {
		if args.Common[k] != "" {
			continue // note shows it
		}
		c := column{name: args.Title(k), at: k, right: args.Numbers(k)}
		c.wide = paint.Width(c.name)
		for i := from; i < to; i++ {
			first, step, n := v.ranks(m, i)
			text := paint.Cut(args.Run(k, first, step, n), argumentWidth)
			c.texts = append(c.texts, text)
			c.wide = max(c.wide, paint.Width(text))
		}
		list = append(list, c)
	}
	return list
}

// note returns the arguments that were equal on all ranks.
func (v *rankView) note(m *Model) string {
	args := m.moment.Arguments(m.handle)
	if args == nil {
		return ""
	}
	var parts []string
	for k := range args.Columns {
		if text := args.Common[k]; text != "" {
			parts = append(parts, args.Title(k)+" "+text)
		}
	}
	if len(parts) == 0 {
		return "what each passed and got"
	}
	return "all passed " + strings.Join(parts, ", ")
}

// variable returns the column of a variable. Its cells have colors if the hardware pane shows the variable.
func (v *rankView) variable(m *Model, handle, from, to int) column {
	c := column{name: paint.CutMiddle(m.moment.Handles[handle].Name, mostVariable), at: handle}
	c.wide = paint.Width(c.name)
	for i := from; i < to; i++ {
		x := v.cell(m, i, handle)
		if handle != m.handle && !m.all {
			x.Slot, x.Right = paint.NoSlot, false
		}
		c.cells = append(c.cells, x)
		c.wide = max(c.wide, v.wide(x.Width(), 2))
	}
	return c
}

// wide returns the columns of a cell with n characters: with blanks, or in big letters with a dot on each side.
func (v *rankView) wide(n, blanks int) int {
	if v.scale == 0 {
		return n + blanks
	}
	n, _ = paint.BigSize(n, v.scale)
	return n + 2*v.scale
}

// cell returns the cell of a row for a variable: "A5", "A0-63". During a motion, it returns what the rank has at
// that time.
func (v *rankView) cell(m *Model, i, handle int) paint.Cell {
	r := v.table[i]
	text, part := "", 0
	if r.rank >= 0 {
		if at, ok := m.player.at(); ok && handle == at.Handle {
			switch c, ok := at.Cell(r.rank); {
			case ok && c.Slot == paint.NoSlot && c.State == paint.Holds: // an argument
				return paint.Cell{State: paint.NotYet}
			case ok:
				return c
			}
		}
		text, part = m.moment.Table().One(r.rank, handle-1)
	} else {
		text, part = m.moment.Table().Cell(r.row, handle-1)
	}
	switch {
	case text == render.Hollow:
		return paint.Cell{State: paint.Null}
	case text == render.NotYet:
		return paint.Cell{State: paint.NotYet}
	case part < 0:
		return paint.Cell{Text: text, Slot: paint.NoSlot}
	}
	c := paint.Cell{Text: strings.Replace(text, " ", "", 1), Slot: m.moment.Parting(handle).Slot(part), Right: strings.Contains(text, "'")}
	if m.moment.Words.Stale(m.moment.Parting(handle).Comm(part)) != nil {
		c.Text += " stale"
	}
	return c
}

func (v *rankView) lines(m *Model, width, height int) []paint.Line {
	v.update(m)
	if g, ok := v.poster(m, width, height); ok {
		return v.beside(m, &g)
	}
	from, to := v.window(len(v.table), height-1)
	g := v.grid(m, from, to, width)
	out := []paint.Line{g.head(m)}
	for i := from; i < to; i++ {
		out = append(out, v.row(m, i, i-from, &g)...)
	}
	return out
}

// mostBlocks is how many blocks of rows stand side by side at most, and the largest scale of their letters.
const mostBlocks = 3

// mostBig is the most characters of a cell in big letters: longer texts are words.
const mostBig = 5

// poster finds room for all rows in big letters, the bigger the better; ok is false where there is none.
func (v *rankView) poster(m *Model, width, height int) (g rankGrid, ok bool) {
	n, args := len(v.table), 0
	for v.scale = mostBlocks; v.scale > 0 && m.handle > 0 && m.roomy(width); v.scale-- {
		if _, v.high = paint.BigSize(1, v.scale); v.scale > 1 {
			v.high += 2 // free lines around the letters
		}
		for blocks := 1; blocks <= mostBlocks && n*v.high <= mostBlocks*(height-1); blocks++ {
			v.below, v.block = (n+blocks-1)/blocks, width/blocks
			g = v.grid(m, 0, n, v.block)
			words := slices.ContainsFunc(g.vars, func(c column) bool {
				return slices.ContainsFunc(c.cells, func(x paint.Cell) bool { return x.Width() > mostBig })
			})
			if args = max(args, len(g.args)); len(g.args) == args && !words && g.before+g.after == 0 && g.head(m).Width() <= v.block && v.below*v.high < height {
				return g, true
			}
		}
	}
	v.scale, v.high = 0, 1
	return g, false
}

// beside draws all rows in blocks side by side.
func (v *rankView) beside(m *Model, g *rankGrid) []paint.Line {
	out := make([]paint.Line, 1+v.below*v.high)
	for i := range v.table {
		x, y := i/v.below*v.block, 1+i%v.below*v.high
		if y == 1 {
			out[0].Pad(x)
			out[0] = append(out[0], g.head(m)...)
		}
		for k, l := range v.row(m, i, i, g) {
			out[y+k].Pad(x)
			out[y+k] = append(out[y+k], l...)
		}
	}
	return out
}

// row draws row i of the table, which is row k of the grid.
func (v *rankView) row(m *Model, i, k int, g *rankGrid) []paint.Line {
	out := make([]paint.Line, v.high)
	l := &out[v.high/2]
	l.Add(mark(i == v.at && m.focus == rankPane && !m.typing), paint.Accent)
	l.Add(v.table[i].fold.Sign(), paint.Faint)
	label, ink := v.label(m, i)
	if v.scale > 0 {
		place(out, paint.Cell{Text: label, Slot: paint.NoSlot, Lit: v.lit(m, i)}, g.label)
	} else {
		l.Add(paint.Cut(label, g.label), litIf(ink, v.lit(m, i)))
		l.Pad(rankLead + g.label)
	}
	for _, c := range g.args {
		l.Add("  "+paint.Pad(c.texts[k], c.wide, c.right), paint.Plain)
	}
	if g.before > 0 {
		l.Pad(l.Width() + 2 + paint.Width(moreBefore(g.before)))
	}
	for _, c := range g.vars {
		x := c.cells[k]
		x.Lit = c.at == m.handle && v.lit(m, i)
		l.Add("  ", paint.Plain)
		place(out, x, c.wide)
	}
	if g.after > 0 {
		l.Pad(l.Width() + 2 + paint.Width(moreAfter(g.after)))
	}
	if r := v.table[i].rank; r >= 0 && g.where > 0 {
		if text := m.whatDoes(r, g.where); paint.Width(text) <= g.where || g.where >= leastWhereText {
			l.Add("  "+paint.Cut(text, g.where), paint.Plain)
		}
	}
	return out
}

// place adds a cell to the lines of a row, behind the text of the middle line. In a row of several lines, its
// letters are big.
func place(row []paint.Line, c paint.Cell, width int) {
	at, big := row[len(row)/2].Width(), c.Big(width, len(row), "")
	for y := range row {
		switch row[y].Pad(at); {
		case len(row) > 1 && big != nil:
			row[y] = append(row[y], big[y]...)
		case y == len(row)/2:
			c.Draw(&row[y], width)
		default:
			c.Blank(&row[y], "", width)
		}
	}
}

// rankLead is the columns before the world ranks: the cursor, and the sign of rows that open.
const rankLead = 3

// leastWhereText is the fewest columns in which the place of a rank is cut; in fewer columns it is left out.
const leastWhereText = 12

// rankGrid is the columns of the table that have room.
type rankGrid struct {
	label         int      // columns of the screen for the world ranks
	args, vars    []column // what ranks passed, and what they got
	before, after int      // variables without room on either side
	where         int      // columns of the screen for where ranks run; 0: no room, or no row of a single rank
}

// grid divides the width among the columns, for the rows in [from, to).
func (v *rankView) grid(m *Model, from, to, width int) rankGrid {
	g := rankGrid{label: len("rank")}
	for i := from; i < to; i++ {
		text, _ := v.label(m, i)
		g.label = max(g.label, v.wide(paint.Width(text), 0))
	}
	g.label = min(g.label, max(width/2, len("rank")))
	room := width - rankLead - g.label
	handle := max(m.handle, 1)
	if handle >= len(m.moment.Handles) {
		handle = 0 // no variable exists yet
	}
	present := column{}
	if handle > 0 {
		present = v.variable(m, handle, from, to)
		room -= 2 + present.wide
	}
	g.args = v.arguments(m, from, to)
	for len(g.args) > 0 && widthOf(g.args)+marks(handle, handle+1, len(m.moment.Handles)) > room {
		g.args = g.args[:len(g.args)-1]
	}
	room -= widthOf(g.args)
	if v.single {
		room -= whereWidth
	}
	g.vars, g.before, g.after = v.variables(m, handle, present, from, to, &room)
	if v.single {
		g.where = max(0, width-g.head(m).Width()-2)
	}
	return g
}

// head returns the heads of the columns.
func (g *rankGrid) head(m *Model) paint.Line {
	head := paint.Line{{Text: strings.Repeat(" ", rankLead), Ink: paint.Plain}, {Text: "rank", Ink: paint.Bold}}
	head.Pad(rankLead + g.label)
	for _, c := range g.args {
		head.Add("  "+paint.Pad(c.name, c.wide, c.right), paint.Bold)
	}
	if g.before > 0 {
		head.Add("  "+moreBefore(g.before), paint.Accent)
	}
	for _, c := range g.vars {
		ink := paint.Bold
		if c.at == m.handle {
			ink = paint.Accent
		}
		head.Add("  ", paint.Plain)
		head.Add(paint.Pad(c.name, c.wide, false), ink)
	}
	if g.after > 0 {
		head.Add("  "+moreAfter(g.after), paint.Accent)
	}
	if g.where >= len("where") {
		head.Add("  where", paint.Bold)
	}
	return head
}

// marks returns the columns of the marks for all of n variables but those in [lo, hi).
func marks(lo, hi, n int) int {
	sum := 0
	if lo > 1 {
		sum += 2 + paint.Width(moreBefore(lo-1))
	}
	if hi < n {
		sum += 2 + paint.Width(moreAfter(n-hi))
	}
	return sum
}

// moreBefore and moreAfter return the marks for n variables without room.
func moreBefore(n int) string { return "◂" + strconv.Itoa(n) }
func moreAfter(n int) string  { return strconv.Itoa(n) + "▸" }

// variables returns the columns around the current variable that have room, and how many variables before and after
// them have none. It reduces room by the new columns.
func (v *rankView) variables(m *Model, handle int, present column, from, to int, room *int) (list []column, before, after int) {
	n := len(m.moment.Handles)
	if handle == 0 {
		return nil, 0, 0
	}
	list = []column{present}
	lo, hi := handle, handle+1
	for grown := true; grown; {
		grown = false
		for _, next := range []int{lo - 1, hi} {
			if next < 1 || next >= n {
				continue
			}
			c := v.variable(m, next, from, to)
			if 2+c.wide+marks(min(lo, next), max(hi, next+1), n) > *room {
				continue
			}
			*room -= 2 + c.wide
			if grown = true; next < lo {
				lo, list = next, slices.Insert(list, 0, c)
			} else {
				hi, list = next+1, append(list, c)
			}
		}
	}
	return list, lo - 1, n - hi
}

// widthOf returns the columns that a list of columns takes, with the blanks before each.
func widthOf(list []column) int {
	sum := 0
	for _, c := range list {
		sum += 2 + c.wide
	}
	return sum
}

// lit reports whether a row contains a lit rank.
func (v *rankView) lit(m *Model, i int) bool {
	r := v.table[i]
	switch {
	case m.lit.Len() == 0:
		return false
	case r.rank >= 0:
		return m.lit.Has(r.rank)
	case m.sel.Rank() >= 0:
		return m.moment.Table().Has(r.row, m.sel.Rank())
	}
	first, step, n := m.moment.Table().Run(r.row)
	for k := range n {
		if m.lit.Has(first + k*step) {
			return true
		}
	}
	return false
}

// label returns the world ranks of a row, with a mark where they wait.
func (v *rankView) label(m *Model, i int) (string, paint.Ink) {
	if r := v.table[i].rank; r >= 0 && m.moment.Blocked(r) {
		return v.text(m, i) + "!", paint.Alarm
	}
	return v.text(m, i), paint.Bold
}

// whatDoes returns where a rank runs, or in which call it waits; where there is no room, without the call's
// communicator.
func (m *Model) whatDoes(rank, width int) string {
	for _, w := range m.moment.View.Snapshot.Waiting {
		if w.Ranks.Has(rank) {
			if text := "waits in " + m.moment.Words.WaitCall(w); paint.Width(text) <= width {
				return text
			}
			return "waits in " + w.Call.String()
		}
	}
	return m.whereIs(rank)
}

// whereIs returns the hardware that a rank runs on.
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
	m.choose(moment.Selection{Ranks: ranks})
}

func (v *rankView) fold(m *Model) bool {
	_, n := v.rows(m)
	if n == 0 || v.table[v.at].fold == render.Bare {
		return false
	}
	v.folds.Toggle(v.table[v.at].row)
	v.of = nil
	v.update(m)
	return true
}

// click moves the cursor to a row; the first line is the head of the table.
func (v *rankView) click(m *Model, _ rect, line, x int) {
	i := v.top + line - 1
	if v.scale > 0 {
		i = (line-1)/v.high + x/v.block*v.below
	}
	if line > 0 && i < len(v.table) {
		v.at = i
		v.moved(m)
	}
}

// reveal moves the cursor to the first row with a lit rank.
func (v *rankView) reveal(m *Model, r rect) {
	first := m.lit.First()
	if first < 0 {
		return
	}
	v.update(m)
	for i, row := range v.table {
		if row.rank == first || row.rank < 0 && row.fold == render.Closed && m.moment.Table().Has(row.row, first) {
			v.center(i, r.h-2)
			return
		}
	}
}
