package render

import (
	"math"
	"strconv"
	"testing"
)

// Text is told from what it is on by a contrast of at least 4.5 to 1 (WCAG 2, level AA), in each theme.
func TestSVGContrast(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*shade{"light": &lightShade, "dark": &darkShade} {
		check := func(what, text, on string) {
			if c := contrast(t, text, on); c < 4.5 {
				t.Errorf("%s: %s: %s on %s has a contrast of %.2f to 1", name, what, text, on, c)
			}
		}
		check("paper", s.text, s.paper)
		check("quiet on paper", s.quiet, s.paper)
		check("quiet on a box", s.quiet, s.fills["plain"])
		for class, fill := range s.fills {
			check(class, s.text, fill)
		}
		for i, fill := range s.parts {
			check("communicator "+letter(i), s.onPart, fill)
		}
		for _, class := range boxClasses {
			if s.fills[class] == "" {
				t.Errorf("%s: %s has no color", name, class)
			}
		}
	}
}

// contrast is the ratio of the relative luminances of two sRGB colors.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(color string) float64 {
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			c := float64(n) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
