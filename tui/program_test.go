package tui

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"

	"codeberg.org/commsplit/commsplit/repl"
)

const patience = 2 * time.Minute

// program runs the model as bubbletea does.
func program(t *testing.T, cfg repl.Config) *teatest.TestModel {
	t.Helper()
	m := New(Options{Config: cfg, Still: true})
	x := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(80, 24))
	t.Cleanup(func() { m.Close() })
	return x
}

func shows(t *testing.T, x *teatest.TestModel, text string) {
	t.Helper()
	teatest.WaitFor(t, x.Output(), func(out []byte) bool { return bytes.Contains(out, []byte(text)) },
		teatest.WithDuration(patience), teatest.WithCheckInterval(2*time.Millisecond))
}

// Every way out ends the program; the session keeps its state.
func TestWaysOut(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(x *teatest.TestModel){
		"Ctrl-D":   func(x *teatest.TestModel) { x.Send(keyMsg("ctrl+d")) },
		".quit":    func(x *teatest.TestModel) { x.Type(".quit"); x.Send(keyMsg("enter")) },
		"quit":     func(x *teatest.TestModel) { x.Type("quit"); x.Send(keyMsg("enter")) },
		"q twice":  func(x *teatest.TestModel) { x.Send(keyMsg("esc")); x.Type("qq") },
		"Ctrl-C":   func(x *teatest.TestModel) { x.Send(keyMsg("esc")); x.Send(keyMsg("ctrl+c")); x.Send(keyMsg("ctrl+c")) },
		"from out": func(x *teatest.TestModel) { x.Send(tea.QuitMsg{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := program(t, small)
			shows(t, x, "world[4]>")
			x.Type("half = split world color=rank%2")
			x.Send(keyMsg("enter"))
			shows(t, x, "half#2")
			leave(x)
			m, ok := x.FinalModel(t, teatest.WithFinalTimeout(patience)).(*Model)
			if !ok || m.Err() != nil || m.moment.Handle("half") < 0 {
				t.Errorf("the model at the end: %v, error %v", ok, m.Err())
			}
		})
	}
}

// A world that cannot be made ends the program with the reason.
func TestNoSession(t *testing.T) {
	t.Parallel()
	x := program(t, repl.Config{Topo: "no-such-file.xml"})
	m := x.FinalModel(t, teatest.WithFinalTimeout(patience)).(*Model)
	if m.Err() == nil || !strings.Contains(m.Err().Error(), "no-such-file.xml") {
		t.Errorf("the reason is %v", m.Err())
	}
	io.Copy(io.Discard, x.Output()) //nolint:errcheck // nothing more comes
}
