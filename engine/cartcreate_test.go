package engine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// carts runs MPI_Cart_create on the world, rank r passing dims[r].
func carts(t tester, dims [][]int, reorder bool) ([]view, error) {
	t.Helper()
	views := make([]view, len(dims))
	err := try(t, ofSize(len(dims)), func(p *engine.Process) (err error) {
		at(p, 3)
		views[p.Rank()], err = looking(p.World().CreateCart(dims[p.Rank()], nil, reorder))
		return err
	})
	return views, err
}

// alike is n times the same.
func alike[T any](n int, v T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// §8.5.1: with reorder = false each process has its old rank; reorder = true allows another order,
// which is not used. A grid smaller than the group gives the rest MPI_COMM_NULL; ndims = 0 is a grid
// of one process.
func TestCreateCart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dims []int
		want []int32
	}{
		{[]int{2, 3}, []int32{0, 1, 2, 3, 4, 5}},
		{[]int{2, 2}, []int32{0, 1, 2, 3}},
		{[]int{5}, []int32{0, 1, 2, 3, 4}},
		{[]int{1, 1, 1}, []int32{0}},
		{[]int{}, []int32{0}},
	} {
		for _, reorder := range []bool{false, true} {
			views, err := carts(t, alike(6, c.dims), reorder)
			if err != nil {
				t.Fatal(err)
			}
			wantParts(t, views, [][]int32{c.want})
		}
	}
}

// §8.5.1: a grid larger than the group is erroneous. The text names no class; Open MPI and MPICH say
// MPI_ERR_ARG. So is a dimension without processes: MPI_ERR_DIMS (§9.4). Every process is told.
func TestCreateCartBadDims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dims  []int
		class engine.Class
		text  string
	}{
		{[]int{7}, engine.ErrArg, "dims (7) make more than its 6 processes"},
		{[]int{3, 3}, engine.ErrArg, "must not be larger than the group"},
		{[]int{1 << 30, 1 << 30, 1 << 30}, engine.ErrArg, "must not be larger than the group"},
		{[]int{0, 3}, engine.ErrDims, "dims[0] is 0"},
		{[]int{1 << 30, -1, 1 << 30}, engine.ErrDims, "dims[1] is -1"},
	} {
		_, err := carts(t, alike(6, c.dims), false)
		e := wantClass(t, err, c.class)
		if e.Ranks.Len() != 6 {
			t.Errorf("dims %v: raised on %s, want on all ranks", c.dims, e.Ranks)
		}
		wantText(t, e.Error(), c.text, "MPI_Cart_create", "demo.py:3", "§8.5.1")
	}
}

// §8.4: all input arguments of MPI_Cart_create must have identical values on all processes:
// MPI_ERR_ARG everywhere, naming the sides.
func TestCreateCartArgumentsDiffer(t *testing.T) {
	t.Parallel()
	_, err := carts(t, [][]int{{2, 2}, {2, 2}, {4}, {2, 2}}, false)
	e := wantClass(t, err, engine.ErrArg)
	if e.Ranks.Len() != 4 {
		t.Errorf("raised on %s, want on all ranks", e.Ranks)
	}
	wantText(t, e.Error(), "the same dims", "ranks 0-1,3 pass (2,2)", "rank 2 passes (4)", "demo.py:3")

	err = try(t, ofSize(2), func(p *engine.Process) error {
		_, err := p.World().CreateCart([]int{2}, []bool{p.Rank() == 1}, false)
		return err
	})
	wantText(t, wantClass(t, err, engine.ErrArg).Text, "the same periods", "rank 0 passes (false)", "rank 1 passes (true)")
	err = try(t, ofSize(2), func(p *engine.Process) error {
		_, err := p.World().CreateCart([]int{2}, nil, p.Rank() == 1)
		return err
	})
	wantText(t, wantClass(t, err, engine.ErrArg).Text, "the same reorder", "rank 0 passes false", "rank 1 passes true")
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		_, err := p.World().CreateCart([]int{2}, []bool{true, true}, false)
		wantText(t, wantClass(t, err, engine.ErrArg).Message(), "one entry per dimension", "2 for 1 dimensions")
		return nil, nil
	})
}

// gridView is what MPI_Cart_get says.
type gridView struct {
	Dims    []int
	Periods []bool
	Coords  []int
}

func viewGrid(c *engine.Comm) (v gridView, err error) {
	v.Dims, v.Periods, v.Coords, err = c.CartGet()
	return v, err
}

// §8.5.7, Example 8.9: of a 2 x 3 x 4 grid, remain_dims = (true, false, true) makes three
// communicators of eight processes in a 2 x 4 grid, and (false, false, true) six of four processes
// in one dimension. All false: grids of no dimensions, of one process each.
func TestCartSub(t *testing.T) {
	t.Parallel()
	rank := func(i, j, k int) int32 { return int32(12*i + 4*j + k) }
	var planes, rows, points [][]int32
	for j := range 3 {
		var plane []int32
		for i := range 2 {
			for k := range 4 {
				plane = append(plane, rank(i, j, k))
			}
		}
		planes = append(planes, plane)
	}
	for i := range 2 {
		for j := range 3 {
			rows = append(rows, []int32{rank(i, j, 0), rank(i, j, 1), rank(i, j, 2), rank(i, j, 3)})
		}
	}
	for r := range 24 {
		points = append(points, []int32{int32(r)})
	}
	for _, c := range []struct {
		remain []bool
		parts  [][]int32
		last   gridView // of world rank 23, at (1,2,3)
	}{
		{[]bool{true, false, true}, planes, gridView{[]int{2, 4}, []bool{true, false}, []int{1, 3}}},
		{[]bool{false, false, true}, rows, gridView{[]int{4}, []bool{false}, []int{3}}},
		{[]bool{false, false, false}, points, gridView{[]int{}, []bool{}, []int{}}},
	} {
		last := make([]gridView, 24)
		views := onGrid(t, []int{2, 3, 4}, []bool{true, true, false}, func(g *engine.Comm) (view, error) {
			sub, err := g.CartSub(c.remain)
			if err != nil {
				return view{}, err
			}
			r, err := g.Rank()
			if err != nil {
				return view{}, err
			}
			if last[r], err = viewGrid(sub); err != nil {
				return view{}, err
			}
			return look(sub)
		})
		wantParts(t, views, c.parts)
		if diff := cmp.Diff(c.last, last[23]); diff != "" {
			t.Errorf("remain %v: grid of the last rank (-want +got):\n%s", c.remain, diff)
		}
	}
}

// §8.5.7: remain_dims has an entry per dimension and is the same everywhere; a zero-dimensional grid
// gives a zero-dimensional one.
func TestCartSubArguments(t *testing.T) {
	t.Parallel()
	onGrid(t, []int{1, 2}, nil, func(g *engine.Comm) (any, error) {
		_, err := g.CartSub([]bool{true})
		wantText(t, wantClass(t, err, engine.ErrArg).Message(), "1 for 2 dimensions")
		r, err := g.Rank()
		if err != nil {
			return nil, err
		}
		_, err = g.CartSub([]bool{true, r == 0})
		wantText(t, wantClass(t, err, engine.ErrArg).Text, "the same remain_dims", "rank 0 passes (true,true)", "rank 1 passes (true,false)")
		return nil, nil
	})
	onGrid(t, []int{}, nil, func(g *engine.Comm) (any, error) {
		sub, err := g.CartSub(nil)
		if err != nil {
			return nil, err
		}
		v, err := viewGrid(sub)
		if len(v.Dims) != 0 {
			t.Errorf("dims %v, want none", v.Dims)
		}
		return nil, err
	})
}

// §8.5.8: MPI_Cart_map may return the caller's rank; MPI_UNDEFINED when it is in no grid.
func TestCartMap(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(5), func(p *engine.Process) (int, error) {
		_, err := p.World().CartMap([]int{3, 2}, nil)
		wantClass(t, err, engine.ErrArg)
		_, err = p.World().CartMap([]int{2, 0}, nil)
		wantClass(t, err, engine.ErrDims)
		_, err = p.World().CartMap([]int{2}, []bool{})
		wantClass(t, err, engine.ErrArg)
		return p.World().CartMap([]int{2, 2}, []bool{true, false})
	})
	if want := []int{0, 1, 2, 3, engine.Undefined}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
}
