package console

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/completion"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// patienceAtPrompt is how long a stopped line may take to wind down before the prompt comes back nevertheless: in a
// large world every rank has to end, and the session has to return to its state before the line.
const patienceAtPrompt = 100 * time.Millisecond

// patienceAtEnd is how long the end of the session waits for a line that winds down.
const patienceAtEnd = 2 * time.Second

// behind is a stopped line that winds down while a person types the next line. Until its end, nothing else may read
// the session.
type behind struct {
	done   chan error
	prompt [2]string // of the session before the line: for a new statement, and for a statement that goes on
}

// interruptible runs a chunk that Ctrl-C can stop, and reports its error. A chunk that takes long to stop winds down
// behind. The error of interruptible ends the session.
func (c *Console) interruptible(ctx context.Context, chunk *lang.Chunk) error {
	run, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	if c.Waits != nil {
		c.Waits(false)
		defer c.Waits(true)
	}
	err := c.settle(run)
	if err == nil {
		err = c.runBehind(run, chunk)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil: // the session has to end, not only the line
		return context.Cause(ctx)
	case c.behind != nil:
		repl.WriteError(&c.gate, err)
	default:
		repl.WriteError(c.Err, err)
	}
	return nil
}

// runBehind runs a chunk in its own goroutine and waits for its end; after Ctrl-C, for patienceAtPrompt.
func (c *Console) runBehind(ctx context.Context, chunk *lang.Chunk) error {
	b := &behind{done: make(chan error, 1), prompt: [2]string{c.PromptText(false), c.PromptText(true)}}
	go func() { b.done <- repl.Guarded(func() error { return c.Do(ctx, chunk) }) }()
	select {
	case err := <-b.done:
		return err
	case <-ctx.Done():
	}
	var late <-chan time.Time // nil: never, where the line still reads the terminal
	if !c.asking.Load() {
		late = time.After(patienceAtPrompt)
	}
	select {
	case err := <-b.done:
		return err
	case <-late:
		c.behind = b
		c.gate.close()
		return &repl.Failed{Interrupted: true}
	}
}

// settle waits for the line that winds down, if there is one, and then prints the output that the gate kept.
func (c *Console) settle(ctx context.Context) error {
	if c.behind == nil {
		return nil
	}
	told := time.After(patienceAtPrompt)
	for {
		select {
		case err := <-c.behind.done:
			c.settled(err)
			return nil
		case <-told:
			io.WriteString(&c.gate, "note: waiting until the stopped line has ended\n") //nolint:errcheck // a terminal that is gone is noticed where lines are read
		case <-ctx.Done():
			return &repl.Failed{Interrupted: true}
		}
	}
}

// glance does as settle where the line has already ended; it does not wait.
func (c *Console) glance() {
	if c.behind == nil {
		return
	}
	select {
	case err := <-c.behind.done:
		c.settled(err)
	default:
	}
}

func (c *Console) settled(err error) {
	c.behind = nil
	c.gate.open()
	var failed *repl.Failed
	if err != nil && (!errors.As(err, &failed) || !failed.Interrupted) {
		repl.WriteError(c.Err, err)
	}
}

// prompting returns the prompt; while a line winds down, the prompt of the session before that line.
func (c *Console) prompting(pending bool) string {
	switch c.glance(); {
	case c.behind == nil:
		return c.PromptText(pending)
	case pending:
		return c.behind.prompt[1]
	}
	return c.behind.prompt[0]
}

// Complete proposes words as package completion does; no words while a line winds down.
func (c *Console) Complete(line string) (start int, options []string) {
	if c.glance(); c.behind != nil {
		return len(line), nil
	}
	return completion.Complete(c.Session, line)
}

// Beside returns how many of a proposed resource type there are; "" while a line winds down.
func (c *Console) Beside(option string) string {
	if c.glance(); c.behind != nil {
		return ""
	}
	return completion.Count(c.Session, option)
}

// Close ends the session. It reports false where a stopped line does not end in time: the line and the session then end
// with the process.
func (c *Console) Close() bool {
	ctx, stop := context.WithTimeout(context.Background(), patienceAtEnd)
	defer stop()
	if c.settle(ctx) != nil {
		return false
	}
	c.Session.Close()
	return true
}

// gate keeps the output of a line that winds down, because a person is typing at the terminal.
type gate struct {
	mu     sync.Mutex
	closed bool
	err    io.Writer
	kept   []func()
}

// through returns a writer to w that the gate can close.
func (g *gate) through(w io.Writer) io.Writer { return gated{g, w} }

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

// open opens the gate and writes the output that it kept.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = false
	for _, write := range g.kept {
		write()
	}
	g.kept = nil
}

// Write writes a diagnosis at once, even while the gate is closed.
func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err.Write(p)
}

type gated struct {
	gate *gate
	w    io.Writer
}

// Write writes p; while the gate is closed, the gate keeps a copy of p.
func (w gated) Write(p []byte) (int, error) {
	w.gate.mu.Lock()
	defer w.gate.mu.Unlock()
	if !w.gate.closed {
		return w.w.Write(p)
	}
	text := bytes.Clone(p)
	w.gate.kept = append(w.gate.kept, func() { w.w.Write(text) }) //nolint:errcheck // as for all output to a person
	return len(p), nil
}

// flood keeps lines for a person, who cannot read as fast as programs print: until somebody takes the lines, it keeps
// only the last of them. One line says how many lines were left out. Several goroutines may use a flood at once.
type flood struct {
	mu    sync.Mutex
	lines []string // with their ends
	size  int      // bytes of lines
	left  int      // how many lines before them were left out
}

// How much of the output between two takes is shown.
const (
	mostShown     = 2000      // lines
	mostShownText = 256 << 10 // bytes
	screenful     = 20        // lines that stay after Ctrl-C
)

// add adds complete lines.
func (f *flood) add(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for line := range strings.Lines(text) {
		line = shortened(line)
		f.lines = append(f.lines, line)
		f.size += len(line)
	}
	f.keep(mostShown, mostShownText)
}

// shortened cuts a line after a fourth of the bytes that a flood may have.
func shortened(line string) string {
	const most = mostShownText / 4
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "… " + program.Bytes(uint64(len(line)-most)) + " left out\n"
}

// keep leaves out the first lines, until at most that many lines and bytes stay.
func (f *flood) keep(lines, size int) {
	for len(f.lines) > lines || f.size > size {
		f.size -= len(f.lines[0])
		f.lines = f.lines[1:]
		f.left++
	}
}

// cut leaves out all but the last screenful of lines: somebody has seen enough.
func (f *flood) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keep(screenful, mostShownText/screenful)
}

// take returns the kept lines, after a line about those that were left out, and empties the flood.
func (f *flood) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := strings.Join(f.lines, "")
	if f.left > 0 {
		text = repl.LeftOut(f.left) + "\n" + text
	}
	f.lines, f.size, f.left = nil, 0, 0
	return text
}

// giveBack puts the lines back that take returned last.
func (f *flood) giveBack(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = append(slices.Collect(strings.Lines(text)), f.lines...)
	f.size += len(text)
}
