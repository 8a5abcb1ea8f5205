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

func text(s string) cell  { return cell{text: s} }
func quiet(s string) cell { return cell{text: s, ink: paint.Faint} }
func head(s string) cell  { return cell{text: s, ink: paint.Bold} }

// ordered makes a cell of a word and a list whose order matters.
func ordered(word string, list []int32) cell {
	return cell{fit: func(width int) string { return word + OrderList(list, width-len(word)) }}
}

// ascending makes a cell of a set of ranks, "-" when the set is empty.
func ascending(list []int32) cell {
	if len(list) == 0 {
		return quiet("-")
	}
	return cell{fit: func(width int) string { return rankList(list, width) }}
}

// sides makes a cell of the two groups of an intercommunicator. Where both do not fit, each gets half of the width
// and what the other leaves.
func sides(left, right []int32) cell {
	return cell{fit: func(width int) string {
		const words = len("left ") + len("  right ")
		a := OrderList(left, max((width-words)/2, width-words-len(OrderList(right, width))))
		return "left " + a + "  right " + OrderList(right, width-words-len(a))
	}}
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
// takes two lines: the columns from index below on go to the second. On a whole page no cell is cut.
type grid struct {
	columns []column
	below   int // 0: rows take one line
	rows    [][]cell
	notes   map[int]func(width int) string // by index of a row: a line below the row
}

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
		for i := range widths {
			widths[i] = min(widths[i], aligned)
		}
	}
	for at, row := range g.rows {
		p.line(g.spans(row, widths, p.whole)...)
		if f := g.notes[at]; f != nil {
			indent := widths[0] + gutter
			p.line(gap(indent), plain(f(p.width-indent)))
		}
	}
}

// drawFolded draws each row on two lines.
func (g *grid) drawFolded(p *page) {
	upper, lower := grid{columns: g.columns[:g.below]}, grid{columns: g.columns[g.below:]}
	for _, row := range g.rows {
		upper.row(row[:g.below]...)
		lower.row(row[g.below:]...)
	}
	above, below := upper.widths(p.width), lower.widths(p.width-underneath)
	for at := range g.rows {
		p.line(upper.spans(upper.rows[at], above, false)...)
		p.line(append(paint.Line{gap(underneath)}, lower.spans(lower.rows[at], below, false)...)...)
	}
}

// aligned is the most columns of a whole page that a column gets; a longer cell moves the cells to its right.
const aligned = 200

// spans draws a row in columns of the given widths. In a whole row no cell is cut.
func (g *grid) spans(row []cell, widths []int, whole bool) paint.Line {
	var spans paint.Line
	for i, c := range row {
		var s string
		if whole {
			s = c.at(unbounded)
		} else {
			s = paint.Cut(c.at(widths[i]), widths[i])
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

// total returns the width of a row.
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
