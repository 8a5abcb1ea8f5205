package engine_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

const null = engine.Undefined

// §7.4.2: MPI_COMM_SPLIT partitions the group into disjoint subgroups, one for each value of color; within each
// subgroup, processes are ranked by key, with ties broken by their rank in the old group. A process that passes
// MPI_UNDEFINED gets MPI_COMM_NULL.
func TestSplit(t *testing.T) {
	t.Parallel()
	const lowest, highest = math.MinInt32, math.MaxInt32
	for name, c := range map[string]struct {
		color, key []int
		want       [][]int32
	}{
		"one color, equal keys keep the order": {
			[]int{0, 0, 0, 0}, []int{7, 7, 7, 7}, [][]int32{{0, 1, 2, 3}}},
		"every rank its own": {
			[]int{3, 2, 1}, []int{0, 0, 0}, [][]int32{{2}, {1}, {0}}},
		"odd and even, reversed": {
			[]int{0, 1, 0, 1, 0}, []int{0, -1, -2, -3, -4}, [][]int32{{4, 2, 0}, {3, 1}}},
		"ties by old rank between other keys": {
			[]int{5, 5, 5, 5, 5}, []int{1, 0, 1, 0, 1}, [][]int32{{1, 3, 0, 2, 4}}},
		"the standard's MPI_UNDEFINED": {
			[]int{null, 1, null, 1}, []int{0, 9, 0, 8}, [][]int32{{3, 1}}},
		"all undefined": {
			[]int{null, null}, []int{0, 0}, nil},
		"negative keys before positive": {
			[]int{0, 0, 0, 0}, []int{1, -1, 0, -200}, [][]int32{{3, 1, 2, 0}}},
		"the ends of a C int": {
			[]int{highest, highest, 0, 0}, []int{highest, lowest, lowest, highest},
			[][]int32{{2, 3}, {1, 0}}},
		"colors that differ in the highest byte": {
			[]int{2 << 24, 1 << 24, 0, 2 << 24}, []int{0, 0, 0, 0}, [][]int32{{2}, {1}, {0, 3}}},
		"keys that differ in every byte": {
			[]int{0, 0, 0, 0, 0}, []int{1 << 24, 1 << 16, 1 << 8, 1, -1 << 24},
			[][]int32{{4, 3, 2, 1, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := len(c.color)
			views := perRank(t, ofSize(n), func(p *engine.Process) (view, error) {
				return looking(p.World().Split(c.color[p.Rank()], c.key[p.Rank()]))
			})
			wantParts(t, views, c.want)
		})
	}
}

// §7.4.2: for colors and keys near to each other and far apart, splits agree with a stable sort of the ranks.
func TestSplitSorts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 4))
	const n = 300
	for _, colors := range []int{1, 5, 300, 70_000, math.MaxInt32} {
		for _, keys := range []int{1, 200, 300, 70_000, math.MaxInt32} {
			var color, key [n]int
			for i := range n {
				color[i], key[i] = random.IntN(colors), random.IntN(keys)-random.IntN(keys)
				if random.IntN(9) == 0 {
					color[i] = null
				}
			}
			wantSorted(t, color[:], key[:])
		}
	}
}

// §7.4.2: the same for keys that rise or fall with the rank, strictly or not, among processes that take part.
func TestSplitSortsRisingKeys(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 7))
	const n = 100
	for name, key := range map[string]func(rank int) int{
		"rise":                     func(r int) int { return 3*r - 50 },
		"rise with ties":           func(r int) int { return r / 7 },
		"from the least":           func(r int) int { return r*42_000_000 + math.MinInt32 },
		"to the greatest":          func(r int) int { return math.MaxInt32 - (n - 1 - r) },
		"are the greatest":         func(int) int { return math.MaxInt32 },
		"fall":                     func(r int) int { return -r },
		"fall with ties":           func(r int) int { return -r / 7 },
		"fall from the greatest":   func(r int) int { return math.MaxInt32 - r*42_000_000 },
		"rise but the last":        func(r int) int { return r % (n - 1) },
		"fall but the last":        func(r int) int { return -(r % (n - 1)) },
		"fall, then stay the same": func(r int) int { return max(-r, -90) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, colors := range []int{1, 3, 400} {
				var color, keys [n]int
				for i := range n {
					color[i], keys[i] = random.IntN(colors), key(i)
					if i%13 == 0 {
						color[i], keys[i] = null, random.IntN(1000)
					}
				}
				wantSorted(t, color[:], keys[:])
			}
		})
	}
}

// wantSorted splits a world and compares the communicators with a stable sort of the ranks.
func wantSorted(t *testing.T, color, key []int) {
	t.Helper()
	var ranks []int32
	for i, c := range color {
		if c != null {
			ranks = append(ranks, int32(i))
		}
	}
	slices.SortStableFunc(ranks, func(a, b int32) int {
		return cmp.Or(cmp.Compare(color[a], color[b]), cmp.Compare(key[a], key[b]))
	})
	var want [][]int32
	for i, r := range ranks {
		if i == 0 || color[r] != color[ranks[i-1]] {
			want = append(want, nil)
		}
		want[len(want)-1] = append(want[len(want)-1], r)
	}
	wantParts(t, perRank(t, ofSize(len(color)), func(p *engine.Process) (view, error) {
		return looking(p.World().Split(color[p.Rank()], key[p.Rank()]))
	}), want)
}

// §7.4.2: ties are broken by the rank in the old group, not in MPI_COMM_WORLD.
func TestSplitTiesByOldRank(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(6), func(p *engine.Process) (view, error) {
		back, err := p.World().Split(0, -p.Rank())
		if err != nil {
			return view{}, err
		}
		return looking(back.Split(p.Rank()/3, 0))
	})
	wantPartsByGroup(t, views, [][]int32{{2, 1, 0}, {5, 4, 3}})
}

// wantPartsByGroup compares the groups with the views, whatever their ids.
func wantPartsByGroup(t tester, views []view, want [][]int32) {
	t.Helper()
	expected := make([][]int32, len(views))
	for _, group := range want {
		for rank, world := range group {
			expected[world] = group
			if v := views[world]; v.Rank != rank || v.Size != len(group) {
				t.Errorf("world rank %d is %d of %d, want %d of %d", world, v.Rank, v.Size, rank,
					len(group))
			}
		}
	}
	got := make([][]int32, len(views))
	for i, v := range views {
		got[i] = v.Group
	}
	if diff := gocmp.Diff(expected, got); diff != "" {
		t.Errorf("groups by world rank (-want +got):\n%s", diff)
	}
}

// §7.4.2: color is nonnegative or MPI_UNDEFINED, and a C int, as key is; any other color or key is an error on the
// process that passes it, and the other processes learn which process is missing.
func TestSplitBadArguments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		color, key int64
		got        string
	}{
		"negative color":         {-1, 0, "color -1"},
		"lowest color":           {math.MinInt32, 0, "color -2147483648"},
		"color beyond a C int":   {math.MaxInt32 + 1, 0, "color 2147483648, key 0"},
		"key beyond a C int":     {0, math.MaxInt32 + 1, "color 0, key 2147483648"},
		"key below a C int":      {0, math.MinInt32 - 1, "color 0, key -2147483649"},
		"neighbor of undefined":  {null - 1, 0, "color -32767"},
		"neighbor of undefined2": {null + 1, 0, "color -32765"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if int64(int(c.color)) != c.color || int64(int(c.key)) != c.key {
				t.Skip("an int is a C int here")
			}
			err := try(t, ofSize(3), func(p *engine.Process) error {
				color, key := 0, 0
				if p.Rank() == 1 {
					color, key = int(c.color), int(c.key)
				}
				_, err := p.World().Split(color, key)
				return err
			})
			e := wantClass(t, err, engine.ErrArg)
			if p := e.Passed; p.Name != "" && fmt.Sprintf("%s %d", p.Name, p.Value) != c.got || p.Name == "" && !strings.Contains(c.got, ",") {
				t.Errorf("passed %v, want %s", p, c.got)
			}
			if e.Got != c.got || e.Ranks.String() != "1" || e.Call != engine.CallSplit {
				t.Errorf("got %q by %s in %s, want %q by 1", e.Got, e.Ranks, e.Call, c.got)
			}
			var f *engine.Failure
			if !errors.As(err, &f) || len(f.Waiting) != 1 || f.Waiting[0].Ranks.String() != "0,2" ||
				f.Waiting[0].Missing().String() != "1" {
				t.Errorf("waiting %+v, want ranks 0,2 that miss 1", f.Waiting)
			}
		})
	}
}

// Equal mistakes of several ranks make one error, with what each rank passed.
func TestSplitErrorsMerge(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(4), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 7})
		_, err := p.World().Split(-1-p.Rank()/2, 0)
		return err
	})
	want := "MPI_ERR_ARG in MPI_Comm_split on world (demo.py:7), ranks 0-3: " +
		"color must be nonnegative or MPI_UNDEFINED: ranks 0-1: color -1; ranks 2-3: color -2 " +
		"[MPI-5.0 §7.4.2]"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
