package edit

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// screen draws the line that is edited, in the rows of the terminal that begin where the cursor was when the
// prompt came. The rows above scroll as usual.
type screen struct {
	prompt, more string
	colored      bool // the terminal shows proposals of the history in another color than typed text
	over         bool // the line is drawn for the last time: nothing is proposed
	row          int  // where the cursor is, below the first row
	columns      int  // of the window when the line was drawn last; 0: not drawn yet
}

// cell is a character on the screen, one or two columns wide.
type cell struct {
	text  string
	width int
	ink   paint.Ink
	runes int // of the line; 0: the cell belongs to the prompt or to a proposal
}

// blanksOfTab is how many columns a tab has, wherever it stands.
const blanksOfTab = 4

// cells cuts a text into the characters that a person sees.
func cells(text string, ink paint.Ink, typed bool) []cell {
	var list []cell
	for len(text) > 0 {
		cluster, width := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = text[len(cluster):]
		c := cell{text: paint.Clean(cluster), width: width, ink: ink}
		switch {
		case cluster == "\t":
			c.width = blanksOfTab
		case c.text != cluster:
			c.width = paint.Width(c.text)
		}
		if typed {
			c.runes = len([]rune(cluster))
		}
		list = append(list, c)
	}
	return list
}

// row is a row of the terminal.
type row struct {
	cells []cell
	width int
	runs  bool // the line goes on in the next row because this row is full: no newline is written between them
}

// write writes the cells, those of one ink at once.
func (r *row) write(b *strings.Builder, p *paint.Palette) {
	line := make(paint.Line, 0, 4)
	for _, c := range r.cells {
		if n := len(line); n > 0 && line[n-1].Ink == c.ink {
			line[n-1].Text += c.text
		} else {
			line.Add(c.text, c.ink)
		}
	}
	for _, span := range line {
		p.Put(b, span.Text, span.Ink)
	}
}

// layout lays the line out in rows, and finds the place of the cursor.
type layout struct {
	columns int
	rows    []row
	left    int // runes still to come before the cursor
	at, col int // the cursor's row and column; at -1: not reached yet
}

func (l *layout) last() *row { return &l.rows[len(l.rows)-1] }

func (l *layout) begin(runs bool) {
	if len(l.rows) > 0 {
		l.last().runs = runs
	}
	l.rows = append(l.rows, row{})
}

// put appends a cell to the last row, or to a new row where the last is full.
func (l *layout) put(c cell) {
	if r := l.last(); r.width+c.width > l.columns && r.width > 0 {
		l.begin(r.width == l.columns)
	}
	if l.left == 0 && l.at < 0 && c.runes > 0 {
		l.here()
	}
	if l.at < 0 {
		l.left = max(l.left-c.runes, 0)
	}
	r := l.last()
	r.cells = append(r.cells, c)
	r.width += c.width
}

// here puts the cursor at the end of the last row.
func (l *layout) here() {
	if l.last().width >= l.columns {
		l.begin(false)
	}
	l.at, l.col = len(l.rows)-1, l.last().width
}

// lay lays out a line.
func (s *screen) lay(e *Editor, columns int) *layout {
	l := &layout{columns: columns, left: e.Cursor(), at: -1}
	l.begin(false)
	prompt, ink := s.prompt, paint.Accent
	if e.Searching() {
		prompt = e.SearchPrompt()
	}
	for i, line := range strings.Split(e.Text(), "\n") {
		if i > 0 {
			if l.left == 0 && l.at < 0 {
				l.here()
			}
			l.left = max(l.left-1, 0)
			l.begin(false)
			prompt = s.more
		}
		for _, c := range cells(prompt, ink, false) {
			l.put(c)
		}
		for _, c := range cells(line, paint.Plain, true) {
			l.put(c)
		}
	}
	if l.at < 0 {
		l.here()
	}
	return l
}

// draw returns the text that writes the line over the line drawn before, and leaves the cursor in its place. A line
// that is higher than the window shows in part.
func (s *screen) draw(e *Editor, p *paint.Palette, columns, rows int) string {
	if columns <= 0 {
		columns = 80
	}
	l := s.lay(e, max(columns, 2))
	if !s.over {
		s.propose(l, e)
	}
	first := 0
	if rows > 0 && !s.over {
		first = max(min(l.at-rows/2, len(l.rows)-rows), 0)
		l.rows = l.rows[first:min(first+rows, len(l.rows))]
	}
	if s.columns != 0 && s.columns != columns {
		s.row = l.at - first // most terminals wrap their text again, and keep the cursor at its character
	}
	s.columns = columns
	var b strings.Builder
	up(&b, s.row)
	for i, r := range l.rows {
		r.write(&b, p)
		if r.width < l.columns { // in a full row this would erase the last character, too
			b.WriteString("\x1b[K")
		}
		if i < len(l.rows)-1 && !r.runs {
			b.WriteString("\r\n")
		}
	}
	if l.last().width >= l.columns {
		b.WriteString("\r\n") // the cursor would wait behind the last column
		l.rows = append(l.rows, row{})
	}
	b.WriteString("\x1b[J")
	s.row = l.at - first
	up(&b, len(l.rows)-1-s.row)
	if l.col > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", l.col)
	}
	return b.String()
}

// propose adds the proposal of the history behind the line, as far as there is room in its row, and the words of
// Tab below the line.
func (s *screen) propose(l *layout, e *Editor) {
	room := l.columns - l.last().width - 1
	if ghost := strings.ReplaceAll(e.Ghost(), "\n", "↵"); ghost != "" && s.colored && room > 1 {
		for _, c := range cells(paint.Cut(paint.Clean(ghost), room), paint.Faint, false) {
			l.put(c)
		}
	}
	if e.Proposing() {
		l.begin(false)
		for _, span := range e.Proposals(l.columns - 1) {
			for _, c := range cells(span.Text, span.Ink, false) {
				l.put(c)
			}
		}
	}
}

// up writes the sequence that moves the cursor rows up, to the first column.
func up(b *strings.Builder, rows int) {
	if rows > 0 {
		fmt.Fprintf(b, "\x1b[%dA", rows)
	}
	b.WriteString("\r")
}
