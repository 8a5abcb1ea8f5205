package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Measures of SVG pictures, in pixels.
const (
	svgFont  = 12
	svgLine  = 16 // from one line of text to the next
	svgPad   = 8  // between a box and what is in it
	svgGap   = 8  // between boxes
	svgEdge  = 20 // around the picture
	svgSmall = 10 // font of what is said besides
	svgHead  = 18 // font of the title
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
func (d *drawing) path(class, format string, args ...any) {
	d.shapes = append(d.shapes, shape{kind: pathShape, class: class, text: fmt.Sprintf(format, args...)})
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
	for _, line := range svgFill(title, svgHead*10/9, room) {
		high += svgHead + svgPad
		d.text(svgEdge, svgEdge+high-svgPad, "head", line)
		wide = max(wide, svgBold(line, svgHead))
	}
	return wide, high
}

// writeTo writes the whole document. desc says in words what the picture shows.
func (d *drawing) writeTo(w io.Writer, width, height int, title, desc string, theme Theme) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" xml:space=\"preserve\" role=\"img\" "+
		"aria-labelledby=\"title desc\">\n", width, height, width, height)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", xmlText(title), xmlText(desc))
	fmt.Fprintf(&b, "<style>\ntext{font-family:Helvetica,Arial,sans-serif;font-size:%dpx}.small{font-size:%dpx}.head{font-size:%dpx;font-weight:bold}"+
		".bold{font-weight:bold}.mid{text-anchor:middle}.box{stroke-width:1}.dash{stroke-dasharray:5 3}.line{stroke-width:1.5}\n", svgFont, svgSmall, svgHead)
	if theme == ThemeDark {
		b.WriteString(darkShade.css())
	} else {
		b.WriteString(lightShade.css())
	}
	if theme == ThemeAuto {
		b.WriteString("\n@media (prefers-color-scheme:dark){" + darkShade.css() + "}")
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

// xmlText is text inside of an element. What XML cannot hold, such as a control character in a name
// that a program set, becomes the sign for an unknown character.
func xmlText(text string) string {
	keep := func(r rune) rune {
		if r < ' ' && !slices.Contains([]rune("\t\n\r"), r) || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}
	return xmlEscapes.Replace(strings.Map(keep, printable(strings.ToValidUTF8(text, "�"))))
}
