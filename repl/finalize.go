package repl

import (
	"context"

	"commsplit/engine"
	"commsplit/repl/program"
)

// Finalize ends a program, as MPI_Finalize does: the attributes of MPI_COMM_SELF are deleted, which
// may call functions of the program. It does nothing when ranks still wait. It fails like Run.
func (s *Session) Finalize(ctx context.Context) error {
	if s.failure != nil || s.blocked >= 0 {
		return nil
	}
	var ranks engine.Ranks
	for i, r := range s.ranks {
		if r != nil && r.Caches() {
			ranks.Append(int32(i))
		}
	}
	last := s.entries[len(s.entries)-1].chunk
	if len(ranks) == 0 || last == nil {
		return nil
	}
	end := engine.Site{File: last.File}
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error { return r.Finalize(end) })
	return s.settle(ctx, st, last)
}
