package cmd_test

import (
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The document of a run is the same, byte for byte, however many processors there are, and so is what
// standard error says.
func TestDocumentsAreDeterministic(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, r := range rules(t) {
		var first result
		for k, procs := range []int{1, 2, 8} {
			runtime.GOMAXPROCS(procs)
			got := run(t, "", "run", r.file, "-o", "json")
			if k == 0 {
				first = got
			} else if first != got {
				t.Errorf("%s: GOMAXPROCS 1 and %d differ (-1 +%d):\n%s%s", r.name, procs, procs, cmp.Diff(first.out, got.out), cmp.Diff(first.err, got.err))
			}
		}
	}
}
