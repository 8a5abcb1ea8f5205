package program

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// A status comes from MPI.Status(), or from a list of such statuses; any other value is refused.
func TestStatusArguments(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		"world.iprobe(status=3)":                       "iprobe: status must be a status, as from MPI.Status(), or None, not 3 (int)",
		"MPI.Request.waitall([], 3)":                   "waitall: statuses must be a list of statuses, or None, not 3 (int)",
		"MPI.Request.waitall([], [MPI.Status(), 'a'])": `waitall: an element of statuses must be a status, not "a" (string)`,
	} {
		out := runChunks(t, engine.Config{Size: 2}, program)
		if got := programError(t, out); !strings.HasSuffix(got, ": "+want) {
			t.Errorf("%s: got %s, want %s", program, got, want)
		}
	}
}
