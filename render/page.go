package render

import (
	"io"
	"strings"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// Style is the layout of a page.
type Style struct {
	Width int  // columns of the page, at least 40
	Whole bool // nothing is folded or cut: a text that does not fit makes its line or the page longer
	Full  bool // with Whole: pictures of more than 10,000 lines are not folded either
	Dark  bool // whether the background is dark

	Colors paint.Colors // of the terminal; no information is in color alone

	Picture Picture // of partitions
}

// Picture is how a partition is drawn.
type Picture uint8

// The pictures: the tree of the hardware in text; boxes; lanes; the buckets of the calls that made the
// communicators; boxes and lanes; why the communicators are as they are; how many there were over the run, and which
// was made from which, whatever the partition.
const (
	AsTree Picture = iota
	AsBoxes
	AsLanes
	AsBuckets
	AsSplit
	AsWhy
	AsTime
	AsLineage
)

// Pictures are the words for the pictures, in the order of the constants.
var Pictures = []string{"tree", "boxes", "lanes", "buckets", "split", "why", "time", "lineage"}

// OfAll reports whether a picture shows all communicators, so that there is one at the end of a run.
func (p Picture) OfAll() bool { return p >= AsTime }

// Line returns how many columns a line of running text has: only a terminal folds it.
func (st Style) Line() int {
	if st.Whole {
		return unbounded
	}
	return st.Columns()
}

// minWidth is the narrowest page; a narrower one would be unreadable.
const minWidth = 40

// Columns returns the width of the page.
func (st Style) Columns() int { return max(st.Width, minWidth) }

func plain(text string) paint.Span { return paint.Span{Text: text} }
func faint(text string) paint.Span { return paint.Span{Text: text, Ink: paint.Faint} }

// gap returns n blanks.
func gap(n int) paint.Span { return paint.Span{Text: strings.Repeat(" ", max(n, 0))} }

func styled(text string, k paint.Ink) paint.Span { return paint.Span{Text: text, Ink: k} }

// page collects lines that are at most width columns wide. On a whole page, lines are set for that
// width, and a text that needs more room gets it.
type page struct {
	b       strings.Builder
	width   int
	whole   bool
	full    bool
	picture int // the most lines of a picture of a world; where pages are short, with its legend
	inks    *paint.Palette
	lines   int
}

// pictureLines is how long a picture of a world may get, and wholeLines how long on a whole page, unless all of it is
// asked for.
const (
	pictureLines = 56
	wholeLines   = 10_000
)

func newPage(st Style) *page {
	p := &page{width: st.Line(), whole: st.Whole, full: st.Full, inks: st.Palette()}
	if p.picture = p.limit(pictureLines); p.whole && !p.full {
		p.picture = wholeLines
	}
	return p
}

// Palette returns the inks of the page.
func (st Style) Palette() *paint.Palette {
	if st.Colors == paint.NoColor {
		return &paint.Palette{}
	}
	return paint.NewPalette(st.Colors, st.Dark)
}

// limit returns n, a number of columns or lines; on a whole page there is no limit.
func (p *page) limit(n int) int {
	if p.whole {
		return unbounded
	}
	return n
}

// line adds a line. Text that does not fit is cut off with an ellipsis, except on a whole page.
func (p *page) line(spans ...paint.Span) {
	for len(spans) > 0 && strings.TrimRight(spans[len(spans)-1].Text, " ") == "" {
		spans = spans[:len(spans)-1]
	}
	left := p.width
	for i, s := range spans {
		text := paint.OneLine(s.Text)
		more := i < len(spans)-1
		if !more {
			text = strings.TrimRight(text, " ")
		}
		w := paint.Width(text)
		if w == left && more {
			text += " " // of a text that just fits, the last column is the ellipsis
		}
		if w > left || w == left && more {
			p.inks.Put(&p.b, paint.Cut(text, left), s.Ink)
			break
		}
		p.inks.Put(&p.b, text, s.Ink)
		left -= w
	}
	p.b.WriteByte('\n')
	p.lines++
}

// paragraph adds text in as many lines as it needs, each indented.
func (p *page) paragraph(text string, indent int, k paint.Ink) {
	for _, row := range strings.Split(text, "\n") {
		p.labeled(strings.Repeat(" ", indent), paint.Wrap(paint.OneLine(row), p.width-indent), paint.Plain, k)
	}
}

// hanging prints text behind a mark, with further lines below the text.
func (p *page) hanging(mark, text string, k paint.Ink) {
	p.labeled(mark, paint.Wrap(paint.OneLine(text), p.width-len(mark)), k, k)
}

// labeled adds rows, the first behind a label, the others behind as many blanks.
func (p *page) labeled(label string, rows []string, of, k paint.Ink) {
	for _, row := range rows {
		p.line(styled(label, of), styled(row, k))
		label = strings.Repeat(" ", paint.Width(label))
	}
}

func (p *page) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	return err
}

// cell is an entry of a table: fixed text, or a list of ranks that can be shortened to a width.
type cell struct {
	text string
	fit  func(width int) string // nil: text as it is
	ink  paint.Ink
}

func text(s string) cell  { return cell{text: s} }
func quiet(s string) cell { return cell{text: s, ink: paint.Faint} }
func head(s string) cell  { return cell{text: s, ink: paint.Bold} }

// ascending returns the cell of a table for a set of ranks, "-" when the set is empty.
func ascending(list []int32) cell {
	if len(list) == 0 {
		return quiet("-")
	}
	return cell{fit: func(width int) string { return rankList(list, width) }}
}

// sides returns the cell of a table for the two groups of an intercommunicator. Where both do not fit, each gets half
// of the width and what the other leaves.
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
// takes two lines: the columns from index below on go to the second, which names them. On a whole page no cell is cut.
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
		widths = g.unfold(widths)
	}
	for at, row := range g.rows {
		p.line(g.spans(row, widths, p.whole)...)
		if f := g.notes[at]; f != nil {
			indent := widths[0] + gutter
			p.line(gap(indent), plain(f(p.width-indent)))
		}
	}
}

// drawFolded draws each row on two lines, the second of which names its columns.
func (g *grid) drawFolded(p *page) {
	upper := grid{columns: g.columns[:g.below]}
	for _, row := range g.rows {
		upper.row(row[:g.below]...)
	}
	widths, heads := upper.widths(p.width), g.rows[0][g.below:]
	for at, row := range g.rows {
		p.line(upper.spans(row[:g.below], widths, false)...)
		if at == 0 {
			continue
		}
		var lower string
		for i, c := range row[g.below:] {
			if i > 0 {
				lower += ", "
			}
			lower += strings.ToLower(heads[i].text) + " "
			lower += c.at(max(narrowest, p.width-underneath-paint.Width(lower)))
		}
		p.paragraph(lower, underneath, paint.Plain)
	}
}

// aligned is the most columns of a whole page that a column gets; a longer cell moves the cells to its right.
const aligned = 200

// unfold replaces the fitted texts of cells by fixed texts: the text at the given widths if all of it fits,
// otherwise the whole text. It returns the new widths.
func (g *grid) unfold(widths []int) []int {
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

// spans draws a row in columns of the given widths. In a whole row no cell is cut.
func (g *grid) spans(row []cell, widths []int, whole bool) paint.Line {
	var spans paint.Line
	for i, c := range row {
		s := c.at(widths[i])
		if !whole {
			s = paint.Cut(s, widths[i])
		}
		if i < len(row)-1 || g.columns[i].right {
			s = paint.Pad(s, widths[i], g.columns[i].right)
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
