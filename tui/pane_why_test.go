package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"commsplit/repl"
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

// moved is two NUMA nodes with two cores each, split by node. Rank 1 is then moved to a core of the
// other node: by hand, both communicators and their duplicates no longer reflect the hardware.
func moved(t *testing.T, w, h int) *Model {
	t.Helper()
	return opened(t, repl.Config{Topo: "numa:2 core:2 pu:1", Size: 4}, w, h,
		`nodes = split_type world HW_GUIDED resource="hwloc://NUMANode"`, "lib = dup nodes", "bind 1 3")
}

// What a re-binding made stale is marked with the word in the lists, and explained.
func TestStale(t *testing.T) {
	t.Parallel()
	m := moved(t, 200, 60)
	press(t, m, "esc", "2", "home", "down")
	text := plain(m)
	for _, want := range []string{
		"nodes#2  2 ranks  stale", "lib#4  2 ranks  stale", // communicators
		"A1 stale",              // ranks
		"2 ranks, ctx 1, stale", // why: the communicator
		"stale: rank 1 now runs on PU 3, NUMANode L#1",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the screen does not have %q:\n%s", want, text)
		}
	}
	press(t, m, "3", "home", "down")
	if text := plain(m); !strings.Contains(text, "  stale          rank 1 now runs on PU 3") {
		t.Errorf("the rank's explanation does not tell:\n%s", text)
	}
	press(t, m, "[")
	if text := plain(m); strings.Contains(text, "ranks  stale") || strings.Contains(text, "A1 stale") {
		t.Errorf("before the ranks moved nothing is stale:\n%s", text)
	}
}

// B begins the line that moves the lit ranks; the selection stays when they have moved.
func TestBindLine(t *testing.T) {
	t.Parallel()
	m := moved(t, 120, 40)
	press(t, m, "esc", "B")
	if m.typing || !strings.Contains(m.notice, "choose a rank") {
		t.Errorf("nothing is selected: typing %v, notice %q", m.typing, m.notice)
	}
	press(t, m, "3", "/", "1", "enter", "B")
	if got := m.prompt.Text(); got != "bind 1 " {
		t.Fatalf("the line is %q", got)
	}
	press(t, m, "1", "enter")
	if text := plain(m); strings.Contains(text, "ranks  stale") || m.sel.Rank() != 1 {
		t.Errorf("back in place nothing is stale, and rank %d is selected:\n%s", m.sel.Rank(), text)
	}
}
