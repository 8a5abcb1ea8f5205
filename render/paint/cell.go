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
	Right bool // of the right group of an intercommunicator: the communicator's color is a hatch beside the text
	Draft bool // would be so after a line that is still typed: text in the communicator's color
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
	if c.Draft || c.Right {
		k = Part(c.Slot)
	}
	switch c.State {
	case Null, NotYet, Outside:
		k = Empty
	case Blocked:
		k = Stuck
	case Vacant, Barred, Taken:
		k = Faint
	}
	if c.Moved {
		k |= moved
	}
	return k
}

// Draw adds the cell to a line, exactly width columns wide. Where its text has no room, the letter is kept
// longest. A lit cell has brackets where they have room.
func (c Cell) Draw(l *Line, width int) {
	if width <= 0 {
		return
	}
	c.box(l, c.Fitting(width), width, c.ink(), c.Lit)
}

// box adds a text in the middle of width columns. The text must fit. A lit box has brackets where they have room.
func (c Cell) box(l *Line, text string, width int, k Ink, lit bool) {
	free := width - Width(text)
	left, right := c.filled(free/2), c.filled(free-free/2)
	switch {
	case !lit:
		l.Add(left+text+right, k)
	case free < 2:
		l.Add(left+text+right, k.Lit())
	default:
		l.Add(c.filled(free/2-1)+"[", k)
		l.Add(text, k.Lit())
		l.Add("]"+c.filled(free-free/2-1), k)
	}
}

// filled returns what stands beside the text: blanks, or the hatch of a right group.
func (c Cell) filled(n int) string {
	if c.Right && (c.State == Holds || c.State == Blocked) {
		return strings.Repeat("░", max(n, 0))
	}
	return strings.Repeat(" ", max(n, 0))
}

// Blank adds a line in the cell's color above or below its text, with another text in the middle, which is lit as the cell is.
func (c Cell) Blank(l *Line, text string, width int) {
	k := c.ink() &^ moved
	if k == Faint {
		k = Plain
	}
	c.box(l, Cut(text, width), width, k, c.Lit && text != "")
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
