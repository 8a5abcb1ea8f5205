package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of ranks that wait, the panes tell in full where they do and for whom, also side by side.
func TestWaitingFits(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "leader-waits.py")
	text := "from mpi4py import MPI\nworld = MPI.COMM_WORLD\nif world.rank == 0:\n    world.Barrier()\n" +
		"elif world.rank == 1:\n    world.Dup()\nelse:\n    c = world.Split_type(MPI.COMM_TYPE_SHARED)\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m := opened(t, small, 120, 40, ".open "+file)
	press(t, m, "esc", "5")
	for _, want := range []string{
		"│     Where              Waits for\n",
		"│     leader-waits.py:8  ranks 0-1\n", // the log
		"\n      leader-waits.py:8 ",           // why
	} {
		if text := plain(m); !strings.Contains(text, want) {
			t.Errorf("%q does not show:\n%s", want, text)
		}
	}
}
