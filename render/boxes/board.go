// Package boxes draws hardware as nested frames, with the ranks on it as cells filled with their communicator's
// color. It fits the picture to an area: where frames for every level have no room, the innermost levels lose
// their frames first; many hosts are a row each, then a tile each. Nodes with equal hardware are drawn equally:
// siblings have one size, and the rows of a grid are equally long wherever their number allows it.
//
// The model: a Board is an outline of hardware with the ranks of a world, and lasts as long as the world. It counts
// ranks by core, in flat lists, and knows each form of hardware once. A Plan holds where each object lies in an area of
// some size; it is made once per size, and makes nothing of what is inside a tile. Scene draws only the lines of a plan
// that are on the screen, so that a hundred thousand ranks cost no more than a screen of ranks.
package boxes

import (
	"encoding/binary"
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Board is hardware with its ranks, and the counts that fitting it to an area needs.
type Board struct {
	*outline.Outline
	forms []*form // by Form.Shape; nil for memory, and for what is inside a core
	idle  []int32 // by core: how many of the cores before it have no rank
	cover []int32 // by core: the only rank bound to this core and to others, nobody or shared; nil: nobody everywhere
	alone []bool  // by rank: its cell spans all its cores; nil: none does
	apart []int32 // by index in Order: how many of the ranks before it are alone; nil: none
	crowd int     // the most ranks on one core
}

// form is what nodes with equal hardware share.
type form struct {
	level  int32  // how many frames can be nested, the node's own among them
	kind   int32  // the same number for equal hardware, whatever its sizes in bytes
	kinds  hw.Set // of the node and those below
	types  hw.Set // of the objects that stand for them
	beside int32  // the most levels of those beside a node of the kind
}

// room is the most that any node of a kind has.
type room struct {
	own   int // ranks bound to the nodes themselves
	cells int // own, and the cells of the node's cores
	deep  int // cells, and those of everything below
}

// NewBoard makes a board of an outline without devices: it counts the ranks of each core.
func NewBoard(o *outline.Outline) *Board {
	b := &Board{Outline: o, forms: make([]*form, o.Shapes())}
	if o.Root == nil {
		return b
	}
	cores := o.Cores()
	b.spread(cores)
	b.idle = make([]int32, len(cores)+1)
	for i, ranks := range cores {
		b.crowd = max(b.crowd, int(ranks))
		if b.idle[i+1] = b.idle[i]; ranks == 0 {
			b.idle[i+1]++
		}
	}
	beside := map[int32]int32{} // by kind
	b.form(o.Root.Form, map[string]int32{}, beside)
	for _, f := range b.forms {
		if f != nil {
			f.beside = beside[f.kind]
		}
	}
	return b
}

// form finds the levels and kinds of a form and of all below it. A core has a frame when several ranks share a core
// anywhere.
func (b *Board) form(of *outline.Form, known map[string]int32, beside map[int32]int32) *form {
	if f := b.forms[of.Shape]; f != nil {
		return f
	}
	f := &form{level: int32(min(max(b.crowd-1, 0), 1)), types: hw.SetOf(int(coreOf(of.Like).Type))}
	b.forms[of.Shape] = f
	key := []byte{byte(hw.Core)}
	if !of.Leaf {
		f.level, key = max(f.level, 1), key[:0]
		for _, o := range of.Like {
			key = append(append(key, byte(o.Type)), o.Subtype...)
			key = append(key, 0)
		}
		most := int32(0)
		for _, k := range of.Others() {
			kid := b.form(k, known, beside)
			most = max(most, kid.level)
			key = binary.AppendUvarint(key, uint64(kid.kind))
			f.kinds.Merge(kid.kinds)
			f.types.Merge(kid.types)
		}
		for _, k := range of.Others() {
			if kind := b.forms[k.Shape].kind; !k.Leaf {
				beside[kind] = max(beside[kind], most)
			}
		}
		f.level = max(f.level, most+1)
	}
	kind, ok := known[string(key)]
	if !ok {
		kind = int32(len(known))
		known[string(key)] = kind
	}
	f.kind = kind
	f.kinds.Add(int(kind))
	return f
}

// of returns what a node shares with others; nothing for memory, which has no kind.
func (b *Board) of(n *outline.Node) *form {
	if f := b.forms[n.Shape]; f != nil {
		return f
	}
	return &form{}
}

// cells returns how many cells a node and everything below have: the ranks that have one, and the cores without a rank.
func (b *Board) cells(n *outline.Node) int {
	cells := n.All.Len() + int(b.idle[n.Core+n.Cores]-b.idle[n.Core])
	if b.apart != nil {
		cells -= int(b.apart[n.All.Hi] - b.apart[n.All.Lo])
	}
	return cells
}

// own returns how many of the ranks on a node itself have a cell there: all but those whose cell spans their
// cores.
func (b *Board) own(n *outline.Node) int {
	if b.apart == nil {
		return n.Own.Len()
	}
	return n.Own.Len() - int(b.apart[n.Own.Hi]-b.apart[n.Own.Lo])
}

// most finds the most that a node of a kind has.
func (b *Board) most(kind int32) *room {
	m := &room{}
	var visit func(n *outline.Node)
	visit = func(n *outline.Node) {
		switch f := b.of(n); {
		case f.kind == kind:
			m.own, m.cells, m.deep = max(m.own, b.own(n)), max(m.cells, b.direct(n)), max(m.deep, b.cells(n))
		case f.kinds.Has(int(kind)):
			for _, k := range n.OtherKids() {
				visit(k)
			}
		}
	}
	visit(b.Root)
	return m
}

// direct returns how many cells a node itself and its cores have.
func (b *Board) direct(n *outline.Node) int {
	cores := 0
	for _, f := range n.Others() {
		if f.Leaf {
			cores++
		}
	}
	switch {
	case cores == len(n.Others()):
		return b.cells(n)
	case cores == 0:
		return b.own(n)
	}
	cells := b.own(n)
	for _, k := range n.OtherKids() {
		if k.Leaf {
			cells += b.cells(k)
		}
	}
	return cells
}

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
		i := slices.IndexFunc(n.Kids(), func(k *outline.Node) bool { return around[k.First()] })
		if i < 0 {
			return nil
		}
		n = n.Kids()[i]
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

func isHost(f *outline.Form) bool { return f.Has(hw.Machine) }

// aboveHosts reports whether a node is a rack, a switch or the like: a level with hosts below.
func aboveHosts(f *outline.Form) bool { return f.Has(hw.Level) && !isHost(f) }

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
	if n.Leaf {
		span = n.All
	}
	for _, r := range b.Ranks(span) {
		if n.Leaf || b.alone == nil || !b.alone[r] {
			list = append(list, slot{n, r})
		}
	}
	if n.Leaf {
		if len(list) == 0 {
			list = append(list, slot{n, b.covers(n)})
		}
		return list
	}
	for _, k := range n.OtherKids() {
		if deep || k.Leaf {
			list = append(list, b.slots(k, deep)...)
		}
	}
	return list
}

// mostScale is the largest scale of big letters.
const mostScale = 6

// posters returns the modes with big letters, for lecture halls, the biggest letters first. All nodes with parts
// have frames.
func (b *Board) posters(root *outline.Node, s Size) []mode {
	if hostsBelow(root.Form) >= manyHosts {
		return nil
	}
	list := bigModes(b.cells(root), s)
	for i := range list {
		list[i].frames = int(b.of(root).level)
	}
	return list
}

// bigModes returns the modes with big letters in which so many cells may fit: the biggest first, each with more
// and with less room around the letters.
func bigModes(cells int, s Size) []mode {
	var list []mode
	for scale := mostScale; scale > 0; scale-- {
		columns, lines := paint.BigSize(max(s.Text, 1), scale)
		if cells*columns*lines > s.Width*s.Height {
			continue
		}
		list = append(list, mode{scale: scale, pad: 2 + 2*scale, gap: 2, high: lines + 2, margin: 2},
			mode{scale: scale, pad: 2 * scale, gap: 1, high: lines + 2}, mode{scale: scale, pad: 2 * scale, gap: 1, high: lines + 1})
	}
	return list
}

// mostHigh returns the most lines that a cell gets when there are lines left.
func (p *Plan) mostHigh() int {
	if p.mode.scale > 0 {
		return p.wide // a line is about twice as high as a column is wide: at most twice as high as wide
	}
	return 5
}

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
