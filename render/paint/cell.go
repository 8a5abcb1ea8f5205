package paint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// State is what a cell stands for.
type State uint8

// The states. Each has a sign of its own, and a color besides.
const (
	Holds   State = iota // a rank with its communicator, or by itself
	Null                 // a rank with MPI_COMM_NULL: ○
	NotYet               // a rank that has not called yet: an empty cell
	Blocked              // a rank that waits in a call: !
	Vacant               // a place without a rank: ·
	Taken                // a place that several ranks share, whose cells are elsewhere: blank
)

// NoSlot is the slot of cells in no communicator's color.
const NoSlot = -1

// Cell is one rank, or several in one state, as all pictures show them: text on the color of a communicator.
type Cell struct {
	Text  string // letter and rank; not needed for Null, NotYet and Vacant
	Slot  int    // of the communicator; NoSlot for none
	State State
	Lit   bool // by the selection
	Moved bool // since the moment that this one is compared with
}

// The signs of states.
const (
	nullSign    = "○"
	blockedSign = "!"
	vacantSign  = "·"
	movedSign   = "»"
)

// label is the words of the cell, whatever the room.
func (c Cell) label() string {
	text := c.Text
	switch c.State {
	case Null:
		text = nullSign
	case NotYet, Taken:
		text = ""
	case Blocked:
		text += blockedSign
	case Vacant:
		text = vacantSign
	}
	if c.Moved {
		text = movedSign + text
	}
	return text
}

// Width is the columns that the cell needs for all its words, without blanks beside them.
func (c Cell) Width() int { return max(Width(c.label()), 1) }

// ink is how the cell is drawn.
func (c Cell) ink() Ink {
	k := Fill(c.Slot)
	switch c.State {
	case Null, NotYet:
		k = Empty
	case Blocked:
		k = Stuck
	case Vacant, Taken:
		k = Faint
	}
	if c.Moved {
		k = k.Moved()
	}
	return k
}

// Draw adds the cell to a line, exactly so many columns wide. Where its words have no room, the letter stays
// longest. What is lit stands in brackets where these have room.
func (c Cell) Draw(l *Line, width int) {
	if width <= 0 {
		return
	}
	Box(l, c.fitting(width), width, c.ink(), c.Lit)
}

// Box adds a text in the middle of so many columns, which it has to fit into, in an ink that fills. What is lit
// stands in brackets where these have room.
func Box(l *Line, text string, width int, k Ink, lit bool) {
	free := width - Width(text)
	switch {
	case !lit:
		l.Add(blanked(free/2)+text+blanked(free-free/2), k)
	case free < 2:
		l.Add(blanked(free/2)+text+blanked(free-free/2), k.Lit())
	default:
		l.Add(blanked(free/2-1)+"[", k)
		l.Add(text, k.Lit())
		l.Add("]"+blanked(free-free/2-1), k)
	}
}

// Blank adds a line of the same color above or below the words of the cell, with another text in its middle.
func (c Cell) Blank(l *Line, text string, width int) {
	k := c.ink() &^ moved
	if k == Faint {
		k = Plain
	}
	text = Cut(text, width)
	free := width - Width(text)
	l.Add(blanked(free/2)+text+blanked(free-free/2), k)
}

// fitting is the words in at most so many columns: all, else without the sign that it moved, which an underline
// tells, too, else the letter alone.
func (c Cell) fitting(width int) string {
	text := c.label()
	if Width(text) <= width {
		return text
	}
	c.Moved = false
	if text = c.label(); Width(text) <= width {
		return text
	}
	if c.State == Blocked {
		return blockedSign
	}
	if letter := strings.TrimRightFunc(text, unicode.IsDigit); letter != "" {
		text = letter
	}
	if width == 1 && Width(text) > 1 {
		_, n := utf8.DecodeRuneInString(text)
		return text[:n]
	}
	return ansi.Truncate(text, width, "…")
}

func blanked(n int) string { return strings.Repeat(" ", max(n, 0)) }
