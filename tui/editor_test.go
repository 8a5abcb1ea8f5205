package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/edit"
)

// The line is edited as in shells.
func TestEditor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"abc", "left", "left", "X"}, "aXbc"},
		{[]string{"ab cd", "ctrl+w"}, "ab "},
		{[]string{"ab cd", "ctrl+a", "ctrl+k"}, ""},
		{[]string{"ab", " ", "cd", "left", "ctrl+u"}, "d"},
		{[]string{"abc", "home", "X", "end", "Y", "backspace", "backspace"}, "Xab"},
		{[]string{"é漢", "left", "backspace"}, "漢"},
		{[]string{"dup wo", "tab"}, "dup world "},
		{[]string{"abc", "ctrl+c"}, ""},
		{[]string{"x = dup half", "alt+b", "alt+b", "X"}, "x = Xdup half"},
		{[]string{"x = dup half", "ctrl+left", "alt+left", "ctrl+right", "X"}, "x = dupX half"},
		{[]string{"color=rank%2", "ctrl+a", "alt+f", "X"}, "colorX=rank%2"},
		{[]string{"color=rank", "alt+backspace", "size"}, "color=size"},
		{[]string{"dup half", "home", "alt+d", "ctrl+e", " ", "ctrl+y"}, " half dup"},
		{[]string{"abc", "ctrl+w", "ctrl+_"}, "abc"},
		{[]string{"dup half", "ctrl+t", "home", "alt+u"}, "DUP hafl"},
		{[]string{"dup half", "alt+q", "alt+o", "alt+9"}, "dup half"},
		{[]string{"dup half", "ctrl+s"}, ".save session.mpi"},
		{[]string{"dup half", "ctrl+s", "ctrl+s", "ctrl+c"}, "dup half"},
		{[]string{"dup half", "ctrl+s", "ctrl+u", ".show", "enter"}, "dup half"},
		{[]string{"dup half", "ctrl+s", "ctrl+u", "ctrl+c"}, "dup half"},
	} {
		m := opened(t, small, 80, 24)
		press(t, m, c.keys...)
		if got := m.prompt.Text(); got != c.want {
			t.Errorf("%q gives %q, want %q", c.keys, got, c.want)
		}
		if !m.typing || m.over != nil || m.leaving {
			t.Errorf("%q leaves the prompt", c.keys)
		}
	}
}

// Tab goes as far as all proposals agree, then through them one by one; they show below the line.
func TestTab(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	press(t, m, "x = split_type world type=HW_", "tab")
	if got := m.prompt.Text(); got != "x = split_type world type=HW_" {
		t.Errorf("the line is %q", got)
	}
	wants(t, m, "HW_UNGUIDED  HW_GUIDED")
	press(t, m, "tab", "tab")
	if got := m.prompt.Text(); !strings.HasSuffix(got, "type=HW_GUIDED") {
		t.Errorf("the second proposal: %q", got)
	}
	press(t, m, "shift+tab")
	if got := m.prompt.Text(); !strings.HasSuffix(got, "type=HW_UNGUIDED") {
		t.Errorf("the one before: %q", got)
	}
}

// A blank follows what Tab completes where the next argument does; a number most often goes on.
func TestTabBlank(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"split wor": "split world ", "split world color=ran": "split world color=rank", "split world ke": "split world key=",
	} {
		m := opened(t, small, 80, 24)
		press(t, m, typed, "tab")
		if got := m.prompt.Text(); got != want {
			t.Errorf("%q completes to %q, want %q", typed, got, want)
		}
	}
}

// The history: lines that begin as what is typed, the newest first; the newest one shows as a ghost
// that the right arrow takes. It is kept in a file that only its owner may read.
func TestHistory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state", "history")
	m := opened(t, small, 80, 24)
	m.prompt.Begin(edit.OpenHistory(file))
	press(t, m, "world.size", "enter", "dup world", "enter", "world.rank", "enter", " secret = 1", "enter")
	press(t, m, "wo", "up")
	if got := m.prompt.Text(); got != "world.rank" {
		t.Errorf("up: %q", got)
	}
	press(t, m, "up")
	if got := m.prompt.Text(); got != "world.size" {
		t.Errorf("up again: %q", got)
	}
	press(t, m, "down", "down")
	if got := m.prompt.Text(); got != "wo" {
		t.Errorf("back down: %q", got)
	}
	wants(t, m, "> world.rank")
	press(t, m, "right")
	if got := m.prompt.Text(); got != "world.rank" {
		t.Errorf("right: %q", got)
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != "world.size\ndup world\nworld.rank\n" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if info, err := os.Stat(file); err == nil && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %o", info.Mode().Perm())
	}
}

// A block is one entry of the history: recalled whole, corrected and run again, by one Enter each.
func TestHistoryBlock(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "history")
	m := opened(t, small, 80, 24)
	m.prompt.Begin(edit.OpenHistory(file))
	press(t, m, "def f(c):", "enter", "    return c.Split(c.rank % 2)", "enter", "", "enter", "bar = f(world)", "enter")
	press(t, m, "def", "up")
	const block = "def f(c):\n    return c.Split(c.rank % 2)"
	if got := m.prompt.Text(); got != block {
		t.Fatalf("up: %q", got)
	}
	wants(t, m, "def f(c):↵    return c.Split(c.rank % 2)")
	press(t, m, "backspace", "backspace", "4)", "enter", "bar = f(world)", "enter")
	if got := cores(m); got[0] != "A0" || got[1] != "B0" || got[2] != "C0" || got[3] != "D0" { // each rank of four has a color of its own
		t.Errorf("the corrected block has not run: %v\n%s", got, plain(m))
	}
	again := edit.OpenHistory(file).Entries()
	want := []string{block, "bar = f(world)", "def f(c):\n    return c.Split(c.rank % 4)", "bar = f(world)"}
	if !slices.Equal(again, want) {
		t.Errorf("the file has %q, want %q", again, want)
	}
}

// Ctrl-R finds lines of the history by a part, the newest first; Enter runs the line that shows, Esc
// edits it, Ctrl-C puts back what was typed before, and any other key goes on in the line.
func TestSearch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"ctrl+r", "up", "esc"}, "wo"},
		{[]string{"ctrl+r", "w", "o", "esc"}, "dup world"},
		{[]string{"ctrl+r", "w", "o", "ctrl+r", "esc"}, "world.size"},
		{[]string{"ctrl+r", "w", "o", "ctrl+r", "ctrl+s", "esc"}, "dup world"},
		{[]string{"ctrl+r", "w", "o", "r", "l", "d", ".", "esc"}, "world.size"},
		{[]string{"ctrl+r", "w", "q", "backspace", "o", "esc"}, "dup world"},
		{[]string{"ctrl+r", "w", "o", "ctrl+c"}, "wo"},
		{[]string{"ctrl+r", "s", "i", "ctrl+a", "X"}, "Xworld.size"},
		{[]string{"ctrl+r", "s", "i", "enter"}, ""},
	} {
		m := opened(t, small, 80, 24)
		press(t, m, "world.size", "enter", "dup world", "enter", "wo")
		if c.keys[1] == "up" { // ends the search, and recalls lines that begin as the one typed
			c.want = "world.size"
		}
		press(t, m, c.keys...)
		if got := m.prompt.Text(); got != c.want {
			t.Errorf("%q gives %q, want %q", c.keys, got, c.want)
		}
	}
	m := opened(t, small, 80, 24)
	press(t, m, "world.size", "enter", "ctrl+r", "x", "y")
	wants(t, m, "(not found)`xy':")
}

// A line that is typed while another runs waits and runs next, in the order of typing; Ctrl-C gives
// up those that wait, which the history keeps.
func TestTypeAhead(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	press(t, m, `ask "How many?" 2`, "enter")
	first := m.asked
	m.asked = nil // as before the question comes: the line runs
	press(t, m, "half = dup world", "enter", "for i in range(2):", "enter", "    half = half.Dup()", "enter", "", "enter", "part")
	wants(t, m, "4 lines to run next: half = dup world; for i in range(2):")
	m.asked = first
	keep := m.prompt.Text()
	m.prompt.Set("2")
	press(t, m, "enter")
	if text := plain(m); len(m.queue) > 0 || !strings.Contains(text, "half#4") || keep != "part" {
		t.Errorf("the lines that waited have not run:\n%s", text)
	}

	press(t, m, "ctrl+c", `ask "Again?" 2`, "enter")
	m.queue = []string{"x = dup world"}
	press(t, m, "ctrl+c")
	if m.queue != nil || m.moment.Handle("x") >= 0 {
		t.Error("Ctrl-C does not give up the lines that wait")
	}
}

// Below the line stands what the verb takes, the parameter that is written in front; a mistake is
// told before Enter, once typing on cannot mend it.
func TestHints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want, not string }{
		{"split ", "split comm=world color key=0  comm: the communicator acted on", "^"},
		{"split world color=ran", "color: nonnegative", "^"},
		{"split world colour=rank ", "^ split has no parameter \"colour\" (did you mean color?)", ""},
		{"split wrld color=0", "^ wrld is not defined", ""},
		{"splt world ", "did you mean split", ""},
		{".und", ".undo [N]  take back", "^"},
		{"@9 barrier world", "^", "barrier comm"},
		{"for i in range(3):", "a statement that every rank runs", "^"},
	} {
		m := opened(t, small, 120, 40)
		press(t, m, c.line)
		lines := strings.Split(plain(m), "\n")
		hint := lines[m.layout.prompt+1]
		if !strings.Contains(hint, c.want) || c.not != "" && strings.Contains(hint, c.not) {
			t.Errorf("%q: the hint is %q, want %q and not %q", c.line, hint, c.want, c.not)
		}
	}
}

// PgUp and PgDn scroll the explanation while a line is typed.
func TestReadWhileTyping(t *testing.T) {
	t.Parallel()
	m := exercised(t, "14-leak", 80, 24)
	press(t, m, "half")
	wants(t, m, "PgDn: ")
	press(t, m, "pgdown")
	wants(t, m, "PgUp: ", "half")
	press(t, m, "pgup", "pgup")
	if m.why.top != 0 || m.prompt.Text() != "half" {
		t.Errorf("line %d shows first, and the prompt has %q", m.why.top, m.prompt.Text())
	}
}
