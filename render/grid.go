package render

import (
	"strings"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// cell is an entry of a table: fixed text, or a list of ranks that can be shortened to a width.
type cell struct {
	text string
	fit  func(width int) string // nil: text as it is
	ink  paint.Ink
}

func text(s string) cell               { return cell{text: s} }
func quiet(s string) cell              { return cell{text: s, ink: paint.Faint} }
func inked(s string, k paint.Ink) cell { return cell{text: s, ink: k} }
func head(s string) cell               { return cell{text: s, ink: paint.Bold} }
func fitted(f func(int) string) cell   { return cell{fit: f} }

// ordered makes a cell of a word and a list whose order matters.
func ordered(word string, list []int32) cell {
	return fitted(func(width int) string { return word + OrderList(list, width-len(word)) })
}

// ascending makes a cell of a set of ranks, "-" when the set is empty.
func ascending(list []int32) cell {
	if len(list) == 0 {
		return quiet("-")
	}
	return fitted(func(width int) string { return rankList(list, width) })
}

// sides makes a cell of the two groups of an intercommunicator. Where both do not fit, each gets half of the width
// and what the other leaves.
func sides(left, right []int32) cell {
	return fitted(func(width int) string {
		const words = len("left ") + len("  right ")
		a := OrderList(left, max((width-words)/2, width-words-len(OrderList(right, width))))
		return "left " + a + "  right " + OrderList(right, width-words-len(a))
	})
}

// at returns the text of the cell for so many columns.
func (c cell) at(width int) string {
	if c.fit != nil {
		return paint.OneLine(c.fit(width))
	}
	return paint.OneLine(c.text)
}

// column is the layout of a column of a grid.
type column struct {
	right    bool // flush right
	flexible bool // gets narrower when the page is
}

// grid is a table without rules. Two blanks separate columns, which are as wide as their cells need. Where the
// page is too narrow for them, flexible columns get narrower, the widest first. Where that is not enough, each row
// takes two lines: the columns from index below on go to the second.
type grid struct {
	columns []column
	below   int // 0: rows take one line
	rows    [][]cell
	notes   map[int]func(width int) string // by index of a row: a line below the row

	unfolded bool // no cell is cut
}

func newGrid(columns ...column) *grid { return &grid{columns: columns} }

func (g *grid) row(cells ...cell) { g.rows = append(g.rows, cells) }

// gutter is the blanks between columns.
const gutter = 2

// narrowest is the least width of a flexible column.
const narrowest = 12

// note puts a line below the last row.
func (g *grid) note(f func(width int) string) {
	if g.notes == nil {
		g.notes = map[int]func(int) string{}
	}
	g.notes[len(g.rows)-1] = f
}

// underneath is how many blanks indent the second line of a row.
const underneath = 4

func (g *grid) drawTo(p *page) {
	widths := g.widths(p.width)
	if g.below > 0 && total(widths) > p.width {
		g.drawFolded(p)
		return
	}
	if p.whole {
		widths = g.unfold(widths)
	}
	for at, row := range g.rows {
		p.line(g.spans(row, widths)...)
		if f := g.notes[at]; f != nil {
			indent := widths[0] + gutter
			p.line(gap(indent), plain(f(p.width-indent)))
		}
	}
}

// drawFolded draws each row on two lines.
func (g *grid) drawFolded(p *page) {
	upper, lower := newGrid(g.columns[:g.below]...), newGrid(g.columns[g.below:]...)
	for _, row := range g.rows {
		upper.row(row[:g.below]...)
		lower.row(row[g.below:]...)
	}
	above, below := upper.widths(p.width), lower.widths(p.width-underneath)
	if p.whole {
		above, below = upper.unfold(above), lower.unfold(below)
	}
	for at := range g.rows {
		p.line(upper.spans(upper.rows[at], above)...)
		p.line(append(paint.Line{gap(underneath)}, lower.spans(lower.rows[at], below)...)...)
	}
}

// aligned is the most columns that an unfolded column gets; a longer cell moves the cells to its right.
const aligned = 200

// unfold replaces the fitted texts of cells by fixed texts: the text at the given widths if all of it fits,
// otherwise the whole text. It returns the new widths.
func (g *grid) unfold(widths []int) []int {
	g.unfolded = true
	for _, row := range g.rows {
		for i := range row {
			if c := &row[i]; c.fit != nil {
				c.text = c.at(widths[i])
				if paint.Width(c.text) > widths[i] || strings.Contains(c.text, "…") {
					c.text = c.at(unbounded)
				}
				c.fit = nil
			}
		}
	}
	wide := g.widths(unbounded)
	for i := range wide {
		wide[i] = min(wide[i], aligned)
	}
	return wide
}

// spans draws a row in columns of the given widths.
func (g *grid) spans(row []cell, widths []int) paint.Line {
	var spans paint.Line
	for i, c := range row {
		s := c.at(widths[i])
		if paint.Width(s) > widths[i] && !g.unfolded {
			s = paint.Cut(s, widths[i])
		}
		if i < len(row)-1 || g.columns[i].right {
			s = pad(s, widths[i], g.columns[i].right)
		}
		if widths[i] > 0 {
			spans = append(spans, styled(s, c.ink))
			if i < len(row)-1 {
				spans = append(spans, gap(gutter))
			}
		}
	}
	return spans
}

// widths returns the widths of the columns on a page of so many columns.
func (g *grid) widths(page int) []int {
	widths := make([]int, len(g.columns))
	for _, row := range g.rows {
		for i, c := range row {
			widths[i] = max(widths[i], min(page, paint.Width(c.at(page))))
		}
	}
	for excess := total(widths) - page; excess > 0; excess-- {
		i := g.widest(widths)
		if i < 0 {
			break
		}
		widths[i]--
	}
	return widths
}

func total(widths []int) int {
	sum := 0
	for _, w := range widths {
		if w > 0 {
			sum += w + gutter
		}
	}
	return sum - gutter
}

// widest returns the index of the flexible column that gets narrower next, or -1.
func (g *grid) widest(widths []int) int {
	best := -1
	for i, c := range g.columns {
		if c.flexible && widths[i] > narrowest && (best < 0 || widths[i] > widths[best]) {
			best = i
		}
	}
	return best
}

// words joins the texts that are not empty.
func words(list ...string) string {
	var kept []string
	for _, s := range list {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, "  ")
}
