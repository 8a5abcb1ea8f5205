package boxes

import (
	"codeberg.org/commsplit/commsplit/hw"
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

// spread finds the ranks whose cells span their cores: it sets alone and cover.
func (b *Board) spread() {
	b.cover = make([]int32, b.Len())
	for i := range b.cover {
		b.cover[i] = nobody
	}
	b.alone = make([]bool, len(b.Order))
	wide := map[int32][]*outline.Node{} // by rank: its cores
	b.eachSeat(b.Root, nil, func(ranks []int32, cores []*outline.Node) {
		if len(ranks) == 1 {
			wide[ranks[0]] = cores
		}
		for _, c := range cores {
			if at := &b.cover[c.Index()]; *at == nobody && len(ranks) == 1 && c.All.Len() == 0 {
				*at = ranks[0]
			} else {
				*at = shared
			}
		}
	})
	for rank, cores := range wide {
		b.alone[rank] = len(cores) > 0
		for _, c := range cores {
			b.alone[rank] = b.alone[rank] && b.cover[c.Index()] == rank
		}
	}
	for i, rank := range b.cover {
		if rank >= 0 && !b.alone[rank] {
			b.cover[i] = shared
		}
	}
}

// eachSeat calls tell for each binding to several cores, with its ranks and its cores. cores is the cores of the
// host by PU, nil outside hosts.
func (b *Board) eachSeat(n *outline.Node, cores map[int]*outline.Node, tell func(ranks []int32, cores []*outline.Node)) {
	if n.Leaf() {
		return
	}
	if isHost(n) {
		cores = nil // byPU fills it for a binding that is not a whole object
	}
	for _, s := range n.Seats {
		if s.PUs == "" {
			tell(s.Ranks, leaves(n, nil))
			continue
		}
		if cores == nil {
			cores = byPU(n)
		}
		set, err := hw.ParseList(s.PUs)
		if err != nil {
			continue // the binding is not of this hardware
		}
		var list []*outline.Node
		for pu := set.First(); pu >= 0; pu = set.Next(pu + 1) {
			if c := cores[pu]; c != nil && (len(list) == 0 || list[len(list)-1] != c) {
				list = append(list, c)
			}
		}
		tell(s.Ranks, list)
	}
	for _, k := range others(n) {
		b.eachSeat(k, cores, tell)
	}
}

// leaves appends the nodes of the cores below a node to list.
func leaves(n *outline.Node, list []*outline.Node) []*outline.Node {
	if n.Leaf() {
		return append(list, n)
	}
	for _, k := range others(n) {
		list = leaves(k, list)
	}
	return list
}

// byPU finds the core of each PU below a node.
func byPU(n *outline.Node) map[int]*outline.Node {
	cores := map[int]*outline.Node{}
	for _, c := range leaves(n, nil) {
		set := c.First().CPUSet
		for pu := set.First(); pu >= 0; pu = set.Next(pu + 1) {
			cores[pu] = c
		}
	}
	return cores
}

// own returns how many of the ranks on a node itself have a cell there: all but those whose cell spans their
// cores.
func (b *Board) own(n *outline.Node) int {
	count := n.Own.Len()
	if count > 0 && !n.Leaf() {
		for _, r := range b.Ranks(n.Own) {
			if b.alone[r] {
				count--
			}
		}
	}
	return count
}
