//go:build linux

package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	goOn    = "Enter to go on, q to leave> "
	predict = "your prediction> "
)

// learner starts commsplit learn at a terminal. state is where it remembers.
func learner(t *testing.T, state string, args ...string) *terminal {
	t.Helper()
	return start(t, state, append([]string{"learn"}, args...)...)
}

func remembered(t *testing.T, state string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(state, "commsplit", "learn"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A reader goes from step to step, predicts, and leaves. The next time it goes on there, with what the
// steps before made.
func TestLearnRemembers(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	x := learner(t, state)
	x.wait("Lesson 1 of 23: Color says with whom", goOn)
	x.press("\r", "world[6]> wrong = world.Split(0, world.rank % 2)", predict)
	x.enter("3", "You said 3. Answer: 6.")
	x.wait(" w5 ") // the last member of the lane
	x.wait("part 2 of 6: " + goOn)
	x.press("\r", goOn)
	x.press("\r", "? World rank 4 passes color 0")
	if strings.Contains(x.text(), "Answer: 0") || strings.Contains(x.text(), "expect_parts") {
		t.Errorf("the answer shows before the prediction:\n%s", x.text())
	}
	x.wait(predict)
	x.enter("rank 2", "You said rank 2. Answer: 0.", goOn)
	x.enter("q", "commsplit learn goes on here.")
	x.ends(0)
	if got := remembered(t, state); got != "at lesson-01-color-and-key 4\n" {
		t.Errorf("remembers %q", got)
	}
	info, err := os.Stat(filepath.Join(state, "commsplit", "learn"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: only its owner may read it", info, err)
	}

	y := learner(t, state)
	y.wait("First buckets, one for each color")
	if strings.Contains(y.text(), "Ana wants") {
		t.Errorf("what was seen shows again:\n%s", y.text())
	}
	y.wait(" w4 ") // team was made by a step that is not shown
	y.wait(goOn)
	y.press("\r", "Enter for the next, q to leave> ")
	y.press(ctrlD)
	y.ends(0)
	if got := remembered(t, state); got != "done lesson-01-color-and-key\nat lesson-02-which-rank 0\n" {
		t.Errorf("remembers %q", got)
	}
}

// A lesson is reached by number or name. Right predictions are praised, Enter alone reveals, Ctrl-D leaves
// also where a prediction is asked for.
func TestLearnPredictions(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	x := learner(t, state, "4")
	x.wait("Lesson 4 of 23", goOn)
	x.press("\r", "Does the call return on rank", predict)
	x.enter("No!", "Right: no.", "DEADLOCK on world: ranks 0-3 wait in MPI_Comm_split", goOn)
	x.press("\r", predict)
	x.press("\r", "Answer: null.")
	x.press(ctrlD, "commsplit learn goes on here.")
	x.ends(0)
	y := learner(t, state, "why-dup")
	y.wait("Lesson 9 of 23")
	y.press("\r", predict)
	y.press(ctrlD)
	y.ends(0)
	if got := remembered(t, state); got != "at lesson-09-why-dup 1\n" {
		t.Errorf("remembers %q", got)
	}
}

// A question at the prompt waits for a prediction, too; Ctrl-D there is none, and what was typed is not kept
// in the history.
func TestPromptAsks(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("half = split world color=rank%2", four)
	x.enter(`ask "How many are together?" half.size answer=2`, "? How many are together?", predict)
	x.enter("two", "Right: 2.", "1 expectation passed", four)
	x.press(up, "answer=2")
	x.press("\r", predict)
	x.press("\r", "Answer: 2.", four)
}

// Behind a step, lines that only look are taken, back shows the step before, and nothing else goes on but
// Enter.
func TestLearnPause(t *testing.T) {
	t.Parallel()
	x := learner(t, t.TempDir(), "1")
	x.wait(goOn)
	x.press("\r", predict)
	x.press("\r")
	x.wait(" w5 ") // the last member of the lane
	x.wait(goOn)
	x.enter(".explain wrong @3", "world rank 3 is rank 4 of 6 in wrong#2", goOn)
	x.enter("mine = split wrong color=rank%3", "MPI_Comm_split on wrong#2", goOn)
	x.enter("half = split wrld color=0", "did you mean world?", goOn)
	x.enter(".say c", "MPI_Comm_split(wrong, wrong_rank % 3, 0, &mine);", "From here on, each line is also translated to C")
	x.wait(goOn)
	x.enter(".world 12", "Not here:", goOn)
	x.enter(".shwo", "Not here:", goOn)
	x.enter(".show nothing", "error: no variable nothing holds communicators", goOn)
	x.enter("help", "back shows the step before once more", goOn)
	if strings.Contains(x.text(), "this is one communicator of six") {
		t.Errorf("a line went on:\n%s", x.text())
	}
	x.press("\r", "Taken back: 1 line that you tried.", "this is one communicator of six", goOn)
	x.enter("back", "She says: the key makes the parts", "C: MPI_Comm_split(MPI_COMM_WORLD, 0, rank % 2, &wrong);")
	x.wait(predict)
	x.press("\r", goOn)
	x.enter("back", "Every rank makes one call", goOn)
	x.enter("back", "This is the first step of the lesson.", goOn)
	x.enter("quit", "commsplit learn goes on here.")
}

// What answers a question is drawn behind the answer. A line for the session is not a prediction.
func TestLearnDrawsTheAnswerLater(t *testing.T) {
	t.Parallel()
	x := learner(t, t.TempDir(), "6")
	x.wait(goOn)
	x.press("\r", predict)
	x.enter(".show table", "Answer the question first", predict)
	x.enter("it hangs", "Right: no.", goOn)
	x.press("\r", "each call MPI_Comm_create", "? What did rank 2 get for its call?")
	if strings.Contains(x.text(), "○") {
		t.Errorf("the picture shows before the prediction:\n%s", x.text())
	}
	x.wait(predict)
	x.enter("none", "Right: null.", " ○ ", goOn)
}

// Where nothing can be kept, the lesson goes on, and a note says so at the end.
func TestLearnWithoutState(t *testing.T) {
	t.Parallel()
	x := learner(t, "/proc", "1") // where nobody can make a folder
	x.wait(goOn)
	x.enter("q", "note: where you stopped is not remembered: ")
	x.ends(0)
}
