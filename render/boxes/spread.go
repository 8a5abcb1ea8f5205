package boxes

import (
	"slices"

	"codeberg.org/commsplit/commsplit/render/outline"
)

// A rank that is bound to several cores has a cell that spans them when no other rank may use them. Other cores
// that wide bindings cover belong to no single rank: they are drawn empty, but not as idle.

// nobody and shared replace a rank in cover, for cores that no rank is bound to alone. A rank in cover is the only
// rank with a wider binding that covers the core.
const (
	nobody int32 = -1
	shared int32 = -2 // several ranks with wider bindings
)

// spread finds the ranks whose cells span their cores. on is how many ranks are on each core alone.
func (b *Board) spread(on []int32) {
	wide := map[int32][]int32{} // by rank: its cores
	b.Wide(func(ranks, cores []int32) {
		if b.cover == nil {
			b.cover, b.alone = slices.Repeat([]int32{nobody}, len(on)), make([]bool, len(b.Order))
		}
		if len(ranks) == 1 {
			wide[ranks[0]] = cores
		}
		for _, c := range cores {
			if at := &b.cover[c]; *at == nobody && len(ranks) == 1 && on[c] == 0 {
				*at = ranks[0]
			} else {
				*at = shared
			}
		}
	})
	for rank, cores := range wide {
		b.alone[rank] = len(cores) > 0 && !slices.ContainsFunc(cores, func(c int32) bool { return b.cover[c] != rank })
	}
	for i, rank := range b.cover {
		if rank >= 0 && !b.alone[rank] {
			b.cover[i] = shared
		}
	}
	if b.alone == nil {
		return
	}
	b.apart = make([]int32, len(b.Order)+1)
	for i, r := range b.Order {
		if b.apart[i+1] = b.apart[i]; b.alone[r] {
			b.apart[i+1]++
		}
	}
}

// covers returns which rank with a wider binding covers a core without ranks of its own.
func (b *Board) covers(core *outline.Node) int32 {
	if b.cover == nil {
		return nobody
	}
	return b.cover[core.Core]
}
