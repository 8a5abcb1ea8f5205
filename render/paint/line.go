// Package paint turns styled text into bytes: spans in the inks of a palette that suits the terminal, and
// for a screen lines of exactly the width that they are given. It measures, cuts and wraps text, and takes
// out of foreign text what could command the terminal. It knows nothing of MPI.
package paint

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Span is a piece of a line in one ink.
type Span struct {
	Text string
	Ink  Ink
}

// Line is spans one after the other.
type Line []Span

// Text returns a line in one ink.
func Text(text string, k Ink) Line { return Line{{text, k}} }

// Add appends a span.
func (l *Line) Add(text string, k Ink) { *l = append(*l, Span{text, k}) }

// Pad appends blanks up to a column.
func (l *Line) Pad(column int) { l.PadWith(column, " ", Plain) }

// PadWith appends a character up to a column.
func (l *Line) PadWith(column int, fill string, k Ink) {
	if n := column - l.Width(); n > 0 {
		l.Add(strings.Repeat(fill, n), k)
	}
}

// Width returns the columns of the line.
func (l Line) Width() int {
	sum := 0
	for _, s := range l {
		sum += Width(s.Text)
	}
	return sum
}

// Plain returns the text of the line.
func (l Line) Plain() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(ansi.Strip(s.Text))
	}
	return b.String()
}

// Width returns the columns of a text.
func Width(text string) int {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf || c == '\x1b' {
			return ansi.StringWidth(text)
		}
	}
	return len(text)
}

// Cut shortens text to so many columns, the last one an ellipsis.
func Cut(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	return ansi.Truncate(text, max(width, 0), "…")
}

// Pad fills a text with blanks up to width columns, on the left when right is set.
func Pad(text string, width int, right bool) string {
	fill := strings.Repeat(" ", max(0, width-Width(text)))
	if right {
		return fill + text
	}
	return text + fill
}

// CutMiddle shortens a name to so many columns in its middle: names differ at their ends, "a_very_lo…ndeed#2".
func CutMiddle(name string, width int) string {
	w := Width(name)
	if w <= width || width < 3 {
		return Cut(name, width)
	}
	behind := (width - 1) / 2
	return ansi.Truncate(name, width-1-behind, "") + "…" + ansi.TruncateLeft(name, w-behind, "")
}

// color is a sequence that only changes how text looks.
var color = regexp.MustCompile(`^\x1b\[[0-9;:]*m`)

// Clean returns foreign text for one line of a screen: as Printable, but colors stay, a tab becomes four blanks,
// and the end of a line is a character like others.
func Clean(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r == '\t' || r == '\n' || commands(r) }) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if sgr := color.FindString(text[i:]); sgr != "" {
			b.WriteString(sgr)
			i += len(sgr)
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\t':
			b.WriteString("    ")
		case r == '\n', commands(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Printable replaces control characters, which foreign files, names, arguments and messages can hold, but for
// ends of lines and tabs: no text is to break the layout or command the terminal. Each character stays one
// column wide, so that a caret stays below its place.
func Printable(text string) string {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return strings.Map(func(r rune) rune {
				if commands(r) {
					return utf8.RuneError
				}
				return r
			}, text)
		}
	}
	return text
}

// OneLine returns foreign text in one line: as Printable, but with blanks for ends of lines and tabs.
func OneLine(text string) string { return oneLine.Replace(Printable(text)) }

var oneLine = strings.NewReplacer("\t", " ", "\n", " ")

// commands reports whether a terminal takes a character as a command: it is a control character other than
// a tab and the end of a line, or begins a line, or changes the direction of the characters behind it, so
// that a name could rearrange the text around it.
func commands(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Wrap breaks text at blanks into lines of at most width columns, and inside words that are longer than
// that. Blanks inside a line stay as they are.
func Wrap(text string, width int) []string {
	var lines []string
	for Width(text) > width {
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

// Join joins words with blanks into lines as long as they fit; a word that does not fit has a line of its own.
func Join(words []string, fits func(line string) bool) []string {
	var lines []string
	for i, w := range words {
		if last := len(lines) - 1; i > 0 && fits(lines[last]+" "+w) {
			lines[last] += " " + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}

// Write writes the line in exactly width columns.
func (p *Palette) Write(b *strings.Builder, l Line, width int) {
	left := width
	now := "" // what is switched on
	for i, s := range l {
		if left == 0 {
			break
		}
		if s.Text == "" {
			continue
		}
		text := Clean(s.Text)
		w := Width(text)
		if w > left || w == left && rest(l[i+1:]) {
			if w == left {
				text += " "
			}
			text = ansi.Truncate(text, left, "…")
			w = Width(text)
		}
		p.turn(b, &now, p.ons[s.Ink])
		b.WriteString(text)
		if strings.IndexByte(text, '\x1b') >= 0 {
			b.WriteString(off)
			now = ""
		}
		left -= w
	}
	p.turn(b, &now, "")
	for ; left > 0; left -= min(left, len(blanks)) {
		b.WriteString(blanks[:min(left, len(blanks))])
	}
}

// turn switches to another look; now is the look that is on.
func (p *Palette) turn(b *strings.Builder, now *string, on string) {
	if *now == on {
		return
	}
	if *now != "" {
		b.WriteString(off)
	}
	b.WriteString(on)
	*now = on
}

// rest reports whether something visible follows.
func rest(l Line) bool {
	return slices.ContainsFunc(l, func(s Span) bool { return strings.TrimRight(s.Text, " ") != "" })
}

const blanks = "                                                                "

// Put writes text in an ink, as long as it is.
func (p *Palette) Put(b *strings.Builder, text string, k Ink) {
	if text == "" {
		return
	}
	on := p.ons[k]
	b.WriteString(on)
	b.WriteString(text)
	if on != "" || strings.IndexByte(text, '\x1b') >= 0 {
		b.WriteString(off)
	}
}
