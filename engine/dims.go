package engine

import (
	"fmt"
	"slices"
)

// DimsCreate balances nnodes processes over the dimensions of a grid (MPI_Dims_create, §8.5.2): it
// returns dims with its zeros replaced, in non-increasing order, such that all entries multiply to
// nnodes. The sizes it sets are as close to each other as possible: the largest and the smallest
// differ as little as they can, and of several choices the first sizes are as small as they can. A
// negative entry, nnodes below 1, or entries that nnodes is no multiple of: MPI_ERR_DIMS.
func DimsCreate(nnodes int, dims []int) ([]int, error) {
	fail := func(format string, args ...any) ([]int, error) {
		return nil, &Error{Class: ErrDims, Call: CallDimsCreate, Comm: -1, Rule: CallDimsCreate.Rule(), Text: fmt.Sprintf(format, args...)}
	}
	if nnodes < 1 || !fitsInt(nnodes) {
		return fail("nnodes is a positive C int, not %d", nnodes)
	}
	rest, free := nnodes, 0
	for i, d := range dims {
		switch {
		case d < 0:
			return fail("dims must not be negative (0 asks for a size), but dims[%d] is %d", i, d)
		case d == 0:
			free++
		case rest%d != 0:
			return fail("the sizes given in dims %s must divide nnodes, %d", argList{values: dims}, nnodes)
		default:
			rest /= d
		}
	}
	if free == 0 && rest != 1 {
		return fail("dims %s leaves no size to choose and does not multiply to nnodes, %d", argList{values: dims}, nnodes)
	}
	out := slices.Clone(dims)
	chosen := balanced(rest, free)
	for i, d := range out {
		if d == 0 {
			out[i], chosen = chosen[0], chosen[1:]
		}
	}
	return out, nil
}

// balancer looks for the factorization of a number into so many factors that is closest to a cube.
// It sets factors from the largest to the smallest, and leaves a branch as soon as its factors must
// differ by more than those of the best one so far.
type balancer struct {
	divisors []int
	trial    []int
	best     []int // nil: none yet
}

// balanced are k factors of n, the largest first.
func balanced(n, k int) []int {
	if k == 0 {
		return nil
	}
	b := &balancer{divisors: divisorsOf(n), trial: make([]int, k)}
	b.search(n, 0)
	return b.best
}

func divisorsOf(n int) []int {
	var low, high []int
	for d := 1; d <= n/d; d++ {
		if n%d == 0 {
			low = append(low, d)
			if d != n/d {
				high = append(high, n/d)
			}
		}
	}
	slices.Reverse(high)
	return append(low, high...)
}

// search sets factor i and those after it, which multiply to n.
func (b *balancer) search(n, i int) {
	left := len(b.trial) - i
	if n == 1 {
		for j := i; j < len(b.trial); j++ {
			b.trial[j] = 1
		}
		b.keepBetter()
		return
	}
	if left == 0 {
		return
	}
	for _, f := range b.divisors {
		if i > 0 && f > b.trial[i-1] {
			return
		}
		if n%f != 0 || !reaches(f, left, n) {
			continue // another factor would have to be larger
		}
		b.trial[i] = f
		if least := b.trial[0] - b.difference(); least > 1 && (f < least || !within(least, left-1, n/f)) {
			if i == 0 {
				return // a larger first factor leaves even less for the last
			}
			continue
		}
		b.search(n/f, i+1)
	}
}

// difference is what the largest and smallest factor differ by in the best factorization so far; as
// much as any can while there is none.
func (b *balancer) difference() int {
	if b.best == nil {
		return b.divisors[len(b.divisors)-1]
	}
	return b.best[0] - b.best[len(b.best)-1]
}

// keepBetter keeps the trial when it is closer to a cube. Of equally close ones the first stays: the
// search tries small factors first.
func (b *balancer) keepBetter() {
	if b.best == nil || b.trial[0]-b.trial[len(b.trial)-1] < b.difference() {
		b.best = append(b.best[:0], b.trial...)
	}
}

// reaches reports whether f^k >= n, and within whether f^k <= n; n > 1 fits a C int.
func reaches(f, k, n int) bool {
	p := int64(1)
	for range k {
		if p *= int64(f); p >= int64(n) {
			return true
		}
		if f == 1 {
			break
		}
	}
	return p >= int64(n)
}

func within(f, k, n int) bool {
	p := int64(1)
	for range k {
		if p *= int64(f); p > int64(n) {
			return false
		}
	}
	return true
}
