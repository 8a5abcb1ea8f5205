//go:build linux

package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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

// A panic at the prompt gives the terminal back and keeps what the session was told: as a script that
// runs, with what a report needs.
func TestPromptCrashes(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := startCommand(t, t.TempDir(), &exec.Cmd{Path: self, Args: []string{crashing, "repl", "-n", "4", "--topo", "pack:2 core:2"}})
	x.wait(four)
	x.enter("half = split world color=rank%2")
	x.wait(four)
	x.enter("print('crash')")
	if code := x.code(); code != 2 {
		t.Errorf("code %d", code)
	}
	mode, err := unix.IoctlGetTermios(int(x.keys.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	if mode.Lflag&unix.ECHO == 0 || mode.Lflag&unix.ICANON == 0 {
		t.Error("the terminal does not echo")
	}
	file := filepath.Join(x.state, "commsplit", "crash.mpi")
	for _, want := range []string{"a defect of commsplit: defect of print, in crash_test.go:", "This is commsplit ", "commsplit run gives your session again", file} {
		if !strings.Contains(x.text(), want) {
			t.Errorf("%q does not show in %q", want, x.text())
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "\n# print('crash')\n") || !strings.Contains(string(text), "goroutine ") {
		t.Errorf("kept %q, %v", text, err)
	}
	if again := run(t, "", "run", file); again.code != 0 || !strings.Contains(again.out, "half#2") {
		t.Errorf("run again: %v", again)
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
		x.press("print(1)\r")
		x.wait("1")
		x.press(ctrlD)
		if code := x.code(); code != 0 || !strings.Contains(x.text(), "note: the history was not saved: ") || strings.Contains(x.text(), "> note: ") {
			t.Errorf("%v: code %d, %q", args, code, x.text()[max(0, len(x.text())-200):])
		}
	}
}
