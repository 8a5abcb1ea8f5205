// Package boxes draws hardware as nested frames, with the ranks on it as cells filled with their communicator's
// color. It fits the picture to an area: where frames for every level have no room, the innermost levels lose
// theirs first; many hosts are a row each, then a tile each. Equal things are drawn equally: siblings have one
// size, and the rows of a grid are equally long wherever their number allows it.
//
// The model: a Board is an outline of hardware with the ranks of a world, and lasts as long as that. A Plan is
// where each object lies in an area of some size; it is made once for a size. Draw draws the lines of a plan
// that show, and nothing else, so that a hundred thousand ranks cost no more than a screen of them.
package boxes

import (
	"encoding/binary"
	"slices"

	"commsplit/hw"
	"commsplit/render/outline"
)

// Board is hardware with ranks on it, and what fitting it to an area needs to know of it.
type Board struct {
	*outline.Outline
	counts []counts // by the index of a node
	cover  []int32  // by the index of a core's node: the rank that is bound to it and to others alone, nobody or shared
	alone  []bool   // by rank: its cell is all its cores
	most   []room   // by kind
	crowd  int      // the most ranks on one core
	hosts  int
}

// counts are of a node and all below it.
type counts struct {
	cells int32 // its ranks, and the cores without one
	cores int32 // whatever is on them
	level int32 // how many frames can be in each other, its own among them
	kind  int32 // equal for nodes with equal hardware, whatever its sizes in bytes
}

// room is the most that nodes of a kind have.
type room struct {
	level int32 // of the node itself, and of those beside it
	own   int32 // ranks on the nodes themselves
	cells int32 // these, and the cells of their cores
	deep  int32 // and of all that is below
}

// NewBoard counts what is on an outline without devices.
func NewBoard(o *outline.Outline) *Board {
	b := &Board{Outline: o, counts: make([]counts, o.Len())}
	if o.Root != nil {
		b.spread()
		b.count(o.Root)
		b.levels(o.Root)
		b.kinds(o.Root, map[string]int32{})
	}
	return b
}

func (b *Board) of(n *outline.Node) *counts { return &b.counts[n.Index()] }

func (b *Board) count(n *outline.Node) {
	if isHost(n) {
		b.hosts++
	}
	c := counts{cells: int32(b.own(n))}
	for _, k := range n.Kids {
		b.count(k)
		c.cells += b.of(k).cells
		c.cores += b.of(k).cores
	}
	switch {
	case n.Memory():
		c = counts{}
	case n.Leaf():
		c = counts{cells: int32(max(n.All.Len(), 1)), cores: 1}
		b.crowd = max(b.crowd, n.All.Len())
	}
	*b.of(n) = c
}

// levels counts frames: a core has one when several ranks share it.
func (b *Board) levels(n *outline.Node) int32 {
	most := int32(min(max(b.crowd-1, 0), 1))
	if !n.Leaf() {
		most = max(most, 1)
		for _, k := range n.Kids {
			if !k.Memory() {
				most = max(most, b.levels(k)+1)
			}
		}
	}
	b.of(n).level = most
	return most
}

// kinds numbers the kinds of a node and of all below it, and finds the most cells of each.
func (b *Board) kinds(n *outline.Node, known map[string]int32) {
	var key []byte
	for _, o := range n.Objects {
		key = append(append(key, byte(o.Type)), o.Subtype...)
		key = append(key, 0)
	}
	r := room{own: int32(b.own(n)), cells: int32(b.own(n))}
	if n.Leaf() {
		r.cells, key = b.of(n).cells, append(key[:0], byte(hw.Core))
	} else {
		beside := int32(0)
		for _, k := range n.Kids {
			if k.Memory() {
				continue
			}
			beside = max(beside, b.of(k).level)
			b.kinds(k, known)
			key = binary.AppendUvarint(key, uint64(b.of(k).kind))
			if k.Leaf() {
				r.cells += b.of(k).cells
			}
		}
		for _, k := range n.Kids {
			if m := &b.most[b.of(k).kind]; !k.Memory() && !k.Leaf() {
				m.level = max(m.level, beside)
			}
		}
	}
	kind, ok := known[string(key)]
	if !ok {
		kind = int32(len(known))
		known[string(key)] = kind
		b.most = append(b.most, room{})
	}
	b.of(n).kind = kind
	m := &b.most[kind]
	m.own, m.cells, m.deep = max(m.own, r.own), max(m.cells, r.cells), max(m.deep, b.of(n).cells)
}

// Crowd is the most ranks that share a core.
func (b *Board) Crowd() int { return b.crowd }

// NodeOf is the node that an object is of; nil when it is none of the board.
func (b *Board) NodeOf(o *hw.Object) *outline.Node {
	around := map[*hw.Object]bool{}
	for at := o; at != nil; at = at.Parent {
		around[at] = true
	}
	n := b.Root
	for n != nil && around[n.First()] {
		if slices.Contains(n.Objects, o) {
			return n
		}
		i := slices.IndexFunc(n.Kids, func(k *outline.Node) bool { return around[k.First()] })
		if i < 0 {
			return nil
		}
		n = n.Kids[i]
	}
	return nil
}

// Parent is the node around a node; nil for the outermost.
func (b *Board) Parent(n *outline.Node) *outline.Node {
	if up := n.First().Parent; up != nil {
		return b.NodeOf(up)
	}
	return nil
}

// Home is the innermost node with a rank; nil in a world without hardware.
func (b *Board) Home(rank int) *outline.Node {
	n := b.Root
	if n == nil {
		return nil
	}
	at := b.At[rank]
	for {
		next := n
		for _, k := range n.Kids {
			if k.All.Lo <= at && at < k.All.Hi {
				next = k
			}
		}
		if next == n {
			return n
		}
		n = next
	}
}

func isHost(n *outline.Node) bool { return has(n, hw.Machine) }

// aboveHosts reports whether a node is a rack, a switch or the like: a level with hosts below.
func aboveHosts(n *outline.Node) bool { return has(n, hw.Level) && !isHost(n) }

func has(n *outline.Node, t hw.Type) bool {
	for _, o := range n.Objects {
		if o.Type == t {
			return true
		}
	}
	return false
}

// slot is the place of a cell: a rank, or a core without one.
type slot struct {
	on   *outline.Node
	rank int32 // nobody, or shared
}

// slots are the cells of a node: its own ranks but for those that are as wide as their cores, then those of its cores, and of all that is below if deep.
func (b *Board) slots(n *outline.Node, deep bool) []slot {
	var list []slot
	span := n.Own
	if n.Leaf() {
		span = n.All
	}
	for _, r := range b.Ranks(span) {
		if n.Leaf() || !b.alone[r] {
			list = append(list, slot{n, r})
		}
	}
	if n.Leaf() {
		if len(list) == 0 {
			list = append(list, slot{n, b.cover[n.Index()]})
		}
		return list
	}
	for _, k := range n.Kids {
		if !k.Memory() && (deep || k.Leaf()) {
			list = append(list, b.slots(k, deep)...)
		}
	}
	return list
}
