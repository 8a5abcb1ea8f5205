package page

import (
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// drawing is a scene as a page draws it. What its cells show changes with the step, the variable and the selection, so
// that a drawing has their places, and what they stand for. Each thing is a list of numbers: its kind, the column, line,
// width and height of its place, and then
//
//	frame  nothing
//	text   a word, and what it stands for
//	cells  side by side, and how many columns each is right of the one before: what the first stands for, and for the
//	       others the difference from each to the next, and how many there are
//	block  what it shows, and what is below it: words without the letter of a communicator; then the ranks that it stands for
//	bar    the object whose ranks share the place, then these ranks, packed
//
// What a thing stands for is a kind of scene.Ref, and a rank, the id of a communicator, or the index of an object.
type drawing struct {
	Width  int     `json:"w"`
	Height int     `json:"h"`
	Flat   bool    `json:"flat,omitempty"` // cells have a single line
	Things [][]int `json:"things"`
}

// The kinds of things in a drawing, as hardware.js knows them.
const (
	drawnFrame = iota
	drawnText
	drawnCells
	drawnBar
	drawnBlock
)

// letters are what the letters of communicators consist of.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'"

// drawer makes drawings.
type drawer struct {
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
			out.Things = append(out.Things, append(place, d.word(strings.TrimSpace(t.Text)), int(t.Of.Kind), d.what(t)))
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
			out.Flat = out.Flat || t.H == 1
			out.cell(t, d.what(t))
		}
	}
	return out
}

// what returns the number of what a thing stands for.
func (d drawer) what(t *scene.Thing) int {
	switch t.Of.Kind {
	case scene.Object:
		return d.index(t.Of.Object)
	case scene.Nothing:
		return 0
	}
	return t.Of.First
}

// Where the parts of cells are in a list.
const (
	cellStep   = 5 + iota // the columns from a cell to the next
	cellKind              // the kind of what the cells stand for
	cellFirst             // what the first stands for
	cellChange            // the difference to what the next stands for
	cellCount
)

// cell adds a cell; it goes into the row of the cell before where that goes on in the same way.
func (d *drawing) cell(t *scene.Thing, what int) {
	if n := len(d.Things); n > 0 && d.Things[n-1][0] == drawnCells {
		row := d.Things[n-1]
		end := row[cellCount] - 1 // of the row: the index of the last cell
		step, change := t.X-row[1]-end*row[cellStep], what-row[cellFirst]-end*row[cellChange]
		same := row[2] == t.Y && row[3] == t.W && row[4] == t.H && row[cellKind] == int(t.Of.Kind) && step > 0
		if same && (end == 0 || step == row[cellStep] && change == row[cellChange]) {
			row[cellStep], row[cellChange], row[cellCount] = step, change, end+2
			return
		}
	}
	d.Things = append(d.Things, []int{drawnCells, t.X, t.Y, t.W, t.H, 0, int(t.Of.Kind), what, 0, 1})
}
