package render

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
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
	return PartingsOf(s, append(slices.Clip(h.Beside), *h))[len(h.Beside)]
}

// PartingsOf finds the partitions of some variables, and gives them the letters of a single picture.
func PartingsOf(s *engine.Snapshot, handles []Handle) []*Parting {
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
	p := &seating{snapshot: s, ids: h.IDs, of: slices.Repeat([]int32{-1}, s.Size), rank: make([]int32, s.Size), side: make([]bool, s.Size)}
	held, last := map[int32]bool{}, int32(-1)
	for r, id := range h.IDs {
		switch {
		case id == Unset:
			p.of[r] = Unset
		case id >= 0 && id != last:
			last, held[id] = id, true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(held)) {
		if info := s.Comm(int(id)); info != nil || id == engine.SelfID {
			p.list = append(p.list, part{id: int(id), info: info})
		}
	}
	for i := range p.list {
		p.seat(i)
	}
	for r, k := range p.of {
		switch {
		case k == Unset:
			p.none = append(p.none, int32(r))
		case k < 0:
			p.null = append(p.null, int32(r))
		case p.list[k].info == nil:
			p.rank[r] = 0
		}
	}
	return p
}

// seat records, for each process that holds the i-th communicator, its rank there.
func (p *seating) seat(i int) {
	q := &p.list[i]
	var left, right []int32
	if q.info == nil { // every rank has rank 0 in its own MPI_COMM_SELF
		left = ascendingRanks(len(p.ids))
	} else {
		left, right = q.info.Group, q.info.Remote
	}
	for side, group := range [][]int32{left, right} {
		for rank, r := range group {
			if int(r) < len(p.ids) && int(p.ids[r]) == q.id {
				p.of[r], p.rank[r], p.side[r] = int32(i), int32(rank), side == 1
				q.held++
			}
		}
	}
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
func (p *Parting) Cell(world int32) string {
	if p.of[world] < 0 {
		return p.Name(world)
	}
	return p.Name(world) + strconv.Itoa(int(p.rank[world]))
}

// Name returns the text of a world rank's communicator: "A", "A'" in the right group of an intercommunicator, Hollow or
// NotYet.
func (p *Parting) Name(world int32) string {
	k := p.of[world]
	switch {
	case k == Unset:
		return NotYet
	case k < 0:
		return Hollow
	case p.side[world]:
		return p.Letter(int(k)) + "'"
	}
	return p.Letter(int(k))
}

// colored returns a text in the color of a rank's communicator.
func (p *Parting) colored(text string, r int32) paint.Span {
	return styled(text, paint.Part(p.Slot(int(p.of[r]))))
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
		spans = append(spans, p.colored(p.Cell(r), r))
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
		spans = append(spans, p.colored(p.shareText(s), s.of))
	}
	return spans
}

func (p *Parting) shareText(s share) string { return p.Name(s.of) + "×" + strconv.Itoa(s.n) }

// HoldsInter reports whether a handle holds an intercommunicator on some rank.
func HoldsInter(v *View, h *Handle) bool {
	return slices.ContainsFunc(seatingOf(v.Snapshot, h).list, func(q part) bool { return q.info != nil && q.info.Remote != nil })
}

// lettering is the letters and colors of a picture. A letter stands for one communicator, whichever variables hold
// it. Letters follow the order of the variables, and inside a variable the ids.
type lettering struct {
	turns  []int32 // by id: how many letters come before; -1: the communicator has none
	count  int
	of     []*seating // the variables
	slots  []uint8    // by turn, where there are more communicators than slots
	sorted sync.Once
}

// Together gives partitions the letters for a single picture that shows all of them. Letters and colors of a
// partition do not depend on the partitions behind it.
func Together(parts ...*Parting) []*Parting {
	l := &lettering{}
	out := make([]*Parting, len(parts))
	for i, p := range parts {
		l.of = append(l.of, p.seating)
		turns := make([]int32, len(p.list))
		for k, q := range p.list {
			for len(l.turns) <= q.id {
				l.turns = append(l.turns, -1)
			}
			if l.turns[q.id] < 0 { // it has no letter yet
				l.turns[q.id] = int32(l.count)
				l.count++
			}
			turns[k] = l.turns[q.id]
		}
		out[i] = &Parting{p.seating, l, turns}
	}
	return out
}

// Lettered lists the communicators of a picture of all the partitions in the order of their letters, and the slots
// of their colors.
func Lettered(parts ...*Parting) (ids, slots []int) {
	for _, p := range Together(parts...) {
		for k, q := range p.list {
			if int(p.turns[k]) == len(ids) {
				ids, slots = append(ids, q.id), append(slots, p.Slot(k))
			}
		}
	}
	return ids, slots
}

// Unlettered returns p without letters and colors, for a picture of others in which p shows, too.
func (p *Parting) Unlettered(others []*Parting) *Parting {
	return &Parting{seating: p.seating, letters: letteringOf(others)}
}

// As returns p with the letters and colors of q: the first communicator of p gets those of the first of q, and so
// on. Where p has more communicators than q, the rest gets the letters behind.
func (p *Parting) As(q *Parting) *Parting {
	turns := make([]int32, p.Len())
	for k := range turns {
		if turns[k] = int32(q.letters.count + k - q.Len()); k < q.Len() {
			turns[k] = q.turns[k]
		}
	}
	return &Parting{p.seating, q.letters, turns}
}

// Behind returns p, of another session, for a picture of others in which p shows, too: its letters and colors come
// behind theirs.
func (p *Parting) Behind(others []*Parting) *Parting {
	l := letteringOf(others)
	turns := make([]int32, p.Len())
	for k := range turns {
		turns[k] = int32(l.count + k)
	}
	return &Parting{p.seating, l, turns}
}

// letteringOf returns the letters of a picture of partitions.
func letteringOf(parts []*Parting) *lettering {
	if len(parts) == 0 {
		return &lettering{}
	}
	return parts[0].letters
}

// Free returns a letter and a slot behind those of all variables, for the k-th communicator in the picture of p
// that no variable holds.
func (p *Parting) Free(k int) (letter string, slot int) {
	turn := p.letters.count + k
	return Letter(turn), turn % paint.Slots
}

// Slot returns the slot of the k-th communicator's color; paint.NoSlot for a negative k. As many communicators as
// there are slots take the slots in order. Where there are more, communicators whose ranks run side by side get
// different slots: on neighboring cores, and on the same core of neighboring hosts, which pictures draw one above
// the other. Behind the letters of the picture, slots repeat in order.
func (p *Parting) Slot(k int) int {
	if k < 0 || p.turns == nil {
		return paint.NoSlot
	}
	l, turn := p.letters, int(p.turns[k])
	if l.count <= paint.Slots || turn >= l.count {
		return turn % paint.Slots
	}
	l.sorted.Do(l.assignSlots)
	return int(l.slots[turn])
}

// assignSlots goes through the communicators in the order of their letters. Each takes the slot of its turn, or
// the next slot that none of its neighbors has. Only a communicator with at least as many neighbors as slots may
// find no such slot.
func (l *lettering) assignSlots() {
	l.slots = make([]uint8, l.count)
	done := make([]bool, l.count)
	for _, p := range l.of {
		beside := p.neighbors()
		for k, q := range p.list {
			turn := l.turns[q.id]
			if done[turn] {
				continue
			}
			var taken [paint.Slots]bool
			for _, other := range beside[k] {
				if at := l.turns[p.list[other].id]; done[at] {
					taken[l.slots[at]] = true
				}
			}
			slot := turn % paint.Slots
			for range paint.Slots {
				if !taken[slot] {
					break
				}
				slot = (slot + 1) % paint.Slots
			}
			l.slots[turn], done[turn] = uint8(slot), true
		}
	}
}

// neighbors lists, for each communicator, those that run beside it; a neighbor may occur several times.
func (p *seating) neighbors() [][]int32 {
	p.besideOnce.Do(func() { p.beside = p.findNeighbors() })
	return p.beside
}

func (p *seating) findNeighbors() [][]int32 {
	beside := make([][]int32, len(p.list))
	join := func(r, q int32) {
		a, b := p.of[r], p.of[q]
		if a >= 0 && b >= 0 && a != b {
			beside[a], beside[b] = append(beside[a], b), append(beside[b], a)
		}
	}
	var above []int32
	for _, row := range hostRows(p.snapshot) {
		for i, r := range row {
			if i > 0 {
				join(row[i-1], r)
			}
			if i < len(above) {
				join(above[i], r)
			}
		}
		above = row
	}
	return beside
}

// hostRows returns the world ranks of each host in the order of their PUs; without hardware, all ranks in one row.
func hostRows(s *engine.Snapshot) [][]int32 {
	if s.Topology == nil || s.Bindings == nil {
		return [][]int32{ascendingRanks(s.Size)}
	}
	pus := s.Topology.ResourceOf(hw.PU)
	rows := make([][]int32, len(s.Topology.Hosts))
	for r, b := range s.Bindings {
		rows[b.Host] = append(rows[b.Host], int32(r))
	}
	for host, row := range rows {
		place := func(r int32) int32 {
			if first := s.Bindings[r].CPUSet.First(); first >= 0 && pus != nil {
				return pus.InstanceOf(host, hw.SetOf(first))
			}
			return -1
		}
		slices.SortStableFunc(row, func(a, b int32) int { return cmp.Compare(place(a), place(b)) })
	}
	return rows
}

func ascendingRanks(n int) []int32 {
	list := make([]int32, n)
	for r := range list {
		list[r] = int32(r)
	}
	return list
}
