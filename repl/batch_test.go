package repl

import (
	"slices"
	"testing"

	"codeberg.org/commsplit/commsplit/engine/reason"
)

// someRanks are ways to choose among a thousand ranks.
var someRanks = map[string]func(rank int32) bool{
	"all":        func(int32) bool { return true },
	"from 3 on":  func(r int32) bool { return r >= 3 },
	"up to 700":  func(r int32) bool { return r <= 700 },
	"even ones":  func(r int32) bool { return r%2 == 0 },
	"with a gap": func(r int32) bool { return r < 100 || r > 200 },
	"the last":   func(r int32) bool { return r == 999 },
	"few, all":   func(r int32) bool { return r%50 == 0 || r > 500 },
}

// A batch has the ranks and their values as they were added, whether these are all ranks, consecutive ranks or
// others; of several values of one rank the last counts. The room of a large batch is at most one and a half times
// its size.
func TestBatch(t *testing.T) {
	t.Parallel()
	for name, in := range someRanks {
		const size = 1000
		b := &batch{}
		var ranks, ids []int32
		for r := range int32(size) {
			if !in(r) {
				continue
			}
			if r%3 == 0 {
				b.add(r, -1, nil, size)
			}
			b.add(r, r/7, nil, size)
			ranks, ids = append(ranks, r), append(ids, r/7)
		}
		if !slices.Equal(b.ranks(), ranks) || !slices.Equal(b.ids, ids) {
			t.Errorf("%s: ranks %v hold %v", name, b.ranks(), b.ids)
		}
		if n := len(ids); n >= 100 && cap(b.ids) > n+n/2+64 {
			t.Errorf("%s: room for %d, and %d are there", name, cap(b.ids), n)
		}
	}
}

// A batch and batches of higher ranks join to one batch of all these ranks, with the origins of their values.
func TestBatchesJoin(t *testing.T) {
	t.Parallel()
	came := []*reason.Held{{}, {}, {}}
	for name, in := range someRanks {
		for _, cuts := range [][]int32{{500}, {1}, {999}, {150}, {250, 251, 600}} {
			for from := range came { // the part whose values have an origin
				var ranks, ids []int32
				var origins []*reason.Held
				parts := make([]*batch, len(cuts)+1)
				for r := range int32(1000) {
					if !in(r) {
						continue
					}
					at, _ := slices.BinarySearch(cuts, r+1)
					var origin *reason.Held
					if at == from {
						origin = came[at]
					}
					if parts[at] == nil {
						parts[at] = &batch{columnKey: columnKey{name: "x"}, step: 3}
					}
					parts[at].add(r, r/7, origin, 1000)
					ranks, ids, origins = append(ranks, r), append(ids, r/7), append(origins, origin)
				}
				lists := make([][]*batch, len(parts))
				for i, b := range parts {
					if b != nil {
						lists[i] = []*batch{b}
					}
				}
				all := joined(lists)
				if len(all) != 1 || !slices.Equal(all[0].ranks(), ranks) || !slices.Equal(all[0].ids, ids) {
					t.Fatalf("%s, cut at %v: not the ranks", name, cuts)
				}
				for i, want := range origins {
					if _, got := all[0].get(i); got != want {
						t.Fatalf("%s, cut at %v: the origin of rank %d is another one's", name, cuts, ranks[i])
					}
				}
			}
		}
	}
}

// Batches of different columns or steps stay apart, the batches of the lower ranks first.
func TestOtherBatchesStayApart(t *testing.T) {
	t.Parallel()
	of := func(name string, step int, rank int32) *batch {
		b := &batch{columnKey: columnKey{name, -1}, step: step}
		b.add(rank, 2, nil, 10)
		return b
	}
	var got []string
	for _, b := range joined([][]*batch{{of("b", 2, 0), of("a", 1, 1)}, nil, {of("a", 2, 5), of("b", 2, 6)}}) {
		got = append(got, b.name, string(rune('0'+b.step)), string(rune('0'+len(b.ids))))
	}
	if want := []string{"b", "2", "2", "a", "1", "1", "a", "2", "1"}; !slices.Equal(got, want) {
		t.Errorf("column, step and ranks: %v, want %v", got, want)
	}
}
