package practice_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// read reads an exercise from its text.
func read(t *testing.T, text string) *practice.Exercise {
	t.Helper()
	x, err := practice.Read(stories.NewScript("sheet.mpi", text), cmd.World)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// grade grades the text of an answer in the file of that name.
func grade(t *testing.T, x *practice.Exercise, name, text string) *practice.Grade {
	t.Helper()
	answer, err := practice.Answer(stories.NewScript(name, text))
	if err != nil {
		t.Fatal(err)
	}
	g, err := x.Grade(t.Context(), answer)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// expectLines holds how answers are graded, in a line each.
func expectLines(t *testing.T, x *practice.Exercise, lines map[string]string) {
	t.Helper()
	for text, line := range lines {
		if got := grade(t, x, "a.mpi", text).Line(); got != line {
			t.Errorf("%q: %q, want %q", text, got, line)
		}
	}
}

const halves = `# Halves
# commsplit: -n 4 --topo core:8
# sizes: 4, 6
# hint: One.
# hint: Two,
#   going on.
note "Evens and odds. Name it half."

# solution:
half = split world color=rank%2
note "Well done."

# goal:
expect_parts half [[r for r in range(size) if r%2==k] for k in [0,1]]
`

// What the marks say is what an exercise has, and nothing of it is in what a student sees.
func TestMarks(t *testing.T) {
	t.Parallel()
	x := read(t, halves)
	if err := x.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if x.Title != "Halves" || len(x.Hints) != 2 || x.Hints[1] != "Two, going on." || len(x.Task) != 1 || len(x.Told) != 1 ||
		len(x.Names) != 1 || x.Names[0] != "half" || len(x.Worlds) != 2 || x.Worlds[1].Config.Size != 6 || x.Given() != "" {
		t.Errorf("%+v", x)
	}
}

// A word of a mark behind several blanks is prose: here it goes on from the line above.
func TestIndentedProse(t *testing.T) {
	t.Parallel()
	x := read(t, strings.Replace(halves, "# solution:", "# Each step has a\n#   goal: parts of one size\n# solution:", 1))
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// An answer in any language is right when every rank holds the processes of the solution in their order, on each
// world. With 6 ranks the odd ones are 1, 3, 5; a constant for 4 ranks is caught there.
func TestGrade(t *testing.T) {
	t.Parallel()
	x := read(t, halves)
	for _, c := range []struct{ name, text, line string }{
		{"a.mpi", "half = split world color=rank%2 key=rank", "right with 4 and 6 ranks"},
		{"a.py", "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank = comm.Get_rank()\nhalf = comm.Split(rank % 2)", "right with 4 and 6 ranks"},
		{"a.c", "int rank;\nMPI_Comm half;\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);", "right with 4 and 6 ranks"},
		{"a.f90", "call MPI_Comm_split(MPI_COMM_WORLD, mod(rank,2), 0, half, ierr)", "right with 4 and 6 ranks"},
		{"groups.mpi", "half = create world group=[r for r in range(size) if r%2==rank%2]", "right with 4 and 6 ranks"},
		{"constant.mpi", "@0,2 half = create_group world group=[0,2]\n@1,3 half = create_group world group=[1,3]",
			"wrong with 6 ranks: half, ranks 0,2: expected [0,2,4], found [0,2] (and 3 more)"},
		{"order.mpi", "half = split world color=rank%2 key=-rank",
			"wrong with 4 ranks: half, ranks 0,2: expected [0,2], found [2,0]: the same processes, in another order (and 1 more)"},
		{"name.mpi", "other = split world color=rank%2", "wrong with 4 ranks: the exercise asks for a communicator named half; you made other"},
		{"null.mpi", "half = split world color=(0 if rank%2==0 else UNDEFINED)", "wrong with 4 ranks: half, ranks 1,3: expected [1,3], found MPI_COMM_NULL"},
		{"bold.mpi", "half = split world color=0\nexpect_parts half [[0,1,2,3]]", "wrong with 4 ranks: half, ranks 0,2: expected [0,2], found [0,1,2,3] (and 1 more)"},
		{"blocked.mpi", "@0-2 half = split world color=rank%2\nexpect_deadlock", "wrong with 4 ranks: DEADLOCK on world: ranks 0-2 wait in MPI_Comm_split (blocked.mpi:1); "},
		{"fails.py", "half = world.Split(-5)", "wrong with 4 ranks: MPI_ERR_ARG in MPI_Comm_split on world (fails.py:1), ranks 0-3: "},
	} {
		if got := grade(t, x, c.name, c.text).Line(); got != c.line && !(strings.HasSuffix(c.line, " ") && strings.HasPrefix(got, c.line)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.line)
		}
	}
}

// What is wrong comes with the reason that .explain gives: who passed which color.
func TestWhy(t *testing.T) {
	t.Parallel()
	g := grade(t, read(t, halves), "a.mpi", "half = split world color=rank//2")
	f := g.Worlds[0].Faults[0]
	if g.Right || f.Kind != practice.WrongGroup || f.Name != "half" || f.Ranks.String() != "0" || f.Expected != "[0,2]" || f.Found != "[0,1]" {
		t.Errorf("%+v", f)
	}
	for _, part := range []string{"world rank 0 is rank 0 of 2 in half#2", "color          0, passed by 2 of the 4 ranks"} {
		if why := f.Why(76); !strings.Contains(why, part) {
			t.Errorf("no %q in:\n%s", part, why)
		}
	}
}

// An answer cannot bend what it is compared with: the given lines stay as they are, and meta commands are refused. Its
// variables may have any name: rank, size, world and all are everyday ones, and mean nothing to the goal.
func TestCheating(t *testing.T) {
	t.Parallel()
	x := read(t, strings.Replace(halves, "# solution:", "# given:\nevens = [r for r in range(world.size) if r%2==0]\n# solution:", 1)+
		"expect max(half.size,world.size)==size \"all of world\"\nexpect half.size==size//2 \"half of all\"\n")
	for _, text := range []string{
		"MPI = None", "evens = [0]", "for True in [1]: pass", ".open 01-evens-and-odds", ".world 2", "half = split world color=rank%2\n.export page x.html",
	} {
		answer, err := practice.Answer(stories.NewScript("a.mpi", text))
		if err == nil {
			_, err = x.Grade(t.Context(), answer)
		}
		if at := (*lang.Error)(nil); !errors.As(err, &at) || at.File != "a.mpi" || at.Line == 0 || at.Source == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"rank = 0\nsize = 2\nhalf = split world color=rank%2", "half = world\nrank = [0]\nsize = len([1,2])",
		"half = split world color=rank%2\nworld = half\nmax = lambda *a: 0", "expect = lambda *a: None", "def expect_parts(h, p): pass",
		"half = world\ndef len(x): return 0"} {
		if g := grade(t, x, "a.mpi", text); g.Right != strings.Contains(text, "split") {
			t.Errorf("%q: %s", text, g.Line())
		}
	}
}

// A program is one piece; a mistake in it stands at its line.
func TestPlaceOfMistake(t *testing.T) {
	t.Parallel()
	x := read(t, strings.Replace(halves, "# solution:", "# given:\nevens = [r for r in range(world.size) if r%2==0]\n# solution:", 1))
	answer, err := practice.Answer(stories.NewScript("a.py", "from mpi4py import MPI\n\nhalf = MPI.COMM_WORLD\nif half:\n    evens = [0]\n"))
	if err == nil {
		_, err = x.Grade(t.Context(), answer)
	}
	if want := "a.py:5:5: evens is set by the given lines; take another name"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// An answer that never ends is stopped by the limits, and said to be so.
func TestUnending(t *testing.T) {
	t.Parallel()
	x := read(t, halves)
	answer, err := practice.Answer(stories.NewScript("a.py", "while True: pass"))
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, &repl.Limit{Message: "the time is over"})
	defer stop()
	g, err := x.Grade(ctx, answer)
	if err != nil || g.Right || !g.Limited() || len(g.Worlds) != 1 {
		t.Errorf("%+v, %v", g, err)
	}
}

// A communicator of one's own is not the one that was there before, nor one that another name holds.
func TestOwnCommunicator(t *testing.T) {
	t.Parallel()
	x := read(t, "# A library\n# commsplit: -n 3 --topo core:4\n# answer: lib, log\nnote \"Two duplicates.\"\n# solution:\nlib = dup world\nlog = dup world\n# goal:\n")
	expectLines(t, x, map[string]string{
		"lib = dup world\nlog = split world color=0": "right with 3 ranks",
		"lib = world\nlog = dup world":               "wrong with 3 ranks: lib, ranks 0-2: expected a communicator of its own, found MPI_COMM_WORLD itself",
		"lib = dup world\nlog = lib":                 "wrong with 3 ranks: log, ranks 0-2: expected [0,1,2], found [0,1,2], but one communicator instead of two",
	})
}

// Ranks 0 and 1 alone may call; ranks 2 and 3 have no part in it. Two calls are one too many.
func TestCalls(t *testing.T) {
	t.Parallel()
	x := read(t, "# Members only\n# commsplit: -n 4 --topo core:4\n# calls: MPI_Comm_create_group, constructors\nnote \"Name it pair.\"\n"+
		"# solution:\n@0-1 pair = create_group world group=[0,1]\n# goal:\nexpect_parts pair [[0,1]]\n")
	expectLines(t, x, map[string]string{
		"@0,1 pair = create_group world group=[0,1] tag=3":                         "right with 4 ranks",
		"if world.rank < 2:\n  pair = world.Create_group(world.group.Incl([0,1]))": "right with 4 ranks",
		"pair = split world color=(0 if rank<2 else UNDEFINED)":                    "wrong with 4 ranks: ranks 0-1 call MPI_Comm_create_group too rarely; it takes: ranks 0-1 once, ranks 2-3 never (and 1 more)",
		"a = dup world\n@0-1 pair = create_group a group=[0,1]":                    "wrong with 4 ranks: ranks 0-3 call constructors of communicators too often; it takes: ranks 0-1 once, ranks 2-3 never",
	})
}

// Everything is freed but what the answer's name holds: that is a leak of one communicator of ranks 0 to 3, of a
// group, of a message.
func TestLeaks(t *testing.T) {
	t.Parallel()
	x := read(t, "# A leak\n# commsplit: -n 4 --topo core:4\n# leaks: none\n# answer: keep\n# repair:\n#   tmp = split world color=0\n#   keep = split tmp color=rank%2\n#\nnote \"Find it.\"\n"+
		"# solution:\ntmp = split world color=0\nkeep = split tmp color=rank%2\nfree tmp\n# goal:\n")
	if x.Repair != "tmp = split world color=0\nkeep = split tmp color=rank%2" {
		t.Errorf("%q", x.Repair)
	}
	expectLines(t, x, map[string]string{
		"keep = split world color=rank%2": "right with 4 ranks",
		x.Repair:                          "wrong with 4 ranks: ranks 0-3 never free a communicator that MPI_Comm_split made (a.mpi:1)",
		"g = world.Get_group()\nkeep = split world color=rank%2":             "wrong with 4 ranks: ranks 0-3 never free a group (a.mpi:1)",
		"keep = split world color=rank%2\n@0 world.send(1, dest=1)":          "wrong with 4 ranks: nobody received the message with tag 0 that rank 0 sent to rank 1 on world (a.mpi:2)",
		"keep = split world color=rank%2\nfree keep\nkeep = MPI.COMM_NULL\n": "wrong with 4 ranks: keep, ranks 0,2: expected [0,2], found MPI_COMM_NULL (and 1 more)",
	})
}

// A grid is more than its processes: 2x2 and 4x1 have the same. Whoever sets a name on members only is right, too,
// and intercommunicators have two groups, whichever side a rank is on.
func TestKindsOfCommunicators(t *testing.T) {
	t.Parallel()
	grid := read(t, "# Grid\n# commsplit: -n 4 --topo core:4\nnote \"Grid.\"\n# solution:\ngrid = world.Create_cart([2,2], [True,False])\n# goal:\nexpect_parts grid [range(4)]\n")
	if got := grade(t, grid, "a.py", "grid = world.Create_cart([4,1])").Line(); got !=
		"wrong with 4 ranks: grid, ranks 0-3: expected a grid of [2, 2] with periods [1, 0], found a grid of [4, 1] with periods [0, 0]" {
		t.Error(got)
	}
	if got := grade(t, grid, "a.py", "grid = world.Dup()").Line(); !strings.Contains(got, "found no virtual topology") {
		t.Error(got)
	}
	bridge := read(t, "# Bridge\n# commsplit: -n 4 --topo core:4\nnote \"Bridge.\"\n# solution:\nhalf = split world color=rank//2\n"+
		"bridge = half.Create_intercomm(0, world, 2 if world.rank<2 else 0)\n# goal:\nexpect_parts bridge [([0,1],[2,3])]\n")
	if got := grade(t, bridge, "a.py", "h = world.Split(world.rank//2)\nbridge = h.Create_intercomm(1, world, 3 if world.rank<2 else 1, 9)").Line(); got != "right with 4 ranks" {
		t.Error(got)
	}
	if got := grade(t, bridge, "a.py", "bridge = world").Line(); got != "wrong with 4 ranks: bridge, ranks 0-3: expected ([0,1],[2,3]), found [0,1,2,3]" {
		t.Error(got)
	}
}

// A malformed exercise gets one line with its place, and the error of a mark has the line of the mark.
func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, message string }{
		{"# solution:", "# Solution:", "sheet.mpi:9:1: write a mark with one blank, in small letters and with a colon: # solution:"},
		{"# solution:", "#solution:", "sheet.mpi:9:1: write a mark with one blank, in small letters and with a colon: # solution:"},
		{"# solution:", "#", "sheet.mpi:1:1: # solution: is missing before the model answer"},
		{"# goal:", "# the goal", "sheet.mpi:9:1: # goal: is missing"},
		{"# sizes: 4, 6", "# sizes: 6, 4", "sheet.mpi:3:1: # sizes: must begin with the size in the flags, 4"},
		{"# sizes: 4, 6", "# sizes: 4, six", "sheet.mpi:3:1: # sizes: needs numbers of ranks"},
		{"# sizes: 4, 6", "# sizes:", "sheet.mpi:3:1: # sizes: is empty"},
		{"# sizes: 4, 6", "# world: -n 4 --tpo core:4", "sheet.mpi:3:1: unknown flag: --tpo"},
		{"# sizes: 4, 6", "# world: -n 4 --topo nope", `sheet.mpi:3:1: --topo: hardware "nope" is unknown`},
		{"# sizes: 4, 6", "# size: 4, 6", "sheet.mpi:3:1: # size: is not a mark of an exercise; did you mean # sizes:?"},
		{"-n 4", "-n four", `sheet.mpi:2:1: invalid argument "four"`},
		{"# Halves\n", "", "sheet.mpi:1:1: the first line must be the title, as a comment: "},
		{"# sizes: 4, 6", "# answer: half, 2", "sheet.mpi:3:1: # answer: needs names"},
		{"# sizes: 4, 6", "# calls: MPI_Comm_splt", "sheet.mpi:3:1: # calls: needs MPI calls, such as MPI_Comm_split, or the word constructors, but \"MPI_Comm_splt\" is not a call (did you mean MPI_Comm_split?)"},
		{"# sizes: 4, 6", "# leaks: some", "sheet.mpi:3:1: # leaks: must be none"},
		{`note "Evens and odds. Name it half."`, "", "sheet.mpi:1:1: the task is missing"},
		{`note "Evens and odds. Name it half."`, "a = 1", "sheet.mpi:7:1: before # given: and # solution: there may be only notes"},
		{"half = split world color=rank%2", "", "sheet.mpi:9:1: the solution has no lines"},
		{"half = split world color=rank%2", "half = splt world", `sheet.mpi:10:8: unknown verb "splt"`},
		{"half = split world color=rank%2", "half = split world color=rnk", "sheet.mpi:10:26: rnk is not defined"},
		{"half = split world color=rank%2", "half = split world color=0", "sheet.mpi:14:1: the solution does not meet this with 4 ranks: who is together: expected [[0, 2], [1, 3]], found [0, 1, 2, 3]"},
		{"half = split world color=rank%2", "half = split world color=[0,1,0,1][rank]", "sheet.mpi: the solution fails on world 2 of 2: "},
		{"half = split world color=rank%2", ".show\nhalf = split world color=rank%2", "sheet.mpi:10:2: meta commands are not allowed in exercises"},
		{"expect_parts half", "k = 1\nexpect_parts half", "sheet.mpi:14:1: a line of the goal must be expect"},
		{"expect_parts half", "expect_parts haf", "sheet.mpi: the solution sets no variable haf"},
		{"# goal:\n", "two = 2\n# goal:\nexpect two==2\n", "sheet.mpi:15:8: two is not defined; the goal can use"},
	} {
		x, err := practice.Read(stories.NewScript("sheet.mpi", strings.Replace(halves, c.from, c.to, 1)), cmd.World)
		if err == nil {
			err = x.Check(t.Context())
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.message) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", c.to, err, c.message)
		}
		if at := (*lang.Error)(nil); strings.HasPrefix(c.to, "# size") && (!errors.As(err, &at) || at.Source != c.to) {
			t.Errorf("%q: the error has the line %+v", c.to, at)
		}
	}
	if x, err := practice.Read(stories.NewScript("sheet.mpi", "# Nothing\nnote \"Nothing.\"\n# solution:\na = 1\n# goal:\nexpect size==size\n"), cmd.World); err == nil {
		if err := x.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "an empty answer is right") {
			t.Error(err)
		}
	} else {
		t.Error(err)
	}
}

// Of many faults the first four are told, and how many more there are.
func TestRowsAreFew(t *testing.T) {
	t.Parallel()
	for faults, last := range map[int]practice.Row{
		4: {Kind: practice.FaultRow, Text: "fault 4"}, 5: {Kind: practice.MoreRow, Text: "and 1 more"}, 9: {Kind: practice.MoreRow, Text: "and 5 more"},
	} {
		var list []practice.Fault
		for i := range faults {
			list = append(list, practice.Fault{Message: fmt.Sprintf("fault %d", i+1)})
		}
		rows := (&practice.Grade{Worlds: []practice.Result{{Size: 4, Faults: list}}}).Rows(80)
		if len(rows) != min(faults, 5)+1 || rows[len(rows)-1] != last {
			t.Errorf("%d faults: %+v", faults, rows)
		}
	}
}
