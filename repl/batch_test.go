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
		var origins []*reason.Held
		for r := range int32(size) {
			if !in(r) {
				continue
			}
			if r%3 == 0 {
				b.add(r, -1, nil, size)
			}
			var origin *reason.Held
			if r > 600 && r%2 == 0 {
				origin = &reason.Held{Comm: int(r)}
			}
			b.add(r, r/7, origin, size)
			ranks, ids, origins = append(ranks, r), append(ids, r/7), append(origins, origin)
		}
		if !slices.Equal(b.ranks, ranks) || !slices.Equal(b.ids, ids) {
			t.Errorf("%s: ranks %v hold %v", name, b.ranks, b.ids)
		}
		for i, want := range origins {
			if _, got := b.get(i); got != want {
				t.Fatalf("%s: the origin of rank %d is another one's", name, ranks[i])
			}
		}
		if n := len(ids); n >= 100 && cap(b.ids) > n+n/2+64 {
			t.Errorf("%s: room for %d, and %d are there", name, cap(b.ids), n)
		}
	}
}
