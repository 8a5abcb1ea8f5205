package render

import (
	"cmp"
	"slices"
	"sync"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/paint"
)

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
			turns[k] = l.turn(q.id)
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

// turn returns how many letters come before the letter of a communicator. It gives the next letter to a communicator
// without a letter.
func (l *lettering) turn(id int) int32 {
	for len(l.turns) <= id {
		l.turns = append(l.turns, -1)
	}
	if l.turns[id] < 0 {
		l.turns[id] = int32(l.count)
		l.count++
	}
	return l.turns[id]
}

// Free returns a letter and a slot behind those of all variables, for the k-th communicator in the picture of p
// that no variable holds.
func (p *Parting) Free(k int) (letter string, slot int) {
	turn := p.letters.count + k
	return Letter(turn), p.letters.slot(turn)
}

// Slot returns the slot of the k-th communicator's color; paint.NoSlot for a negative k. As many communicators as
// there are slots take the slots in order. Where there are more, communicators whose ranks run side by side get
// different slots: on neighboring cores, and on the same core of neighboring hosts, which pictures draw one above
// the other.
func (p *Parting) Slot(k int) int {
	if k < 0 || p.turns == nil {
		return paint.NoSlot
	}
	return p.letters.slot(int(p.turns[k]))
}

// slot returns the slot of the communicator with the turn-th letter. Behind the letters of the picture, slots
// repeat in order.
func (l *lettering) slot(turn int) int {
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
