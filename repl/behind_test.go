package repl

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"commsplit/engine"
	"commsplit/render"
)

// A line that was stopped and winds down: the prompt comes as before the line, nothing is proposed from a session that
// changes, what the line writes waits, and the next line runs when it has ended. Ctrl-C gives the next line up.
func TestLineLeftBehind(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	c, err := NewConsole(context.Background(), Config{Size: 4}, &out, &errs, render.Style{Width: 80})
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
	var failed *Failed
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

// A line that does not come to its end soon when it is stopped, here because nobody takes what it prints, is left behind:
// the prompt is back. The next line runs when it has ended; what it had done by then stays.
func TestLineIsLeftBehind(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	c, err := NewConsole(t.Context(), Config{Size: 4}, &out, &errs, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	c.Prompt = true
	c.gate.err = c.Err
	c.Out, c.Err = c.gate.through(c.Out), c.gate.through(c.Err)
	chunks, err := ParseLines("<input>", []string{"n = 1; print(n)", "dup world"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	taken := make(chan struct{})
	c.hold = func([]engine.Line) {
		stop()
		<-taken
	}
	var failed *Failed
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
	if c.behind != nil || !c.Session.known("n") || len(c.Session.Chunks()) != 1 {
		t.Errorf("what the line had done is not there: %v", c.Session.Chunks())
	}
	if err := c.runBehind(t.Context(), chunks[len(chunks)-1]); err != nil || !strings.Contains(out.String(), "dup") {
		t.Errorf("the next line: %v, %q, %q", err, out.String(), errs.String())
	}
	c.Close()
}
