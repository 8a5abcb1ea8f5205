//go:build linux

package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Somebody who solves an exercise at a terminal reads so, goes on with Enter, and begins with the next one the next time.
func TestPracticeRemembers(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	x := start(t, state, "practice")
	x.wait("Exercise 1 of 24: Evens and odds", "world[6]> ")
	x.enter("half = split world color=rank//2", "wrong with 6 ranks:", "color          0, passed by 2 of the 6 ranks")
	x.enter("hint", "Hint 1 of 3: ")
	if strings.Contains(x.text(), "color=rank%2") {
		t.Errorf("the solution shows:\n%s", x.text())
	}
	x.enter("half = split world color=rank%2", "Right with 6, 9 and 12 ranks.", "Enter for the next exercise")
	x.press("\r", "Exercise 2 of 24")
	x.press(ctrlD)
	x.ends(0)
	data, err := os.ReadFile(filepath.Join(state, "commsplit", "practice"))
	if err != nil || string(data) != "done 01-evens-and-odds\n" {
		t.Errorf("remembers %q, %v", data, err)
	}
	info, err := os.Stat(filepath.Join(state, "commsplit", "practice"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: only its owner may read it", info, err)
	}
	y := start(t, state, "practice")
	y.wait("Exercise 2 of 24", "world[")
	y.enter("back", "Exercise 1 of 24", "world[6]> ")
	y.enter("q")
	y.ends(0)
}
