package console_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

// A statement that gives a variable new communicators shows them as the command with the same call does. A statement
// that makes no communicators, or gives none to a variable, shows nothing.
func TestAssignedShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, echo, row string }{
		{"half = world.Split(world.rank % 2)", "half = ranks 0-7 each call MPI_Comm_split on world\n", "A  half#2  ctx 1  4 ranks  world ranks [0,2,4,6]"},
		{"@3 own = MPI.Comm.Create_group(world, world.group.Incl([3]))", "own = rank 3 calls MPI_Comm_create_group on world\n", "A  own#2  ctx 1  1 rank   world ranks [3]"},
		{"again = world.Dup().Dup()", "again = ranks 0-7 each call MPI_Comm_dup on #2\n", "A  again#3  ctx 2  8 ranks  world ranks [0,1,2,3,4,5,6,7]"},
		{"same = world", "", ""},
		{"world.Dup().Get_rank() == 8", "[0-7] False\n", ""},
		{"n = world.Dup().size", "", ""},
	} {
		s, out, _ := sessions.Console(t)
		sessions.Tell(t, s, c.line)
		if got := out.String(); !strings.HasPrefix(got, c.echo) || !strings.Contains(got, c.row) || c.echo == "" && got != "" {
			t.Errorf("%s shows\n%s", c.line, got)
		}
		s.Brief = true // the picture is elsewhere
		out.Reset()
		sessions.Tell(t, s, ".undo", c.line)
		if got := out.String(); !strings.HasSuffix(got, c.echo) || c.row != "" && strings.Contains(got, c.row) {
			t.Errorf("%s shows beside the picture\n%s", c.line, got)
		}
	}
}
