package tui

import (
	"fmt"
	"path"
	"runtime"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// crash is a panic, which is a defect of ours: what it said, and where.
type crash struct {
	value any
	where string
}

// Error is one line to report.
func (c *crash) Error() string {
	return fmt.Sprintf("a defect of commsplit: %v, in %s; please report this line", c.value, c.where)
}

// newCrash finds the place of a panic: the innermost function of ours below it.
func newCrash(value any) *crash {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for more, below := true, false; more; {
		var f runtime.Frame
		f, more = frames.Next()
		below = below || f.Function == "runtime.gopanic"
		if below && strings.HasPrefix(f.Function, "commsplit/") {
			return &crash{value, fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)}
		}
	}
	return &crash{value, "a place that is not known"}
}

// guard lets no panic end the program before the terminal is as it was: a panic becomes the error that
// the program ends with.
type guard struct {
	m    *Model
	quit func()

	mu    sync.Mutex
	first *crash
}

// err is the panic that there was; nil for none.
func (g *guard) err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first == nil {
		return nil
	}
	return g.first
}

// crashed ends the program for a panic.
func (g *guard) crashed(value any) {
	c := newCrash(value)
	g.mu.Lock()
	if g.first == nil {
		g.first = c
	}
	g.mu.Unlock()
	go g.quit() // it waits for the loop that this may run in
}

// rankCrashed ends the program for a panic of a rank, and keeps the rank from ending it sooner.
func (g *guard) rankCrashed(value any) {
	g.crashed(value)
	select {}
}

// Init is that of the model.
func (g *guard) Init() tea.Cmd {
	g.m.crashed = g.rankCrashed
	return g.safe(g.m.Init())
}

// Update is that of the model.
func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			g.crashed(r)
			next, cmd = g, tea.Quit
		}
	}()
	if g.err() != nil {
		return g, nil
	}
	_, cmd = g.m.Update(msg)
	return g, g.safe(cmd)
}

// safe is a command that does not panic; what it may begin, neither.
func (g *guard) safe(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				g.crashed(r)
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.safe(batch[i])
			}
		}
		return msg
	}
}

// View is that of the model.
func (g *guard) View() (frame string) {
	defer func() {
		if r := recover(); r != nil {
			g.crashed(r)
			frame = ""
		}
	}()
	if g.err() != nil {
		return ""
	}
	return g.m.View()
}
