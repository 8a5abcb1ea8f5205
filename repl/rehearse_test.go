package repl_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

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
