package engine

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// minus, common and meets agree with sorted lists without repetitions.
func TestRankSetsAgainstLists(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfNDistinct(rapid.IntRange(0, 30), 0, 31, rapid.ID[int])
		a, b := list.Draw(t, "a"), list.Draw(t, "b")
		slices.Sort(a)
		var rest, both []int
		for _, r := range a {
			if slices.Contains(b, r) {
				both = append(both, r)
			} else {
				rest = append(rest, r)
			}
		}
		s, o := RanksOf(a...), RanksOf(b...)
		if got := s.minus(o); !slices.Equal(got, RanksOf(rest...)) {
			t.Errorf("%v without %v is %v, want %v", s, o, got, rest)
		}
		if got := s.common(o); !slices.Equal(got.Slice(), both) {
			t.Errorf("%v and %v have %v in common, want %v", s, o, got, both)
		}
		if got := s.meets(o); got != (len(both) > 0) {
			t.Errorf("%v meets %v: %t, want %v", s, o, got, both)
		}
	})
}
