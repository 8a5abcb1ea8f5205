package edit

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// ErrAborted is returned for a line that Ctrl-C canceled.
var ErrAborted = errors.New("aborted")

// ErrGone is returned when the terminal is gone: its window or connection was closed.
var ErrGone = errors.New("the terminal is gone")

// Options says how a terminal is read.
type Options struct {
	History  *History               // the older lines, to which Keep adds; nil: no line is kept
	Complete Completer              // nil: nothing is proposed
	GoesOn   func(word string) bool // as in Editor, and
	Beside   func(option string) string
	Colors   paint.Colors
	Dark     bool
	// Dumb says that the terminal understands no commands: it edits lines by itself.
	Dumb bool
}

// Terminal reads lines from a person at the terminal of standard input and standard output. While no line is
// read, the terminal has its former mode: Ctrl-C is a signal then, and typed text waits for the next line.
type Terminal struct {
	ctx     context.Context
	tty     device
	options Options
	palette *paint.Palette
	lines   Editor // keeps killed texts from line to line
	answers Editor
	screen  screen

	typed   []byte         // bytes that came and were not decoded
	pasted  []rune         // pasted text behind the end of the line in which the paste was cut
	reading chan bytesRead // the result of a read in the background; nil: there is none
}

// bytesRead is the result of a read from the terminal.
type bytesRead struct {
	bytes []byte
	err   error
}

// device is the terminal itself.
type device interface {
	io.ReadWriter
	// raw makes the terminal send each key at once, until cooked; it returns an error when the terminal cannot.
	raw() error
	cooked()
	// ahead reports whether something was typed while the terminal edited lines by itself.
	ahead() bool
	// size returns the size of the window in columns and rows; 0 where it is unknown.
	size() (columns, rows int)
	// changed returns a channel that gets a signal when the window may have another size, or the process goes on after
	// a stop.
	changed() <-chan os.Signal
	// stop stops the process, as Ctrl-Z does, until the shell lets the process go on; it reports false when the process
	// cannot be stopped.
	stop() bool
	gone() bool
}

// Open prepares reading. When ctx ends, the terminal gets its former mode at once, whatever else goes on.
func Open(ctx context.Context, o Options) *Terminal {
	tty := newSystemTerminal()
	context.AfterFunc(ctx, tty.end)
	return open(ctx, tty, o)
}

func open(ctx context.Context, tty device, o Options) *Terminal {
	t := &Terminal{ctx: ctx, tty: tty, options: o, palette: paint.NewPalette(o.Colors, o.Dark)}
	t.lines = Editor{Complete: o.Complete, GoesOn: o.GoesOn, Beside: o.Beside}
	t.lines.Begin(o.History)
	t.answers = Editor{Answers: true}
	t.answers.Begin(nil)
	return t
}

// Line prompts and reads a line; more is the prompt of the further lines of a block, which is edited as a
// whole. The error is io.EOF at the end, ErrAborted after Ctrl-C, ErrGone, or the cause of the context's end.
func (t *Terminal) Line(prompt, more string) (string, error) { return t.read(&t.lines, prompt, more) }

// Answer prompts and reads a line as Line does, but without the history.
func (t *Terminal) Answer(prompt string) (string, error) { return t.read(&t.answers, prompt, "") }

// Keep adds an entry to the history: a line, or the lines of a block.
func (t *Terminal) Keep(entry string) { t.lines.Keep(entry) }

func (t *Terminal) read(e *Editor, prompt, more string) (string, error) {
	if t.ctx.Err() != nil {
		return "", context.Cause(t.ctx)
	}
	if t.options.Dumb || t.tty.raw() != nil {
		return t.readPlain(prompt)
	}
	defer t.tty.cooked()
	t.screen = screen{prompt: prompt, more: more, colored: t.options.Colors != paint.NoColor}
	t.write(bracketPaste)
	defer t.write(bracketPasteNoMore)
	e.Set("")
	if err := t.takeAhead(); err != nil {
		return "", err
	}
	for last := false; ; {
		if err := t.act(e, last); err != nil {
			t.finish(e, err)
			if err == errEntered {
				err = nil
			}
			return e.Take(), err
		}
		t.draw(e)
		var err error
		if last, err = t.more(); err != nil {
			return "", err
		}
	}
}

// takeAhead reads the text that was typed ahead. In it Linux has turned each Ctrl-D, which ended a line, into NUL.
func (t *Terminal) takeAhead() error {
	if t.reading != nil || !t.tty.ahead() {
		return nil
	}
	from := len(t.typed)
	_, err := t.more()
	for i := from; i < len(t.typed); i++ {
		if t.typed[i] == 0 {
			t.typed[i] = 'D' - '@'
		}
	}
	return err
}

const (
	bracketPaste       = "\x1b[?2004h"
	bracketPasteNoMore = "\x1b[?2004l"
)

// errEntered ends the reading of a line that is complete.
var errEntered = errors.New("entered")

// act carries out the keys that came, up to the end of the line. last tells that no more bytes come for an incomplete
// key. act returns errEntered, or the other reason for which the line ends; nil when the line goes on.
func (t *Terminal) act(e *Editor, last bool) error {
	for {
		if t.pasted != nil {
			text, rest, entered := CutPaste(t.pasted)
			e.Type(text)
			if t.pasted = rest; entered {
				return errEntered
			}
			continue
		}
		if len(t.typed) == 0 {
			return nil
		}
		k, n := decode(t.typed, last)
		if n == 0 {
			return nil
		}
		t.typed = t.typed[n:]
		switch {
		case k.pasted:
			t.pasted = k.text
		case k.name == "":
			e.Type(k.text)
		default:
			if err := t.press(e, k.name); err != nil {
				return err
			}
		}
	}
}

// CutPaste cuts the first line off a pasted text. rest is nil when nothing follows; ended says that the line has an
// end, which enters it. Empty lines inside a block belong to the line after them: by themselves they would end the
// block.
func CutPaste(text []rune) (line, rest []rune, ended bool) {
	plain := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text))
	if tongue.Program(plain) != "" { // entered as one
		return []rune(strings.TrimRight(plain, "\n")), nil, true
	}
	head, tail, ended := strings.Cut(plain, "\n")
	for blank := ""; ended; {
		if strings.TrimSpace(head) != "" || !GoesOn(strings.Split(tail, "\n")) {
			head = blank + head
			break
		}
		blank += "\n"
		head, tail, ended = strings.Cut(tail, "\n")
		if !ended {
			head = blank + head
		}
	}
	if tail != "" {
		rest = []rune(tail)
	}
	return []rune(head), rest, ended
}

// GoesOn reports whether a block goes on in the lines after an empty line: the first of them that is not empty is
// indented, or begins another branch.
func GoesOn(lines []string) bool {
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			word := strings.TrimRight(strings.Fields(line)[0], ":")
			return line[0] == ' ' || line[0] == '\t' || word == "else" || word == "elif"
		}
	}
	return false
}

// press carries out a key that is not a character. An error ends the line.
func (t *Terminal) press(e *Editor, name string) error {
	if e.Searching() && e.SearchKey(name) {
		return nil
	}
	switch name {
	case "enter":
		return errEntered
	case "tab":
		e.Propose(1)
	case "esc":
		e.options = nil
	case "ctrl+c":
		return ErrAborted
	case "ctrl+d":
		if e.Empty() {
			return io.EOF
		}
		e.Change(func(l *Line) { l.DeleteChar(1) })
	case "ctrl+l":
		t.write("\x1b[H\x1b[2J")
		t.screen.row = 0
	case "ctrl+z":
		t.leave(e)
		row := t.screen.row
		if stopped := t.tty.stop(); !stopped {
			defer func() { t.screen.row = row }() // the shell has written nothing
		}
		t.back()
	default:
		e.Key(name)
	}
	return nil
}

// finish draws the line for the last time, and moves the cursor below it.
func (t *Terminal) finish(e *Editor, why error) {
	if why == io.EOF { // the caller writes the rest
		return
	}
	t.leave(e)
	if why == ErrAborted {
		t.write("^C")
	}
	t.write("\r\n")
}

// leave draws the line for the last time, with the cursor behind it.
func (t *Terminal) leave(e *Editor) {
	e.options, e.search = nil, nil
	e.Move(e.Len())
	t.screen.over = true
	t.draw(e)
}

// back takes the terminal again after the process was stopped: the shell has changed its mode, and the cursor
// is on a line of its own.
func (t *Terminal) back() {
	t.tty.raw() //nolint:errcheck // raw worked before
	t.write(bracketPaste)
	t.screen.over, t.screen.row = false, 0
}

func (t *Terminal) draw(e *Editor) {
	columns, rows := t.tty.size()
	t.write(t.screen.draw(e, t.palette, columns, rows))
}

func (t *Terminal) write(text string) { io.WriteString(t.tty, text) } //nolint:errcheck // nobody sees it

// keyTime is how long the bytes of one key take at most: an ESC that nothing follows in that time is the key Esc.
const keyTime = 50 * time.Millisecond

// more waits for bytes. It reports last when no byte came within keyTime: the bytes before are then a whole key.
func (t *Terminal) more() (last bool, err error) {
	var tooLate <-chan time.Time
	if len(t.typed) > 0 && !strings.HasPrefix(string(t.typed), pasteBegins) {
		tooLate = time.After(keyTime)
	}
	select {
	case r := <-t.background():
		t.reading = nil
		t.typed = append(t.typed, r.bytes...)
		if r.err != nil && t.tty.gone() {
			return false, ErrGone
		}
		return false, r.err
	case <-tooLate:
		return true, nil
	case s := <-t.tty.changed():
		if goesOn(s) {
			t.back()
		}
		return false, nil
	case <-t.ctx.Done():
		return false, context.Cause(t.ctx)
	}
}

// background reads in the background, because a read cannot be canceled when the context ends. The bytes of a read
// that comes too late go to the next line.
func (t *Terminal) background() <-chan bytesRead {
	if t.reading == nil {
		t.reading = make(chan bytesRead, 1)
		go func(read chan<- bytesRead) {
			b := make([]byte, 4096)
			n, err := t.tty.Read(b)
			read <- bytesRead{b[:n], err}
		}(t.reading)
	}
	return t.reading
}

// readPlain reads a line that the terminal itself edits.
func (t *Terminal) readPlain(prompt string) (string, error) {
	t.write(prompt)
	given := make(chan os.Signal, 1) // Ctrl-C, which is a signal here
	signal.Notify(given, os.Interrupt)
	defer signal.Stop(given)
	for {
		if line, rest, ok := strings.Cut(string(t.typed), "\n"); ok {
			t.typed = []byte(rest)
			return strings.TrimSuffix(line, "\r"), nil
		}
		select {
		case r := <-t.background():
			t.reading = nil
			t.typed = append(t.typed, r.bytes...)
			switch {
			case r.err == nil:
			case t.tty.gone():
				return "", ErrGone
			case len(t.typed) > 0:
				line := string(t.typed)
				t.typed = nil
				return line, nil
			default:
				return "", r.err
			}
		case <-given:
			t.write("\n")
			return "", ErrAborted // the terminal has dropped the typed text, and the read goes on
		case <-t.ctx.Done():
			return "", context.Cause(t.ctx)
		}
	}
}
