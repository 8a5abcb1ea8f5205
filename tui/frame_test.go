package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/scripts"
)

// sizes are the sizes of the recorded screens.
var sizes = []struct {
	name string
	w, h int
}{{"80x24", 80, 24}, {"120x40", 120, 40}, {"200x60", 200, 60}}

// scenes are the recorded screens.
var scenes = []struct {
	name  string
	world repl.Config
	play  func(t *testing.T, m *Model)
}{
	{"start", figure73(), func(*testing.T, *Model) {}},
	{"split", figure73(), func(t *testing.T, m *Model) {
		enter(t, m, "half = split world color=rank%2 key=-rank")
	}},
	{"rank", figure73(), func(t *testing.T, m *Model) {
		enter(t, m, "half = split world color=rank%2 key=-rank")
		press(t, m, "esc", "3", "down", "down", "down")
	}},
	{"object", figure73(), func(t *testing.T, m *Model) {
		enter(t, m, `numa = split_type world HW_GUIDED resource="hwloc://Core"`)
		press(t, m, "esc", "1", "/", "c", "o", "r", "e", "enter", "right")
	}},
	{"example-7.5", figure73(), func(t *testing.T, m *Model) {
		example(t, m, "example-7.5", figure73())
		press(t, m, "m", "/", "#", "4", "enter")
	}},
	{"intercommunicator", figure73(), func(t *testing.T, m *Model) {
		example(t, m, "example-7.2", repl.Config{Topo: "pack:2 core:4", Size: 8})
		press(t, m, "3", "/", "6", "enter", "2", "/", "m", "u", "l", "t", "i", "enter", "x")
	}},
	{"deadlock", repl.Config{Topo: "pack:2 core:4", Size: 8}, func(t *testing.T, m *Model) {
		enter(t, m, "@0-3 barrier world")
		enter(t, m, "@4-7 half = split world color=0")
	}},
	{"past", figure73(), func(t *testing.T, m *Model) {
		example(t, m, "first-split", repl.Config{Topo: "pack:2 core:4 pu:1", Size: 8})
		toQuestion(t, m)
		press(t, m, "esc", "{")
	}},
	{"phase", repl.Config{Topo: "pack:2 core:4", Size: 8}, func(t *testing.T, m *Model) {
		enter(t, m, "half = split world color=rank%3 key=-rank")
		press(t, m, "esc", ">", ">", ">")
	}},
	{"mistake", figure73(), func(t *testing.T, m *Model) {
		press(t, m, "x = split wrld color=rank%2 ")
	}},
	{"hint", figure73(), func(t *testing.T, m *Model) {
		press(t, m, `x = split_type world HW_GUIDED resource="hwloc://P`)
	}},
	{"stale", repl.Config{Topo: "numa:2 core:2 pu:1", Size: 4}, func(t *testing.T, m *Model) {
		enter(t, m, `nodes = split_type world HW_GUIDED resource="hwloc://NUMANode"`)
		enter(t, m, "bind 1 3")
		press(t, m, "esc", "3", "down")
	}},
	{"what-if", figure73(), func(t *testing.T, m *Model) {
		enter(t, m, "half = split world color=rank%2")
		press(t, m, "esc", "c")
	}},
	{"resources", figure73(), func(t *testing.T, m *Model) { press(t, m, "esc", "r") }},
	{"large", repl.Config{Topo: "pack:2 numa:4 l3:4 core:8 pu:2", Size: 4096}, func(t *testing.T, m *Model) {
		enter(t, m, "few = split world color=rank%3 key=-rank")
		press(t, m, "esc", "1", "down", "down", "down", "down")
	}},
}

// example runs an example in a world.
func example(t *testing.T, m *Model, name string, cfg repl.Config) {
	t.Helper()
	m.opts.Flags = func([]string) (repl.Config, error) { return cfg, nil }
	for _, e := range scripts.All() {
		if e.Name == name {
			settle(t, m, m.openExample(e))
			return
		}
	}
	t.Fatalf("no example %s", name)
}

// The screens are as recorded. Each frame has exactly the lines and columns of the screen.
func TestScreens(t *testing.T) {
	t.Parallel()
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			var all strings.Builder
			for _, size := range sizes {
				m := opened(t, s.world, size.w, size.h)
				s.play(t, m)
				checkFrame(t, m)
				if size.w == 200 && s.name != "split" && s.name != "large" {
					continue // the same layouts, which goldens of scenes hold
				}
				all.WriteString(size.name + "\n" + plain(m) + "\n\n")
			}
			golden(t, s.name, all.String())
		})
	}
}

// checkFrame compares a frame with the size of the screen.
func checkFrame(t testing.TB, m *Model) {
	t.Helper()
	lines := strings.Split(m.View(), "\n")
	if len(lines) != m.height {
		t.Errorf("%dx%d: the frame has %d lines", m.width, m.height, len(lines))
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w != m.width {
			t.Errorf("%dx%d: line %d has %d columns: %q", m.width, m.height, i, w, ansi.Strip(l))
		}
	}
}

// golden compares a text with a file of testdata; UPDATE=1 writes the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-%s +screen):\n%s", name, file, d)
	}
}

// The frame fits at any size, with any pane focused.
func TestFramesFit(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 80, 24, "half = split world color=rank%2 key=-rank", "quarter = split half color=rank%2")
	for _, size := range [][2]int{{1, 1}, {10, 3}, {20, 7}, {39, 8}, {59, 15}, {60, 16}, {80, 24}, {119, 39}, {120, 30}, {169, 50}, {170, 24}, {300, 100}} {
		m.width, m.height = size[0], size[1]
		m.arrange()
		for p := range paneTable {
			for _, keys := range [][]string{{"esc"}, {"down", "right"}, {"m"}, {"+"}, {"?"}, {"esc"}, {":"}, {"esc", "m", "+"}} {
				m.focusOn(paneID(p))
				press(t, m, keys...)
				checkFrame(t, m)
			}
		}
	}
}

// plain returns the screen without colors.
func plain(m *Model) string {
	lines := strings.Split(ansi.Strip(m.View()), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// figure73 returns the world of Figure 7.3.
func figure73() repl.Config {
	return repl.Config{Topo: "figure-7.3", Size: 12, Policy: placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"}}
}

// Borders depend on the size of the screen, and on whether the log has more to tell than a line and its answer: neither
// phases of a step nor the focus on hardware, communicators and ranks move them. The log never has more than a third of
// the height.
func TestBordersStay(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 16}, {80, 24}, {100, 50}, {110, 26}, {120, 30}, {120, 40}, {170, 50}, {200, 60}, {300, 100}} {
		m := opened(t, figure73(), size[0], size[1])
		was := places(m)
		check := func(after string) {
			t.Helper()
			if now := places(m); !slices.Equal(was, now) {
				t.Errorf("%v: after %s the places are %v, before %v", size, after, now, was)
			}
		}
		enter(t, m, "half = split world color=rank%2 key=-rank")
		check("a split")
		enter(t, m, "print('a long line of text '*20)")
		was = places(m)
		enter(t, m, ".help split")
		check("help")
		press(t, m, "esc", ">", ">")
		check("phases")
		press(t, m, "esc", "1", "2", "3")
		check("panes")
		m.focusOn(logPane)
		check("the log")
		m.focusOn(commPane)
		enter(t, m, "x = 1")
		enter(t, m, "again = split world color=rank%2")
		was = places(m)
		enter(t, m, "b = split world color=rank%3")
		check("another split")
		m.focusOn(logPane)
		if r, _ := m.layout.of(logPane); r.h > max((m.layout.prompt-1)/3, wholeWhy) {
			t.Errorf("%v: the log has %d of %d lines", size, r.h, m.layout.prompt-1)
		}
	}
}

// places lists the rectangles of panes, regardless of which pane shows there.
func places(m *Model) [][4]int {
	var list [][4]int
	for _, r := range m.layout.rects {
		list = append(list, [4]int{r.x, r.y, r.w, r.h})
	}
	return list
}

// Where a rule ends at the border of a column, it joins the border; each column has its own rules.
func TestColumnsHaveTheirBorders(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 120, 40)
	rows := strings.Split(plain(m), "\n")
	why, _ := m.layout.of(whyPane)
	ranks, _ := m.layout.of(rankPane)
	for y, want := range map[int]string{1: "┬", 2: "│", why.y: "┤", ranks.y: "├"} {
		if got := string([]rune(rows[y])[ranks.x]); got != want {
			t.Errorf("on line %d the border is %q, want %q:\n%s", y, got, want, strings.Join(rows, "\n"))
		}
	}
}

// On a small screen, the name of the pane that shows is complete, and so is the frame of what is in front.
func TestSmallScreen(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 30, 8, firstSplit)
	press(t, m, "esc")
	for _, p := range paneTable {
		press(t, m, "tab")
		if text := plain(m); !strings.Contains(text, "["+strconv.Itoa(int(m.focus)+1)+" "+paneTable[m.focus].name+"]") {
			t.Errorf("%s is not named:\n%s", p.name, text)
		}
	}
	press(t, m, "c")
	if text := plain(m); !strings.Contains(text, "╭─ what if: split world co… ─╮\n") || !strings.Contains(text, "╰────────────────────────────╯\n") {
		t.Errorf("the frame is cut:\n%s", text)
	}
}
