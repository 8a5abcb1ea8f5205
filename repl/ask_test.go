package repl_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"commsplit/hw/judge"
	"commsplit/repl"
)

// A prediction is right when it says the same in other words; anything else is told with the answer.
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
		c, out, _ := console(t)
		tell(t, c, "half = world.Split(world.rank % 2, 0)")
		c.Predict = func(string) (string, error) { return tt.typed, nil }
		tell(t, c, `ask "What is it?" `+tt.value)
		if got := out.String(); !strings.Contains(got, "\n? What is it?\n  "+tt.want+"\n") || !strings.HasSuffix(got, "1 expectation passed\n") {
			t.Errorf("%s, predicted %q: %s", tt.value, tt.typed, got)
		}
	}
}

// A prediction is judged as a teacher would judge it: by what it says, not by how it is written. What says
// something else, or too little, is wrong.
func TestJudge(t *testing.T) {
	t.Parallel()
	for _, tt := range Judged {
		for _, said := range strings.Split(tt.Right, "|") {
			if !repl.RightPrediction(tt.Question, tt.Answer, said) {
				t.Errorf("%s %q is right, but %q is not taken for it", tt.Question, tt.Answer, said)
			}
		}
		for _, said := range strings.Split(tt.Wrong, "|") {
			if repl.RightPrediction(tt.Question, tt.Answer, said) {
				t.Errorf("%s %q is right, but %q is taken for it, too", tt.Question, tt.Answer, said)
			}
		}
	}
}

// The page judges as the terminal does.
func TestJudgeJavaScript(t *testing.T) {
	t.Parallel()
	node := judge.Ask(t, "node")
	type answer struct {
		Judge any
		Said  string
		Right bool
	}
	asked := struct {
		Rules   any
		Answers []answer
	}{Rules: repl.PageRules()}
	for _, tt := range Judged {
		for _, said := range strings.Split(tt.Right+"|"+tt.Wrong, "|") {
			asked.Answers = append(asked.Answers, answer{repl.PageJudge(tt.Question, tt.Answer), said, repl.RightPrediction(tt.Question, tt.Answer, said)})
		}
	}
	data, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("../render/page/js/question.js")
	if err != nil {
		t.Fatal(err)
	}
	const ask = `
for (const a of asked.Answers) if (isRight(a.Judge, a.Said) !== a.Right) console.log(JSON.stringify(a));`
	out, err := exec.Command(node, "-e", "const asked = "+string(data)+"; const doc = {moments: [], rules: asked.Rules};\n"+string(program)+ask).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("judged otherwise by the page: %v\n%s", err, out)
	}
}

// Judged is what people answer, right and wrong, divided by |.
var Judged = []struct{ Question, Answer, Right, Wrong string }{
	{"What does it give: a communicator, null, or an error?", "an error",
		"an error|error|Error.|ERROR|the error|it is an error|errors|it fails|an exception",
		"communicator|a communicator|null|a communicator or an error|no error|no|yes|er"},
	{"Does it return?", "no",
		"no|No.|NO!|n|nope|false|deadlock|a deadlock|it hangs|hangs|blocks|it blocks|It waits forever|no, it hangs|no: deadlock|never|" +
			"it does not return|doesn't return|nobody returns|It never returns|no, because the others do not call|stuck",
		"yes|y|it returns|returns|true|maybe|yes and no|no, it returns|yes, no deadlock|error|I don't know|?"},
	{"Does the barrier return?", "yes", "yes|y|it returns|returns|True|yes, of course|sure", "no|hangs|deadlock|it does not return|yes, but it hangs"},
	{"Can any rank proceed?", "no", "no|nobody|no one|nobody gets on|deadlock|none", "yes|rank 0|all|everybody"},
	{"Does this deadlock?", "yes", "yes|it hangs|deadlock", "no|it returns|never"},
	{"Is half MPI_COMM_NULL now?", "yes", "yes|true", "no|it hangs|deadlock|false"},
	{"Is half MPI_COMM_NULL now?", "no", "no|false", "yes|it hangs|deadlock|null"},
	{"Which ranks get none? (a list)", "[2, 3]",
		"2,3|3,2|{2,3}|[3, 2]|(2,3)|2 and 3|ranks 2 and 3|3 and 2.|2-3|2 to 3|2 3|two and three|world ranks 2, 3",
		"2|3|2,3,4|1,2|none|-2,3|23|2-4|yes"},
	{"In which order do they stand? (world ranks)", "[2, 3]", "2,3|[2, 3]|2 3", "3,2|{3,2}"},
	{"Which world ranks does it hold?", "[4, 2, 0]", "4,2,0|4 2 0", "0,2,4|0,4,2"},
	{"Which parts?", "[[0, 1], [2, 3]]", "[[0,1],[2,3]]|0,1 2,3|0 1, 2 3", "0,2 1,3|[[0,2],[1,3]]"},
	{"Which ranks hold nothing?", "[]", "none|no one|nobody|[]|{}|null", "0|all|yes"},
	{"A communicator, or null?", "null",
		"null|NULL|MPI_COMM_NULL|COMM_NULL|comm null|MPI.COMM_NULL|Mpi comm null|none|nothing|None.|the null communicator",
		"a communicator|comm|a communicator of one|0|error|yes"},
	{"A communicator of one, of two, or null?", "a communicator of one", "a communicator of one|communicator of 1|comm of one", "communicator|a communicator of two|one or two|null"},
	{"How many?", "4", "4|four|Four.|4 ranks|rank 4|world rank 4|it is 4", "5|-4|4 or 5|44|14|four five"},
	{"Which color?", "-1", "-1", "1|- 1"},
	{"Whose message?", "of the user", "of the user|the user's|user|the user’s|OF THE USER", "of the library|library|nobody's|both"},
}

// The end of input is no prediction; another error ends the line.
func TestPredictionEnds(t *testing.T) {
	t.Parallel()
	c, out, _ := console(t)
	c.Predict = func(string) (string, error) { return "", io.EOF }
	tell(t, c, `ask "What?" 3`)
	if !strings.Contains(out.String(), "Answer: 3.") {
		t.Errorf("%s", out)
	}
	enough := errors.New("enough")
	c.Predict = func(string) (string, error) { return "", enough }
	if err := c.Do(t.Context(), chunks(t, `ask "What?" 3`)[0]); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
}

// Whoever does not know the answer is told why: what the script says, or how the rank came to its place. World rank
// 7 of eight has key -7, the smallest of the odd ranks.
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
		c, out, _ := console(t)
		tell(t, c, "half = split world color=rank%2 key=-rank")
		c.Predict = func(string) (string, error) { return tt.said, nil }
		told := "?"
		c.Judged = func(_, why string) { told = why }
		tell(t, c, tt.ask)
		if !strings.HasPrefix(told, tt.want) || tt.want == "" && told != "" || !strings.Contains(out.String(), tt.want) {
			t.Errorf("%s, %q: told %q, want %q\n%s", tt.ask, tt.said, told, tt.want, out)
		}
	}
}

// A wrong answer of the script is a failed expectation that shows both.
func TestAskExpects(t *testing.T) {
	t.Parallel()
	s := session(t, 4, "half = split world color=rank%2", `ask "How many?" half.size answer=3`, `ask "Many?" half.size==3`)
	e := s.View().Expectations
	if e.Failed != 2 || e.Failures[0].Message != "How many?: expected 3 (int), found 2 (int)" ||
		e.Failures[1].Message != "Many?: expected a true value, found False (bool)" {
		t.Errorf("%+v", e)
	}
	if text := s.Program(); !strings.Contains(text, "ask(\"How many?\", half.size, 3)\n") || !strings.Contains(text, "ask(\"Many?\", half.size==3)\n") {
		t.Errorf("the program:\n%s", text)
	}
}
