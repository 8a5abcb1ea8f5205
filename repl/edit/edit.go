// Package edit reads lines from a person at a terminal, with editing, history and completion. It
// knows nothing of the language; what Tab proposes is the caller's. Scripts are read whole, elsewhere.
package edit

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/peterh/liner"
)

// ErrAborted is returned for a line that was given up with Ctrl-C.
var ErrAborted = errors.New("aborted")

// Completer proposes what may stand at the end of line: each option replaces the text from byte
// start on.
type Completer func(line string) (start int, options []string)

// Reader reads lines.
type Reader interface {
	// Line prompts and reads a line. It returns io.EOF at the end and ErrAborted after Ctrl-C.
	Line(prompt string) (string, error)
	// Answer is Line for what belongs into no history.
	Answer(prompt string) (string, error)
	// Close restores the terminal and saves the history.
	Close() error
}

// Terminal reads from the terminal that standard input is. The history is kept in the file
// history; "" keeps none.
func Terminal(history string, complete Completer) Reader {
	t := &terminal{State: liner.NewLiner(), history: history}
	t.mode, _ = liner.TerminalMode() // nil: no terminal to keep in a mode
	t.SetCtrlCAborts(true)
	t.SetTabCompletionStyle(liner.TabPrints)
	t.SetWordCompleter(func(line string, pos int) (string, []string, string) {
		// pos counts runes
		head := string([]rune(line)[:pos])
		tail := line[len(head):]
		start, options := complete(head)
		return head[:start], options, tail
	})
	if f, err := os.Open(history); err == nil {
		t.ReadHistory(f) //nolint:errcheck // a history that cannot be read is an empty one
		f.Close()
	}
	return t
}

type terminal struct {
	*liner.State
	mode    liner.ModeApplier // that lines are edited in
	history string
	last    string
}

func (t *terminal) Answer(prompt string) (string, error) {
	if t.mode != nil {
		t.mode.ApplyMode() //nolint:errcheck // a shell has changed it while the process was stopped, or nobody has
	}
	line, err := t.Prompt(prompt)
	if errors.Is(err, liner.ErrPromptAborted) {
		return "", ErrAborted
	}
	return line, err
}

func (t *terminal) Line(prompt string) (string, error) {
	line, err := t.Answer(prompt)
	if err != nil {
		return "", err
	}
	if Keeps(line, t.last) {
		t.AppendHistory(line)
		t.last = line
	}
	return line, nil
}

func (t *terminal) Close() error {
	err := t.State.Close()
	if t.history == "" {
		return err
	}
	if mk := os.MkdirAll(filepath.Dir(t.history), 0o700); mk != nil {
		return errors.Join(err, mk)
	}
	f, open := os.OpenFile(t.history, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if open != nil {
		return errors.Join(err, open)
	}
	defer f.Close()
	_, write := t.WriteHistory(f)
	return errors.Join(err, write)
}

// HistoryFile keeps the lines typed at the prompt.
func HistoryFile() string { return StateFile("history") }

// StateFile is $XDG_STATE_HOME/commsplit/NAME, or the same below ~/.local/state; "" when there is no
// home.
func StateFile(name string) string {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "commsplit", name)
}
