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
	"commsplit/hw"
	"commsplit/render/outline"
)

// Board is hardware with ranks on it, and what fitting it to an area needs to know of it.
type Board struct {
	*outline.Outline
	cells  map[*outline.Node]int // how many cells a node is: its ranks, and the cores without one
	cores  map[*outline.Node]int // how many cores it has, whatever is on them
	parent map[*outline.Node]*outline.Node
	node   map[*hw.Object]*outline.Node
	level  map[*outline.Node]int // how many frames can be in each other below a node, its own among them
	crowd  int                   // the most ranks on one core
	hosts  int
}

// NewBoard counts what is on an outline without devices.
func NewBoard(o *outline.Outline) *Board {
	b := &Board{Outline: o, cells: map[*outline.Node]int{}, node: map[*hw.Object]*outline.Node{}}
	b.cores, b.parent = map[*outline.Node]int{}, map[*outline.Node]*outline.Node{}
	if o.Root != nil {
		b.count(o.Root)
		b.level = map[*outline.Node]int{}
		b.levels(o.Root)
	}
	return b
}

// levels counts frames: a core has one when several ranks share it.
func (b *Board) levels(n *outline.Node) int {
	most := min(max(b.crowd-1, 0), 1)
	if !n.Leaf() {
		for _, k := range n.Kids {
			if !k.Memory() {
				most = max(most, b.levels(k)+1)
			}
		}
		most = max(most, 1)
	}
	b.level[n] = most
	return most
}

func (b *Board) count(n *outline.Node) {
	for _, o := range n.Objects {
		b.node[o] = n
	}
	if isHost(n) {
		b.hosts++
	}
	sum := n.Own.Len()
	for _, k := range n.Kids {
		b.parent[k] = n
		b.count(k)
		sum += b.cells[k]
		b.cores[n] += b.cores[k]
	}
	switch {
	case n.Memory():
		sum, b.cores[n] = 0, 0
	case n.Leaf():
		sum, b.cores[n] = max(n.All.Len(), 1), 1
		b.crowd = max(b.crowd, n.All.Len())
	}
	b.cells[n] = sum
}

// Crowd is the most ranks that share a core.
func (b *Board) Crowd() int { return b.crowd }

// NodeOf is the node that an object is of; nil when it is none of the board.
func (b *Board) NodeOf(o *hw.Object) *outline.Node { return b.node[o] }

// Parent is the node around a node; nil for the outermost.
func (b *Board) Parent(n *outline.Node) *outline.Node { return b.parent[n] }

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
	rank int32 // -1: none
}

// slots are the cells of a node: its own ranks, then those of its cores, and of all that is below if deep.
func (b *Board) slots(n *outline.Node, deep bool) []slot {
	var list []slot
	span := n.Own
	if n.Leaf() {
		span = n.All
	}
	for _, r := range b.Ranks(span) {
		list = append(list, slot{n, r})
	}
	if n.Leaf() {
		if len(list) == 0 {
			list = append(list, slot{n, -1})
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
