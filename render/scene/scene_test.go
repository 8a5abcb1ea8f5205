package scene

import (
	"strconv"
	"strings"
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

// The cells of a lane whose order is reversed pass each other: at each time they stand in different places, each neighbor
// of a place where one stood before. Worked out by hand: four cells exchange (0 1)(2 3), then the middle two, and so on.
func TestCellsPassEachOther(t *testing.T) {
	t.Parallel()
	lane := func(y int, ranks ...int) *Scene {
		s := &Scene{Width: 40, Height: 10}
		for k, r := range ranks {
			of := Rank(r, nil)
			of.In = 3
			s.Add(Thing{Kind: Cell, X: 10 * k, Y: y, W: 8, H: 1, Of: of})
		}
		return s
	}
	for _, c := range []struct {
		share float64
		want  string
	}{
		{0, "0 1 2 3 at 0"}, {0.25, "1 0 3 2 at 1"}, {0.5, "1 3 0 2 at 2"}, {0.75, "3 1 2 0 at 3"}, {1, "3 2 1 0 at 4"},
	} {
		list := []string{"", "", "", ""}
		y := 0
		for _, p := range Between(lane(0, 0, 1, 2, 3), lane(4, 3, 2, 1, 0), c.share).Things {
			list[p.X/10] += strconv.Itoa(p.Of.First)
			y = p.Y
		}
		if got := strings.Join(list, " ") + " at " + strconv.Itoa(y); got != c.want {
			t.Errorf("at %v: %s, want %s", c.share, got, c.want)
		}
	}
}
