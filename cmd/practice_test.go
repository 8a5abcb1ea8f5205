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
	x.wait("Exercise 1 of 24: Evens and odds")
	x.wait("world[6]> ")
	x.enter("half = split world color=rank//2")
	x.wait("wrong with 6 ranks:")
	x.wait("color          0, passed by 2 of the 6 ranks")
	x.enter("hint")
	x.wait("Hint 1 of 3: ")
	if strings.Contains(x.text(), "color=rank%2") {
		t.Errorf("the solution shows:\n%s", x.text())
	}
	x.enter("half = split world color=rank%2")
	x.wait("Right with 6, 9 and 12 ranks.")
	x.wait("Enter for the next exercise")
	x.press("\r")
	x.wait("Exercise 2 of 24")
	x.press(ctrlD)
	if code := x.code(); code != 0 {
		t.Errorf("code %d", code)
	}
	data, err := os.ReadFile(filepath.Join(state, "commsplit", "practice"))
	if err != nil || string(data) != "done 01-evens-and-odds\n" {
		t.Errorf("remembers %q, %v", data, err)
	}
	info, err := os.Stat(filepath.Join(state, "commsplit", "practice"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: only its owner may read it", info, err)
	}
	y := start(t, state, "practice")
	y.wait("Exercise 2 of 24")
	y.wait("world[")
	y.enter("back")
	y.wait("Exercise 1 of 24")
	y.wait("world[6]> ")
	y.enter("q")
	if code := y.code(); code != 0 {
		t.Errorf("code %d", code)
	}
}
