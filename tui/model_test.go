package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// small is a world of four ranks.
var small = repl.Config{Topo: "pack:2 core:2", Size: 4}

// While a line runs the screen tells which, for how long, and how many ranks wait. Ctrl-C stops a line that does not
// end: the screen says so at once, before the line has wound down, and what is typed meanwhile runs behind it. The session
// lives, and the log says what happened.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24, "half = split world color=rank%2")
	var later time.Duration
	start := time.Now()
	m.opts.Now = func() time.Time { return start.Add(later) }
	press(t, m, "while world.rank == 1: pass")
	_, cmd := m.Update(keyMsg("enter"))
	if text := plain(m); strings.Contains(text, "running") {
		t.Errorf("a line that just began is announced:\n%s", text)
	}
	done := make(chan tea.Msg, 1)
	go func() {
		batch := cmd().(tea.BatchMsg)
		done <- batch[0]()
	}()
	later = 3200 * time.Millisecond
	// Rank 1 computes; the three others have come to the end.
	for end := time.Now().Add(patience); !strings.Contains(plain(m), "running while world.rank == 1: pass  ⠹ 3.2 s  3 of 4 ranks wait  Ctrl-C stops"); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("what runs is not told:\n%s", plain(m))
		}
	}
	press(t, m, "ctrl+c")
	wants(t, m, "stopping while")
	later += 400 * time.Millisecond
	text := plain(m)
	has(t, text, "stopping", "0.4 s", "your next line runs after it", "\nworld[4]>")
	press(t, m, "lib = dup half", "enter")
	wants(t, m, "1 line to run next: lib = dup half")
	_, cmd = m.Update(<-done)
	settle(t, m, cmd)
	if text := plain(m); !slices.Contains(m.log.entries, entry{"interrupted", wrong}) || !strings.Contains(text, "world[4]>") || !strings.Contains(text, "lib#4") {
		t.Errorf("after the interrupt: %+q\n%s", m.log.entries, text)
	}
}

// What ranks print shows while later lines still run.
func TestPrintedMeanwhile(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	press(t, m, "esc", "5")
	plain(m)
	work := m.run(`print("alpha")`, "while True: pass")().(tea.BatchMsg)[0]
	ran := make(chan tea.Msg, 1)
	go func() { ran <- work() }()
	for end := time.Now().Add(patience); !strings.Contains(plain(m), "[0-3] alpha"); time.Sleep(time.Millisecond) {
		if m.stillRunning(); time.Now().After(end) {
			t.Fatalf("what was printed does not show:\n%s", plain(m))
		}
	}
	press(t, m, "ctrl+c")
	m.Update(<-ran)
}

// Of a flood the log gets the last part, behind a line that says how much was left out.
func TestFloodInLog(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	m.console.Session.Ticks = make(chan time.Time) // never
	enter(t, m, "for i in range(30000): print(i)\n")
	if text := logText(m); !strings.Contains(text, " … 28000 lines left out [0-3] 28000 [0-3] 28001 ") || !strings.HasSuffix(text, "[0-3] 29999") {
		t.Errorf("the log has %d bytes: %.200s", len(text), text)
	}
}

// A world that takes long to make tells so, and Ctrl-C leaves, as interrupted.
func TestStopOpening(t *testing.T) {
	t.Parallel()
	m := New(Options{Config: small, Still: true})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	var later time.Duration
	start := time.Now()
	m.opts.Now = func() time.Time { return start.Add(later) }
	m.Init()
	later = 6 * time.Second
	wants(t, m, "making the world  ⠋ 6.0 s  Ctrl-C leaves")
	_, cmd := m.Update(keyMsg("ctrl+c"))
	if cmd == nil || !errors.Is(m.Err(), context.Canceled) {
		t.Fatalf("Ctrl-C does not leave: %v", m.Err())
	}
}

// The first line that goes wrong brings the log to the front, with the mistake.
func TestMistakeShows(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	press(t, m, "half = split wrld color=0", "enter")
	wants(t, m, "wrld is not defined; did you mean world?")
	press(t, m, "split world color=-1", "enter")
	if text := plain(m); !strings.Contains(text, "MPI_ERR_ARG") || len(m.console.Session.Chunks()) != 0 {
		t.Errorf("an erroneous call is reported and undone:\n%s", text)
	}
}

// What keys do is a line of the session, and .save writes the session.
func TestEveryActionIsALine(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "half = split world color=rank%2")
	press(t, m, "esc", "r", "p", "a", "c", "k", "enter") // split half by hwloc://Package
	press(t, m, "z", "Z")
	text := ""
	for _, e := range m.log.entries {
		text += e.text + "\n"
	}
	has(t, text, "world[4]> split_type half HW_GUIDED resource=\"hwloc://Package\"",
		"each call MPI_Comm_split_type(half, type=HW_GUIDED", "world[4]> .undo", "world[4]> .redo")
	want := "# commsplit: -n 4 --topo \"pack:2 core:2\"\nhalf = split world color=rank%2\nsplit_type half HW_GUIDED resource=\"hwloc://Package\"\n"
	if got := stories.Text(m.console.Session); got != want {
		t.Errorf("the script is\n%s\nwant\n%s", got, want)
	}
}

// Several lines that are pasted run one after the other, each with its answer below it in the log; the last one, without
// its end, stays to be edited. Of two verbs on a line, the message says what to do.
func TestPaste(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	_, cmd := m.Update(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune("for i in range(2):\n    a = world.Dup()\n\nb = dup a\nc = dup")})
	settle(t, m, cmd)
	if m.moment.Handle("a") < 0 || m.moment.Handle("b") < 0 || m.moment.Handle("c") >= 0 {
		t.Errorf("the variables are %v", m.moment.Handles)
	}
	if got := m.prompt.Text(); got != "c = dup" {
		t.Errorf("the line is %q", got)
	}
	_, cmd = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune(" b; free b\nd = dup b\n")})
	settle(t, m, cmd)
	for _, line := range []string{"b = dup a", "c = dup b; free b", "d = dup b"} {
		i := slices.IndexFunc(m.log.entries, func(e entry) bool { return strings.HasSuffix(e.text, "> "+line) })
		want := line[:1] + " = ranks"
		if strings.Contains(line, ";") {
			want = "error: <input>:5:10: write what follows ; on a line of its own"
		}
		if i < 0 || !strings.HasPrefix(m.log.entries[i+1].text, want) {
			t.Errorf("below %q is not %q:\n%v", line, want, m.log.entries)
		}
	}
}

// A pasted text is entered line by line, whichever system's line ends it has: an empty one ends a block; what
// follows the last one waits.
func TestPasteOfOtherSystems(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r\n", "\r"} {
		m := opened(t, small, 80, 24)
		text := strings.ReplaceAll("half = split world color=rank%2\n\nfor i in range(2):\n    lib = half.Dup()\n    n = lib.size\n\ndup ", "\n", end)
		_, cmd := m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
		settle(t, m, cmd)
		if got := m.prompt.Text(); got != "dup " || !m.typing || m.over != nil {
			t.Errorf("with %q the line is %q", end, got)
		}
		const want = "half = split world color=rank%2\nfor i in range(2):\n    lib = half.Dup()\n    n = lib.size\n"
		if _, got, _ := strings.Cut(stories.Text(m.console.Session), "\n"); got != want {
			t.Errorf("with %q the script is\n%s\nwant\n%s", end, got, want)
		}
	}
}

// Ranks that wait for each other in a ring are drawn as one: each receives from the next.
func TestCircle(t *testing.T) {
	t.Parallel()
	m := opened(t, repl.Config{Topo: "core:3", Size: 3}, 120, 40, "world.recv(source=(world.rank+1)%3)")
	wants(t, m, "rank 0 ─▶ rank 1 ─▶ rank 2 ─▶ rank 0")
}

// Blocked ranks are shown as blocked with who is missing, and a later line lets them go on.
func TestBlocked(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "@0,2-3 half = split world color=0")
	text := plain(m)
	has(t, text, "BLOCKED", "blocked:0,2-3>", "0!", "ranks 0,2-3 wait in MPI_Comm_split on world", "└▶ for rank 1",
		"DEADLOCK on world")
	enter(t, m, "@1 half = split world color=0")
	if text := plain(m); strings.Contains(text, "BLOCKED") || !strings.Contains(text, "half#2") {
		t.Errorf("still blocked:\n%s", text)
	}
}

// wants holds that texts are on the screen.
func wants(t *testing.T, m *Model, texts ...string) {
	t.Helper()
	has(t, plain(m), texts...)
}

// has holds that a text has others in it.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q:\n%s", part, text)
		}
	}
}
