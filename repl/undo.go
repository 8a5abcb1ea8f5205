package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
