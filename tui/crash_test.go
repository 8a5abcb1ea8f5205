//go:build linux

package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"commsplit/repl"
)

// crashing, in the environment, makes the test binary a terminal UI that has the defect of that name.
const crashing = "COMMSPLIT_TEST_CRASH"

// crashes are defects: in Update, in a command, in lines that run, and of a rank.
var crashes = map[string]func(m *Model) (repl.Config, error){
	"update": func(*Model) (repl.Config, error) { panic("defect of update") },
	"rank": func(m *Model) (repl.Config, error) {
		go func() { // as the goroutine of a rank does
			defer func() { m.console.Session.Crashed(recover()) }()
			panic("defect of rank")
		}()
		return repl.Config{}, errBad
	},
	"line": func(m *Model) (repl.Config, error) {
		m.console.Out = nil // what the line writes to
		return small, nil
	},
}

func crashMain(name string) {
	var m *Model
	o := Options{Config: small, Still: true}
	o.Flags = func([]string) (repl.Config, error) { return crashes[name](m) }
	m = New(o)
	if err := show(context.Background(), m, os.Stdin, os.Stdout); err != nil {
		fmt.Println("error:", err)
		os.Exit(2)
	}
	os.Exit(0)
}

// A panic, wherever it is, gives the terminal back, tells in a line what happened, and is no success.
func TestCrashRestoresTerminal(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"update": "a defect of commsplit: defect of update, in crash_test.go:",
		"rank":   "a defect of commsplit: defect of rank, in crash_test.go:",
		"line":   "a defect of commsplit: runtime error: invalid memory address or nil pointer dereference, in choices.go:",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			s := startCommand(t, false, []string{crashing + "=" + name}, exec.Command(self))
			s.wait("world[4]>")
			s.press(esc)
			s.wait("q quit")
			s.press("o")
			s.wait("examples and lessons")
			s.press("\r")
			if code := s.leave(); code != 2 {
				t.Errorf("code %d, want 2", code)
			}
			out := s.written()
			_, after, given := strings.Cut(out, esc+"[?1049l")
			if !given || !strings.Contains(after, want) || strings.Contains(out, "goroutine ") {
				t.Errorf("after the screen: %q", out[max(0, len(out)-600):])
			}
			if strings.LastIndex(out, esc+"[?25h") < strings.LastIndex(out, esc+"[?25l") {
				t.Error("the cursor is not given back")
			}
		})
	}
}
