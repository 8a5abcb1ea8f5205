package tui

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/scripts"
)

// The start screen says what this is, offers three things to press, and says what is restricted of the hardware.
func TestStartScreen(t *testing.T) {
	t.Parallel()
	for topo, want := range map[string]bool{"pack:2 core:2": false, "pack:2 core:2 offline=3": true} {
		text := strings.Join(strings.Fields(plain(opened(t, repl.Config{Topo: topo}, 80, 24))), " ")
		for _, s := range []string{"which ranks an MPI communicator split puts together", "F2 half = split world", "F3 start here", "F4 this or another machine"} {
			if !strings.Contains(text, s) {
				t.Errorf("%s: no %q in %s", topo, s, text)
			}
		}
		if got := strings.Contains(text, "Note: offline: PUs 3"); got != want {
			t.Errorf("%s: the note on the PU that is offline shows: %v, want %v", topo, got, want)
		}
	}
}

// On a machine of two cores, the start screen shows one on which a first split shows something, and says so in a line;
// on a machine that was chosen then, it does not.
func TestStartOnFewCores(t *testing.T) {
	t.Parallel()
	const note = "Note: only 2 cores here: this is Figure 7.3; --topo this takes this machine"
	m := opened(t, repl.Config{Topo: "core:2", Start: true}, 80, 24)
	if text := plain(m); !strings.Contains(text, note) {
		t.Errorf("the start screen is\n%s", text)
	}
	press(t, m, "f2")
	var cells []string
	for r := range m.moment.Size() {
		cells = append(cells, m.moment.Parting(m.handle).Cell(int32(r)))
	}
	if got, want := strings.Join(cells, " "), "A5 B5 A4 B4 A3 B3 A2 B2 A1 B1 A0 B0"; got != want {
		t.Errorf("the first split gives %s, want %s", got, want)
	}
	if enter(t, m, ".topo core:2"); strings.Contains(plain(m), note) {
		t.Error("the line stays when another machine is chosen")
	}
}

// Only resource types that the hardware has are offered, with how many there are.
func TestPickResource(t *testing.T) {
	t.Parallel()
	m := opened(t, figure73(), 80, 24)
	press(t, m, "esc", "r")
	text := strings.Join(strings.Fields(plain(m)), " ")
	has(t, text, "commsplit://Rack 2 instances", "hwloc://NUMANode 3 instances", "hwloc://Package 6 instances",
		"hwloc://Core 12 instances", "SHARED")
	if strings.Contains(text, "L3Cache") {
		t.Errorf("Figure 7.3 has no caches:\n%s", text)
	}
	press(t, m, "esc")
	if m.over != nil {
		t.Error("Esc does not close the list")
	}
}

// Another machine, another placement: a fresh world, which .undo takes back.
func TestPickWorlds(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24, "half = split world color=rank%2")
	press(t, m, "esc", "t", "r", "a", "s", "p", "enter")
	if got := m.moment.View.Snapshot.Topology.Name; got != "raspberry-pi-4" {
		t.Errorf("the hardware is %s", got)
	}
	press(t, m, "z")
	if got := m.moment.View.Snapshot.Topology.Name; got != "pack:2 core:2" || m.moment.Handle("half") < 0 {
		t.Errorf("undone: %s", got)
	}
	press(t, m, "b", "n", "o", "n", "e", "enter")
	if got := m.cellsOn(m.moment.Ground.Topology.Hosts[0]); got != "A0 B0 A1 B1" {
		t.Errorf("unbound ranks sit on the machine, and the split ran again: %q\n%s", got, plain(m))
	}
}

// What if: the last split with three keys side by side. By hand: keys of zero and rank keep the order,
// -rank turns it round; rank//2 makes pairs tie, so that it changes nothing.
func TestCompareKeys(t *testing.T) {
	t.Parallel()
	cfg := repl.Config{Topo: "core:6", Size: 6}
	m := opened(t, cfg, 120, 40, "half = split world rank%2 key=rank")
	press(t, m, "esc", "c")
	text := plain(m)
	has(t, text, "what if: split world rank%2 key=rank, with other arguments", "key=0", "key=-rank", "A [0,2,4]",
		"A [4,2,0]", "B [5,3,1]")
	press(t, m, "k", "r", "a", "n", "k", "/", "/", "2", "enter")
	v := m.over.(*compareView)
	if len(v.columns) != 6 || v.columns[5].err != nil { // two are of other colors
		t.Fatalf("the sixth column: %+v", v.columns)
	}
	press(t, m, "k", "c", "o", "l", "o", "r", "=", "r", "a", "n", "k", "/", "/", "3", "enter")
	c := v.columns[len(v.columns)-1]
	if c.err != nil || !slices.Equal(c.moment.View.Snapshot.Comm(c.moment.Parting(c.handle).Comm(0)).Group, []int32{0, 1, 2}) {
		t.Errorf("color=rank//3 makes %v, %v", c.name, c.err)
	}
	// Of half, in which 0, 2, 4 are A and 1, 3, 5 are B, rank 0 alone keeps its place as A0; B2 is rank 5 in both.
	if moved := c.elsewhere(m); moved[0] || !moved[1] || !moved[2] || !moved[4] || moved[5] {
		t.Errorf("moved: %v", moved)
	}
	press(t, m, "left", "left", "left", "left", "enter")
	if h := m.moment.Handles[m.handle]; h.Name != "split1" {
		t.Errorf("Enter runs the column: the last variable is %s", h.Name)
	}
	if c := m.moment.View.Snapshot.Comm(m.moment.Parting(m.handle).Comm(0)); c.Group[0] != 4 {
		t.Errorf("the column with -rank gives %v", c.Group)
	}
}

// What if: a split by core with other bindings. Bound to cores each rank has its own; bound to
// packages, which have two cores here, nobody is restricted to one.
func TestCompareBindings(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 200, 60, `own = split_type world HW_GUIDED resource="hwloc://Core"`)
	press(t, m, "esc", "C")
	v := m.over.(*compareView)
	made := map[string]int{}
	for _, c := range v.columns {
		if c.err != nil {
			t.Fatalf("%s: %v", c.name, c.err)
		}
		if made[c.name] = 0; c.handle > 0 {
			made[c.name] = c.moment.Parting(c.handle).Len()
		}
	}
	for name, want := range map[string]int{"bind-to core": 4, "bind-to hwthread": 4, "bind-to package": 0, "bind-to none": 0} {
		if got, ok := made[name]; !ok || got != want {
			t.Errorf("%s: %d communicators, want %d (%v)", name, got, want, made)
		}
	}
	wants(t, m, "○ ranks 0-3")
}

// A script whose flags are wrong says so, and nothing happens.
func TestExampleFlags(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	m.opts.Flags = func([]string) (repl.Config, error) { return repl.Config{}, errBad }
	press(t, m, "esc", "o", "enter")
	if m.notice != errBad.Error() || m.moment.Size() != 4 {
		t.Errorf("notice %q, %d ranks", m.notice, m.moment.Size())
	}
}

var errBad = errText("no such flag")

type errText string

func (e errText) Error() string { return string(e) }

// A placement that is picked is the line that makes it; the log says that the session runs again. The
// list ends with what begins a line.
func TestPickBindingIsALine(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40, "half = split world color=rank%2", "lib = dup half")
	press(t, m, "esc", "b", "m", "a", "p", "-", "b", "y", " ", "p", "a", "c", "k", "enter")
	text := plain(m)
	has(t, text, "world[4]> .bind --map-by package --bind-to core", "a fresh world; .undo brings the former one back",
		"the 2 lines of the session run again:", "lib = ranks 0-3 each call MPI_Comm_dup(half)")
	// Ranks go round the packages: 0 and 2 on the first, which are C of lib.
	if got := cores(m); got[0] != "C0" || got[1] != "C1" || got[2] != "D0" {
		t.Errorf("the ranks are elsewhere: %v\n%s", got, text)
	}
	press(t, m, "b", "r", "a", "n", "k", "f", "i", "l", "e", "enter")
	if got := m.prompt.Text(); got != ".bind --rankfile " {
		t.Errorf("the line is %q", got)
	}
}

// Several machines are a word of the topology line, too.
func TestSeveralMachines(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40)
	press(t, m, "esc", "t", "a", "n", "o", "t", "h", "e", "r", "enter")
	if got := m.prompt.Text(); got != ".topo " {
		t.Fatalf("the line is %q", got)
	}
	press(t, m, "raspberry-pi-4*2", "enter")
	if topo := m.moment.View.Snapshot.Topology; len(topo.Hosts) != 2 || m.moment.Size() != 8 {
		t.Errorf("%d hosts, %d ranks: want two machines with four cores each", len(topo.Hosts), m.moment.Size())
	}
}

// Examples stand in their groups, which are rows that cannot be chosen; letters filter by group, too. A
// click chooses the row that it is on.
func TestPickExampleGroups(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 120, 40)
	press(t, m, "esc", "o")
	text := plain(m)
	has(t, text, "─ lessons, exercises and examples ─", " 1/", "Lessons: common confusions",
		"▌ lesson-01-color-and-key")
	press(t, m, "t", "o", "u", "r")
	r := m.front()
	m.opts.Flags = flagsOf(small)
	_, cmd := m.Update(tea.MouseMsg{X: r.x + 5, Y: r.y + 1, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if cmd != nil || m.over == nil {
		t.Fatal("a group is chosen")
	}
	_, cmd = m.Update(tea.MouseMsg{X: r.x + 5, Y: r.y + 2, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	settle(t, m, cmd)
	if !slices.Contains(m.log.entries, entry{".open first-split", typed}) {
		t.Errorf("the tour does not run:\n%s", plain(m))
	}
}

// Lessons, exercises and tours come first, and every title shows whole, in several rows where it is long.
func TestPickExampleTitlesWhole(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	press(t, m, "esc", "o")
	for _, g := range []*scripts.Group{scripts.Lessons, scripts.Practice, scripts.Tours, scripts.Standard} {
		for _, e := range g.Examples() {
			text := strings.Map(func(r rune) rune {
				if strings.ContainsRune(" \n│▌", r) {
					return -1
				}
				return r
			}, plain(m))
			// The rows of a title stand below each other, with nothing between.
			if !strings.Contains(text, strings.ReplaceAll(e.Title, " ", "")) {
				t.Errorf("the title of %s is cut:\n%s", e.Name, plain(m))
			}
			press(t, m, "down")
		}
	}
}

// jobFile is the file of a job of four ranks, which share the two cores of a host: 0, 0-1, 1, 1.
func jobFile(t *testing.T) string {
	t.Helper()
	top, err := source.Load(t.Context(), "core:2 pu:1")
	if err != nil {
		t.Fatal(err)
	}
	var machine, archive bytes.Buffer
	if err := hwlocxml.Write(&machine, top); err != nil {
		t.Fatal(err)
	}
	list := "commsplit job 1\nhost\tcn5\tm.xml\nrank\t0\tcn5\t0\nrank\t1\tcn5\t0-1\nrank\t2\tcn5\t1\nrank\t3\tcn5\t1\n"
	w := tar.NewWriter(&archive)
	for name, text := range map[string]string{"job.txt": list, "m.xml": machine.String()} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "job.tar")
	if err := os.WriteFile(path, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A job on the screen: its ranks where they ran; another placement of them, although they are more than
// the cores; and back.
func TestJob(t *testing.T) {
	t.Parallel()
	path := jobFile(t)
	m := opened(t, repl.Config{Topo: "job:" + path}, 120, 40, `own = split_type world HW_GUIDED resource="hwloc://Core"`)
	own := func() string {
		var names []string
		for _, id := range m.moment.Handles[m.handle].IDs {
			names = append(names, string(rune('a'+id)))
		}
		return strings.Join(names, "")
	}
	// Rank 1 may use both cores; 2 and 3 share one.
	ran := own()
	if m.moment.Size() != 4 || ran[0] == ran[2] || ran[2] != ran[3] || ran[1] == ran[0] || ran[1] == ran[2] {
		t.Errorf("as the job ran: %s", ran)
	}
	press(t, m, "esc", "C")
	for _, c := range m.over.(*compareView).columns {
		if c.err != nil {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
	press(t, m, "esc", "b", "t", "o", " ", "c", "o", "r", "e", "enter")
	// Ranks go round the two cores.
	if got := own(); got[0] != got[2] || got[1] != got[3] || got[0] == got[1] {
		t.Errorf("bound to cores: %s\n%s", got, plain(m))
	}
	press(t, m, "b", "j", "o", "b", "enter")
	if got := own(); got != ran {
		t.Errorf("back: %s, not %s\n%s", got, ran, plain(m))
	}
}
