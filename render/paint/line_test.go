package paint_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// Whatever a line contains, it takes exactly the given columns, and sends the terminal no commands except colors.
func TestWriteIsExact(t *testing.T) {
	t.Parallel()
	inks := paint.NewPalette(paint.Colors256, true)
	rapid.Check(t, func(t *rapid.T) {
		var l paint.Line
		for range rapid.IntRange(0, 5).Draw(t, "spans") {
			text := rapid.StringOfN(rapid.RuneFrom([]rune("ab \t\n\x1b[]?25l;漢字é▾│…\u0085\u202e")), 0, 12, -1).Draw(t, "text")
			l.Add(text, paint.Ink(rapid.IntRange(0, 20).Draw(t, "ink")))
		}
		width := rapid.IntRange(0, 40).Draw(t, "width")
		for _, p := range []*paint.Palette{inks, {}} {
			var b strings.Builder
			p.Write(&b, l, width)
			if got := ansi.StringWidth(b.String()); got != width {
				t.Fatalf("%q is %d columns, want %d", b.String(), got, width)
			}
			if left := ansi.Strip(b.String()); strings.ContainsAny(left, "\x1b\n\r\t") {
				t.Fatalf("%q commands the terminal", b.String())
			}
		}
	})
}

// Clean keeps text and colors, and replaces everything else.
func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                     "plain",
		"\x1b[1;31mred\x1b[0m":      "\x1b[1;31mred\x1b[0m",
		"\x1b]0;title\x07x":         "�]0;title�x",
		"\x1b[2Jgone":               "�[2Jgone",
		"a\tb":                      "a    b",
		"a\nb":                      "a�b",
		"right\u202eleft\u2028":     "right�left�",
		"\u009b31m":                 "�31m",
		"\x1b]52;c;c3RvbGVu\x1b\\!": "�]52;c;c3RvbGVu�\\!",
	} {
		if got := paint.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// Printable replaces colors, too, and keeps tabs and ends of lines. Each replaced character stays one column wide.
func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":             "plain",
		"\x1b[31mred":       "�[31mred",
		"a\tb\nc":           "a\tb\nc",
		"\u009b\u2066é\x7f": "��é�",
	} {
		if got := paint.Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := paint.OneLine("a\tb\nc\x1b"), "a b c�"; got != want {
		t.Errorf("OneLine gives %q, want %q", got, want)
	}
}

// A palette of 16 colors has no sequence of 256 colors, and a palette without color has no color sequences at all,
// but reverse video for lit text.
func TestPalettes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		colors  paint.Colors
		refused []string
	}{
		{paint.Colors16, []string{"38;5", "38;2"}},
		{paint.NoColor, []string{"38;", ";3", "[3", ";9"}},
	} {
		p := paint.NewPalette(c.colors, true)
		inks := []paint.Ink{paint.Plain, paint.Faint, paint.Bold, paint.Alarm, paint.Accent, paint.Note}
		for k := range 8 {
			inks = append(inks, paint.Part(k))
		}
		for _, k := range inks {
			if k == paint.Note && c.colors == paint.NoColor {
				continue // italics are 3, too
			}
			var b strings.Builder
			p.Write(&b, paint.Text("x", k), 1)
			for _, bad := range c.refused {
				if strings.Contains(b.String(), bad) {
					t.Errorf("colors %d, ink %d: %q has %s", c.colors, k, b.String(), bad)
				}
			}
			b.Reset()
			p.Write(&b, paint.Text("x", k.Lit()), 1)
			if !strings.Contains(b.String(), "7") {
				t.Errorf("colors %d, ink %d: lit is %q, without reverse video", c.colors, k, b.String())
			}
		}
	}
}

// A long name is cut in its middle, so that its number stays.
func TestCutMiddle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		width int
		want  string
	}{
		{"half#2", 6, "half#2"}, {"a_very_long_name_indeed#2", 17, "a_very_l…indeed#2"},
		{"a_very_long_name_indeed#2", 5, "a_…#2"}, {"abc", 2, "a…"}, {"漢字漢字#12", 7, "漢…#12"}, {"", 0, ""},
	} {
		got := paint.CutMiddle(c.name, c.width)
		if got != c.want || paint.Width(got) > c.width {
			t.Errorf("%q in %d columns is %q, want %q", c.name, c.width, got, c.want)
		}
	}
}
