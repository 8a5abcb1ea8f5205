package tui

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/repl"
)

// Of ranks that wait, the panes tell in full where they do and for whom, also side by side.
func TestWaitingFits(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "leader-waits.py")
	text := "from mpi4py import MPI\nworld = MPI.COMM_WORLD\nif world.rank == 0:\n    world.Barrier()\n" +
		"elif world.rank == 1:\n    world.Dup()\nelse:\n    c = world.Split_type(MPI.COMM_TYPE_SHARED)\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m := opened(t, small, 120, 40, ".open "+file)
	press(t, m, "esc", "5")
	for _, want := range []string{
		"│     where leader-waits.py:8, waits for ranks 0-1\n", // the log
		"\n leader-waits.py:8 ",                                // why
	} {
		if text := plain(m); !strings.Contains(text, want) {
			t.Errorf("%q does not show:\n%s", want, text)
		}
	}
}

// moved is two NUMA nodes with two cores each, split by node. Rank 1 is then moved to a core of the
// other node: by hand, both communicators and their duplicates no longer reflect the hardware.
func moved(t *testing.T, w, h int) *Model {
	t.Helper()
	return opened(t, repl.Config{Topo: "numa:2 core:2 pu:1", Size: 4}, w, h,
		`nodes = split_type world HW_GUIDED resource="hwloc://NUMANode"`, "lib = dup nodes", "bind 1 3")
}

// What a re-binding made stale is marked with the word in the lists, and explained.
func TestStale(t *testing.T) {
	t.Parallel()
	m := moved(t, 200, 60)
	press(t, m, "esc", "2", "home", "down")
	text := plain(m)
	has(t, text, "nodes#2  2 ranks  stale", "lib#4  2 ranks  stale", // communicators
		"A1 stale",              // ranks
		"2 ranks, ctx 1, stale", // why: the communicator
		"stale: rank 1 now runs on PU 3, NUMANode L#1")
	press(t, m, "3", "home", "down")
	wants(t, m, "  stale          rank 1 now runs on PU 3")
	press(t, m, "[")
	if text := plain(m); strings.Contains(text, "ranks  stale") || strings.Contains(text, "A1 stale") {
		t.Errorf("before the ranks moved nothing is stale:\n%s", text)
	}
}

// B begins the line that moves the lit ranks; the selection stays when they have moved.
func TestBindLine(t *testing.T) {
	t.Parallel()
	m := moved(t, 120, 40)
	press(t, m, "esc", "B")
	if m.typing || !strings.Contains(m.notice, "select a rank") {
		t.Errorf("nothing is selected: typing %v, notice %q", m.typing, m.notice)
	}
	press(t, m, "3", "/", "1", "enter", "B")
	if got := m.prompt.Text(); got != "bind 1 " {
		t.Fatalf("the line is %q", got)
	}
	press(t, m, "1", "enter")
	if text := plain(m); strings.Contains(text, "ranks  stale") || m.sel.Rank() != 1 {
		t.Errorf("back in place nothing is stale, and rank %d is selected:\n%s", m.sel.Rank(), text)
	}
}

// In a large world, too, the pane shows what a split did: even ranks have color 0, and by falling keys the last one is
// first [§7.4.2].
func TestWhyOfManyRanks(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "rack:10 machine:20 pack:2 core:50", Size: large + 2}, 120, 40, "half = split world color=rank%2 key=-rank")
	wants(t, m, " color 0   w0,2,..,20000 ", " sorted    A0-10000  w20000,19998,..,0 ", "[MPI-5.0")
}

// In a large world no key waits for an explanation: that is made beside the screen once keys rest, and one of
// a rank that is selected no longer is not shown. A line that runs meanwhile waits until the session was looked at.
func TestExplainsBeside(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "rack:10 machine:20 pack:2 core:50", Size: large}, 120, 40, "half = split world color=rank%2 key=-rank")
	var rests []tea.Msg
	m.opts.After = func(_ time.Duration, msg tea.Msg) tea.Cmd { rests = append(rests, msg); return nil }
	press(t, m, "esc", "3", "/", "7", "enter")
	if text := plain(m); !strings.Contains(text, "looking at 20000 ranks ...") {
		t.Fatalf("the pane does not say that it looks:\n%s", text)
	}
	if _, cmd := m.Update(rests[len(rests)-2]); cmd != nil {
		t.Error("an explanation is made while keys come")
	}
	_, beside := m.Update(rests[len(rests)-1])
	if beside == nil {
		t.Fatal("no explanation is made once keys rest")
	}
	press(t, m, "/", "8", "enter")
	plain(m)
	line, ran := m.run("lib = dup half"), make(chan tea.Msg, 1)
	go func() { ran <- line() }()
	late := beside()
	m.Update(late)
	if line := m.why.answer.value[0].Plain(); line != "world rank 7 is rank 9996 of 10000 in half#3" { // of the odd ranks the fourth from the end
		t.Errorf("the explanation begins %q", line)
	}
	if text := plain(m); strings.Contains(text, "world rank 7 is") {
		t.Errorf("rank 8 is selected:\n%s", text)
	}
	m.Update(<-ran)
	press(t, m, "/", "8", "enter")
	plain(m)
	beside = m.makeWanted()
	m.Update(beside())
	wants(t, m, "world rank 8 is rank 9995 of 10000 in")
}

// Nor waits a key for a step of the past, or for the places of the program: a step that is asked for shows when it was
// looked up, unless another one is asked for by then.
func TestLooksUpBeside(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "rack:10 machine:20 pack:2 core:50", Size: large}, 120, 40, "half = split world color=rank%2", "lib = dup half")
	m.opts.After = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	press(t, m, "esc", "6")
	wants(t, m, "looking at 20000 ranks ...")
	beside := m.makeWanted()
	m.Update(beside())
	wants(t, m, "<input>:1")
	last := m.moment.Step
	_, one := m.Update(keyMsg("["))
	_, two := m.Update(keyMsg("["))
	if m.moment.Step != last {
		t.Fatalf("step %d shows before it was looked up", m.moment.Step)
	}
	m.Update(one())
	if m.moment.Step != last {
		t.Errorf("step %d shows, which is asked for no longer", m.moment.Step)
	}
	m.Update(two())
	if m.moment.Step != last-2 {
		t.Errorf("after [ [ step %d of %d shows", m.moment.Step, last)
	}
	press(t, m, "}")
	if m.moment.Step != last {
		t.Errorf("after } step %d of %d shows", m.moment.Step, last)
	}
}

// Nor for the phases of a step, by hand or where a session plays: a key and a picture leave the step that shows, and
// take less memory than a byte for each rank; what was looked up shows then. Two keys lead to the second phase. A key
// that goes back, and a line, take a goal away.
func TestPhasesBeside(t *testing.T) {
	m := opened(t, repl.Config{Topo: "rack:10 machine:20 pack:2 core:50", Size: large}, 120, 40, "lib = dup world", "half = split world color=rank%2")
	m.opts.After = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	press(t, m, "esc", "{")
	shows := func(what string, step, phase int) {
		t.Helper()
		if m.moment.Step != step || m.player.phase != phase {
			t.Errorf("%s: step %d, phase %d, not %d, %d", what, m.moment.Step, m.player.phase, step, phase)
		}
	}
	cheap := func(what string, msg tea.Msg) tea.Cmd {
		t.Helper()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, cmd := m.Update(msg)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > large {
			t.Errorf("%s takes %d bytes", what, n)
		}
		return cmd
	}
	look := cheap(">", keyMsg(">"))
	cheap("> again", keyMsg(">"))
	shows("before step 1 is looked up", 0, 0)
	m.Update(look())
	shows("> >", 1, 2)
	press(t, m, "<")
	look = cheap("<", keyMsg("<"))
	shows("out of the first phase", 1, 0)
	m.Update(look())
	shows("< <", 0, 0)
	look = cheap(">", keyMsg(">"))
	cheap("<", keyMsg("<"))
	m.Update(look())
	shows("> and < before the step is looked up", 0, 0)

	m.Update(keyMsg("p"))
	for i, want := range [][2]int{{1, 0}, {2, 1}} { // a duplicate is seen as a whole, a split from inside
		look = cheap("a picture", news(func(m *Model) tea.Cmd { return m.play(m.player.turn) }))
		shows("before the picture is looked up", i, 0)
		m.Update(look())
		shows("play", want[0], want[1])
	}
	if !m.player.on {
		t.Error("it plays no longer")
	}
	press(t, m, "p", "{")
	look = cheap(">", keyMsg(">"))
	enter(t, m, "last = dup half")
	m.Update(look())
	shows("a line", 4, 0)
}

// Nor for the step before: the present one stands alone until both were looked at, and again when another one shows.
func TestBeforeBeside(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "rack:10 machine:20 pack:2 core:50", Size: large}, 120, 40, "half = split world color=rank%2", "lib = dup half")
	m.opts.After = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	press(t, m, "esc", "1", "a")
	has := func(text string, want bool) {
		t.Helper()
		if screen := plain(m); strings.Contains(screen, text) != want {
			t.Errorf("%q on the screen is not %v:\n%s", text, want, screen)
		}
	}
	has("looking at 20000 ranks ...", true)
	has("before: ", false)
	look := m.makeWanted()
	m.Update(look())
	has("before: lib", true) // a dup of each half: after the first one, the even ranks hold theirs
	press(t, m, "[", "[")    // to the split
	has("before: ", false)
	look = m.makeWanted()
	press(t, m, "]")
	m.Update(look()) // of the split, which shows no longer
	has("before: ", false)
	look = m.makeWanted()
	m.Update(look())
	has("before: half", true)
	press(t, m, "a")
	has("before: ", false)
}

// On the smallest screen of a class Why is whole for each constructor of twelve ranks, and for the NUMA nodes of a Frontier node: its last line is the rule with the
// section of MPI-5.0 where the constructor stands.
func TestWhyIsWhole(t *testing.T) {
	t.Parallel()
	const inter = "half = split world color=rank%2; inter = half.Create_intercomm(0, world, 1 - world.rank % 2)"
	for _, c := range []struct{ lines, section string }{
		{"half = split world color=rank%2 key=-rank", "7.4.2"},
		{"node = split_type world SHARED", "7.4.2"},
		{"rack = split_type world HW_UNGUIDED", "7.4.2"},
		{"few = create world group=[7,2,4]", "7.4.2"},
		{"copy = dup world", "7.4.2"},
		{"grid = cart world [3,4]", "8.5.1"},
		{inter, "7.6.2"},
		{inter + "; all = inter.Merge(world.rank%2 == 0)", "7.6.2"},
		{`numa = split_type world HW_GUIDED resource="hwloc://NUMANode"`, "7.4.2"},
	} {
		cfg := figure73()
		if strings.HasPrefix(c.lines, "numa") {
			cfg = repl.Config{Topo: "frontier-56", Size: 56}
		}
		m := opened(t, cfg, 80, 24, strings.Split(c.lines, "; ")...)
		text := plain(m)
		if strings.Contains(text, "more below") || !strings.Contains(text, "§"+c.section+"]") {
			t.Errorf("after %s why is not whole:\n%s", c.lines, text)
		}
	}
}

// Where a pane is wide, or shows alone, its cells have big letters as far as all have room: the A of rank 0 of A, and of
// Ranks the world rank 11, too. What is too long for big letters leaves the table as it is.
func TestBigWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	const a0, eleven = "█▀█ █▀█", "▄█  ▄█"
	m := opened(t, figure73(), 80, 24, firstSplit)
	press(t, m, "esc", "4", "+")
	wants(t, m, a0)
	press(t, m, "3")
	wants(t, m, a0, eleven)
	press(t, m, "3", "end")
	if m.ranks.at != 11 {
		t.Errorf("the cursor is on row %d", m.ranks.at)
	}
	m.Update(tea.MouseMsg{X: 41, Y: 3, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if got := m.sel.Rank(); got != 6 { // the first of the second column
		t.Errorf("a click selects rank %d", got)
	}
	m = moved(t, 80, 24)
	press(t, m, "esc", "3", "+")
	wants(t, m, "A1 stale")
}

// On a wide screen the pane Why draws a grid with big letters; below these stand coordinates and world ranks.
func TestWhyBigGrid(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 200, 60, "grid = cart world dims=[3,4]")
	wants(t, m, "(0,0) w0      (0,1) w1      (0,2) w2      (0,3) w3", "(2,0) w8      (2,1) w9      (2,2) w10     (2,3) w11")
	if text := plain(m); strings.Contains(text, "(0,0) A0 w0") {
		t.Errorf("letters stand beside the coordinates:\n%s", text)
	}
}
