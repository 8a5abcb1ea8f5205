package engine_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// §7.4.2: MPI_COMM_CREATE_GROUP must be called by all processes in group, and by nobody else.
func TestCreateGroupMembersOnly(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(5), func(p *engine.Process) (view, error) {
		if p.Rank()%2 == 1 {
			return view{}, nil
		}
		g, err := incl(p.World(), 4, 0, 2)
		if err != nil {
			return view{}, err
		}
		return looking(p.World().CreateGroup(g, 0))
	})
	wantParts(t, views, [][]int32{{4, 0, 2}})
}

// §7.4.2: if the caller is not a member of group, the call is local and returns MPI_COMM_NULL: it
// does not wait for the members, which here only call later.
func TestCreateGroupLocalForOthers(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(3), func(p *engine.Process) (view, error) {
		g, err := incl(p.World(), 0, 1)
		if err != nil {
			return view{}, err
		}
		if p.Rank() == 2 {
			c, err := p.World().CreateGroup(g, 1)
			if err != nil || c != nil {
				return view{}, errors.Join(err, errors.New("not MPI_COMM_NULL"))
			}
			if c, err := p.World().CreateGroup(engine.EmptyGroup, 1); err != nil || c != nil {
				return view{}, errors.Join(err, errors.New("not MPI_COMM_NULL"))
			}
			return view{}, p.World().Send("go on", 0, 0)
		}
		if p.Rank() == 0 {
			if _, err := p.World().Recv(2, 0); err != nil {
				return view{}, err
			}
		}
		return looking(p.World().CreateGroup(g, 1))
	})
	wantParts(t, views, [][]int32{{0, 1}})
}

// §7.4.2: tag is not permitted to be a wildcard, and tags are not negative (§3.2.3).
func TestCreateGroupTags(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		g, err := p.World().Group()
		if err != nil {
			return nil, err
		}
		above := engine.TagUB
		above++ // where an int has 32 bits, it is negative now, and no tag either
		for _, tag := range []int{-1, engine.AnyTag, above} {
			_, err := p.World().CreateGroup(g, tag)
			wantClass(t, err, engine.ErrTag)
		}
		for _, tag := range []int{0, engine.TagUB} {
			if _, err := p.World().CreateGroup(g, tag); err != nil {
				t.Errorf("tag %d: %v", tag, err)
			}
		}
		return nil, nil
	})
}

// §7.4.2: different subgroups may create at the same time, with equal tags; the tag does not
// conflict with tags of messages.
func TestCreateGroupConcurrently(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(6), func(p *engine.Process) (view, error) {
		mine := []int{0, 1, 2}
		if p.Rank() > 2 {
			mine = []int{5, 4, 3}
		}
		if err := p.World().Send("same tag", (p.Rank()+1)%6, 9); err != nil {
			return view{}, err
		}
		g, err := incl(p.World(), mine...)
		if err != nil {
			return view{}, err
		}
		c, err := p.World().CreateGroup(g, 9)
		if err != nil {
			return view{}, err
		}
		if _, err := p.World().Recv(engine.AnySource, 9); err != nil {
			return view{}, err
		}
		return look(c)
	})
	wantParts(t, views, [][]int32{{0, 1, 2}, {5, 4, 3}})
}

// §7.4.2: all processes in group must provide the same arguments, including a group with the same
// members in the same order; otherwise the call is erroneous.
func TestCreateGroupClash(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: int32(10 + p.Rank())})
		order := []int{0, 1}
		if p.Rank() == 1 {
			order = []int{1, 0}
		}
		if p.Rank() == 2 {
			return nil
		}
		g, err := incl(p.World(), order...)
		if err != nil {
			return err
		}
		_, err = p.World().CreateGroup(g, 0)
		return err
	})
	e := wantClass(t, err, engine.ErrGroup)
	wantText(t, e.Error(), "rank 0 passes {0,1}", "rank 1 passes {1,0}", "ranks 0-1",
		"demo.py:10", "demo.py:11", "§7.4.2")
}

// The diagnosis of a call that lacks one of many members looks at each of them a few times, not at
// every pair: with the latter this test would not end.
func TestCreateGroupDiagnosisOfMany(t *testing.T) {
	t.Parallel()
	const n = 20_000
	all := groups(t, n)
	err := try(t, ofSize(n), func(p *engine.Process) error {
		if p.Rank() == 7 {
			return nil
		}
		_, err := p.World().CreateGroup(all, 0)
		return err
	})
	var d *engine.Deadlock
	if !errors.As(err, &d) || d.Waiting[0].Missing().String() != "7" {
		t.Fatalf("got %v, want a deadlock that lacks rank 7", err)
	}
}

// Groups that overlap are a clash only when each side waits for a member of the other: a process may
// make one call after the other.
func TestCreateGroupOverlapInTurn(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(3), func(p *engine.Process) (v view, err error) {
		for _, ranks := range [][]int{{0, 1}, {1, 2}} {
			g, err := incl(p.World(), ranks...)
			if err != nil {
				return v, err
			}
			if g.Rank(p) == engine.Undefined {
				continue
			}
			if v, err = looking(p.World().CreateGroup(g, 0)); err != nil {
				return v, err
			}
		}
		return v, nil
	})
	if diff := cmp.Diff([][]int32{{0, 1}, {1, 2}, {1, 2}},
		[][]int32{views[0].Group, views[1].Group, views[2].Group}); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

// §7.4.2: the same arguments include the tag: with different tags the calls never meet.
func TestCreateGroupOtherTag(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(2), func(p *engine.Process) error {
		g, err := p.World().Group()
		if err != nil {
			return err
		}
		_, err = p.World().CreateGroup(g, p.Rank())
		return err
	})
	var d *engine.Deadlock
	if !errors.As(err, &d) || len(d.Waiting) != 2 {
		t.Fatalf("got %v, want a deadlock with two sides", err)
	}
	if d.Waiting[0].Missing().String() != "1" || d.Waiting[1].Missing().String() != "0" {
		t.Errorf("missing %v", d.Waiting)
	}
}

// §7.4.2: group is a subgroup of the group of comm, also for who is not in it.
func TestCreateGroupNotASubgroup(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		g, err := p.World().Group()
		if err != nil {
			return nil, err
		}
		if _, err := p.World().CreateGroup(g, 0); err != nil { // a subgroup here, but not there
			return nil, err
		}
		_, err = p.Self().CreateGroup(g, 0)
		wantText(t, wantClass(t, err, engine.ErrGroup).Error(), "not in it", "group {0,1}")
		return nil, nil
	})
}
