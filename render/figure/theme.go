package figure

import (
	"fmt"
	"strings"

	"commsplit/render/paint"
)

// Theme is the colors of an SVG picture: light, dark, or auto, which follows the viewer's preference.
type Theme string

// The themes.
const (
	Auto  Theme = "auto"
	Light Theme = "light"
	Dark  Theme = "dark"
)

// Themes lists the names of the themes.
func Themes() []string { return []string{string(Auto), string(Light), string(Dark)} }

// shade is the colors of a theme: hwloc's palette on white, or its counterpart on black. fills has the color of
// each class of boxes.
type shade struct {
	paper, text, quiet, line string
	fills                    map[string]string
	dark                     bool // take the dark colors of communicators from package paint
}

var lightShade = shade{
	paper: "#ffffff", text: "#000000", quiet: "#555555", line: "#000000",
	fills: map[string]string{"package": "#d2e7a4", "die": "#e7ffb5", "core": "#bebebe", "memory": "#efdfde", "plain": "#ffffff"},
}

var darkShade = shade{
	paper: "#16181c", text: "#f2f2f2", quiet: "#b4b4b4", line: "#9a9a9a", dark: true,
	fills: map[string]string{"package": "#3d4a24", "die": "#4a5a2b", "core": "#4c4c4c", "memory": "#4e3c3b", "plain": "#202329"},
}

// Variables returns the colors of a theme, light or dark, as CSS variables: --paper, --package; --p0 is the
// background of a cell with color slot 0, --t0 the color of its text.
func Variables(t Theme) string {
	s := &lightShade
	if t == Dark {
		s = &darkShade
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--paper:%s;--text:%s;--quiet:%s;--line:%s;", s.paper, s.text, s.quiet, s.line)
	for _, class := range boxClasses {
		fmt.Fprintf(&b, "--%s:%s;", class, s.fills[class])
	}
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

// boxClasses are the classes of boxes.
var boxClasses = []string{"plain", "package", "die", "core", "memory"}

// css returns the CSS rules of a shade, with the color slots in used only.
func (s *shade) css(used []int) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".paper{fill:%s}text{fill:%s}.quiet{fill:%s}.line{stroke:%s;fill:none}.box{stroke:%s}", s.paper, s.text, s.quiet, s.line, s.line)
	for _, class := range boxClasses {
		fmt.Fprintf(&b, ".%s{fill:%s}", class, s.fills[class])
	}
	for _, slot := range used {
		fill, text := paint.FillRGB(slot, s.dark)
		fmt.Fprintf(&b, ".p%d{fill:%s}.t%d{fill:%s}.s%d{stroke:%s}", slot, fill, slot, text, slot, paint.InkRGB(slot, s.dark))
	}
	return b.String()
}
