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
		runtime.GOMAXPROCS(1)
		one := run(t, "", "run", r.file, "-o", "json")
		runtime.GOMAXPROCS(8)
		if many := run(t, "", "run", r.file, "-o", "json"); one != many {
			t.Errorf("%s: GOMAXPROCS matters (-1 +8):\n%s%s", r.name, cmp.Diff(one.out, many.out), cmp.Diff(one.err, many.err))
		}
	}
}
