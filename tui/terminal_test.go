//go:build linux

package tui

import (
	"encoding/base64"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

const esc = "\x1b"

var world4 = []string{"-n", "4", "--topo", "pack:2 core:2"}

// The whole way: type, see, choose with the mouse, resize, leave; the terminal is as it was.
func TestTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, false, nil, world4...)
	s.wait("world[4]>")
	s.press("half = split world color=rank%2\r")
	s.wait("half#3")
	s.wait("│ A0 │ B0 │")
	s.press(esc + "[<0;25;5M" + esc + "[<0;25;5m") // column 25, line 5: the second core of the first package
	s.wait("world rank 1 is rank 0 of 2 in half#3")
	s.wait("│[B0]│")
	if err := pty.Setsize(s.tty, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	s.emu.Resize(120, 40)
	s.wait("─ 3 Ranks ───")
	s.wait("─ 5 Log ───")
	s.press("q")
	s.wait("q again leaves")
	s.press("q")
	if code := s.leave(); code != 0 {
		t.Errorf("code %d", code)
	}
	s.givenBack("q")
}

// givenBack checks that the terminal is as it was before the program.
func (s *screen) givenBack(after string) {
	s.t.Helper()
	out := s.written()
	for name, pair := range map[string][2]string{
		"alternate screen": {"[?1049h", "[?1049l"}, "cursor": {"[?25l", "[?25h"}, "mouse": {"[?1002h", "[?1002l"}, "paste": {"[?2004h", "[?2004l"},
	} {
		on, off := strings.LastIndex(out, esc+pair[0]), strings.LastIndex(out, esc+pair[1])
		if on < 0 || off < on {
			s.t.Errorf("after %s, the %s is not given back: on at %d, off at %d", after, name, on, off)
		}
	}
	mode, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	if err != nil || mode.Lflag&unix.ECHO == 0 || mode.Lflag&unix.ICANON == 0 {
		s.t.Errorf("after %s, the terminal does not echo lines: %+v, %v", after, mode, err)
	}
}

// A terminal that answers no question is drawn on at once, because it is asked none.
func TestMuteTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, true, nil, world4...)
	s.wait("world[4]>")
	if out := s.written(); strings.Contains(out, esc+"]11;?") || strings.Contains(out, esc+"[6n") {
		t.Errorf("the terminal is asked: %q", out[:min(len(out), 200)])
	}
}

// NO_COLOR is heeded, 16 colors are kept to; what is lit shows by reverse video and brackets.
func TestColors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		env     []string
		has     string
		refused []string
	}{
		{"256", nil, "38;5;", nil},
		{"16", []string{"TERM=xterm"}, esc + "[1;", []string{"38;5", "38;2"}},
		{"none", []string{"NO_COLOR=1"}, esc + "[7m", []string{"38;", ";31m", ";32m", ";36m", "[31m", "[36m"}},
		{"asked", []string{"COLORTERM=truecolor", "TERM=xterm"}, "38;5;", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, false, c.env, world4...)
			s.wait("world[4]>")
			s.press("half = split world color=rank%2\r")
			s.wait("half#3")
			s.press(esc)
			s.wait("q quit")
			s.press("3")
			s.wait("[3 Ranks]")
			s.press("jj")
			s.wait("[A1]")
			out := s.written()
			if !strings.Contains(out, c.has) {
				t.Errorf("no %q is written", c.has)
			}
			for _, bad := range c.refused {
				if strings.Contains(out, bad) {
					t.Errorf("%q is written", bad)
				}
			}
		})
	}
}

// A paste of several lines runs them; y puts a pane into the clipboard of the terminal.
func TestPasteAndCopy(t *testing.T) {
	t.Parallel()
	s := start(t, false, nil, world4...)
	s.wait("world[4]>")
	s.press(esc + "[200~half = split world color=rank%2\nlib = dup half\n" + esc + "[201~")
	s.wait("lib#4")
	s.press(esc)
	s.wait("q quit")
	s.press("Y")
	s.until("the clipboard", func() bool { return strings.Contains(s.written(), esc+"]52;c;") })
	s.wait("the session went to the terminal's clipboard")
	_, after, _ := strings.Cut(s.written(), esc+"]52;c;")
	text, err := base64.StdEncoding.DecodeString(after[:strings.IndexAny(after, "\a\x1b")])
	want := "# commsplit: -n 4 --topo \"pack:2 core:2\"\nhalf = split world color=rank%2\nlib = dup half\n"
	if err != nil || string(text) != want {
		t.Errorf("the clipboard has %q, %v", text, err)
	}
}

// Ctrl-Z gives the terminal back, and the screen comes again with SIGCONT.
func TestSuspend(t *testing.T) {
	t.Parallel()
	s := start(t, false, nil, world4...)
	s.wait("world[4]>")
	s.press("half = split world color=rank%2\r")
	s.wait("half#3")
	s.press("\x1a")
	s.until("the shell's screen", func() bool { return strings.Contains(s.written(), esc+"[?1049l") })
	s.until("the screen again", func() bool {
		s.cmd.Process.Signal(syscall.SIGCONT) //nolint:errcheck // it may not be asleep yet
		return strings.Count(s.written(), esc+"[?1049h") == 2
	})
	s.wait("half#3")
	s.press("\x04")
	if code := s.leave(); code != 0 {
		t.Errorf("code %d", code)
	}
}

// A signal ends the program and gives the terminal back; a world that cannot be made is told on the
// terminal that was there before, with the code of a failure to get at something.
func TestEnds(t *testing.T) {
	t.Parallel()
	for signal, want := range map[syscall.Signal]int{syscall.SIGHUP: 129, syscall.SIGINT: 130, syscall.SIGQUIT: 131, syscall.SIGTERM: 143} {
		s := start(t, false, nil, world4...)
		s.wait("world[4]>")
		s.cmd.Process.Signal(signal) //nolint:errcheck // it runs
		if code := s.leave(); code != want {
			t.Errorf("%v: code %d, want %d", signal, code, want)
		}
		s.givenBack(signal.String())
	}
	s := start(t, false, nil, "--topo", "no-such-file.xml")
	if code := s.leave(); code != 5 {
		t.Errorf("no file: code %d, want 5", code)
	}
	if out := s.written(); !strings.Contains(out[strings.LastIndex(out, esc+"[?1049l"):], "no-such-file.xml") {
		t.Errorf("the reason is not told after the screen: %q", out)
	}
}

// On a terminal that cannot draw, or does not say what it is, there is the prompt, and no escapes come.
func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	for _, term := range []string{"TERM=dumb", "TERM="} {
		s := start(t, true, []string{term}, world4...)
		s.wait("world[4]>")
		s.press("half = split world color=rank%2\n")
		s.wait("half#3")
		s.wait("world[4]>")
		if out := s.written(); strings.Contains(out, esc) {
			t.Errorf("%s: it draws: %q", term, out)
		}
	}
}
