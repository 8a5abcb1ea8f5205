package render

import (
	"slices"

	"github.com/charmbracelet/lipgloss"

	"commsplit/engine"
	"commsplit/hw"
)

// What pictures that are drawn elsewhere need of ours, so that letters, seats and labels are the
// same everywhere.

// Hollow stands for a rank with MPI_COMM_NULL, NotYet for one that holds nothing yet: see Unset.
const (
	Hollow = hollow
	NotYet = notYet
)

// Letter names the k-th communicator of a partition: A..Z, a..z, AA, AB, ...
func Letter(k int) string { return letter(k) }

// Parting is the communicators that one handle holds across the ranks, with their letters.
type Parting struct{ p *parts }

// PartingOf finds the communicators of h. Ids that s does not know count as MPI_COMM_NULL.
func PartingOf(s *engine.Snapshot, h *Handle) *Parting { return &Parting{partsOf(s, h)} }

// Len is the number of communicators.
func (p *Parting) Len() int { return len(p.p.list) }

// Comm is the id of the k-th communicator.
func (p *Parting) Comm(k int) int { return p.p.list[k].id }

// Find is the index of a communicator by its id; -1 when h holds it nowhere.
func (p *Parting) Find(id int) int {
	k, ok := slices.BinarySearchFunc(p.p.list, id, func(q part, id int) int { return q.id - id })
	if !ok {
		return -1
	}
	return k
}

// Letter names the k-th communicator: "A".
func (p *Parting) Letter(k int) string { return p.p.list[k].letter }

// Place tells which communicator a world rank holds, -1 for MPI_COMM_NULL, Unset for nothing, its rank in its own group there,
// and whether that is the right group of an intercommunicator.
func (p *Parting) Place(world int) (k, rank int, right bool) {
	return int(p.p.of[world]), int(p.p.rank[world]), p.p.side[world]
}

// Cell is how a world rank is written: "A2", "A'0", Hollow or NotYet.
func (p *Parting) Cell(world int) string { return p.p.cell(int32(world)).text }

// Share is how many of some ranks one communicator has.
type Share struct {
	Part int    // index of the communicator; negative: none
	Name string // "A", "A'", Hollow or NotYet
	N    int
}

// Shares counts world ranks by communicator and side, in the order of the letters.
func (p *Parting) Shares(ranks []int32) []Share {
	var list []Share
	for _, s := range p.p.shares(ranks) {
		list = append(list, Share{int(p.p.of[s.of]), p.p.name(s.of), s.n})
	}
	return list
}

// Hues are the colors that communicators take in turn, of the 256 colors of terminals.
func Hues(dark bool) []lipgloss.Color {
	hues := partHues(dark)
	return hues[:]
}

// Seat is ranks with one binding.
type Seat struct {
	PUs   string  // the PUs of the binding when it is less than the object, else ""
	Ranks []int32 // world ranks, ascending
}

// Seats finds for every rank the smallest object that holds the PUs of its binding.
func Seats(s *engine.Snapshot) map[*hw.Object][]Seat {
	all := map[*hw.Object][]Seat{}
	for o, list := range seats(s) {
		for _, at := range list {
			all[o] = append(all[o], Seat{at.pus, at.ranks})
		}
	}
	return all
}

// Chain is the objects that share a line with o: those below it, one in the other, that cover the
// same PUs.
func Chain(o *hw.Object) []*hw.Object {
	chain := []*hw.Object{o}
	for merges(o) {
		o = o.Children[0]
		chain = append(chain, o)
	}
	return chain
}

// Label names an object as lstopo's console does: "NUMANode L#1 (P#1 30GB)".
func Label(t *hw.Topology, o *hw.Object) string { return newLabeler(t).label(o) }

// Kind is the type and the subtype of an object: "Group0(Rack)".
func Kind(t *hw.Topology, o *hw.Object) string { return newLabeler(t).kind(o) }

// RankNoun is "rank 3" or "ranks 0-3,7" in at most width columns.
func RankNoun(ranks []int32, width int) string { return rankNoun(ranks, width) }

// OrderList writes ranks whose order matters in at most width columns: "[10,8,6]".
func OrderList(ranks []int32, width int) string { return orderList(ranks, width) }

// Passed writes the arguments of a step in at most width columns: "color=[0,1]×6 key=0".
func Passed(s *engine.Step, width int) string { return arguments(s.Args, nil, width) }

// Sizes is "6 ranks", "3+4 ranks" of an intercommunicator, "1-6 ranks" of several communicators.
func Sizes(comms []*engine.CommInfo) string { return sizes(comms) }

// Plural is "1 rank", "3 ranks".
func Plural(n int, noun string) string { return plural(n, noun) }
