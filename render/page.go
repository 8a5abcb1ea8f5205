package render

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// span is a piece of a line in one ink.
type span struct {
	text string
	ink  ink
}

func plain(text string) span { return span{text, inkPlain} }
func faint(text string) span { return span{text, inkFaint} }

// gap is n blanks.
func gap(n int) span { return span{strings.Repeat(" ", max(n, 0)), inkPlain} }

// page collects lines that are at most width columns wide. On a whole page, lines are set for that
// width, and what needs more room gets it.
type page struct {
	b     strings.Builder
	width int
	whole bool
	full  bool
	inks  *palette
	lines int
}

func newPage(st Style) *page {
	return &page{width: st.width(), whole: st.Whole, full: st.Full, inks: newPalette(st)}
}

// limit is n columns or lines, on a whole page as many as it takes.
func (p *page) limit(n int) int {
	if p.whole {
		return unbounded
	}
	return n
}

// wholeLines is how long a picture of a world may get on a whole page, unless all of it is asked for.
const wholeLines = 10_000

// picture is how many lines a picture of ranks on hardware may take, of n where pages are short.
func (p *page) picture(n int) int {
	if p.whole && !p.full {
		return wholeLines
	}
	return p.limit(n)
}

// line adds a line; what does not fit is cut off with an ellipsis, except on a whole page.
func (p *page) line(spans ...span) {
	for len(spans) > 0 && strings.TrimRight(spans[len(spans)-1].text, " ") == "" {
		spans = spans[:len(spans)-1]
	}
	left := p.limit(p.width)
	for i, s := range spans {
		s.text = printable(s.text)
		if i == len(spans)-1 {
			s.text = strings.TrimRight(s.text, " ")
		}
		w := textWidth(s.text)
		if w > left || (w == left && i < len(spans)-1) {
			p.put(span{cut(s.text, left, w >= left && i < len(spans)-1), s.ink})
			break
		}
		p.put(s)
		left -= w
	}
	p.b.WriteByte('\n')
	p.lines++
}

func (p *page) put(s span) {
	open := p.inks.open(s.ink)
	if open == "" || s.text == "" {
		p.b.WriteString(s.text)
		return
	}
	p.b.WriteString(open)
	p.b.WriteString(s.text)
	p.b.WriteString(p.inks.reset)
}

// paragraph adds text in as many lines as it needs, each indented.
func (p *page) paragraph(text string, indent int, k ink) {
	for _, row := range strings.Split(text, "\n") {
		for _, part := range wrap(printable(row), p.width-indent) {
			p.line(gap(indent), span{part, k})
		}
	}
}

// wrap breaks text at blanks into lines of at most width columns, and inside of words that are
// longer than that. Blanks inside of a line stay as they are.
func wrap(text string, width int) []string {
	var lines []string
	for textWidth(text) > width {
		head := ansi.Truncate(text, width, "")
		end := len(head)
		if text[end] != ' ' {
			if at := strings.LastIndexByte(head, ' '); strings.TrimSpace(head[:max(at, 0)]) != "" {
				end = at
			}
		}
		if end == 0 {
			break
		}
		lines = append(lines, text[:end])
		text = strings.TrimLeft(text[end:], " ")
	}
	return append(lines, text)
}

func (p *page) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	return err
}

// cut shortens text to width columns, the last one an ellipsis. With more to follow, a text that
// just fits needs the ellipsis too.
func cut(text string, width int, more bool) string {
	if more && textWidth(text) <= width {
		text += " "
	}
	return ansi.Truncate(text, width, "…")
}

// textWidth is the number of columns that text takes.
func textWidth(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return ansi.StringWidth(text)
		}
	}
	return len(text)
}

// printable is Clean, in one line.
func printable(text string) string {
	return Clean(strings.NewReplacer("\t", " ", "\n", " ").Replace(text))
}

// Clean replaces control characters, which foreign files, names, arguments and messages can hold, but for
// ends of lines and tabs: no text is to break the layout or command the terminal. Each character stays one
// column wide, so that a caret stays below its place.
func Clean(text string) string {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return strings.Map(func(r rune) rune {
				if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || turns(r) {
					return '\uFFFD'
				}
				return r
			}, text)
		}
	}
	return text
}

// turns reports whether a character begins a line, or changes the direction of what follows: behind
// one, a name could rearrange the text around it.
func turns(r rune) bool { return r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

// pad fills text with blanks up to width columns, on the left when right is set.
func pad(text string, width int, right bool) string {
	fill := strings.Repeat(" ", max(0, width-textWidth(text)))
	if right {
		return fill + text
	}
	return text + fill
}

// plural is "1 rank", "3 ranks".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}
