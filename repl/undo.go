package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// Rollback returns the session to its state before the last chunk, which failed.
func (s *Session) Rollback(ctx context.Context) error {
	s.entries = s.entries[:len(s.entries)-1]
	return s.remake(ctx)
}

// ReturnTo returns the session to a mark after a panic, on a fresh world. Where that fails, the session cannot go on:
// returnTo panics.
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
		return 0, errors.New("nothing to undo: this is the beginning of the session")
	}
	return done, s.remake(ctx)
}

// Redo runs the chunk again that Undo took back last.
func (s *Session) Redo(ctx context.Context) error {
	if len(s.redo) == 0 {
		return errors.New("nothing to redo: nothing was undone, or something new was run since")
	}
	last := len(s.redo) - 1
	e := s.redo[last]
	s.redo = s.redo[:last]
	s.entries = append(s.entries, e)
	return s.remake(ctx)
}

// remake makes the world that the entries describe, and prints nothing.
func (s *Session) remake(ctx context.Context) error {
	return s.Quietly(func() error { return s.runAll(ctx) })
}

// Quietly runs f, and tells nobody what ranks print meanwhile.
func (s *Session) Quietly(f func() error) error {
	output := s.output
	s.output = nil
	defer func() { s.output = output }()
	return f()
}

// runAll runs the entries of the present world on a fresh one.
func (s *Session) runAll(ctx context.Context) error {
	first := s.beginning()
	all := s.entries
	s.entries = all[:first+1]
	if err := s.begin(all[first]); err != nil {
		return err
	}
	void := takenBack(all)
	defer func() { s.pending = nil }()
	for i, e := range all[first+1:] {
		s.pending = all[first+1+i:]
		e.At = s.world.Now()
		if !void[first+1+i] {
			if err := s.again(ctx, e); err != nil {
				return fmt.Errorf("replaying %s:%d: %w", e.Chunk.File, e.Chunk.Line, err)
			}
		}
		s.entries = append(s.entries, e)
	}
	return nil
}

// again runs a chunk that has run before. An expect_deadlock passes or fails as in its first run.
func (s *Session) again(ctx context.Context, e Entry) error {
	if v := FindVerb(e.Chunk.Verb.Text); e.Chunk.Kind == lang.Command && v.text == nil {
		s.own = append(s.own, deadlockPoint(e.Chunk, e.clears >= 0, s.world.Now()))
		return nil
	}
	_, err := s.execute(ctx, e.Chunk)
	return err
}

// deadlockPoint returns the outcome of an expect_deadlock, which fails unless ranks were blocked.
func deadlockPoint(c *lang.Chunk, blocked bool, at engine.Moment) render.Point {
	p := render.Point{Where: engine.Site{File: c.File, Line: int32(c.Line)}.String(), Text: "a deadlock"}
	if !blocked {
		p.Failure = &render.Failure{Where: p.Where, Message: "expected a deadlock, but no rank is blocked", At: at}
	}
	return p
}

// Walk runs the entries of the present world again, on a world of their own, and calls after behind each of them, with
// its index among Entries and the session as it then is. Entries that an expect_deadlock took back do not run.
func (s *Session) Walk(ctx context.Context, after func(now *Session, i int)) error {
	first, void := s.beginning(), takenBack(s.entries)
	now := &Session{ShowValues: s.ShowValues}
	now.entries = slices.Clone(s.entries[:first+1])
	if err := now.begin(s.entries[first]); err != nil {
		return err
	}
	defer now.Close()
	for i := first + 1; i < len(s.entries); i++ {
		if !void[i] {
			if err := now.again(ctx, s.entries[i]); err != nil {
				return err
			}
		}
		now.entries = append(now.entries, s.entries[i])
		after(now, i-first-1)
	}
	return nil
}
