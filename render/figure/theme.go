package figure

import (
	"fmt"
	"strings"

	"commsplit/render/paint"
)

// Theme is the colors of an SVG picture: light, dark, or auto, which is what the viewer prefers.
type Theme string

// The themes.
const (
	Auto  Theme = "auto"
	Light Theme = "light"
	Dark  Theme = "dark"
)

// Themes lists the names of the themes.
func Themes() []string { return []string{string(Auto), string(Light), string(Dark)} }

// shade is the colors of a theme: hwloc's palette on white, and its counterpart on black. A class of
// the picture is drawn in the color of its name.
type shade struct {
	paper, text, quiet, line string
	fills                    map[string]string
	parts                    [paint.PartInks]string
	onPart                   string // the color of text on those
}

var lightShade = shade{
	paper: "#ffffff", text: "#000000", quiet: "#555555", line: "#000000", onPart: "#ffffff",
	fills: map[string]string{"package": "#d2e7a4", "die": "#e7ffb5", "core": "#bebebe", "memory": "#efdfde", "plain": "#ffffff"},
	parts: [paint.PartInks]string{"#b84f00", "#005faf", "#007a55", "#7a5500", "#9c4e77", "#00708f", "#af0000", "#585858"},
}

var darkShade = shade{
	paper: "#16181c", text: "#f2f2f2", quiet: "#b4b4b4", line: "#9a9a9a", onPart: "#000000",
	fills: map[string]string{"package": "#3d4a24", "die": "#4a5a2b", "core": "#4c4c4c", "memory": "#4e3c3b", "plain": "#202329"},
	parts: [paint.PartInks]string{"#ffaf00", "#5fafff", "#2fc79f", "#f0f05f", "#e39bc0", "#35d0ff", "#ff9a78", "#d0d0d0"},
}

// Variables is the colors of a theme, light or dark, as variables of CSS: --paper, --package, --p0.
func Variables(t Theme) string {
	s := &lightShade
	if t == Dark {
		s = &darkShade
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--paper:%s;--text:%s;--quiet:%s;--line:%s;--on:%s;", s.paper, s.text, s.quiet, s.line, s.onPart)
	for _, class := range boxClasses {
		fmt.Fprintf(&b, "--%s:%s;", class, s.fills[class])
	}
	for i, color := range s.parts {
		fmt.Fprintf(&b, "--p%d:%s;", i, color)
	}
	return b.String()
}

// boxClasses are the kinds of boxes.
var boxClasses = []string{"plain", "package", "die", "core", "memory"}

// css is the rules of a shade.
func (s *shade) css() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".paper{fill:%s}text{fill:%s}.quiet{fill:%s}.line{stroke:%s;fill:none}.box{stroke:%s}", s.paper, s.text, s.quiet, s.line, s.line)
	for _, class := range boxClasses {
		fmt.Fprintf(&b, ".%s{fill:%s}", class, s.fills[class])
	}
	for i, color := range s.parts {
		fmt.Fprintf(&b, ".p%d{fill:%s}", i, color)
	}
	fmt.Fprintf(&b, ".on{fill:%s}", s.onPart)
	return b.String()
}
