package outline

import (
	"encoding/binary"
	"maps"
	"slices"
)

// Line is a node of a folded outline, or several siblings.
type Line struct {
	Depth  int
	Nodes  []*Node // siblings next to each other
	Closed bool    // the line also stands for everything below the nodes
}

// Seats returns the ranks that the line shows. A closed line shows all ranks below it, as one seat.
func (o *Outline) Seats(l *Line) []Seat {
	if !l.Closed {
		return l.Nodes[0].Seats()
	}
	if all := l.All(); all.Len() > 0 {
		ranks := slices.Clone(o.Ranks(all))
		slices.Sort(ranks)
		return []Seat{{Ranks: ranks}}
	}
	return nil
}

// All returns the ranks on the nodes and below them.
func (l *Line) All() Span { return Span{l.Nodes[0].All.Lo, l.Nodes[len(l.Nodes)-1].All.Hi} }

// Each returns the smallest and the largest number of ranks on a node of the line.
func (l *Line) Each() (least, most int) {
	least = l.Nodes[0].All.Len()
	for _, n := range l.Nodes {
		least, most = min(least, n.All.Len()), max(most, n.All.Len())
	}
	return least, most
}

// Holding returns a number for what a rank holds, equal for ranks that hold the same. Siblings are folded together
// only if they have equally many ranks with each holding. A nil Holding treats all ranks as equal.
type Holding func(rank int32) int32

// signs has a number for each node, by its index. Nodes with equal numbers have equal hardware, and equally many
// ranks with each holding on them and below them.
type signs []int32

// signs finds the signs of all nodes.
func (o *Outline) signs(of Holding) signs {
	s := signer{of: of, list: make(signs, o.nodes), ids: map[string]int32{}}
	s.sign(o.Root)
	return s.list
}

type signer struct {
	of   Holding
	list signs
	ids  map[string]int32
	buf  []byte
}

func (s *signer) sign(n *Node) {
	for _, k := range n.Kids() {
		s.sign(k)
	}
	buf := binary.AppendUvarint(s.buf[:0], uint64(n.Shape))
	for _, seat := range n.Seats() {
		buf = append(buf, seat.PUs...)
		buf = append(buf, 0)
		buf = s.count(buf, seat.Ranks)
	}
	buf = append(buf, 0xff)
	for _, k := range n.Kids() {
		buf = binary.AppendUvarint(buf, uint64(s.list[k.index]))
	}
	s.buf = buf
	id, ok := s.ids[string(buf)]
	if !ok {
		id = int32(len(s.ids))
		s.ids[string(buf)] = id
	}
	s.list[n.index] = id
}

// count appends to buf how many of the ranks have each holding.
func (s *signer) count(buf []byte, ranks []int32) []byte {
	switch {
	case s.of == nil:
		return binary.AppendUvarint(buf, uint64(len(ranks)))
	case len(ranks) == 1:
		return append(binary.AppendUvarint(buf, uint64(uint32(s.of(ranks[0])))), 1)
	}
	counts := map[int32]int{}
	for _, r := range ranks {
		counts[s.of(r)]++
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		buf = binary.AppendUvarint(buf, uint64(uint32(what)))
		buf = binary.AppendUvarint(buf, uint64(counts[what]))
	}
	return buf
}

// maxPeriod is the longest period that row looks for in siblings.
const maxPeriod = 8

// row finds the longest row of siblings of the same shape, from the first on, that repeats with a period at least
// twice. Where none does, the row is the first sibling alone.
func (s signs) row(kids []*Node) (count, period int) {
	count, period = 1, 1
	for p := 1; p <= maxPeriod && p < len(kids); p++ {
		n := p
		for n < len(kids) && s[kids[n].index] == s[kids[n-p].index] && kids[n].Shape == kids[0].Shape {
			n++
		}
		if n >= 2*p && n > count && sameShape(kids[:p]) {
			count, period = n, p
		}
	}
	return count, period
}

func sameShape(nodes []*Node) bool {
	return !slices.ContainsFunc(nodes, func(n *Node) bool { return n.Shape != nodes[0].Shape })
}

// folding tells which lines of an outline are left out.
type folding struct {
	run   int // at least run equal siblings are folded; 0: never
	keep  int // how many of the folded siblings have lines of their own nevertheless
	like  int // siblings of equal hardware up to this height are folded whatever their ranks hold; -1: none are
	depth int // lines deeper than this are left out
}

// deep is a depth that no line has.
const deep = 1 << 20

// foldings lists the foldings of an outline of some height that leave something out, to the coarsest.
func foldings(height int) []folding {
	list := []folding{{5, 2, -1, deep}, {3, 1, -1, deep}, {2, 0, -1, deep}}
	for like := range height {
		list = append(list, folding{4, 2, like, deep}, folding{2, 0, like, deep})
	}
	for depth := height - 1; depth > 0; depth-- {
		list = append(list, folding{2, 0, height, depth})
	}
	return list
}

// Fit returns the most detailed lines that are at most limit. When even the coarsest picture has more lines, Fit
// cuts it, and rest counts the lines left out. The outline must have a root.
func (o *Outline) Fit(limit int, of Holding) (lines []Line, rest int) {
	a := arranger{folding: folding{depth: deep}, limit: limit}
	a.add(o.Root, 0)
	if len(a.lines) <= limit {
		return a.lines, 0
	}
	a.signs = o.signs(of)
	for _, a.folding = range foldings(o.Root.Height) {
		a.lines = nil
		if a.add(o.Root, 0); len(a.lines) <= limit {
			return a.lines, 0
		}
	}
	a.lines, a.limit = nil, Unlimited
	a.add(o.Root, 0)
	return a.lines[:limit-1], len(a.lines) - limit + 1
}

// Unlimited is a limit that no picture reaches.
const Unlimited = 1 << 30

// arranger makes the lines of one picture. It stops when there are more than limit.
type arranger struct {
	folding
	signs signs
	limit int
	lines []Line
}

func (a *arranger) add(n *Node, depth int) {
	if len(a.lines) > a.limit {
		return
	}
	closed := depth >= a.depth && len(n.Below) > 0
	a.lines = append(a.lines, Line{depth, []*Node{n}, closed})
	if closed {
		return
	}
	kids := n.Kids()
	for i := 0; i < len(kids); {
		count, keep := 1, 1
		if a.run > 0 {
			count, keep = a.together(kids[i:])
		}
		for _, k := range kids[i : i+keep] {
			a.add(k, depth+1)
		}
		if count > keep {
			a.lines = append(a.lines, Line{depth + 1, kids[i+keep : i+count], true})
		}
		i += count
	}
}

// together returns how many of the siblings are folded together, and how many of them get lines of their own.
func (a *arranger) together(kids []*Node) (count, keep int) {
	period := 1
	if kids[0].Height <= a.like {
		for count < len(kids) && kids[count].Shape == kids[0].Shape {
			count++
		}
	} else {
		count, period = a.signs.row(kids)
	}
	if keep = a.keep; keep > 0 {
		keep = max(keep, period)
	}
	if count < a.run || count-keep < 2 {
		return count, count
	}
	return count, keep
}
