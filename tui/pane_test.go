package tui

import (
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// A rank that is chosen in one pane is lit in all: on its core, in its communicators with its ranks
// there, in the table.
func TestRankIsLinked(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 120, 40, "half = split world color=rank%2 key=-rank")
	press(t, m, "esc", "3", "down", "down", "down")
	if got := m.sel.Rank(); got != 3 {
		t.Fatalf("rank %d is selected, want 3", got)
	}
	text := plain(m)
	// The odd ranks in reverse order are [11,9,7,5,3,1]: rank 3 is rank 4 of them.
	has(t, text, "[B4]", "◂ rank 3", "B  half#3  6 ranks  ◂ rank 4", "▌  3         1   -3  [B4]",
		"world rank 3 is rank 4 of 6 in half#3")
	if rest := strings.ReplaceAll(text, "[B4]", ""); strings.Contains(rest, "[B") || strings.Contains(rest, "[A") {
		t.Errorf("other ranks are lit, too:\n%s", text)
	}
}

// A page is what a pane shows: the row behind the last one that showed comes first under the cursor, up and down.
func TestPageIsWhatShows(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "core:64", Size: 64}, 120, 40, "half = split world color=rank%2")
	press(t, m, "esc", "3", "home", "enter") // the 32 ranks of one color, each in a row
	for _, height := range []int{40, 60} {
		m.Update(tea.WindowSizeMsg{Width: 120, Height: height})
		press(t, m, "home")
		shown := 0 // below the title and the head
		_, text, _ := strings.Cut(plain(m), " 3 Ranks ")
		for line := range strings.Lines(text) {
			if strings.Contains(line, " 5 Log ") {
				break
			}
			if strings.Contains(line, "[A") {
				shown++
			}
		}
		press(t, m, "pgdown")
		if got := m.ranks.at; shown < 5 || got != shown {
			t.Errorf("of %d lines: %d rows show, and a page down from the first is row %d\n%s", height, shown, got, text)
		}
		press(t, m, "pgup", "ctrl+d", "ctrl+u")
		if got := m.ranks.at; got != 0 {
			t.Errorf("a page up from there is row %d", got)
		}
	}
}

// A communicator lights up its ranks, and makes the variable that holds it the one that shows.
func TestCommunicatorIsLinked(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 120, 40, "half = split world color=rank%2", "third = split world color=rank//4")
	press(t, m, "esc", "2", "home", "down")
	if m.sel.Comm() != 2 || m.moment.Handles[m.handle].Name != "half" {
		t.Errorf("communicator %d of %s, want 2 of half", m.sel.Comm(), m.moment.Handles[m.handle].Name)
	}
	want := map[int]string{0: "[A0]", 1: "B0", 2: "[A1]", 3: "B1", 4: "[A2]", 5: "B2", 8: "[A4]", 9: "B4", 10: "[A5]", 11: "B5"}
	// Ranks 6 and 7 may use two cores, so they are on none of them.
	if d := cmp.Diff(want, cores(m)); d != "" {
		t.Errorf("cores (-want +got):\n%s", d)
	}
}

// A NUMA node lights up those that are restricted to it: ranks 4 to 7 of Figure 7.3 to the second one.
func TestObjectIsLinked(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 120, 40, "half = split world color=rank%2")
	press(t, m, "esc", "1", "/", "n", "u", "m", "a", "enter", "n")
	text := plain(m)
	has(t, text, "NUMANode L#1", "ranks 4-7 are restricted to it", "◂ 4 selected", "◂ 2 selected")
	got := cores(m)
	for core, want := range map[int]string{3: "B1", 4: "[A2]", 5: "[B2]", 8: "A4"} {
		if got[core] != want {
			t.Errorf("core %d shows %q, want %q", core, got[core], want)
		}
	}
	// Ranks 6 and 7 may use cores 6 and 7, so they stand on the package around both.
	if pkg := m.cellsOn(m.moment.Ground.Topology.Objects(hw.Package)[3]); pkg != "[A3] [B3]" {
		t.Errorf("package 3 shows %q", pkg)
	}
}

// Keys that come so fast that they are read as one are several nevertheless.
func TestFastKeys(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 80, 24)
	press(t, m, "esc", "3jjj")
	if m.focus != rankPane || m.sel.Rank() != 3 {
		t.Errorf("pane %d, rank %d: want the ranks and 3", m.focus, m.sel.Rank())
	}
}

// The mouse does what keys do: a click chooses a core, a line, a pane; the wheel moves.
func TestMouse(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 80, 24, "half = split world color=rank%2")
	click := func(text string, off int) {
		t.Helper()
		for y, l := range strings.Split(plain(m), "\n") {
			if i := strings.Index(l, text); i >= 0 {
				x := len([]rune(l[:i])) + off
				m.Update(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
				return
			}
		}
		t.Fatalf("%q does not show:\n%s", text, plain(m))
	}
	click("B1", 1)
	if m.focus != hwPane || m.sel.Rank() != 3 {
		t.Errorf("pane %d, rank %d: want the hardware and rank 3", m.focus, m.sel.Rank())
	}
	click("half#3", 2)
	if m.focus != commPane || m.sel.Comm() != 3 {
		t.Errorf("pane %d, communicator %d: want the communicators and 3", m.focus, m.sel.Comm())
	}
	click("5 Log", 2)
	if m.focus != logPane || !strings.Contains(plain(m), "each call MPI_Comm_split") {
		t.Errorf("pane %d, want the log", m.focus)
	}
	m.Update(tea.MouseMsg{X: 2, Y: 4, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	if m.focus != hwPane || m.hw.at == 0 {
		t.Errorf("the wheel over the hardware: pane %d, line %d", m.focus, m.hw.at)
	}
	m.Update(tea.MouseMsg{X: 1, Y: m.layout.prompt, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if !m.typing {
		t.Error("a click on the prompt does not type")
	}
}

// In a world too large to show every rank, / finds one, wherever it is folded away.
func TestFindFolded(t *testing.T) {
	t.Parallel()
	cfg := small
	cfg.Topo, cfg.Size = "rack:4 machine:50 pack:2 core:10", 4000
	m := opened(t, cfg, 120, 40, "half = split world color=rank%2")
	press(t, m, "esc", "1", "/", "3", "7", "1", "7", "enter")
	text := plain(m)
	has(t, text, "node185", "[B]", "world rank 3717 is rank 1858 of 2000 in half#3")
}

// Each pane can be searched, n goes on and N back, round the ends: in the log the line comes into view and the words
// are lit; in the table of ranks the name of a variable makes it the present one.
func TestFindInEachPane(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 120, 40, "half = split world color=rank%2", "lib = dup half", "for i in range(300): print('row', i, 'alpha' if i in (20, 200) else '')")
	find := func(pane, text string) {
		press(t, m, pane, "/")
		for _, r := range text {
			press(t, m, string(r))
		}
		press(t, m, "enter")
	}
	press(t, m, "esc")
	find("5", "aLpha")
	for _, c := range []struct{ key, row string }{{"", "if i in (20, 200)"}, {"n", "row 20 alpha"}, {"n", "row 200 alpha"}, {"n", "if i in (20, 200)"}, {"N", "row 200 alpha"}} {
		if c.key != "" {
			press(t, m, c.key)
		}
		if text := plain(m); !strings.Contains(text, c.row) || !strings.Contains(m.notice, "line ") {
			t.Errorf("after %q the log does not show %q (%s):\n%s", c.key, c.row, m.notice, text)
		}
		has(t, m.View(), "7malpha")
	}
	find("5", "21") // no rank: text
	if !m.sel.Empty() || !strings.HasPrefix(m.notice, "line ") {
		t.Errorf("21 in the log: notice %q", m.notice)
	}
	find("5", "nowhere")
	if m.notice != "nothing here contains nowhere" {
		t.Errorf("notice %q", m.notice)
	}
	find("3", "hal")
	if got := m.moment.Handles[m.handle].Name; got != "half" {
		t.Errorf("the variable is %s, want half", got)
	}
	press(t, m, "2", "/", "w", "o", "r", "l", "d", "enter")
	find("4", "RANK")
	has(t, m.notice, " of ")
	press(t, m, "esc")
	if m.find.text != "" {
		t.Error("Esc does not end the search")
	}
}

// More lines than the log shows are marked, and which of them show.
func TestLogTellsItsPlace(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40)
	if text := plain(m); strings.Contains(text, "5 Log ─ 1-") || !strings.Contains(m.log.hidden(0), "/") {
		t.Errorf("the greeting has more lines than a quiet log:\n%s", text)
	}
	enter(t, m, "for i in range(50): print('row', i)")
	n := len(m.log.entries)
	m.View()
	r, _ := m.layout.of(logPane)
	// Each line is short: it takes one row.
	want := strconv.Itoa(n-r.h+2) + "-" + strconv.Itoa(n) + "/" + strconv.Itoa(n)
	if got := m.log.hidden(0); got != want || !strings.Contains(plain(m), " "+want+" ─") {
		t.Errorf("the log tells %q, want %q:\n%s", got, want, plain(m))
	}
}

// A comment that takes several lines has one style in all of them.
func TestCommentsKeepTheirStyle(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24, `note "a long comment that goes on and on over the end of the line and then over the end of the next one until it ends"`)
	rows := 0
	for _, e := range m.log.entries {
		if e.kind == noted && e.text != "" {
			rows++
		}
	}
	if rows < 2 {
		t.Errorf("%d lines of the comment are in its style: %q", rows, m.log.entries)
	}
}

// Of a machine with several kinds of cores, a core tells its kind. By the preset's description, core 0
// is a P-core, which is the faster of two kinds.
func TestKindsOfCores(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "laptop-hybrid", Size: 4}, 120, 40)
	for core, want := range map[string]string{"Core L#0": "its cores are of kind 1 (IntelCore", "Core L#13": "its cores are of kind 0 (IntelAtom"} {
		for o := range m.moment.Ground.Topology.Root.All() {
			if o.Type == hw.Core && "Core L#"+strconv.Itoa(o.LogicalIndex) == core {
				m.choose(moment.Selection{Object: o})
			}
		}
		if text := plain(m); !strings.Contains(text, want) {
			t.Errorf("%s does not tell %q:\n%s", core, want, text)
		}
	}
}

// Where rows go away while no pane has room, the cursor is on one that is there when a key comes.
func TestCursorStaysOnRows(t *testing.T) {
	t.Parallel()
	for _, pane := range []string{"1", "2", "3"} {
		m := opened(t, small, 80, 24)
		press(t, m, "half = split world color=rank", "enter", "esc", pane, "end")
		m.Update(tea.WindowSizeMsg{Width: 3, Height: 3})
		press(t, m, ":", ".world 1", "enter", "esc", "enter", "left", "right", "enter")
		if plain(m) == "" {
			t.Error("there is no frame")
		}
	}
}

// A line that duplicates world twelve times and frees nothing is a leak: twelve made and left on each rank. The split
// below it made two communicators of two ranks each, which the cursor on its row selects; at step 0 there is none.
func TestSitesPane(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "kept = [world.Dup() for i in range(12)]", "half = split world color=rank%2")
	press(t, m, "esc", "6")
	text := strings.Join(strings.Fields(plain(m)), " ")
	has(t, text, "! 1 leak", "place call calls made left peak", "! <input>:1 Comm_dup 12 12 12 12",
		"<input>:2 Comm_split 1 2 1 1")
	press(t, m, "down")
	if d := cmp.Diff([]int{14, 15}, m.sel.Comms); d != "" {
		t.Errorf("the split is selected: (-want +got)\n%s", d)
	}
	press(t, m, "home")
	if len(m.sel.Comms) != 12 {
		t.Errorf("the leak made 12 communicators, selected are %v", m.sel.Comms)
	}
	for range 13 {
		press(t, m, "[")
	}
	wants(t, m, "no call has made a communicator yet")
}

// notesPane is a pane that the program does not have.
type notesPane struct{ plainPane }

func (notesPane) lines(_ *Model, width, _ int) []paint.Line {
	return paragraph(nil, "a note of mine", width, 0, paint.Plain)
}
func (notesPane) hidden(int) string       { return "" }
func (notesPane) bookmark() (back func()) { return func() {} }

// A pane is a value of one type and a row of the table: on each screen it has a place, on all of which panes
// stand side by side, and it can be shown. It runs alone: the table is that of all models.
func TestPaneIsARow(t *testing.T) {
	was := paneTable
	t.Cleanup(func() { paneTable = was })
	for _, a := range []area{leftArea, rightArea, underLeft, underRight} {
		paneTable = append(was[:len(was):len(was)], was[0])
		added := paneID(len(was))
		row := &paneTable[added]
		row.name, row.area, row.of = "Notes", a, func(*Model) pane { return notesPane{} }
		m := opened(t, figure73(), 80, 24, "half = split world color=rank%2")
		for _, size := range [][2]int{{70, 15}, {80, 24}, {120, 30}, {80, 60}, {170, 24}, {200, 60}} {
			m.width, m.height = size[0], size[1]
			m.focusOn(added)
			if text := plain(m); !strings.Contains(text, "8 Notes") && size[0] > 70 || !strings.Contains(text, "a note of mine") {
				t.Errorf("area %d of %v does not have the pane:\n%s", a, size, text)
			}
			covered, seen := 0, map[paneID]int{}
			for _, r := range m.layout.rects {
				covered += r.w * r.h
				for _, p := range r.panes {
					seen[p]++
				}
			}
			if want := size[0] * (m.layout.prompt - 1); covered != want {
				t.Errorf("area %d of %v: panes cover %d of %d cells", a, size, covered, want)
			}
			for p := range paneTable {
				if seen[paneID(p)] != 1 {
					t.Errorf("area %d of %v: pane %d has %d places", a, size, p+1, seen[paneID(p)])
				}
			}
		}
	}
}

// cores is what the cells of each core show, by its logical index; lit ones in brackets.
func cores(m *Model) map[int]string {
	got := map[int]string{}
	for _, c := range m.moment.Ground.Topology.Objects(hw.Core) {
		if text := m.cellsOn(c); text != "" {
			got[c.LogicalIndex] = text
		}
	}
	return got
}

// cellsOn is what the cells on an object show.
func (m *Model) cellsOn(o *hw.Object) string {
	s := m.hw.here(m)
	pic := s.plan.Scene(0, s.plan.Height, m.look(&s))
	lines := pic.Draw()
	var list []string
	for _, p := range pic.Of() {
		if p.Of.Object != o || p.Of.Rank() < 0 {
			continue
		}
		text := ""
		for y := p.Y; y < p.Y+p.H && text == ""; y++ {
			line := []rune(lines[y].Plain())
			text = strings.TrimSpace(string(line[p.X:min(p.X+p.W, len(line))]))
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// What a line just made is marked, and in sight however much there was before; what earlier lines made is not marked.
func TestNewIsInSight(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "core:24", Size: 24}, 80, 24, "a = split world color=rank//3", "b = split a color=rank", "c = split world color=rank%2")
	text := plain(m)
	// a has 8 communicators, #2 to #9; each of these has 3 of b, #10 to #33; c has #34 and #35.
	var marked []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \n"); strings.HasSuffix(line, " new") {
			_, lane, _ := strings.Cut(line, "c#")
			marked = append(marked, "c#"+lane[:2])
		}
	}
	if got := strings.Join(marked, " "); got != "c#34 c#35" {
		t.Errorf("new are %q:\n%s", got, text)
	}
}

// In the past a rank whose call comes later has not called yet, which is not MPI_COMM_NULL: the two calls of one line
// on half#2 and half#3 are steps 2 and 3.
func TestNotCalledIsNotNull(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 120, 40, "half = split world color=rank%2 key=-rank", `numa = split_type half HW_GUIDED resource="hwloc://NUMANode"`)
	press(t, m, "esc", "[")
	text, _, _ := strings.Cut(plain(m), " 4 Why ") // whose rule names MPI_COMM_NULL
	if strings.Contains(text, "MPI_COMM_NULL") || strings.Contains(text, "○") {
		t.Errorf("no rank got MPI_COMM_NULL:\n%s", text)
	}
	_, lane, ok := strings.Cut(text, "not called yet")
	if lane = strings.Join(strings.Fields(lane), " "); !ok || !strings.Contains(lane, " 1 3 5 7 9 11 ") {
		t.Errorf("who has not called is not told:\n%s", text)
	}
}

// The right arrow goes from member to member of a lane: the first of half#2, with the keys -10 to 0, is world rank 10.
func TestMembersAreChosen(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 120, 40, "half = split world color=rank%2 key=-rank")
	plain(m) // how many cells there are depends on the room
	press(t, m, "esc", "2", "home", "down", "right")
	if got := m.sel.Rank(); got != 10 {
		t.Errorf("the first member is %d, want 10", got)
	}
	press(t, m, "right")
	if got := m.sel.Rank(); got != 8 {
		t.Errorf("the second member is %d, want 8", got)
	}
	press(t, m, "left", "left")
	if got := m.sel.Comm(); got != 2 {
		t.Errorf("back on the lane, communicator %d is selected, want 2", got)
	}
	press(t, m, "d")
	wants(t, m, "ctx 1")
}

// Before | after: world on the left, half on the right. By hand: with key=-rank all ranks of both parts change places,
// but for the one in the middle of three; another step, another pair; the key again shows the present alone.
func TestBeforeAndAfter(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "core:6", Size: 6}, 120, 40, "half = split world color=rank%2 key=-rank")
	press(t, m, "esc", "1", "|")
	text := plain(m)
	has(t, text, "before: world", "after: half", "»A2", "»B2", "»A0")
	if strings.Contains(text, "»A1") || strings.Contains(text, "»0") {
		t.Errorf("ranks that did not move are marked:\n%s", text)
	}
	press(t, m, "[")
	if text := plain(m); strings.Contains(text, "after: half") {
		t.Errorf("the beginning has no step before:\n%s", text)
	}
	press(t, m, "]", "|")
	if text := plain(m); strings.Contains(text, "before: world") {
		t.Errorf("both still show:\n%s", text)
	}
}

// Borders between panes follow the mouse, as far as no pane gets too small; panes still fill the screen.
func TestDragBorders(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		m := opened(t, small, size[0], size[1], "half = split world color=rank%2")
		drag := func(x, y, toX, toY int) {
			m.Update(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			m.Update(tea.MouseMsg{X: toX, Y: toY, Button: tea.MouseButtonLeft, Action: tea.MouseActionMotion})
			m.Update(tea.MouseMsg{X: toX, Y: toY, Action: tea.MouseActionRelease})
		}
		whole := func(what string) {
			t.Helper()
			area := 0
			for _, r := range m.layout.rects {
				area += r.w * r.h
				if r.w < leastColumns || r.h < leastLines {
					t.Errorf("%v: after %s pane %d has %dx%d", size, what, r.pane, r.w, r.h)
				}
			}
			if want := size[0] * (m.layout.prompt - top); area != want {
				t.Errorf("%v: after %s panes take %d cells of %d", size, what, area, want)
			}
		}
		at := m.layout.middle()
		if drag(at, 3, at-7, 5); m.layout.middle() != at-7 {
			t.Errorf("%v: the border is at %d, want %d", size, m.layout.middle(), at-7)
		}
		whole("a step to the left")
		r, _ := m.layout.of(whyPane)
		drag(r.x+r.w-2, r.y, r.x+r.w-2, r.y-2)
		if now, _ := m.layout.of(whyPane); now.y != r.y-2 {
			t.Errorf("%v: the rule is at %d, want %d", size, now.y, r.y-2)
		}
		whole("a step up")
		drag(m.layout.middle(), 3, 0, 3)
		whole("a drag beyond the edge")
		r, _ = m.layout.of(whyPane)
		drag(r.x+r.w-2, r.y, r.x+r.w-2, 0)
		whole("a drag beyond the top")
		plain(m)
	}
}
