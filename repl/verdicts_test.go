package repl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// At a prompt an expectation says at once how it ended, expected and found side by side, and only its
// own line's: a script reports all of them at its end.
func TestPromptTellsExpectations(t *testing.T) {
	t.Parallel()
	c, out, _ := console(t)
	for _, step := range []struct{ line, want string }{
		{`expect world.rank<2 "low"`, "FAILED  test.mpi:1  ranks 2-7\n  low: expected a true value, found False (bool)\n0 expectations passed, 1 failed\n"},
		{`expect world.size==8`, "1 expectation passed\n"},
		{`x = 1`, ""},
		{`expect_deadlock`, "FAILED  test.mpi:1\n  expected a deadlock, but no rank is blocked\n0 expectations passed, 1 failed\n"},
		{`expect_parts MPI.COMM_SELF [[0],[1],[2],[3],[4],[5],[6],[7]]`, "1 expectation passed\n"},
		{`x = 2`, ""},
	} {
		out.Reset()
		tell(t, c, step.line)
		if d := cmp.Diff(step.want, out.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", step.line, d)
		}
	}
}
