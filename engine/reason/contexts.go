package reason

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
)

// Agreement tells how processes find a context id: each of them knows which ids its communicators use, and they take
// the lowest id that none of them uses. The communicators that one call makes share the id, since no process is in two
// of them.
type Agreement struct {
	Masks []Mask // the distinct masks, in order of the lowest rank
	All   string // all masks or-ed: "1" where some process uses the id
	ID    int    // the id taken or given back; -1: none
	Back  bool   // the id is given back
	Right bool   // the id is for the right groups of intercommunicators
}

// Mask tells which context ids some processes use: position i is "1" when id i is in use.
type Mask struct {
	Ranks engine.Ranks
	Bits  string
}

// agree works out, from the communicators that were alive before a call, how groups of processes agreed on a context
// id: one agreement, or on intercommunicators one for each group. Only processes that get a communicator count; in
// MPI_Comm_free and MPI_Comm_disconnect processes give the ids back.
func (c *call) agree(buckets []Bucket) []Agreement {
	back := c.step.Call == engine.CallFree || c.step.Call == engine.CallDisconnect
	if back && c.on == nil {
		return nil
	}
	rows := c.agreeing(buckets, back)
	var list []Agreement
	for side := range rows {
		if len(rows[side]) == 0 {
			continue
		}
		slices.Sort(rows[side])
		a := Agreement{ID: -1, Back: back, Right: side == 1}
		if back {
			a.ID = contextOf(c.on, side == 1)
		}
		c.meet(&a, rows[side])
		list = append(list, a)
	}
	return list
}

// agreeing returns the rows that agree on an id, by side.
func (c *call) agreeing(buckets []Bucket, back bool) (rows [2][]int) {
	if back {
		for row, right := range c.right {
			rows[sideOf(right)] = append(rows[sideOf(right)], row)
		}
		return rows
	}
	for _, b := range buckets {
		if b.Makes {
			rows[0], rows[1] = append(rows[0], b.rows[0]...), append(rows[1], b.rows[1]...)
		}
	}
	return rows
}

func sideOf(right bool) int {
	if right {
		return 1
	}
	return 0
}

// contextOf returns the context id of a communicator in its left or right group.
func contextOf(info *engine.CommInfo, right bool) int {
	if right {
		return info.Context2
	}
	return info.Context
}

// meet sets the masks of some processes and, unless they give an id back, the id that they take.
func (c *call) meet(a *Agreement, rows []int) {
	used := c.used()
	all := make([]uint64, len(used[0]))
	for _, row := range rows {
		for w, word := range used[row] {
			all[w] |= word
		}
	}
	if !a.Back {
		for a.ID = 0; has(all, a.ID); {
			a.ID++
		}
	}
	width := a.ID
	for id := range len(all) * 64 {
		if has(all, id) {
			width = max(width, id)
		}
	}
	width = (width/8 + 1) * 8
	a.All = bits(all, width)
	for _, same := range engine.ByKey(rows, func(row int) string { return bits(used[row], width) }) {
		a.Masks = append(a.Masks, Mask{c.ranks(same), bits(used[same[0]], width)})
	}
}

// used returns the context ids that each process of the call used before the call: those of communicators made and not
// yet freed. Bit id%64 of word id/64 stands for id.
func (c *call) used() [][]uint64 {
	freed := engine.FatesAfter(c.s.Steps[:c.step.Number-1]).Freed
	var alive []*engine.CommInfo
	words := 1
	for _, info := range c.s.Comms {
		if info.Step < c.step.Number && !freed[info.ID] && info.Context >= 0 {
			alive = append(alive, info)
			words = max(words, max(info.Context, info.Context2)/64+1)
		}
	}
	used := make([][]uint64, len(c.world))
	table := make([]uint64, len(c.world)*words)
	for i := range used {
		used[i], table = table[:words:words], table[words:]
	}
	for _, info := range alive {
		c.each(info, func(row, _ int, right bool) {
			id := contextOf(info, right)
			used[row][id/64] |= 1 << (id % 64)
		})
	}
	return used
}

func has(set []uint64, id int) bool { return id/64 < len(set) && set[id/64]>>(id%64)&1 == 1 }

func bits(set []uint64, width int) string {
	text := []byte(strings.Repeat("0", width))
	for id := range text {
		if has(set, id) {
			text[id] = '1'
		}
	}
	return string(text)
}
