package paint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// State is the state of a cell's rank.
type State uint8

// The states. Each has its own sign, and a color.
const (
	Holds   State = iota // a rank with its communicator, or by itself
	Null                 // a rank with MPI_COMM_NULL: ○
	NotYet               // a rank that has not called yet: an empty cell
	Blocked              // a rank that waits in a call: !
	Vacant               // a place without a rank: ·
	Outside              // a rank without a communicator, shown by its text
	Barred               // a place that this process may not use: ×
	Taken                // a place that several ranks share, whose cells are elsewhere: blank
)

// NoSlot is the slot of cells without the color of a communicator.
const NoSlot = -1

// Cell is a rank, or several ranks in the same state, as all pictures show them: text on the color of a
// communicator.
type Cell struct {
	Text  string // letter and rank; ignored for Null, NotYet, Vacant, Barred and Taken
	Slot  int    // of the communicator; NoSlot for none
	State State
	Lit   bool // selected
	Moved bool // since the moment with which this one is compared
}

// The signs of states.
const (
	nullSign    = "○"
	blockedSign = "!"
	vacantSign  = "·"
	barredSign  = "×"
	movedSign   = "»"
)

// label returns the whole text of the cell.
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
	case Barred:
		text = barredSign
	}
	if c.Moved {
		text = movedSign + text
	}
	return text
}

// Width returns the columns that the cell needs for its whole text, without blanks beside it.
func (c Cell) Width() int { return max(Width(c.label()), 1) }

// ink returns the ink of the cell.
func (c Cell) ink() Ink {
	k := Fill(c.Slot)
	switch c.State {
	case Null, NotYet, Outside:
		k = Empty
	case Blocked:
		k = Stuck
	case Vacant, Barred, Taken:
		k = Faint
	}
	if c.Moved {
		k = k.Moved()
	}
	return k
}

// Draw adds the cell to a line, exactly width columns wide. Where its text has no room, the letter is kept
// longest. A lit cell has brackets where they have room.
func (c Cell) Draw(l *Line, width int) {
	if width <= 0 {
		return
	}
	Box(l, c.Fitting(width), width, c.ink(), c.Lit)
}

// Box adds a text in the middle of width columns, in an ink that fills. The text must fit. A lit box has brackets
// where they have room.
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

// Blank adds a line in the cell's color above or below its text, with another text in the middle, which is lit as the cell is.
func (c Cell) Blank(l *Line, text string, width int) {
	k := c.ink() &^ moved
	if k == Faint {
		k = Plain
	}
	Box(l, Cut(text, width), width, k, c.Lit && text != "")
}

// Fitting returns the text in at most width columns: the whole text, or without the sign for moved (the underline
// remains), or the letter alone.
func (c Cell) Fitting(width int) string {
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
