package edit

import (
	"path/filepath"
	"testing"
)

// The history lies below XDG_STATE_HOME, or below ~/.local/state.
func TestHistoryFile(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	t.Setenv("XDG_STATE_HOME", "/state")
	if got, want := HistoryFile(), filepath.FromSlash("/state/commsplit/history"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	t.Setenv("XDG_STATE_HOME", "")
	if got, want := HistoryFile(), filepath.FromSlash("/home/ada/.local/state/commsplit/history"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
