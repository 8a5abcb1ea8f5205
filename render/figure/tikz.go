package figure

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// TikZ writes a scene as a tikzpicture, for a LaTeX document that loads the package tikz; the tikzpicture defines its
// colors. An adjustbox or \resizebox around it fits it to the line. Several scenes become the overlays of one slide of
// the class beamer, on the room of the largest.
func TikZ(w io.Writer, list ...*scene.Scene) error {
	d := tikz{used: map[int]bool{}}
	if len(list) == 1 {
		d.scene(list[0])
	} else {
		d.overlays(list)
	}
	s := list[0]
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s\n%% Needs \\usepackage{tikz}; compile with pdflatex, lualatex or xelatex.\n"+
		"%% A ? in a name stands for a character that not every LaTeX has in its fonts.\n",
		strings.Join(strings.Fields(strings.Map(typeset, s.Title)), " "))
	b.WriteString("\\begin{tikzpicture}[x=4.8pt,y=-12pt,every node/.style={inner sep=0pt,font=\\ttfamily\\fontsize{9}{10}\\selectfont}]\n")
	for _, c := range []struct{ name, rgb string }{{"quiet", lightShade.quiet}, {"line", lightShade.line}, {"rank", lightShade.rank},
		{"none", lightShade.none}, {"stuck", lightShade.stuck}, {"on", "#ffffff"}, {"free", lightShade.paper}} {
		tikzColor(&b, c.name, c.rgb)
	}
	for slot := range paint.Slots {
		if d.used[slot] {
			fill, text := paint.FillRGB(slot, false)
			tikzColor(&b, "p"+strconv.Itoa(slot), fill)
			tikzColor(&b, "t"+strconv.Itoa(slot), text)
			tikzColor(&b, "i"+strconv.Itoa(slot), paint.InkRGB(slot, false))
		}
	}
	b.WriteString(d.String() + "\\end{tikzpicture}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// tikz collects the commands of a picture.
type tikz struct {
	strings.Builder
	used map[int]bool // slots of communicators
}

func (d *tikz) scene(s *scene.Scene) {
	for i := range s.Things {
		d.thing(&s.Things[i])
	}
}

func (d *tikz) overlays(list []*scene.Scene) {
	width, height := 0, 0
	for _, s := range list {
		width, height = max(width, s.Width), max(height, s.Height)
	}
	fmt.Fprintf(d, "  \\useasboundingbox (0,0) rectangle (%d,%d);\n", width, height)
	for i, s := range list {
		fmt.Fprintf(d, "  \\only<%d>{\n", i+1)
		d.scene(s)
		d.WriteString("  }\n")
	}
}

func (d *tikz) thing(t *scene.Thing) {
	switch t.Kind {
	case scene.Frame:
		style := ""
		if t.Dashed {
			style = ",dashed"
		}
		fmt.Fprintf(d, "  \\draw[%s%s,rounded corners=3pt] (%d.5,%d.5) rectangle +(%d,%d);\n", d.color(t.Ink, "line"), style, t.X, t.Y, t.W-1, t.H-1)
	case scene.Cell:
		d.cell(t)
	case scene.Text:
		d.text(t)
	case scene.Arrow:
		to := fmt.Sprintf("+(%d,0)", t.W)
		if t.H > t.W {
			to = fmt.Sprintf("+(0,%d)", t.H)
		}
		fmt.Fprintf(d, "  \\draw[->,%s] (%d,%d.5) -- %s;\n", d.color(t.Ink, "line"), t.X, t.Y, to)
	}
}

// color names the color of text or lines in an ink.
func (d *tikz) color(k paint.Ink, plain string) string {
	class := inkClass(k)
	switch slot := k.Slot(); {
	case slot >= 0:
		d.used[slot] = true
	case plain != "" || class != "quiet" && class != "on":
		class = plain
	}
	if class == "" {
		return "black"
	}
	return "commsplit-" + class
}

func (d *tikz) text(t *scene.Thing) {
	color, font := d.color(t.Ink, ""), ""
	switch {
	case t.Cover:
		fmt.Fprintf(d, "  \\fill[white] (%d,%d) rectangle +(%d,1);\n", t.X, t.Y, t.W)
	case t.Ink.Fills():
		fill, _ := fillClass(paint.Cell{Slot: t.Ink.Slot()})
		fmt.Fprintf(d, "  \\fill[commsplit-%s] (%d,%d) rectangle +(%d,1);\n", fill, t.X, t.Y, t.W)
	}
	if t.Ink.Unlit() == paint.Bold {
		font = "\\bfseries"
	}
	text := strings.TrimLeft(t.Text, " ")
	x := t.X + paint.Width(t.Text) - paint.Width(text)
	for word := range strings.SplitSeq(text, " ") { // each word begins at its column
		if word != "" {
			fmt.Fprintf(d, "  \\node[anchor=base west,text=%s] at (%d,%d.75) {%s%s};\n", color, x, t.Y, font, tikzText(word, font != ""))
		}
		x += paint.Width(word) + 1
	}
}

func (d *tikz) cell(t *scene.Thing) {
	fill, on := fillClass(t.Cell)
	draw := "fill"
	if fill == "none dash" {
		fill, draw = "none", "filldraw"
	}
	if t.Cell.Right && strings.HasPrefix(fill, "p") {
		on, fill = "", fill+",fill opacity=.35"
	}
	if on == "" {
		on = "black"
	} else {
		on = "commsplit-" + on
	}
	if t.Cell.Slot >= 0 && strings.HasPrefix(fill, "p") {
		d.used[t.Cell.Slot%paint.Slots] = true
	}
	fmt.Fprintf(d, "  \\%s[fill=commsplit-%s,draw=commsplit-quiet,rounded corners=1.5pt] (%d.1,%d.05) rectangle +(%d.8,%d.9);\n", draw, fill, t.X, t.Y, t.W-1, t.H-1)
	put := func(text string, y float64, font string) {
		if text != "" {
			fmt.Fprintf(d, "  \\node[text=%s] at (%g,%g) {%s%s};\n", on, float64(t.X)+float64(t.W)/2, y, font, tikzText(text, true))
		}
	}
	y := float64(t.Y) + float64(t.H)/2
	if t.Under != "" && t.H > 1 {
		y -= 0.4
		put(t.Under, y+0.9, "\\fontsize{7}{8}\\selectfont")
	}
	put(t.Cell.Fitting(t.W), y, "\\bfseries")
}

// tikzColor defines the color of a class: "#d2e7a4" as D2E7A4.
func tikzColor(b *strings.Builder, class, color string) {
	fmt.Fprintf(b, "  \\definecolor{commsplit-%s}{HTML}{%s}\n", class, strings.ToUpper(color[1:]))
}

// tikzEscapes replaces the characters that have a meaning in TeX, and the signs of pictures. Signs that sans serif
// fonts of pdflatex lack come from the math fonts.
var tikzEscapes = strings.NewReplacer(`\`, `$\backslash$`, "{", `$\{$`, "}", `$\}$`, "#", `\#`, "$", `\$`, "%", `\%`, "&", `\&`,
	"<", `$<$`, ">", `$>$`, "|", `$|$`, `"`, "''", "`", "\\`{}", "_", `\_`, "^", `\^{}`, "~", `\~{}`, "--", `-{}-`, "  ", `\quad{}`,
	render.Hollow, `$\circ$`, "×", `$\times$`, "…", `\dots{}`)

// tikzText returns text for LaTeX. Behind commands it begins with a brace, so that the first letter does not join
// a command.
func tikzText(text string, after bool) string {
	text = tikzEscapes.Replace(strings.Map(typeset, paint.OneLine(text)))
	if after {
		return "{}" + text
	}
	return text
}

// typeset returns a character that every LaTeX has in its fonts: ASCII, the letters of western Europe, and the
// signs of pictures; a question mark for any other character.
func typeset(r rune) rune {
	switch {
	case r >= ' ' && r <= '~', strings.ContainsRune(render.Hollow+"×…", r), r >= 0xc0 && r <= 0xff && !strings.ContainsRune("ÐðÞþ÷", r):
		return r
	}
	return '?'
}
