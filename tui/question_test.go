package tui

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl"
)

// six is the world of the first lesson.
var six = repl.Config{Topo: "core:6", Size: 6}

// A question of a lesson waits at the prompt, and what answers it does not show: the first lesson asks
// for the rank of world rank 4 after a split by rank%2 with the keys -rank, which is 0.
func TestQuestion(t *testing.T) {
	t.Parallel()
	m := opened(t, six, 120, 40)
	example(t, m, "lesson-01-color-and-key", six)
	toQuestion(t, m)
	press(t, m, "6", "enter")
	toQuestion(t, m)
	text := plain(m)
	has(t, text, "your prediction>", "QUESTION", "? World rank 4 passes color 0",
		"team = world.Split(world.rank % 2, -world.rank)", "Now the color makes the parts")
	if strings.Contains(text, "team#") {
		t.Errorf("the answer shows before the prediction:\n%s", text)
	}
	press(t, m, "esc", "]", "}", "3", "down") // the panes can be looked at; the answer is not among them
	if text := plain(m); strings.Contains(text, "team#") || !strings.Contains(text, " wrong  ") {
		t.Errorf("time goes on to the answer:\n%s", text)
	}
	press(t, m, "2", ":", "5", "enter")
	if text := plain(m); !strings.Contains(text, "You said 5. Answer: 0.") || !strings.Contains(text, "team#3") {
		t.Errorf("after the prediction:\n%s", text)
	}
	if m.asked != nil || m.halt == nil {
		t.Error("the lesson does not wait after the verdict")
	}
}

// toQuestion goes on in a script until it asks, or ends.
func toQuestion(t *testing.T, m *Model) {
	t.Helper()
	for m.asked == nil && m.halt != nil {
		press(t, m, "enter")
	}
}

// Why tells what happened behind a step in the order in which it did: a deadlock that was taken back, with the
// line that led to it, before the explanation.
func TestStoryOfAStep(t *testing.T) {
	t.Parallel()
	m := opened(t, six, 120, 60)
	example(t, m, "lesson-04-undefined", six)
	toQuestion(t, m)
	press(t, m, "it hangs", "enter")
	toQuestion(t, m)
	press(t, m, "null", "enter", "esc", "{", "4", "+")
	text := plain(m)
	for _, want := range []string{"Bo says: a rank that wants", "? Ranks 0-3 call MPI_Comm_split", "Right: no.", "@0-3 team = world.Split(0, 0)",
		"As expected: DEADLOCK on world", "MPI_Comm_split is collective"} {
		_, rest, ok := strings.Cut(text, want)
		if !ok {
			t.Fatalf("%q is not there, or not in its place:\n%s", want, plain(m))
		}
		text = rest
	}
}

// A question that is typed is answered where it stands; Enter alone is not a prediction, and nothing of
// it goes into the history.
func TestQuestionTyped(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24, "half = split world color=rank%2")
	press(t, m, `ask "How many ranks has half?" half.size`, "enter")
	if text := plain(m); !strings.Contains(text, "? How many ranks has half?") || !strings.Contains(text, "half#2") {
		t.Errorf("the question:\n%s", text)
	}
	press(t, m, "enter")
	if text := plain(m); !strings.Contains(text, "Answer: 2.") || strings.Contains(text, "your prediction>") {
		t.Errorf("the answer:\n%s", text)
	}
	press(t, m, "up")
	if got := m.prompt.Text(); !strings.HasPrefix(got, "ask") {
		t.Errorf("the last line of the history is %q", got)
	}
}

// Ctrl-C gives a question up, and the lesson with it, also where the lesson only waits.
func TestQuestionInterrupted(t *testing.T) {
	t.Parallel()
	m := opened(t, six, 80, 24)
	example(t, m, "lesson-01-color-and-key", six)
	press(t, m, "ctrl+c")
	if m.busy != nil || m.halt != nil || !strings.Contains(plain(m), "world[6]>") {
		t.Errorf("after Ctrl-C where it waits:\n%s", plain(m))
	}
	example(t, m, "lesson-01-color-and-key", six)
	toQuestion(t, m)
	press(t, m, "ctrl+c")
	if text := plain(m); m.busy != nil || m.asked != nil || !strings.Contains(text, "interrupted") || !strings.Contains(text, "world[6]>") {
		t.Errorf("after Ctrl-C:\n%s", text)
	}
}
