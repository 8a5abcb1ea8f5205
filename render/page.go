package render

import (
	"io"
	"strings"

	"codeberg.org/commsplit/commsplit/render/paint"
)

func plain(text string) paint.Span { return paint.Span{Text: text} }
func faint(text string) paint.Span { return paint.Span{Text: text, Ink: paint.Faint} }

// gap returns n blanks.
func gap(n int) paint.Span { return paint.Span{Text: strings.Repeat(" ", max(n, 0))} }

func styled(text string, k paint.Ink) paint.Span { return paint.Span{Text: text, Ink: k} }

// page collects lines that are at most width columns wide. On a whole page, lines are set for that
// width, and a text that needs more room gets it.
type page struct {
	b     strings.Builder
	width int
	whole bool
	full  bool
	inks  *paint.Palette
	lines int
}

func newPage(st Style) *page {
	inks := &paint.Palette{}
	if st.Colors != paint.NoColor {
		inks = paint.NewPalette(st.Colors, st.Dark)
	}
	return &page{width: st.Line(), whole: st.Whole, full: st.Full, inks: inks}
}

// limit returns n, a number of columns or lines; on a whole page there is no limit.
func (p *page) limit(n int) int {
	if p.whole {
		return unbounded
	}
	return n
}

// wholeLines is how long a picture of a world may get on a whole page, unless all of it is asked for.
const wholeLines = 10_000

// picture returns how many lines a picture of ranks on hardware may take; n is the limit where pages are short.
func (p *page) picture(n int) int {
	if p.whole && !p.full {
		return wholeLines
	}
	return p.limit(n)
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
		for _, part := range paint.Wrap(paint.OneLine(row), p.width-indent) {
			p.line(gap(indent), styled(part, k))
		}
	}
}

// hanging prints text behind a mark, with further lines below the text.
func (p *page) hanging(mark, text string, k paint.Ink) {
	for i, part := range paint.Wrap(paint.OneLine(text), p.width-len(mark)) {
		if i > 0 {
			mark = strings.Repeat(" ", len(mark))
		}
		p.line(styled(mark, k), styled(part, k))
	}
}

func (p *page) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	return err
}

// pad fills text with blanks up to width columns, on the left when right is set.
func pad(text string, width int, right bool) string {
	fill := strings.Repeat(" ", max(0, width-paint.Width(text)))
	if right {
		return fill + text
	}
	return text + fill
}
