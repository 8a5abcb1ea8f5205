package recording

import (
	"fmt"
	"testing"
)

// The solver keeps two communicators, and a third and a fourth in each of its twelve steps, of which it frees one: on rank
// 0 there are at most 2 + 12 + 1 at once, and the duplicates of io.c grow (by hand, from its calls). A process that only
// counted has the points that it kept, and what was left at the end.
func TestTimeline(t *testing.T) {
	t.Parallel()
	r, err := Read(t.Context(), "testdata/solver.tar")
	if err != nil {
		t.Fatal(err)
	}
	c := r.Timeline()
	text := fmt.Sprintln(c.Rank, c.Room, c.Columns(1))
	for _, p := range c.Places {
		text += fmt.Sprintln(p.Name, p.Call, p.Peak(), p.Left(), p.Trend, len(p.Alive))
	}
	if want := `0 65536 [[12 1 1 1]]
io.c:203 io_open MPI_Comm_dup 12 12 leak 12
nodes.c:14 nodes MPI_Comm_split_type 1 1  1
nodes.c:30 leaders MPI_Comm_split 1 1  1
grid.c:47 grid_rows MPI_Comm_split 1 0  24
`; text != want {
		t.Errorf("got\n%s, want\n%s", text, want)
	}

	o, s := opOf("MPI_Comm_dup"), &Site{Frames: []Frame{{File: "a.c", Line: 3}}}
	p := &Process{Truncated: 1, counts: []count{{site: s, op: o, alive: 4, peak: 9}},
		growth: []growth{{site: s, op: o, points: []Point{{10, 1}, {20, 9}}}}}
	curves, peak, end := p.timeline()
	if got, want := fmt.Sprint(curves[useKey{s, o.Name}], peak, end), "[{10 1} {20 9} {20 4}] 9 20"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
