package console_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

// The console shows an expected error, and the diagnosis of an expected deadlock.
func TestExpectedIsShown(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	for _, step := range []struct{ line, want string }{
		{"expect_error MPI.ERR_ARG (lambda: world.Split(-1-world.rank%2))", "Caught: MPI_ERR_ARG in MPI_Comm_split on world (test.mpi:1), ranks 0-7: " +
			"color must be nonnegative or MPI_UNDEFINED: ranks 0,2,4,6: color -1; ranks 1,3,5,7: color -2 [MPI-5.0 §7.4.2]"},
		{"@0 barrier world", "rank 0 calls MPI_Barrier(world)"},
		{"expect_deadlock", "As expected: DEADLOCK on world: rank 0 waits in MPI_Barrier (test.mpi:1); ranks 1-7 have made all their calls."},
	} {
		out.Reset()
		sessions.Tell(t, c, step.line)
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, step.want) {
			t.Errorf("%s shows:\n%s", step.line, out)
		}
		narrow(t, 80, out.String())
	}
}

// expect_deadlock also takes back the steps that led to the deadlock.
func TestDeadlockTakesStepsBack(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	sessions.Tell(t, c, `@0 a = create_from_group group=[0,1] tag="one"`, `@1 a = create_from_group group=[0,1] tag="two"`, "expect_deadlock")
	if n := len(c.Session.View().Snapshot.Steps); n != 0 {
		t.Errorf("%d steps are left:\n%s", n, out)
	}
}

// Expectations of a world still count, passed or failed, after the session goes on in a fresh world; undo brings the
// old count back.
func TestExpectationsOutliveTheirWorld(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "expect world.size==4", `expect world.size==5 "five"`, "@0 barrier world", "expect_deadlock")
	before := s.View().Expectations
	if err := s.Restart(sessions.Background, repl.Config{Size: 2, Topo: "core:2"}); err != nil {
		t.Fatal(err)
	}
	sessions.Must(t, s, "expect world.size==2")
	if e := s.View().Expectations; e.Passed != before.Passed+1 || e.Failed != 1 || e.Failures[0].Message != before.Failures[0].Message {
		t.Errorf("%+v, after %+v", e, before)
	}
	if _, err := s.Undo(sessions.Background, 2); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, s.View().Expectations); d != "" {
		t.Errorf("undone (-before +now):\n%s", d)
	}
}

// A note of a line that is for some ranks names no ranks; a note that only some ranks of a program make does.
func TestNotesNameRanks(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	long := strings.Repeat("word-with-hyphen ", 7)
	sessions.Tell(t, c, `@0-2 note "`+long+`"`, `if world.rank == 3: note("alone")`)
	want := "\n· " + strings.TrimSpace(strings.Repeat("word-with-hyphen ", 4)) + "\n  " + strings.TrimSpace(strings.Repeat("word-with-hyphen ", 3)) + "\n[3] alone\n"
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// At a prompt the console prints the outcome of a line's expectations at once, with the expected and the found value; a
// script reports all expectations at its end.
func TestPromptTellsExpectations(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	for _, step := range []struct{ line, want string }{
		{`expect world.rank<2 "low"`, "FAILED  test.mpi:1  ranks 2-7\n  low: expected a true value, found False (bool)\n0 expectations passed, 1 failed\n"},
		{`expect world.size==8`, "1 expectation passed\n"},
		{`x = 1`, ""},
		{`expect_deadlock`, "FAILED  test.mpi:1\n  expected a deadlock, but no rank is blocked\n0 expectations passed, 1 failed\n"},
		{`expect_parts MPI.COMM_SELF [[0],[1],[2],[3],[4],[5],[6],[7]]`, "1 expectation passed\n"},
		{`x = 2`, ""},
	} {
		out.Reset()
		sessions.Tell(t, c, step.line)
		if d := cmp.Diff(step.want, out.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", step.line, d)
		}
	}
}
