package scene

import (
	"strconv"
	"strings"

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

// kindNames are the kinds in the text of a scene.
var kindNames = [...]string{Area: "area", Frame: "frame", Cell: "cell", Text: "text", Arrow: "arrow"}

var stateNames = [...]string{"", "null", "unset", "waits", "free", "outside", "taken"}

// String writes the scene as text, a line for each thing: its kind, its place, what it shows and what it stands for.
func (s *Scene) String() string {
	var b strings.Builder
	b.WriteString("scene " + size(s.Width, s.Height) + "\n")
	for i := range s.Things {
		t := &s.Things[i]
		b.WriteString(kindNames[t.Kind] + " " + strconv.Itoa(t.X) + "," + strconv.Itoa(t.Y) + " " + size(t.W, t.H))
		switch t.Kind {
		case Text:
			b.WriteString(" " + strconv.Quote(t.Text))
		case Cell:
			b.WriteString(" " + strconv.Quote(t.Cell.Text))
			if t.Under != "" {
				b.WriteString(" over " + strconv.Quote(t.Under))
			}
			if t.Cell.Slot >= 0 {
				b.WriteString(" slot " + strconv.Itoa(t.Cell.Slot))
			}
			if state := stateNames[t.Cell.State]; state != "" {
				b.WriteString(" " + state)
			}
		}
		if name := t.Name(); name != "" {
			b.WriteString(" = " + name)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func size(w, h int) string { return strconv.Itoa(w) + "x" + strconv.Itoa(h) }
