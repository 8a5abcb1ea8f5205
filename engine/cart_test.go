package engine_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"commsplit/engine"
)

// onGrid runs f on every process of a grid over a world of as many ranks.
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

// §8.5.5: MPI_Cart_coords is the inverse of MPI_Cart_rank; MPI_Cart_get gives the arguments of the
// constructor and the caller's coordinates; out-of-range coordinates of a periodic dimension are
// shifted back by its size.
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
			me, err := c.Rank()
			if err != nil {
				return nil, err
			}
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

// §8.5.5: out-of-range coordinates are erroneous for non-periodic dimensions: MPI_ERR_ARG. A rank
// that there is not: MPI_ERR_RANK.
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

// §8.5.6: a direction that is negative or not below the number of dimensions is erroneous, so every
// one on a zero-dimensional grid. The class is that of an invalid dimension (§9.4).
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
