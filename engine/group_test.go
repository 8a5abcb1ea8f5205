package engine_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
)

// drawGroup draws a group of some of n processes in any order; it returns the group and its members.
func drawGroup(t *rapid.T, all *engine.Group, name string) (*engine.Group, []int32) {
	n := all.Size()
	order := rapid.Permutation(upTo(n)).Draw(t, name)
	ranks := order[:rapid.IntRange(0, n).Draw(t, name+" size")]
	g, err := all.Incl(ranks)
	if err != nil {
		t.Fatal(err)
	}
	members := []int32{}
	for _, r := range ranks {
		members = append(members, int32(r))
	}
	return g, members
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// keep lists, in their order, the members that are in others (in) or not in others (not in).
func keep(members, others []int32, in bool) []int32 {
	list := []int32{}
	for _, m := range members {
		if slices.Contains(others, m) == in {
			list = append(list, m)
		}
	}
	return list
}

func wantGroup(t tester, what string, g *engine.Group, err error, want []int32) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	got := append([]int32{}, g.WorldRanks()...)
	if diff := cmp.Diff(append([]int32{}, want...), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// §7.3.2: union is all elements of the first group followed by all elements of the second group
// not in the first; intersection and difference are elements of the first in its order.
func TestGroupSetsAgainstLists(t *testing.T) {
	t.Parallel()
	all := groups(t, 9)
	rapid.Check(t, func(t *rapid.T) {
		g, a := drawGroup(t, all, "g")
		h, b := drawGroup(t, all, "h")
		u, err := g.Union(h)
		wantGroup(t, "union", u, err, slices.Concat(a, keep(b, a, false)))
		i, err := g.Intersection(h)
		wantGroup(t, "intersection", i, err, keep(a, b, true))
		d, err := g.Difference(h)
		wantGroup(t, "difference", d, err, keep(a, b, false))
	})
}

// §7.3.1: MPI_GROUP_COMPARE returns IDENT for the same members in the same order, SIMILAR for the same
// members in another order, UNEQUAL otherwise. MPI_GROUP_TRANSLATE_RANKS returns MPI_UNDEFINED when there is
// no correspondence, and MPI_PROC_NULL for MPI_PROC_NULL.
func TestGroupCompareAndTranslate(t *testing.T) {
	t.Parallel()
	all := groups(t, 5)
	rapid.Check(t, func(t *rapid.T) {
		g, a := drawGroup(t, all, "g")
		h, b := drawGroup(t, all, "h")
		want := engine.Unequal
		if slices.Equal(a, b) {
			want = engine.Ident
		} else if len(a) == len(b) && len(keep(a, b, true)) == len(a) {
			want = engine.Similar
		}
		if got, err := g.Compare(h); err != nil || got != want {
			t.Errorf("compare %v %v: %v (%v), want %v", a, b, got, err, want)
		}
		ranks, expected := []int{engine.ProcNull}, []int{engine.ProcNull}
		for r, m := range a {
			ranks = append(ranks, r)
			at := slices.Index(b, m)
			if at < 0 {
				at = engine.Undefined
			}
			expected = append(expected, at)
		}
		got, err := g.TranslateRanks(ranks, h)
		if err != nil || !slices.Equal(got, expected) {
			t.Errorf("translate %v to %v: %v (%v), want %v", a, b, got, err, expected)
		}
	})
}

// §7.3.2: incl takes the named ranks in the order named, excl the other ranks in the order of the group.
func TestGroupInclExcl(t *testing.T) {
	t.Parallel()
	all := groups(t, 8)
	rapid.Check(t, func(t *rapid.T) {
		g, a := drawGroup(t, all, "g")
		ranks := rapid.Permutation(upTo(len(a))).Draw(t, "ranks")
		ranks = ranks[:rapid.IntRange(0, len(a)).Draw(t, "named")]
		in, named := []int32{}, []int32{}
		for _, r := range ranks {
			in = append(in, a[r])
		}
		named = append(named, in...)
		i, err := g.Incl(ranks)
		wantGroup(t, "incl", i, err, in)
		e, err := g.Excl(ranks)
		wantGroup(t, "excl", e, err, keep(a, named, false))
	})
}

// §7.3.2: a triplet (first, last, stride) stands for first, first+stride, ..., first +
// floor((last-first)/stride) stride; the strides may be negative, not zero; the computed ranks must
// be valid and distinct.
func TestGroupRanges(t *testing.T) {
	t.Parallel()
	g := groups(t, 10)
	type r = engine.RankRange
	for _, c := range []struct {
		ranges     []r
		incl, excl []int32
	}{
		{[]r{{1, 9, 2}}, []int32{1, 3, 5, 7, 9}, []int32{0, 2, 4, 6, 8}},
		{[]r{{0, 8, 3}}, []int32{0, 3, 6}, []int32{1, 2, 4, 5, 7, 8, 9}},
		{[]r{{9, 0, -4}}, []int32{9, 5, 1}, []int32{0, 2, 3, 4, 6, 7, 8}},
		{[]r{{4, 4, 7}, {1, 2, 1}}, []int32{4, 1, 2}, []int32{0, 3, 5, 6, 7, 8, 9}},
		{[]r{{0, 11, 9}}, []int32{0, 9}, []int32{1, 2, 3, 4, 5, 6, 7, 8}}, // 11 is not computed
		{nil, []int32{}, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
	} {
		i, err := g.RangeIncl(c.ranges)
		wantGroup(t, "range_incl", i, err, c.incl)
		e, err := g.RangeExcl(c.ranges)
		wantGroup(t, "range_excl", e, err, c.excl)
	}
	for _, c := range []struct {
		ranges []r
		class  engine.Class
	}{
		{[]r{{0, 5, 0}}, engine.ErrArg},
		{[]r{{0, 10, 1}}, engine.ErrRank},
		{[]r{{-1, 3, 1}}, engine.ErrRank},
		{[]r{{3, -1, -1}}, engine.ErrRank},
		{[]r{{0, 4, 2}, {4, 6, 1}}, engine.ErrRank}, // 4 twice
		{[]r{{1, 0, 1}}, engine.ErrRank},            // no rank at all
		{[]r{{1, 0, 2}}, engine.ErrRank},
		{[]r{{0, 1, -5}}, engine.ErrRank},
	} {
		_, err := g.RangeIncl(c.ranges)
		wantClass(t, err, c.class)
		_, err = g.RangeExcl(c.ranges)
		wantClass(t, err, c.class)
	}
}

// §7.3.2: ranks must be valid in the group, and distinct.
func TestGroupBadRanks(t *testing.T) {
	t.Parallel()
	g := groups(t, 3)
	for _, ranks := range [][]int{{3}, {-1}, {0, 1, 0}, {engine.ProcNull}, {0, 1, 2, 0}} {
		_, err := g.Incl(ranks)
		wantClass(t, err, engine.ErrRank)
		_, err = g.Excl(ranks)
		wantClass(t, err, engine.ErrRank)
	}
	_, err := engine.EmptyGroup.Incl([]int{0})
	wantText(t, wantClass(t, err, engine.ErrRank).Error(), "empty")
	_, err = g.TranslateRanks([]int{3}, g)
	wantClass(t, err, engine.ErrRank)
}

// MPI_GROUP_NULL is an invalid argument of every group call: MPI_ERR_GROUP.
func TestGroupNull(t *testing.T) {
	t.Parallel()
	g := groups(t, 2)
	var none *engine.Group
	for name, f := range map[string]func() error{
		"incl":         func() error { _, err := none.Incl(nil); return err },
		"excl":         func() error { _, err := none.Excl(nil); return err },
		"range_incl":   func() error { _, err := none.RangeIncl(nil); return err },
		"range_excl":   func() error { _, err := none.RangeExcl(nil); return err },
		"union":        func() error { _, err := g.Union(none); return err },
		"intersection": func() error { _, err := none.Intersection(g); return err },
		"difference":   func() error { _, err := g.Difference(none); return err },
		"compare":      func() error { _, err := none.Compare(g); return err },
		"translate":    func() error { _, err := g.TranslateRanks(nil, none); return err },
	} {
		if err := f(); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			wantClass(t, err, engine.ErrGroup)
		}
	}
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		if none.Size() != 0 || none.Rank(p) != engine.Undefined {
			t.Error("MPI_GROUP_NULL has a process")
		}
		return nil, nil
	})
}

// §7.3.2: InclRange returns the same group as MPI_Group_incl of the ranks one by one, in the order of the
// range. Naming a range again returns the same group, and a range that leaves the group raises MPI_ERR_RANK
// as ever.
func TestInclRange(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 10})
	if err != nil {
		t.Fatal(err)
	}
	err = engine.Run(w, func(p *engine.Process) error {
		g, err := p.World().Group()
		if err != nil {
			return err
		}
		for _, c := range []struct {
			by   engine.RankRange
			want []int
		}{
			{engine.RankRange{First: 1, Last: 7, Stride: 3}, []int{1, 4, 7}},
			{engine.RankRange{First: 8, Last: 0, Stride: -4}, []int{8, 4, 0}},
			{engine.RankRange{First: 0, Last: 9, Stride: 1}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
			{engine.RankRange{First: 2, Last: 3, Stride: 1}, []int{2, 3}},
			{engine.RankRange{First: 4, Last: 5, Stride: 1}, []int{4, 5}},
			{engine.RankRange{First: 1, Last: 7, Stride: 3}, []int{1, 4, 7}},
		} {
			got, err := g.InclRange(c.by)
			if err != nil {
				return err
			}
			one, err := g.Incl(c.want)
			if err != nil {
				return err
			}
			if r, _ := got.Compare(one); r != engine.Ident {
				t.Errorf("%v is %v, want %v", c.by, got.WorldRanks(), c.want)
			}
		}
		_, err = g.InclRange(engine.RankRange{First: 5, Last: 1 << 30, Stride: 5})
		var e *engine.Error
		if !errors.As(err, &e) || e.Class != engine.ErrRank {
			t.Errorf("a range that leaves the group: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
