package scene

import (
	"strconv"

	"codeberg.org/commsplit/commsplit/render"
)

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
