package outline

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// Seat is ranks with the same binding, at the smallest object that has its PUs.
type Seat struct {
	PUs   string  // the PUs of the binding; "" when they are all PUs of the object
	Ranks []int32 // world ranks, ascending
}

// Seats finds, for every rank of a world with hardware, the smallest object that has the PUs of its binding. It
// returns the seats of each object.
func Seats(s *engine.Snapshot) map[*hw.Object][]Seat {
	byBinding := map[*hw.Binding]int32{}
	var bindings []*hw.Binding
	var counts []int
	of := make([]int32, len(s.Bindings)) // index in bindings
	for r, b := range s.Bindings {
		i, ok := byBinding[b]
		if !ok {
			i = int32(len(bindings))
			byBinding[b] = i
			bindings, counts = append(bindings, b), append(counts, 0)
		}
		of[r] = i
		counts[i]++
	}
	ranks := make([][]int32, len(bindings))
	for i, all := 0, make([]int32, len(of)); i < len(ranks); i++ {
		ranks[i], all = all[:0:counts[i]], all[counts[i]:]
	}
	for r, i := range of {
		ranks[i] = append(ranks[i], int32(r))
	}
	seats := map[*hw.Object][]Seat{}
	for i, b := range bindings {
		o := home(s.Topology.Hosts[b.Host], b.CPUSet)
		pus := ""
		if !o.CPUSet.Equal(b.CPUSet) {
			pus = b.CPUSet.String()
		}
		seats[o] = seated(seats[o], pus, ranks[i])
	}
	for _, list := range seats {
		slices.SortFunc(list, func(a, b Seat) int { return cmp.Compare(a.Ranks[0], b.Ranks[0]) })
	}
	return seats
}

// seated adds ranks to the seats of an object; bindings with equal PUs share a seat.
func seated(list []Seat, pus string, ranks []int32) []Seat {
	for i := range list {
		if list[i].PUs == pus {
			list[i].Ranks = append(list[i].Ranks, ranks...)
			slices.Sort(list[i].Ranks)
			return list
		}
	}
	return append(list, Seat{pus, ranks})
}

// home returns the deepest object at or below o that has all PUs of set.
func home(o *hw.Object, set hw.Set) *hw.Object {
	first := set.First()
	if first < 0 {
		return o
	}
	for {
		i := slices.IndexFunc(o.Children, func(c *hw.Object) bool { return c.CPUSet.Has(first) })
		if i < 0 || !set.SubsetOf(o.Children[i].CPUSet) {
			return o
		}
		o = o.Children[i]
	}
}
