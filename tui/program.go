package tui

import (
	"context"
	"io"
	"os"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"commsplit/repl/edit"
)

// framesPerSecond is how often bubbletea looks for a new frame: a key shows within 14 ms, and an idle
// program wakes no more often than it must for that.
const framesPerSecond = 75

// Run shows the terminal UI until the person leaves. It returns why there was no session, if that is
// so, the cause of the end of ctx, or edit.ErrGone without a terminal. Signals are the caller's, who
// ends ctx.
func Run(ctx context.Context, o Options, in *os.File, out *os.File) error {
	return show(ctx, New(o), in, out)
}

func show(ctx context.Context, m *Model, in, out *os.File) error {
	screen := &shared{w: out}
	m.opts.Copy = screen.copy
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

// shared is a terminal that frames and the clipboard are written to, one after the other.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

// Write writes a frame.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

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
