package scene

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// Draw draws the scene for a terminal: a line of spans for each line of the grid, without the blanks at its end.
func (s *Scene) Draw() []paint.Line {
	w, h := max(s.Width, 0), max(s.Height, 0)
	c := &canvas{w, h, make([]char, w*h)}
	for i := range s.Things {
		c.thing(&s.Things[i])
	}
	lines := make([]paint.Line, h)
	for y := range lines {
		lines[y] = spans(c.chars[y*w : (y+1)*w])
	}
	return lines
}

// canvas is an area of characters. What is drawn later covers what was drawn before.
type canvas struct {
	w, h  int
	chars []char
}

// char is the content of a column: a character, or nothing in the second column of a wide character.
type char struct {
	text  string // "": a blank
	ink   paint.Ink
	under bool // covered by the wide character on its left
}

func (c *canvas) thing(t *Thing) {
	switch t.Kind {
	case Frame:
		c.frame(t)
	case Cell:
		c.cell(t)
	case Text:
		c.put(t.X, t.Y, t.Text, t.Ink)
	case Arrow:
		c.arrow(t)
	}
}

func (c *canvas) frame(t *Thing) {
	across, down := "─", "│"
	if t.Dashed {
		across, down = "╌", "╎"
	}
	c.put(t.X, t.Y, "╭"+strings.Repeat(across, t.W-2)+"╮", t.Ink)
	for y := max(t.Y+1, 0); y < min(t.Y+t.H-1, c.h); y++ {
		c.put(t.X, y, down, t.Ink)
		c.put(t.X+t.W-1, y, down, t.Ink)
	}
	c.put(t.X, t.Y+t.H-1, "╰"+strings.Repeat(across, t.W-2)+"╯", t.Ink)
}

func (c *canvas) arrow(t *Thing) {
	if t.W >= t.H {
		c.put(t.X, t.Y, strings.Repeat("─", t.W-1)+"▶", t.Ink)
		return
	}
	for y := range t.H - 1 {
		c.put(t.X, t.Y+y, "│", t.Ink)
	}
	c.put(t.X, t.Y+t.H-1, "▼", t.Ink)
}

func (c *canvas) cell(t *Thing) {
	if t.Big {
		if big := t.Cell.Big(t.W, t.H, t.Under); big != nil {
			for row, l := range big {
				c.line(t.X, t.Y+row, l)
			}
			return
		}
	}
	middle := (t.H - 1) / 2
	for row := range t.H {
		if y := t.Y + row; y < 0 || y >= c.h {
			continue
		}
		var l paint.Line
		switch row {
		case middle:
			t.Cell.Draw(&l, t.W)
		case middle + 1:
			t.Cell.Blank(&l, t.Under, t.W)
		default:
			t.Cell.Blank(&l, "", t.W)
		}
		c.line(t.X, t.Y+row, l)
	}
}

// put writes text from column x on, as far as there is room, and returns the column behind the text.
func (c *canvas) put(x, y int, text string, k paint.Ink) int {
	if y < 0 || y >= c.h {
		return x + paint.Width(text)
	}
	row := c.chars[y*c.w : (y+1)*c.w]
	for text != "" {
		one, w := text[:1], 1
		if one[0] >= utf8.RuneSelf || len(text) > 1 && text[1] >= utf8.RuneSelf {
			one, w = ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		}
		text = text[len(one):]
		if x >= 0 && x+w <= c.w && w > 0 {
			row[x] = char{one, k, false}
			for i := 1; i < w; i++ {
				row[x+i] = char{"", k, true}
			}
		}
		x += w
	}
	return x
}

// line writes the spans of a line from column x on.
func (c *canvas) line(x, y int, l paint.Line) {
	if y < 0 || y >= c.h {
		return
	}
	for _, s := range l {
		x = c.put(x, y, s.Text, s.Ink)
	}
}

// spans returns a row, without the blanks at its end.
func spans(row []char) paint.Line {
	end := len(row)
	for end > 0 && row[end-1].text == "" && !row[end-1].under {
		end--
	}
	var l paint.Line
	var b strings.Builder
	for i := 0; i < end; {
		k := row[i].ink
		b.Reset()
		for ; i < end && row[i].ink == k; i++ {
			switch {
			case row[i].under:
			case row[i].text == "":
				b.WriteByte(' ')
			default:
				b.WriteString(row[i].text)
			}
		}
		l.Add(b.String(), k)
	}
	return l
}
