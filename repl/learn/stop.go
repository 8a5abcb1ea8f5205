package learn

import (
	"context"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// Stop is where a lesson waits for the person, at the prompt or on the screen. The person may try lines: they are taken
// back when the lesson goes on.
type Stop struct {
	console *console.Console
	written int // chunks before those that are tried
}

// StopAt lets a lesson wait where its session is now.
func StopAt(c *console.Console) Stop { return Stop{c, len(c.Session.Chunks())} }

// Try runs a line of the person's own; refused is the reason for not running a line that would lead elsewhere.
func (s Stop) Try(ctx context.Context, c *lang.Chunk) (refused string, err error) {
	if c.Kind == lang.Meta && !repl.Looks(c) {
		return "Not here: a lesson takes Enter, back, q, lines that only inspect, such as .show and .explain, and calls to try. " +
			"For anything else: " + stories.Command(s.console.Session) + ".", nil
	}
	return "", s.console.Try(ctx, c)
}

// GoOn takes back the lines that were tried; told is a sentence about that, "" where nothing was tried.
func (s Stop) GoOn(ctx context.Context) (told string, err error) {
	n, err := s.console.TakeBack(ctx, s.written)
	if n > 0 {
		told = "Taken back: " + spell.Plural(n, "line") + " that you tried."
	}
	return told, err
}

// Word is a wish of a person where a lesson waits, in place of a line to try.
type Word uint8

// The words of a lesson.
const (
	None Word = iota // it is a line
	On
	Back
	Leave
	Help
)

var words = map[string]Word{
	"": On, "on": On, "go on": On, "next": On, "continue": On, "back": Back, "b": Back, "help": Help, "?": Help, ".help": Help,
	"q": Leave, "quit": Leave, "exit": Leave, ".quit": Leave, ".exit": Leave,
}

// WordOf finds out which word a line is.
func WordOf(line string) Word { return words[strings.ToLower(strings.TrimSpace(line))] }
