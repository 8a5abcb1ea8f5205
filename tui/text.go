package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"commsplit/render"
	"commsplit/render/paint"
)

// wrapped breaks a text at blanks into rows of at most width columns.
func wrapped(text string, width int) []string {
	text = paint.Clean(text)
	if paint.Width(text) <= width {
		return []string{text}
	}
	return strings.Split(ansi.Wrap(text, max(width, 8), ""), "\n")
}

// paragraph adds a text in one ink to lines of at most width columns, the rows after the first
// indented.
func paragraph(out []paint.Line, text string, width, indent int, k paint.Ink) []paint.Line {
	for i, row := range wrapped(text, width-indent) {
		lead := ""
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		out = append(out, paint.Line{{Text: lead, Ink: paint.Plain}, {Text: row, Ink: k}})
	}
	return out
}

// picture turns what render drew into lines.
func picture(text string) []paint.Line {
	var out []paint.Line
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		out = append(out, paint.Text(line, paint.Plain))
	}
	return out
}

// newInks is the palette for a terminal, with the hues that render gives communicators.
func newInks(colors paint.Colors, dark bool) *paint.Palette {
	return paint.NewPalette(colors, dark, render.Hues(dark))
}

// style is how render draws into a pane.
func (m *Model) style(width int) render.Style {
	return render.Style{Width: width, Color: m.opts.Colors == paint.Colors256, Dark: m.opts.Dark}
}
