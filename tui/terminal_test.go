//go:build linux

package tui

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
)

// binary is the path of the test binary, under the name that makes it the program.
var binary = sync.OnceValues(func() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if scratch, err = os.MkdirTemp("", "commsplit-tui"); err != nil {
		return "", err
	}
	path := filepath.Join(scratch, "commsplit")
	return path, os.Symlink(self, path)
})

// scratch is the folder of that path; RunTests removes it.
var scratch string

// RunTests runs the tests, for TestMain, which is in another package because the command imports this one.
func RunTests(m *testing.M) int {
	if defect := os.Getenv(crashing); defect != "" {
		crashMain(defect)
	}
	judge.Alone()
	defer func() {
		if scratch != "" {
			os.RemoveAll(scratch)
		}
	}()
	return m.Run()
}

// screen is the program on a terminal, with an emulator that shows it.
type screen struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	emu  *vt.SafeEmulator
	mu   sync.Mutex
	raw  strings.Builder // everything written
	gone chan struct{}
}

// start runs the program on a terminal of 80x24. A mute terminal never answers questions.
func start(t *testing.T, mute bool, env []string, args ...string) *screen {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return startCommand(t, mute, env, exec.Command(path, args...))
}

func startCommand(t *testing.T, mute bool, env []string, cmd *exec.Cmd) *screen {
	t.Helper()
	var err error
	s := &screen{t: t, emu: vt.NewSafeEmulator(80, 24), gone: make(chan struct{}), cmd: cmd}
	s.cmd.Env = append([]string{"TERM=xterm-256color", "HOME=" + t.TempDir()}, env...)
	if s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Skipf("no pty: %v", err)
	}
	if !mute {
		go io.Copy(s.tty, s.emu) //nolint:errcheck // ends with the terminal
	} else {
		go io.Copy(io.Discard, s.emu) //nolint:errcheck // as above
	}
	go s.read()
	t.Cleanup(func() {
		s.cmd.Process.Kill() //nolint:errcheck // it may have ended
		s.tty.Close()
		<-s.gone
		s.emu.InputPipe().(io.Closer).Close() //nolint:errcheck // ends the copying; Close itself would race with it
	})
	return s
}

func (s *screen) read() {
	defer close(s.gone)
	buf := make([]byte, 1<<15)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		s.raw.Write(buf[:n])
		s.mu.Unlock()
		s.emu.Write(buf[:n]) //nolint:errcheck // an emulator takes everything
		if err != nil {
			return
		}
	}
}

func (s *screen) written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

func (s *screen) text() string { return ansi.Strip(s.emu.Render()) }

func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.tty, keys); err != nil {
		s.t.Fatal(err)
	}
}

// wait waits until the screen has a text.
func (s *screen) wait(text string) {
	s.t.Helper()
	s.until(text, func() bool { return strings.Contains(s.text(), text) })
}

func (s *screen) until(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%q does not come:\n%s", what, s.text())
		}
	}
}

// leave waits for the end of the program, and returns its exit code.
func (s *screen) leave() int {
	s.t.Helper()
	done := make(chan struct{})
	go func() { s.cmd.Wait(); close(done) }() //nolint:errcheck // its code tells
	select {
	case <-done:
	case <-time.After(patience):
		s.t.Fatalf("the program does not end:\n%s", s.text())
	}
	<-s.gone
	return s.cmd.ProcessState.ExitCode()
}

const esc = "\x1b"

var world4 = []string{"-n", "4", "--topo", "pack:2 core:2"}

// The whole way: type, see, choose with the mouse, resize, leave; afterwards the terminal is as before.
func TestTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, false, nil, world4...)
	s.wait("world[4]>")
	s.press("half = split world color=rank%2\r")
	s.wait("half#3")
	s.wait("A0     B0")
	s.press(esc + "[<0;13;6M" + esc + "[<0;13;6m") // column 13, line 6: the second core of the first package
	s.wait("world rank 1 is rank 0 of 2 in half#3")
	s.wait("[B0]")
	s.emu.Resize(120, 40) // before the program draws for it
	if err := pty.Setsize(s.tty, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	s.wait("─ 3 Ranks ─ what each passed and got ───")
	s.wait("6 Sites ─ 7 Time ───")
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

// The program draws at once on a terminal that never answers: it asks for the background after the first frame,
// and only where nothing else gives the background.
func TestMuteTerminal(t *testing.T) {
	t.Parallel()
	const question = esc + "]11;?"
	s := start(t, true, nil, world4...)
	s.wait("world[4]>")
	s.until("the question", func() bool { return strings.Contains(s.written(), question) })
	if before, _, _ := strings.Cut(s.written(), question); !strings.Contains(before, "world[4]>") && !strings.Contains(before, "making the world") {
		t.Errorf("before the question comes %q", before)
	}
	for _, env := range []string{"COMMSPLIT_THEME=dark", "COLORFGBG=15;0", "NO_COLOR=1", "TERM=linux"} {
		s := start(t, true, []string{env}, world4...)
		s.wait("world[4]>")
		if strings.Contains(s.written(), question) {
			t.Errorf("%s: the terminal is asked", env)
		}
	}
}

// A light terminal answers late and in pieces: then the colors are for a light background, and no part of the
// answer becomes typed text, whatever is typed around it.
func TestLightTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, true, nil, world4...)
	s.wait("world[4]>")
	s.press("ha" + esc + "]11;rgb:ff")
	s.wait("world[4]> ha")
	s.press("ff/ffff/ffff" + esc + "\\lf")
	s.wait("world[4]> half")
	var light strings.Builder
	paint.NewPalette(paint.Colors256, false).Put(&light, "commsplit", paint.Accent.Lit())
	look, _, _ := strings.Cut(light.String(), "commsplit")
	s.until("the palette for light terminals", func() bool { return strings.Contains(s.written(), look) })
	if text := s.text(); strings.Contains(text, "rgb") || strings.Contains(text, "11;") {
		t.Errorf("the answer shows:\n%s", text)
	}
	s.press("\x15\x04")
	if code := s.leave(); code != 0 {
		t.Errorf("code %d", code)
	}
}

// Wherever an answer is cut, only what was typed around it arrives as keys; an Esc alone is a key at once.
func TestAnswersAreNoKeys(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\a", esc + "\\"} {
		all := "ab" + answerBegins + "rgb:ffff/ffff/ffff" + end + "cd"
		for cut := range len(all) {
			var told []bool
			h := &hearing{heard: func(dark bool) { told = append(told, dark) }}
			got := string(h.keys([]byte(all[:cut]))) + string(h.keys([]byte(all[cut:])))
			// An Esc, or Alt-], at the end of the bytes may be a key: it is passed on.
			want := map[int]string{3: "ab" + esc + "cd", 4: "ab" + esc + "]cd"}[cut]
			if want == "" {
				want = "abcd"
			}
			if got != want || len(told) != 1 || told[0] {
				t.Errorf("cut at %d: %q, want %q; told %v", cut, got, want, told)
			}
		}
	}
	h := &hearing{}
	for _, keys := range []string{esc, "]", "11;", "x" + esc + "[A", esc + "]"} {
		if got := string(h.keys([]byte(keys))); got != keys {
			t.Errorf("%q comes as %q", keys, got)
		}
	}
	for color, want := range map[string][2]bool{
		"rgb:0/0/0": {true, true}, "rgb:1e1e/1e1e/1e1e": {true, true}, "rgb:ff/ff/ff": {false, true}, "rgba:fdfd/f6f6/e3e3/ffff": {false, true},
		"rgb:ff/ff": {}, "?": {}, "rgb:x/y/z": {},
	} {
		if dark, ok := isDark(color); dark != want[0] || ok != want[1] {
			t.Errorf("%s: dark %v, known %v", color, dark, ok)
		}
	}
}

// NO_COLOR and 16 colors are respected; lit text shows by reverse video and brackets.
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
		{"asked", []string{"COLORTERM=truecolor", "TERM=xterm"}, "38;2;", nil},
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

// A paste of several lines runs them; Y puts the session into the clipboard of the terminal.
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

// Ctrl-Z restores the terminal, and SIGCONT brings the screen back.
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
	s.until("the mouse again", func() bool { return strings.Count(s.written(), esc+"[?1002h") == 2 })
	s.wait("half#3")
	s.press("\x04")
	if code := s.leave(); code != 0 {
		t.Errorf("code %d", code)
	}
}

// A signal ends the program and restores the terminal. The error of a world that cannot be made is written on the
// terminal's own screen, with the exit code for an input that cannot be reached.
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

// On a terminal that cannot draw, or does not give its type, the program shows the prompt and writes no escape
// sequences.
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

// crashing, in the environment, makes the test binary a terminal UI with the defect of that name.
const crashing = "COMMSPLIT_TEST_CRASH"

// crashes are the defects: in Update, in a line that runs, and in a superstep.
var crashes = map[string]func(m *Model) (repl.Config, error){
	"update": func(*Model) (repl.Config, error) { panic("defect of update") },
	"line": func(m *Model) (repl.Config, error) {
		m.console.Out = unheard("third = ")
		return repl.Config{}, errBad
	},
	"superstep": func(m *Model) (repl.Config, error) {
		m.console.Out = unheard("[0-3] ")
		return repl.Config{}, errBad
	},
}

// unheard panics at an output with that beginning: a result, or what ranks print, when all of them wait.
type unheard string

func (u unheard) Write(p []byte) (int, error) {
	if strings.HasPrefix(string(p), string(u)) {
		panic("defect of output")
	}
	return len(p), nil
}

func crashMain(name string) {
	var m *Model
	o := Options{Config: small, Still: true}
	o.Flags = func([]string) (repl.Config, error) { return crashes[name](m) }
	m = New(o)
	if err := show(context.Background(), m, os.Stdin, os.Stdout); err != nil {
		fmt.Println("error:", err)
		if crash := (*repl.Crash)(nil); errors.As(err, &crash) {
			fmt.Println("kept:", strings.ReplaceAll(crash.Kept, "\n", "|"))
		}
		os.Exit(2)
	}
	os.Exit(0)
}

// crashed starts a terminal UI with a defect that a lesson triggers, and opens a lesson.
func crashed(t *testing.T, name string) *screen {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := startCommand(t, false, []string{crashing + "=" + name}, exec.Command(self))
	s.wait("world[4]>")
	s.press("half = split world color=0\r")
	s.wait("half#2")
	s.press(esc)
	s.wait("q quit")
	s.press("o")
	s.wait("lessons, exercises and examples")
	s.press("\r")
	return s
}

// A panic of the screen itself restores the terminal, reports in a line what happened, keeps the lines of the
// session, and ends with a failure.
func TestCrashRestoresTerminal(t *testing.T) {
	t.Parallel()
	s := crashed(t, "update")
	if code := s.leave(); code != 2 {
		t.Errorf("code %d, want 2", code)
	}
	out := s.written()
	_, after, given := strings.Cut(out, esc+"[?1049l")
	if !given || !strings.Contains(after, "a bug in commsplit: defect of update, in terminal_test.go:") || strings.Contains(out, "goroutine ") {
		t.Errorf("after the screen: %q", out[max(0, len(out)-600):])
	}
	if _, kept, _ := strings.Cut(after, "kept: "); !strings.Contains(kept, "|half = split world color=0|") {
		t.Errorf("kept %q", kept)
	}
	if strings.LastIndex(out, esc+"[?25h") < strings.LastIndex(out, esc+"[?25l") {
		t.Error("the cursor is not given back")
	}
}

// A panic in a line fails the line; the session continues as before the line.
func TestCrashFailsTheLine(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{"superstep": "print(7)", "line": "third = split world color=0"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := crashed(t, name)
			s.press(":" + line + "\r")
			s.wait("a bug in commsplit: defect of output")
			s.press("fourth = split half color=rank%2\r")
			s.wait("fourth#3")
			s.press(esc)
			s.wait("q quit")
			s.press("q")
			s.wait("q again leaves")
			s.press("q")
			if code := s.leave(); code != 0 || strings.Contains(s.written(), "goroutine ") {
				t.Errorf("code %d, want 0; %q", code, s.written())
			}
		})
	}
}
