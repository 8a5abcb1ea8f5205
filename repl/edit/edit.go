// Package edit reads lines from a person at a terminal, with editing, history and completion, and keeps the
// files that outlive a session: the history of all instances, and the journals of sessions. It knows nothing
// of the language; the caller gives the proposals of Tab. Scripts are read whole, elsewhere.
package edit

import (
	"os"
	"path/filepath"
)

// HistoryFile returns the path of the file of lines typed at the prompt.
func HistoryFile() string { return StateFile("history") }

// StateFile returns $XDG_STATE_HOME/commsplit/NAME; without that variable ~/.local/state/commsplit/NAME; "" when
// there is no home.
func StateFile(name string) string {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) { // unset, or to be ignored: XDG Base Directory Specification 0.8
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "commsplit", name)
}
