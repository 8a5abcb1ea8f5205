package learn_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// questions plays a lesson, and collects its questions.
func questions(t *testing.T, e scripts.Example) []*render.Event {
	t.Helper()
	script := stories.NewScript(e.File, e.Text)
	chunks, err := script.Chunks()
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := cmd.World(script.Flags)
	if err != nil {
		t.Fatal(err)
	}
	s, err := repl.Open(t.Context(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range chunks {
		if c.Kind == lang.Meta {
			continue // a meta command only shows the session
		}
		if _, err := s.Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	var list []*render.Event
	for _, e := range s.Events() {
		if e.Question != nil {
			list = append(list, &e)
		}
	}
	return list
}

// At each question of each lesson, a person who predicts wrongly is told why: in a sentence of the lesson, or by the
// call that gave the rank its place and the rule with its section.
func TestEachQuestionHasItsReason(t *testing.T) {
	t.Parallel()
	n := 0
	for _, e := range scripts.Lessons.Examples() {
		t.Run(e.Name, func(t *testing.T) {
			asked := strings.Count(e.Text, "ask \"")
			list := questions(t, e)
			if len(list) != asked {
				t.Errorf("%d questions of %d", len(list), asked)
			}
			for _, q := range list {
				why := q.Question.Why
				if !strings.HasSuffix(why, ".") && !strings.HasSuffix(why, "]") || len(strings.Fields(why)) < 8 {
					t.Errorf("%q: why is %q", q.Line.Text, why)
				}
			}
			n += len(list)
		})
	}
	if n < 60 {
		t.Errorf("%d questions in all lessons", n)
	}
}
