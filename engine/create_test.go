package engine_test

import (
	"testing"

	"commsplit/engine"
)

// creating runs MPI_Comm_create on the world, rank r passing the group of world ranks groups[r].
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

// §7.4.2: all processes in a nonempty group must call with the same group, the same processes in
// the same order; the groups must be disjoint. Otherwise the call is erroneous, everywhere, and
// the diagnosis names both sides.
func TestCreateGroupsThatClash(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		groups [][]int
		sides  []string
	}{
		"different order": {[][]int{{0, 1, 2}, {0, 2, 1}, {0, 1, 2}},
			[]string{"ranks 0,2 pass {0,1,2}", "rank 1 passes {0,2,1}", "has rank 1 in it"}},
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

// MPI_GROUP_NULL is no group, unlike MPI_GROUP_EMPTY (§7.2.1).
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

// §7.4.2: create can subdivide what it made; groups are of processes, not of numbers.
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
