package tui

import (
	"context"
	"os"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// Run shows the terminal UI until the person leaves. Its error tells why no session could be opened, the cause with
// which ctx was cancelled, or that the terminal is gone (edit.ErrGone). The caller handles signals, and cancels
// ctx.
func Run(ctx context.Context, o Options, in *os.File, out *os.File) error {
	return show(ctx, New(o), in, out)
}

func show(ctx context.Context, m *Model, in, out *os.File) error {
	screen := newTerminal(out, out)
	defer screen.finish()
	m.opts.Copy, m.opts.Slow = screen.copy, screen.slow
	g := &guard{m: m, screen: screen}
	options := append(screen.options(), tea.WithContext(ctx), tea.WithoutSignalHandler())
	var program *tea.Program
	if m.opts.Ask {
		keys := &hearing{File: in, heard: func(dark bool) { go program.Send(news(func(m *Model) tea.Cmd { m.setBackground(dark); return nil })) }}
		screen.ask = ansi.RequestBackgroundColor
		options = append(options, tea.WithInput(keys), tea.WithFilter(keys.beforeLeaving(func() { program.Quit() })))
	} else {
		options = append(options, tea.WithInput(in))
	}
	if m.opts.Mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	program = tea.NewProgram(g, options...)
	g.quit = program.Quit
	_, err := program.Run()
	if crash := g.crash(); crash != nil {
		if m.console != nil {
			stories.Keep(crash, m.console.Session)
		}
		return crash
	}
	m.Close()
	switch {
	case m.Err() != nil:
		return m.Err()
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && edit.Gone(in):
		return edit.ErrGone
	case err != nil:
		return err
	}
	if m.console != nil {
		m.console.EndJournal()
	}
	return nil
}

// guard keeps panics from ending the program before the terminal is restored: a panic becomes the error that the
// program returns.
type guard struct {
	m      *Model
	screen *terminal
	quit   func()

	mu    sync.Mutex
	first *repl.Crash
}

// crash returns the first panic; nil for none.
func (g *guard) crash() *repl.Crash {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.first
}

// caught, when deferred, records a panic and ends the program.
func (g *guard) caught() {
	value := recover()
	if value == nil {
		return
	}
	c := repl.NewCrash(value)
	g.mu.Lock()
	if g.first == nil {
		g.first = c
	}
	g.mu.Unlock()
	go g.quit() // quit waits for the loop that may be running this
}

// Init calls the model's Init.
func (g *guard) Init() tea.Cmd {
	return g.safe(g.m.Init())
}

// Update calls the model's Update.
func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer g.caught()
	if next = g; g.crash() != nil {
		return g, nil
	}
	switch msg.(type) {
	case tea.WindowSizeMsg:
		g.screen.forget()
	case tea.ResumeMsg:
		if g.m.opts.Mouse { // bubbletea switches the mouse off for the shell, but not on again
			return g, tea.EnableMouseCellMotion
		}
	}
	_, cmd = g.m.Update(msg)
	return g, g.safe(cmd)
}

// safe returns a command that does the same but does not panic; nor do the commands of a batch that it returns.
func (g *guard) safe(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.caught()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.safe(batch[i])
			}
		}
		return msg
	}
}

// View shows the model's View. It returns "", so that bubbletea's renderer gets nothing.
func (g *guard) View() string {
	defer g.caught()
	if g.crash() == nil {
		g.screen.show(g.m.View())
	}
	return ""
}

// copyPane copies the whole focused pane, including the lines and columns that do not show.
func (m *Model) copyPane() tea.Cmd {
	r, ok := m.layout.of(m.focus)
	if !ok {
		return nil
	}
	r.h, r.x, r.w = 1<<12, 0, max(r.w, leastWidth)
	defer m.focused().bookmark()() // keeps the pane scrolled as it is
	m.log.back = 0
	var b strings.Builder
	for _, l := range m.pane(r)[1:] {
		b.WriteString(strings.TrimRight(l.Plain(), " ") + "\n")
	}
	return m.copy(b.String(), paneTable[m.focus].name)
}

// copyScript copies the script that .save would write.
func (m *Model) copyScript() tea.Cmd {
	if !m.free() {
		return nil
	}
	return m.copy(stories.Text(m.console.Session), "the session")
}

func (m *Model) copy(text, what string) tea.Cmd {
	if m.opts.Copy == nil {
		return nil
	}
	return func() tea.Msg {
		told := what + " went to the terminal's clipboard"
		if err := m.opts.Copy(text); err != nil {
			told = "not copied: " + err.Error()
		}
		return news(func(m *Model) tea.Cmd { m.notice = told; return nil })
	}
}
