package repl_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/repl"
)

// A line that a blocked rank comes to later says so; it counts as the rank's call once it is made, not
// as a call of the line that lets the rank go. Until then its variable has no value there.
func TestBlockedRanksComeLater(t *testing.T) {
	t.Parallel()
	s := open(t, 4)
	defer s.Close()
	for _, step := range []struct{ line, echo string }{
		{"@0 barrier world", "rank 0 calls MPI_Barrier(world)"},
		{"@0 d = split world color=5", "rank 0 calls MPI_Comm_split(world, color=5, key=0) once it is let go"},
		{"hw_info", "ranks 1-3 each call MPI_Get_hw_resource_info(); rank 0 will once it is let go"},
		{"@1-3 barrier world", "ranks 1-3 each call MPI_Barrier(world)"},
	} {
		if got := must(t, s, step.line).Echo; got != step.echo {
			t.Errorf("%s: %q, want %q", step.line, got, step.echo)
		}
	}
	must(t, s, "@1-3 d = split world color=5")
	all := []int32{0, 1, 2, 3}
	if d := cmp.Diff(partition{all, all, all, all}, partitionOf(s, "d")); d != "" {
		t.Errorf("d (-want +got):\n%s", d)
	}
}

// The variable of a line that blocks a rank is explained by that, not as a line for other ranks.
func TestExplainOfABlockedRank(t *testing.T) {
	t.Parallel()
	c, out, _ := console(t)
	tell(t, c, "@0 c = dup world", "@0 d = dup c")
	for _, name := range []string{"c", "d"} {
		out.Reset()
		tell(t, c, ".explain "+name+" @0", ".explain "+name+" @1")
		for _, want := range []string{"none yet: the rank is blocked", "was issued by other ranks only"} {
			if n := strings.Count(out.String(), want); n != 1 {
				t.Errorf("%s: %d times %q in\n%s", name, n, want, out)
			}
		}
	}
}

// What an expression typed at the prompt calls knows its line, and a pair of idup is not shown as if it
// were MPI_COMM_NULL.
func TestPromptOfCalls(t *testing.T) {
	t.Parallel()
	c, out, _ := console(t)
	c.Prompt, c.Session.ShowValues = true, true
	tell(t, c, "@0 world.Barrier()")
	if got := out.String(); !strings.Contains(got, "test.mpi:1") {
		t.Errorf("the line is missing:\n%s", got)
	}
	c, out, _ = console(t)
	tell(t, c, "later = idup world")
	if got := out.String(); !strings.Contains(got, "later = ranks 0-7 each call MPI_Comm_idup(world)") || strings.Contains(got, "MPI_COMM_NULL") {
		t.Errorf("a pair is shown as\n%s", got)
	}
}

// A call on many communicators may fail on each of them: the first dozen errors are told, and how many
// more there are.
func TestManyErrorsAreCounted(t *testing.T) {
	t.Parallel()
	s := open(t, 20)
	defer s.Close()
	_, err := do(t, s, "MPI.COMM_SELF.Split(5).Create(world.group)")
	var text strings.Builder
	repl.WriteError(&text, err)
	if n := strings.Count(text.String(), "error: MPI_ERR_GROUP"); n != 12 || !strings.Contains(text.String(), "and 8 more errors\n") {
		t.Errorf("%d errors are told:\n%s", n, text.String())
	}
}

// A diagnosis calls a communicator what the session calls it: by its variable, with the number that the table
// has where the variable holds others on other ranks; or by the name that the program set; or by its number.
func TestDeadlockNamesWhatWasTyped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ head, lines string }{
		{"DEADLOCK on world: rank 0 waits in MPI_Barrier ", "@0 barrier world"},
		{"DEADLOCK on copy: rank 0 waits in MPI_Barrier ", "copy = dup world; @0 barrier copy"},
		{"DEADLOCK on half#3: rank 1 waits in MPI_Barrier ", "half = split world color=rank%2; @1 barrier half"},
		{`DEADLOCK on communicator "rows": rank 0 waits in MPI_Barrier `, `(lambda d: [d.Set_name("rows"), d.rank == 0 and d.Barrier()])(world.Dup())`},
		{"DEADLOCK on communicator 2: rank 0 waits in MPI_Barrier ", "(lambda d: d.rank == 0 and d.Barrier())(world.Dup())"},
	} {
		s := session(t, 4, strings.Split(c.lines, "; ")...)
		defer s.Close()
		if got := s.Deadlock().Message; !strings.HasPrefix(got, c.head) {
			t.Errorf("%s: got %s, want %s", c.lines, got, c.head)
		}
	}
}
