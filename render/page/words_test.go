package page_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// The page gives the same facts and rule for a rank as .explain, word for word; at an earlier step, those that
// .explain gave then.
func TestWordsOfExplain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"first-split", "example-7.5", "lesson-12-two-groups", "lesson-11-free", "rebinding", "who-must-call"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script, err := stories.FindScript(t.Context(), name, nil)
			if err != nil {
				t.Fatal(err)
			}
			console, _ := ran(t, script)
			d := dataOf(t, embedded(t, name))
			present := console.Session.View()
			for step := range len(present.Snapshot.Steps) + 1 {
				v := repl.PastView(present, step)
				for _, h := range v.Handles {
					for r := range d.Size {
						sameWords(t, console.Session, v, h.Name, r, d.told(h.Name, r, step))
					}
				}
			}
		})
	}
}

func sameWords(t *testing.T, s *repl.Session, v *render.View, handle string, rank int, told []string) {
	t.Helper()
	list, rest, err := s.Explain(v, handle, engine.RanksOf(rank), 1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := render.Explain(&b, v, list, rest, render.Style{Width: 400}); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(strings.Fields(b.String()), " ")
	for i, line := range told {
		line = strings.Replace(line, "{r}", fmt.Sprint(list[0].Rank), 1)
		if i > 0 && i < len(told)-1 {
			line = strings.Replace(line, ": ", " ", 1)
		}
		if line = strings.Join(strings.Fields(line), " "); !strings.Contains(said, line) {
			t.Errorf("step %d, %s of rank %d: the page says %q, .explain %q", len(v.Snapshot.Steps), handle, rank, line, said)
		}
	}
}
