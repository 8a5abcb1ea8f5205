package figure

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"commsplit/render"
	"commsplit/render/paint"
)

// TikZ writes the picture of Partition as a tikzpicture, for a LaTeX document that loads the package tikz; the
// tikzpicture defines its colors. An adjustbox or \resizebox around it fits it to the line.
func TikZ(w io.Writer, v *render.View, h *render.Handle) error {
	d, _, _, title, _ := drawPartition(v, h)
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s\n%% Needs \\usepackage{tikz}; compile with pdflatex, lualatex or xelatex.\n"+
		"%% A ? in a name stands for a character that not every LaTeX has in its fonts.\n", tikzComment(title))
	b.WriteString("\\begin{tikzpicture}[x=0.75pt,y=-0.75pt,every node/.style={inner sep=0pt,font=\\sffamily\\fontsize{9}{10}\\selectfont}]\n")
	for _, class := range boxClasses {
		tikzColor(&b, class, lightShade.fills[class])
	}
	for _, slot := range d.slots() {
		fill, text := paint.FillRGB(slot, false)
		tikzColor(&b, "p"+strconv.Itoa(slot), fill)
		tikzColor(&b, "t"+strconv.Itoa(slot), text)
	}
	tikzColor(&b, "quiet", lightShade.quiet)
	for i := range d.shapes {
		b.WriteString(d.shapes[i].tikz())
	}
	b.WriteString("\\end{tikzpicture}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// tikzColor defines the color of a class: "#d2e7a4" as D2E7A4.
func tikzColor(b *strings.Builder, class, color string) {
	fmt.Fprintf(b, "  \\definecolor{commsplit-%s}{HTML}{%s}\n", class, strings.ToUpper(color[1:]))
}

// tikz returns the shape as a TikZ command, "" for a group.
func (s *shape) tikz() string {
	words := strings.Fields(s.class)
	switch s.kind {
	case boxShape:
		draw := "fill"
		if slices.Contains(words, "box") {
			draw = "filldraw"
		}
		fill := words[len(words)-1]
		return fmt.Sprintf("  \\%s[fill=commsplit-%s,rounded corners=%dpt] (%d,%d) rectangle +(%d,%d);\n", draw, fill, s.round/2, s.x, s.y, s.w, s.h)
	case textShape:
		anchor, font, color := "base west", "", "black"
		for _, word := range words {
			switch word {
			case "mid":
				anchor = "base"
			case "bold":
				font += "\\bfseries"
			case "head":
				font += "\\bfseries\\fontsize{14.4}{17}\\selectfont"
			case "small":
				font += "\\fontsize{7}{8}\\selectfont"
			case "quiet":
				color = "commsplit-quiet"
			default:
				if _, ok := slotOf(word); ok {
					color = "commsplit-" + word
				}
			}
		}
		return fmt.Sprintf("  \\node[anchor=%s,text=%s] at (%d,%d) {%s%s};\n", anchor, color, s.x, s.y, font, tikzText(s.text, font != ""))
	}
	return ""
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

func tikzComment(text string) string {
	return strings.Join(strings.Fields(strings.Map(typeset, text)), " ")
}
