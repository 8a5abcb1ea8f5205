package film

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// style is how a cell of the screen looks, with colors as "#rrggbb"; "" is the color of the theme.
type style struct {
	fg, bg                           string
	bold, faint, italic, under, back bool // back: foreground and background change places
}

// run is neighboring cells of a row that look alike.
type run struct {
	column, width int
	text          string
	style
}

// runsOf cuts a line of a screen into runs.
func runsOf(line string) []run {
	var list []run
	var now style
	state, column := byte(0), 0
	for len(line) > 0 {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[n:], next
		if width == 0 {
			if params, ok := strings.CutPrefix(seq, "\x1b["); ok && strings.HasSuffix(params, "m") {
				now = now.after(strings.TrimSuffix(params, "m"))
			}
			continue
		}
		// What is drawn, and what is not one column wide, stands alone: its place is then exact in every font.
		last := len(list) - 1
		if alone := width != 1 || drawn(seq); last >= 0 && !alone && list[last].style == now && !drawn(list[last].text) &&
			list[last].width == len([]rune(list[last].text)) && list[last].column+list[last].width == column {
			list[last].text += seq
			list[last].width++
		} else {
			list = append(list, run{column, width, seq, now})
		}
		column += width
	}
	return list
}

// after is the style behind a sequence that selects how text looks.
func (s style) after(params string) style {
	words := strings.FieldsFunc(params, func(r rune) bool { return r == ';' || r == ':' })
	if len(words) == 0 {
		return style{}
	}
	for len(words) > 0 {
		n, _ := strconv.Atoi(words[0])
		words = words[1:]
		switch {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.faint = true
		case n == 3:
			s.italic = true
		case n == 4:
			s.under = true
		case n == 7:
			s.back = true
		case n == 22:
			s.bold, s.faint = false, false
		case n == 23:
			s.italic = false
		case n == 24:
			s.under = false
		case n == 27:
			s.back = false
		case n == 38:
			s.fg, words = extended(words)
		case n == 48:
			s.bg, words = extended(words)
		case n == 39:
			s.fg = ""
		case n == 49:
			s.bg = ""
		case n >= 30 && n < 38:
			s.fg = color256(n - 30)
		case n >= 40 && n < 48:
			s.bg = color256(n - 40)
		case n >= 90 && n < 98:
			s.fg = color256(n - 90 + 8)
		case n >= 100 && n < 108:
			s.bg = color256(n - 100 + 8)
		}
	}
	return s
}

// extended reads the color of "5;N" or "2;R;G;B", and gives what follows it.
func extended(words []string) (color string, rest []string) {
	number := func(i int) int {
		n, _ := strconv.Atoi(words[i])
		return n
	}
	switch {
	case len(words) >= 2 && words[0] == "5":
		return color256(number(1)), words[2:]
	case len(words) >= 4 && words[0] == "2":
		return rgb(number(1), number(2), number(3)), words[4:]
	}
	return "", nil
}

// base are the sixteen colors that terminals name. They are those of a common terminal; programs cannot know.
var base = [16]string{
	"#1d1f21", "#cd3131", "#0dbc79", "#c8b900", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
	"#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
}

// color256 is a color of the table of 256: sixteen named ones, a cube of six levels, and grays.
func color256(n int) string {
	level := func(k int) int {
		if k == 0 {
			return 0
		}
		return 55 + 40*k
	}
	switch {
	case n < 0 || n > 255:
		return ""
	case n < 16:
		return base[n]
	case n < 232:
		n -= 16
		return rgb(level(n/36), level(n/6%6), level(n%6))
	}
	gray := 8 + 10*(n-232)
	return rgb(gray, gray, gray)
}

func rgb(r, g, b int) string {
	const digits = "0123456789abcdef"
	var out [7]byte
	out[0] = '#'
	for i, v := range [3]int{r, g, b} {
		v = max(0, min(v, 255))
		out[1+2*i], out[2+2*i] = digits[v>>4], digits[v&15]
	}
	return string(out[:])
}

// mixed is the color between two.
func mixed(a, b string) string {
	var v [3]int
	for i := range v {
		x, _ := strconv.ParseUint(a[1+2*i:3+2*i], 16, 8)
		y, _ := strconv.ParseUint(b[1+2*i:3+2*i], 16, 8)
		v[i] = int(x+y) / 2
	}
	return rgb(v[0], v[1], v[2])
}
