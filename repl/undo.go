package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// Rollback returns the session to its state before the last chunk, which failed.
func (s *Session) Rollback(ctx context.Context) error {
	s.entries = s.entries[:len(s.entries)-1]
	return s.remake(ctx)
}

// ReturnTo returns the session to a mark after a panic, on a fresh world. If that fails, the session cannot go on, and
// ReturnTo panics.
func (s *Session) ReturnTo(m Mark) {
	s.entries, s.redo, s.pending = m.entries, m.redo, nil
	if err := s.remake(context.Background()); err != nil {
		panic(fmt.Errorf("the session cannot be made again: %w", err))
	}
}

// Undo takes the last n chunks back, and returns how many chunks it took back. Redo runs them again.
func (s *Session) Undo(ctx context.Context, n int) (int, error) {
	done := 0
	for ; done < n && len(s.entries) > 1; done++ {
		last := len(s.entries) - 1
		s.redo = append(s.redo, s.entries[last])
		s.entries = s.entries[:last]
	}
	if done == 0 {
		return 0, errors.New("nothing to undo: the session has no line")
	}
	return done, s.remake(ctx)
}

// Redo runs the chunk again that Undo took back last.
func (s *Session) Redo(ctx context.Context) error {
	if len(s.redo) == 0 {
		return errors.New("nothing to redo: no line was undone, or a new line ran since")
	}
	last := len(s.redo) - 1
	e := s.redo[last]
	s.redo = s.redo[:last]
	s.entries = append(s.entries, e)
	return s.remake(ctx)
}

// Walk runs the entries of the present world again, on a world of their own, and calls after behind each of them, with
// its index among Entries and the session as it then is. Entries that an expect_deadlock took back do not run.
func (s *Session) Walk(ctx context.Context, after func(now *Session, i int)) error {
	now := s.double()
	defer now.Close()
	return now.runAll(ctx, func(i int) { after(now, i) })
}

// double returns a session with the same entries that has no world yet, and prints nothing.
func (s *Session) double() *Session {
	return &Session{ShowValues: s.ShowValues, chronicle: chronicle{entries: slices.Clone(s.entries)}}
}

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
