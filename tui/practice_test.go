package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/repl"
)

// practicing is a model that has opened the first exercise from the list: evens and odds of six ranks.
func practicing(t *testing.T, w, h int) *Model {
	t.Helper()
	m := opened(t, repl.Config{Topo: "core:4", Size: 4}, w, h)
	m.opts.Practice = filepath.Join(t.TempDir(), "commsplit", "practice")
	m.opts.Flags = func(words []string) (repl.Config, error) {
		cfg := repl.Config{Topo: "core:12"}
		if i := slices.Index(words, "-n"); i >= 0 {
			cfg.Size, _ = strconv.Atoi(words[i+1])
		}
		if i := slices.Index(words, "--topo"); i >= 0 {
			cfg.Topo = words[i+1]
		}
		return cfg, nil
	}
	press(t, m, "esc", "o")
	press(t, m, strings.Split("01-evens", "")...)
	press(t, m, "enter")
	if m.exercise == nil || m.moment.Size() != 6 {
		t.Fatalf("no exercise:\n%s", plain(m))
	}
	return m
}

// typedLine types a line at the prompt.
func typedLine(t *testing.T, m *Model, line string) {
	t.Helper()
	for _, c := range line {
		m.Update(keyMsg(string(c)))
	}
	press(t, m, "enter")
}

// The task and the goal show; a wrong try shows with its ranks, which are marked beside the goal, and with the reason. With
// color=rank//3, ranks 0 to 2 and 3 to 5 are together, so that every rank is with others than it should be.
func TestPractice(t *testing.T) {
	t.Parallel()
	m := practicing(t, 140, 50)
	wants(t, m, "exercise 1 of 24", "Evens and odds [MPI-5.0 §7.4.2]", "the goal: half", "yours: none yet",
		"A0      B0      A1      B1")
	typedLine(t, m, "half = split world color=rank//3")
	wants(t, m, "yours: half", "»A0", "wrong with 6 ranks:", "half, ranks 0,2: expected [0,2,4], found [0,1,2]",
		"color          0, passed by 3 of the 6 ranks")
	typedLine(t, m, "half = split world color=rank%2 key=-rank")
	wants(t, m, "expected [0,2,4], found [4,2,0]")
	if _, err := os.Stat(m.opts.Practice); err == nil {
		t.Error("a wrong answer is remembered as solved")
	}
	typedLine(t, m, "half = split world color=rank%2")
	if text := plain(m); !strings.Contains(text, "Right with 6, 9 and 12 ranks.") || strings.Contains(text, "»A") {
		t.Errorf("right, and nobody is marked:\n%s", text)
	}
	if data, err := os.ReadFile(m.opts.Practice); err != nil || string(data) != "done 01-evens-and-odds\n" {
		t.Errorf("remembers %q, %v", data, err)
	}
	press(t, m, "esc", "o")
	if text := plain(m); !strings.Contains(text, "✓ Evens and odds") {
		press(t, m, strings.Split("01-evens", "")...)
		if text = plain(m); !strings.Contains(text, "✓ Evens and odds") {
			t.Errorf("the list has no mark:\n%s", text)
		}
	}
	press(t, m, "esc")
	m.typing = true
	typedLine(t, m, "next")
	if m.exercise == nil || m.exercise.number != 2 || m.exercise.Solved {
		t.Errorf("next: %+v", m.exercise)
	}
}

// Hints come one at a time; the solution comes when it is asked for twice; taking a line back takes its verdict back; a constant
// shows at which size it fails; another world ends the exercise.
func TestPracticeWords(t *testing.T) {
	t.Parallel()
	m := practicing(t, 140, 60)
	press(t, m, "esc", "H")
	if text := plain(m); !strings.Contains(text, "Hint 1 of 3:") || strings.Contains(text, "Hint 2") {
		t.Errorf("the first hint:\n%s", text)
	}
	m.typing = true
	typedLine(t, m, "hint")
	wants(t, m, "Hint 2 of 3:")
	typedLine(t, m, "solution")
	if strings.Contains(plain(m), "One answer of several") {
		t.Errorf("the solution shows at once:\n%s", plain(m))
	}
	typedLine(t, m, "half = split world color=[0,1,0,1,0,1][rank]")
	wants(t, m, "right with 6 ranks, but wrong with 9 ranks:")
	typedLine(t, m, ".undo")
	if text := plain(m); strings.Contains(text, "wrong with 9 ranks") {
		t.Errorf("the verdict stays behind:\n%s", text)
	}
	typedLine(t, m, "solution")
	has(t, logText(m), "half = split world color=rank%2")
	typedLine(t, m, ".world 4")
	if m.exercise != nil || !strings.Contains(m.notice, "the exercise has ended") {
		t.Errorf("another world: %+v, %q", m.exercise, m.notice)
	}
}

// A small screen shows task, goal and verdict, too, and no line is wider than it.
func TestPracticeSmall(t *testing.T) {
	t.Parallel()
	m := practicing(t, 80, 24)
	m.opts.Still = false // the call of the first try plays, then the verdict shows
	for _, c := range "half = split world color=0" {
		m.Update(keyMsg(string(c)))
	}
	_, cmd := m.Update(keyMsg("enter"))
	m.Update(cmd().(tea.BatchMsg)[0]())
	if m.player.motion == nil {
		t.Fatal("nothing plays")
	}
	for plain(m); m.player.motion != nil; plain(m) {
		beat(m)
	}
	for _, line := range strings.Split(plain(m), "\n") {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	if !strings.Contains(plain(m), "wrong with 6 ranks:") || !strings.Contains(plain(m), "the goal: half") {
		t.Errorf("the screen:\n%s", plain(m))
	}
}

// Who waits for whom in an answer shows, not the task above it.
func TestPracticeBlocked(t *testing.T) {
	t.Parallel()
	m := exercised(t, "11-order-of-calls", 100, 30)
	for _, line := range []string{"row = world.Split(world.rank // 2, 0)", "column = world.Split(world.rank % 2, 0)",
		"in_row = row.allreduce(world.rank) if world.rank % 2 == 0 else None", "in_column = column.allreduce(world.rank)"} {
		typedLine(t, m, line)
		plain(m)
	}
	wants(t, m, "rank 0 waits in MPI_Allreduce on row#2")
}

// exercised is a model that has opened an exercise by its name.
func exercised(t *testing.T, name string, w, h int) *Model {
	t.Helper()
	m := practicing(t, w, h)
	press(t, m, "esc", "o")
	press(t, m, strings.Split(name, "")...)
	press(t, m, "enter")
	if m.exercise == nil || m.exercise.x.Name != name {
		t.Fatalf("no exercise %s:\n%s", name, plain(m))
	}
	return m
}

// A communicator under another name is reported with both names. Each try begins anew: of three lines with one call each, which
// the exercise allows once, the last one stands alone; the log has them all.
func TestPracticeTries(t *testing.T) {
	t.Parallel()
	m := exercised(t, "07-odds-reversed", 100, 40)
	lines := []string{"rows = split world color=rank%2", "team = split world color=rank%2",
		"team = split world color=rank%2 key=(-rank if rank%2 else rank)"}
	typedLine(t, m, lines[0])
	wants(t, m, "The exercise asks for a communicator named team; you made rows.")
	typedLine(t, m, lines[1])
	wants(t, m, "expected [5,3,1], found [1,3,5]")
	typedLine(t, m, lines[2])
	if text := plain(m); !strings.Contains(text, "Right with 6, 9 and 12 ranks.") || len(m.console.Session.Chunks()) != 1 {
		t.Errorf("%d lines stand:\n%s", len(m.console.Session.Chunks()), text)
	}
	for _, line := range lines {
		if !strings.Contains(logText(m), "> "+line+" ") {
			t.Errorf("the log lacks %q:\n%s", line, logText(m))
		}
	}
}

// Ranks that wait do not end it: the line typed again, repaired, takes the place of the one that waits.
func TestPracticeWaits(t *testing.T) {
	t.Parallel()
	m := exercised(t, "06-some-stay-out", 100, 40)
	typedLine(t, m, "@0,4,8 writers = split world color=0")
	wants(t, m, "Ranks wait. Type the call that lets them go on, or type your line again, repaired; again takes all")
	typedLine(t, m, "writers = split world color=(0 if rank%4==0 else UNDEFINED)")
	wants(t, m, "Right with 10, 13 and 8 ranks.")
}

// On 80 columns, who differs is marked beside the goal on three machines, too; on 60 columns each word of the reason
// shows.
func TestPracticeNarrow(t *testing.T) {
	t.Parallel()
	m := exercised(t, "08-node-leaders", 80, 24)
	typedLine(t, m, "local = split_type world SHARED")
	typedLine(t, m, "leaders = split world color=(0 if local.rank==0 else 1)")
	if text := plain(m); !strings.Contains(text, "│node1 D1   ○   ○ │  │node1 D1  »E2 »E3│") { // local is A, B, C
		t.Errorf("who differs is not marked:\n%s", text)
	}
	typedLine(t, m, "helper = dup world") // it is in no goal
	typedLine(t, m, "leaders = split world color=(0 if local.rank==0 else 1)")
	wants(t, m, "│node1 E1   ○   ○ │  │node1 E1  »F2 »F3│")
	m = practicing(t, 60, 60)
	typedLine(t, m, "half = split world color=rank//3")
	text := strings.Join(strings.Fields(plain(m)), " ")
	has(t, text, "call step 1, MPI_Comm_split on world, <input>:1",
		"color form a communicator, ranked by key; ties go by the rank")
}

// A goal of which there is no result yet has letters of its own: in exercise 15, A and B are the two halves that are given.
func TestPracticeLetters(t *testing.T) {
	t.Parallel()
	wants(t, exercised(t, "15-bridge", 140, 50), "the goal: bridge", "yours: none yet", "C0", "C'0")
}

// again takes the tries back, and the screen says so; help lists the words.
func TestPracticeAgain(t *testing.T) {
	t.Parallel()
	m := practicing(t, 140, 50)
	typedLine(t, m, "half = split world color=0")
	typedLine(t, m, "help")
	wants(t, m, "words here: hint, check, task, again")
	typedLine(t, m, "again")
	if text := plain(m); len(m.console.Session.Chunks()) != 0 || strings.Contains(text, "wrong with 6 ranks") || !strings.Contains(logText(m), "You start again: 1 line taken back.") {
		t.Errorf("%d lines stand:\n%s", len(m.console.Session.Chunks()), text)
	}
	typedLine(t, m, "half = split world color=rank%2")
	wants(t, m, "Right with 6, 9 and 12 ranks.")
}
