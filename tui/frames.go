package tui

import (
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// terminal is the output of the program. Bubbletea's renderer looks for a new frame only when its clock ticks: each
// key would wait for a tick, and every tick wakes an idle program. So bubbletea only switches the modes of the
// terminal, and show writes frames as soon as they are made.
//
// Bubbletea writes modes as strings, by io.WriteString, and frames as bytes; Write drops the frames.
type terminal struct {
	file *os.File // bubbletea asks it for its size; nil in tests
	w    io.Writer

	mu   sync.Mutex   // guards writing, up and rows
	up   bool         // the alternate screen is on: frames may be written
	ask  string       // a question to the terminal, sent once after the first frame
	rows []string     // on the screen; nil: unknown
	took atomic.Int64 // nanoseconds for the slowest of the last frames

	next chan string // the newest frame that is not written yet
	end  chan struct{}
	gone chan struct{} // closed after the last frame
}

// ticks is how often per second bubbletea's renderer wakes up, which nobody needs: the lowest rate that bubbletea
// accepts.
const ticks = 1

// newTerminal returns a terminal that writes frames until finish.
func newTerminal(w io.Writer, file *os.File) *terminal {
	t := &terminal{w: w, file: file, next: make(chan string, 1), end: make(chan struct{}), gone: make(chan struct{})}
	go t.writeFrames()
	return t
}

// options returns the options by which bubbletea writes to t.
func (t *terminal) options() []tea.ProgramOption {
	return []tea.ProgramOption{tea.WithOutput(t), tea.WithFPS(ticks), tea.WithAltScreen()}
}

// finish ends the writing of frames, and waits for that.
func (t *terminal) finish() {
	close(t.end)
	<-t.gone
}

// show passes a frame to the writer. It replaces an earlier frame that is not written yet, and does not wait.
func (t *terminal) show(frame string) {
	for {
		select {
		case t.next <- frame:
			return
		default:
		}
		select {
		case <-t.next:
		default:
		}
	}
}

// forget makes the terminal write the whole next frame.
func (t *terminal) forget() {
	t.mu.Lock()
	t.rows = nil
	t.mu.Unlock()
}

// betweenFrames is the least time between two frames, so that fast keys do not flood the line to a distant
// terminal. The first frame after a pause does not wait.
const betweenFrames = 8 * time.Millisecond

func (t *terminal) writeFrames() {
	defer close(t.gone)
	for {
		select {
		case <-t.end:
			return
		case frame := <-t.next:
			t.frame(frame)
		}
		select {
		case <-t.end:
			return
		case <-time.After(betweenFrames):
		}
	}
}

// frame writes those rows of a frame that are not on the screen yet.
func (t *terminal) frame(frame string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.up || frame == "" {
		return
	}
	rows := strings.Split(frame, "\n")
	known := len(t.rows) == len(rows)
	var b strings.Builder
	if !known {
		b.WriteString(ansi.EraseEntireScreen)
	}
	for y, row := range rows {
		if !known || row != t.rows[y] {
			b.WriteString(ansi.CursorPosition(1, y+1))
			b.WriteString(row)
		}
	}
	t.rows = rows
	if b.Len() == 0 {
		return
	}
	b.WriteString(t.ask)
	t.ask = ""
	began := time.Now()
	io.WriteString(t.w, b.String())                                //nolint:errcheck // a terminal that is gone is noticed where keys are read
	t.took.Store(max(int64(time.Since(began)), t.took.Load()*3/4)) // some fast frames make up for a slow one
}

// slowFrame is the longest time that a terminal may take for a frame while pictures follow each other fast.
const slowFrame = 40 * time.Millisecond

// slow reports whether the terminal is slow at the moment.
func (t *terminal) slow() bool { return time.Duration(t.took.Load()) > slowFrame }

// copy asks the terminal to put a text into its clipboard (OSC 52).
func (t *terminal) copy(text string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := io.WriteString(t.w, ansi.SetSystemClipboard(text))
	return err
}

// WriteString writes a sequence of bubbletea that switches a mode.
func (t *terminal) WriteString(s string) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch s {
	case ansi.SetModeAltScreenSaveCursor:
		t.up, t.rows = true, nil
	case ansi.ResetModeAltScreenSaveCursor:
		t.up = false
	case ansi.EraseEntireScreen:
		t.rows = nil
	}
	return io.WriteString(t.w, s)
}

// Write drops a frame of bubbletea's renderer.
func (t *terminal) Write(p []byte) (int, error) { return len(p), nil }

// Read makes t a terminal's file for bubbletea, which never calls it.
func (t *terminal) Read(p []byte) (int, error) { return t.file.Read(p) }

// Close does nothing: the program owns the file.
func (t *terminal) Close() error { return nil }

// Fd returns the terminal's file descriptor.
func (t *terminal) Fd() uintptr { return t.file.Fd() }
