package tui

import (
	"strings"
	"testing"
)

// Every key means one thing in a place, and is told in words.
func TestKeyTable(t *testing.T) {
	t.Parallel()
	for _, where := range []place{inPanes, atPrompt, inFront} {
		seen := map[string]string{}
		for _, s := range keyTable {
			for _, b := range s.bindings {
				if b.show == "" || b.help == "" || strings.HasSuffix(b.help, ".") {
					t.Errorf("%v: shown as %q with the help %q", b.keys, b.show, b.help)
				}
				if b.where&where == 0 {
					continue
				}
				for _, k := range b.keys {
					if before, ok := seen[k]; ok {
						t.Errorf("%s: %q is %q and %q", s.name, k, before, b.help)
					}
					seen[k] = b.help
				}
			}
		}
	}
}

// The help has every key, those of the place that it was asked from first; the footer has the way to
// it and the way out, however narrow.
func TestHelpAndFooter(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	press(t, m, "f1")
	if text := plain(m); !strings.Contains(text, "─ keys ─") || !strings.Contains(text, "At the prompt") {
		t.Errorf("no help for the prompt:\n%s", text)
	}
	press(t, m, "esc", "esc", "?")
	first := plain(m)
	var all strings.Builder
	for range 12 {
		all.WriteString(plain(m))
		press(t, m, "pgdown")
	}
	if !strings.Contains(first, "Moving") {
		t.Errorf("no help for the panes:\n%s", first)
	}
	for _, row := range Keys() {
		if !strings.Contains(all.String(), row.Help) {
			t.Errorf("the help does not have %q", row.Help)
		}
	}
	press(t, m, "esc")
	for _, width := range []int{60, 80, 200} {
		m.width = width
		m.arrange()
		if text := plain(m); !strings.Contains(text, "q quit") || !strings.Contains(text, "help") {
			t.Errorf("at %d columns the footer is %q", width, text[strings.LastIndexByte(text, '\n')+1:])
		}
	}
}
