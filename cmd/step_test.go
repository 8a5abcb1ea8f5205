//go:build linux

package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/scripts"
)

// At a terminal, a script goes on line by line with Enter, questions wait for a prediction, and q leaves.
func TestStepWaits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "t.mpi")
	text := "# commsplit: -n 2 --topo core:2\nhalf = split world color=rank\n" +
		"ask \"How many?\" half.size answer=1\nprint('not reached')\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x := start(t, dir, "run", "--step", path)
	x.wait("1 of 3  t.mpi:2", "world[2]> half = split world color=rank", "Enter to run it, q to leave> ")
	if strings.Contains(x.text(), "half#2") {
		t.Errorf("it runs before Enter:\n%s", x.text())
	}
	x.press("\r", "half#3", "2 of 3  t.mpi:3", "q to leave> ")
	x.press("\r", "your prediction> ")
	x.enter("2", "You said 2. Answer: 1.", "3 of 3  t.mpi:4", "q to leave> ")
	x.enter("q", "1 expectation passed")
	if code := x.code(); code != 0 || strings.Contains(x.text(), "[0-1] not reached") {
		t.Errorf("code %d\n%s", code, x.text())
	}
}

// ended is what a script ends with: its expectations, and the communicators that it made.
var ended = regexp.MustCompile(`\d+ expectations? passed.*|\d+ communicators? made.*`)

// Cut at its statements, a program meets the same expectations and makes the same communicators. Only
// messages may be told in other steps, because ranks meet at the end of each statement.
func TestStepsAreTheProgram(t *testing.T) {
	t.Parallel()
	for _, e := range scripts.All() {
		whole, steps := run(t, "", "run", e.Name), run(t, "", "run", "--step", e.Name)
		if d := cmp.Diff(ended.FindAllString(whole.out, -1), ended.FindAllString(steps.out, -1)); d != "" || whole.code != steps.code {
			t.Errorf("%s: codes %d and %d (-whole +steps):\n%s%s", e.Name, whole.code, steps.code, d, steps.err)
		}
	}
}
