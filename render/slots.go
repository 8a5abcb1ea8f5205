package render

import (
	"cmp"
	"slices"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/render/paint"
)

// Slot is the slot of the k-th communicator's color; of a negative one, paint.NoSlot. As many communicators as
// there are slots take them in order. Of more than these, those whose ranks run side by side have different
// ones: on neighboring cores, and on the same core of neighboring hosts, which pictures draw one above the
// other.
func (p *Parting) Slot(k int) int {
	switch {
	case k < 0:
		return paint.NoSlot
	case p.after+len(p.list) <= paint.Slots:
		return p.after + k
	}
	p.slotsOnce.Do(func() { p.slots = p.assignSlots() })
	return int(p.slots[k])
}

// SlotOf is the slot of a world rank's communicator; paint.NoSlot when it has none.
func (p *Parting) SlotOf(world int) int { return p.Slot(int(p.of[world])) }

// assignSlots goes through the communicators in the order of their letters. Each takes the slot of its turn, or
// the next one that none of its neighbors has. Only one with as many neighbors as there are slots may find none.
func (p *Parting) assignSlots() []uint8 {
	beside := p.neighbors()
	slots := make([]uint8, len(p.list))
	for k := range slots {
		var taken [paint.Slots]bool
		for _, other := range beside[k] {
			if int(other) < k {
				taken[slots[other]] = true
			}
		}
		slot := k % paint.Slots
		for range paint.Slots {
			if !taken[slot] {
				break
			}
			slot = (slot + 1) % paint.Slots
		}
		slots[k] = uint8(slot)
	}
	return slots
}

// neighbors lists for each communicator those that run beside it, some of them several times.
func (p *Parting) neighbors() [][]int32 {
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

// hostRows are the world ranks of each host in the order of their PUs; of a world without hardware, all.
func hostRows(s *engine.Snapshot) [][]int32 {
	if s.Topology == nil || s.Bindings == nil {
		return [][]int32{ascendingRanks(s.Size)}
	}
	at := logicalPUs(s.Topology)
	rows := make([][]int32, len(s.Topology.Hosts))
	for r, b := range s.Bindings {
		rows[b.Host] = append(rows[b.Host], int32(r))
	}
	for host, row := range rows {
		place := func(r int32) int { return at[host][s.Bindings[r].CPUSet.First()] }
		slices.SortStableFunc(row, func(a, b int32) int { return cmp.Compare(place(a), place(b)) })
	}
	return rows
}

// logicalPUs is, for each host, the logical index of PUs by their index of the operating system.
func logicalPUs(t *hw.Topology) []map[int]int {
	at := make([]map[int]int, len(t.Hosts))
	index := make(map[*hw.Object]int, len(t.Hosts))
	for i, h := range t.Hosts {
		at[i], index[h] = map[int]int{}, i
	}
	for _, pu := range t.Objects(hw.PU) {
		at[index[pu.Host()]][pu.OSIndex] = pu.LogicalIndex
	}
	return at
}

func ascendingRanks(n int) []int32 {
	list := make([]int32, n)
	for r := range list {
		list[r] = int32(r)
	}
	return list
}
