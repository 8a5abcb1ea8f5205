//go:build linux

package cmd_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// patience bounds every wait; nothing here should take a second.
const patience = 2 * time.Minute

// terminal is the program on a terminal that shows what is written and never answers a question.
type terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	keys  *os.File
	state string // XDG_STATE_HOME

	mu     sync.Mutex
	shown  bytes.Buffer
	seen   int // bytes of shown that earlier waits have dealt with
	closed chan struct{}
}

// start runs the program. state is its XDG_STATE_HOME.
func start(t *testing.T, state string, args ...string) *terminal {
	t.Helper()
	return startCommand(t, state, exec.Command("commsplit", args...))
}

func startCommand(t *testing.T, state string, cmd *exec.Cmd) *terminal {
	t.Helper()
	var err error
	x := &terminal{t: t, state: state, closed: make(chan struct{}), cmd: cmd}
	x.cmd.Env = append([]string{"TERM=xterm-256color", "HOME=" + state, "XDG_STATE_HOME=" + state, "GORACE=atexit_sleep_ms=0"}, cmd.Env...)
	x.keys, err = pty.StartWithSize(x.cmd, &pty.Winsize{Rows: 24, Cols: 100})
	if err != nil {
		t.Skipf("no pty: %v", err)
	}
	x.keys = closable(t, x.keys)
	go x.read()
	t.Cleanup(func() {
		x.cmd.Process.Kill() //nolint:errcheck // it may have ended
		x.keys.Close()
		<-x.closed
	})
	return x
}

// closable gives a file whose Close ends a Read that waits: otherwise the terminal stays open until something comes.
func closable(t *testing.T, f *os.File) *os.File {
	t.Helper()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = errors.Join(unix.SetNonblock(fd, true), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), f.Name())
}

// read collects what the terminal shows until the program has gone.
func (x *terminal) read() {
	defer close(x.closed)
	buf := make([]byte, 4096)
	for {
		n, err := x.keys.Read(buf)
		x.mu.Lock()
		x.shown.Write(buf[:n])
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// text is all that was shown.
func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.shown.String()
}

// press presses keys and waits for what they show.
func (x *terminal) press(keys string, shows ...string) {
	x.t.Helper()
	if _, err := io.WriteString(x.keys, keys); err != nil {
		x.t.Fatal(err)
	}
	x.wait(shows...)
}

// wait waits until the texts show, one behind the other, after what earlier waits have seen.
func (x *terminal) wait(texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		x.waitFor(text)
	}
}

func (x *terminal) waitFor(text string) {
	x.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		all := x.text()
		if i := strings.Index(all[x.seen:], text); i >= 0 {
			x.seen += i + len(text)
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("%q does not show after %q (all %q)", text, all[x.seen:], all)
		}
	}
}

// until waits for something else than what shows.
func (x *terminal) until(what string, there func() bool) {
	x.t.Helper()
	for end := time.Now().Add(patience); !there(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			x.t.Fatalf("there is no %s; it shows %q", what, x.text()[x.seen:])
		}
	}
}

// enter types a line, and waits for its echo and for what the line shows.
func (x *terminal) enter(line string, shows ...string) {
	x.t.Helper()
	x.press(line+"\r", "\n")
	x.wait(shows...)
}

// ends waits for the end of the program, which is to give a code.
func (x *terminal) ends(want int) {
	x.t.Helper()
	if code := x.code(); code != want {
		x.t.Errorf("code %d, want %d; it shows %q", code, want, x.text())
	}
}

// code waits for the end of the program.
func (x *terminal) code() int {
	x.t.Helper()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		x.t.Fatalf("the program does not end; it shows %q", x.text()[x.seen:])
	}
	<-x.closed
	return x.cmd.ProcessState.ExitCode()
}

// pressUntil presses a key again and again, as the impatient do, until the text shows.
func (x *terminal) pressUntil(key, text string) {
	x.t.Helper()
	for end := time.Now().Add(patience); !strings.Contains(x.text()[x.seen:], text); {
		if time.Now().After(end) {
			x.t.Fatalf("%q does not show after %q", text, x.text()[x.seen:])
		}
		x.press(key)
		time.Sleep(time.Millisecond)
	}
	x.wait(text)
}
