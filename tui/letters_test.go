package tui

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// With all variables side by side, and with the step before beside the current step, a letter in its color is the
// same communicator on the whole screen: in each picture of the hardware, in the table of ranks and on the lanes.
func TestLettersOnOneScreen(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 200, 60, "half = split world color=rank%2", "third = split world color=rank%3", "near = split_type world SHARED",
		"quart = split half color=rank//2", "half = split world color=rank//6")
	for _, keys := range [][]string{{"esc", "m"}, {"m", "a"}, {"v"}, {"v"}, {"["}, {"["}, {"m"}} {
		press(t, m, keys...)
		plain(m) // which draws all panes
		comms, letters := map[string]int32{}, map[int32]string{}
		see := func(where string, c paint.Cell, id int32) {
			t.Helper()
			text, _, _ := strings.Cut(c.Text, " ") // what is stale says so
			letter := strings.TrimRight(text, "0123456789'-")
			if was, ok := comms[letter]; ok && was != id {
				t.Errorf("after %q, %s: %s is #%d and #%d", keys, where, letter, was, id)
			}
			if was, ok := letters[id]; ok && was != letter {
				t.Errorf("after %q, %s: #%d is %s and %s", keys, where, id, was, letter)
			}
			comms[letter], letters[id] = id, letter
		}
		r, _ := m.layout.of(hwPane)
		for _, s := range m.hw.sights(m, r.inner(), r.h-1) {
			h := s.moment.Handles[s.handle]
			for rank, id := range h.IDs {
				if s.handle > 0 && id >= 0 {
					see("hardware "+h.Name, m.cell(&s, int32(rank)), id)
				}
			}
		}
		for i := range m.ranks.table {
			for k := 1; k < len(m.moment.Handles); k++ {
				if first, _, _ := m.ranks.ranks(m, i); m.moment.Handles[k].IDs[first] >= 0 {
					see("ranks "+m.moment.Handles[k].Name, m.ranks.cell(m, i, k), m.moment.Handles[k].IDs[first])
				}
			}
		}
		lanes := 0
		for i := range m.comms.tree {
			if l := m.comms.lane(m, i); l.Letter != "" {
				see("lane "+l.Name, paint.Cell{Text: l.Letter}, int32(m.comms.tree[i].Comms[0].ID))
				lanes++
			}
		}
		if lanes == 0 {
			t.Errorf("after %q: no lane has a letter", keys)
		}
	}
}
