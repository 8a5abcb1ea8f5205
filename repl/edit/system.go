package edit

import (
	"errors"
	"os"
	"sync"

	"golang.org/x/term"
)

// systemTerminal is the terminal of the process.
type systemTerminal struct {
	in, out *os.File
	changes chan os.Signal

	mu     sync.Mutex
	before *term.State // the state to restore, while the terminal is raw; nil: it is not raw
	ended  bool        // the terminal must not become raw any more
}

func newSystemTerminal() *systemTerminal {
	t := &systemTerminal{in: os.Stdin, out: os.Stdout, changes: make(chan os.Signal, 4)}
	tellChanges(t.changes)
	return t
}

func (t *systemTerminal) Read(b []byte) (int, error)  { return t.in.Read(b) }
func (t *systemTerminal) Write(b []byte) (int, error) { return t.out.Write(b) }

func (t *systemTerminal) raw() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return errors.New("reading has ended")
	}
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return err
	}
	if t.before == nil {
		t.before = before
	}
	if err := takeCommands(t.out); err != nil {
		t.restore()
		return err
	}
	return nil
}

func (t *systemTerminal) ahead() bool { return waits(t.in) }

func (t *systemTerminal) restore() {
	if t.before != nil {
		term.Restore(int(t.in.Fd()), t.before) //nolint:errcheck // the terminal may be gone
		t.before = nil
	}
}

func (t *systemTerminal) cooked() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.restore()
}

// end does as cooked, and lets raw fail from then on.
func (t *systemTerminal) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.restore()
	t.ended = true
}

func (t *systemTerminal) size() (columns, rows int) {
	columns, rows, _ = term.GetSize(int(t.out.Fd())) // 0 when unknown
	return columns, rows
}

func (t *systemTerminal) changed() <-chan os.Signal { return t.changes }

func (t *systemTerminal) stop() bool {
	t.cooked()
	return stopProcess(t.changes)
}

func (t *systemTerminal) gone() bool { return Gone(t.in) }

// Gone reports whether a file is no longer a terminal. A terminal that was hung up reads as a terminal at which
// Ctrl-D was typed.
func Gone(terminal *os.File) bool {
	_, err := term.GetState(int(terminal.Fd()))
	return err != nil
}
