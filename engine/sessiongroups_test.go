package engine_test

import (
	"fmt"
	"testing"

	"commsplit/engine"
)

// two are the groups of mpi://WORLD in two sessions, and the group of MPI_COMM_WORLD.
func two(p *engine.Process) (first, second, world *engine.Group, err error) {
	if first, err = opened(p).Group("mpi://WORLD"); err != nil {
		return
	}
	if second, err = opened(p).Group("mpi://WORLD"); err != nil {
		return
	}
	world, err = p.World().Group()
	return
}

// combine are the group operations of two groups that make one.
var combine = map[string]func(g, h *engine.Group) (*engine.Group, error){
	"union": (*engine.Group).Union, "intersection": (*engine.Group).Intersection, "difference": (*engine.Group).Difference,
}

// §11.3: objects of different sessions shall not be intermixed in a single procedure call, nor those
// of a session with those of the World Model. Here inquiries may mix the latter.
func TestGroupsOfTwoSessions(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
		g, h, world, err := two(p)
		if err != nil {
			return nil, err
		}
		for name, f := range combine {
			_, err := f(g, h)
			wantText(t, wantClass(t, err, engine.ErrSession).Error(), "session 1", "session 2", "§11.3")
			_, err = f(world, g)
			wantText(t, wantClass(t, err, engine.ErrSession).Error(), "the World Model", "session 1")
			if r, err := f(g, engine.EmptyGroup); err != nil {
				t.Errorf("%s with MPI_GROUP_EMPTY: %v (%v)", name, r, err)
			}
		}
		_, err = g.Compare(h)
		wantClass(t, err, engine.ErrSession)
		_, err = g.TranslateRanks([]int{0}, h)
		wantClass(t, err, engine.ErrSession)
		if r, err := g.Compare(world); r != engine.Ident || err != nil {
			t.Errorf("compare with the World Model: %v (%v)", r, err)
		}
		if r, err := world.TranslateRanks([]int{2}, g); fmt.Sprint(r) != "[2]" || err != nil {
			t.Errorf("translate from the World Model: %v (%v)", r, err)
		}
		return nil, nil
	})
}

// §11.3: what is made of a session's group belongs to that session, too.
func TestDerivedGroupsKeepTheirSession(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(4), func(p *engine.Process) (any, error) {
		g, other, _, err := two(p)
		if err != nil {
			return nil, err
		}
		pairs := [][]int{{0, 2}, {1}}
		for name, f := range map[string]func() (*engine.Group, error){
			"incl":         func() (*engine.Group, error) { return g.Incl(pairs[0]) },
			"excl":         func() (*engine.Group, error) { return g.Excl(pairs[0]) },
			"range_incl":   func() (*engine.Group, error) { return g.RangeIncl([]engine.RankRange{{3, 0, -2}}) },
			"range_excl":   func() (*engine.Group, error) { return g.RangeExcl([]engine.RankRange{{0, 2, 2}}) },
			"union":        func() (*engine.Group, error) { return g.Union(engine.EmptyGroup) },
			"empty union":  func() (*engine.Group, error) { return engine.EmptyGroup.Union(g) },
			"intersection": func() (*engine.Group, error) { return g.Intersection(g) },
			"difference":   func() (*engine.Group, error) { return g.Difference(engine.EmptyGroup) },
		} {
			h, err := f()
			if err != nil {
				return nil, err
			}
			if _, err := other.Union(h); err == nil {
				t.Errorf("%s: the result belongs to no session", name)
			}
			if _, err := g.Union(h); err != nil {
				t.Errorf("%s: the result belongs to another session: %v", name, err)
			}
		}
		return nil, nil
	})
}

// §7.4.2 and §11.3: every communicator made from one that derives from a session derives from it, and
// MPI_COMM_GROUP gives a group of that session. Groups and communicators of different origin are not
// mixed.
func TestCommunicatorsOfASession(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(4), func(p *engine.Process) (any, error) {
		g, other, world, err := two(p)
		if err != nil {
			return nil, err
		}
		c, err := p.CreateFromGroup(g, "x", nil, engine.ErrorsReturn)
		if err != nil {
			return nil, err
		}
		same, err := c.Group()
		if err != nil {
			return nil, err
		}
		// In one order on all ranks, since the calls are collective.
		for i, f := range []func() (*engine.Comm, error){
			func() (*engine.Comm, error) { return c, nil },
			c.Dup,
			func() (*engine.Comm, error) { return c.Split(p.Rank()%2, -p.Rank()) },
			func() (*engine.Comm, error) { return c.SplitType(engine.TypeShared, 0, nil) },
			func() (*engine.Comm, error) { return c.Create(same) },
			func() (*engine.Comm, error) { return c.CreateGroup(g, 3) },
		} {
			if err := ofSession(f, g, other); err != nil {
				t.Errorf("constructor %d: %v", i, err)
			}
		}
		_, err = p.World().Create(g)
		wantText(t, wantClass(t, err, engine.ErrSession).Error(), "the communicator derives from the World Model", "session 1")
		_, err = c.Create(world)
		wantClass(t, err, engine.ErrSession)
		_, err = c.CreateGroup(other, 0)
		wantText(t, wantClass(t, err, engine.ErrSession).Error(), "session 1", "session 2")
		return nil, nil
	})
}

// §11.3: where the members pass groups of different origin, the communicator derives from a session
// only if it does in all of them: here rank 2 passes a group of the World Model.
func TestCommunicatorOfMixedOrigin(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
		g, _, world, err := two(p)
		if err != nil {
			return nil, err
		}
		mine, err := g.Incl([]int{0, 1, 2})
		if p.Rank() == 2 {
			mine = world
		}
		if err != nil {
			return nil, err
		}
		c, err := p.CreateFromGroup(mine, "x", nil, engine.ErrorsReturn)
		if err != nil {
			return nil, err
		}
		of, err := c.Group()
		if err != nil {
			return nil, err
		}
		if _, err := of.Union(world); err != nil {
			t.Errorf("its group: %v", err)
		}
		d, err := c.SplitType(engine.TypeResourceGuided, 0, pset("mpi://WORLD"))
		if d != nil {
			t.Error("it has process sets")
		}
		return nil, err
	})
}

// ofSession makes a communicator and holds its group against a group of its session and one of
// another.
func ofSession(make func() (*engine.Comm, error), mine, other *engine.Group) error {
	c, err := make()
	if err != nil {
		return err
	}
	g, err := c.Group()
	if err != nil {
		return err
	}
	if _, err := g.Union(mine); err != nil {
		return err
	}
	if _, err := g.Union(other); err == nil {
		return errAnswer
	}
	return nil
}
