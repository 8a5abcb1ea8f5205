package engine

import (
	"cmp"
	"slices"
)

// places tells where the call was made: where its processes are, or were when it is nonblocking.
func (op *operation) places(w *World) []Place {
	if !op.call.nonblocking() {
		return w.places(op.members())
	}
	return placesBy(op.members(), func(slot int) Site { return op.x[slot].(*Request).site })
}

// places tells where processes are that wait in a call.
func (w *World) places(members []int32) []Place {
	return placesBy(members, func(i int) Site { return w.procs[members[i]].site })
}

// placesBy joins the processes that are at one place, in order of their lowest rank.
func placesBy(members []int32, site func(i int) Site) []Place {
	first := site(0)
	same := true
	for i := range members {
		if site(i) != first {
			same = false
			break
		}
	}
	if same {
		if first == (Site{}) {
			return nil
		}
		return []Place{{RanksOf(members...), first}}
	}
	bySite := map[Site][]int32{}
	for i, m := range members {
		bySite[site(i)] = append(bySite[site(i)], m)
	}
	var list []Place
	for s, who := range bySite {
		list = append(list, Place{RanksOf(who...), s})
	}
	slices.SortFunc(list, func(a, b Place) int { return cmp.Compare(a.Ranks.First(), b.Ranks.First()) })
	return list
}
