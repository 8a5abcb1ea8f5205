package figure

import (
	"fmt"
	"strings"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// Theme is the colors of an SVG picture: light, dark, or auto, which follows what the viewer prefers.
type Theme string

// The themes.
const (
	Auto  Theme = "auto"
	Light Theme = "light"
	Dark  Theme = "dark"
)

// Themes lists the names of the themes.
func Themes() []string { return []string{string(Auto), string(Light), string(Dark)} }

// shade is the colors of a theme. The colors of communicators are in package paint.
type shade struct {
	paper, text, quiet, line string
	rank, none, stuck        string // behind ranks: without a letter, without a communicator, blocked
	alarm, accent            string
	dark                     bool
}

var lightShade = shade{
	paper: "#ffffff", text: "#000000", quiet: "#555555", line: "#8a8a90",
	rank: "#d3d4da", none: "#eeeef1", stuck: "#c00000", alarm: "#b00000", accent: "#0b57b0",
}

var darkShade = shade{
	paper: "#16181c", text: "#f2f2f2", quiet: "#b4b4b4", line: "#74747c", dark: true,
	rank: "#4a4c55", none: "#2c2d33", stuck: "#c00000", alarm: "#ff7a70", accent: "#7db8ff",
}

// Variables returns the colors of a theme, light or dark, as CSS variables: --paper, --rank; --p0 is the
// background of a cell with color slot 0, --t0 the color of its text.
func Variables(t Theme) string {
	s := &lightShade
	if t == Dark {
		s = &darkShade
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--paper:%s;--text:%s;--quiet:%s;--line:%s;--rank:%s;--none:%s;--stuck:%s;",
		s.paper, s.text, s.quiet, s.line, s.rank, s.none, s.stuck)
	for slot := range paint.Slots {
		fill, text := paint.FillRGB(slot, s.dark)
		fmt.Fprintf(&b, "--p%d:%s;--t%d:%s;", slot, fill, slot, text)
	}
	return b.String()
}

// SlotRules returns CSS rules that use the variables of Variables: .p0 is a cell of a communicator with color slot
// 0.
func SlotRules() string {
	var b strings.Builder
	for slot := range paint.Slots {
		fmt.Fprintf(&b, ".p%d{background:var(--p%d);color:var(--t%d)}", slot, slot, slot)
	}
	return b.String()
}

// css returns the CSS rules of a shade, with the color slots in used only.
func (s *shade) css(used []int) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".paper,.free{fill:%s}text{fill:%s}.quiet{fill:%s}.line,.frame{stroke:%s}.rank{fill:%s}.none{fill:%s;stroke:%s}"+
		".stuck{fill:%s}.on{fill:#fff}.alarm{fill:%s}.accent{fill:%s}.lit{stroke:%s}", s.paper, s.text, s.quiet, s.line, s.rank, s.none, s.line,
		s.stuck, s.alarm, s.accent, s.text)
	for _, slot := range used {
		fill, text := paint.FillRGB(slot, s.dark)
		ink := paint.InkRGB(slot, s.dark)
		fmt.Fprintf(&b, ".p%d{fill:%s}.t%d{fill:%s}text.i%d{fill:%s}.line.i%d,.frame.i%d{stroke:%s}", slot, fill, slot, text, slot, ink, slot, slot, ink)
	}
	return b.String()
}
