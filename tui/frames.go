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

// terminal is what the program writes to. Bubbletea's renderer looks for a new frame only when its clock ticks, which
// makes each key wait for a tick, and wakes an idle program with every one; so bubbletea switches the modes of the
// terminal, and frames go past its renderer: show writes them as soon as they are made.
//
// Bubbletea writes modes as strings, by io.WriteString, and frames as bytes; Write drops the latter.
type terminal struct {
	file *os.File // bubbletea asks it for its size; nil in tests
	w    io.Writer

	mu   sync.Mutex   // of what is written, of up and rows
	up   bool         // the alternate screen is on: frames may be written
	ask  string       // is asked once, after the first frame
	rows []string     // that the screen shows; nil: nobody knows
	took atomic.Int64 // nanoseconds for the slowest of the last frames

	next chan string // has room for the newest frame
	end  chan struct{}
	gone chan struct{} // closed when no frame is written any more
}

// ticks is how often a second bubbletea's renderer wakes up, for nothing: the least that it can be told.
const ticks = 1

// newTerminal begins to write frames. finish ends that.
func newTerminal(w io.Writer, file *os.File) *terminal {
	t := &terminal{w: w, file: file, next: make(chan string, 1), end: make(chan struct{}), gone: make(chan struct{})}
	go t.writeFrames()
	return t
}

// options are those by which bubbletea writes here.
func (t *terminal) options() []tea.ProgramOption {
	return []tea.ProgramOption{tea.WithOutput(t), tea.WithFPS(ticks), tea.WithAltScreen()}
}

// finish ends the writing of frames.
func (t *terminal) finish() {
	close(t.end)
	<-t.gone
}

// show has a frame written, in place of an earlier one that waits yet. It waits for nothing.
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

// forget has the next frame written whole.
func (t *terminal) forget() {
	t.mu.Lock()
	t.rows = nil
	t.mu.Unlock()
}

// betweenFrames is how long a frame stays at least, so that keys which come fast do not fill the line to a terminal that is
// far away. The frame after a rest waits for nothing.
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

// frame writes the lines that are not on the screen yet.
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
	t.took.Store(max(int64(time.Since(began)), t.took.Load()*3/4)) // a slow frame is forgotten after some fast ones
}

// slowFrame is how long a terminal may take for a frame: where it takes longer, pictures that follow each
// other fast would only come late.
const slowFrame = 40 * time.Millisecond

// slow reports whether the terminal is slow just now.
func (t *terminal) slow() bool { return time.Duration(t.took.Load()) > slowFrame }

// copy asks the terminal to take a text into its clipboard (OSC 52).
func (t *terminal) copy(text string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := io.WriteString(t.w, ansi.SetSystemClipboard(text))
	return err
}

// WriteString writes a sequence of bubbletea's that switches a mode.
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

// Write takes a frame of bubbletea's renderer, which has none that counts.
func (t *terminal) Write(p []byte) (int, error) { return len(p), nil }

// Read makes it a terminal's file for bubbletea; nothing is read from it.
func (t *terminal) Read(p []byte) (int, error) { return t.file.Read(p) }

// Close leaves the file open: it is the program's.
func (t *terminal) Close() error { return nil }

// Fd is the terminal.
func (t *terminal) Fd() uintptr { return t.file.Fd() }
