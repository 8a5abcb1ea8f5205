package render

import (
	"strings"
	"testing"

	"commsplit/engine"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Letters are A..Z, a..z, then AA, AB, ...; 52 of the first kind, 52*52 of the second.
func TestLetter(t *testing.T) {
	t.Parallel()
	for k, want := range map[int]string{
		0: "A", 25: "Z", 26: "a", 51: "z", 52: "AA", 53: "AB", 103: "Az", 104: "BA", 2755: "zz", 2756: "AAA",
	} {
		if got := letter(k); got != want {
			t.Errorf("letter %d is %s, want %s", k, got, want)
		}
	}
}

// Lists are written with ranges and progressions, and cut at the end when there is no room.
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
	if got := orderList([]int32{10, 8, 6, 4, 2, 0}, 40); got != "[10,8,6,4,2,0]" {
		t.Error(got)
	}
	if got := orderList([]int32{10, 8, 6, 4, 2, 0}, 13); got != "[10,8,..,0]" {
		t.Error(got)
	}
}

// Runs say exactly what the list says, and a list that is cut still keeps to its width.
func TestRunsAreTheList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		list := rapid.SliceOfN(rapid.Int32Range(0, 40), 1, 60).Draw(rt, "list")
		var back []int32
		for _, r := range runsOf(list) {
			for i := range r.n {
				back = append(back, int32(r.first+i*r.step))
			}
		}
		if d := cmp.Diff(list, back); d != "" {
			rt.Fatal(d)
		}
		width := rapid.IntRange(1, 100).Draw(rt, "width")
		if text := rankList(list, width); textWidth(text) > width {
			rt.Fatalf("%q is wider than %d", text, width)
		}
	})
}

// Arguments: one value for all is shown once, regular ones by their rule, MPI_UNDEFINED by name; a
// key may be any number, even the value of MPI_UNDEFINED.
func TestArguments(t *testing.T) {
	t.Parallel()
	even := make([]int32, 40)
	blocks := make([]int32, 40)
	for i := range even {
		even[i], blocks[i] = int32(i%2), int32(i/20)
	}
	for _, c := range []struct {
		column engine.Column
		width  int
		want   string
	}{
		{engine.Column{Name: "key", Ints: []int32{0, 0, 0}}, 40, "key=0"},
		{engine.Column{Name: "color", Ints: even}, 40, "color=[0,1]×20"},
		{engine.Column{Name: "color", Ints: blocks}, 40, "color=[0×20,1×20]"},
		{engine.Column{Name: "color", Ints: []int32{0, engine.Undefined, 1}}, 40, "color=[0,-,1]"},
		{engine.Column{Name: "color", Ints: []int32{engine.Undefined, engine.Undefined}}, 40, "color=MPI_UNDEFINED"},
		{engine.Column{Name: "key", Ints: []int32{engine.Undefined}}, 40, "key=-32766"},
		{engine.Column{Name: "key", Ints: []int32{0, -1, -2, -3, -4, -5}}, 16, "key=[0,-1,..,-5]"},
		{engine.Column{Name: "split_type", Texts: []string{"MPI_COMM_TYPE_SHARED", "MPI_UNDEFINED"}}, 40, "SHARED|MPI_UNDEFINED"},
	} {
		if got := arguments([]engine.Column{c.column}, nil, c.width); got != c.want {
			t.Errorf("%v: %q, want %q", c.column, got, c.want)
		}
	}
}

// The members of a communicator find their own arguments among those of a step that only some
// ranks made, and made in another order.
func TestRowsOf(t *testing.T) {
	t.Parallel()
	ranks := engine.RanksOf(2, 3, 7, 8, 9)
	if d := cmp.Diff([]int{4, 0, 2}, rowsOf(ranks, []int32{9, 2}, []int32{7})); d != "" {
		t.Error(d)
	}
}

// Text is wrapped at blanks, never cut, and words that are too long are broken.
func TestWrap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringMatching(`[a-zé○ ]{0,120}`).Draw(rt, "text")
		rows := wrap(text, 11)
		for _, r := range rows {
			if textWidth(r) > 11 {
				rt.Fatalf("%q is wider than 11", r)
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if squeeze(strings.Join(rows, "")) != squeeze(text) {
			rt.Fatalf("%q became %q", text, rows)
		}
	})
	if d := cmp.Diff([]string{"key=-rank", "color=0"}, wrap("key=-rank color=0", 10)); d != "" {
		t.Error(d)
	}
}
