package practice_test

import (
	"cmp"
	"html"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// The embedded exercises are sound: at each of their sizes the solution meets the goal, which was worked out by hand as
// an expression of rank and size, and an empty answer is wrong. Each is graded on at least two worlds, so that a
// constant is not an answer, and has at least two hints.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	list := scripts.Practice.Examples()
	if len(list) != 24 {
		t.Errorf("%d exercises, not 24", len(list))
	}
	for i, e := range list {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			x := embedded(t, e.Name)
			if err := x.Check(t.Context()); err != nil {
				t.Error(err)
			}
			if number, _, _ := strings.Cut(e.Name, "-"); number != strconv.Itoa((i+1)/10)+strconv.Itoa((i+1)%10) {
				t.Errorf("it is not numbered %d", i+1)
			}
			if len(x.Worlds) < 2 || len(x.Hints) < 2 || len(x.Told) == 0 || x.Section == "" {
				t.Errorf("%d worlds, %d hints, %d notes for those who met it, section %q", len(x.Worlds), len(x.Hints), len(x.Told), x.Section)
			}
			for _, name := range x.Names {
				if !regexp.MustCompile(`\b` + name + `\b`).MatchString(strings.Join(x.Task, " ")) {
					t.Errorf("the task does not name %s", name)
				}
			}
		})
	}
}

func embedded(t *testing.T, name string) *practice.Exercise {
	t.Helper()
	e, ok := scripts.Exercise(name)
	if !ok {
		t.Fatalf("there is no exercise %q", name)
	}
	x, err := practice.Read(stories.NewScript(e.File, e.Text), cmd.World)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// attempt is an answer of testdata/answers.txt.
type attempt struct {
	exercise, what string
	verdict        string // "right", or what is wrong, and where
	text           string
}

var attemptHead = regexp.MustCompile(`(?m)^-- (\S+), (.+): (.+) --\n`)

// attempts reads the answers of a class.
func attempts(t *testing.T) []attempt {
	t.Helper()
	data, err := os.ReadFile("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	heads := attemptHead.FindAllStringSubmatchIndex(text, -1)
	var list []attempt
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		list = append(list, attempt{text[h[2]:h[3]], text[h[4]:h[5]], text[h[6]:h[7]], text[h[1]:end]})
	}
	return list
}

// Each exercise with right answers, in all languages in which students write, and with typical wrong answers:
// constants that fit only the shown world size, and the mistakes of which the exercise warns. The ranks that differ,
// and the first world in which they do, are worked out by hand.
func TestAnswersOfAClass(t *testing.T) {
	t.Parallel()
	right, constant, wrong := map[string]int{}, map[string]int{}, map[string]int{}
	spoken := map[string][]string{}
	for _, a := range attempts(t) {
		switch {
		case a.verdict == "right":
			right[a.exercise]++
		case strings.HasPrefix(a.verdict, "world 2, "):
			constant[a.exercise]++
		default:
			wrong[a.exercise]++
		}
		if _, ok := tongues[a.what]; ok && a.verdict == "right" {
			spoken[a.exercise] = append(spoken[a.exercise], a.what)
		}
		t.Run(a.exercise+"/"+a.what, func(t *testing.T) {
			t.Parallel()
			a.hold(t, grade(t, embedded(t, a.exercise), "answer"+cmp.Or(tongues[a.what], ".mpi"), a.text))
		})
	}
	for _, e := range scripts.Practice.Examples() {
		if right[e.Name] == 0 || wrong[e.Name] == 0 {
			t.Errorf("%s: %d right answers, %d wrong ones", e.Name, right[e.Name], wrong[e.Name])
		}
		if constant[e.Name] == 0 && !slices.Contains([]string{"20-idup"}, e.Name) { // 20-idup has nothing to count
			t.Errorf("%s: no constant that fits one size only", e.Name)
		}
		for tongue := range tongues {
			// MPI_Allreduce, which exercise 11 is about, has no memory to work on in C and Fortran here.
			if e.Name == "11-order-of-calls" && (tongue == "C" || tongue == "Fortran") {
				continue
			}
			if !slices.Contains(spoken[e.Name], tongue) {
				t.Errorf("%s: no right answer in %s", e.Name, tongue)
			}
		}
	}
}

// tongues are the languages in which students write, with the endings of their files.
var tongues = map[string]string{"command": ".mpi", "mpi4py": ".py", "C": ".c", "Fortran": ".f90"}

// hold compares the grade with the verdict.
func (a attempt) hold(t *testing.T, g *practice.Grade) {
	t.Helper()
	parts := strings.SplitN(a.verdict, ", ", 3)
	first := slices.IndexFunc(g.Worlds, func(r practice.Result) bool { return !r.Right() })
	switch {
	case a.verdict == "right":
		if !g.Right {
			t.Errorf("wrong on world %d: %s", first+1, g.Line())
		}
		return
	case g.Right || parts[0] != "world "+strconv.Itoa(first+1):
		t.Fatalf("the first wrong world is %d: %s; it should be %s", first+1, g.Line(), a.verdict)
	}
	faults := g.Worlds[first].Faults
	if len(parts) < 3 {
		if f := faults[0]; string(f.Kind) != parts[1] && !strings.Contains(f.Message, parts[1]) {
			t.Errorf("%s: %s; it should say %s", f.Kind, f.Message, parts[1])
		}
		return
	}
	var ranks []int
	for _, f := range faults {
		if f.Kind == practice.WrongGroup && f.Name == parts[1] {
			ranks = append(ranks, f.Ranks.Slice()...)
		}
	}
	if got := engine.RanksOf(ranks...).Noun(); got != parts[2] {
		t.Errorf("%s differs on %s; it should be %s", parts[1], got, a.verdict)
	}
}

// A handout has the task, and the lines to be repaired. It has no hint, and nothing of the solution that the teacher
// wrote, not even in the source of the page.
func TestHandoutTellsNoSolution(t *testing.T) {
	t.Parallel()
	for _, e := range scripts.Practice.Examples() {
		x, err := practice.Read(stories.NewScript(e.File, e.Text), cmd.World)
		if err != nil {
			t.Fatal(err)
		}
		before, solution, _ := strings.Cut(e.Text, "# solution:\n")
		for _, format := range practice.HandoutFormats {
			var b strings.Builder
			if err := x.Handout(t.Context(), &b, format); err != nil {
				t.Fatal(err)
			}
			page := html.UnescapeString(b.String())
			if !strings.Contains(page, x.Title) || !strings.Contains(page, x.Task[0]) || !strings.Contains(page, x.Repair) {
				t.Errorf("%s as %s lacks title, task or program:\n%s", e.Name, format, page)
			}
			secrets := slices.Concat(strings.Split(solution, "\n"), x.Hints, x.Told)
			for _, line := range secrets {
				line = strings.TrimSpace(line)
				if line != "" && !strings.Contains(before, line) && strings.Contains(page, line) {
					t.Errorf("%s as %s tells %q", e.Name, format, line)
				}
			}
			if strings.Contains(page, "expect") {
				t.Errorf("%s as %s expects", e.Name, format)
			}
		}
	}
}

// The picture of a goal has the ranks where they must be in the end: each even rank on a PU of the first cache, and
// each odd rank on a PU of the second.
func TestGoalHasPlaces(t *testing.T) {
	t.Parallel()
	goal, err := embedded(t, "23-unbound").Goal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for r, b := range goal.View.Snapshot.Bindings {
		if pu, err := strconv.Atoi(b.CPUSet.String()); err != nil || pu/4 != r%2 {
			t.Errorf("rank %d is on PUs %s", r, b.CPUSet)
		}
	}
}

// A goal of two variables has each letter only once: of six ranks in rows of two and columns of three, the rows are A
// to C and the columns D and E.
func TestLettersOfAGoal(t *testing.T) {
	t.Parallel()
	goal, err := embedded(t, "11-order-of-calls").Goal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := goal.Draw(&b, render.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(b.String()) {
		if f := strings.Fields(line); len(f) > 1 && strings.Contains(f[1], "#") {
			name, _, _ := strings.Cut(f[1], "#")
			got = append(got, f[0]+" "+name)
		}
	}
	if want := "A row, B row, C row, D column, E column"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q:\n%s", got, want, &b)
	}
}
