// Package figure writes figures for documents. SVG and TikZ are papers for scenes: they draw what a layout has arranged
// and decide nothing. DOT and Mermaid are graphs of lineage for Graphviz and for viewers of Markdown, which arrange
// them.
//
// The model: a column of a scene is 8 pixels wide and a line 16 pixels high. Text that takes several columns has a
// monospaced font, stretched to its columns whatever font a viewer has; what stands in a cell is centered there.
package figure

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Measures in pixels.
const (
	columnWide = 8
	lineHigh   = 16
	margin     = 16 // around the picture
	textSize   = 13
	smallSize  = 11 // of the line below the middle of a cell
	baseline   = 12 // of a line of text, from its upper edge
)

// SVG writes a scene as an SVG document.
func SVG(w io.Writer, s *scene.Scene, theme Theme) error {
	d := svg{used: map[int]bool{}}
	for i := range s.Things {
		d.thing(&s.Things[i])
	}
	var b strings.Builder
	wide, high := s.Width*columnWide+2*margin, s.Height*lineHigh+2*margin
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\" xml:space=\"preserve\" role=\"group\" "+
		"aria-labelledby=\"title desc\">\n", wide, high, -margin, -margin, wide, high)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n<style>\n%s", xmlText(s.Title), xmlText(s.Says), svgStyle)
	used := slices.Sorted(maps.Keys(d.used))
	if theme == Dark {
		b.WriteString(darkShade.css(used))
	} else {
		b.WriteString(lightShade.css(used))
	}
	if theme == Auto {
		b.WriteString("\n@media (prefers-color-scheme:dark){" + darkShade.css(used) + "}")
	}
	fmt.Fprintf(&b, "\n</style>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"paper\"/>\n", -margin, -margin, wide, high)
	b.WriteString(d.String())
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// svgStyle is the rules that both themes have.
const svgStyle = "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}.mid{text-anchor:middle;dominant-baseline:central;" +
	"font-weight:bold}.small{font-size:11px;font-weight:normal}.bold{font-weight:bold}.note{font-style:italic}.frame{fill:none}.dash{stroke-dasharray:5 3}.right{fill-opacity:.35}" +
	".line{fill:none;stroke-width:1.5}.lit{stroke-width:3}\n"

// svg collects the elements of a document.
type svg struct {
	strings.Builder
	used map[int]bool // color slots of communicators
}

func (d *svg) thing(t *scene.Thing) {
	x, y, w, h := t.X*columnWide, t.Y*lineHigh, t.W*columnWide, t.H*lineHigh
	switch t.Kind {
	case scene.Frame:
		class := "frame"
		if t.Dashed {
			class = "frame dash"
		}
		d.rect(x+columnWide/2, y+lineHigh/2, w-columnWide, h-lineHigh, 6, d.inked(class, "line", t.Ink))
	case scene.Cell:
		d.cell(t, x, y, w, h)
	case scene.Text:
		d.text(t, x, y, w)
	case scene.Arrow:
		class := d.inked("line", "line", t.Ink)
		if t.W >= t.H {
			fmt.Fprintf(d, "<path d=\"M%d %dH%dm-8 -5l8 5l-8 5\" class=\"%s\"/>\n", x, y+lineHigh/2, x+w, class)
		} else {
			fmt.Fprintf(d, "<path d=\"M%d %dV%dm-5 -8l5 8l5 -8\" class=\"%s\"/>\n", x+columnWide/2, y, y+h, class)
		}
	}
}

func (d *svg) rect(x, y, w, h, round int, class string) {
	fmt.Fprintf(d, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" class=\"%s\"/>\n", x, y, w, h, round, class)
}

// inked adds the class of an ink to others: kind is "ink" for text, and "line" for lines.
func (d *svg) inked(class, kind string, k paint.Ink) string {
	name := inkClass(k)
	if slot := k.Slot(); slot >= 0 {
		d.used[slot] = true
	}
	if name == "" || kind == "line" && name == "quiet" {
		return class
	}
	return strings.TrimSpace(class + " " + name)
}

// inkClass returns the class of an ink: for slot 5, i5 for text about the communicator, and t5 for text on its color.
func inkClass(k paint.Ink) string {
	switch slot := k.Slot(); {
	case k.Fills() && slot >= 0:
		return "t" + strconv.Itoa(slot)
	case slot >= 0:
		return "i" + strconv.Itoa(slot)
	}
	return map[paint.Ink]string{paint.Faint: "quiet", paint.Bold: "bold", paint.Alarm: "alarm", paint.Accent: "accent", paint.Note: "note",
		paint.Stuck: "on", paint.Empty: "quiet"}[k.Unlit()]
}

// fillClass names the color of a cell.
func fillClass(c paint.Cell) (fill, text string) {
	switch c.State {
	case paint.Null, paint.NotYet, paint.Outside:
		return "none dash", "quiet"
	case paint.Blocked:
		return "stuck", "on"
	case paint.Vacant, paint.Barred, paint.Taken:
		return "free", "quiet"
	}
	if c.Slot < 0 {
		return "rank", ""
	}
	slot := strconv.Itoa(c.Slot % paint.Slots)
	return "p" + slot, "t" + slot
}

func (d *svg) text(t *scene.Thing, x, y, w int) {
	switch {
	case t.Cover:
		fmt.Fprintf(d, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"paper\"/>\n", x, y, w, lineHigh)
	case t.Ink.Fills():
		fill, _ := fillClass(paint.Cell{Slot: t.Ink.Slot()})
		if slot := t.Ink.Slot(); slot >= 0 {
			d.used[slot] = true // also of a text that is blank
		}
		d.rect(x, y+1, w, lineHigh-2, 3, fill)
	}
	text := strings.TrimLeft(t.Text, " ")
	x += (paint.Width(t.Text) - paint.Width(text)) * columnWide
	if text = strings.TrimRight(text, " "); text == "" {
		return
	}
	attr := ""
	if n := paint.Width(text); n > 1 {
		attr = fmt.Sprintf(" textLength=\"%d\"", n*columnWide)
	}
	if class := d.inked("", "ink", t.Ink); class != "" {
		attr += " class=\"" + class + "\""
	}
	fmt.Fprintf(d, "<text x=\"%d\" y=\"%d\"%s>%s</text>\n", x, y+baseline, attr, xmlText(text))
}

// cell draws a cell with one line or two lines in its middle.
func (d *svg) cell(t *scene.Thing, x, y, w, h int) {
	name := t.Name()
	if name != "" {
		fmt.Fprintf(d, "<g role=\"img\"><title>%s</title>", xmlText(name))
	}
	fill, on := fillClass(t.Cell)
	if strings.HasPrefix(fill, "p") {
		if d.used[t.Cell.Slot%paint.Slots] = true; t.Cell.Right {
			fill, on = fill+" right", ""
		}
	}
	if t.Cell.Lit {
		fill += " lit"
	}
	d.rect(x+1, y+1, w-2, h-2, min(4, w/4), fill)
	label, size := t.Cell.Fitting(t.W), textSize
	if n := utf8.RuneCountInString(label); t.Big && n > 0 {
		size = max(textSize, min(h/2, w*3/2/(n+1)))
	}
	middle := y + h/2
	put := func(text string, y, size int, class string) {
		style := ""
		if size > textSize {
			style = fmt.Sprintf(" style=\"font-size:%dpx\"", size)
		}
		if text != "" {
			fmt.Fprintf(d, "<text x=\"%d\" y=\"%d\" class=\"%s\"%s>%s</text>", x+w/2, y, strings.TrimSpace(class+" "+on), style, xmlText(text))
		}
	}
	if t.Under != "" && t.H > 1 {
		middle -= smallSize/2 + 1
		put(t.Under, middle+size/2+smallSize/2+3, smallSize, "mid small")
	}
	put(label, middle, size, "mid")
	if name != "" {
		d.WriteString("</g>")
	}
	d.WriteByte('\n')
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// xmlText escapes text for an element. A character that XML cannot hold, such as a control character in a name
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
