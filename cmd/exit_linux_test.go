//go:build linux

package cmd_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// A process that was stopped and goes on edits lines as before, though the shell has set the terminal to its
// own mode: what is typed is not echoed twice.
func TestPromptStopped(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("while True: pass")
	x.press("\r")
	cooked, err := unix.IoctlGetTermios(int(x.keys.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	cooked.Lflag |= unix.ECHO | unix.ICANON
	if err := unix.IoctlSetTermios(int(x.keys.Fd()), unix.TCSETS, cooked); err != nil {
		t.Fatal(err)
	}
	x.pressUntil(ctrlC, "interrupted")
	x.wait(four)
	mode, err := unix.IoctlGetTermios(int(x.keys.Fd()), unix.TCGETS)
	if err != nil || mode.Lflag&(unix.ECHO|unix.ICANON) != 0 {
		t.Errorf("the terminal echoes: %x, %v", mode.Lflag, err)
	}
}

// A panic at the prompt fails the line with one sentence, and the session goes on as before it.
func TestPromptCrashes(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := startCommand(t, t.TempDir(), &exec.Cmd{Path: self, Args: []string{crashing, "repl", "-n", "4", "--topo", "pack:2 core:2"}})
	x.wait(four)
	x.enter("half = split world color=rank%2", four)
	x.enter("print('crash')", "a bug in commsplit: defect of print, in crash_test.go:", four)
	x.enter("print(half.size)", "[0-3] 2", four)
	x.press(ctrlD)
	if code := x.code(); code != 0 || strings.Contains(x.text(), "goroutine ") {
		t.Errorf("code %d, %q", code, x.text())
	}
}

// A panic in a script, or in lines of a pipe, ends the run with one sentence and a code; the stack is in the file of which a
// second sentence tells.
func TestRunCrashes(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const lines = "half = split world color=rank%2\nprint('crash')\nprint('not reached')\n"
	script := filepath.Join(t.TempDir(), "s.mpi")
	if err := os.WriteFile(script, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run", script}, {"repl"}, {"-c", "half = split world color=rank%2", "-c", "print('crash')"}} {
		state := t.TempDir()
		var errs strings.Builder
		c := &exec.Cmd{Path: self, Args: append([]string{crashing}, append(args, "-n", "4", "--topo", "pack:2 core:2")...),
			Stdin: strings.NewReader(lines), Stderr: &errs, Env: append(os.Environ(), "XDG_STATE_HOME="+state)}
		out, err := c.Output()
		if e := (*exec.ExitError)(nil); !errors.As(err, &e) || e.ExitCode() != 2 {
			t.Errorf("%v: %v", args, err)
		}
		if text := errs.String(); !strings.HasPrefix(text, "error: a bug in commsplit: defect of print, in crash_test.go:") ||
			strings.Contains(text+string(out), "goroutine ") || strings.Contains(string(out), "not reached") {
			t.Errorf("%v: told %q, printed %q", args, text, out)
		}
		text, err := os.ReadFile(filepath.Join(state, "commsplit", "crash.mpi"))
		if err != nil || !strings.Contains(string(text), "goroutine ") {
			t.Errorf("%v: kept %q, %v", args, text, err)
		}
	}
}

// Where the history cannot be kept, the prompt and the terminal UI say so, and end well.
func TestNoHistory(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"repl"}, {}} {
		state := filepath.Join(t.TempDir(), "a file")
		if err := os.WriteFile(state, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		x := start(t, state, append(args, "-n", "4", "--topo", "pack:2 core:2")...)
		x.wait("world[4]>")
		x.press("print(1)\r", "1")
		x.press(ctrlD)
		if code := x.code(); code != 0 || !strings.Contains(x.text(), "note: the history was not saved: ") || strings.Contains(x.text(), "> note: ") {
			t.Errorf("%v: code %d, %q", args, code, x.text()[max(0, len(x.text())-200):])
		}
	}
}

// A signal but Ctrl-C's ends the prompt at once, also while a line runs: the terminal is as it was, the
// history is kept, and the code is 128 and the signal's number.
func TestPromptSignaled(t *testing.T) {
	t.Parallel()
	for _, c := range signals {
		if c.signal == syscall.SIGINT {
			continue // ends a line, not the prompt
		}
		for _, line := range []string{"print(1)", "while True: pass"} {
			t.Run(c.says+" "+line, func(t *testing.T) {
				t.Parallel()
				x := prompted(t)
				before, err := unix.IoctlGetTermios(int(x.keys.Fd()), unix.TCGETS)
				if err != nil {
					t.Fatal(err)
				}
				if before.Lflag&unix.ICANON != 0 {
					t.Fatal("lines are not edited")
				}
				x.enter(line)
				if line == "print(1)" {
					x.wait(four)
				}
				if err := x.cmd.Process.Signal(c.signal); err != nil {
					t.Fatal(err)
				}
				if code := x.code(); code != c.code || !strings.Contains(x.text(), c.says) || strings.Contains(x.text(), "goroutine") {
					t.Errorf("code %d, want %d; shows %q", code, c.code, x.text())
				}
				mode, err := unix.IoctlGetTermios(int(x.keys.Fd()), unix.TCGETS)
				if err != nil || mode.Lflag&unix.ECHO == 0 || mode.Lflag&unix.ICANON == 0 || mode.Iflag&unix.ICRNL == 0 {
					t.Errorf("the terminal is not as it was: %+v, %v", mode, err)
				}
				history, err := os.ReadFile(filepath.Join(x.state, "commsplit", "history"))
				if err != nil || !strings.HasPrefix(string(history), line+"\n") {
					t.Errorf("the history has %q, %v", history, err)
				}
			})
		}
	}
}

// Closing the window ends the prompt and the terminal UI with 129, and the history is kept, whether lines
// still run or not.
func TestWindowClosed(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"repl"}, {}} {
		x := start(t, t.TempDir(), append(args, "-n", "4", "--topo", "pack:2 core:2")...)
		x.wait("world[4]>")
		const line = "print('on')"
		x.press(strings.Repeat(line+"\r", 100), "[0-3] on")
		x.keys.Close()
		if code := x.code(); code != 129 {
			t.Errorf("%q: code %d, want 129", args, code)
		}
		history, err := os.ReadFile(filepath.Join(x.state, "commsplit", "history"))
		if err != nil || string(history) != line+"\n" {
			t.Errorf("%q: the history has %q, %v", args, history, err)
		}
	}
}

// A session that is killed, at the prompt or in the terminal UI, is offered by the next start of either, and
// .recover brings its world and its lines back: what was undone, failed, or is another world's is not run
// again. The session of an instance that lives is offered to nobody, nor one that ended as it should. What was brought
// back is kept, and offered as such, until .recover drop.
func TestRecover(t *testing.T) {
	t.Parallel()
	const offer = "ended early: .recover brings it back."
	for _, first := range [][]string{{"repl"}, {}} {
		state := t.TempDir()
		x := start(t, state, append(first, "-n", "2", "--topo", "pack:2 core:4")...)
		x.wait("world[2]>")
		for _, line := range []string{"dup world", ".world 4", "half = split world color=rank%2", "dup half", ".undo", "split world color=-1",
			"def f(c):\r    return c.Dup()\r", "mine = f(half)", "mine.size"} {
			x.press(line + "\r")
		}
		x.until("a journal with mine.size", func() bool {
			files, _ := filepath.Glob(filepath.Join(state, "commsplit", "*.journal"))
			if len(files) != 1 {
				return false
			}
			text, _ := os.ReadFile(files[0])
			return strings.Contains(string(text), `"mine.size"`)
		})
		beside := start(t, state, "repl", "-n", "3", "--topo", "core:3")
		beside.wait("world[3]>")
		if strings.Contains(beside.text(), offer) {
			t.Errorf("%q: the session of an instance that lives is offered", first)
		}
		x.cmd.Process.Kill() //nolint:errcheck // it runs
		x.code()
		beside.enter("print(1)", "[0-2] 1")
		beside.press(ctrlD)
		beside.code()

		again := start(t, state, "repl", "-n", "1", "--topo", "core:1")
		again.wait(offer, "world[1]> ")
		again.enter(".recover list", "4 lines on -n 4 --topo \"pack:2 core:4\", the last: mine.size", "world[1]> ")
		again.enter(".recover", "4 ranks on pack:2 core:4", "brought back 4 lines", four)
		again.enter("mine.size", "[0-3] 2", four)
		again.enter("dup1.size") // of the line that was undone
		again.wait("dup1 is not defined", four)
		again.cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it runs
		again.ends(143)

		screen := start(t, state, "-n", "1", "--topo", "core:1")
		screen.wait("ended early: .recover brings it back (.recover list shows 1 more).")
		screen.press(".recover\r", "mine#")
		screen.press(ctrlD)
		screen.ends(0)
		last := start(t, state, "repl", "-n", "1", "--topo", "core:1")
		last.wait("is still kept after .recover: .recover drop removes it (.recover\r\nlist shows 1 more).")
		last.wait("world[1]> ")
		last.enter(".recover drop", "removed 2 sessions")
		last.press(ctrlD)
		last.code()
		files, err := filepath.Glob(filepath.Join(state, "commsplit", "*.journal"))
		if err != nil || len(files) > 0 {
			t.Errorf("journals of sessions that ended well: %v, %v", files, err)
		}
	}
}

// In a window however narrow lines are edited, in several rows: Tab completes, Ctrl-C gives up a statement that was
// begun. When it is wide again, a row is enough.
func TestPromptNarrow(t *testing.T) {
	t.Parallel()
	for _, narrow := range []uint16{12, 5, 1} {
		x := prompted(t)
		resize := func(columns uint16) {
			t.Helper()
			if err := pty.Setsize(x.keys, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
				t.Fatal(err)
			}
			x.wait("\x1b[J") // it is drawn anew
		}
		resize(narrow)
		x.press("x = (\r", "\n")
		x.press("\r", "\n")
		x.press("z")
		x.wait("z") // its echo tells that the next key is one
		x.press(ctrlC, "^C")
		x.press("print('narrow')\r", "[0-3] narrow")
		resize(80)
		x.press("\r", four)
		x.press("half = dup wor\t", "dup world")
		x.press("\r", "half#2", four)
		x.press(ctrlD)
		if code := x.code(); code != 0 {
			t.Errorf("%d columns: code %d", narrow, code)
		}
	}
}

// A process that was stopped at the prompt draws the line again when it goes on, and edits it as before, though the
// shell has set the terminal to its own mode.
func TestPromptGoesOn(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	raw, err := unix.IoctlGetTermios(int(x.keys.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	x.press("dup wor", "dup wor")
	x.cmd.Process.Signal(syscall.SIGSTOP) //nolint:errcheck // it runs
	x.until("process that is stopped", func() bool {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", x.cmd.Process.Pid))
		return strings.Contains(string(stat), ") T ")
	})
	cooked := *raw
	cooked.Lflag |= unix.ECHO | unix.ICANON
	if err := unix.IoctlSetTermios(int(x.keys.Fd()), unix.TCSETS, &cooked); err != nil {
		t.Fatal(err)
	}
	x.cmd.Process.Signal(syscall.SIGCONT) //nolint:errcheck // it is stopped
	x.wait("dup wor")
	x.press("\t\r", "dup world", "dup1#2")
}
