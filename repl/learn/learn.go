// Package learn walks a person through the lessons, one step at a time, and remembers where the person
// stopped. It reads and writes only what it is given and the file of a Progress; what the lines of a
// lesson do is repl's. A step is a note and the lines up to the next one.
package learn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/repl/lang"
	"commsplit/scripts"
)

// Player plays lessons.
type Player struct {
	Out io.Writer
	// Ask reads an answer. It returns io.EOF or edit.ErrAborted when the person leaves.
	Ask func(prompt string) (string, error)
	// Open makes the world that a lesson asks for. What it shows goes to Out.
	Open     func(ctx context.Context, s *repl.Script) (*repl.Console, error)
	Progress *Progress
	Width    int
}

// errLeave is the person's wish.
var errLeave = errors.New("leave")

// From plays the lessons from a given one on, from the step where the person stopped in it, until the
// last or until the person leaves. The progress is saved after each step.
func (p *Player) From(ctx context.Context, first scripts.Example) error {
	list := scripts.Lessons.Examples()
	at := 0
	for k, e := range list {
		if e.Name == first.Name {
			at = k
		}
	}
	for ; at < len(list); at++ {
		p.title(at+1, list)
		err := p.lesson(ctx, list[at])
		if errors.Is(err, errLeave) {
			fmt.Fprintln(p.Out, "commsplit learn goes on here.")
			return nil
		}
		if err != nil {
			return err
		}
		next := ""
		if at+1 < len(list) {
			next = list[at+1].Name
		}
		p.Progress.finished(list[at].Name, next)
		if next == "" {
			break
		}
		if p.pause(fmt.Sprintf("\nThat was lesson %d of %d. Enter for the next, q to leave> ", at+1, len(list))) != nil {
			return nil
		}
	}
	fmt.Fprintln(p.Out, "That was the last lesson. commsplit learn N repeats one, commsplit learn --reset begins anew.")
	return nil
}

// title names the lesson before it begins.
func (p *Player) title(number int, list []scripts.Example) {
	e := list[number-1]
	text := fmt.Sprintf("Lesson %d of %d: %s", number, len(list), e.Title)
	if e.Section != "" {
		text += " [" + e.Section + "]"
	}
	fmt.Fprintf(p.Out, "\n%s\n", repl.Wrap(text, p.Width, ""))
}

// lesson plays one lesson. The steps that were seen before run again, unseen.
func (p *Player) lesson(ctx context.Context, e scripts.Example) error {
	script := repl.NewScript(e.File, e.Text)
	chunks, err := script.Chunks()
	if err != nil {
		return err
	}
	console, err := p.Open(ctx, script)
	if err != nil {
		return err
	}
	defer console.Session.Close()
	seen := p.Progress.stepOf(e.Name)
	step := 0
	for _, c := range chunks {
		if verbOf(c) == "note" {
			step++
			p.Progress.reached(e.Name, max(step-1, seen))
			if step > seen+1 && p.pause("\nEnter to go on, q to leave> ") != nil {
				return errLeave
			}
		}
		if err := p.do(ctx, console, c, step <= seen); err != nil {
			return err
		}
	}
	return console.End(ctx)
}

// do runs a line, after it was shown as at a prompt.
func (p *Player) do(ctx context.Context, console *repl.Console, c *lang.Chunk, unseen bool) error {
	console.Out, console.Predict = p.Out, p.predict
	if unseen {
		console.Out, console.Predict = io.Discard, nil
	} else if tells(c) {
		console.Announce(c)
	}
	return console.Do(ctx, c)
}

// hidden are the verbs that speak for themselves, or only hold the lesson to its word.
var hidden = map[string]bool{"note": true, "ask": true, "expect": true, "expect_parts": true, "expect_deadlock": true}

// tells reports whether a line is shown before it runs.
func tells(c *lang.Chunk) bool { return !hidden[verbOf(c)] }

func verbOf(c *lang.Chunk) string {
	if c.Kind != lang.Command {
		return ""
	}
	return c.Verb.Text
}

// pause waits for Enter. It returns errLeave when the person has enough.
func (p *Player) pause(prompt string) error {
	// The editor takes one line for its prompt.
	if above, line, ok := cutLast(prompt); ok {
		fmt.Fprintln(p.Out, above)
		prompt = line
	}
	_, err := p.predict(prompt)
	return err
}

func cutLast(text string) (above, line string, ok bool) {
	i := strings.LastIndexByte(text, '\n')
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+1:], true
}

// predict reads an answer; q and the end of input leave.
func (p *Player) predict(prompt string) (string, error) {
	text, err := p.Ask(prompt)
	switch {
	case err == io.EOF:
		fmt.Fprintln(p.Out)
		return "", errLeave
	case errors.Is(err, edit.ErrAborted), err == nil && strings.EqualFold(strings.TrimSpace(text), "q"):
		return "", errLeave
	case err != nil:
		return "", &repl.InputError{Err: err}
	}
	return text, nil
}
