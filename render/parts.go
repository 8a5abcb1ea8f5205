package render

import (
	"math"
	"slices"
	"strconv"
	"sync"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Parting is a partition: the communicators that one handle holds across the ranks, with the letters and colors that
// they have in a picture.
type Parting struct {
	*seating
	letters *lettering
	turns   []int32 // as in list: how many letters of the picture come before; nil: no letters
}

// seating is a partition without letters.
type seating struct {
	list []part
	of   []int32 // by world rank: index into list; -1 for MPI_COMM_NULL, Unset for a variable that is not set
	rank []int32 // by world rank: the rank in its communicator, in its own group
	side []bool  // by world rank: in the right group of an intercommunicator
	null []int32 // world ranks with MPI_COMM_NULL
	none []int32 // world ranks with Unset

	ids        []int32 // of the handle, by world rank
	snapshot   *engine.Snapshot
	beside     [][]int32 // see neighbors
	besideOnce sync.Once
}

// part is one communicator of a partition.
type part struct {
	id   int
	info *engine.CommInfo // nil for MPI_COMM_SELF: every rank has its own
	held int              // how many ranks hold it
}

// PartingOf finds the partition of h, and gives it the letters of a picture that shows the variables in h.Beside,
// then h. Ids that the snapshot does not know, because a later step made them, count as MPI_COMM_NULL.
func PartingOf(s *engine.Snapshot, h *Handle) *Parting {
	return partings(s, append(slices.Clip(h.Beside), *h))[len(h.Beside)]
}

// PartingsOf finds the partitions of all variables of a view, and gives them the letters of a single picture.
func PartingsOf(v *View) []*Parting { return partings(v.Snapshot, v.Handles) }

func partings(s *engine.Snapshot, handles []Handle) []*Parting {
	list := make([]*Parting, len(handles))
	for i := range handles {
		list[i] = &Parting{seating: seatingOf(s, &handles[i])}
	}
	return Together(list...)
}

// Holding returns the first of the partitions that has a communicator; nil for none.
func Holding(parts []*Parting, id int) *Parting {
	if i := slices.IndexFunc(parts, func(p *Parting) bool { return p.Find(id) >= 0 }); i >= 0 {
		return parts[i]
	}
	return nil
}

// seatingOf finds the partition of h.
func seatingOf(s *engine.Snapshot, h *Handle) *seating {
	p := &seating{snapshot: s, ids: h.IDs, of: make([]int32, s.Size), rank: make([]int32, s.Size), side: make([]bool, s.Size)}
	p.list = heldParts(s, h)
	for r := range p.of {
		if p.of[r] = -1; r < len(h.IDs) && h.IDs[r] == Unset {
			p.of[r] = Unset
		}
	}
	for i := range p.list {
		p.seat(h, i)
	}
	for r, k := range p.of {
		switch {
		case k == Unset:
			p.none = append(p.none, int32(r))
		case k < 0:
			p.null = append(p.null, int32(r))
		}
	}
	return p
}

// Still reports whether p is also the partition of h in another snapshot: each rank holds the same, and runs in
// the same place. The letters may differ.
func (p *Parting) Still(s *engine.Snapshot, h *Handle) bool {
	if p.snapshot.Topology != s.Topology || p.snapshot.Size != s.Size || !slices.Equal(p.ids, h.IDs) || !slices.Equal(p.snapshot.Bindings, s.Bindings) {
		return false
	}
	known := func(s *engine.Snapshot) int32 { // communicators are numbered in the order in which they are made
		if n := len(s.Comms); n > 0 {
			return int32(s.Comms[n-1].ID)
		}
		return -1
	}
	if len(p.ids) == 0 {
		return true
	}
	last := min(known(p.snapshot), known(s))
	return slices.Max(p.ids) <= last && !slices.ContainsFunc(p.list, func(q part) bool { return q.info != s.Comm(q.id) })
}

// since returns the step that made the oldest communicator of p. No communicator of p was freed before that step.
func (p *Parting) since() int {
	first := math.MaxInt
	for _, q := range p.list {
		if q.info == nil {
			return 0
		}
		first = min(first, q.info.Step)
	}
	return first
}

// heldParts lists the communicators that h holds, by id.
func heldParts(s *engine.Snapshot, h *Handle) []part {
	seen := map[int32]bool{}
	var ids []int32
	last := int32(-1)
	for _, id := range h.IDs {
		if id == last || id < 0 || seen[id] {
			continue
		}
		last, seen[id] = id, true
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var list []part
	for _, id := range ids {
		if info := s.Comm(int(id)); info != nil || id == engine.SelfID {
			list = append(list, part{id: int(id), info: info})
		}
	}
	return list
}

// seat records, for each process that holds the i-th communicator, its rank there.
func (p *seating) seat(h *Handle, i int) {
	q := &p.list[i]
	if q.info == nil {
		for r, id := range h.IDs {
			if id == engine.SelfID {
				p.of[r] = int32(i)
				q.held++
			}
		}
		return
	}
	for side, group := range [][]int32{q.info.Group, q.info.Remote} {
		for rank, r := range group {
			if int(r) < len(h.IDs) && int(h.IDs[r]) == q.id {
				p.of[r], p.rank[r], p.side[r] = int32(i), int32(rank), side == 1
				q.held++
			}
		}
	}
}

// Len returns the number of communicators.
func (p *Parting) Len() int { return len(p.list) }

// Comm returns the id of the k-th communicator.
func (p *Parting) Comm(k int) int { return p.list[k].id }

// Find returns the index of a communicator by its id; -1 when no rank holds it in h.
func (p *Parting) Find(id int) int {
	k, ok := slices.BinarySearchFunc(p.list, id, func(q part, id int) int { return q.id - id })
	if !ok {
		return -1
	}
	return k
}

// Held returns how many ranks hold the k-th communicator.
func (p *Parting) Held(k int) int { return p.list[k].held }

// Without returns the world ranks that hold no communicator: null are those with MPI_COMM_NULL, none those with
// Unset.
func (p *Parting) Without() (null, none []int32) { return p.null, p.none }

// Letter returns the letter of the k-th communicator: "A".
func (p *Parting) Letter(k int) string { return Letter(int(p.turns[k])) }

// Place returns the index of the communicator that a world rank holds, -1 for MPI_COMM_NULL, Unset for none; its
// rank in its own group there; and whether that is the right group of an intercommunicator.
func (p *Parting) Place(world int) (k, rank int, right bool) {
	return int(p.of[world]), int(p.rank[world]), p.side[world]
}

// Alike reports whether a world rank has the same place in both partitions: the same rank in the communicator with
// the same index.
func (p *Parting) Alike(q *Parting, world int) bool {
	return p.of[world] == q.of[world] && (p.of[world] < 0 || p.rank[world] == q.rank[world] && p.side[world] == q.side[world])
}

// Cell returns the text of a world rank: "A2", "A'0", Hollow or NotYet.
func (p *Parting) Cell(world int) string { return p.cell(int32(world)).Text }

// Name returns the text of a world rank's communicator: "A", "A'", Hollow or NotYet.
func (p *Parting) Name(world int) string { return p.name(int32(world)) }

// name returns the text of a rank's communicator: the letter, with a prime for the right group of an
// intercommunicator, or the sign for no communicator.
func (p *Parting) name(r int32) string {
	k := p.of[r]
	switch {
	case k == Unset:
		return NotYet
	case k < 0:
		return Hollow
	case p.side[r]:
		return p.Letter(int(k)) + "'"
	}
	return p.Letter(int(k))
}

// ink returns the color of a rank's communicator.
func (p *Parting) ink(r int32) paint.Ink {
	if k := p.of[r]; k >= 0 {
		return paint.Part(p.Slot(int(k)))
	}
	return paint.Faint
}

// cell returns a rank as pictures show it: "A2", or the sign for no communicator.
func (p *Parting) cell(r int32) paint.Span {
	if p.of[r] < 0 {
		return styled(p.name(r), paint.Faint)
	}
	return styled(p.name(r)+strconv.Itoa(int(p.rank[r])), p.ink(r))
}

// share is how many of some ranks hold a communicator.
type share struct {
	of int32 // one of these ranks, which gives the communicator and the side
	n  int
}

// shares counts ranks by communicator and side, in the order of the communicators; ranks without a communicator
// come last.
func (p *Parting) shares(ranks []int32) []share {
	count := map[int32]*share{}
	var keys []int32
	for _, r := range ranks {
		k := p.Holding(r)
		s := count[k]
		if s == nil {
			s = &share{of: r}
			count[k] = s
			keys = append(keys, k)
		}
		s.n++
	}
	slices.Sort(keys)
	list := make([]share, len(keys))
	for i, k := range keys {
		list[i] = *count[k]
	}
	return list
}

// Holding returns a number for what a rank holds: different for different communicators and for the sides of an
// intercommunicator, ascending by id. MPI_COMM_NULL comes behind all communicators, and Unset behind
// MPI_COMM_NULL.
func (p *Parting) Holding(r int32) int32 {
	if k := p.of[r]; k < 0 {
		return math.MaxInt32 - 2 - k // MPI_COMM_NULL before Unset
	}
	k := p.of[r] * 2
	if p.side[r] {
		k++
	}
	return k
}

// alphabet is the letters of the first communicators; later communicators get two letters, then three.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Hollow is the sign of a rank with MPI_COMM_NULL, NotYet of a rank with Unset. Leads is the sign before a group's
// leader while an intercommunicator is made: "★A'".
const (
	Hollow = "○"
	NotYet = "…"
	Leads  = "★"
)

// NullWords and UnsetWords are the meanings of Hollow and NotYet.
const (
	NullWords  = "MPI_COMM_NULL"
	UnsetWords = "not set yet"
)

// Letter returns the k-th letter of a picture: A..Z, a..z, AA, AB, ...
func Letter(k int) string {
	var buf [8]byte
	i := len(buf)
	for k++; k > 0; k = (k - 1) / len(alphabet) {
		i--
		buf[i] = alphabet[(k-1)%len(alphabet)]
	}
	return string(buf[i:])
}

// maxCells is the most ranks of a place that are shown one by one.
const maxCells = 16

// cells writes ranks in at most width columns: one by one when single is set and there are few ranks, which fit;
// otherwise as counts by communicator, with an ellipsis when there are too many communicators.
func (p *Parting) cells(ranks []int32, width int, single bool) paint.Line {
	if len(ranks) == 1 || (single && len(ranks) <= maxCells) {
		if single := p.singleCells(ranks); single.Width() <= width {
			return single
		}
	}
	return p.countCells(ranks, width)
}

func (p *Parting) singleCells(ranks []int32) paint.Line {
	spans := make(paint.Line, 0, 2*len(ranks))
	for i, r := range ranks {
		if i > 0 {
			spans = append(spans, gap(1))
		}
		spans = append(spans, p.cell(r))
	}
	return spans
}

// countCells writes "A×64 B×64", or "A×64 … BL×64 (64 comms)" where the former is too wide.
func (p *Parting) countCells(ranks []int32, width int) paint.Line {
	list := p.shares(ranks)
	if spans := p.shareCells(list); spans.Width() <= width {
		return spans
	}
	end := p.shareCells(list[len(list)-1:])
	end = append(end, faint(" ("+strconv.Itoa(len(list))+" comms)"))
	room := width - end.Width() - len(" … ")
	n := 0
	for used := 0; n < len(list)-1; n++ {
		if used += paint.Width(p.shareText(list[n])) + 1; used-1 > room {
			break
		}
	}
	if n == 0 {
		return paint.Line{faint(strconv.Itoa(len(list)) + " comms")}
	}
	return append(append(p.shareCells(list[:n]), faint(" … ")), end...)
}

// shareCells writes shares side by side.
func (p *Parting) shareCells(list []share) paint.Line {
	spans := make(paint.Line, 0, 2*len(list)+2)
	for i, s := range list {
		if i > 0 {
			spans = append(spans, gap(1))
		}
		spans = append(spans, styled(p.shareText(s), p.ink(s.of)))
	}
	return spans
}

func (p *Parting) shareText(s share) string { return p.name(s.of) + "×" + strconv.Itoa(s.n) }

// HoldsInter reports whether a handle holds an intercommunicator on some rank.
func HoldsInter(v *View, h *Handle) bool {
	return slices.ContainsFunc(heldParts(v.Snapshot, h), func(q part) bool { return q.info != nil && q.info.Remote != nil })
}
