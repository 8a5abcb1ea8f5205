// Package figure draws views as figures for documents: SVG and TikZ of a partition on the hardware, of lineage and
// of the two groups of intercommunicators; graphs of lineage for Graphviz and Mermaid. It finds places, sizes
// and colors, and writes the formats. What is said of communicators and hardware are render's words, and which
// objects share a box is decided by render/outline.
//
// The model: a drawing is a list of shapes, back to front, in pixels. Text is measured with the widest fonts that
// viewers put in place of the one asked for, so that no text leaves its box. Hardware is tiles in tiles, in
// lstopo's layout and colors, a rank is a badge, and below a picture is a key. The same view gives the same bytes
// every time.
package figure

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"commsplit/render/paint"
)

// Measures of all figures, in pixels.
const (
	fontSize  = 12
	lineHigh  = 16 // from one line of text to the next
	padding   = 8  // between a box and what is in it
	spacing   = 8  // between boxes
	margin    = 20 // around the picture
	smallSize = 10 // font of what is said besides
	headSize  = 18 // font of the title
)

// drawing is a picture before it is written: what is on it, back to front.
type drawing struct {
	shapes          []shape
	single, several *badge // the first ones of a rank, and of several
}

// shape is a box, a line of text, a path, or the beginning or the end of a group.
type shape struct {
	kind       shapeKind
	x, y, w, h int
	round      int    // radius of the corners
	class      string // words: its color, its font
	text       string // of a text; the path; the title of a group
}

type shapeKind int

const (
	boxShape shapeKind = iota
	textShape
	pathShape
	groupShape
	endShape
)

// rect draws a box with round corners.
func (d *drawing) rect(x, y, w, h, round int, class string) {
	d.shapes = append(d.shapes, shape{boxShape, x, y, w, h, round, class, ""})
}

// text draws a line that begins at x; with class "mid" it is centered there.
func (d *drawing) text(x, y int, class, text string) {
	d.shapes = append(d.shapes, shape{kind: textShape, x: x, y: y, class: class, text: text})
}

// path draws a line.
func (d *drawing) path(format string, args ...any) {
	d.shapes = append(d.shapes, shape{kind: pathShape, class: "line", text: fmt.Sprintf(format, args...)})
}

// group puts what draw draws into a group with a title, which viewers show under the pointer.
func (d *drawing) group(title string, draw func()) {
	d.shapes = append(d.shapes, shape{kind: groupShape, text: title})
	draw()
	d.shapes = append(d.shapes, shape{kind: endShape})
}

// svg is the shape as an element.
func (s *shape) svg() string {
	class := ""
	if s.class != "" {
		class = ` class="` + s.class + `"`
	}
	switch s.kind {
	case boxShape:
		return fmt.Sprintf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"%s/>\n", s.x, s.y, s.w, s.h, s.round, class)
	case textShape:
		return fmt.Sprintf("<text x=\"%d\" y=\"%d\"%s>%s</text>\n", s.x, s.y, class, xmlText(s.text))
	case pathShape:
		return fmt.Sprintf("<path d=\"%s\"%s/>\n", s.text, class)
	case groupShape:
		return "<g><title>" + xmlText(s.text) + "</title>\n"
	}
	return "</g>\n"
}

// head writes the title on top, and returns the width and the height of its lines.
func (d *drawing) head(title string, room int) (wide, high int) {
	for _, line := range fillLines(title, headSize*10/9, room) {
		high += headSize + padding
		d.text(margin, margin+high-padding, "head", line)
		wide = max(wide, boldWide(line, headSize))
	}
	return wide, high
}

// column draws the title and below it tiles of one width, room, and returns the width of the title and where the tiles end.
func (d *drawing) column(title string, tiles []*tile) (room, wide, y int) {
	room = leastWide
	for _, t := range tiles {
		room = max(room, t.w)
	}
	wide, y = d.head(title, room)
	y += margin + padding
	for _, t := range tiles {
		t.spread(room)
		t.draw(d, margin, y)
		y += t.h + spacing
	}
	return room, wide, y
}

// slots are the color slots of communicators on the drawing, ascending.
func (d *drawing) slots() []int {
	var used [paint.Slots]bool
	for i := range d.shapes {
		for _, word := range strings.Fields(d.shapes[i].class) {
			if slot, ok := slotOf(word); ok {
				used[slot] = true
			}
		}
	}
	var list []int
	for slot, is := range used {
		if is {
			list = append(list, slot)
		}
	}
	return list
}

// slotOf is the slot of a class of shapes of a communicator: p5 is filled with its color, t5 is text on it, s5 has
// a border in it.
func slotOf(class string) (slot int, ok bool) {
	if len(class) < 2 || !strings.Contains("pts", class[:1]) {
		return 0, false
	}
	slot, err := strconv.Atoi(class[1:])
	return slot, err == nil && slot >= 0 && slot < paint.Slots
}

// writeTo writes the whole document. desc says in words what the picture shows.
func (d *drawing) writeTo(w io.Writer, width, height int, title, desc string, theme Theme) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" xml:space=\"preserve\" role=\"img\" "+
		"aria-labelledby=\"title desc\">\n", width, height, width, height)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", xmlText(title), xmlText(desc))
	fmt.Fprintf(&b, "<style>\ntext{font-family:Helvetica,Arial,sans-serif;font-size:%dpx}.small{font-size:%dpx}.head{font-size:%dpx;font-weight:bold}"+
		".bold{font-weight:bold}.mid{text-anchor:middle}.box{stroke-width:1}.dash{stroke-dasharray:5 3}.line{stroke-width:1.5}.frame{fill:none;stroke-width:2}\n", fontSize, smallSize, headSize)
	used := d.slots()
	if theme == Dark {
		b.WriteString(darkShade.css(used))
	} else {
		b.WriteString(lightShade.css(used))
	}
	if theme == Auto {
		b.WriteString("\n@media (prefers-color-scheme:dark){" + darkShade.css(used) + "}")
	}
	fmt.Fprintf(&b, "\n</style>\n<rect width=\"%d\" height=\"%d\" class=\"paper\"/>\n", width, height)
	for i := range d.shapes {
		b.WriteString(d.shapes[i].svg())
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// xmlText is text inside an element. What XML cannot hold, such as a control character in a name
// that a program set, becomes the sign for an unknown character.
func xmlText(text string) string {
	keep := func(r rune) rune {
		if r < ' ' && !slices.Contains([]rune("\t\n\r"), r) || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}
	return xmlEscapes.Replace(strings.Map(keep, paint.OneLine(strings.ToValidUTF8(text, "�"))))
}

// emWidths are the widths of the characters from blank to tilde, in hundredths of the size of the
// font: the larger of Arial's and DejaVu Sans's, which is about the widest that a viewer puts in its
// place.
var emWidths = [...]int{
	32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 56,
	102, 69, 69, 73, 78, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79, 67, 79, 73, 67, 62, 74, 69, 99, 69, 67, 69, 40, 34, 40, 84, 56,
	50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
}

// Widths of other characters, by the columns that they have on a terminal, and what bold letters are
// wider, in the same unit.
const (
	emOther = 100
	emWide  = 130
	emBold  = 12
)

// emsOf is how wide a text is at most in usual fonts, in hundredths of the size of the font.
func emsOf(text string) int {
	sum := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c > '~' {
			return emsOfForeign(text)
		}
		sum += emWidths[text[i]-' ']
	}
	return sum
}

// emsOfForeign is emsOf of a text that has other characters than ASCII's, too. Each is counted by
// itself: not every font joins what could be joined.
func emsOfForeign(text string) int {
	sum := 0
	for _, r := range text {
		switch cells := ansi.StringWidth(string(r)); {
		case r >= ' ' && r <= '~':
			sum += emWidths[r-' ']
		case cells > 1:
			sum += emWide
		case cells == 1:
			sum += emOther
		}
	}
	return sum
}

// textWide is how wide a text is at most in a font of that size, in pixels.
func textWide(text string, font int) int { return (emsOf(text)*font + 99) / 100 }

// boldWide is the same in bold letters.
func boldWide(text string, font int) int {
	return ((emsOf(text)+emBold*ansi.StringWidth(text))*font + 99) / 100
}

// fillLines cuts a text at blanks into lines that are no wider than some pixels; words that are wider
// are cut anywhere.
func fillLines(text string, font, wide int) []string {
	var words []string
	for word := range strings.SplitSeq(text, " ") {
		for textWide(word, font) > wide {
			head := headOf(word, font, wide)
			words, word = append(words, head), word[len(head):]
		}
		words = append(words, word)
	}
	return paint.Join(words, func(line string) bool { return textWide(line, font) <= wide })
}

// headOf is the first part of a word that is no wider than some pixels, at least a character.
func headOf(word string, font, wide int) string {
	n := 0
	for n < len(word) {
		cluster, _ := ansi.FirstGraphemeCluster(word[n:], ansi.GraphemeWidth)
		if n > 0 && textWide(word[:n+len(cluster)], font) > wide {
			break
		}
		n += len(cluster)
	}
	return word[:n]
}
