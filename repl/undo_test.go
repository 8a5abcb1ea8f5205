package repl_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

// lines are the lines of random sessions: some fail, some leave ranks blocked, some release blocked ranks.
var lines = []string{
	"a = split world color=rank%2", "b = split a color=rank key=-rank", "split world color=0",
	"c = split world color=(0 if rank<2 else UNDEFINED)", "dup world", "a = dup world", "free a",
	"split_type world HW_GUIDED resource=\"hwloc://Package\"",
	"@0 barrier world", "@1-2 barrier world", "@3 barrier world", "barrier world",
	"@1 d = split world color=1", "expect_deadlock", "@0,2 e = create_group world group=[2,0]",
	"expect world.rank<2 \"low\"", "expect world.size==4 \"four\"", "name world \"all\"", "hw_info",
	"print(world.rank // 2)", "x = world.rank", "x = x + 1", "note \"so\"",
	"for i in range(2):\n    a = world.Dup()\n", "l = [world, MPI.COMM_NULL]",
	"bind 1-2 4-5", "bind 0-3 str(7-rank)", "bind 2 8", "bind(\"0\", 3)",
	"split world color=-1", "y = 1 // 0", "y = 1 // world.rank", "a.Free()", "undefined_name",
	"split nothing color=0", "split world color=1.5", "world.Abort(1)",
}

// Undo takes back every effect of a chunk, and Redo makes it again; a chunk that fails leaves everything as it
// was.
func TestUndoIsTheInverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := sessions.Open(t, 4)
		defer s.Close()
		states := []string{state(t, s)}
		for _, line := range rapid.SliceOfN(rapid.SampledFrom(lines), 1, 8).Draw(t, "lines") {
			_, err := sessions.Do(t, s, line)
			now := state(t, s)
			if err != nil {
				same(t, "after the failed "+line, states[len(states)-1], now)
				continue
			}
			undo(t, s, 1)
			same(t, "after undoing "+line, states[len(states)-1], state(t, s))
			redo(t, s)
			same(t, "after redoing "+line, now, state(t, s))
			states = append(states, now)
		}
		if done := len(states) - 1; done > 0 {
			k := rapid.IntRange(1, done).Draw(t, "undone")
			undo(t, s, k)
			same(t, "after undoing several", states[done-k], state(t, s))
			for i := range k {
				redo(t, s)
				same(t, "after redoing one of them", states[done-k+i+1], state(t, s))
			}
		}
	})
}

func same(t sessions.Tester, when, want, got string) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s (-before +now):\n%s", when, d)
	}
}

func undo(t sessions.Tester, s *repl.Session, n int) {
	t.Helper()
	if k, err := s.Undo(sessions.Background, n); err != nil || k != n {
		t.Fatalf("undid %d of %d: %v", k, n, err)
	}
}

func redo(t sessions.Tester, s *repl.Session) {
	t.Helper()
	if err := s.Redo(sessions.Background); err != nil {
		t.Fatal(err)
	}
}

// There is nothing to undo at the beginning, and nothing to redo after something new.
func TestUndoEnds(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 2, "a = dup world")
	undo(t, s, 1)
	if _, err := s.Undo(sessions.Background, 1); err == nil {
		t.Error("undid the beginning")
	}
	redo(t, s)
	undo(t, s, 1)
	sessions.Must(t, s, "b = dup world")
	if err := s.Redo(sessions.Background); err == nil {
		t.Error("redid what was undone before something new was run")
	}
	if k, err := s.Undo(sessions.Background, 9); k != 1 || err != nil {
		t.Errorf("undid %d of the 1 that there was: %v", k, err)
	}
}

// A fresh world can be undone, too: the former one comes back.
func TestRestartIsUndone(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "a = split world color=rank%2")
	before := state(t, s)
	if err := s.Restart(sessions.Background, repl.Config{Size: 2, Topo: "core:2"}); err != nil {
		t.Fatal(err)
	}
	if s.Size() != 2 || len(s.Handles()) != 0 {
		t.Errorf("%d ranks and %v on the fresh world", s.Size(), s.Handles())
	}
	undo(t, s, 1)
	same(t, "after undoing the restart", before, state(t, s))
	if err := s.Restart(sessions.Background, repl.Config{Size: 2, Topo: "nonsense"}); err == nil {
		t.Error("restarted on nonsense")
	}
	same(t, "after a restart that failed", before, state(t, s))
}

// What a rehearsed line gives is what entering the line gives, and the session does not change by it: neither do what
// ranks print, nor numbers of communicators. Only calls that make a communicator are rehearsed.
func TestRehearsalIsWhatEnterGives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := sessions.Open(t, 4)
		defer s.Close()
		for _, line := range rapid.SliceOfN(rapid.SampledFrom(lines), 0, 4).Draw(t, "lines") {
			sessions.Do(t, s, line) //nolint:errcheck // lines that fail leave the session as it was
		}
		line := rapid.SampledFrom(lines).Draw(t, "line")
		before := state(t, s)
		run := s.Rehearse(line)
		if run == nil {
			if v := repl.FindVerb(verbOf(line)); v != nil && v.Makes == repl.MakesComm && s.Check(line) == nil {
				t.Fatalf("%s is not rehearsed", line)
			}
			return
		}
		r, err := run(context.Background())
		same(t, "after rehearsing "+line, before, state(t, s))
		_, failed := sessions.Do(t, s, line)
		if (err == nil) != (failed == nil) || err != nil && strings.ReplaceAll(firstLine(err), "<input>", "test.mpi") != firstLine(failed) {
			t.Fatalf("%s: rehearsed %v, entered %v", line, err, failed)
		}
		if err != nil {
			return
		}
		now := s.View()
		if (r.Deadlock == nil) != (now.Deadlock == nil) || len(r.View.Handles) != len(now.Handles) {
			t.Fatalf("%s: rehearsed %v, %v; entered %v, %v", line, r.Deadlock, r.View.Handles, now.Deadlock, now.Handles)
		}
		for _, h := range now.Handles { // a line that failed may have given its variable an earlier place in the order
			g := slices.IndexFunc(r.View.Handles, func(o render.Handle) bool { return o.Name == h.Name })
			if g < 0 || !slices.Equal(r.View.Handles[g].IDs, h.IDs) {
				t.Fatalf("%s: rehearsed %v, entered %v", line, r.View.Handles, h)
			}
		}
	})
}

// verbOf returns the verb of a command: behind @ranks and "name = ".
func verbOf(line string) string {
	if strings.HasPrefix(line, "@") {
		_, line, _ = strings.Cut(line, " ")
	}
	if _, after, ok := strings.Cut(line, " = "); ok {
		line = after
	}
	verb, _, _ := strings.Cut(line, " ")
	return verb
}

func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// Lines that make no communicator, are not whole, or are wrong are not rehearsed; those of C and Fortran are.
func TestWhatIsRehearsed(t *testing.T) {
	t.Parallel()
	s := sessions.Open(t, 4)
	defer s.Close()
	if _, err := sessions.Do(t, s, "half = split world color=rank%2"); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]bool{
		"split world color=rank%3": true, "x = dup half": true, "@0-1 split world color=0": true,
		"MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &c);":       true,
		"call MPI_Comm_split(MPI_COMM_WORLD, mod(rank,2), 0, c, ie)": true,
		"split world": false, "split world color=": false, "free half": false, "barrier world": false, "x = 1": false,
		"MPI_Comm_free(&half);": false, ".undo": false, "print(world.rank)": false, "": false, "split nothing color=0": false,
	} {
		if got := s.Rehearse(line) != nil; got != want {
			t.Errorf("%q is rehearsed: %v, want %v", line, got, want)
		}
	}
}
