package tui

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/repl"
)

// Time goes back and forth: before a step its communicators are not there; the present is as it was.
func TestTime(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "half = split world color=rank%2", "single = split half color=rank")
	now := plain(m)
	press(t, m, "esc", "{")
	if text := plain(m); strings.Contains(text, "half#2") || !strings.Contains(text, "past: ◀ step 0/3 ▶") {
		t.Errorf("the beginning:\n%s", text)
	}
	press(t, m, "]")
	if text := plain(m); !strings.Contains(text, "half#3") || strings.Contains(text, "single#") || !strings.Contains(text, "color 0   w0   w2") {
		t.Errorf("after step 1:\n%s", text)
	}
	press(t, m, "]", "]", "]")
	if m.moment.Past() || m.notice != "this is the present" {
		t.Errorf("step %d of %d, %q", m.moment.Step, m.moment.Last, m.notice)
	}
	press(t, m, ":")
	m.notice = ""
	if text := plain(m); !strings.Contains(text, "single#7") || !strings.Contains(now, "single#7") {
		t.Errorf("the present is another one:\n%s", text)
	}
}

// While the phases of a step show, one letter is one communicator: half is A and B, numa is C, D, E on the even ranks of
// Figure 7.3, whose cells stay, and the odd ranks get F, G, H (§7.4.2: each of the three NUMA nodes has its
// own), in the cells as beside the communicators.
func TestPhaseLetters(t *testing.T) {
	t.Parallel()
	cfg := repl.Config{Topo: "figure-7.3", Size: 12, Policy: placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"}}
	m := opened(t, cfg, 200, 60, "half = split world color=rank%2",
		`numa = split_type half HW_GUIDED resource="hwloc://NUMANode"`)
	press(t, m, "esc", "[", ">", ">", ">", ">", ">")
	text := plain(m)
	has(t, text, "C0", "D0", "E0", "F0", "G0", "H1", "inside step 3", "C  numa#4", "F  numa#7", "H  numa#9")
	if m.moment.Step != 3 || m.moment.Handles[m.handle].Name != "numa" {
		t.Errorf("step %d of %s", m.moment.Step, m.moment.Handles[m.handle].Name)
	}
}

// A split as it happens. Colors 0 1 0 1 with keys 0 -1 -2 -3: buckets A (ranks 0, 2) and B (1, 3),
// sorted by key: rank 2 before 0, 3 before 1.
func TestPhases(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "half = split world color=rank%2 key=-rank")
	press(t, m, "esc")
	for _, c := range []struct{ stage, cells string }{
		{"contributions", "0 1 0 1"}, {"buckets", "A B A B"}, {"sort", "A1 B1 A0 B0"}, {"context id", "A1 B1 A0 B0"},
		{"replies", "A1 B1 A0 B0"},
	} {
		press(t, m, ">")
		text := plain(m)
		if !strings.Contains(text, c.stage) || !strings.Contains(text, "inside step 1") ||
			strings.Join([]string{cores(m)[0], cores(m)[1], cores(m)[2], cores(m)[3]}, " ") != c.cells {
			t.Errorf("%s, with %v on the cores:\n%s", c.stage, cores(m), text)
		}
	}
	press(t, m, ">")
	if m.moment.Step != 1 || m.player.phase != 0 {
		t.Errorf("after the last phase: step %d, phase %d", m.moment.Step, m.player.phase)
	}
	press(t, m, ">", ">", "<", "<")
	if m.player.phase != 0 || m.moment.Step != 0 {
		t.Errorf("back out: step %d, phase %d", m.moment.Step, m.player.phase)
	}
}

// Where a tile stands for many ranks, it counts those of each communicator in every phase: the numbers that ranks get in
// it do not tell them apart. What they passed are values. With color=rank%2 each of 40 nodes has 50 ranks in A and 50 in
// B; with color=rank, 100 colors.
func TestPhasesOfTiles(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "machine:40 pack:2 core:50", Size: 4000}, 200, 60, "half = split world color=rank%2 key=-rank", "alone = split world color=rank")
	press(t, m, "esc", "{")
	for _, want := range []string{"0×50", "A×50", "A×50", "A×50", "A×50"} { // contributions to replies
		press(t, m, ">")
		if text := plain(m); !strings.Contains(text, want) || strings.Contains(text, "100 c") {
			t.Errorf("phase %d has no %s, or counts communicators:\n%s", m.player.phase, want, text)
		}
	}
	press(t, m, ">", ">")
	if text := plain(m); m.moment.Step != 2 || !strings.Contains(text, "100 v") {
		t.Errorf("step %d passes no values:\n%s", m.moment.Step, text)
	}
}

// Playing goes from the beginning to the present, in through the phases of splits, and stops there. A
// tick of an earlier play does nothing.
func TestPlay(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24, "half = split world color=rank%2", "lib = dup half")
	press(t, m, "esc")
	m.Update(keyMsg("p"))
	if !m.player.on || m.moment.Step != 0 {
		t.Fatalf("on %v, step %d", m.player.on, m.moment.Step)
	}
	played(m, m.player.turn-1)
	if m.player.phase != 0 {
		t.Error("a tick of before goes on")
	}
	var seen []string
	for range 20 {
		played(m, m.player.turn)
		seen = append(seen, strconv.Itoa(m.moment.Step)+"."+strconv.Itoa(m.player.phase))
		if !m.player.on {
			break
		}
	}
	// The split has five phases; the two dups, one of each communicator, are seen as a whole.
	if got, want := strings.Join(seen, " "), "1.1 1.2 1.3 1.4 1.5 1.0 2.0 3.0 3.0"; got != want {
		t.Errorf("pictures %s, want %s", got, want)
	}
	press(t, m, "f", "f", "f", "f", "f", "f")
	if m.player.speed != len(delays)-1 {
		t.Errorf("speed %d", m.player.speed)
	}
}

// Without motion a script waits after each part until a key goes on; its narration is there to step through.
func TestExampleStill(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	example(t, m, "first-split", repl.Config{Topo: "pack:2 core:4", Size: 8})
	if m.player.on || m.moment.Past() || m.halt == nil || m.page.part != 1 {
		t.Error("it plays by itself")
	}
	toQuestion(t, m)
	if press(t, m, "esc", "{"); m.busy != nil {
		t.Error("it does not end")
	}
	wants(t, m, "· the color decides which ranks end up together, the key in which order")
}

// moving is a model that moves things, after some lines of which the last one has just run.
func moving(t *testing.T, cfg repl.Config, lines ...string) *Model {
	t.Helper()
	last := len(lines) - 1
	m := opened(t, cfg, 120, 40, lines[:last]...)
	m.opts.Still = false
	runs(t, m, lines[last])
	return m
}

// runs runs a line to its end, and leaves out what comes with time.
func runs(t *testing.T, m *Model, line string) {
	t.Helper()
	m.Update(m.run(line)().(tea.BatchMsg)[0]()) // the second command looks at the output now and then
}

// beat lets the time of a picture pass.
func beat(m *Model) { m.Update(news(func(m *Model) tea.Cmd { return m.beatOn(m.player.turn) })) }

// played lets the next picture of a play come.
func played(m *Model, turn int) { m.Update(news(func(m *Model) tea.Cmd { return m.play(turn) })) }

// After a line its call plays by itself and then stands as it is without motion. Of four ranks with colors
// 0 1 0 1 and keys 0 -1 -2 -3, rank 0 stands before rank 2 in the buckets, and behind it in the order.
func TestLastCallPlays(t *testing.T) {
	t.Parallel()
	m := moving(t, small, "half = split world color=rank%2 key=-rank")
	var seen []string
	for m.player.motion != nil {
		at, _ := m.player.at()
		text := at.Stage.String()
		for r := range 4 {
			c, _ := at.Cell(r)
			text += " " + c.Text
		}
		seen = append(seen, text+lane(m))
		beat(m)
	}
	for k, want := range map[int]string{
		0: "contributions 0 1 0 1", 3: "contributions 0 1 0 1", 7: "buckets A B A B w0 w2", 8: "sort A1 B1 A0 B0 w0 w2",
		11: "sort A1 B1 A0 B0 w2 w0",
	} {
		if len(seen) != 12 || seen[k] != want {
			t.Errorf("picture %d of %d is %q, want %q", k, len(seen), seen, want)
		}
	}
	still := opened(t, small, 120, 40, "half = split world color=rank%2 key=-rank")
	if got, want := plain(m), plain(still); got != want {
		t.Errorf("it ends as\n%s\nwithout motion it is\n%s", got, want)
	}
}

// lane is the world ranks on the lane of the first communicator, as far as they show.
func lane(m *Model) string {
	text := ""
	for _, row := range strings.Split(plain(m), "\n") {
		if _, right, ok := strings.Cut(row, "half#2"); ok {
			text = right
		} else if text != "" {
			list := regexp.MustCompile(`w\d+`).FindAllString(row, -1)
			if strings.Contains(row, "half#3") || len(list) > 0 {
				return strings.TrimRight(" "+strings.Join(list, " "), " ")
			}
		}
	}
	return ""
}

// Whatever key comes while a call plays is typed at the prompt, and the result stands. A line that waits goes
// first: nothing plays then.
func TestKeySkipsMotion(t *testing.T) {
	t.Parallel()
	m := moving(t, small, "half = split world color=rank%2")
	old := m.player.turn
	m.Update(keyMsg("x"))
	if m.player.motion != nil || m.prompt.Text() != "x" || !m.typing {
		t.Errorf("motion %v, line %q", m.player.motion, m.prompt.Text())
	}
	m.Update(news(func(m *Model) tea.Cmd { return m.beatOn(old) }))
	if m.player.motion != nil {
		t.Error("a picture of before goes on")
	}
	m.prompt.Set("")
	cmd := m.run("a = dup half")
	m.submit("b = dup half")
	_, cmd = m.Update(cmd().(tea.BatchMsg)[0]())
	if m.player.motion != nil || m.busy == nil {
		t.Errorf("motion %v, busy %v: a line waits", m.player.motion, m.busy)
	}
	m.Update(cmd().(tea.BatchMsg)[0]())
}

// Nothing plays by itself where that was not wanted, on a slow terminal, in a large world, and where a line
// made no communicator.
func TestNoMotion(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	runs(t, m, "half = split world color=rank%2")
	if m.player.motion != nil {
		t.Error("it plays without motion")
	}
	m.opts.Still = false
	for _, line := range []string{"world.size", "free half", ".undo", "wrong = split world color=-1"} {
		if runs(t, m, line); m.player.motion != nil {
			t.Errorf("%s plays", line)
		}
	}
	slow := false
	m.opts.Slow = func() bool { return slow }
	runs(t, m, "a = dup world")
	if m.player.motion == nil {
		t.Fatal("a duplicate does not play")
	}
	slow = true
	if beat(m); m.player.motion != nil {
		t.Error("it goes on when frames take long")
	}
	if runs(t, m, "b = dup world"); m.player.motion != nil {
		t.Error("it begins when frames take long")
	}
	large := opened(t, repl.Config{Topo: "core:4", Size: mostMoving + 1}, 80, 24)
	large.opts.Still = false
	if runs(t, large, "half = split world color=rank%2"); large.player.motion != nil {
		t.Error("a large world plays")
	}
}

// A deadlock is a stop in time, also after lines that let the ranks go on: [ and ] come to it, between the steps where
// it was, and past it. Rank 0 waits in a barrier until the others call it, too.
func TestDeadlockIsAStop(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "a = dup world", "x = world.Barrier() if world.rank == 0 else None")
	wants(t, m, "BLOCKED  ◀ step 1/1 ▶")
	enter(t, m, "if world.rank > 0: world.Barrier()")
	enter(t, m, "b = dup world")
	press(t, m, "esc", "[")
	wants(t, m, "past: ◀ step 2/3 ▶") // the barrier, once all have called it
	press(t, m, "[")
	wants(t, m, "BLOCKED  past: ◀ step 1/3 ▶", "rank 0 waits in MPI_Barrier", "] goes there")
	press(t, m, "[")
	if text := plain(m); strings.Contains(text, "BLOCKED") || !strings.Contains(text, "past: ◀ step 1/3 ▶") {
		t.Errorf("before the deadlock:\n%s", text)
	}
	press(t, m, "]", "]", "]", "]")
	wants(t, m, "◀ step 3/3 ▶", "this is the present")
}

// A deadlock that expect_deadlock took back stays a stop, though the trace has no steps of it.
func TestExpectedDeadlockIsAStop(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "@0 barrier world", "expect_deadlock", "a = dup world")
	press(t, m, "esc", "[")
	wants(t, m, "BLOCKED  past: ◀ step 0/1 ▶")
	press(t, m, "[", "[")
	wants(t, m, "this is the beginning")
}
