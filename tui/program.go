package tui

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"commsplit/repl"
	"commsplit/repl/edit"
)

// framesPerSecond is how often bubbletea looks for a new frame: a key shows within 14 ms, and an idle
// program wakes no more often than it must for that.
const framesPerSecond = 75

// Run shows the terminal UI until the person leaves. Its error is the reason why no session could be
// opened, the cause for which ctx ended, or edit.ErrGone when the terminal is gone. The caller handles
// signals, and ends ctx.
func Run(ctx context.Context, o Options, in *os.File, out *os.File) error {
	return show(ctx, New(o), in, out)
}

func show(ctx context.Context, m *Model, in, out *os.File) error {
	screen := &shared{w: out}
	m.opts.Copy, m.opts.Slow = screen.copy, screen.slow
	g := &guard{m: m}
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithInput(in), tea.WithOutput(&onFile{screen, out}), tea.WithAltScreen(), tea.WithFPS(framesPerSecond)}
	if m.opts.Mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	program := tea.NewProgram(g, options...)
	g.quit = program.Quit
	_, err := program.Run()
	if crash := g.crash(); crash != nil {
		if m.console != nil {
			crash.Keep(m.console.Session)
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

// shared is a terminal to which frames and the clipboard are written, one after the other.
type shared struct {
	mu   sync.Mutex
	w    io.Writer
	took atomic.Int64 // nanoseconds for the slowest of the last frames
}

// Write writes a frame.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	began := time.Now()
	n, err := s.w.Write(p)
	s.took.Store(max(int64(time.Since(began)), s.took.Load()*3/4)) // a slow frame is forgotten after some fast ones
	return n, err
}

// slowFrame is how long a terminal may take for a frame: where it takes longer, pictures that follow each
// other fast would only come late.
const slowFrame = 40 * time.Millisecond

// slow reports whether the terminal is slow just now.
func (s *shared) slow() bool { return time.Duration(s.took.Load()) > slowFrame }

// copy asks the terminal to take a text into its clipboard (OSC 52).
func (s *shared) copy(text string) error {
	_, err := io.WriteString(s, ansi.SetSystemClipboard(text))
	return err
}

// onFile is shared, and the file that it writes to: bubbletea asks that for its size.
type onFile struct {
	*shared
	file *os.File
}

// Read and Close make it a terminal's file for bubbletea; nothing is read from it.
func (f *onFile) Read(p []byte) (int, error) { return f.file.Read(p) }

// Close leaves the file open: it is the program's.
func (f *onFile) Close() error { return nil }

// Fd is the terminal.
func (f *onFile) Fd() uintptr { return f.file.Fd() }

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

// Init calls the model's Init.
func (g *guard) Init() tea.Cmd {
	g.m.crashed = g.rankCrashed
	return g.safe(g.m.Init())
}

// Update calls the model's Update.
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

// safe makes a command that does not panic, nor do the commands of its batch.
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

// View calls the model's View.
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

// copiedMsg says that a text went to the clipboard, or why not.
type copiedMsg string

// copyPane copies the whole focused pane, also the lines that do not show.
func (m *Model) copyPane() tea.Cmd {
	r, ok := m.layout.of(m.focus)
	if !ok {
		return nil
	}
	r.h, r.x = 1<<12, 0
	defer m.focused().bookmark()() // the screen stays scrolled as it is
	m.log.back = 0
	var b strings.Builder
	for _, l := range m.pane(r)[1:] {
		b.WriteString(strings.TrimRight(l.Plain(), " ") + "\n")
	}
	return m.copy(b.String(), paneTable[m.focus].name)
}

// copyScript copies the script that .save would write.
func (m *Model) copyScript() tea.Cmd {
	if !m.idle() {
		return nil
	}
	return m.copy(m.console.Session.Text(), "the session")
}

func (m *Model) copy(text, what string) tea.Cmd {
	if m.opts.Copy == nil {
		return nil
	}
	return func() tea.Msg {
		if err := m.opts.Copy(text); err != nil {
			return copiedMsg("not copied: " + err.Error())
		}
		return copiedMsg(what + " went to the terminal's clipboard")
	}
}
