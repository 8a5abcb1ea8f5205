package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/repl/lang"
)

// checkRun refuses flags of run that contradict each other.
func (f *worldFlags) checkRun() error {
	switch json := f.output != "text"; {
	case f.update && (f.tap || json || f.step):
		return fmt.Errorf("--update prints the difference; leave --tap, --step and -o %s away", f.jsonForm())
	case f.tap && json:
		return fmt.Errorf("--tap and -o %s are two outputs: choose one", f.output)
	case f.step && (f.tap || json):
		return fmt.Errorf("--step is for a reader; leave --tap and -o %s away", f.jsonForm())
	}
	return nil
}

// jsonForm is the form of JSON that was asked for, or could have been.
func (f *worldFlags) jsonForm() string {
	if f.output == "text" {
		return "json"
	}
	return f.output
}

// stepper runs chunks one by one. At a terminal it waits for Enter before each, and a question waits for
// a prediction; q and Ctrl-D leave.
func (s Streams) stepper(console *repl.Console) func(context.Context, []*lang.Chunk) error {
	return func(ctx context.Context, chunks []*lang.Chunk) error {
		if !s.InTTY || !s.OutTTY {
			return console.Steps(ctx, chunks, nil)
		}
		lines := edit.Terminal(ctx, edit.OpenHistory(""), func(string) (int, []string) { return 0, nil })
		defer lines.Close()
		console.Predict = func(prompt string) (string, error) {
			text, err := lines.Answer(prompt)
			switch {
			case err == io.EOF, errors.Is(err, edit.ErrAborted), strings.EqualFold(strings.TrimSpace(text), "q"):
				return "", repl.ErrLeft
			case err != nil:
				return "", &repl.InputError{Err: err}
			}
			return text, nil
		}
		err := repl.Guarded(func(crashed func(any)) error {
			console.Session.Crashed = crashed
			return console.Steps(ctx, chunks, func() error {
				_, err := console.Predict("Enter to run it, q to leave> ")
				return err
			})
		})
		if errors.Is(err, repl.ErrLeft) {
			fmt.Fprintln(s.Out)
			return nil
		}
		return err
	}
}
