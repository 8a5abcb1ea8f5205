package engine

import "slices"

// Sets of ranks are combined range by range: what a million ranks wait for is found in as many steps
// as there are ranges, not ranks.

// minus is the ranks of s that are not in other.
func (s Ranks) minus(other Ranks) Ranks {
	var out Ranks
	for _, r := range s {
		lo := r.Lo
		for _, o := range other[other.firstUpTo(lo):] {
			if o.Lo > r.Hi || lo > r.Hi {
				break
			}
			if lo < o.Lo {
				out = append(out, Range{lo, o.Lo - 1})
			}
			lo = o.Hi + 1
		}
		if lo <= r.Hi {
			out = append(out, Range{lo, r.Hi})
		}
	}
	return out
}

// common is the ranks in both sets.
func (s Ranks) common(other Ranks) Ranks {
	if len(s) > len(other) {
		s, other = other, s
	}
	var out Ranks
	for _, r := range s {
		for _, o := range other[other.firstUpTo(r.Lo):] {
			if o.Lo > r.Hi {
				break
			}
			out = append(out, Range{max(r.Lo, o.Lo), min(r.Hi, o.Hi)})
		}
	}
	return out
}

// meets reports whether the sets have a rank in common.
func (s Ranks) meets(other Ranks) bool {
	if len(s) > len(other) {
		s, other = other, s
	}
	for _, r := range s {
		if i := other.firstUpTo(r.Lo); i < len(other) && other[i].Lo <= r.Hi {
			return true
		}
	}
	return false
}

// firstUpTo is the index of the first range that does not end before rank r.
func (s Ranks) firstUpTo(r int32) int {
	i, _ := slices.BinarySearchFunc(s, r, func(e Range, r int32) int { return int(e.Hi) - int(r) })
	return i
}
