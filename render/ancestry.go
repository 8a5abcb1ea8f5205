package render

import (
	"strings"

	"commsplit/engine"
)

// ancestryBoxes is how many boxes a graph of lineage may have.
const ancestryBoxes = 56

// ancestry is lineage as a graph: a box for each communicator, or for several that one call made.
// DOT, Mermaid and SVG draw the same one.
type ancestry struct {
	boxes []box
	rest  int // how many boxes were left out
}

// box is one communicator, or several siblings.
type box struct {
	above   int    // index of the box that it was made from, -1 for none
	name    string // "half#2", "#6..#13"
	size    string // "6 ranks"
	ranks   string // the world ranks, "" for several communicators
	remarks string // context ids, hardware, names given, freed, stale
	call    string // "MPI_Comm_split color=0", "" for what is predefined
	letter  string // of a single communicator, what it is called in pictures of the variable that holds it
	part    int    // and its place there
	inter   bool
	freed   bool
}

// newAncestry folds siblings until there are few boxes.
func newAncestry(v *View) *ancestry {
	var a *ancestry
	for _, alone := range []int{8, 4, 1} {
		a = &ancestry{}
		if len(v.Snapshot.Comms) == 0 {
			return a
		}
		f := newFamily(v, alone)
		f.names.short = true
		for _, root := range f.roots() {
			a.add(f, root, -1)
		}
		if len(a.boxes) <= ancestryBoxes {
			return a
		}
	}
	a.rest = len(a.boxes) - ancestryBoxes
	a.boxes = a.boxes[:ancestryBoxes]
	return a
}

// add adds a box and, behind it, everything made from it.
func (a *ancestry) add(f *family, comms []*engine.CommInfo, above int) {
	at := len(a.boxes)
	b := f.box(comms)
	b.above = above
	a.boxes = append(a.boxes, b)
	for _, kids := range f.below(comms) {
		a.add(f, kids, at)
	}
}

// box tells of some communicators what a box shows.
func (f *family) box(comms []*engine.CommInfo) box {
	const wide = 40
	c := comms[0]
	b := box{name: f.names.of(c.ID), size: sizes(comms), inter: c.Remote != nil}
	state := f.state(comms)
	b.freed = strings.HasPrefix(state, "freed")
	b.remarks = words(contexts(comms, contextWidth), state)
	if n := len(comms); n > 1 {
		b.name += ".." + f.names.of(comms[n-1].ID)
		b.size = plural(n, "communicator") + " of " + b.size
		b.call = words(c.Op.String(), c.Where)
		return b
	}
	b.letter, b.part = f.names.letter(c.ID)
	b.remarks = words(contexts(comms, contextWidth), instance(f.view.Snapshot, c), f.names.set(c.ID), state)
	b.ranks = "world " + orderList(c.Group, wide)
	if c.Remote != nil {
		b.ranks = "left " + orderList(c.Group, wide/2) + " right " + orderList(c.Remote, wide/2)
	}
	if c.Op != engine.CallNone {
		b.call = words(c.Op.String(), f.arguments(c, wide))
	}
	return b
}

// lines are what a box shows, one below the other, without the call that made it.
func (b *box) lines() []string {
	list := []string{b.name, b.size}
	for _, text := range []string{b.ranks, b.remarks} {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// lettered are these lines, with the letter behind the name.
func (b *box) lettered() []string {
	list := b.lines()
	if b.letter != "" {
		list[0] += " (" + b.letter + ")"
	}
	return list
}

// color is that of the communicator in other pictures.
func (b *box) color() string { return lightShade.parts[b.part%partColors] }

// title is what a picture of lineage is called.
func (a *ancestry) title() string { return "Which communicator was made from which" }

// more says how many boxes were left out, "" for none.
func (a *ancestry) more() string {
	if a.rest == 0 {
		return ""
	}
	return "... and " + itoa(a.rest) + " more"
}
