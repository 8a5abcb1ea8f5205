package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// Lists are written with ranges and progressions, and cut at the end when there is too little room.
func TestRankList(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list  []int32
		width int
		want  string
	}{
		{[]int32{0, 1, 2, 3, 7}, 80, "0-3,7"},
		{[]int32{6, 7}, 80, "6-7"},
		{[]int32{0, 2, 4}, 80, "0,2,4"},
		{[]int32{0, 2, 4, 6, 8}, 80, "0,2,..,8"},
		{[]int32{5, 4, 3, 2, 1, 0}, 80, "5,4,..,0"},
		{[]int32{0, 1, 10, 20, 25}, 8, "0-1,10,…"},
		{[]int32{100, 200, 350}, 5, "100,…"},
		{[]int32{100, 200, 350}, 2, "…"},
		{[]int32{1, 2, 11, 12, 21, 22, 31, 32, 41, 42, 50}, 80, "1-2,11-12,..,41-42,50"},
		{[]int32{1, 2, 11, 12, 21, 22, 31, 32}, 12, "1-2,11-12,…"},
		{nil, 5, ""},
	} {
		if got := rankList(c.list, c.width); got != c.want {
			t.Errorf("%v in %d columns: %q, want %q", c.list, c.width, got, c.want)
		}
	}
}

// The order of a group is shown as it is, never sorted.
func TestOrderList(t *testing.T) {
	t.Parallel()
	if got := OrderList([]int32{10, 8, 6, 4, 2, 0}, 40); got != "[10,8,6,4,2,0]" {
		t.Error(got)
	}
	if got := OrderList([]int32{10, 8, 6, 4, 2, 0}, 13); got != "[10,8,..,0]" {
		t.Error(got)
	}
}

// Runs contain exactly the numbers of the list, and a list that is cut keeps to its width.
func TestRunsAreTheList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		list := rapid.SliceOfN(rapid.Int32Range(0, 40), 1, 60).Draw(rt, "list")
		var back []int32
		for _, r := range Runs(list) {
			for i := range r.N {
				back = append(back, int32(r.First+i*r.Step))
			}
		}
		if d := cmp.Diff(list, back); d != "" {
			rt.Fatal(d)
		}
		width := rapid.IntRange(1, 100).Draw(rt, "width")
		if text := rankList(list, width); paint.Width(text) > width {
			rt.Fatalf("%q is wider than %d", text, width)
		}
	})
}
