// Package edit reads lines from a person at a terminal, with editing, history and completion, and keeps what
// outlives a session: the history of all instances, and the journals of sessions. It knows nothing of the
// language; what Tab proposes is the caller's. Scripts are read whole, elsewhere.
package edit

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/peterh/liner"
	"golang.org/x/term"
)

// ErrAborted is returned for a line that was given up with Ctrl-C.
var ErrAborted = errors.New("aborted")

// ErrGone is returned when there is no terminal any more: its window or connection was closed.
var ErrGone = errors.New("the terminal is gone")

// Completer proposes what may stand at the end of line: each option replaces the text from byte
// start on.
type Completer func(line string) (start int, options []string)

// Reader reads lines.
type Reader interface {
	// Line prompts and reads a line. It returns io.EOF at the end, ErrAborted after Ctrl-C, ErrGone, or
	// the cause for which the reader's context has ended.
	Line(prompt string) (string, error)
	// Answer is Line for what belongs into no history.
	Answer(prompt string) (string, error)
	// Keep adds an entry to the history: a line, or the lines of a block.
	Keep(entry string)
	// Close restores the terminal.
	Close() error
}

// Terminal reads from the terminal that standard input is. history is what older lines come from, and
// what Keep adds to. When ctx ends, the terminal is as it was at once, whatever else goes on.
func Terminal(ctx context.Context, history *History, complete Completer) Reader {
	before, _ := term.GetState(int(os.Stdin.Fd())) // nil: no terminal to give back
	if before != nil {
		context.AfterFunc(ctx, func() { term.Restore(int(os.Stdin.Fd()), before) }) //nolint:errcheck // it may be gone
	}
	t := &terminal{ctx: ctx, history: history, complete: complete, resized: make(chan os.Signal, 1)}
	tellResizes(t.resized)
	t.open()
	return t
}

type terminal struct {
	*liner.State
	ctx      context.Context
	history  *History
	complete Completer
	mode     liner.ModeApplier // that lines are edited in
	width    int               // columns when State was made
	resized  chan os.Signal    // the width may have changed since
	reading  chan result       // a plain line that is still being read, after it was given up; nil: none is
}

// result is what came of reading a line.
type result struct {
	line string
	err  error
}

// open makes the editor, which learns the width of the terminal then and mostly while it edits.
func (t *terminal) open() {
	t.State, t.width = liner.NewLiner(), width()
	t.mode, _ = liner.TerminalMode() // nil: no terminal to keep in a mode
	t.SetCtrlCAborts(true)
	t.SetTabCompletionStyle(liner.TabPrints)
	t.SetWordCompleter(t.words)
	for _, entry := range t.history.Entries() {
		t.AppendHistory(inOneLine(entry))
	}
}

// words completes the word before pos, which counts runes.
func (t *terminal) words(line string, pos int) (string, []string, string) {
	head := string([]rune(line)[:pos])
	tail := line[len(head):]
	last := 0 // where the last line of a block begins
	if i := strings.LastIndex(head, lineEnd); i >= 0 {
		last = i + len(lineEnd)
	}
	start, options := t.complete(head[last:])
	return head[:last+start], options, tail
}

func width() int {
	w, _, _ := term.GetSize(int(os.Stdout.Fd())) //nolint:errcheck // 0 when nobody knows
	return w
}

// roomToEdit is how many columns the editor wants behind its prompt: with fewer it reads plainly.
const roomToEdit = 10

// fit makes the prompt short in a narrow window, and reports whether lines are edited there at all. The editor
// would keep to the width that it saw last: after another one, there is a new editor.
func (t *terminal) fit(prompt string) (string, bool) {
	again := false
	select {
	case <-t.resized:
		again = true
	default:
		again = width() != t.width
	}
	if again {
		t.State.Close()
		t.open()
	}
	for _, shorter := range []string{prompt, "> ", ""} {
		if t.width >= utf8.RuneCountInString(shorter)+roomToEdit {
			return shorter, liner.TerminalSupported()
		}
	}
	return prompt, false
}

func (t *terminal) Answer(prompt string) (string, error) {
	edits := false
	var given chan os.Signal // Ctrl-C, where it is no key
	if t.reading == nil {
		if prompt, edits = t.fit(prompt); t.mode != nil {
			t.mode.ApplyMode() //nolint:errcheck // a shell has changed it while the process was stopped, or nobody has
		}
		t.reading = make(chan result, 1)
		go func(s *liner.State, read chan<- result) {
			line, err := s.Prompt(prompt)
			read <- result{line, err}
		}(t.State, t.reading)
	} else {
		os.Stdout.WriteString(prompt) //nolint:errcheck // as the editor writes it
	}
	if !edits {
		given = make(chan os.Signal, 1)
		signal.Notify(given, os.Interrupt)
		defer signal.Stop(given)
	}
	select {
	case r := <-t.reading:
		t.reading = nil
		switch {
		case errors.Is(r.err, liner.ErrPromptAborted):
			return "", ErrAborted
		case r.err != nil && Gone(os.Stdin):
			return "", ErrGone
		}
		return r.line, r.err
	case <-given:
		os.Stdout.WriteString("\n") //nolint:errcheck // as above
		return "", ErrAborted       // the terminal has dropped what was typed, and the read goes on
	case <-t.ctx.Done():
		return "", context.Cause(t.ctx)
	}
}

// Gone reports whether a terminal is none any more. One that was hung up reads as one at which Ctrl-D was
// typed.
func Gone(terminal *os.File) bool {
	_, err := term.GetState(int(terminal.Fd()))
	return err != nil
}

// lineEnd stands for the end of a line within an entry, while it is edited as one line.
const lineEnd = "↵"

func inOneLine(entry string) string { return strings.ReplaceAll(entry, "\n", lineEnd) }

func (t *terminal) Line(prompt string) (string, error) {
	line, err := t.Answer(prompt)
	return strings.ReplaceAll(line, lineEnd, "\n"), err
}

func (t *terminal) Keep(entry string) {
	t.history.Add(entry)
	if list := t.history.Entries(); len(list) > 0 {
		t.AppendHistory(inOneLine(list[len(list)-1]))
	}
}

// HistoryFile keeps the lines typed at the prompt.
func HistoryFile() string { return StateFile("history") }

// StateFile is $XDG_STATE_HOME/commsplit/NAME, or the same below ~/.local/state; "" when there is no
// home.
func StateFile(name string) string {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) { // unset, or to be ignored: XDG Base Directory Specification 0.8
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "commsplit", name)
}
