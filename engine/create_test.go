package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// creating runs MPI_Comm_create on the world, where rank r passes the group of world ranks groups[r].
func creating(t tester, std engine.Std, groups [][]int) ([]view, error) {
	t.Helper()
	views := make([]view, len(groups))
	err := try(t, engine.Config{Size: len(groups), Std: std}, func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 3})
		g, err := incl(p.World(), groups[p.Rank()]...)
		if err != nil {
			return err
		}
		views[p.Rank()], err = looking(p.World().Create(g))
		return err
	})
	return views, err
}

// §7.4.2: the new communicator has group as its group, in its order; a process that calls with a
// group it does not belong to, such as MPI_GROUP_EMPTY, gets MPI_COMM_NULL; processes may specify
// different, disjoint groups.
func TestCreate(t *testing.T) {
	t.Parallel()
	odd, even := []int{3, 1}, []int{0, 2}
	for name, c := range map[string]struct {
		groups [][]int
		want   [][]int32
	}{
		"one group, its own order": {
			[][]int{{2, 0, 1}, {2, 0, 1}, {2, 0, 1}, {2, 0, 1}}, [][]int32{{2, 0, 1}}},
		"all empty":                {[][]int{{}, {}}, nil},
		"disjoint groups":          {[][]int{even, odd, even, odd}, [][]int32{{0, 2}, {3, 1}}},
		"members and empty":        {[][]int{{1}, {1}, {}}, [][]int32{{1}}},
		"a group of others":        {[][]int{{0}, {0}, {2, 3}, {2, 3}, {0}}, [][]int32{{0}, {2, 3}}},
		"the whole group reversed": {[][]int{{1, 0}, {1, 0}}, [][]int32{{1, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			views, err := creating(t, engine.StdLatest, c.groups)
			if err != nil {
				t.Fatal(err)
			}
			wantParts(t, views, c.want)
		})
	}
}

// §7.4.2: all processes in a nonempty group must call with the same group, the same processes in the same
// order; the groups must be disjoint. Otherwise the call is erroneous on all processes, and the message
// names both sides.
func TestCreateGroupsThatClash(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		groups [][]int
		sides  []string
	}{
		"different order": {[][]int{{0, 1, 2}, {0, 2, 1}, {0, 1, 2}},
			[]string{"ranks 0,2 pass {0,1,2}", "rank 1 passes {0,2,1}", "contains rank 1"}},
		"overlap": {[][]int{{0, 1}, {0, 1}, {1, 2}},
			[]string{"rank 2 passes {1,2}", "ranks 0-1 pass {0,1}"}},
		"a member passes empty": {[][]int{{0, 1}, {}},
			[]string{"rank 0 passes {0,1}", "rank 1 passes MPI_GROUP_EMPTY"}},
		"named by an outsider only": {[][]int{{}, {0}},
			[]string{"rank 1 passes {0}", "rank 0 passes MPI_GROUP_EMPTY"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := creating(t, engine.StdLatest, c.groups)
			e := wantClass(t, err, engine.ErrGroup)
			if e.Ranks.Len() != len(c.groups) {
				t.Errorf("raised on %s, want on all %d ranks", e.Ranks, len(c.groups))
			}
			wantText(t, e.Error(), append(c.sides, "demo.py:3", "§7.4.2")...)
		})
	}
}

// §7.4.2: the group must be a subgroup of the group of comm: MPI_ERR_GROUP on every rank.
func TestCreateNotASubgroup(t *testing.T) {
	t.Parallel()
	classes := perRank(t, ofSize(4), func(p *engine.Process) (engine.Class, error) {
		half, err := p.World().Split(p.Rank()/2, 0)
		if err != nil {
			return 0, err
		}
		g, err := p.World().Group()
		if err != nil {
			return 0, err
		}
		_, err = half.Create(g)
		return wantClass(t, err, engine.ErrGroup).Class, nil
	})
	if len(classes) != 4 {
		t.Error("not every rank came back")
	}
}

// §7.4.2 (rationale): MPI-1.1 required the same group in all processes; disjoint groups came with
// MPI-2.2.
func TestCreateBeforeMPI22(t *testing.T) {
	t.Parallel()
	disjoint := [][]int{{0}, {1}}
	for _, std := range []engine.Std{11, 21} {
		_, err := creating(t, std, disjoint)
		e := wantClass(t, err, engine.ErrGroup)
		wantText(t, e.Text, "MPI-"+std.String(), "rank 0 passes {0}", "rank 1 passes {1}")
	}
	views, err := creating(t, 22, disjoint)
	if err != nil {
		t.Fatal(err)
	}
	wantParts(t, views, [][]int32{{0}, {1}})
	views, err = creating(t, 11, [][]int{{1}, {1}})
	if err != nil {
		t.Fatal(err)
	}
	wantParts(t, views, [][]int32{{1}})
}

// MPI_GROUP_NULL is not a group, unlike MPI_GROUP_EMPTY (§7.2.1).
func TestCreateGroupNull(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		_, err := p.World().Create(nil)
		wantClass(t, err, engine.ErrGroup)
		_, err = p.World().CreateGroup(nil, 0)
		wantClass(t, err, engine.ErrGroup)
		return nil, nil
	})
}

// §7.4.2: create can subdivide a communicator that another call made; a group has processes, not numbers.
func TestCreateInACommunicator(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(6), func(p *engine.Process) (view, error) {
		back, err := p.World().Split(p.Rank()%2, -p.Rank())
		if err != nil {
			return view{}, err
		}
		g, err := incl(back, 0, 2) // world ranks {4,0} and {5,1}
		if err != nil {
			return view{}, err
		}
		return looking(back.Create(g))
	})
	wantPartsByGroup(t, views, [][]int32{{4, 0}, {5, 1}})
}

// §7.4.2: MPI_COMM_CREATE_GROUP must be called by all processes in group, and by no other process.
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

// The diagnosis of a call that lacks one of many members looks at each member a few times, not at every pair
// of members: with pairs this test would not end.
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

// §7.4.2: group is a subgroup of the group of comm, also for a caller that is not in group.
func TestCreateGroupNotASubgroup(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		g, err := p.World().Group()
		if err != nil {
			return nil, err
		}
		if _, err := p.World().CreateGroup(g, 0); err != nil { // a subgroup here, but not of MPI_COMM_SELF
			return nil, err
		}
		_, err = p.Self().CreateGroup(g, 0)
		wantText(t, wantClass(t, err, engine.ErrGroup).Error(), "not in it", "group {0,1}")
		return nil, nil
	})
}

// fromRanks makes a communicator of some ranks of mpi://WORLD.
func fromRanks(p *engine.Process, stringtag string, ranks ...int) (*engine.Comm, error) {
	g, err := opened(p).Group("mpi://WORLD")
	if err != nil {
		return nil, err
	}
	if g, err = g.Incl(ranks); err != nil {
		return nil, err
	}
	return p.CreateFromGroup(g, stringtag, nil, engine.ErrorsReturn)
}

// §7.4.2: MPI_COMM_CREATE_FROM_GROUP is called only by the processes of the group, whose order is that of
// the new communicator; there is no parent.
func TestCreateFromGroupMembersOnly(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(5), func(p *engine.Process) (view, error) {
		if p.Rank()%2 == 1 {
			return view{}, nil
		}
		c, err := fromRanks(p, "org.example", 4, 0, 2)
		if err != nil {
			return view{}, err
		}
		if i := c.Info(); i.Parent != -1 || i.Op != engine.CallCreateFromGroup {
			t.Errorf("made by %s from %d", i.Op, i.Parent)
		}
		return look(c)
	})
	wantParts(t, views, [][]int32{{4, 0, 2}})
}

// §7.4.2: with MPI_GROUP_EMPTY the call is local and returns MPI_COMM_NULL; likewise for a process
// that is not in the group: it does not wait for the members, which here only call later.
func TestCreateFromGroupLocal(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(3), func(p *engine.Process) (view, error) {
		if p.Rank() == 2 {
			c, err := fromRanks(p, "x", 0, 1)
			d, err2 := p.CreateFromGroup(engine.EmptyGroup, "x", nil, engine.ErrorsReturn)
			if err := errors.Join(err, err2); err != nil || c != nil || d != nil {
				return view{}, errors.Join(err, errAnswer)
			}
			return view{}, p.World().Send("go on", 0, 0)
		}
		if p.Rank() == 0 {
			if _, err := p.World().Recv(2, 0); err != nil {
				return view{}, err
			}
		}
		return looking(fromRanks(p, "x", 0, 1))
	})
	wantParts(t, views, [][]int32{{0, 1}})
}

// §7.4.2: errhandler is attached to the new communicator, info gives its hints.
func TestCreateFromGroupAttaches(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		g, err := opened(p).Group("mpi://WORLD")
		if err != nil {
			return nil, err
		}
		info := naming("mpi_assert_no_any_tag", "true")
		c, err := p.CreateFromGroup(g, "x", info, engine.ErrorsAbort)
		wantHandler(t, "create_from_group", c, err)
		hints, err := c.Hints()
		if err != nil {
			return nil, err
		}
		if diff := cmp.Diff([]string{"mpi_assert_no_any_tag", "true"}, listing(t, hints)); diff != "" {
			t.Errorf("hints (-want +got):\n%s", diff)
		}
		return nil, nil
	})
}

// §7.4.2: stringtag distinguishes concurrent calls; disjoint groups may use the same one. Here the
// groups overlap in rank 2, which makes its calls one after the other.
func TestCreateFromGroupConcurrently(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(5), func(p *engine.Process) (v view, err error) {
		for _, c := range []struct {
			tag   string
			ranks []int
		}{{"x", []int{0, 1}}, {"x", []int{2, 3}}, {"y", []int{2, 4}}} {
			if v, err = looking(fromRanks(p, c.tag, c.ranks...)); err != nil || v.ID != 0 && p.Rank() != 2 {
				return v, err
			}
		}
		return v, err
	})
	got := [][]int32{views[0].Group, views[2].Group, views[3].Group, views[4].Group}
	if diff := cmp.Diff([][]int32{{0, 1}, {2, 4}, {2, 3}, {2, 4}}, got); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

// The trace shows the call without a communicator, with the group and the stringtag.
func TestCreateFromGroupTrace(t *testing.T) {
	t.Parallel()
	s := tracing(t, 3, func(p *engine.Process) error {
		_, err := fromRanks(p, "x", 2, 0)
		return err
	})
	st := s.Steps[len(s.Steps)-1]
	if st.Call != engine.CallCreateFromGroup || st.Comm != -1 || st.Ranks.String() != "0,2" {
		t.Errorf("last step %+v", st)
	}
	want := []engine.Column{{Name: "group", Texts: []string{"{2,0}", "{2,0}"}}, {Name: "stringtag", Texts: []string{"x", "x"}}}
	if diff := cmp.Diff(want, st.Args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

// §7.4.2: stringtag shall not exceed MPI_MAX_STRINGTAG_LEN, which counts C's null character and is at least
// 63; an empty stringtag is valid. MPI_GROUP_NULL is not a group.
func TestCreateFromGroupArguments(t *testing.T) {
	t.Parallel()
	if engine.MaxStringtag < 63 {
		t.Error("MPI_MAX_STRINGTAG_LEN shall be at least 63")
	}
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		_, err := fromRanks(p, strings.Repeat("x", 256), 0)
		wantText(t, wantClass(t, err, engine.ErrArg).Error(), "at most MPI_MAX_STRINGTAG_LEN-1 (255)", "256 characters")
		for _, tag := range []string{"", strings.Repeat("x", 255)} {
			if _, err := fromRanks(p, tag, 0); err != nil {
				t.Errorf("tag of %d characters: %v", len(tag), err)
			}
		}
		_, err = p.CreateFromGroup(nil, "x", nil, engine.ErrorsReturn)
		wantClass(t, err, engine.ErrGroup)
		freed := engine.NewInfo()
		if err := freed.Free(); err != nil {
			return nil, err
		}
		_, err = p.CreateFromGroup(engine.EmptyGroup, "x", freed, engine.ErrorsReturn)
		wantClass(t, err, engine.ErrInfo)
		return nil, nil
	})
}

// §9.3: an error of the call goes to the error handler of the session that the group derives from, or else
// of MPI_COMM_SELF; in MPI-4.0 the argument errhandler is called.
func TestCreateFromGroupErrhandler(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		std                     engine.Std
		session, self, argument bool // which of these handlers is fatal
		fatal                   bool
	}{
		{50, true, false, false, true}, {50, false, true, true, false},
		{40, true, true, false, false}, {40, false, false, true, true},
	} {
		handler := func(fatal bool) *engine.Errhandler {
			if fatal {
				return engine.ErrorsAreFatal
			}
			return engine.ErrorsReturn
		}
		err := try(t, engine.Config{Size: 1, Std: c.std}, func(p *engine.Process) error {
			if err := p.Self().SetErrhandler(handler(c.self)); err != nil {
				return err
			}
			s, err := p.SessionInit(nil, handler(c.session))
			if err != nil {
				return err
			}
			g, err := s.Group("mpi://SELF")
			if err != nil {
				return err
			}
			if _, err = p.CreateFromGroup(g, strings.Repeat("x", 300), nil, handler(c.argument)); err == nil {
				return errAnswer
			}
			return nil
		})
		if (err != nil) != c.fatal || errors.Is(err, errAnswer) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// §11.3.1: no communicator can be made of a group of a finalized session.
func TestCreateFromGroupOfFinalized(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		s := opened(p)
		g, err := s.Group("mpi://WORLD")
		if err != nil {
			return nil, err
		}
		if err := s.Finalize(); err != nil {
			return nil, err
		}
		_, err = p.CreateFromGroup(g, "x", nil, engine.ErrorsReturn)
		wantClass(t, err, engine.ErrSession)
		return nil, nil
	})
}

// §7.4.2: each of the processes must provide a group with the same members in the same order.
func TestCreateFromGroupClash(t *testing.T) {
	t.Parallel()
	for name, groups := range map[string][2][]int{"order": {{0, 1}, {1, 0}}, "overlap": {{0, 1, 2}, {1, 0}}} {
		err := try(t, ofSize(3), func(p *engine.Process) error {
			if p.Rank() == 2 {
				return nil
			}
			_, err := fromRanks(at(p, int32(10+p.Rank())), "x", groups[p.Rank()]...)
			return err
		})
		e := wantClass(t, err, engine.ErrGroup)
		if e.Comm != -1 || e.Ranks.String() != "0-1" {
			t.Errorf("%s: %+v", name, e)
		}
		wantText(t, e.Error(), "rank 1 passes {1,0}", "demo.py:10", "demo.py:11", "MPI_Comm_create_from_group", "§7.4.2")
	}
}

// §7.4.2: all processes pass an identical stringtag. With different stringtags the calls never meet, and the
// diagnosis names a process that is missing.
func TestCreateFromGroupDeadlock(t *testing.T) {
	t.Parallel()
	const rule = "All processes of the group must call MPI_Comm_create_from_group with the same group and stringtag [MPI-5.0 §7.4.2]. "
	for name, c := range map[string]struct {
		tags []string // by rank; rank 2 makes no call when there are two
		want string
	}{
		"tags": {[]string{"org.a", "org.a", "org.b"},
			`DEADLOCK: ranks 0-1 wait in MPI_Comm_create_from_group (demo.py:2) of {0,1,2} with stringtag "org.a"; ` +
				`rank 2 is in MPI_Comm_create_from_group (demo.py:2) of {0,1,2} with stringtag "org.b". ` + rule +
				"Fix: the stringtags differ: let ranks 0-1 and rank 2 pass the same one."},
		"missing": {[]string{"x", "x"},
			`DEADLOCK: ranks 0-1 wait in MPI_Comm_create_from_group (demo.py:2) of {0,1,2} with stringtag "x"; ` +
				`rank 2 has made all its calls. ` + rule + "Fix: let rank 2 make the call too."},
	} {
		err := try(t, ofSize(3), func(p *engine.Process) error {
			if p.Rank() >= len(c.tags) {
				return nil
			}
			_, err := fromRanks(at(p, 2), c.tags[p.Rank()], 0, 1, 2)
			return err
		})
		t.Log(name)
		wantDeadlock(t, err, c.want)
		var d *engine.Deadlock
		if errors.As(err, &d) && (d.Waiting[0].Comm != -1 || d.Waiting[0].Missing().String() != "2") {
			t.Errorf("%s: waiting %+v", name, d.Waiting)
		}
	}
}

// §7.4.2: each of the processes must provide the same arguments: the error handler and the hints, too. The
// pairs of an info object count, not their order; an info object without pairs equals none.
func TestCreateFromGroupSameArguments(t *testing.T) {
	t.Parallel()
	hints := func(pairs ...string) *engine.Info {
		i := engine.NewInfo()
		for k := 0; k < len(pairs); k += 2 {
			if err := i.Set(pairs[k], pairs[k+1]); err != nil {
				t.Fatal(err)
			}
		}
		return i
	}
	for name, c := range map[string]struct {
		info    [2]*engine.Info // of rank 0, of the others
		handler [2]*engine.Errhandler
		want    string // "" when they agree
	}{
		"error handlers": {handler: [2]*engine.Errhandler{engine.ErrorsAbort, engine.ErrorsReturn},
			want: "all processes of the group must provide the same error handler: rank 0 passes MPI_ERRORS_ABORT; ranks 1-2 pass MPI_ERRORS_RETURN"},
		"info": {info: [2]*engine.Info{hints("k", "true"), hints("k", "false")},
			want: `all processes of the group must provide the same info: rank 0 passes {k="true"}; ranks 1-2 pass {k="false"}`},
		"info on one only": {info: [2]*engine.Info{hints("k", "true"), nil},
			want: `all processes of the group must provide the same info: rank 0 passes {k="true"}; ranks 1-2 pass no info`},
		"another order":      {info: [2]*engine.Info{hints("a", "1", "b", "2"), hints("b", "2", "a", "1")}},
		"an empty one, none": {info: [2]*engine.Info{hints(), nil}},
	} {
		perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
			g, err := p.World().Group()
			if err != nil {
				return nil, err
			}
			mine, handler := min(p.Rank(), 1), engine.ErrorsReturn
			if h := c.handler[mine]; h != nil {
				handler = h
			}
			_, err = p.CreateFromGroup(g, "org.example", c.info[mine], handler)
			if c.want == "" {
				return nil, err
			}
			if e := wantClass(t, err, engine.ErrArg); e.Text != c.want {
				t.Errorf("%s: got %q, want %q", name, e.Text, c.want)
			}
			return nil, nil
		})
	}
}
