package repl

import (
	"context"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// Rehearsed is what a line would give that was not entered.
type Rehearsed struct {
	View     *render.View     // of the session after the line
	Deadlock *engine.Deadlock // of the ranks that would wait; nil: none would
}

// Rehearse returns a function that runs a line behind the lines of the session, on a world of its own; nil where the
// line is not a whole call that makes a communicator. The session learns nothing of it, so the function may run beside
// it.
func (s *Session) Rehearse(line string) func(ctx context.Context) (*Rehearsed, error) {
	chunks, err := NewInput("<input>").Feed(line, true)
	if err != nil || len(chunks) != 1 || !makesComm(s, line) || checkChunk(s, chunks[0]) != nil {
		return nil
	}
	entries, show := slices.Clone(s.entries), s.ShowValues
	return func(ctx context.Context) (*Rehearsed, error) {
		now := &Session{ShowValues: show, chronicle: chronicle{entries: entries}}
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
func makesComm(s *Session, line string) bool {
	h := s.Hint(line)
	if h.C != nil {
		name, _, _ := strings.Cut(h.C.Command, " ")
		h.Verb = FindVerb(name)
	}
	return h.Verb != nil && h.Verb.Makes == MakesComm
}
