package tui

import (
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/repl/completion"
)

// patient makes time pass at once: what is asked for after a time comes immediately.
func patient(m *Model) {
	m.opts.After = func(_ time.Duration, msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }
}

// While a call is typed, the cells show what Enter would give and the prompt how many communicators, or what would be
// wrong; the session stays as it is. A line that is not whole shows the present. 12 ranks with colors 0, 1, 2 make 3
// communicators of 4; rank-3 is negative for ranks 0 to 2.
func TestSeeBeforeEnter(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 120, 40)
	patient(m)
	typeIn := func(line string) string {
		t.Helper()
		m.prompt.Set(line[:len(line)-1])
		press(t, m, line[len(line)-1:])
		return plain(m)
	}
	has(t, typeIn("split world color=rank%3"), "Enter: 3 communicators of 4 ranks", "the result of Enter", "C3")
	parts := slices.Clone(m.parts)
	has(t, typeIn("split world color=rank%4"), "Enter: 4 communicators of 3 ranks", "D2")
	for i, r := range m.layout.rects {
		if same := &parts[i][0] == &m.parts[i][0]; same != (r.pane != hwPane) {
			t.Errorf("%s is drawn anew: %t; only hardware shows what Enter would give", paneTable[r.pane].name, !same)
		}
	}
	has(t, typeIn("split world color=0 if rank<5 else UNDEFINED")) // not whole: blanks end arguments
	if m.ghost() != nil {
		t.Error("a line that is wrong has a preview")
	}
	has(t, typeIn("split world color=(0 if rank<5 else UNDEFINED)"), "Enter: 1 communicator of 5 ranks; MPI_COMM_NULL on ranks 5-11")
	has(t, typeIn("split world color=rank-3"), "Enter: MPI_ERR_ARG: color must be nonnegative or MPI_UNDEFINED")
	has(t, typeIn("@0-3 split world color=0"), "Enter: ranks 0-3 would wait in MPI_Comm_split")
	has(t, typeIn("split world color=rank//5"), "Enter: 3 communicators of 2-5 ranks")
	has(t, typeIn("free world"), "1 Hardware ─ world ranks")
	if m.moment.Last != 0 || len(m.console.Session.Chunks()) != 0 {
		t.Error("typing changed the session")
	}
	typeIn("split world color=rank%3")
	press(t, m, "esc")
	has(t, plain(m), "1 Hardware ─ world ranks")
}

// Tab tells how many instances of a resource there are: Figure 7.3 has 3 NUMA nodes.
func TestCountsOfResources(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 120, 40)
	m.prompt.Set("split_type world HW_GUIDED resource=hwloc://")
	press(t, m, "tab")
	wants(t, m, `"hwloc://NUMANode" (3)`)
	if got := completion.Count(m.console.Session, "world"); got != "" {
		t.Errorf("a word has the number %q", got)
	}
}
