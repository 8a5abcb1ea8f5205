package placement

import "slices"

// shifter moves processes on from objects that are full, where they are to be
// bound to the very objects that they are mapped to: as Open MPI does, to the
// next object of the host that has room, else to the nearest one before. Where
// none has, they stay.
type shifter struct {
	spots  *spots
	onHost [][]int32
	left   []int // by host: processes that it still has room for
}

func newShifter(onHost [][]int32, s *spots) *shifter {
	f := &shifter{spots: s, onHost: onHost, left: make([]int, len(onHost))}
	for h, list := range onHost {
		for _, k := range list {
			f.left[h] += s.holds[k]
		}
	}
	return f
}

// from is where a process goes that is mapped to an object.
func (f *shifter) from(at int32, used []int) int32 {
	host := f.spots.bindings[at].Host
	if f.left[host] == 0 {
		return at
	}
	f.left[host]--
	room := func(k int32) bool { return used[k] < f.spots.holds[k] }
	if room(at) {
		return at
	}
	list := f.onHost[host]
	i, _ := slices.BinarySearch(list, at)
	if j := slices.IndexFunc(list[i:], room); j >= 0 {
		return list[i+j]
	}
	for i--; i >= 0; i-- {
		if room(list[i]) {
			return list[i]
		}
	}
	return at
}
