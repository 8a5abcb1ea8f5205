package repl_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// state returns the document of a session: everything that can be seen of it.
func state(t sessions.Tester, s *repl.Session) string {
	t.Helper()
	var b bytes.Buffer
	if err := document.Run(&b, s.View()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A result without a name is named after its verb, counting up past names that are taken.
func TestAutoNames(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4)
	for _, c := range []struct{ line, want string }{
		{"split world color=0", "split1"},
		{"split world color=1", "split2"},
		{"dup split1", "dup1"},
		{"split3 = dup world", "split3"},
		{"split world color=2", "split4"},
		{"split_type world SHARED", "split_type1"},
		{"split-type world SHARED", "split_type2"},
	} {
		if o := sessions.Must(t, s, c.line); o.Handle != c.want {
			t.Errorf("%s is named %s, want %s", c.line, o.Handle, c.want)
		}
	}
	undo(t, s, 3)
	if o := sessions.Must(t, s, "split world color=2"); o.Handle != "split4" {
		t.Errorf("after undo the name is %s, want split4", o.Handle)
	}
}

// Only ranks that hold the communicator issue a command; the others sit out and get MPI_COMM_NULL.
func TestNullSitsOut(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "low = split world color=(0 if rank<2 else UNDEFINED) key=-rank")
	o := sessions.Must(t, s, "pair = split low color=rank")
	if got := o.Callers.String(); got != "0-1" {
		t.Errorf("ranks %s issued the call, want 0-1", got)
	}
	want := map[string]sessions.Partition{"low": {{1, 0}, {1, 0}, nil, nil}, "pair": {{0}, {1}, nil, nil}}
	if d := cmp.Diff(want, sessions.Partitions(s)); d != "" {
		t.Errorf("partitions (-want +got):\n%s", d)
	}
}

// With @ranks, other ranks neither call nor wait, and hold MPI_COMM_NULL; @ranks are world ranks, and rank is the
// rank in the communicator acted on.
func TestRanks(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4)
	o := sessions.Must(t, s, "@3,1 sub = create_group world group=[3,1]")
	if got := o.Callers.String(); got != "1,3" {
		t.Errorf("ranks %s issued the call, want 1,3", got)
	}
	sessions.Must(t, s, "expect_parts sub [[3,1]]") // also ranks 0 and 2 have the variable
	sessions.Must(t, s, "@0-1 print(world.rank)")
	e := s.View().Expectations
	if e.Passed != 1 || e.Failed != 0 || len(s.Waiting()) != 0 {
		t.Errorf("expectations %+v, waiting %v", e, s.Waiting())
	}
	for _, bad := range []string{"@4 barrier world", "@2-1 barrier world", "@-1 barrier world", "@ barrier world"} {
		list, err := stories.NewScript("test.mpi", bad).Chunks()
		if err == nil {
			_, err = s.Run(sessions.Background, list[0])
		}
		var at *lang.Error
		if !errors.As(err, &at) {
			t.Errorf("%s: error %v, want one with its place", bad, err)
		}
	}
}

// Ranks that wait are not an error: a later line can release them, and then their results come.
func TestBlockedIsReleased(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "@0,2 a = split world color=rank key=-rank")
	w := s.Waiting()
	if len(w) != 1 || w[0].Ranks.String() != "0,2" || w[0].Call != engine.CallSplit {
		t.Fatalf("waiting: %+v", w)
	}
	sessions.Must(t, s, "@1 a = split world color=0")
	if w := s.Waiting(); len(w) == 0 {
		t.Fatal("released before rank 3 came")
	}
	if s.View().Deadlock == nil {
		t.Error("the view does not tell who is blocked")
	}
	sessions.Must(t, s, "@3 a = split world color=2 key=-9")
	if w := s.Waiting(); len(w) != 0 {
		t.Fatalf("still waiting: %+v", w)
	}
	// Color 0: ranks 0 and 1, keys 0 and 0. Color 2: ranks 2 and 3, keys -2 and -9.
	want := sessions.Partition{{0, 1}, {0, 1}, {3, 2}, {3, 2}}
	if d := cmp.Diff(want, sessions.PartitionOf(s, "a")); d != "" {
		t.Errorf("partition (-want +got):\n%s", d)
	}
}

// A rank that waits in a call whose arguments were computed for it in advance handles the result itself when a later
// line lets the rank go: for each kind of such call, for MPI_COMM_NULL, and for an error.
func TestReadyCallIsLetGo(t *testing.T) {
	t.Parallel()
	all := []int32{0, 1, 2, 3}
	s := sessions.New(t, 4)
	for _, row := range []struct {
		name, first, then string
		want              sessions.Partition
	}{
		{"a", "@0-1 a = split world color=UNDEFINED", "@2-3 a = split world color=1 key=-rank", sessions.Partition{nil, nil, {3, 2}, {3, 2}}},
		{"b", "@0,3 b = dup world", "@1-2 b = dup world", sessions.Partition{all, all, all, all}},
		{"c", `@1-3 c = split_type world HW_GUIDED resource="hwloc://Package" key=-rank`, // ranks 0 to 3 run on the first package
			`@0 c = split_type world HW_GUIDED resource="hwloc://Package"`, sessions.Partition{{3, 2, 1, 0}, {3, 2, 1, 0}, {3, 2, 1, 0}, {3, 2, 1, 0}}},
	} {
		sessions.Must(t, s, row.first)
		if len(s.Waiting()) == 0 {
			t.Fatalf("%s: nobody waits", row.first)
		}
		sessions.Must(t, s, row.then)
		if d := cmp.Diff(row.want, sessions.PartitionOf(s, row.name)); d != "" {
			t.Errorf("%s (-want +got):\n%s", row.first, d)
		}
	}
	sessions.Must(t, s, "@0-2 d = split_type world SHARED")
	if _, err := sessions.Do(t, s, "@3 d = split_type world HW_UNGUIDED"); err == nil || !strings.Contains(err.Error(), "MPI_ERR_ARG") {
		t.Errorf("all processes must pass the same split_type (§7.4.2), and the error is %v", err)
	}
}

// expect_deadlock passes when ranks wait, lets them go, and takes back the lines that led there; otherwise it
// fails.
func TestExpectDeadlock(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "a = dup world")
	before := s.View()
	sessions.Must(t, s, "@0 barrier world")
	sessions.Must(t, s, "@1 b = dup world")
	sessions.Must(t, s, "expect_deadlock")
	after := s.View()
	if len(s.Waiting()) != 0 || after.Deadlock != nil {
		t.Error("ranks still wait")
	}
	if len(after.Snapshot.Comms) != len(before.Snapshot.Comms) || len(s.Handles()) != 1 {
		t.Errorf("%d communicators and %v are left", len(after.Snapshot.Comms), s.Handles())
	}
	sessions.Must(t, s, "expect_deadlock")
	if e := s.View().Expectations; e.Passed != 1 || e.Failed != 1 || e.Failures[0].Where != "test.mpi:1" {
		t.Errorf("expectations: %+v", e)
	}
}

// A line that fails, by an error in the text, of the program or of MPI, leaves the session as before the line.
func TestFailuresLeaveNothing(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "a = split world color=rank%2", "x = 1")
	before := state(t, s)
	for line, want := range map[string]string{
		"b = split a color=-rank":     "MPI_ERR_ARG",
		"b = split a color=rank/2":    "use rank//2",
		"b = split a colr=0":          "did you mean color?",
		"b = split aa color=0":        "did you mean a?",
		"b = create a group=[0,0]":    "MPI_ERR_RANK",
		"b = create a group=3":        "list of ranks",
		"b = name a 3":                "has no result",
		"name a 3":                    "string in quotes",
		"free world":                  "MPI_ERR_COMM",
		"b = x + undefined_thing":     "undefined_thing is not defined",
		"b = world.Dup(); y = 1 // 0": "division by zero",
		"expect_error MPI.ERR_ARG 3":  "",
		"world.Split(0) if world.rank else world.Barrier(1, 2, 3)": "",
	} {
		_, err := sessions.Do(t, s, line)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", line, err, want)
		}
		same(t, "after "+line, before, state(t, s))
	}
}

// A failed expectation has the expected value and each found value with its ranks; failures are in order of lines.
func TestExpectedAndFound(t *testing.T) {
	t.Parallel()
	s := sessions.Open(t, 4)
	t.Cleanup(s.Close)
	text := "half = split world color=rank%2\nexpect_parts half [[0,1],[2,3]]\n" + strings.Repeat("\n", 7) + `expect world.rank<3 "low"`
	for _, c := range sessions.Chunks(t, text) {
		if _, err := s.Run(sessions.Background, c); err != nil {
			t.Fatal(err)
		}
	}
	e := s.View().Expectations
	if e.Failed != 2 {
		t.Fatalf("%+v", e)
	}
	parts, low := e.Failures[0], e.Failures[1]
	if parts.Where != "test.mpi:2" || parts.Ranks.String() != "0-3" || low.Where != "test.mpi:10" || low.Ranks.String() != "3" {
		t.Errorf("%+v", e.Failures)
	}
	want := "who is together: expected [[0, 1], [2, 3]], found [0, 2] (ranks 0,2); found [1, 3] (ranks 1,3)"
	if parts.Message != want {
		t.Errorf("message %q, want %q", parts.Message, want)
	}
}

// A line that a blocked rank comes to later says so. Its call counts as the rank's call once it is made, not as a call
// of the line that lets the rank go. Until then the line's variable has no value on that rank.
func TestBlockedRanksComeLater(t *testing.T) {
	t.Parallel()
	s := sessions.Open(t, 4)
	defer s.Close()
	for _, step := range []struct{ line, echo string }{
		{"@0 barrier world", "rank 0 calls MPI_Barrier(world)"},
		{"@0 d = split world color=5", "rank 0 calls MPI_Comm_split(world, color=5, key=0) once it is let go"},
		{"hw_info", "ranks 1-3 each call MPI_Get_hw_resource_info(); rank 0 will once it is let go"},
		{"@1-3 barrier world", "ranks 1-3 each call MPI_Barrier(world)"},
	} {
		if got := sessions.Must(t, s, step.line).Echo; got != step.echo {
			t.Errorf("%s: %q, want %q", step.line, got, step.echo)
		}
	}
	sessions.Must(t, s, "@1-3 d = split world color=5")
	all := []int32{0, 1, 2, 3}
	if d := cmp.Diff(sessions.Partition{all, all, all, all}, sessions.PartitionOf(s, "d")); d != "" {
		t.Errorf("d (-want +got):\n%s", d)
	}
}

// .explain says of the variable of a line that blocks a rank that the rank is blocked, not that the line was for other
// ranks.
func TestExplainOfABlockedRank(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	sessions.Tell(t, c, "@0 c = dup world", "@0 d = dup c")
	for _, name := range []string{"c", "d"} {
		out.Reset()
		sessions.Tell(t, c, ".explain "+name+" @0", ".explain "+name+" @1")
		for _, want := range []string{"none yet: the rank is blocked", "only other ranks issued"} {
			if n := strings.Count(out.String(), want); n != 1 {
				t.Errorf("%s: %d times %q in\n%s", name, n, want, out)
			}
		}
	}
}

// A call in an expression typed at the prompt has the line as its call site, and the pair of an idup is not shown as
// MPI_COMM_NULL.
func TestPromptOfCalls(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	c.Prompt, c.Session.ShowValues = true, true
	sessions.Tell(t, c, "@0 world.Barrier()")
	if got := out.String(); !strings.Contains(got, "test.mpi:1") {
		t.Errorf("the line is missing:\n%s", got)
	}
	c, out, _ = sessions.Console(t)
	sessions.Tell(t, c, "later = idup world")
	if got := out.String(); !strings.Contains(got, "later = ranks 0-7 each call MPI_Comm_idup(world)") || strings.Contains(got, "MPI_COMM_NULL") {
		t.Errorf("a pair is shown as\n%s", got)
	}
}

// A call on many communicators may fail on each of them: the first twelve errors are written, and how many more
// there are.
func TestManyErrorsAreCounted(t *testing.T) {
	t.Parallel()
	s := sessions.Open(t, 20)
	defer s.Close()
	_, err := sessions.Do(t, s, "MPI.COMM_SELF.Split(5).Create(world.group)")
	var text strings.Builder
	repl.WriteError(&text, err)
	if n := strings.Count(text.String(), "error: MPI_ERR_GROUP"); n != 12 || !strings.Contains(text.String(), "and 8 more errors\n") {
		t.Errorf("%d errors are told:\n%s", n, text.String())
	}
}

// A diagnosis names a communicator as the session does: by its variable, with the number from the table where the
// variable holds other communicators on other ranks; or by the name that the program set; or by its number.
func TestDeadlockNamesWhatWasTyped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ head, lines string }{
		{"DEADLOCK on world: rank 0 waits in MPI_Barrier ", "@0 barrier world"},
		{"DEADLOCK on copy: rank 0 waits in MPI_Barrier ", "copy = dup world; @0 barrier copy"},
		{"DEADLOCK on half#3: rank 1 waits in MPI_Barrier ", "half = split world color=rank%2; @1 barrier half"},
		{`DEADLOCK on communicator "rows": rank 0 waits in MPI_Barrier `, `(lambda d: [d.Set_name("rows"), d.rank == 0 and d.Barrier()])(world.Dup())`},
		{"DEADLOCK on communicator 2: rank 0 waits in MPI_Barrier ", "(lambda d: d.rank == 0 and d.Barrier())(world.Dup())"},
	} {
		s := sessions.New(t, 4, strings.Split(c.lines, "; ")...)
		defer s.Close()
		if got := s.Deadlock().Message; !strings.HasPrefix(got, c.head) {
			t.Errorf("%s: got %s, want %s", c.lines, got, c.head)
		}
	}
}

// When a line is stopped before its ranks have begun, no rank begins; when a new world is stopped while it is made, the
// present world stays. Both errors say that they were interrupted.
func TestStoppedBeforeItBegins(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	s, err := repl.Open(sessions.Background, repl.Config{Size: 4, Topo: "pack:2 core:4"}, func(lines []engine.Line) {
		for _, l := range lines {
			said.WriteString(l.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	ctx, cancel := context.WithCancel(sessions.Background)
	cancel()
	var failed *repl.Failed
	if err := s.Restart(ctx, repl.Config{Size: 8, Topo: "pack:2 core:4*100"}); !errors.As(err, &failed) || !failed.Interrupted || s.Size() != 4 {
		t.Errorf("a fresh world: %v, %d ranks", err, s.Size())
	}
	if _, err := s.Run(ctx, sessions.Chunks(t, "while True: pass")[0]); !errors.As(err, &failed) || !failed.Interrupted {
		t.Errorf("a line: %v", err)
	}
	if err := s.Rollback(sessions.Background); err != nil {
		t.Fatal(err)
	}
	if sessions.Must(t, s, "print('on')"); said.String() != "on" {
		t.Errorf("the ranks said %q", said.String())
	}
	if s.Progress() != nil {
		t.Error("something still runs")
	}
}
