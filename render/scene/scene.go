// Package scene holds pictures before they are drawn: a Scene is things with places on a grid of characters. A
// layout (package boxes, lanes or picture) makes a scene for a width and a height, and decides everything; a paper
// draws a scene and decides nothing. The paper for terminals is here, those for documents are in package figure.
//
// The model: a cell of the grid is one character wide and one line high. Papers for documents draw it 8 by 16
// pixels. A thing has a kind, a place, a look, and what it stands for, by which it is selected, explained and read
// aloud. What stands later in the list covers what stands before it.
package scene

import (
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Scene is a picture, arranged.
type Scene struct {
	Title         string // names the picture, for documents
	Says          string // in words, for readers who do not see the picture
	Width, Height int
	Things        []Thing
}

// Thing is a part of a picture.
type Thing struct {
	Kind       Kind
	X, Y, W, H int
	Text       string     // of a text
	Ink        paint.Ink  // of a text or a frame
	Dashed     bool       // of a frame
	Cover      bool       // of a text: it interrupts the frame behind it
	Cell       paint.Cell // of a cell: communicator, state, and what is in its middle line
	Under      string     // of a cell: the line below its middle
	Big        bool       // of a cell: letters as large as there is room for
	Of         Ref
	From       int    // of a cell that appears: the In of the cell that it comes from
	Says       string // what it shows, for readers who hear it: "rank 2 of communicator A"
}

// Kind is the kind of a thing.
type Kind uint8

// The kinds of things.
const (
	Area  Kind = iota // a place that stands for something and draws nothing: a lane, the inside of a frame
	Frame             // a border around other things
	Cell              // a rank, several ranks in one state, or a place for a rank, on the color of its communicator
	Text              // a line of text in one ink; an ink that fills colors the line behind the text
	Arrow             // from its left to its right end, or down where it is higher than wide
)

// Ref is what a thing stands for; the zero Ref stands for nothing.
type Ref struct {
	Kind RefKind
	// First is a world rank, the id of a communicator, or the number of a step. Of several ranks, First, First+Step,
	// ... are N ranks.
	First, Step, N int
	Object         *hw.Object // of Object; of ranks and of places without one, where they are
	In             int        // of ranks: 1 + the id of the communicator whose members the picture shows; 0: none
}

// RefKind is the kind of what a Ref refers to.
type RefKind uint8

// The kinds of references.
const (
	Nothing RefKind = iota
	Ranks
	Communicator
	Object
	Step
)

// Rank refers to a world rank, on an object or nil.
func Rank(world int, on *hw.Object) Ref { return Ref{Ranks, world, 1, 1, on, 0} }

// Comm refers to a communicator.
func Comm(id int) Ref { return Ref{Kind: Communicator, First: id} }

// On refers to an object; nil is nothing.
func On(o *hw.Object) Ref {
	if o == nil {
		return Ref{}
	}
	return Ref{Kind: Object, Object: o}
}

// Rank returns the world rank of a reference to a single rank; -1 for other references.
func (r Ref) Rank() int {
	if r.Kind == Ranks && r.N == 1 {
		return r.First
	}
	return -1
}

// Has reports whether a column of a line belongs to the thing.
func (t *Thing) Has(x, y int) bool { return x >= t.X && x < t.X+t.W && y >= t.Y && y < t.Y+t.H }

// At returns the innermost thing at a column of a line that stands for something; nil where there is none.
func (s *Scene) At(x, y int) *Thing {
	for i := range slices.Backward(s.Things) {
		if t := &s.Things[i]; t.Of.Kind != Nothing && t.Has(x, y) {
			return t
		}
	}
	return nil
}

// Of returns the things that stand for something, but for areas, from the first to the last.
func (s *Scene) Of() []*Thing {
	var list []*Thing
	for i := range s.Things {
		if t := &s.Things[i]; t.Of.Kind != Nothing && t.Kind != Area {
			list = append(list, t)
		}
	}
	return list
}

// Add adds a thing.
func (s *Scene) Add(t Thing) { s.Things = append(s.Things, t) }

// Put adds a text, and returns the column behind it.
func (s *Scene) Put(x, y int, text string, k paint.Ink) int {
	w := paint.Width(text)
	if text != "" {
		s.Add(Thing{Kind: Text, X: x, Y: y, W: w, H: 1, Text: text, Ink: k})
	}
	return x + w
}

// Line adds the spans of a line, and returns the column behind them.
func (s *Scene) Line(x, y int, l paint.Line) int {
	for _, span := range l {
		x = s.Put(x, y, span.Text, span.Ink)
	}
	return x
}

// Lines adds lines below all that is there.
func (s *Scene) Lines(list ...paint.Line) {
	for _, l := range list {
		s.Width = max(s.Width, s.Line(0, s.Height, l))
		s.Height++
	}
}

// Say adds a text below all that is there, in lines of the width.
func (s *Scene) Say(text string, width int, k paint.Ink) {
	for _, line := range paint.Wrap(text, width) {
		s.Lines(paint.Text(line, k))
	}
}

// Join adds the things of another scene, moved by x and y, and grows to hold them.
func (s *Scene) Join(o *Scene, x, y int) {
	for _, t := range o.Things {
		t.X, t.Y = t.X+x, t.Y+y
		s.Add(t)
	}
	s.Width, s.Height = max(s.Width, x+o.Width), max(s.Height, y+o.Height)
}

// Below adds another scene below, with so many blank lines between them.
func (s *Scene) Below(o *Scene, gap int) {
	if o == nil || o.Height == 0 {
		return
	}
	if s.Height == 0 {
		gap = 0
	}
	s.Join(o, 0, s.Height+gap)
}

// Row writes texts and cells from left to right.
type Row struct {
	scene *Scene
	x, y  int
}

// Row returns a row that begins at the left edge of a line.
func (s *Scene) Row(y int) *Row { return &Row{s, 0, y} }

// Width returns the column behind what was written.
func (r *Row) Width() int { return r.x }

// Add writes a text.
func (r *Row) Add(text string, k paint.Ink) { r.x = r.scene.Put(r.x, r.y, text, k) }

// Line writes the spans of a line.
func (r *Row) Line(l paint.Line) { r.x = r.scene.Line(r.x, r.y, l) }

// Pad goes on to a column, unless the row is there already.
func (r *Row) Pad(column int) { r.x = max(r.x, column) }

// Cell writes a cell, whose place the row sets but for its width and height.
func (r *Row) Cell(t Thing) {
	t.Kind, t.X, t.Y = Cell, r.x, r.y
	r.scene.Add(t)
	r.x += t.W
}

// Name names what a thing stands for, and says what it shows of it: "world rank 4, rank 0 of communicator B". It is
// "" for a thing that stands for nothing and says nothing.
func (t *Thing) Name() string {
	name := ""
	switch r := &t.Of; {
	case r.Kind == Ranks && r.N == 1:
		name = "world rank " + strconv.Itoa(r.First)
	case r.Kind == Ranks:
		name = "world ranks " + render.Run{First: r.First, Step: r.Step, N: r.N}.String()
	case r.Kind == Communicator && t.Kind == Cell:
		name = "communicator " + t.Cell.Text
	case r.Kind == Object && t.Kind == Text:
		name = t.Text
	case r.Kind == Object && t.Kind == Cell:
		name = r.Object.TypeName() + " L#" + strconv.Itoa(r.Object.LogicalIndex) + ", no rank"
	}
	switch {
	case name == "":
		return t.Says
	case t.Says != "":
		name += ", " + t.Says
	}
	if t.Kind == Cell && t.Cell.Lit {
		name += ", in the selection"
	}
	return name
}
