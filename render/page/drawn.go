package page

import (
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// drawing is a scene as a page draws it. What its cells show changes with the step, the variable and the selection, so
// that a drawing has their places, and what they stand for. Each thing is a list of numbers: its kind, the column, line,
// width and height of its place, and then
//
//	frame  nothing
//	text   a word, and what it stands for; then its look, unless that is plain
//	cells  side by side, and how many columns each is right of the one before: what the first stands for, and for the
//	       others the difference from each to the next, and how many there are
//	block  what it shows, and what is below it: words without the letter of a communicator; then the ranks that it stands for
//	own    cells side by side that show something of their own: how many columns each is right of the one before, the slot of
//	       their color, their state with rightCell and movedCell, and for each cell a word, a word below it, what it shows in
//	       words, and a rank or -1
//	bar    the object whose ranks share the place, then these ranks, packed
//
// A thing refers to its meaning by a kind of scene.Ref, with a rank, the id of a communicator, or the index of an
// object.
type drawing struct {
	Width  int     `json:"w"`
	Height int     `json:"h"`
	Things [][]int `json:"things"`

	row int // the index of the last row of cells of their own
}

// The kinds of things in a drawing, as hardware.js knows them.
const (
	drawnFrame = iota
	drawnText
	drawnCells
	drawnBar
	drawnBlock
	drawnOwn
)

// The looks of texts. Behind them come the looks with the color of a communicator behind the text.
const (
	plainLook = iota
	quietLook
	boldLook
	alarmLook
	firstSlot
)

// looks are the looks of inks.
var looks = map[paint.Ink]int{paint.Faint: quietLook, paint.Bold: boldLook, paint.Alarm: alarmLook}

// letters are all characters in the letters of communicators.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'"

// drawer makes drawings.
type drawer struct {
	own   bool // cells show something of their own
	word  func(text string) word
	index func(o *hw.Object) int    // of an object
	ranks func(o *hw.Object) packed // on an object, in the order of its places; only bars need it
}

// draw converts a scene.
func (d drawer) draw(s *scene.Scene) drawing {
	out := drawing{Width: s.Width, Height: s.Height, Things: [][]int{}}
	var around *hw.Object // of the block to which a cell without a meaning of its own belongs
	for i := range s.Things {
		t := &s.Things[i]
		place := []int{0, t.X, t.Y, t.W, t.H}
		switch {
		case t.Kind == scene.Area:
			around = t.Of.Object
		case t.Kind == scene.Frame:
			out.Things = append(out.Things, place)
		case t.Kind == scene.Text && strings.TrimSpace(t.Text) != "":
			blanks := len(t.Text) - len(strings.TrimLeft(t.Text, " "))
			place[0], place[1], place[3] = drawnText, t.X+blanks, t.W-blanks
			place = append(place, d.word(strings.TrimSpace(t.Text)), int(t.Of.Kind), d.what(t))
			look := looks[t.Ink.Unlit()]
			if slot := t.Ink.Slot(); slot >= 0 && t.Ink.Fills() {
				look = firstSlot + slot
			}
			if look > 0 {
				place = append(place, look)
			}
			out.Things = append(out.Things, place)
		case t.Kind == scene.Cell && d.own:
			out.ownCell(t, d.word)
		case t.Kind == scene.Cell && t.Of.Kind == scene.Nothing && around != nil:
			place[0] = drawnBar
			place = append(place, d.index(around))
			for _, n := range d.ranks(around) {
				place = append(place, int(n))
			}
			out.Things = append(out.Things, place)
		case t.Kind == scene.Cell && t.Of.N > 1:
			place[0] = drawnBlock
			upper, lower := strings.TrimLeft(t.Cell.Text, letters), strings.TrimPrefix(t.Under, "w")
			out.Things = append(out.Things, append(place, d.word(upper), d.word(lower), t.Of.First, t.Of.Step, t.Of.N))
		case t.Kind == scene.Cell:
			out.cell(t, placeOf(t), d.what(t))
		}
	}
	return out
}

// what returns the number of the rank, communicator or object that a thing stands for.
func (d drawer) what(t *scene.Thing) int {
	switch t.Of.Kind {
	case scene.Object:
		return d.index(t.Of.Object)
	case scene.Nothing:
		return 0
	}
	return t.Of.First
}

// Places of which the page must know more than that no rank is there; the page knows the numbers, too.
const (
	barredPlace = -1 - iota
	takenPlace
)

// placeOf returns the kind of what a cell stands for, or barredPlace or takenPlace.
func placeOf(t *scene.Thing) int {
	switch t.Cell.State {
	case paint.Barred:
		return barredPlace
	case paint.Taken:
		return takenPlace
	}
	return int(t.Of.Kind)
}

// Where the parts of cells are in a list.
const (
	cellStep   = 5 + iota // the columns from a cell to the next
	cellKind              // what placeOf returns for the cells
	cellFirst             // what the first stands for
	cellChange            // the difference to what the next stands for
	cellCount
)

// These are added to the state of cells with content of their own.
const (
	rightCell = 16 << iota // of the right group of an intercommunicator
	movedCell              // differs from what stands beside it
)

// cell adds a cell: to the row of the cell before, if that goes on in the same way.
func (d *drawing) cell(t *scene.Thing, place, what int) {
	if n := len(d.Things); n > 0 && d.Things[n-1][0] == drawnCells {
		row := d.Things[n-1]
		end := row[cellCount] - 1 // of the row: the index of the last cell
		step, change := t.X-row[1]-end*row[cellStep], what-row[cellFirst]-end*row[cellChange]
		same := row[2] == t.Y && row[3] == t.W && row[4] == t.H && row[cellKind] == place && step > 0
		if same && (end == 0 || step == row[cellStep] && change == row[cellChange]) {
			row[cellStep], row[cellChange], row[cellCount] = step, change, end+2
			return
		}
	}
	d.Things = append(d.Things, []int{drawnCells, t.X, t.Y, t.W, t.H, 0, place, what, 0, 1})
}

// Where the parts of cells with content of their own are in a list.
const (
	ownStep = 5 + iota
	ownSlot
	ownState
	ownFirst
	ownParts = 4 // of each cell
)

// ownCell adds a cell with content of its own: to the row of the cell before, if that goes on in the same way.
func (d *drawing) ownCell(t *scene.Thing, word func(text string) word) {
	upper := t.Cell.Fitting(t.W)
	cell := []int{word(upper), word(t.Under), word(t.Says), t.Of.Rank()}
	state := int(t.Cell.State)
	if t.Cell.Right {
		state |= rightCell
	}
	if t.Cell.Moved {
		state |= movedCell
	}
	if len(d.Things) > d.row && d.Things[d.row][0] == drawnOwn {
		row := d.Things[d.row]
		count := (len(row) - ownFirst) / ownParts
		step := t.X - row[1] - (count-1)*row[ownStep]
		if row[2] == t.Y && row[3] == t.W && row[4] == t.H && row[ownSlot] == t.Cell.Slot && row[ownState] == state &&
			step > 0 && (count == 1 || step == row[ownStep]) {
			row[ownStep] = step
			d.Things[d.row] = append(row, cell...)
			return
		}
	}
	d.row = len(d.Things)
	d.Things = append(d.Things, append([]int{drawnOwn, t.X, t.Y, t.W, t.H, 0, t.Cell.Slot, state}, cell...))
}
