package page_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/page"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

var renderStyle = render.Style{Width: 80}

func number(t testing.TB, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func quoted(text string) string { return strconv.Quote(text) }

// The levels of Figure 7.3 are those that the text of Example 7.5 lists.
func TestLevelsOfFigure73(t *testing.T) {
	t.Parallel()
	d := dataOf(t, embedded(t, "example-7.5"))
	for handle, want := range map[string][][]int{
		"hwcomm[1]": {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11}},
		"hwcomm[2]": {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}, {10, 11}},
		"hwcomm[3]": {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8}, {9}, {10}, {11}},
		"hwcomm[4]": {{0}, {1}, {2}, {3}, {4}, {5}},
		"hwcomm[5]": nil,
	} {
		if diff := cmp.Diff(want, d.groups(t, handle)); diff != "" {
			t.Errorf("%s: %s", handle, diff)
		}
	}
	if n := len(d.Moments); n != len(d.Steps)+1 {
		t.Errorf("%d moments for %d steps", n, len(d.Steps))
	}
}

// Ranks 1, 3, 5 and 7 pass color 1 with the keys -1, -3, -5 and -7: their order is 7, 5, 3, 1.
func TestWhyOfASplit(t *testing.T) {
	t.Parallel()
	d := dataOf(t, embedded(t, "first-split"))
	want := []string{
		"world rank 3 is rank {r} of 4 in half#3",
		"call: step 1, MPI_Comm_split on world, first-split.mpi:5",
		"color: 1, passed by 4 of the 8 ranks", "key: -3",
		"Processes with the same color form a communicator, ranked by key; ties go by the rank in the old group. [MPI-5.0 §7.4.2]",
	}
	if diff := cmp.Diff(want, d.told("half", 3, 1)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]int{{6, 4, 2, 0}, {7, 5, 3, 1}}, d.groups(t, "half")); diff != "" {
		t.Error(diff)
	}
	world := 0
	for _, o := range d.Orders {
		if slices.Equal(unpack(o.World), []int{7, 5, 3, 1}) && slices.Equal(unpack(o.Key), []int{-7, -5, -3, -1}) {
			world++
		}
	}
	if world != 1 {
		t.Errorf("%d tables sort ranks 7, 5, 3, 1 by their keys", world)
	}
	null := []string{"world rank 6 holds MPI_COMM_NULL", "call: step 3, MPI_Comm_split on world, first-split.mpi:14",
		"color: MPI_UNDEFINED", "A process that passes MPI_UNDEFINED gets MPI_COMM_NULL. [MPI-5.0 §7.4.2]"}
	if diff := cmp.Diff(null, d.told("low", 6, 3)); diff != "" {
		t.Error("MPI_COMM_NULL, once it was returned:", diff)
	}
}

const deadlock = `# commsplit: -n 6 --topo "pack:2 core:3"
note "two halves, then rank 0 goes its own way"
half = split world color=rank%2
@0 world.Barrier()
@2,4 half.Barrier()
`

// Rank 0 waits in the barrier of all ranks for the others; ranks 2 and 4 wait in the barrier of their half for
// rank 0.
func TestDeadlock(t *testing.T) {
	t.Parallel()
	d := dataOf(t, exported(t, "dead.mpi", deadlock))
	var got []string
	for _, w := range d.Stuck.Waits {
		var words []string
		for _, i := range []int{w.Who, w.What, w.Site, w.Whom, w.Doing} {
			words = append(words, d.Words[i])
		}
		got = append(got, strings.Join(words, " "))
	}
	want := []string{"rank 0 waits in MPI_Barrier on world dead.mpi:4 ranks 1-5 , which made no such call",
		"ranks 2,4 wait in MPI_Barrier on half#2 dead.mpi:5 rank 0 , in MPI_Barrier"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var ring []string
	for _, thing := range d.Stuck.Picture.Things {
		if thing[0] == 1 && thing[2] == 0 { // a text in the first line
			ring = append(ring, d.Words[thing[5]])
		}
	}
	if text := strings.Join(ring, " "); text != "rank 0 ─▶ ranks 2,4 ─▶ rank 0" {
		t.Errorf("the ring is %s", text)
	}
	if text := d.Words[d.Deadlock]; !strings.HasPrefix(text, "DEADLOCK on ") || len(d.End) == 0 {
		t.Errorf("the diagnosis is %q, the end %q", text, d.End)
	}
}

// The groups of the bridge are the two teams of three.
func TestTwoGroups(t *testing.T) {
	t.Parallel()
	d := dataOf(t, embedded(t, "lesson-12-two-groups"))
	ids := unpack(d.handle(t, "bridge"))
	for _, c := range d.Comms {
		if c.ID != ids[0] {
			continue
		}
		if l, r := unpack(c.Group), unpack(c.Remote); !slices.Equal(l, []int{0, 1, 2}) || !slices.Equal(r, []int{3, 4, 5}) {
			t.Errorf("the groups are %v and %v", l, r)
		}
		return
	}
	t.Error("bridge holds no communicator")
}

// A question comes before the call that answers it, with the lesson's answer.
func TestQuestion(t *testing.T) {
	t.Parallel()
	d := dataOf(t, embedded(t, "lesson-01-color-and-key"))
	for at, m := range d.Moments {
		for _, l := range m.Said {
			if l.Kind != "ask" {
				continue
			}
			if at != 1 || l.From != 0 || d.Words[l.Verdict] != "Answer: 6." {
				t.Errorf("asked after step %d, before step %d: %q", at, l.From+1, d.Words[l.Verdict])
			}
			return
		}
	}
	t.Error("nothing is asked")
}

// A lesson about a variable that is set again, freed, or not held by all ranks shows that variable at its steps.
// No table shows what an open question asks: before step 4 of lesson 13, no rank holds desk.
func TestLessonsShowTheirSubject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lesson, variable string
		step             int
		want             string
	}{
		// §7.4.2: ranks 2 and 3 may use both caches, so they get MPI_COMM_NULL; once they are bound, none does.
		{"lesson-15-binding", "cache", 1, "0+1 0+1 null null 4+5 4+5"},
		{"lesson-15-binding", "cache", 3, "0+1 0+1 null null 4+5 4+5"},
		{"lesson-15-binding", "cache", -1, "0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3 4+5 4+5"},
		{"lesson-11-free", "half", 1, "0+1 0+1 2+3 2+3"},
		{"lesson-11-free", "half", 3, "0+1 0+1 2+3 2+3"},
		{"lesson-11-free", "half", -1, "null null null null"},
		{"lesson-10-dup-costs", "copies[6]", 7, "0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3"},
		{"lesson-10-dup-costs", "copies[6]", -1, "null null null null"},
		{"lesson-13-one-sided-color", "desk", 2, "- - - - - - -"},
	} {
		d := dataOf(t, embedded(t, c.lesson))
		step := c.step
		if step < 0 {
			step = len(d.Steps)
		}
		if got := d.then(t, c.variable, step); got != c.want {
			t.Errorf("%s, step %d: %s is %q, want %q", c.lesson, step, c.variable, got, c.want)
		}
	}
}

const hostile = `# <b>bold</b> & "quotes" </title></script><script>document.title="broken"</script>
# commsplit: -n 4 --topo "core:4"
note "</script><img src=x onerror=alert(1)> <!-- <script> \"quoted\" 'too' & done {data}"
half = split world color=rank%2
world.Set_name("</noscript></script><!-- <script>")
print("<script>document.title='broken'</script>")
expect_parts half [[0,1],[2,3]]
x = split world color=-5
`

// Text of a script ends no element of the page.
func TestHostileText(t *testing.T) {
	t.Parallel()
	html := exported(t, "hostile.mpi", hostile)
	for tag, want := range map[string]int{"<script": 2, "</script": 2, "<img": 0, "</noscript": 1, "</title></script": 0, "<!--": 0, "<b>": 0} {
		if n := bytes.Count(html, []byte(tag)); n != want {
			t.Errorf("%d times %s, not %d", n, tag, want)
		}
	}
	d := dataOf(t, html)
	if !slices.ContainsFunc(d.Words, func(w string) bool { return strings.HasPrefix(w, "FAILED  who is together") }) || len(d.End) == 0 {
		t.Errorf("how it ended is not told: %q", d.End)
	}
}

const unmet = `# commsplit: -n 4 --topo "core:4"
half = world.Split(world.rank % 2)
expect(half.size == 3, "three")
pair = half.Dup()
info = MPI.Get_hw_resource_info()
expect(info == None, "no names")
two = world.Dup()
`

// A failed expectation is reported at its moment: that of the half after the split, step 1; that of the names
// after a duplicate of each half, steps 2 and 3, and the query, step 4.
func TestFailuresInTime(t *testing.T) {
	t.Parallel()
	d := dataOf(t, exported(t, "unmet.py", unmet))
	var got []string
	for at, m := range d.Moments {
		for _, l := range m.Said {
			if l.Kind == "bad" {
				text, _, _ := strings.Cut(d.Words[l.Text], ":")
				got = append(got, strconv.Itoa(at)+" "+text)
			}
		}
	}
	if diff := cmp.Diff([]string{"1 FAILED  three", "4 FAILED  no names"}, got); diff != "" {
		t.Error(diff)
	}
}

// A world too large for a browser is refused with one line.
func TestTooManyRanks(t *testing.T) {
	t.Parallel()
	v := &render.View{Snapshot: &engine.Snapshot{Size: 16385}}
	err := page.Write(io.Discard, &page.Session{Past: func(int) *render.View { return v }})
	if err == nil || err.Error() != "a page explains at most 16384 ranks, but this world has 16385: --to svg draws any number" {
		t.Error(err)
	}
}

// Every example makes a page, and the same page each time.
func TestExamples(t *testing.T) {
	t.Parallel()
	for i, name := range scripts.Names() {
		if i%5 != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script, text, _ := scripts.Lookup(name)
			if strings.Contains(text, "--pset") || strings.Contains(text, "--std") {
				t.Skip("its flags are not those that the tests know")
			}
			first, second := exported(t, script, text), exported(t, script, text)
			if !bytes.Equal(first, second) {
				t.Error("two pages of one script differ")
			}
			if d := dataOf(t, first); len(d.Handles) == 0 || len(d.Words) == 0 {
				t.Error("the page is empty")
			}
		})
	}
}

// leaking duplicates world twelve times and frees nothing: 12 communicators of 4 ranks are left on each rank. The even
// ranks run on both packages, as the odd ones do.
const leaking = `# commsplit: -n 4 --topo "pack:2 [numa] core:2"
half = split world color=rank%2
for i in range(12):
    world.Dup()
`

// colorful splits 48 ranks into communicators of a rank each, so that ranks on neighboring cores have
// communicators 24 letters apart: as many as there are colors. Then the variable gets two other communicators.
const colorful = `# commsplit: -n 48 --topo "pack:6 core:8"
own = split world color=(rank//2 if rank%2==0 else 24+rank//2)
own = split world color=rank%2
`

// Communicators side by side have different colors, as in all other pictures, even where there are more
// communicators than colors. Otherwise each has the color of its letter, and the page has no list of colors. The
// letters of a moment are those of its variables, then those of the moment before, which may show beside it.
func TestNeighborsHaveDifferentColors(t *testing.T) {
	t.Parallel()
	d := dataOf(t, exported(t, "colorful.mpi", colorful))
	one, two := d.Letters[d.Moments[1].Letters], d.Letters[d.Moments[2].Letters]
	slots, ids := unpack(one.Slots), unpack(two.IDs)
	if len(slots) != 48 || slices.Min(slots) < 0 || slices.Max(slots) >= paint.Slots {
		t.Fatalf("slots %v", slots)
	}
	for i := range 24 { // rank 2i is in communicator i, ranks 2i-1 and 2i+1 are in 24+i-1 and 24+i
		if slots[i] == slots[24+i] || i > 0 && slots[i] == slots[24+i-1] {
			t.Errorf("communicator %d has the color %d of its neighbor: %v", i, slots[i], slots)
		}
	}
	if len(ids) != 50 || ids[0] != 50 || ids[1] != 51 || ids[2] != 2 || ids[49] != 49 { // 2 to 49 are of the first split
		t.Errorf("the letters of step 2 are those of %v", ids)
	}
	few := dataOf(t, embedded(t, "first-split"))
	for k, m := range few.Moments {
		if l := few.Letters[m.Letters]; len(l.Slots) > 0 || k == 5 && len(unpack(l.IDs)) != 8 {
			t.Errorf("step %d: the letters are those of %v, with the colors %v", k, unpack(l.IDs), l.Slots)
		}
	}
}

// A call site that makes communicators again and again shows with its counts after each step. A click selects what
// it had made by then. The split is step 1, the duplicates are steps 2 to 13, and ten communicators left on a rank
// are a leak.
func TestSites(t *testing.T) {
	t.Parallel()
	d := dataOf(t, exported(t, "sites.mpi", leaking))
	if d.Sites == nil {
		t.Fatal("the page has no places")
	}
	var head []string
	for _, w := range d.Sites.Head {
		head = append(head, d.Words[w])
	}
	got := []string{strings.Join(head, " ")}
	for _, n := range d.Sites.Note {
		got = append(got, fmt.Sprint(n.From, " ", d.Words[n.Text]))
	}
	for _, r := range d.Sites.Rows {
		got = append(got, fmt.Sprint(unpack(r.At), unpack(r.Leaks), unpack(r.Comms), unpack(r.Ranks)))
		for i, step := range unpack(r.At) {
			if step != 1 && step != 2 && step < 11 {
				continue
			}
			text := fmt.Sprint(step)
			for _, column := range r.Cells {
				text += " " + d.Words[unpack(column)[i]]
			}
			got = append(got, text)
		}
	}
	want := []string{
		"place call calls made left peak size hosts packages NUMA",
		"0 no call has made a communicator yet", "1 what each line made", "11 ! 1 leak",
		"[2 3 4 5 6 7 8 9 10 11 12 13] [0 0 0 0 0 0 0 0 0 1 1 1] [4 5 6 7 8 9 10 11 12 13 14 15] [0 1 2 3]",
		"2 sites.mpi:4 Comm_dup 1 1 1 1 4 1 2 2",
		"11 ! sites.mpi:4 Comm_dup 10 10 10 10 4 1 2 2",
		"12 ! sites.mpi:4 Comm_dup 11 11 11 11 4 1 2 2",
		"13 ! sites.mpi:4 Comm_dup 12 12 12 12 4 1 2 2",
		"[1] [0] [2 3] [0 1 2 3]",
		"1 sites.mpi:2 Comm_split 1 2 1 1 2 1 2 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Where no call site made more than one communicator on a rank, the page has no table of sites: the trace shows as
// much. A recorded application always has the table.
func TestSitesOfFewLines(t *testing.T) {
	t.Parallel()
	for _, recorded := range []bool{false, true} {
		chunks, err := stories.NewScript("few.mpi", "half = split world color=rank%2\n").Chunks()
		if err != nil {
			t.Fatal(err)
		}
		if recorded {
			chunks[0].Places = []engine.Site{{File: "app.c", Line: 7}}
		}
		console, err := console.NewConsole(t.Context(), repl.Config{Size: 4}, io.Discard, io.Discard, renderStyle)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(console.Session.Close)
		var b bytes.Buffer
		err = console.Script(t.Context(), chunks)
		if err := errors.Join(err, stories.ExportTo(&b, console.Session, stories.Export{To: "html"})); err != nil {
			t.Fatal(err)
		}
		if got := dataOf(t, b.Bytes()).Sites != nil; got != recorded {
			t.Errorf("recorded: %v, places: %v", recorded, got)
		}
	}
}
