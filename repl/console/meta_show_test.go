package console_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/internal/sessions"

	"github.com/google/go-cmp/cmp"
)

// told runs the lines before, then runs line and returns its output.
func told(t *testing.T, line string, before ...string) string {
	t.Helper()
	c, out, _ := sessions.Console(t)
	sessions.Tell(t, c, before...)
	out.Reset()
	sessions.Tell(t, c, line)
	return "\n" + out.String()
}

// §6.1: all ranks of a communicator must make its collective calls. Of four ranks only three split: the reason names
// rank 0, the rule and what to do.
func TestExplainBlockedRanks(t *testing.T) {
	t.Parallel()
	got := strings.Join(strings.Fields(told(t, ".explain", "@1-7 rest = split world color=0")), " ")
	for _, want := range []string{"ranks 1-7 MPI_Comm_split on world", "rank 0 has made all its calls", "[MPI-5.0 §6.1]", "let rank 0 call MPI_Comm_split too", ".undo takes the last line back"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}

// §7.4.2, MPI_Comm_split, with the text as a person sees it. Of ranks 0 to 7 with color rank%2 and key
// rank//4, rank 3 is second of the odd ranks, after rank 1, with which it ties in key 0.
func TestExplainOneRank(t *testing.T) {
	t.Parallel()
	got := told(t, ".explain half @3", "half = split world color=rank%2 key=rank//4")
	want := `
world rank 3 is rank 1 of 4 in half#3
  call           step 1, MPI_Comm_split on world, test.mpi:1
  color          1, passed by 4 of the 8 ranks
  key            0
  order          new  key  old  world
                   0    0    1      1  tie
              >    1    0    3      3  tie
                   2    1    5      5  tie
                   3    1    7      7  tie
  rule           Processes with the same color form a communicator, ranked by
                 key; ties go by the rank in the old group. [MPI-5.0 §7.4.2]
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Without ranks, each reason comes once, with its ranks; common facts and each rule come once.
func TestExplainHandle(t *testing.T) {
	t.Parallel()
	got := told(t, ".explain sub", "sub = split world color=(UNDEFINED if rank>5 else rank%2) key=-rank")
	want := `
world ranks 0,2,4 are in sub#2
  call           step 1, MPI_Comm_split on world, test.mpi:1
  color          0, passed by 3 of the 8 ranks
  order          new  key  old  world
                   0   -4    4      4
                   1   -2    2      2
                   2    0    0      0

world ranks 1,3,5 are in sub#3
  color          1, passed by 3 of the 8 ranks
  order          new  key  old  world
                   0   -5    5      5
                   1   -3    3      3
                   2   -1    1      1
  rule           Processes with the same color form a communicator, ranked by
                 key; ties go by the rank in the old group. [MPI-5.0 §7.4.2]

world ranks 6-7 hold MPI_COMM_NULL
  color          MPI_UNDEFINED
  rule           A process that passes MPI_UNDEFINED gets MPI_COMM_NULL.
                 [MPI-5.0 §7.4.2]
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// MPI_COMM_NULL has its origin, through however many variables it went: the call that returned it, a line for
// other ranks, a line that acts on MPI_COMM_NULL, MPI_Comm_free, or none.
func TestExplainNull(t *testing.T) {
	t.Parallel()
	half := "half = split world color=(0 if rank else UNDEFINED)"
	for _, tt := range []struct {
		name  string
		lines []string
		ask   string
		want  []string
	}{
		{"the latest call", []string{half, "half = split world color=(UNDEFINED if rank==3 else 1)"}, "half @3",
			[]string{"step 2, MPI_Comm_split on world, test.mpi:1", "color          MPI_UNDEFINED"}},
		{"a copy", []string{half, "other = half", "half = dup world"}, "other @0",
			[]string{"step 1, MPI_Comm_split", "MPI_UNDEFINED"}},
		{"a program", []string{"c = world.Create(world.group.Incl([2]))"}, "c @0",
			[]string{"step 1, MPI_Comm_create on world", "{2}, as world ranks: this process is not in it"}},
		{"a local call", []string{"c = create_group world group=[6,2]"}, "c @0",
			[]string{"MPI_Comm_create_group, which was local here", "{6,2}, as world ranks: this process is not in it"}},
		{"a local call of a program", []string{"c = world.Create_group(world.group.Incl([2]))"}, "c @0",
			[]string{"MPI_Comm_create_group, which was local here", "{2}, as world ranks"}},
		{"no call", []string{"c = MPI.COMM_NULL"}, "c @0", []string{"set by the program"}},
		{"no call after another", []string{half, "c = MPI.COMM_NULL"}, "c @0", []string{"set by the program"}},
		{"other ranks", []string{"@1-3 c = dup MPI.COMM_SELF"}, "c @0", []string{"only other ranks issued test.mpi:1"}},
		{"acting on it", []string{half, "c = dup half"}, "c @0",
			[]string{"acts on half, which was MPI_COMM_NULL here", "step 1, MPI_Comm_split", "MPI_UNDEFINED"}},
		{"freed", []string{half, "free half"}, "half @1",
			[]string{"holds MPI_COMM_NULL", "step 2, MPI_Comm_free on half#2", "until this call", "§7.4.3"}},
		{"acting on a freed one", []string{half, "free half", "c = dup half"}, "c @1",
			[]string{"acts on half", "step 2, MPI_Comm_free"}},
		{"no value", []string{"@1 c = MPI.COMM_NULL"}, "c @0", []string{"holds no communicator", "has not run on this"}},
		{"a number", []string{"c = 5"}, "c", []string{"hold no communicator", "5 (int)"}},
		{"a list", []string{"c = [world, world]"}, "c", []string{"a list of 2; ask for one of them"}},
		{"in a list", []string{"c = [world, world.Split(MPI.UNDEFINED)]"}, "c[-1] @5", []string{"step 1, MPI_Comm_split", "MPI_UNDEFINED"}},
		{"beyond a list", []string{"c = [world]"}, "c[1] @0", []string{"there is no c[1] on this rank"}},
		{"blocked ranks", []string{half, "@0-3 barrier world"}, "half @0", []string{"MPI_UNDEFINED"}},
	} {
		got := told(t, ".explain "+tt.ask, tt.lines...)
		for _, w := range tt.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %q in:%s", tt.name, w, got)
			}
		}
	}
}

// .undo and .redo replay the session: explanations are about the communicators that the ranks hold afterwards.
func TestExplainAfterUndo(t *testing.T) {
	t.Parallel()
	first := "half = split world color=(0 if rank else UNDEFINED)"
	want := told(t, ".explain half", first)
	again := told(t, ".explain half", first, "half = split world color=rank", "half = dup half", ".undo 2")
	if d := cmp.Diff(want, again); d != "" {
		t.Errorf("(-before +after undo):\n%s", d)
	}
	second := "half = create world group=[1]"
	want = told(t, ".explain half", first, second)
	if d := cmp.Diff(want, told(t, ".explain half", first, second, ".undo", ".redo")); d != "" {
		t.Errorf("(-before +after redo):\n%s", d)
	}
}

// All COMM_NULL are equal, wherever they came from.
func TestNullsAreEqual(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "a = split world color=UNDEFINED", "b = dup a", "@0 c = dup MPI.COMM_SELF",
		"d = world.Create_group(MPI.GROUP_EMPTY)",
		"expect (a==b and a==MPI.COMM_NULL and d==a and not a)",
		"expect (world.rank==0 or c==MPI.COMM_NULL)",
		"expect ({a:1}[b]==1)")
	if e := s.View().Expectations; e.Passed != 3 {
		t.Errorf("%+v", e)
	}
}

// Wrong use of .explain gives an error of one line, which shows the right use.
func TestExplainMistakes(t *testing.T) {
	t.Parallel()
	c, _, _ := sessions.Console(t)
	sessions.Tell(t, c, sessions.Prelude)
	for line, want := range map[string]string{
		".explain":              ".explain half @3",
		".explain hlf":          "there is no variable hlf (did you mean half?)",
		".explain half 3":       "@0-3, not 3: .explain half @3",
		".explain half @9":      "rank 9 does not exist: the world has ranks 0-7",
		".explain half[x]":      "half[x]: write an element of a list as half[1]",
		".explain half[0]1":     "half[0]1: write an element of a list as half[1]",
		".explain half.Dup()":   "not half.Dup()",
		".explain world[0]":     "there is no variable world",
		".explain half @1 here": "too many arguments",
	} {
		err := c.Do(sessions.Background, sessions.Chunks(t, line)[0])
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
