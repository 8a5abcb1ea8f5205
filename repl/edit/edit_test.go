package edit

import (
	"path/filepath"
	"testing"
)

// The history lies below XDG_STATE_HOME, or below ~/.local/state. A path that is not absolute is to be
// ignored: XDG Base Directory Specification 0.8, Basics.
func TestHistoryFile(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	t.Setenv("XDG_STATE_HOME", "/state")
	if got, want := HistoryFile(), filepath.FromSlash("/state/commsplit/history"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, none := range []string{"", "state", "./state"} {
		t.Setenv("XDG_STATE_HOME", none)
		if got, want := HistoryFile(), filepath.FromSlash("/home/ada/.local/state/commsplit/history"); got != want {
			t.Errorf("%q: got %s, want %s", none, got, want)
		}
	}
}
