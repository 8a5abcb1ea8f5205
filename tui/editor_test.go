package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	} {
		m := opened(t, small, 80, 24)
		press(t, m, c.keys...)
		if got := m.prompt.text(); got != c.want {
			t.Errorf("%q gives %q, want %q", c.keys, got, c.want)
		}
	}
}

// Tab goes as far as all proposals agree, then through them one by one; they show below the line.
func TestTab(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	press(t, m, "x = split_type world type=HW_", "tab")
	if got := m.prompt.text(); got != "x = split_type world type=HW_" {
		t.Errorf("the line is %q", got)
	}
	if text := plain(m); !strings.Contains(text, "HW_UNGUIDED  HW_GUIDED") {
		t.Errorf("the proposals do not show:\n%s", text)
	}
	press(t, m, "tab", "tab")
	if got := m.prompt.text(); !strings.HasSuffix(got, "type=HW_GUIDED") {
		t.Errorf("the second proposal: %q", got)
	}
	press(t, m, "shift+tab")
	if got := m.prompt.text(); !strings.HasSuffix(got, "type=HW_UNGUIDED") {
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
		if got := m.prompt.text(); got != want {
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
	m.opts.History = file
	press(t, m, "world.size", "enter", "dup world", "enter", "world.rank", "enter", " secret = 1", "enter")
	press(t, m, "wo", "up")
	if got := m.prompt.text(); got != "world.rank" {
		t.Errorf("up: %q", got)
	}
	press(t, m, "up")
	if got := m.prompt.text(); got != "world.size" {
		t.Errorf("up again: %q", got)
	}
	press(t, m, "down", "down")
	if got := m.prompt.text(); got != "wo" {
		t.Errorf("back down: %q", got)
	}
	if text := plain(m); !strings.Contains(text, "> world.rank") {
		t.Errorf("the ghost does not show:\n%s", text)
	}
	press(t, m, "right")
	if got := m.prompt.text(); got != "world.rank" {
		t.Errorf("right: %q", got)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m.console = nil // closed already
	text, err := os.ReadFile(file)
	if err != nil || string(text) != "world.size\ndup world\nworld.rank\n" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if info, err := os.Stat(file); err == nil && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %o", info.Mode().Perm())
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
