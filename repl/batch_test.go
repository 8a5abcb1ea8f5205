package repl

import (
	"slices"
	"testing"
)

// A batch has the ranks and what they hold as they were added, whether these are all ranks, a row of them or some; of
// several notes of one rank the last counts. It has no more room than one and a half times what it needs, once that is
// much.
func TestBatch(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]func(rank int32) bool{
		"all":        func(int32) bool { return true },
		"from 3 on":  func(r int32) bool { return r >= 3 },
		"up to 700":  func(r int32) bool { return r <= 700 },
		"even ones":  func(r int32) bool { return r%2 == 0 },
		"with a gap": func(r int32) bool { return r < 100 || r > 200 },
		"the last":   func(r int32) bool { return r == 999 },
		"few, all":   func(r int32) bool { return r%50 == 0 || r > 500 },
	} {
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
