package render

import (
	"cmp"
	"slices"

	"commsplit/engine"
	"commsplit/hw"
)

// sitting is ranks with one binding, at the smallest object that holds it.
type sitting struct {
	pus   string  // the PUs of the binding when it is less than the object, else ""
	ranks []int32 // ascending
}

// seating says which ranks are written on which object.
type seating map[*hw.Object][]sitting

// seats finds the object for every rank: the deepest one whose PUs include its binding.
func seats(s *engine.Snapshot) seating {
	byBinding := map[*hw.Binding]int{}
	var bindings []*hw.Binding
	var ranks [][]int32
	for r, b := range s.Bindings {
		i, ok := byBinding[b]
		if !ok {
			i = len(bindings)
			byBinding[b] = i
			bindings, ranks = append(bindings, b), append(ranks, nil)
		}
		ranks[i] = append(ranks[i], int32(r))
	}
	all := seating{}
	for i, b := range bindings {
		o := home(s.Topology.Hosts[b.Host], b.CPUSet)
		pus := ""
		if !o.CPUSet.Equal(b.CPUSet) {
			pus = b.CPUSet.String()
		}
		all.add(o, pus, ranks[i])
	}
	for _, list := range all {
		slices.SortFunc(list, func(a, b sitting) int { return cmp.Compare(a.ranks[0], b.ranks[0]) })
	}
	return all
}

// add joins bindings that are equal without being the same.
func (t seating) add(o *hw.Object, pus string, ranks []int32) {
	list := t[o]
	for i := range list {
		if list[i].pus == pus {
			list[i].ranks = append(list[i].ranks, ranks...)
			slices.Sort(list[i].ranks)
			return
		}
	}
	t[o] = append(list, sitting{pus, ranks})
}

// home is the deepest object below o that includes the PUs of set.
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
