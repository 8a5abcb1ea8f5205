package tui

import (
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/repl"
)

// guard lets no panic end the program before the terminal is as it was: a panic becomes the error that
// the program ends with.
type guard struct {
	m    *Model
	quit func()

	mu    sync.Mutex
	first *repl.Crash
}

// crash is the panic that there was; nil for none.
func (g *guard) crash() *repl.Crash {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.first
}

// crashed ends the program for a panic.
func (g *guard) crashed(value any) {
	c := repl.NewCrash(value)
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
	if g.crash() != nil {
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
	if g.crash() != nil {
		return ""
	}
	return g.m.View()
}
