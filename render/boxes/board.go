// Package boxes draws hardware as nested frames, with the ranks on it as cells filled with their communicator's
// color. It fits the picture to an area: where frames for every level have no room, the innermost levels lose
// their frames first; many hosts are a row each, then a tile each. Nodes with equal hardware are drawn equally:
// siblings have one size, and the rows of a grid are equally long wherever their number allows it.
//
// The model: a Board is an outline of hardware with the ranks of a world, and lasts as long as the world. A Plan
// holds where each object lies in an area of some size; it is made once per size. Draw draws only the lines of a
// plan that are on the screen, so that a hundred thousand ranks cost no more than a screen of ranks.
package boxes

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/outline"
)

// Board is hardware with its ranks, and the counts that fitting it to an area needs.
type Board struct {
	*outline.Outline
	counts []counts // by the index of a node
	cover  []int32  // by the index of a core's node: the only rank bound to this core and to others, nobody or shared
	alone  []bool   // by rank: its cell spans all its cores
	most   []room   // by kind
	crowd  int      // the most ranks on one core
	hosts  int
	near   map[*hw.Object][]string // the GPUs, and behind them the network devices, that are near to an object
}

// counts belong to a node and everything below it.
type counts struct {
	cells int32 // its ranks, and the cores without a rank
	cores int32 // with or without ranks
	level int32 // how many frames can be nested, the node's own among them
	kind  int32 // the same number for nodes with equal hardware, whatever their sizes in bytes
}

// room is the most that any node of a kind has.
type room struct {
	level int32 // of the node itself, and of those beside it
	own   int32 // ranks bound to the nodes themselves
	cells int32 // own, and the cells of the node's cores
	deep  int32 // cells, and those of everything below
}

// NewBoard makes a board of an outline without devices: it counts the ranks and cores of each node.
func NewBoard(o *outline.Outline) *Board {
	b := &Board{Outline: o, counts: make([]counts, o.Len())}
	if o.Root != nil {
		b.spread()
		b.count(o.Root)
		b.levels(o.Root)
		b.kinds(o.Root, map[string]int32{})
		b.near = nearTo(o.Topology)
	}
	return b
}

// nearTo returns the names of the devices that a process works with, by the object that they are near to. Parts of a
// device, and a second name of one device, are left out.
func nearTo(t *hw.Topology) map[*hw.Object][]string {
	list, located := map[*hw.Object][]string{}, t.Located()
	known := map[string]bool{}
	for _, sort := range [][]string{{"GPU", "CoProcessor"}, {"OpenFabrics", "Network"}} {
		for _, d := range located {
			at := strconv.Itoa(t.HostIndex(d.Object)) + " " + cmp.Or(d.BusID(), d.Name)
			whole, _, part := strings.Cut(d.Name, ".")
			if !slices.Contains(sort, d.Kind()) || known[at] || part && slices.Contains(list[d.Object], whole) {
				continue
			}
			known[at] = true
			list[d.Object] = append(list[d.Object], d.Name)
		}
	}
	return list
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

// levels counts the levels of frames in a node. A core has a frame when several ranks share a core anywhere.
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

// kinds numbers the kinds of a node and of all nodes below it, and finds the most cells that a node of each kind
// has.
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

// Crowd returns the most ranks that share a core.
func (b *Board) Crowd() int { return b.crowd }

// NodeOf returns the node that contains an object; nil when the object is not on the board.
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

// Parent returns the node around a node; nil for the outermost.
func (b *Board) Parent(n *outline.Node) *outline.Node {
	if up := n.First().Parent; up != nil {
		return b.NodeOf(up)
	}
	return nil
}

// Home returns the innermost node that contains a rank; nil in a world without hardware.
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

// slot is the place of a cell: a rank, or a core without a rank.
type slot struct {
	on   *outline.Node
	rank int32 // nobody, or shared
}

// slots lists the cells of a node: its own ranks except those whose cell spans their cores, then the cells of its
// cores; if deep, the cells of everything below, too.
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
