package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/repl/lang"
)

// Rollback returns the session to its state before the last chunk, which failed.
func (s *Session) Rollback(ctx context.Context) error {
	s.entries = s.entries[:len(s.entries)-1]
	return s.replay(ctx)
}

// mark is the entries of a session at some time, and those that Redo could run again.
type mark struct{ entries, redo []entry }

func (s *Session) mark() mark { return mark{slices.Clip(s.entries), slices.Clone(s.redo)} }

// returnTo returns the session to a mark after a panic, on a fresh world. Where that fails, the session cannot go on:
// returnTo panics.
func (s *Session) returnTo(m mark) {
	s.entries, s.redo, s.pending = m.entries, m.redo, nil
	if err := s.replay(context.Background()); err != nil {
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
	return done, s.replay(ctx)
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
	return s.replay(ctx)
}

// replay makes the world that the entries describe, and prints nothing.
func (s *Session) replay(ctx context.Context) error {
	first := s.beginning()
	output := s.output
	s.output = nil
	defer func() { s.output = output }()
	all := s.entries
	s.entries = all[:first+1]
	if err := s.begin(all[first]); err != nil {
		return err
	}
	void := takenBack(all)
	defer func() { s.pending = nil }()
	for i, e := range all[first+1:] {
		s.pending = all[first+1+i:]
		e.at = s.world.Now()
		if !void[first+1+i] {
			if err := s.again(ctx, e); err != nil {
				return fmt.Errorf("replaying %s:%d: %w", e.chunk.File, e.chunk.Line, err)
			}
		}
		s.entries = append(s.entries, e)
	}
	return nil
}

// takenBack returns, for each entry, whether an expect_deadlock took it back.
func takenBack(entries []entry) []bool {
	void := make([]bool, len(entries))
	for i, e := range entries {
		if e.clears >= 0 {
			for j := e.clears; j < i; j++ {
				void[j] = true
			}
		}
	}
	return void
}

// again runs a chunk that has run before. An expect_deadlock passes or fails as in its first run.
func (s *Session) again(ctx context.Context, e entry) error {
	if v := FindVerb(e.chunk.Verb.Text); e.chunk.Kind == lang.Command && v.text == nil {
		s.own = append(s.own, deadlockPoint(e.chunk, e.clears >= 0, s.world.Now()))
		return nil
	}
	_, err := s.execute(ctx, e.chunk)
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

// Chunks lists the chunks of the session on its present world, in order.
func (s *Session) Chunks() []*lang.Chunk {
	var list []*lang.Chunk
	for _, e := range s.entries[s.beginning()+1:] {
		list = append(list, e.chunk)
	}
	return list
}

// beginning returns the index of the entry that began the present world.
func (s *Session) beginning() int {
	first := len(s.entries) - 1
	for s.entries[first].config == nil {
		first--
	}
	return first
}
