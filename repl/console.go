package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/repl/lang"
)

// Console runs chunks on a session and tells on its streams what came of them: results and what
// ranks print on Out, diagnoses on Err. The prompt, scripts and one-shot commands all go through
// it.
type Console struct {
	Session *Session
	Out     io.Writer
	Err     io.Writer
	Style   render.Style
	Silent  bool // results are not shown after each chunk: a document follows at the end
	Prompt  bool // a person types: failed chunks are undone, expressions show their values
	Brief   bool // results are told without their pictures, which are shown elsewhere

	quit bool
	step cursor
	mode string // output of .show: "text" or "json"
}

// NewConsole opens a session whose output goes to out.
func NewConsole(ctx context.Context, cfg Config, out, errs io.Writer, st render.Style) (*Console, error) {
	c := &Console{Out: out, Err: errs, Style: st, mode: "text"}
	s, err := Open(ctx, cfg, c.printLine)
	if err != nil {
		return nil, err
	}
	c.Session = s
	return c, nil
}

// printLine writes what ranks say: "[0-5] even". A note is for the reader and names no ranks when
// all say it.
func (c *Console) printLine(l engine.Line) {
	switch {
	case c.Silent:
	case l.Note && l.Ranks.Len() == c.Session.Size():
		fmt.Fprintf(c.Out, "\n· %s\n", l.Text)
	default:
		fmt.Fprintf(c.Out, "[%s] %s\n", l.Ranks, l.Text)
	}
}

// Do runs one chunk and shows what came of it. At a prompt a chunk that failed is undone.
func (c *Console) Do(ctx context.Context, chunk *lang.Chunk) error {
	if chunk.Kind == lang.Meta {
		return c.meta(ctx, chunk)
	}
	c.Session.ShowValues = c.Prompt
	var before render.Expectations
	if c.Prompt {
		before = c.Session.expectations()
	}
	o, err := c.Session.Run(ctx, chunk)
	var failed *Failed
	if errors.As(err, &failed) && c.Prompt {
		if undo := c.Session.Rollback(context.Background()); undo != nil {
			return errors.Join(err, undo)
		}
	}
	if err != nil {
		return err
	}
	c.notePortability(o.From)
	if c.Silent {
		return nil
	}
	if err := c.show(o); err != nil || !c.Prompt {
		return err
	}
	return c.showVerdicts(before)
}

// show writes the result of a chunk.
func (c *Console) show(o *Outcome) error {
	v := c.Session.View()
	switch {
	case o.Handle != "" && len(v.Snapshot.Waiting) == 0:
		h, echo := c.Session.Handle(o.Handle), o.Echo
		if len(o.Callers) > 0 {
			echo = o.Handle + " = " + echo
		}
		if c.Brief || o.Verb != nil && o.Verb.Call == engine.CallIdup {
			// Of idup, the communicators are in the making: a picture would show MPI_COMM_NULL.
			fmt.Fprintln(c.Out, echo)
			return nil
		}
		return render.Result(c.Out, v, &h, echo, c.Style)
	case o.Verb != nil && o.Verb.Makes == MakesInfo:
		fmt.Fprintln(c.Out, o.Echo)
		return render.HWInfo(c.Out, v, c.Style)
	case o.Echo != "":
		fmt.Fprintln(c.Out, o.Echo)
	case !c.Brief && c.programmed(o, v):
		fmt.Fprintln(c.Out)
		if err := render.Lineage(c.Out, v, c.Style); err != nil {
			return err
		}
	}
	for _, g := range o.Values {
		c.printLine(engine.Line{Ranks: g.Ranks, Text: g.Text})
	}
	if len(v.Snapshot.Waiting) > 0 {
		return render.Waiting(c.Out, v, c.Style)
	}
	return nil
}

// programmed reports whether a whole program ran that made communicators: its results are shown
// together.
func (c *Console) programmed(o *Outcome, v *render.View) bool {
	return o.Chunk.Kind == lang.Program && strings.HasSuffix(o.Chunk.File, ".py") && len(v.Snapshot.Comms) > 1
}

// Script runs chunks to the end. It stops at the first one that fails; ranks that are still blocked
// at the end are a *engine.Deadlock.
func (c *Console) Script(ctx context.Context, chunks []*lang.Chunk) error {
	for _, chunk := range chunks {
		if err := c.Do(ctx, chunk); err != nil {
			return err
		}
		if c.quit {
			break
		}
	}
	if err := c.Session.Finalize(ctx); err != nil {
		return err
	}
	return c.finish()
}

// finish is the error that a session ends with: a deadlock, or expectations that failed.
func (c *Console) finish() error {
	v := c.Session.View()
	if v.Deadlock != nil {
		return v.Deadlock
	}
	if v.Expectations.Failed > 0 {
		return &Unmet{v.Expectations}
	}
	return nil
}

// Unmet is the end of a session some of whose expectations failed.
type Unmet struct{ render.Expectations }

// Error is a summary in one line.
func (u *Unmet) Error() string {
	if u.Failed == 1 {
		return fmt.Sprintf("1 of %d expectations failed", u.Passed+u.Failed)
	}
	return fmt.Sprintf("%d of %d expectations failed", u.Failed, u.Passed+u.Failed)
}

// WriteError tells a person what went wrong: a line each, with the source line and a caret where
// they are known.
func WriteError(w io.Writer, err error) {
	var failed *Failed
	var at *lang.Error
	switch {
	case errors.As(err, &failed):
		writeFailed(w, failed)
	case errors.As(err, &at):
		writeAt(w, at, "")
	default:
		fmt.Fprintf(w, "error: %v\n", err)
	}
}

// mostTold is how many errors, and how many calls with ranks left waiting, are told one by one. A call
// on many small communicators may fail on each of them.
const mostTold = 12

func writeFailed(w io.Writer, f *Failed) {
	if f.Interrupted {
		fmt.Fprintln(w, "interrupted")
		return
	}
	for i, e := range f.MPI {
		if i == mostTold {
			fmt.Fprintf(w, "       and %d more errors\n", len(f.MPI)-i)
			break
		}
		fmt.Fprintf(w, "error: %s\n", e.Error())
	}
	for _, e := range f.Program {
		writeAt(w, e.Error, " ("+e.who()+")")
	}
	for i, v := range f.Waiting {
		if i == mostTold {
			fmt.Fprintf(w, "       and ranks were left waiting in %d more calls\n", len(f.Waiting)-i)
			break
		}
		verb := "were"
		if v.Ranks.Len() == 1 {
			verb = "was"
		}
		fmt.Fprintf(w, "       %s %s left waiting in %s\n", v.Ranks.Noun(), verb, v.Call)
	}
}

func writeAt(w io.Writer, e *lang.Error, who string) {
	fmt.Fprintf(w, "error: %s%s\n", e.Error(), who)
	if caret := e.Caret(); caret != "" {
		fmt.Fprintln(w, caret)
	}
}
