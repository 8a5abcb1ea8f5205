//go:build linux

package tui

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"commsplit/hw/judge"
)

// binary builds the program, once.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "commsplit-tui")
	if err != nil {
		return "", err
	}
	scratch = dir
	path := filepath.Join(dir, "commsplit")
	if out, err := judge.Go("build", "-o", path, "commsplit").CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// scratch is where the program was built; it goes at the end.
var scratch string

func TestMain(m *testing.M) {
	if defect := os.Getenv(crashing); defect != "" {
		crashMain(defect)
	}
	judge.Alone()
	code := m.Run()
	if scratch != "" {
		os.RemoveAll(scratch)
	}
	os.Exit(code)
}

// screen is the program on a terminal with an emulator behind it.
type screen struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	emu  *vt.SafeEmulator
	mu   sync.Mutex
	raw  strings.Builder // all that was written
	gone chan struct{}
}

// start runs the program on a terminal of 80x24. mute: it never answers what it is asked.
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

// wait waits until the screen has a text, or something else that is asked for.
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

// leave waits for the end of the program.
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
