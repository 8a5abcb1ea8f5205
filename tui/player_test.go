package tui

import (
	"strconv"
	"strings"
	"testing"

	"commsplit/hw/placement"
	"commsplit/repl"
)

// Time goes back and forth: before a step its communicators are not there; the present is as it was.
func TestTime(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "half = split world color=rank%2", "single = split half color=rank")
	now := plain(m)
	press(t, m, "esc", "{")
	if text := plain(m); strings.Contains(text, "half#2") || !strings.Contains(text, "past: step 0/3") {
		t.Errorf("the beginning:\n%s", text)
	}
	press(t, m, "]")
	if text := plain(m); !strings.Contains(text, "half#3") || strings.Contains(text, "single#") || !strings.Contains(text, "[0,2]") {
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

// While the phases of a step show, its communicators take letters of their own: numa is A, B, C on the
// even ranks of Figure 7.3, whose cells stay, and the odd ranks get D, E, F (§7.4.2: each of the three
// NUMA nodes has its own).
func TestPhaseLetters(t *testing.T) {
	t.Parallel()
	cfg := repl.Config{Topo: "figure-7.3", Size: 12, Policy: placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"}}
	m := opened(t, cfg, 200, 60, "half = split world color=rank%2",
		`numa = split_type half HW_GUIDED resource="hwloc://NUMANode"`)
	press(t, m, "esc", "[", ">", ">", ">", ">", ">")
	text := plain(m)
	for _, want := range []string{"A0", "B0", "C0", "D0", "E0", "F1", "inside of step 3", "In the cells, D is numa#7, E is numa#8, F is numa#9."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if m.moment.Step != 2 || m.moment.Handles[m.handle].Name != "numa" {
		t.Errorf("step %d of %s", m.moment.Step, m.moment.Handles[m.handle].Name)
	}
}

// A split as it happens. Colors 0 1 0 1 with keys 0 -1 -2 -3: buckets A (ranks 0, 2) and B (1, 3),
// sorted by key: rank 2 before 0, 3 before 1.
func TestPhases(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "half = split world color=rank%2 key=-rank")
	press(t, m, "esc")
	for _, c := range []struct{ stage, first, second string }{
		{"contributions", "│ 0 │ 1 │", "│ 0 │ 1 │"},
		{"buckets", "│ A │ B │", "│ A │ B │"},
		{"sort", "│ A1 │ B1 │", "│ A0 │ B0 │"},
		{"context id", "│ A1 │ B1 │", "│ A0 │ B0 │"},
		{"replies", "│ A1 │ B1 │", "│ A0 │ B0 │"},
	} {
		press(t, m, ">")
		text := plain(m)
		if !strings.Contains(text, c.stage) || !strings.Contains(text, "inside of step 1") ||
			!strings.Contains(text, "Package L#0 "+c.first) || !strings.Contains(text, "Package L#1 "+c.second) {
			t.Errorf("%s:\n%s", c.stage, text)
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
	m.Update(playMsg{m.player.turn - 1})
	if m.player.phase != 0 {
		t.Error("a tick of before goes on")
	}
	var seen []string
	for range 20 {
		m.Update(playMsg{m.player.turn})
		seen = append(seen, strconv.Itoa(m.moment.Step)+"."+strconv.Itoa(m.player.phase))
		if !m.player.on {
			break
		}
	}
	// The split has five phases; the two dups, one of each communicator, are seen as a whole.
	if got, want := strings.Join(seen, " "), "0.1 0.2 0.3 0.4 0.5 1.0 2.0 3.0 3.0"; got != want {
		t.Errorf("pictures %s, want %s", got, want)
	}
	press(t, m, "f", "f", "f", "f", "f", "f")
	if m.player.speed != len(delays)-1 {
		t.Errorf("speed %d", m.player.speed)
	}
}

// Without motion an example waits at the present; its narration is there to step through.
func TestExampleStill(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	example(t, m, "first-split", small)
	if m.player.on || m.moment.Past() {
		t.Error("it plays by itself")
	}
	press(t, m, "{")
	if text := plain(m); !strings.Contains(text, "· color says who ends up together, key says in which order") {
		t.Errorf("no narration:\n%s", text)
	}
}
