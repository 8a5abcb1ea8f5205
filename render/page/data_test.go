package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// data is the part of a page's document that tests read.
type data struct {
	Size  int
	Comms []struct {
		ID            int
		Group, Remote []int
		Said          []struct{ From, Name, Head, State int }
	}
	Handles []struct {
		Name string
		Held []struct {
			From int
			IDs  []int
		}
		Why []struct {
			From  int
			Ranks []int
		}
	}
	Grounds []struct{ Said [][]int }
	Drawn   []struct{ Rooms []picture }
	Rows    []struct{ Lanes [][]picture }
	Steps   []struct {
		Picture                    *picture
		Text, Args, Spelled, Until int
		Source                     []int
	}
	Spelled [][]struct {
		In, Text int
		Unsaid   bool
	}
	Moments []struct {
		Said []struct {
			Kind                string
			Text, Verdict, From int
			Lines               []int
		}
		Letters int
	}
	Letters  []struct{ IDs, Slots []int }
	Tellings []struct {
		Head, Rule, Order int
		Facts             []int
	}
	Orders []struct{ Key, World []int }
	Sites  *struct {
		Head []int
		Note []struct{ From, Text int }
		Rows []struct {
			At, Leaks, Comms, Ranks []int
			Cells                   [][]int
		}
	}
	Locks []struct {
		Waits []struct {
			Ranks []int
			What  int
		}
	}
	Stuck struct {
		Waits   []struct{ Who, What, Site, Whom, Doing int }
		Picture picture
	}
	Deadlock int
	End      []string
	Words    []string
}

const dataMark = `<script type="application/json" id="data">`

// dataOf reads the document of a page.
func dataOf(t testing.TB, html []byte) *data {
	t.Helper()
	_, rest, ok := bytes.Cut(html, []byte(dataMark))
	text, _, end := bytes.Cut(rest, []byte("</script>"))
	if !ok || !end {
		t.Fatal("the page has no data")
	}
	d := &data{}
	if err := json.Unmarshal(text, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// unpack writes progressions out.
func unpack(p []int) []int {
	list := []int{}
	for i := 0; i < len(p); i += 3 {
		for k := range p[i+2] {
			list = append(list, p[i]+k*p[i+1])
		}
	}
	return list
}

// groups returns the members of the communicators that a variable holds at the end, in the order of their ids.
func (d *data) groups(t testing.TB, handle string) [][]int {
	t.Helper()
	var list [][]int
	for _, c := range d.Comms {
		if slices.Contains(unpack(d.handle(t, handle)), c.ID) {
			list = append(list, unpack(c.Group))
		}
	}
	return list
}

func (d *data) handle(t testing.TB, name string) []int {
	t.Helper()
	for _, h := range d.Handles {
		if h.Name == name {
			return h.Held[len(h.Held)-1].IDs
		}
	}
	t.Fatalf("no variable %s", name)
	return nil
}

// then returns what a variable holds after a step, by rank: the group, "null", "-" for a rank that has not set it
// yet.
func (d *data) then(t testing.TB, name string, step int) string {
	t.Helper()
	for _, h := range d.Handles {
		if h.Name != name {
			continue
		}
		var ids []int
		for _, x := range h.Held {
			if x.From <= step {
				ids = unpack(x.IDs)
			}
		}
		var list []string
		for _, id := range ids {
			switch {
			case id == -1:
				list = append(list, "null")
			case id < 0:
				list = append(list, "-")
			}
			for _, c := range d.Comms {
				if c.ID == id {
					list = append(list, strings.ReplaceAll(strings.Trim(fmt.Sprint(unpack(c.Group)), "[]"), " ", "+"))
				}
			}
		}
		return strings.Join(list, " ")
	}
	t.Fatalf("no variable %s", name)
	return ""
}

// told returns the lines of the explanation for a rank in a variable after a step.
func (d *data) told(handle string, rank, step int) []string {
	var lines []string
	for _, h := range d.Handles {
		for _, w := range h.Why {
			if h.Name != handle || w.From > step {
				continue
			}
			x := d.Tellings[unpack(w.Ranks)[rank]]
			lines = []string{strings.Replace(d.Words[x.Head], "{w}", strconv.Itoa(rank), 1)}
			for i := 0; i < len(x.Facts); i += 2 {
				lines = append(lines, d.Words[x.Facts[i]]+": "+d.Words[x.Facts[i+1]])
			}
			lines = append(lines, d.Words[x.Rule])
		}
	}
	return lines
}

// saidAfter lists the events that a page shows after a step: kind, and beginning of the text.
func (d *data) saidAfter(step int) []string {
	var list []string
	for _, l := range d.Moments[step].Said {
		text := []rune(strings.Join(strings.Fields(d.Words[l.Text]), " "))
		list = append(list, l.Kind+" "+string(text[:min(24, len(text))]))
	}
	return list
}

// The page has the lines of a call in each language: for a barrier that ranks reached by two lines, both lines;
// where a language cannot express the lines, the reason.
func TestSpelled(t *testing.T) {
	t.Parallel()
	d := dataOf(t, exported(t, "said.mpi", `# commsplit: -n 4 --topo "core:4"
half = split world color=rank%2 key=-rank
@0-1 barrier world
@2-3 world.Barrier()
for i in range(2):
    world.Barrier()
`))
	const none = "only calls, assignments and if can be translated to C and Fortran"
	for i, want := range []map[string]string{
		{
			"C":            "int rank;\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm half;\nMPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);",
			"Fortran 2008": "integer :: rank\ntype(MPI_Comm) :: half\ncall MPI_Comm_rank(MPI_COMM_WORLD, rank)\ncall MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half)",
			"mpi4py":       "half = world.Split(world.rank%2, -world.rank)",
			"command":      "half = split world color=rank%2 key=-rank",
		},
		{
			"C": "int rank;\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\nif (0 <= rank && rank <= 1) {\n    MPI_Barrier(MPI_COMM_WORLD);\n}\n" +
				"if (2 <= rank && rank <= 3) {\n    MPI_Barrier(MPI_COMM_WORLD);\n}",
			"Fortran 2008": "integer :: rank\ncall MPI_Comm_rank(MPI_COMM_WORLD, rank)\nif (0 <= rank .and. rank <= 1) then\n    call MPI_Barrier(MPI_COMM_WORLD)\nend if\n" +
				"if (2 <= rank .and. rank <= 3) then\n    call MPI_Barrier(MPI_COMM_WORLD)\nend if",
			"mpi4py":  "if (0 <= world.rank and world.rank <= 1):\n    world.Barrier()\nif (2 <= world.rank and world.rank <= 3):\n    world.Barrier()",
			"command": "@0-1 barrier world\n@2-3 barrier world",
		},
		{
			"C": none, "Fortran 2008": none, "mpi4py": "for i in range(2):\n    world.Barrier()",
			"command": "it has several lines, but a command makes one call",
		},
	} {
		got := d.Spelled[d.Steps[i].Spelled]
		if len(got) != len(want) {
			t.Fatalf("step %d in %d languages", i+1, len(got))
		}
		for _, x := range got {
			in, text := d.Words[x.In], d.Words[x.Text]
			unsaid := i == 2 && in != "mpi4py"
			if x.Unsaid != unsaid || text != want[in] && !(unsaid && strings.Contains(text, want[in])) {
				t.Errorf("step %d in %s: %q, unsaid %t", i+1, in, text, x.Unsaid)
			}
		}
	}
	for i, until := range []int{1, 2, 4, 4} { // the loop makes two calls
		if d.Steps[i].Until != until {
			t.Errorf("the lines of step %d make calls until step %d, not %d", i+1, d.Steps[i].Until, until)
		}
	}
}

// A page shows events in the order in which they happened: the wrong idea, the lines that it led to, how they
// failed, and then why. A drawing of a lesson stands where the lesson drew it.
func TestStory(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		step int
		want []string
	}{
		{"lesson-04-undefined", 0, []string{
			"note Ranks 0 to 3 are to be a", "note Bo says: a rank that wan", "ask Ranks 0-3 call MPI_Comm_",
			"typed @0-3 team = world.Split(", "lock DEADLOCK on world: ranks", "note The wrong idea was to st"}},
		{"lesson-04-undefined", 1, []string{
			"ask What does rank 4 hold no", "note The next trap: MPI_COMM_", "bad Caught: MPI_ERR_COMM in ", "note Right: compare with MPI_",
			"out rank 0 of the team", "out rank 1 of the team", "out rank 2 of the team", "out rank 3 of the team", "out not in the team",
			"note Four ranks are in team. ", "drawn MPI_Comm_split on world "}},
		{"lesson-01-color-and-key", 2, []string{
			"ask World rank 4 passes colo", "note First buckets, one for e", "drawn MPI_Comm_split on world ",
			"note The same, seen from worl", "drawn world rank 2 is rank 1 o"}},
		{"lesson-02-which-rank", 1, []string{
			"ask World ranks 3, 4 and 5 a", "note World rank 3 sends news ", "ask Does the broadcast on ha", "bad Caught: MPI_ERR_ROOT in "}},
		{"lesson-12-two-groups", 1, []string{
			"note Ana says: the first team", "ask Does MPI_Intercomm_creat", "bad Caught: MPI_ERR_RANK in ", "lock DEADLOCK on team#2: rank",
			"note The wrong idea was a ran", "ask The second team has the ",
			"note Another trap: the tag ke", "typed @0-2 bridge = team.Creat", "typed @3-5 bridge = team.Creat",
			"lock DEADLOCK on team#2: rank", "note Right: each side names t"}},
	} {
		got := dataOf(t, embedded(t, tt.name)).saidAfter(tt.step)
		if len(got) > len(tt.want) && tt.name == "lesson-02-which-rank" {
			got = got[:len(tt.want)]
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s, step %d:\n%s", tt.name, tt.step, strings.Join(got, "\n"))
		}
	}
}

// A page has the waits of a deadlock that was taken back, and quotes the lines that a question is about, before
// their calls show.
func TestLocksAndQuotes(t *testing.T) {
	t.Parallel()
	d := dataOf(t, embedded(t, "lesson-04-undefined"))
	if len(d.Locks) != 1 || len(d.Locks[0].Waits) != 1 || !strings.HasPrefix(d.Words[d.Locks[0].Waits[0].What], "wait in MPI_Comm_split") {
		t.Fatalf("deadlocks: %+v", d.Locks)
	}
	if got := unpack(d.Locks[0].Waits[0].Ranks); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("ranks %v wait", got)
	}
	asked := d.Moments[1].Said[0]
	if len(asked.Lines) != 1 || !strings.HasPrefix(d.Words[asked.Lines[0]], "team = world.Split(0 if") {
		t.Errorf("the question quotes %v", asked.Lines)
	}
}

// A call inside a question does not show the question's line, because that holds the answer: lesson 11 has a
// question that adds ones.
func TestQuestionsAreNotQuoted(t *testing.T) {
	t.Parallel()
	d := dataOf(t, embedded(t, "lesson-11-free"))
	calls := 0
	for _, s := range d.Steps {
		if strings.Contains(d.Words[s.Text], "MPI_Allreduce") {
			calls++
		}
		for _, w := range s.Source {
			if strings.Contains(d.Words[w], "answer=") {
				t.Errorf("a step quotes %q", d.Words[w])
			}
		}
	}
	if calls == 0 {
		t.Error("no question makes a call")
	}
}
