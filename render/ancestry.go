package render

import (
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// ancestryBoxes is the most boxes that a graph of lineage may have.
const ancestryBoxes = 56

// Ancestry is lineage as a graph: a box for each communicator, or for several communicators that a single call
// made. It has at most 56 boxes.
type Ancestry struct {
	Boxes []Box // each after the box that it was made from
	Rest  int   // how many boxes were left out
}

// Box is a single communicator, or several siblings.
type Box struct {
	Above   int    // index of the box that this box was made from, -1 for none
	Beside  int    // of an intercommunicator: index of the box of the right group, -1 for none
	Name    string // of the communicator, or of the first and the last: "half#2", "#6..#13"
	Size    string // "6 ranks"
	Ranks   string // the world ranks, "" for several communicators
	Remarks string // context ids, hardware, names given, freed, stale
	Call    string // "MPI_Comm_split color=0", "" for what is predefined
	Letter  string // of a single communicator that a variable holds; "" for others
	Slot    int    // of the letter's color
	Inter   bool   // it is an intercommunicator
	Freed   bool   // all communicators of the box are freed
}

// AncestryOf makes the graph of lineage of a view. It folds siblings until the graph has few enough boxes.
func AncestryOf(v *View) *Ancestry {
	a := &Ancestry{}
	if len(v.Snapshot.Comms) == 0 {
		return a
	}
	w, at := NewWords(v), map[int]int{}
	w.names.short = true
	parts := PartingsOf(v.Snapshot, v.Handles)
	rows := DescentOf(v.Snapshot).Fit(ancestryBoxes, 8, 4, 1)
	a.Rest = max(len(rows)-ancestryBoxes, 0)
	for i, k := range rows[:len(rows)-a.Rest] {
		b := a.box(w, parts, k.Comms)
		b.Above, b.Beside = k.Above, -1
		a.Boxes = append(a.Boxes, b)
		for _, c := range k.Comms {
			at[c.ID] = i
		}
	}
	a.join(w, at)
	return a
}

// join sets Beside: the box of an intercommunicator's right group, where that is another box than Above.
func (a *Ancestry) join(w *Words, at map[int]int) {
	for _, c := range w.view.Snapshot.Comms {
		i, drawn := at[c.ID]
		if j, known := at[c.Parent2]; drawn && known && c.Parent2 > 0 && j != a.Boxes[i].Above {
			a.Boxes[i].Beside = j
		}
	}
}

// box fills a box with what it shows of some communicators.
func (a *Ancestry) box(w *Words, parts []*Parting, comms []*engine.CommInfo) Box {
	const wide = 40
	c := comms[0]
	b := Box{Name: w.names.of(c.ID), Size: Sizes(comms), Inter: c.Remote != nil, Slot: paint.NoSlot}
	state := w.State(comms)
	b.Freed = strings.HasPrefix(state, "freed")
	b.Remarks = words(contexts(comms, contextWidth), state)
	if n := len(comms); n > 1 {
		b.Name += ".." + w.names.of(comms[n-1].ID)
		b.Size = spell.Plural(n, "communicator") + " of " + b.Size
		b.Call = words(c.Op.String(), c.Where)
		return b
	}
	if p := Holding(parts, c.ID); p != nil {
		b.Letter, b.Slot = p.Letter(p.Find(c.ID)), p.Slot(p.Find(c.ID))
	}
	b.Remarks = words(contexts(comms, contextWidth), instance(w.view.Snapshot, c), w.names.set(c.ID), state)
	b.Ranks = "world " + OrderList(c.Group, wide)
	if c.Remote != nil {
		b.Ranks = "left " + OrderList(c.Group, wide/2) + " right " + OrderList(c.Remote, wide/2)
	}
	if c.Op != engine.CallNone {
		b.Call = words(c.Op.String(), w.arguments(c, wide))
	}
	return b
}

// Lines returns what a box shows, line by line, without the call that made it.
func (b *Box) Lines() []string {
	list := []string{b.Name, b.Size}
	for _, text := range []string{b.Ranks, b.Remarks} {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// Lettered returns Lines with the letter behind the name.
func (b *Box) Lettered() []string {
	list := b.Lines()
	if b.Letter != "" {
		list[0] += " (" + b.Letter + ")"
	}
	return list
}

// Title returns the title of a picture of lineage.
func (a *Ancestry) Title() string { return "Which communicator was made from which" }

// More returns how many boxes were left out, in words; "" for none.
func (a *Ancestry) More() string {
	if a.Rest == 0 {
		return ""
	}
	return "... and " + strconv.Itoa(a.Rest) + " more"
}

// Sentences describes the boxes in words.
func (a *Ancestry) Sentences() string {
	var list []string
	for i := range a.Boxes {
		b := &a.Boxes[i]
		text := b.Lettered()[0] + ", " + b.Size
		if b.Above >= 0 {
			text += ", from " + a.Boxes[b.Above].Name
		}
		if b.Beside >= 0 {
			text += " and " + a.Boxes[b.Beside].Name
		}
		list = append(list, words(text+choose(b.Call == "", "", ", by "+b.Call))+".")
	}
	return strings.Join(list, " ")
}
