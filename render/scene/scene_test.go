package scene

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// At finds the innermost thing at a place.
func TestAt(t *testing.T) {
	t.Parallel()
	s := Scene{Width: 10, Height: 4, Things: []Thing{
		{Kind: Area, W: 10, H: 4, Of: Comm(7)},
		{Kind: Cell, X: 1, Y: 1, W: 3, H: 2, Of: Rank(0, nil)},
		{Kind: Cell, X: 5, Y: 1, W: 3, H: 2, Of: Rank(1, nil)},
		{Kind: Text, X: 0, Y: 0, W: 10, H: 1, Text: "ten signs."},
	}}
	var got []int
	for _, at := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {4, 2}, {7, 1}, {9, 3}} {
		got = append(got, s.At(at[0], at[1]).Of.First)
	}
	if d := cmp.Diff([]int{7, 0, 0, 7, 1, 7}, got); d != "" {
		t.Error(d)
	}
	if at := s.At(10, 0); at != nil {
		t.Errorf("%+v is right of the lane", at)
	}
}
