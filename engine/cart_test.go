package engine_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
)

// onGrid runs f on every process of a grid over a world whose size is the number of the grid's points.
func onGrid[T any](t tester, dims []int, periods []bool, f func(*engine.Comm) (T, error)) []T {
	t.Helper()
	size := 1
	for _, d := range dims {
		size *= d
	}
	return perRank(t, ofSize(size), func(p *engine.Process) (T, error) {
		grid, err := p.World().CreateCart(dims, periods, false)
		if err != nil {
			var none T
			return none, err
		}
		return f(grid)
	})
}

// §8.2: coordinates begin at 0, and row-major numbering is always used: in a 2 x 2 grid (0,0) is
// rank 0, (0,1) rank 1, (1,0) rank 2 and (1,1) rank 3.
func TestCartRowMajor(t *testing.T) {
	t.Parallel()
	got := onGrid(t, []int{2, 2}, nil, func(c *engine.Comm) ([]int, error) {
		_, _, coords, err := c.CartGet()
		return coords, err
	})
	if diff := cmp.Diff([][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, got); diff != "" {
		t.Errorf("coordinates by rank (-want +got):\n%s", diff)
	}
}

// §8.5.5: MPI_Cart_coords is the inverse of MPI_Cart_rank; MPI_Cart_get returns the arguments of the constructor and
// the caller's coordinates; out-of-range coordinates of a periodic dimension are shifted back by its size.
func TestCartRankAndCoords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.SliceOfN(rapid.IntRange(1, 4), 0, 4).Draw(t, "dims")
		periods := rapid.SliceOfN(rapid.Bool(), len(dims), len(dims)).Draw(t, "periods")
		turns := rapid.SliceOfN(rapid.IntRange(-3, 3), len(dims), len(dims)).Draw(t, "turns")
		onGrid(t, dims, periods, func(c *engine.Comm) (any, error) {
			d, p, mine, err := c.CartGet()
			if err != nil {
				return nil, err
			}
			if diff := cmp.Diff([]any{dims, periods}, []any{d, p}); diff != "" {
				t.Errorf("dims and periods (-want +got):\n%s", diff)
			}
			me := c.Rank()
			coords, err := c.CartCoords(me)
			if err != nil || !cmp.Equal(coords, mine) {
				t.Errorf("rank %d: coordinates %v and %v, %v", me, coords, mine, err)
			}
			for i := range coords {
				if periods[i] {
					coords[i] += turns[i] * dims[i]
				}
			}
			if rank, err := c.CartRank(coords); err != nil || rank != me {
				t.Errorf("rank of %v is %d, want %d: %v", coords, rank, me, err)
			}
			return nil, nil
		})
	})
}

// §8.5.5: out-of-range coordinates are erroneous for non-periodic dimensions: MPI_ERR_ARG. A rank that the grid does
// not have: MPI_ERR_RANK.
func TestCartOutOfRange(t *testing.T) {
	t.Parallel()
	onGrid(t, []int{2, 3}, []bool{true, false}, func(c *engine.Comm) (any, error) {
		for _, coords := range [][]int{{0, 3}, {0, -1}, {5, 3}} {
			_, err := c.CartRank(coords)
			wantText(t, wantClass(t, err, engine.ErrArg).Message(), "dimension 1 is not periodic", "must be 0 to 2")
		}
		for _, coords := range [][]int{{}, {0}, {0, 0, 0}} {
			_, err := c.CartRank(coords)
			wantText(t, wantClass(t, err, engine.ErrArg).Message(), "one coordinate per dimension is needed, 2 in all")
		}
		for _, rank := range []int{-1, 6, engine.ProcNull} {
			_, err := c.CartCoords(rank)
			wantText(t, wantClass(t, err, engine.ErrRank).Message(), "0 to 5")
		}
		return nil, nil
	})
}

// §8.5.6: MPI_Cart_shift is circular in a periodic dimension, and MPI_PROC_NULL beyond the border of
// another. Worked by hand on a 3 x 4 grid whose rows are rings, where rank = 4 * row + column:
//
//	0 1  2  3
//	4 5  6  7
//	8 9 10 11
func TestCartShift(t *testing.T) {
	t.Parallel()
	const none = engine.ProcNull
	type shift struct{ direction, disp int }
	for s, want := range map[shift][][2]int{ // (source, dest) of ranks 0, 5 and 11
		{0, 1}:  {{none, 4}, {1, 9}, {7, none}},
		{0, -1}: {{4, none}, {9, 1}, {none, 7}},
		{0, 2}:  {{none, 8}, {none, none}, {3, none}},
		{0, 0}:  {{0, 0}, {5, 5}, {11, 11}},
		{1, 1}:  {{3, 1}, {4, 6}, {10, 8}},
		{1, -1}: {{1, 3}, {6, 4}, {8, 10}},
		{1, 6}:  {{2, 2}, {7, 7}, {9, 9}},
		{1, 5}:  {{3, 1}, {4, 6}, {10, 8}},
		{1, -7}: {{3, 1}, {4, 6}, {10, 8}},
		{0, 3}:  {{none, none}, {none, none}, {none, none}},

		{0, math.MaxInt32}: {{none, none}, {none, none}, {none, none}},
		{1, math.MinInt32}: {{0, 0}, {5, 5}, {11, 11}},
	} {
		got := onGrid(t, []int{3, 4}, []bool{false, true}, func(c *engine.Comm) (pair [2]int, err error) {
			pair[0], pair[1], err = c.CartShift(s.direction, s.disp)
			return pair, err
		})
		if diff := cmp.Diff(want, [][2]int{got[0], got[5], got[11]}); diff != "" {
			t.Errorf("shift by %d along dimension %d, ranks 0, 5, 11 (-want +got):\n%s", s.disp, s.direction, diff)
		}
	}
}

// §8.5.6: a direction that is negative or not below the number of dimensions is erroneous, so on a zero-dimensional
// grid every direction is. The class is that of an invalid dimension (§9.4).
func TestCartShiftBadDirection(t *testing.T) {
	t.Parallel()
	for _, dims := range [][]int{{}, {2}, {1, 1}} {
		onGrid(t, dims, nil, func(c *engine.Comm) (any, error) {
			for _, direction := range []int{-1, len(dims), 7} {
				_, _, err := c.CartShift(direction, 1)
				wantClass(t, err, engine.ErrDims)
			}
			return nil, nil
		})
	}
}

// §8.5.5: on a zero-dimensional grid coordinates are not significant: the one process has rank 0.
func TestCartZeroDimensions(t *testing.T) {
	t.Parallel()
	onGrid(t, []int{}, []bool{}, func(c *engine.Comm) (any, error) {
		rank, err := c.CartRank([]int{})
		if rank != 0 || err != nil {
			t.Errorf("rank %d, %v", rank, err)
		}
		coords, err := c.CartCoords(0)
		if len(coords) != 0 || err != nil {
			t.Errorf("coordinates %v, %v", coords, err)
		}
		return nil, nil
	})
}

// carts runs MPI_Cart_create on the world, where rank r passes dims[r].
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

// alike returns a list of n times v.
func alike[T any](n int, v T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// §8.5.1: with reorder = false each process has its old rank; with reorder = true, which allows another order, too.
// In a grid smaller than the group the remaining processes get MPI_COMM_NULL; ndims = 0 makes a grid of one process.
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

// §8.5.1: a grid larger than the group is erroneous. The text names no class; Open MPI and MPICH raise MPI_ERR_ARG. A
// dimension without processes is erroneous, too: MPI_ERR_DIMS (§9.4). Every process gets the error.
func TestCreateCartBadDims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dims  []int
		class engine.Class
		text  string
	}{
		{[]int{7}, engine.ErrArg, "dims (7) need more than its 6 processes"},
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

// gridView is what MPI_Cart_get returns.
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
			r := g.Rank()
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

// §8.5.7: remain_dims has an entry for each dimension and is the same on all processes; a zero-dimensional grid gives
// zero-dimensional grids.
func TestCartSubArguments(t *testing.T) {
	t.Parallel()
	onGrid(t, []int{1, 2}, nil, func(g *engine.Comm) (any, error) {
		_, err := g.CartSub([]bool{true})
		wantText(t, wantClass(t, err, engine.ErrArg).Message(), "1 for 2 dimensions")
		r := g.Rank()
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

// §8.5.2, Example 8.1, and sizes worked by hand. Entries that are 0 are set in non-increasing order, the others stay;
// without dimensions and with one node there is nothing to do.
func TestDimsCreate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		nnodes     int
		dims, want []int
	}{
		{6, []int{0, 0}, []int{3, 2}},
		{7, []int{0, 0}, []int{7, 1}},
		{6, []int{0, 3, 0}, []int{2, 3, 1}},
		{1, []int{}, []int{}},
		{6, []int{2, 3}, []int{2, 3}},
		{12, []int{0, 0}, []int{4, 3}},
		{16, []int{0, 0, 0}, []int{4, 2, 2}},
		{72, []int{0, 0}, []int{9, 8}},
		{25, []int{0, 0}, []int{5, 5}},
		{60, []int{0, 1, 0, 0}, []int{5, 1, 4, 3}},
		{20, []int{0, 0, 0, 0}, []int{5, 2, 2, 1}}, // no farther apart than (5,4,1,1)
	} {
		got, err := engine.DimsCreate(c.nnodes, c.dims)
		if err != nil {
			t.Errorf("DimsCreate(%d, %v): %v", c.nnodes, c.dims, err)
		} else if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("DimsCreate(%d, %v) (-want +got):\n%s", c.nnodes, c.dims, diff)
		}
	}
}

// factorizations lists all ways to write n as a product of k factors, the largest first, none above most. It tries
// every number as a factor.
func factorizations(n, k, most int) [][]int {
	if k == 0 {
		if n == 1 {
			return [][]int{{}}
		}
		return nil
	}
	var list [][]int
	for f := 1; f <= min(n, most); f++ {
		if n%f != 0 {
			continue
		}
		for _, rest := range factorizations(n/f, k-1, f) {
			list = append(list, append([]int{f}, rest...))
		}
	}
	return list
}

// §8.5.2: the sizes multiply to nnodes, do not increase, and are as close to each other as possible. The text gives
// no measure. The test compares them with all factorizations: none has a smaller difference between the largest and
// the smallest size; among those with the same difference, none has a smaller first size, then second size, ...
func TestDimsCreateAgainstAllFactorizations(t *testing.T) {
	t.Parallel()
	spread := func(f []int) int { return slices.Max(f) - slices.Min(f) }
	for n := 1; n <= 400; n++ {
		for k := 1; k <= 5; k++ {
			got, err := engine.DimsCreate(n, make([]int, k))
			if err != nil {
				t.Fatal(err)
			}
			all := factorizations(n, k, n)
			if !slices.ContainsFunc(all, func(f []int) bool { return slices.Equal(f, got) }) {
				t.Fatalf("%d in %d dimensions: %v is not a factorization in non-increasing order", n, k, got)
			}
			for _, f := range all {
				if spread(f) < spread(got) || spread(f) == spread(got) && slices.Compare(f, got) < 0 {
					t.Errorf("%d in %d dimensions: %v, but %v is closer", n, k, got, f)
				}
			}
		}
	}
}

// §8.5.2: large numbers, primes and many dimensions are no exception; the answer is exact and quick.
func TestDimsCreateLarge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ nnodes, ndims int }{
		{math.MaxInt32, 3}, {2095133040, 10}, {2095133040, 24}, {1 << 30, 30}, {46337 * 46327, 2}, {720720, 1000},
	} {
		got, err := engine.DimsCreate(c.nnodes, make([]int, c.ndims))
		if err != nil {
			t.Fatal(err)
		}
		product := 1
		for _, d := range got {
			product *= d
		}
		if product != c.nnodes || !slices.IsSortedFunc(got, func(a, b int) int { return b - a }) {
			t.Errorf("%d in %d dimensions: %v", c.nnodes, c.ndims, got)
		}
	}
}

// §8.5.2: negative entries are erroneous, and so is an nnodes that is not a multiple of the product of the positive
// entries, or that differs from this product when no entry is 0. The text names no class: MPI_ERR_DIMS is "invalid
// dimension argument" (§9.4).
func TestDimsCreateErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		nnodes int
		dims   []int
		text   string
	}{
		{7, []int{0, 3, 0}, "dims (0,3,0) must divide nnodes, 7"}, // Example 8.1
		{6, []int{-1, 0}, "dims[0] is -1"},
		{0, []int{0, 0}, "nnodes must be a positive C int, not 0"},
		{6, []int{3}, "does not multiply to nnodes, 6"},
		{2, []int{}, "does not multiply to nnodes, 2"},
		{math.MaxInt32, []int{2, 0}, "must divide nnodes"},
	} {
		t.Run(fmt.Sprint(c.nnodes, c.dims), func(t *testing.T) {
			t.Parallel()
			_, err := engine.DimsCreate(c.nnodes, c.dims)
			wantText(t, wantClass(t, err, engine.ErrDims).Error(), c.text, "MPI_Dims_create", "§8.5.2")
		})
	}
}

// A snapshot has the grid of a communicator, and the coordinates of each rank in it: row-major, the last coordinate
// runs fastest (§8.2). A communicator split from a grid has no grid (§7.4.2).
func TestGridInSnapshot(t *testing.T) {
	t.Parallel()
	s := tracing(t, 6, func(p *engine.Process) error {
		grid, err := p.World().CreateCart([]int{2, 3}, []bool{true, false}, false)
		if err != nil {
			return err
		}
		_, err = grid.Split(0, 0)
		return err
	})
	dims, periods, coords := s.Comm(2).Grid(4)
	if d := cmp.Diff([]any{[]int{2, 3}, []bool{true, false}, []int{1, 1}, engine.TopoCart}, []any{dims, periods, coords, s.Comm(2).Topo()}); d != "" {
		t.Error(d)
	}
	if dims, _, _ := s.Comm(3).Grid(0); dims != nil || s.Comm(3).Topo() != engine.TopoNone {
		t.Errorf("the split communicator has a grid of %v", dims)
	}
}
