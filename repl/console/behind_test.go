package console

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
)

// While a stopped line winds down, the prompt is that from before the line, nothing is proposed from the changing
// session, and the line's output waits. The next line runs when the stopped line has ended; Ctrl-C cancels the next
// line.
func TestLineLeftBehind(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	c, err := NewConsole(context.Background(), repl.Config{Size: 4}, &out, &errs, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	c.Prompt = true
	c.gate.err = c.Err
	c.Out, c.Err = c.gate.through(c.Out), c.gate.through(c.Err)
	line := &behind{done: make(chan error, 1), prompt: [2]string{"before> ", "more> "}}
	c.behind = line
	c.gate.close()
	if got := c.prompting(false) + c.prompting(true); got != "before> more> " {
		t.Errorf("the prompts are %q", got)
	}
	if _, options := c.Complete("spl"); options != nil {
		t.Errorf("%q are proposed while the line winds down", options)
	}
	c.Out.Write([]byte("late\n")) //nolint:errcheck // a buffer takes all
	stopped, stop := context.WithCancel(context.Background())
	stop()
	var failed *repl.Failed
	if err := c.settle(stopped); !errors.As(err, &failed) || !failed.Interrupted {
		t.Errorf("the next line, given up: %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("while a person types, %q is written", out.String())
	}
	line.done <- errors.New("no undo")
	if err := c.settle(context.Background()); err != nil {
		t.Error(err)
	}
	if out.String() != "late\n" || !strings.Contains(errs.String(), "error: no undo\n") {
		t.Errorf("after the end: %q and %q", out.String(), errs.String())
	}
	if got := c.prompting(false); got != "world[4]> " {
		t.Errorf("the prompt is %q", got)
	}
	if _, options := c.Complete("spl"); len(options) == 0 {
		t.Error("nothing is proposed after the end")
	}
	if !c.Close() {
		t.Error("the session does not close")
	}
}

// A line that does not end soon after it is stopped, here because nobody takes its output, winds down behind: the
// prompt comes back. The next line runs when the stopped line has ended; the effects of the stopped line up to then
// stay.
func TestLineIsLeftBehind(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	c, err := NewConsole(t.Context(), repl.Config{Size: 4}, &out, &errs, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	c.Prompt = true
	c.gate.err = c.Err
	c.Out, c.Err = c.gate.through(c.Out), c.gate.through(c.Err)
	chunks, err := repl.ParseLines("<input>", []string{"n = 1; print(n)", "dup world"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	taken := make(chan struct{})
	c.hold = func([]engine.Line) {
		stop()
		<-taken
	}
	var failed *repl.Failed
	if err := c.runBehind(ctx, chunks[0]); !errors.As(err, &failed) || !failed.Interrupted || c.behind == nil {
		t.Fatalf("the line that was stopped: %v", err)
	}
	if got := c.prompting(false); got != "world[4]> " {
		t.Errorf("the prompt is %q", got)
	}
	close(taken)
	if err := c.settle(t.Context()); err != nil {
		t.Error(err)
	}
	c.hold = nil
	if c.behind != nil || !slices.Contains(c.Session.Variables(), "n") || len(c.Session.Chunks()) != 1 {
		t.Errorf("what the line had done is not there: %v", c.Session.Chunks())
	}
	if err := c.runBehind(t.Context(), chunks[len(chunks)-1]); err != nil || !strings.Contains(out.String(), "dup") {
		t.Errorf("the next line: %v, %q, %q", err, out.String(), errs.String())
	}
	c.Close()
}
