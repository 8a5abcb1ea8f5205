package placement

// shifter moves processes on from objects that are full, where they are to be
// bound to the very objects that they are mapped to: as Open MPI does, to the
// next object of the host that has room, else to the nearest one before. Where
// none has, they stay.
type shifter struct {
	spots   *spots
	onHost  [][]int32
	at      []int32   // by object: its position on its host
	forward []skipper // by host
	back    []skipper
}

func newShifter(onHost [][]int32, s *spots) *shifter {
	f := &shifter{spots: s, onHost: onHost, at: make([]int32, len(s.of))}
	for _, list := range onHost {
		for i, k := range list {
			f.at[k] = int32(i)
		}
		f.forward = append(f.forward, newSkipper(len(list)))
		f.back = append(f.back, newSkipper(len(list)))
	}
	return f
}

// from is where a process goes that is mapped to an object.
func (f *shifter) from(k int32, used []int) int32 {
	if used[k] < f.spots.holds[k] {
		return k
	}
	host := f.spots.bindings[k].Host
	list := f.onHost[host]
	room := func(i int32) bool { return used[list[i]] < f.spots.holds[list[i]] }
	if i := f.forward[host].find(f.at[k], room); i < int32(len(list)) {
		return list[i]
	}
	last := int32(len(list)) - 1
	if i := f.back[host].find(last-f.at[k], func(i int32) bool { return room(last - i) }); i <= last {
		return list[last-i]
	}
	return k
}

// skipper finds the next position with room, and remembers which have none any
// more: a forest in which each position without room points further on.
type skipper []int32

func newSkipper(n int) skipper {
	s := make(skipper, n+1)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// find is the first position from i on that has room, or the one after the last.
func (s skipper) find(i int32, room func(int32) bool) int32 {
	end := int32(len(s)) - 1
	for i < end {
		if s[i] == i {
			if room(i) {
				return i
			}
			s[i] = i + 1
		}
		s[i] = s[s[i]] // halve the way
		i = s[i]
	}
	return end
}
