package console_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
	"codeberg.org/commsplit/commsplit/repl/stories"

	"github.com/google/go-cmp/cmp"
)

// A prediction is right when it says the same as the answer in other words; a wrong one is told with the answer.
func TestPredictions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ value, typed, want string }{
		{"half.size answer=4", "4", "Right: 4."},
		{"half.size answer=4", " Four ", "Right: 4."},
		{"half.size answer=4", "5", "You said 5. Answer: 4."},
		{"half.size answer=4", "", "Answer: 4."},
		{"[0,2,4,6] answer=[0,2,4,6]", "ranks 0, 2, 4 and 6", "Right: [0, 2, 4, 6]."},
		{"[0,2,4,6] answer=[0,2,4,6]", "6 4 2 0", "Right: [0, 2, 4, 6]."},
		{"[2,3,4] answer=[2,3,4]", "2-4", "Right: [2, 3, 4]."},
		{"-1 answer=-1", "-1", "Right: -1."},
		{"-1 answer=-1", "1", "You said 1. Answer: -1."},
		{"world.size==8", "y", "Right: yes."},
		{"world.size==8", "No", "You said No. Answer: yes."},
		{"world.size==7 answer=False", "n", "Right: no."},
		{`"null"`, "MPI_COMM_NULL", "Right: null."},
		{`"of the user"`, "Of the user.", "Right: of the user."},
		{"rank//4 answer=rank//4", "0", "Answer: 0 on ranks 0-3, 1 on ranks 4-7."},
	} {
		c, out, _ := sessions.Console(t)
		sessions.Tell(t, c, "half = world.Split(world.rank % 2, 0)")
		c.Predict = func(string) (string, error) { return tt.typed, nil }
		sessions.Tell(t, c, `ask "What is it?" `+tt.value)
		if got := out.String(); !strings.Contains(got, "\n? What is it?\n  "+tt.want+"\n") || !strings.HasSuffix(got, "1 expectation passed\n") {
			t.Errorf("%s, predicted %q: %s", tt.value, tt.typed, got)
		}
	}
}

// The end of input is not a prediction; another error ends the line.
func TestPredictionEnds(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	c.Predict = func(string) (string, error) { return "", io.EOF }
	sessions.Tell(t, c, `ask "What?" 3`)
	if !strings.Contains(out.String(), "Answer: 3.") {
		t.Errorf("%s", out)
	}
	enough := errors.New("enough")
	c.Predict = func(string) (string, error) { return "", enough }
	if err := c.Do(t.Context(), sessions.Chunks(t, `ask "What?" 3`)[0]); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
}

// A person who does not know the answer is told why: the reason in the script, or how the rank came to its place. World
// rank 7 of eight has key -7, the smallest key of the odd ranks.
func TestWhyWrong(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ ask, said, want string }{
		{`@7 ask "Which rank has it?" half.rank answer=0`, "2", "world rank 7 is rank 0 of 4 in half#3"},
		{`@7 ask "Which rank has it?" half.rank answer=0`, "", "world rank 7 is rank 0 of 4 in half#3"},
		{`@7 ask "Which rank has it?" half.rank answer=0`, "0", ""},
		{`ask "Does it return?" "no" why="Rank 7 never calls."`, "yes", "Rank 7 never calls."},
		{`ask "Does it return?" "no" why="Rank 7 never calls."`, "no", ""},
		{`@7 ask "Which rank has it?" half.rank answer=0 why="-7 is the smallest key."`, "1", "-7 is the smallest key."},
		{`ask "How many?" half.size answer=4`, "3", ""},
	} {
		c, out, _ := sessions.Console(t)
		sessions.Tell(t, c, "half = split world color=rank%2 key=-rank")
		c.Predict = func(string) (string, error) { return tt.said, nil }
		told := "?"
		c.Judged = func(_, why string) { told = why }
		sessions.Tell(t, c, tt.ask)
		if !strings.HasPrefix(told, tt.want) || tt.want == "" && told != "" || !strings.Contains(out.String(), tt.want) {
			t.Errorf("%s, %q: told %q, want %q\n%s", tt.ask, tt.said, told, tt.want, out)
		}
	}
}

// Where there can be no columns, as in a page, the reason is sentences: with color=rank%2 and key=-rank the odd ranks
// of eight stand in the order 7, 5, 3, 1. A question about a group has no such reason.
func TestWhyInWords(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 8, "half = split world color=rank%2 key=-rank", `@7 ask "Which rank?" half.rank answer=0`,
		"odds = half.group", `@7 ask "Which rank in it?" odds.rank answer=0`, `ask "How many?" half.size answer=4 why="Eight, halved."`)
	var whys []string
	for _, e := range s.Events() {
		if e.Question != nil {
			whys = append(whys, e.Question.Why)
		}
	}
	want := []string{"World rank 7 is rank 0 of 4 in half#3: color 1, passed by 4 of the 8 ranks; key -7; sorted by key: " +
		"world rank 7 (key -7), 5 (-5), 3 (-3), 1 (-1). Processes with the same color form a communicator, ranked by key; " +
		"ties go by the rank in the old group. [MPI-5.0 §7.4.2]", "", "Eight, halved."}
	if d := cmp.Diff(want, whys); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Where the script's answer is wrong, the question is a failed expectation that shows the expected and the found value.
func TestAskExpects(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "half = split world color=rank%2", `ask "How many?" half.size answer=3`, `ask "Many?" half.size==3`)
	e := s.View().Expectations
	if e.Failed != 2 || e.Failures[0].Message != "How many?: expected 3 (int), found 2 (int)" ||
		e.Failures[1].Message != "Many?: expected a true value, found False (bool)" {
		t.Errorf("%+v", e)
	}
	if text := stories.Program(s); !strings.Contains(text, "ask(\"How many?\", half.size, 3)\n") || !strings.Contains(text, "ask(\"Many?\", half.size==3)\n") {
		t.Errorf("the program:\n%s", text)
	}
}
