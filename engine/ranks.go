package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Ranks is an ascending set of ranks, stored as disjoint ranges, so that all of a million ranks take a
// single range. The zero value is empty. A Ranks is not modified once it is shared.
type Ranks []Range

// Range is the ranks Lo to Hi, both included.
type Range struct{ Lo, Hi int32 }

// RanksOf returns the set of these ranks, which may have any order and repeat.
func RanksOf[T ~int | ~int32](ranks ...T) Ranks {
	if !slices.IsSorted(ranks) {
		ranks = slices.Clone(ranks)
		slices.Sort(ranks)
	}
	ranges := 0
	for i, r := range ranks {
		if i == 0 || r > ranks[i-1]+1 {
			ranges++
		}
	}
	if ranges == 0 {
		return nil
	}
	s := make(Ranks, 0, ranges)
	for _, r := range ranks {
		s.Append(int32(r))
	}
	return s
}

// AllRanks returns {0, ..., n-1}.
func AllRanks(n int) Ranks {
	if n <= 0 {
		return nil
	}
	return Ranks{{0, int32(n - 1)}}
}

// Append adds rank r, which must not be below the set's last rank.
func (s *Ranks) Append(r int32) {
	if n := len(*s); n > 0 {
		last := &(*s)[n-1]
		if r <= last.Hi {
			return
		}
		if r == last.Hi+1 {
			last.Hi = r
			return
		}
	}
	*s = append(*s, Range{r, r})
}

// Len returns the number of ranks in the set.
func (s Ranks) Len() int {
	n := 0
	for _, r := range s {
		n += int(r.Hi-r.Lo) + 1
	}
	return n
}

// Has reports whether rank r is in the set.
func (s Ranks) Has(r int) bool {
	i := s.firstUpTo(int32(r))
	return i < len(s) && int(s[i].Lo) <= r
}

// All yields the ranks in ascending order.
func (s Ranks) All(yield func(int) bool) {
	for _, r := range s {
		for i := r.Lo; i <= r.Hi; i++ {
			if !yield(int(i)) {
				return
			}
		}
	}
}

// Slice lists the ranks in ascending order.
func (s Ranks) Slice() []int { return slices.Collect(s.All) }

// List lists the ranks in ascending order, as groups have them.
func (s Ranks) List() []int32 {
	list := make([]int32, 0, s.Len())
	for r := range s.All {
		list = append(list, int32(r))
	}
	return list
}

// First returns the lowest rank, or -1 when the set is empty.
func (s Ranks) First() int {
	if len(s) == 0 {
		return -1
	}
	return int(s[0].Lo)
}

// String returns the ranks in the list format of the Linux kernel: "0-3,7".
func (s Ranks) String() string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(r.Lo)))
		if r.Hi > r.Lo {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(int(r.Hi)))
		}
	}
	return b.String()
}

// ParseRanks parses "0-3,7" for a world of size ranks; every rank must exist.
func ParseRanks(text string, size int) (Ranks, error) {
	var list Ranks
	for _, piece := range strings.Split(text, ",") {
		piece = strings.TrimSpace(piece)
		a, b, ranged := strings.Cut(piece, "-")
		if ranged && (a == "" || b == "") {
			return nil, fmt.Errorf("%q is not a range of ranks: ranks are written 0-3,7", piece)
		}
		lo, err := parseRank(a, size)
		if err != nil {
			return nil, err
		}
		hi := lo
		if ranged {
			if hi, err = parseRank(b, size); err != nil {
				return nil, err
			}
		}
		if hi < lo {
			return nil, fmt.Errorf("ranks %q run backwards: write %d-%d", piece, hi, lo)
		}
		list = append(list, Range{int32(lo), int32(hi)})
	}
	return list.merged(), nil
}

// merged returns the set of the ranks in some ranges, which may overlap and have any order. It sorts s in place.
func (s Ranks) merged() Ranks {
	slices.SortFunc(s, func(a, b Range) int { return cmp.Compare(a.Lo, b.Lo) })
	var out Ranks
	for _, r := range s {
		if n := len(out); n > 0 && r.Lo <= out[n-1].Hi+1 {
			out[n-1].Hi = max(out[n-1].Hi, r.Hi)
			continue
		}
		out = append(out, r)
	}
	return out
}

func parseRank(text string, size int) (int, error) {
	r, err := strconv.Atoi(text)
	if err != nil || r < 0 || text[0] == '+' {
		return 0, fmt.Errorf("%q is not a rank: ranks are written 0-3,7", text)
	}
	if r >= size {
		return 0, fmt.Errorf("rank %d does not exist: the world has ranks 0-%d", r, size-1)
	}
	return r, nil
}

// Noun returns "rank 3" or "ranks 0-3,7", the way every message names processes.
func (s Ranks) Noun() string {
	if s.Len() == 1 {
		return "rank " + s.String()
	}
	return "ranks " + s.String()
}

// The time to combine sets depends on the number of ranges, not of ranks.

// minus returns the ranks of s that are not in other.
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

// common returns the ranks that are in both sets.
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

// firstUpTo returns the index of the first range that does not end before rank r, or len(s).
func (s Ranks) firstUpTo(r int32) int {
	i, _ := slices.BinarySearchFunc(s, r, func(e Range, r int32) int { return int(e.Hi) - int(r) })
	return i
}

// ByKey groups the elements of a list by key, in order of the first element of each part.
func ByKey[E any, K comparable](list []E, key func(E) K) [][]E {
	at := map[K]int{}
	var parts [][]E
	for _, e := range list {
		k := key(e)
		i, ok := at[k]
		if !ok {
			i = len(parts)
			at[k] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], e)
	}
	return parts
}

// marks is a growing set of ranks of a group. It has flags for all ranks of the group, which are much faster than a
// map, unless the set stays small beside the group.
type marks struct {
	flags  []bool
	sparse map[int]bool
}

// newMarks returns an empty set for at most so many ranks of a group of the given size.
func newMarks(most, size int) marks {
	const sparseness = 64 // a map's entry costs more than this many flags
	if most < size/sparseness {
		return marks{sparse: make(map[int]bool, most)}
	}
	return marks{flags: make([]bool, size)}
}

// mark adds a rank, and reports whether the set had it before.
func (m marks) mark(r int) bool {
	there := m.has(r)
	if m.flags != nil {
		m.flags[r] = true
	} else {
		m.sparse[r] = true
	}
	return there
}

func (m marks) has(r int) bool {
	if m.flags != nil {
		return m.flags[r]
	}
	return m.sparse[r]
}
