package desk

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// sitting is a desk with the requests of a test.
type sitting struct {
	testing.TB
	*Desk
}

func sit(t testing.TB, link string) (*sitting, *Answer) {
	t.Helper()
	s := &sitting{t, &Desk{}}
	t.Cleanup(s.Close)
	return s, s.ask(&Request{Verb: "open", Text: link})
}

func (s *sitting) ask(q *Request) *Answer {
	s.Helper()
	a := s.Answer(s.Context(), q)
	if _, err := json.Marshal(a); err != nil {
		s.Fatal(err)
	}
	return a
}

func (s *sitting) line(text string) *Answer {
	s.Helper()
	return s.ask(&Request{Verb: "line", Text: text})
}

// transcript returns the lines of an answer, with the prompts.
func transcript(a *Answer) string {
	var b strings.Builder
	for _, x := range a.Said {
		if x.Kind == "line" {
			x.Text += "\n"
		}
		b.WriteString(x.Prompt + x.Text)
	}
	return b.String()
}

func (s *sitting) says(a *Answer, want ...string) {
	s.Helper()
	for _, text := range want {
		if got := transcript(a); !strings.Contains(got, text) {
			s.Errorf("it says\n%s\nwithout %q", got, text)
		}
	}
}

// The answer repeats a line behind its prompt, with a caret under a mistake, and the panes get a document. A block
// waits for its end.
func TestLines(t *testing.T) {
	t.Parallel()
	s, a := sit(t, "")
	if a.Prompt != "world[12]> " || a.Session.Topology != "figure-7.3" || !json.Valid(a.Page) {
		t.Errorf("it begins with %q, %+v and %.40s", a.Prompt, a.Session, a.Page)
	}
	s.says(s.line("half = split world color=rank%2"), "world[12]> half = split world color=rank%2\nhalf = ranks 0-11 each call")
	a = s.line("half = splt world")
	s.says(a, "error: <input>:2:8: unknown verb \"splt\" (did you mean split?)\n    half = splt world\n           ^\n")
	if a.Kept[0] != "half = splt world" {
		t.Errorf("the history gets %q", a.Kept)
	}
	if a = s.line("for i in range(2):"); !a.Pending || a.Prompt != "      ...> " {
		t.Errorf("a block is open: %v, %q", a.Pending, a.Prompt)
	}
	s.line("    print(i, world.rank)")
	s.says(s.line(""), "[1] 0 1\n")
	s.line("for i in range(2):")
	if a = s.ask(&Request{Verb: "forget"}); a.Pending || a.Prompt != "world[12]> " {
		t.Errorf("after forget: %v, %q", a.Pending, a.Prompt)
	}
	s.says(s.line("for i in range(2):\n    print(i + 10)"), "world[12]> for i in range(2):\n      ...>     print(i + 10)\n", "[0-11] 11\n")
	a = s.line(".undo 2")
	if want := "n=12&topo=figure-7.3&run=half+=+split+world+color=rank%252"; a.Session.Link != want {
		t.Errorf("after .undo the link is %s, not %s", a.Session.Link, want)
	}
	s.says(s.line("@0 barrier half"), "rank 0  MPI_Barrier on half#2")
	if a = s.line(""); a.Prompt != "world[12] blocked:0> " {
		t.Errorf("while rank 0 waits the prompt is %q", a.Prompt)
	}
	s.says(s.line(".quit"), "ends when you close the page")
}

// The link of a session opens the same session: the same document of the panes, and the same link.
func TestLinkOpensTheSame(t *testing.T) {
	t.Parallel()
	for _, lines := range [][]string{
		{"half = split world color=rank%2 key=-rank", "node = split_type half HW_GUIDED resource=\"hwloc://Package\""},
		{"def part(r):\n    if r < 5:\n        return 0\n\n    return 1", "a = world.Split(part(world.rank), 0)", "print(\"50% & more + #1\", a.size)"},
		{"MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &odd);"},
		{".open lesson-04-undefined", "b = split world color=0"},
		{".open example-7.1"},
		{".topo core:4", "x = dup world", ".bind 0,1,0,1"},
	} {
		s, _ := sit(t, "n=8&topo=pack:2+core:4")
		var last *Answer
		for _, line := range lines {
			if last = s.line(line); strings.Contains(transcript(last), "error:") {
				t.Fatal(transcript(last))
			}
		}
		_, again := sit(t, "#"+last.Session.Link)
		if program := lines[0] == ".open example-7.1"; again.Session.Link != last.Session.Link && !program { // its statements become lines
			t.Errorf("%s opens %s", last.Session.Link, again.Session.Link)
		}
		if got, want := calls(t, again.Page), calls(t, last.Page); got != want {
			t.Errorf("%s:\n%s\ninstead of\n%s", last.Session.Link, got, want)
		}
	}
}

// shownCalls is the calls and the variables of a document, without the lines of the session.
type shownCalls struct {
	About   string
	Comms   []struct{ Group, Remote []int }
	Handles []struct {
		Name string
		Held []struct{ IDs []int }
	}
	Steps []struct{ Ranks, Made []int }
}

// shownExercise is the exercise of a document.
type shownExercise struct {
	Exercise struct {
		Rows   [][4]int
		Beside []struct {
			Sides [2]struct {
				Head  int
				Rooms []struct{ Things [][]int }
			}
		}
	}
	Words []string
}

// cells are the texts of the cells with a rank in a picture, by rank.
func (d *shownExercise) cells(things [][]int) string {
	const own, first = 5, 8 // the kind of cells of their own; where these begin
	list := make([]string, 0, 8)
	at := map[int]string{}
	for _, t := range things {
		for i := first; t[0] == own && i < len(t); i += 4 {
			at[t[i+3]] = d.Words[t[i]]
		}
	}
	for r := 0; at[r] != ""; r++ {
		list = append(list, at[r])
	}
	return strings.Join(list, " ")
}

func calls(t *testing.T, page []byte) string {
	t.Helper()
	return fmt.Sprintf("%+v", document[shownCalls](t, page))
}

func document[D any](t *testing.T, page []byte) (doc D) {
	t.Helper()
	if err := json.Unmarshal(page, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// An embedded script opens on the world that it asks for, and a person can go on from there; once one of its lines is
// taken back, its other lines are ordinary lines of the link. The page asks the questions of a lesson.
func TestScripts(t *testing.T) {
	t.Parallel()
	s, a := sit(t, "open=lesson-1")
	if a.Session.Script != "lesson-01-color-and-key" || a.Session.Size != 6 || len(a.Said) > 0 {
		t.Errorf("a lesson opens as %+v and says %q", a.Session, transcript(a))
	}
	a = s.line("mine = dup world")
	if want := "open=lesson-01-color-and-key&run=mine+=+dup+world"; a.Session.Link != want {
		t.Errorf("the link is %s, not %s", a.Session.Link, want)
	}
	if a = s.line(".undo 3"); strings.Contains(a.Session.Link, "open=") || !strings.Contains(a.Session.Link, "n=6&topo=core:6&run=") {
		t.Errorf("the link is %s", a.Session.Link)
	}
	for _, e := range scripts.All() {
		if _, a := sit(t, "open="+e.Name); a.Session.Script != e.Name {
			t.Errorf("%s opens as %+v: %s", e.Name, a.Session, transcript(a))
		}
	}
}

// An exercise tells its task, and each line that completes the answer is graded: the panes get the goal and the result as values, a
// mark on each rank that differs. With color=rank//3 ranks 0 to 2 and 3 to 5 are together, so that every rank is with others than
// it should be; an answer that is right only for the shown world size is wrong at another size. Words are answered as at the prompt.
func TestPractice(t *testing.T) {
	t.Parallel()
	s, a := sit(t, "practice=evens-and-odds")
	if !a.Session.Exercise || a.Session.Title == "" || strings.Contains(transcript(a), "error") {
		t.Fatalf("it opens %+v: %s", a.Session, transcript(a))
	}
	told := func(a *Answer, heads, goal, yours string) {
		t.Helper()
		d := document[shownExercise](t, a.Page)
		sides := d.Exercise.Beside[0].Sides
		if got := d.Words[sides[0].Head] + " | " + d.Words[sides[1].Head]; got != heads {
			t.Errorf("above both: %s", got)
		}
		for i, want := range []string{goal, yours} {
			if got := d.cells(sides[i].Rooms[0].Things); got != want {
				t.Errorf("side %d: %s, not %s", i, got, want)
			}
		}
	}
	told(a, "the goal: half | yours: none yet", "A0 B0 A1 B1 A2 B2", "0 1 2 3 4 5")
	a = s.line("half = split world color=rank//3")
	s.says(a, "wrong with 6 ranks: half, ranks 0,2: expected [0,2,4], found [0,1,2]")
	told(a, "the goal: half | yours: half", "A0 B0 A1 B1 A2 B2", "»A0 »A1 »A2 »B0 »B1 »B2")
	d := document[shownExercise](t, a.Page)
	var rows []string
	for _, r := range d.Exercise.Rows {
		rows = append(rows, d.Words[r[1]])
	}
	for _, want := range []string{"Evens and odds [MPI-5.0 §7.4.2]", "wrong with 6 ranks:", "half, ranks 0,2: expected [0,2,4], found [0,1,2]"} {
		if !slices.Contains(rows, want) {
			t.Errorf("there is no %q in %q", want, rows)
		}
	}
	if a = s.line(".undo"); !strings.HasPrefix(a.Session.Link, "practice=") {
		t.Errorf("the link is %s", a.Session.Link)
	}
	s.says(s.line(".undo"), "You have no line to take back.")
	s.says(s.line("half = split world color=[0,1,0,1,0,1][rank]"), "wrong with 9 ranks:")
	s.says(s.line("check"), "wrong with 9 ranks:")
	s.says(s.line("again"), "You start again: 1 line taken back.")
	s.says(s.line("hint"), "Hint 1 of")
	const answer = "split world color=rank"
	if a = s.line("solution"); strings.Contains(transcript(a), answer) {
		t.Errorf("the solution is told when it is first asked for: %s", transcript(a))
	}
	s.says(s.line("solution"), "One of several right answers", answer)
	if a = s.line("half = split world color=rank%2"); a.Solved != "01-evens-and-odds" {
		t.Errorf("the answer is not right: %s", transcript(a))
	}
	told(a, "the goal: half | yours: half", "A0 B0 A1 B1 A2 B2", "A0 B0 A1 B1 A2 B2")
	_, inter := sit(t, "practice=bridge")
	d = document[shownExercise](t, inter.Page)
	if got := d.cells(d.Exercise.Beside[0].Sides[0].Rooms[0].Things); got != "C0 C1 C2 C'0 C'1 C'2" { // A and B are the given halves
		t.Errorf("the goal of bridge: %s", got)
	}
	for _, x := range d.Exercise.Beside[0].Sides[0].Rooms[0].Things {
		const own, state, first, right = 5, 7, 8, 16
		if x[0] == own && strings.Contains(d.Words[x[first]], "'") != (x[state]&right != 0) {
			t.Errorf("of the two groups %s has the state %d", d.Words[x[first]], x[state])
		}
	}
	if a = s.line("next"); a.Session.Script != "02-reversed-order" || a.Solved != "" {
		t.Errorf("next opens %+v", a.Session)
	}
	if a = s.line(".world 4"); a.Session.Exercise {
		t.Error("it is an exercise in another world, too")
	}
	for _, e := range scripts.Practice.Examples() {
		if _, a := sit(t, "practice="+e.Name); !a.Session.Exercise || strings.Contains(transcript(a), "error:") {
			t.Errorf("%s opens as %+v: %s", e.Name, a.Session, transcript(a))
		}
	}
	s, a = sit(t, "practice=evns-and-odds")
	s.says(a, "evns-and-odds")
}

// A lesson can be opened up to one of its steps, to try a line there, and the link says so. Calls and questions of the
// lesson after that step are left out.
func TestUntil(t *testing.T) {
	t.Parallel()
	whole, a := sit(t, "open=lesson-3")
	steps := len(document[shownCalls](t, a.Page).Steps)
	if steps < 3 {
		t.Fatalf("the lesson has %d steps", steps)
	}
	for until := range steps {
		s, a := sit(t, fmt.Sprintf("open=lesson-3&until=%d", until))
		if got := len(document[shownCalls](t, a.Page).Steps); got != until || a.Session.Until == nil || *a.Session.Until != until {
			t.Errorf("up to step %d it has %d steps: %+v", until, got, a.Session)
		}
		a = s.line("mine = dup world")
		if want := fmt.Sprintf("open=%s&until=%d&run=mine+=+dup+world", a.Session.Script, until); a.Session.Link != want {
			t.Errorf("the link is %s, not %s", a.Session.Link, want)
		}
		if _, again := sit(t, a.Session.Link); calls(t, again.Page) != calls(t, a.Page) {
			t.Errorf("%s opens another session", a.Session.Link)
		}
	}
	whole.says(whole.ask(&Request{Verb: "open", Text: "open=lesson-3&until=two"}), "the link has until=two: it is the number of a step")
}

// A page that asks for a language gets a translation of each line that makes a call, and of no other line.
func TestSaid(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, "n=4&topo=core:4")
	for line, want := range map[string]string{
		"half = split world color=rank%2 key=-rank": "C: MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);",
		"MPI_Comm_dup(MPI_COMM_WORLD, &twin);":      "",
		".explain half @3":                          "",
		"note \"hello\"":                            "",
	} {
		text := transcript(s.ask(&Request{Verb: "line", Text: line, Columns: 80, Say: "c"}))
		if want != "" && !strings.Contains(text, want) || want == "" && strings.Contains(text, "C: ") {
			t.Errorf("%s is said as\n%s", line, text)
		}
	}
}

// A teacher's link may have a question: its answer is only in the document, where the page asks for a prediction, and
// not in the transcript.
func TestQuestion(t *testing.T) {
	t.Parallel()
	_, a := sit(t, "n=6&topo=core:6&run=half = split world color=rank%252 key=-rank&run=@3 ask \"Which rank?\" half.rank answer=1")
	if text := transcript(a); strings.Contains(text, "Answer") || strings.Contains(text, "error") {
		t.Errorf("it says %s", text)
	}
	if !strings.Contains(string(a.Page), `"kind":"ask"`) {
		t.Error("the page does not ask")
	}
}

// Each question of the lessons has a reason, for a person who predicts wrongly.
func TestWhy(t *testing.T) {
	t.Parallel()
	for _, e := range scripts.Lessons.Examples() {
		_, a := sit(t, "open="+e.Name)
		var doc struct {
			Moments []struct {
				Said []struct {
					Kind      string
					Text, Why int
				}
			}
			Words []string
		}
		if err := json.Unmarshal(a.Page, &doc); err != nil {
			t.Fatal(err)
		}
		for _, m := range doc.Moments {
			for _, l := range m.Said {
				if l.Kind == "ask" && l.Why == 0 {
					t.Errorf("%s: who answers %q wrongly is not told why", e.Name, doc.Words[l.Text])
				}
			}
		}
	}
}

// A bad link opens a session with the mistake in its transcript, and the session goes on.
func TestBadLinks(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]string{
		"n=0":                    "the link has n=0: it is a number from 1 on",
		"n=99999999999999999999": "the link has n=99999999999999999999: it is a number from 1 on",
		"n=12&topo=fgure-7.3":    "did you mean figure-7.3?",
		"topo=pack:2+core":       "error: ",
		"topo=x.xml":             "the hardware x.xml is a file: this page reads and writes no files",
		"topo=fsroot:/":          "the hardware fsroot:/ is a file",
		"topo=-":                 "the hardware - is a file",
		"rankfile=/etc/passwd":   "a rankfile is a file",
		"tpo=core:4":             "the link has \"tpo\", which is unknown (did you mean topo?): its keys are n, topo, run",
		"open=lessn-1":           "there is no example lessn-1",
		"run=%zz":                "which is not text of an address",
		"std=9":                  "the versions are",
		"n=3000000":              "a page shows at most 16384 ranks",
	} {
		_, a := sit(t, link)
		if text := transcript(a); !strings.Contains(text, want) {
			t.Errorf("%s says %s, without %q", link, text, want)
		}
		if a.Session == nil || a.Session.Link != "n=12&topo=figure-7.3" || a.Error != "" {
			t.Errorf("%s opens %+v, %s", link, a.Session, a.Error)
		}
	}
	s, a := sit(t, "n=4&topo=core:4&run=a = dup world&run=b = splt a&run=c = dup b&run=d = dup c")
	s.says(a, "world[4]> b = splt a\nerror: <input>:2:5: unknown verb \"splt\"", "note: 2 lines of the link behind this one did not run")
	if a.Again != "b = splt a" || a.Session.Link != "n=4&topo=core:4&run=a+=+dup+world" {
		t.Errorf("the prompt gets %q, the link is %s", a.Again, a.Session.Link)
	}
}

// No line reads or writes files, and no completion proposes their names.
func TestSealed(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, "")
	for _, line := range []string{
		".save x.mpi", ".save! x.mpi", ".open ../desk/desk.go", ".open x.mpi", ".program x.py", ".export svg x.svg", ".topo x.xml", ".topo fsroot:/",
		".topo job:x.tar", ".bind --rankfile x", ".bind --map-by rankfile:file=x",
	} {
		s.says(s.line(line), "file: this page reads and writes no files; what it exports can be downloaded")
	}
	if files, err := filepath.Glob("x.*"); err != nil || len(files) > 0 {
		t.Errorf("there are %q, %v", files, err)
	}
	for _, line := range []string{".open desk", ".open ./", ".topo ../", ".topo fsroot:/e", ".topo job:d"} {
		if a := s.ask(&Request{Verb: "complete", Text: line}); len(a.Options) > 0 {
			t.Errorf("%s is completed by %q", line, a.Options)
		}
	}
	a := s.ask(&Request{Verb: "world", Text: "x.xml", Ranks: 4})
	s.says(a, "the hardware x.xml is a file")
}

// Words are completed as at the prompt, without a blank behind what mostly goes on, and a mistake is shown while it is typed, with its place in characters, not bytes.
func TestTyping(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, "run=half = dup world")
	for line, want := range map[string]struct {
		start int
		words string
		line  string
	}{
		"x = spl":                   {4, "split split_type", "x = split"},
		"y = split ha":              {10, "half", "y = split half "},
		".exp":                      {0, ".explain .export", ".exp"},
		"print(\"é\"); hal":         {12, "half", "print(\"é\"); half "},
		".topo figure":              {6, "figure-7.3", ".topo figure-7.3 "},
		".open lesson-01":           {6, "lesson-01-color-and-key", ".open lesson-01-color-and-key "},
		".export mark":              {8, "markdown", ".export markdown "},
		"y = split half col":        {15, "color=", "y = split half color="},
		"y = split half color=rank": {21, "rank", "y = split half color=rank"},
	} {
		a := s.ask(&Request{Verb: "complete", Text: line})
		if got := strings.Join(a.Options, " "); a.Start != want.start || got != want.words || a.Line != want.line {
			t.Errorf("%s is completed at %d by %q: %q", line, a.Start, got, a.Line)
		}
	}
	a := s.ask(&Request{Verb: "check", Text: "z = splt world"})
	if a.Mistake == nil || a.Mistake.At != 4 || !strings.HasPrefix(a.Mistake.Text, "unknown verb") {
		t.Errorf("the mistake is %+v", a.Mistake)
	}
	a = s.ask(&Request{Verb: "check", Text: "z = split world color="})
	if !strings.HasPrefix(a.Hint, "split COMM") && !strings.Contains(a.Hint, "color") {
		t.Errorf("the hint is %q", a.Hint)
	}
}

// All formats come as files to download, a program together with the module that it imports; where a format does not
// fit the session, the answer says so.
func TestExports(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, "open=example-7.5")
	for _, f := range Formats() {
		if f.From != "" { // the browser makes it of another one
			continue
		}
		a := s.ask(&Request{Verb: "export", To: f.Name})
		if f.Name == "mpi4py" || f.Name == "quiz" { // the program asks where ranks run; nobody asks a question
			continue
		}
		if a.Error != "" || len(a.Files) == 0 || len(a.Files[0].Text) < 40 || !strings.HasPrefix(a.Files[0].Name, "example-7.5.") {
			t.Errorf("%s: %s %d files", f.Name, a.Error, len(a.Files))
		}
		if f.Handle && s.ask(&Request{Verb: "export", To: f.Name, Handle: "nobody"}).Error == "" {
			t.Errorf("%s draws a variable that nobody has", f.Name)
		}
	}
	s, _ = sit(t, "run=half = split_type world HW_UNGUIDED")
	a := s.ask(&Request{Verb: "export", To: "mpi4py"})
	if len(a.Files) != 2 || a.Files[1].Name != "commsplit.py" {
		t.Errorf("mpi4py comes as %d files: %s", len(a.Files), a.Error)
	}
	if a = s.ask(&Request{Verb: "export", To: "pdf"}); !strings.Contains(a.Error, "there is no format pdf") {
		t.Errorf("pdf: %q", a.Error)
	}
	for _, p := range stories.Pictures() {
		if a := s.ask(&Request{Verb: "export", To: "svg", Picture: p, Theme: "dark"}); (a.Error == "") == slices.Contains([]string{"sides", "waiting"}, p) {
			t.Errorf("picture %s: %s", p, a.Error)
		}
	}
}

// A world from the dialog can be taken back. A desk without a session says that it has none.
func TestWorlds(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, "run=half = dup world")
	a := s.ask(&Request{Verb: "world", Text: "pack:2 core:2", Ranks: 3})
	s.says(a, "3 ranks on pack:2 core:2")
	if a.Session.Link != "n=3&topo=pack:2+core:2" {
		t.Errorf("the link is %s", a.Session.Link)
	}
	if a = s.line(".undo"); a.Session.Link != "n=12&topo=figure-7.3&run=half+=+dup+world" {
		t.Errorf("after .undo it is %s", a.Session.Link)
	}
	s.says(s.ask(&Request{Verb: "world", Text: "nowhere"}), "is unknown")
	s.says(s.ask(&Request{Verb: "world", Text: "core:4", Ranks: 20000}), "20000")
	empty := &sitting{t, &Desk{}}
	if a := empty.line("x = dup world"); !a.Lost {
		t.Errorf("without a session: %+v", a)
	}
	if a := empty.ask(&Request{Verb: "rm"}); !strings.Contains(a.Error, "cannot ask for \"rm\"") {
		t.Errorf("an unknown verb: %+v", a)
	}
}

// A line that does not end is stopped when its request is canceled, and the session is as before the line.
func TestStopped(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, "run=half = dup world")
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for s.console.Session.Progress() == nil {
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	a := s.Answer(ctx, &Request{Verb: "line", Text: "while True: pass"})
	s.says(a, "interrupted")
	if a.Session.Link != "n=12&topo=figure-7.3&run=half+=+dup+world" || !json.Valid(a.Page) {
		t.Errorf("it leaves %s", a.Session.Link)
	}
}
