// Package paint turns styled text into the bytes of a screen: lines of spans of exactly the width
// they are given, in the inks of a palette that suits the terminal. It knows nothing of MPI.
package paint

import (
	"regexp"
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

// Text is a line in one ink.
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

// Width is the columns that the line takes.
func (l Line) Width() int {
	sum := 0
	for _, s := range l {
		sum += Width(s.Text)
	}
	return sum
}

// Plain is the line without inks.
func (l Line) Plain() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(ansi.Strip(s.Text))
	}
	return b.String()
}

// Width is the columns that a text takes.
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

// color is a sequence that only changes how text looks.
var color = regexp.MustCompile(`^\x1b\[[0-9;:]*m`)

// Clean takes out of a text what could command the terminal, and keeps its colors.
func Clean(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
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
		case r < ' ' || r >= 0x7f && r < 0xa0:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Write writes the line in exactly width columns.
func (p *Palette) Write(b *strings.Builder, l Line, width int) {
	left := width
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
		p.put(b, text, s.Ink)
		left -= w
	}
	for ; left > 0; left -= min(left, len(blanks)) {
		b.WriteString(blanks[:min(left, len(blanks))])
	}
}

// rest reports whether something visible follows.
func rest(l Line) bool {
	for _, s := range l {
		if strings.TrimRight(s.Text, " ") != "" {
			return true
		}
	}
	return false
}

const blanks = "                                                                "

func (p *Palette) put(b *strings.Builder, text string, k Ink) {
	on := p.on(k)
	b.WriteString(on)
	b.WriteString(text)
	if on != "" || strings.IndexByte(text, '\x1b') >= 0 {
		b.WriteString(p.off)
	}
}
