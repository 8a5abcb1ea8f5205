package prediction

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/judge"
)

// A prediction is judged as a teacher would judge it: by its meaning, not by its words. A prediction that means
// something else, or says too little, is wrong.
func TestJudge(t *testing.T) {
	t.Parallel()
	for _, tt := range judged {
		for _, said := range strings.Split(tt.Right, "|") {
			if !Right(JudgeOf(tt.Question, tt.Answer), said) {
				t.Errorf("%s %q is right, but %q is not taken for it", tt.Question, tt.Answer, said)
			}
		}
		for _, said := range strings.Split(tt.Wrong, "|") {
			if Right(JudgeOf(tt.Question, tt.Answer), said) {
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
	}{Rules: Rules()}
	for _, tt := range judged {
		for _, said := range strings.Split(tt.Right+"|"+tt.Wrong, "|") {
			asked.Answers = append(asked.Answers, answer{JudgeOf(tt.Question, tt.Answer), said, Right(JudgeOf(tt.Question, tt.Answer), said)})
		}
	}
	data, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("../../render/page/js/question.js")
	if err != nil {
		t.Fatal(err)
	}
	const ask = `
for (const a of asked.Answers) if (isRight(a.Judge, a.Said) !== a.Right) console.log(JSON.stringify(a));`
	out, err := exec.Command(node, "-e", "const asked = "+string(data)+"; const doc = {moments: [], rules: asked.Rules}, readers = [];\n"+string(program)+ask).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("judged otherwise by the page: %v\n%s", err, out)
	}
}

// judged has answers of people, right and wrong, separated by |.
var judged = []struct{ Question, Answer, Right, Wrong string }{
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
