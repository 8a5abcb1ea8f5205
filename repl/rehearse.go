package repl

import (
	"context"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// Rehearsed is the result of a line that was not entered.
type Rehearsed struct {
	View     *render.View     // of the session after the line
	Deadlock *engine.Deadlock // of the ranks that would wait; nil: none would
}

// Rehearse returns a function that runs a line behind the lines of the session, on a world of its own; nil where the
// line is not a whole call that makes a communicator. The session learns nothing of it, so the function may run beside
// it.
func (s *Session) Rehearse(line string) func(ctx context.Context) (*Rehearsed, error) {
	chunks, err := NewInput("<input>").Feed(line, true)
	if err != nil || len(chunks) != 1 || !makesComm(chunks[0]) || checkChunk(s, chunks[0]) != nil {
		return nil
	}
	before := s.double()
	return func(ctx context.Context) (*Rehearsed, error) {
		now := before.double()
		defer now.Close()
		if err := now.remake(ctx); err != nil {
			return nil, err
		}
		if _, err := now.Run(ctx, chunks[0]); err != nil {
			return nil, err
		}
		return &Rehearsed{now.View(), now.Deadlock()}, nil
	}
}

// makesComm reports whether a line is a call that makes a communicator: a command, or a call in C or Fortran.
func makesComm(c *lang.Chunk) bool {
	name := c.Verb.Text
	if c.Foreign {
		call, _ := tongue.At(strings.TrimLeft(c.Text, " "))
		if call == nil {
			return false
		}
		name, _, _ = strings.Cut(call.Command, " ")
	}
	v := FindVerb(name)
	return (c.Foreign || c.Kind == lang.Command) && v != nil && v.Makes == MakesComm
}
