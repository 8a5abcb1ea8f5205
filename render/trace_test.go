package render

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// A value that is equal on all ranks is shown once, regular values by their pattern, MPI_UNDEFINED by its name; a
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

// The members of a communicator find their own arguments in a step that only some ranks made, in another order.
func TestRowsOf(t *testing.T) {
	t.Parallel()
	ranks := engine.RanksOf(2, 3, 7, 8, 9)
	if d := cmp.Diff([]int{4, 0, 2}, rowsOf(ranks, []int32{9, 2}, []int32{7})); d != "" {
		t.Error(d)
	}

	// Every third of 300 ranks, and then a hundred neighbors; row i is the i-th rank.
	var callers []int32
	for r := int32(0); r < 300; r += 3 {
		callers = append(callers, r)
	}
	for r := int32(500); r < 600; r++ {
		callers = append(callers, r)
	}
	rows := rand.New(rand.NewPCG(1, 2)).Perm(len(callers))
	group := make([]int32, len(rows))
	for i, row := range rows {
		group[i] = callers[row]
	}
	if d := cmp.Diff(rows, rowsOf(engine.RanksOf(callers...), group)); d != "" {
		t.Error(d)
	}
}

// Steps have their arguments beside them on a wide page, and below them on a narrow page.
func TestTrace(t *testing.T) {
	t.Parallel()
	v := blocked(t)
	draw := func(b *strings.Builder, st Style) error { return Trace(b, v, st) }
	narrow := []string{
		"step  call            on     ranks  made  where",
		"   1  MPI_Comm_split  world  0-11   #2-3  demo.py:3",
		"      color=[0,1,0,1,0,1,0,1,0,1,0,-] key=[0,-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11]",
	}
	if d := cmp.Diff(narrow, lines(t, 80, draw)); d != "" {
		t.Error(d)
	}
	if got := lines(t, 200, draw); len(got) != 2 || !strings.HasSuffix(got[1], narrow[2][6:]) {
		t.Errorf("on 200 columns:\n%s", strings.Join(got, "\n"))
	}
}
