package engine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// ledger notes the context ids of new communicators, -1 for MPI_COMM_NULL, and the first error.
type ledger struct {
	ids []int
	err error
}

func (l *ledger) add(c *engine.Comm, err error) *engine.Comm {
	switch {
	case l.err != nil:
	case err != nil:
		l.err = err
	case c == nil:
		l.ids = append(l.ids, -1)
	default:
		l.ids = append(l.ids, c.Info().Context)
	}
	return c
}

// lowContexts runs the program of ranks 0 and 1 in TestContextIDs.
func lowContexts(p *engine.Process) ([]int, error) {
	var l ledger
	half := l.add(p.World().Split(0, 0))
	l.add(half.Dup())
	l.add(p.World().Dup())
	l.add(p.World().Split(0, 0))
	l.add(p.World().Dup())
	l.add(half.Dup())
	last := l.add(half.Dup())
	if err := half.Free(); err != nil {
		return nil, err
	}
	l.add(last.Dup())
	return l.ids, l.err
}

// highContexts runs the program of ranks 2 and 3.
func highContexts(p *engine.Process) ([]int, error) {
	var l ledger
	half := l.add(p.World().Split(1, 0))
	l.add(p.World().Dup())
	color := 0
	if p.Rank() == 3 {
		color = engine.Undefined
	}
	l.add(p.World().Split(color, 0))
	l.add(p.World().Dup())
	l.add(half.Dup())
	return l.ids, l.err
}

// The processes of a new communicator take the lowest context id that is free on all of them;
// disjoint communicators of one call share it; processes without a new communicator take none; a
// freed id is free on the processes of that communicator.
func TestContextIDs(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(4), func(p *engine.Process) ([]int, error) {
		if p.Rank() < 2 {
			return lowContexts(p)
		}
		return highContexts(p)
	})
	low := []int{
		1,    // split in halves, which share it
		2,    // duplicate of the lower half only
		3,    // duplicate of the world
		4,    // split of the world without rank 3
		5,    // duplicate of the world: 4 is taken on the others
		6, 7, // duplicates of the lower half
		1, // the lower half was freed
	}
	want := [][]int{low, low, {1, 3, 4, 5, 2}, {1, 3, -1, 5, 2}} // 2 was never taken above
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("context ids by rank (-want +got):\n%s", diff)
	}
}

// Context ids run out: the call fails with MPI_ERR_OTHER on every process, and freeing one
// communicator makes room for one.
func TestContextIDsRunOut(t *testing.T) {
	t.Parallel()
	const most = 1<<16 - 1 // besides that of MPI_COMM_WORLD
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		var last *engine.Comm
		for i := range most {
			c, err := p.World().Dup()
			if err != nil {
				return nil, fmt.Errorf("duplicate %d: %w", i, err)
			}
			last = c
		}
		_, err := p.World().Dup()
		wantText(t, wantClass(t, err, engine.ErrOther).Error(), "MPI_Comm_free")
		g, err := p.World().Group()
		if err != nil {
			return nil, err
		}
		_, err = p.World().CreateGroup(g, 0)
		wantClass(t, err, engine.ErrOther)
		if err := last.Free(); err != nil {
			return nil, err
		}
		c, err := p.World().Split(p.Rank(), 0)
		if err != nil {
			return nil, err
		}
		if c.Info().Context != most {
			t.Errorf("context %d, want %d", c.Info().Context, most)
		}
		return nil, nil
	})
}

// An intercommunicator takes a context id for each of its groups, or none: where the right group has none
// left, the left group's id is free again.
func TestContextIDsOfTwoGroups(t *testing.T) {
	t.Parallel()
	err := try(t, engine.Config{Size: 4, Contexts: 4}, func(p *engine.Process) error {
		half, err := p.World().Split(p.Rank()/2, 0) // id 1 on all
		if err != nil {
			return err
		}
		dups := func(n int) error {
			for i := range n {
				if _, err := half.Dup(); err != nil {
					return fmt.Errorf("rank %d, duplicate %d: %w", p.Rank(), i, err)
				}
			}
			return nil
		}
		if p.Rank() >= 2 { // 2 and 3: all that there are
			if err := dups(2); err != nil {
				return err
			}
		}
		_, err = half.CreateIntercomm(0, p.World(), 2-p.Rank()/2*2, 0)
		if wrong := isClass(err, engine.ErrOther, "ranks 2-3 have none left"); wrong != nil {
			return wrong
		}
		if p.Rank() < 2 { // 2 and 3 are as free as before
			return dups(2)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
