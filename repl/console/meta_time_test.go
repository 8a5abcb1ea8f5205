package console_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/internal/sessions"

	"github.com/google/go-cmp/cmp"
)

// A split phase by phase, worked out by hand: eight ranks split by rank%2, except rank 7, which passes
// MPI_UNDEFINED. Ranks 4 to 7 have key -1 and so come first. Context id 0 belongs to the world and 1 to the
// communicator of ranks 0 to 3, so that 2 is free on all ranks.
func TestStepIn(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	sessions.Tell(t, c, "low = split world color=(0 if rank<4 else UNDEFINED)",
		"half = split world color=(UNDEFINED if rank==7 else rank%2) key=-(rank//4)")
	out.Reset()
	sessions.Tell(t, c, ".step in", ".step in", ".step in", ".step in", ".step in")
	const call = "step 2, MPI_Comm_split on world, test.mpi:1\n"
	want := call + `phase 1 of 5: contributions

What 8 ranks passed. How it reaches the others is left to the implementation.

world ranks  arguments
0            color=0 key=0
1            color=1 key=0
2            color=0 key=0
3            color=1 key=0
4            color=0 key=-1
5            color=1 key=-1
6            color=0 key=-1
7            color=MPI_UNDEFINED key=-1
` + call + `phase 2 of 5: buckets

bucket               size  world ranks
color 0              4     0,2,4,6
color 1              3     1,3,5
color MPI_UNDEFINED  1     7            no communicator
` + call + `phase 3 of 5: sort

Each bucket is sorted by key; where keys tie, by the rank in the old group.

color 0
new  key  old  world
  0   -1    4      4  tie
  1   -1    6      6  tie
  2    0    0      0  tie
  3    0    2      2  tie

color 1
new  key  old  world
  0   -1    5      5
  1    0    1      1  tie
  2    0    3      3  tie
` + call + `phase 4 of 5: context id

Each process marks the context ids that it uses; after OR-ing the marks, the
lowest unmarked id is free on every process. That is one implementation's way;
the text asks only that messages of two communicators never mix.

world ranks  ids in use, from 0
0-3          11000000
4-6          10000000
or           11000000
taken          ^                 id 2

2 communicators of this call share the id: no process is in two of them, so no
message can go astray.
` + call + `phase 5 of 5: replies

world rank  gets           rank  size
         0  half#3            2     4
         1  half#4            1     3
         2  half#3            3     4
         3  half#4            2     3
         4  half#3            0     4
         5  half#4            0     3
         6  half#3            1     4
         7  MPI_COMM_NULL
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if err := c.Do(sessions.Background, sessions.Chunks(t, ".step in")[0]); err == nil || !strings.Contains(err.Error(), "step 2 has no more phases: .step out leaves it") {
		t.Errorf("after the last phase: %v", err)
	}
}

// .step moves to a step, forward, back, in and out; a new line makes its step the present step.
func TestStepMoves(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	sessions.Tell(t, c, "a = dup world", "b = split world color=0")
	for _, m := range []struct{ line, want string }{
		{".step in", "step 2, MPI_Comm_split"},
		{".step 1", "a#2"},
		{".step in", "step 1, MPI_Comm_dup on world, test.mpi:1\nphase 1 of 3: contributions"},
		{".step in", "phase 2 of 3: context id"},
		{".step out", "a#2"},
		{".step in", "phase 1 of 3: contributions"},
		{".step next", "b#3"},
		{".step in", "step 2, MPI_Comm_split"},
		{".step back", "a#2"},
		{".step back", "MPI_COMM_WORLD"},
		{"free b", ""},
		{".step in", "step 3, MPI_Comm_free"},
		{".step in", "given back     ^                 id 2"},
		{".undo", ""},
		{".step in", "step 2, MPI_Comm_split"},
	} {
		out.Reset()
		sessions.Tell(t, c, m.line)
		if !strings.Contains(out.String(), m.want) {
			t.Errorf("%s: no %q in:\n%s", m.line, m.want, out)
		}
	}
	for _, m := range []struct{ line, want string }{
		{".step 2", ""}, {".step next", "step 2 is the last step"}, {".step out", "no step was entered"},
		{".step 0", ""}, {".step back", "beginning of the trace"}, {".step in", "no step to go into"},
		{".step 9", "0 to 2, or in, out, next, back; not 9"},
	} {
		err := c.Do(sessions.Background, sessions.Chunks(t, m.line)[0])
		if (err == nil) != (m.want == "") || err != nil && !strings.Contains(err.Error(), m.want) {
			t.Errorf("%s: %v, want %q", m.line, err, m.want)
		}
	}
}

// A local step has no phases: ranks do not meet in it.
func TestStepInLocal(t *testing.T) {
	t.Parallel()
	c, _, _ := sessions.Console(t)
	sessions.Tell(t, c, `name world "all"`)
	err := c.Do(sessions.Background, sessions.Chunks(t, ".step in")[0])
	if err == nil || !strings.Contains(err.Error(), "MPI_Comm_set_name, is a local call") {
		t.Errorf("%v", err)
	}
}
