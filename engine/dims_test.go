package engine_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// §8.5.2, Example 8.1, and sizes worked by hand. dims[i] = 0 are set in non-increasing order, the
// others are left alone; without dimensions and with one node there is nothing to do.
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

// factorizations lists all ways to write n as a product of k factors, the largest first, none above
// most. It tries every number.
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

// §8.5.2: the sizes multiply to nnodes, do not increase, and are as close to each other as possible.
// The text gives no measure. Held here against all factorizations: none has a smaller difference
// between the largest and the smallest size; among those, no first size, then second, ... is less.
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
				t.Fatalf("%d in %d dimensions: %v is no factorization in non-increasing order", n, k, got)
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

// §8.5.2: negative entries are erroneous, and so is an nnodes that is no multiple of the product of
// the positive ones, or that no entry is left to make up for. The text names no class: MPI_ERR_DIMS
// is "invalid dimension argument" (§9.4).
func TestDimsCreateErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		nnodes int
		dims   []int
		text   string
	}{
		{7, []int{0, 3, 0}, "dims (0,3,0) must divide nnodes, 7"}, // Example 8.1
		{6, []int{-1, 0}, "dims[0] is -1"},
		{0, []int{0, 0}, "nnodes is a positive C int, not 0"},
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
