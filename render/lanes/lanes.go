// Package lanes draws communicators as lanes: a lane for each communicator, with its members in rank order, as the
// same cells as on the hardware. An intercommunicator's two groups face each other. The last lanes are of ranks
// without a communicator: those that got MPI_COMM_NULL, have not called yet, or are blocked.
//
// The model: a Source makes a Lane of communicators. A Lane has its texts and members, but no size. Drawing it
// with a Look makes lines that use exactly the room of the Look: members have a cell each if they fit, otherwise a
// progression of world ranks shares a cell, and members without room are counted.
package lanes

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Side is a group in rank order.
type Side struct {
	Label string  // which group of an intercommunicator: "local", "remote", "left", "right"
	Name  string  // before a rank in its cells: "A", "A'"; "" where cells show world ranks alone
	Group []int32 // world ranks
	Right bool    // the right group of an intercommunicator
	In    int     // 1 + the id of the communicator; 0: ranks in a state
	From  int     // 1 + the id of the communicator that it was made from; 0: none

	folded []block
}

func (s *Side) blocks() []block {
	if s.folded == nil {
		s.folded = blocksOf(s.Group)
	}
	return s.folded
}

// Lane is a communicator, several that a single call made, or ranks in one state.
type Lane struct {
	State  paint.State // Holds: the lane shows communicators
	Letter string      // "A", "A-BL"; "" where no letters are shown
	Slot   int         // of the color
	Name   string      // "half#2"; of ranks in a state, the words for the state
	Size   string      // "6 ranks"
	Word   string      // the state of the communicator: "freed", "stale"
	Gone   bool        // the communicator is freed
	Held   string      // "held by 2", when not all members hold it in the variable
	Note   string      // of a state: more about the state
	Made   func(width int) string
	Where  string // the context ids, and the site of the call
	Sides  []*Side
	Comms  []*engine.CommInfo // of a lane of several communicators

	letters *render.Parting // the partition with the letters of Comms; nil: no letters
}

// Source makes lanes of the communicators and ranks of a snapshot.
type Source struct {
	Snapshot *engine.Snapshot
	Words    *render.Words
	// Parting returns the partition that gives a communicator its letter; nil for a communicator without a letter.
	Parting func(id int) *render.Parting
	// Made returns the call that made a communicator, in at most width columns.
	Made func(c *engine.CommInfo, width int) string
}

// Lane makes the lane of a communicator, or of several that a single call made. viewer is the world rank from
// whose side an intercommunicator is seen.
func (s *Source) Lane(comms []*engine.CommInfo, viewer int) *Lane {
	c := comms[0]
	l := &Lane{Slot: paint.NoSlot, Name: s.Words.Name(c.ID), Size: SizeOf(comms), Word: s.Words.State(comms)}
	l.Gone = l.Word == "freed"
	l.Made = func(width int) string { return s.Made(c, width) }
	l.Where = s.Words.Contexts(comms)
	if c.Where != "" {
		l.Where += "  " + c.Where
	}
	p := s.Parting(c.ID)
	k := -1
	if p != nil {
		k = p.Find(c.ID)
	}
	if k >= 0 {
		l.Letter, l.Slot = p.Letter(k), p.Slot(k)
	}
	if n := len(comms); n > 1 {
		s.several(l, p, comms)
		return l
	}
	if k >= 0 && p.Held(k) < len(c.Group)+len(c.Remote) {
		l.Held = "held by " + strconv.Itoa(p.Held(k))
	}
	l.Sides = sidesOf(c, l.Letter, viewer)
	return l
}

// SizeOf returns the sizes of communicators that share a lane: "6 ranks", "64 × 64 ranks".
func SizeOf(comms []*engine.CommInfo) string {
	if n := len(comms); n > 1 {
		return strconv.Itoa(n) + " × " + render.Sizes(comms)
	}
	return render.Sizes(comms)
}

// several makes l a lane of several communicators.
func (s *Source) several(l *Lane, p *render.Parting, comms []*engine.CommInfo) {
	n := len(comms)
	l.Name += "-" + strconv.Itoa(comms[n-1].ID)
	l.Made = func(int) string { return strings.TrimPrefix(comms[0].Op.String(), "MPI_Comm_") }
	l.Comms, l.letters = comms, p
	if p != nil && l.Letter != "" {
		if k := p.Find(comms[n-1].ID); k >= 0 {
			l.Letter += "-" + p.Letter(k)
		}
	}
	l.Slot = paint.NoSlot
}

// part returns the name and the color slot of the i-th communicator of a lane of several.
func (l *Lane) part(i int) (name string, slot int) {
	id := l.Comms[i].ID
	if l.letters != nil {
		if k := l.letters.Find(id); k >= 0 {
			return l.letters.Letter(k), l.letters.Slot(k)
		}
	}
	return "#" + strconv.Itoa(id), paint.NoSlot
}

// sidesOf returns the groups of a communicator. Of an intercommunicator, the viewer's group comes first.
func sidesOf(c *engine.CommInfo, letter string, viewer int) []*Side {
	if c.Remote == nil {
		return []*Side{{Name: letter, Group: c.Group, In: c.ID + 1, From: c.Parent + 1}}
	}
	prime := letter
	if letter != "" {
		prime += "'"
	}
	left := &Side{Label: "left", Name: letter, Group: c.Group, In: c.ID + 1, From: c.Parent + 1}
	right := &Side{Label: "right", Name: prime, Group: c.Remote, Right: true, In: left.In, From: left.From}
	if c.Parent2 > 0 {
		right.From = c.Parent2 + 1
	}
	switch {
	case slices.Contains(c.Group, int32(viewer)):
		left.Label, right.Label = "local", "remote"
	case slices.Contains(c.Remote, int32(viewer)):
		left.Label, right.Label = "remote", "local"
		return []*Side{right, left}
	}
	return []*Side{left, right}
}

// mostWaits is the most calls with blocked ranks that have a lane each beside communicators.
const mostWaits = 4

// Last makes the lanes of the ranks that hold no communicator of a partition: those with MPI_COMM_NULL, those
// that have not called yet; then those that are blocked.
func (s *Source) Last(p *render.Parting) []*Lane {
	var list []*Lane
	if p != nil {
		null, none := p.Without()
		blocked := render.Blocked(s.Snapshot)
		list = without(list, paint.Null, "MPI_COMM_NULL", null)
		list = without(list, paint.NotYet, "not called yet", slices.DeleteFunc(slices.Clone(none), func(r int32) bool { return blocked != nil && blocked[r] }))
	}
	return append(list, s.Blocked(mostWaits)...)
}

// without adds the lane of ranks in a state, if there are any.
func without(list []*Lane, state paint.State, name string, ranks []int32) []*Lane {
	if len(ranks) == 0 {
		return list
	}
	return append(list, &Lane{State: state, Slot: paint.NoSlot, Name: name, Size: spell.Plural(len(ranks), "rank"), Sides: []*Side{{Group: ranks}}})
}

// Blocked makes a lane for each call in which ranks wait, with the ranks for which they wait. Of more calls than most, the
// last share a lane.
func (s *Source) Blocked(most int) []*Lane {
	var list []*Lane
	for i, w := range s.Snapshot.Waiting {
		ranks, rest := w.Ranks.List(), s.Snapshot.Waiting[i:]
		last := i == most-1 && len(rest) > 1
		for j := 1; last && j < len(rest); j++ {
			ranks = append(ranks, rest[j].Ranks.List()...)
		}
		slices.Sort(ranks)
		if list = without(list, paint.Blocked, "blocked", ranks); last {
			list[i].Note = "in " + spell.Plural(len(rest), "more call")
			return list
		}
		list[i].Made = func(width int) string { return s.waits(w, width) }
	}
	return list
}

// waits tells in which call ranks wait and for which ranks, as much of it as has room.
func (s *Source) waits(w engine.Wait, width int) string {
	const wide = 60 // of lists of ranks
	whom, doing := s.Words.Whom(w, wide)
	call := "in " + s.Words.WaitCall(w)
	for _, text := range []string{call + "  for " + whom + doing, call + "  for " + whom, call} {
		if paint.Width(text) <= width {
			return text
		}
	}
	return ""
}

// Bare makes the lane of a communicator without words: its members, in cells that have room for a letter; or the lane of
// several communicators. viewer is as for Source.Lane.
func Bare(comms []*engine.CommInfo, letter string, viewer int) *Lane {
	if len(comms) > 1 {
		return &Lane{Slot: paint.NoSlot, Comms: comms}
	}
	return &Lane{Letter: letter, Slot: paint.NoSlot, Sides: sidesOf(comms[0], letter, viewer)}
}
