//go:build linux

package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"commsplit/repl"
)

// crashing, in the environment, makes the test binary a terminal UI that has the defect of that name.
const crashing = "COMMSPLIT_TEST_CRASH"

// crashes are defects: in Update, of a rank, in lines that run, and where ranks meet.
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
	"superstep": func(m *Model) (repl.Config, error) {
		m.console.Out = unheard{}
		return repl.Config{}, errBad
	},
}

// unheard panics at what ranks print. It is told when their task is done and all of them wait.
type unheard struct{}

func (unheard) Write(p []byte) (int, error) {
	if strings.HasPrefix(string(p), "[0-3] ") {
		panic("defect of superstep")
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

// A panic, wherever it is, gives the terminal back, tells in a line what happened, keeps what the session
// was told, and is no success.
func TestCrashRestoresTerminal(t *testing.T) {
	t.Parallel()
	const split = "|half = split world color=0|"
	for name, want := range map[string]struct{ line, kept string }{
		"update":    {"defect of update, in crash_test.go:", split},
		"rank":      {"defect of rank, in crash_test.go:", split},
		"superstep": {"defect of superstep, in crash_test.go:", split + "# This line was running:|# print(7)"},
		"line":      {"runtime error: invalid memory address or nil pointer dereference, in choices.go:", "-n 4 --topo"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
			s.wait("examples and lessons")
			s.press("\r")
			if name == "superstep" {
				s.press(":print(7)\r")
			}
			if code := s.leave(); code != 2 {
				t.Errorf("code %d, want 2", code)
			}
			out := s.written()
			_, after, given := strings.Cut(out, esc+"[?1049l")
			if !given || !strings.Contains(after, "a defect of commsplit: "+want.line) || strings.Contains(out, "goroutine ") {
				t.Errorf("after the screen: %q", out[max(0, len(out)-600):])
			}
			if _, kept, _ := strings.Cut(after, "kept: "); !strings.Contains(kept, want.kept) {
				t.Errorf("kept %q, want %q", kept, want.kept)
			}
			if strings.LastIndex(out, esc+"[?25h") < strings.LastIndex(out, esc+"[?25l") {
				t.Error("the cursor is not given back")
			}
		})
	}
}
