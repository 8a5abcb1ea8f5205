package film

import (
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
	"time"
)

// The size of a cell, in pixels, and where its text stands.
const (
	cellWidth  = 9
	cellHeight = 18
	fontSize   = 15
	baseline   = 14
	margin     = 6
)

// fonts are those whose characters are equally wide.
const fonts = "ui-monospace,'DejaVu Sans Mono','Cascadia Mono',Menlo,Consolas,'Liberation Mono',monospace"

// theme is the colors of a terminal that a program does not choose.
type theme struct{ fg, bg string }

func themeOf(dark bool) theme {
	if dark {
		return theme{"#d4d4d4", "#1e1e1e"}
	}
	return theme{"#1a1a1a", "#ffffff"}
}

// Still writes the last screen of the session as an SVG file.
func (s *Session) Still(w io.Writer, dark bool) error {
	last := s.shots[len(s.shots)-1]
	return write(w, []Shot{{0, last.Frame}}, 0, dark)
}

// Moving writes the session as an SVG file that plays it, and begins again at its end. What does not play such
// files shows the last screen.
func (s *Session) Moving(w io.Writer, dark bool) error { return write(w, s.shots, s.now, dark) }

// row is a line of the screen while it stays the same.
type row struct {
	y        int
	from, to time.Duration
	text     string
}

// rowsOf cuts shots into rows: a row that stays is written once.
func rowsOf(shots []Shot, end time.Duration) (list []row, width, height int) {
	var now []*row // by line
	var all []*row
	for _, shot := range shots {
		lines := strings.Split(shot.Frame, "\n")
		height = max(height, len(lines))
		for y := range max(len(lines), len(now)) {
			text := ""
			if y < len(lines) {
				text = lines[y]
			}
			if y >= len(now) {
				now = append(now, nil)
			}
			if now[y] != nil && now[y].text == text {
				continue
			}
			if now[y] != nil {
				now[y].to = shot.At
			}
			now[y] = &row{y: y, from: shot.At, to: end, text: text}
			all = append(all, now[y])
		}
	}
	for _, r := range all {
		for _, part := range runsOf(r.text) {
			width = max(width, part.column+part.width)
		}
		list = append(list, *r)
	}
	return list, width, height
}

func write(w io.Writer, shots []Shot, end time.Duration, dark bool) error {
	rows, columns, height := rowsOf(shots, end)
	th := themeOf(dark)
	var b strings.Builder
	pw, ph := columns*cellWidth+2*margin, height*cellHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="%d" height="%d" viewBox="0 0 %d %d" font-family="%s" font-size="%d">`+"\n", pw, ph, pw, ph, fonts, fontSize)
	b.WriteString("<style>text{white-space:pre}.b{font-weight:bold}.i{font-style:italic}.u{text-decoration:underline}</style>\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="6" fill="%s"/>`+"\n", pw, ph, th.bg)
	if len(shots) > 1 { // what all rows are timed by
		fmt.Fprintf(&b, `<rect width="0" height="0"><animate id="loop" attributeName="x" begin="0s;loop.end" dur="%s" from="0" to="0"/></rect>`+"\n", seconds(end))
	}
	fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", margin, margin)
	for _, r := range rows {
		r.write(&b, end, th)
	}
	b.WriteString("</g>\n</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// seconds is a time as SVG has it.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Round(time.Millisecond).Seconds(), 'f', -1, 64) + "s"
}

func (r *row) write(b *strings.Builder, end time.Duration, th theme) {
	var inside strings.Builder
	for _, part := range runsOf(r.text) {
		part.write(&inside, r.y, th)
	}
	if inside.Len() == 0 {
		return
	}
	switch {
	case r.from == 0 && r.to == end:
		fmt.Fprintf(b, "<g>%s</g>\n", inside.String())
	case r.to == end: // the last screen: it stays where nothing moves
		fmt.Fprintf(b, `<g><set attributeName="visibility" to="hidden" begin="loop.begin" dur="%s"/>%s</g>`+"\n", seconds(r.from), inside.String())
	default:
		fmt.Fprintf(b, `<g visibility="hidden"><set attributeName="visibility" to="visible" begin="loop.begin+%s" dur="%s"/>%s</g>`+"\n",
			seconds(r.from), seconds(r.to-r.from), inside.String())
	}
}

func (p run) write(b *strings.Builder, y int, th theme) {
	fg, bg := p.fg, p.bg
	if fg == "" {
		fg = th.fg
	}
	behind := bg
	if behind == "" {
		behind = th.bg
	}
	if p.back {
		fg, behind = behind, fg
		bg = behind
	}
	if p.faint {
		fg = mixed(fg, behind)
	}
	x0, y0 := p.column*cellWidth, y*cellHeight
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, x0, y0, p.width*cellWidth, cellHeight, bg)
	}
	if strings.TrimSpace(p.text) == "" && !p.under {
		return
	}
	if path := pathOf(p.text, x0, y0); path != "" {
		fmt.Fprintf(b, `<path d="%s" stroke="%s" fill="none" stroke-width="%d"/>`, path, fg, strokeOf(p.text))
		return
	}
	var class []string
	for _, c := range []struct {
		name string
		on   bool
	}{{"b", p.bold}, {"i", p.italic}, {"u", p.under}} {
		if c.on {
			class = append(class, c.name)
		}
	}
	words := ""
	if len(class) > 0 {
		words = ` class="` + strings.Join(class, " ") + `"`
	}
	text := strings.TrimRight(p.text, " ")
	width := p.width - (len(p.text) - len(text))
	if p.under {
		text, width = p.text, p.width
	}
	lead := len(text) - len(strings.TrimLeft(text, " "))
	if !p.under { // blanks at the beginning are a place, not text
		x0, text, width = x0+lead*cellWidth, text[lead:], width-lead
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs" fill="%s"%s>%s</text>`,
		x0, y0+baseline, width*cellWidth, fg, words, html.EscapeString(text))
}

// arms are how far lines of boxes go from the middle of a cell: left, up, right, down; 2 is a thick line. Fonts
// leave gaps between such characters, so they are drawn.
var arms = map[string][4]int{
	"─": {1, 0, 1, 0}, "│": {0, 1, 0, 1}, "┌": {0, 0, 1, 1}, "┐": {1, 0, 0, 1}, "└": {0, 1, 1, 0}, "┘": {1, 1, 0, 0},
	"├": {0, 1, 1, 1}, "┤": {1, 1, 0, 1}, "┬": {1, 0, 1, 1}, "┴": {1, 1, 1, 0}, "┼": {1, 1, 1, 1},
	"╭": {0, 0, 1, 1}, "╮": {1, 0, 0, 1}, "╰": {0, 1, 1, 0}, "╯": {1, 1, 0, 0}, "╴": {1, 0, 0, 0}, "╵": {0, 1, 0, 0}, "╶": {0, 0, 1, 0}, "╷": {0, 0, 0, 1},
	"━": {2, 0, 2, 0}, "┃": {0, 2, 0, 2}, "┏": {0, 0, 2, 2}, "┓": {2, 0, 0, 2}, "┗": {0, 2, 2, 0}, "┛": {2, 2, 0, 0},
	"█": {}, "▌": {}, "▐": {}, "▀": {}, "▄": {},
}

// drawn reports whether a character is drawn, not written.
func drawn(text string) bool {
	_, ok := arms[text]
	return ok
}

// strokeOf is how thick the lines of a character are: of a block, its width.
func strokeOf(text string) int {
	switch text {
	case "█":
		return cellHeight
	case "▀", "▄":
		return cellHeight / 2
	case "▌", "▐":
		return cellWidth / 2
	}
	for _, arm := range arms[text] {
		if arm == 2 {
			return 2
		}
	}
	return 1
}

// pathOf is the lines of a character in the cell at a place; "" for one that is written.
func pathOf(text string, x, y int) string {
	if !drawn(text) {
		return ""
	}
	// Lines of one pixel are sharp in the middle of one.
	mx, my := float64(x)+cellWidth/2.0, float64(y)+cellHeight/2.0+0.5
	left, right, top, bottom := float64(x), float64(x+cellWidth), float64(y), float64(y+cellHeight)
	at := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	switch text {
	case "█":
		return "M" + at(left) + " " + at(float64(y)+cellHeight/2.0) + "H" + at(right)
	case "▀":
		return "M" + at(left) + " " + at(float64(y)+cellHeight/4.0) + "H" + at(right)
	case "▄":
		return "M" + at(left) + " " + at(float64(y)+cellHeight*3/4.0) + "H" + at(right)
	case "▌":
		return "M" + at(left+cellWidth/4) + " " + at(top) + "V" + at(bottom)
	case "▐":
		return "M" + at(right-cellWidth/4) + " " + at(top) + "V" + at(bottom)
	}
	a := arms[text]
	var b strings.Builder
	for i, end := range [4]string{"H" + at(left), "V" + at(top), "H" + at(right), "V" + at(bottom)} {
		if a[i] > 0 {
			b.WriteString("M" + at(mx) + " " + at(my) + end)
		}
	}
	return b.String()
}
