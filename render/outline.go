package render

import (
	"encoding/binary"
	"slices"

	"commsplit/hw"
)

// node is one line of the unfolded picture of hardware: a chain of objects that cover the same PUs,
// or a device.
type node struct {
	chain  []*hw.Object // outermost first; empty for a device
	device string       // its label
	below  int          // devices below a device, bridges not counted
	here   []sitting    // ranks that sit on the chain
	kids   []*node      // memory first, then children, then devices
	height int          // 0 for a line without lines below
	shape  int32        // equal for subtrees of equal hardware
	sign   int32        // equal for those with equal ranks on them besides
}

// outliner makes nodes. Shapes and signatures are numbered as they are met.
type outliner struct {
	seats   seating
	parts   *Parting // nil when communicators do not matter
	devices bool     // show them
	short   bool     // without bridges, in a line each
	domains bool     // with their PCI domain
	shapes  map[string]int32
	signs   map[string]int32
	buf     []byte
}

func newOutliner(s seating, p *Parting) *outliner {
	return &outliner{seats: s, parts: p, shapes: map[string]int32{}, signs: map[string]int32{}}
}

// outline is the whole topology as nodes, without devices.
func outline(t *hw.Topology, s seating, p *Parting) *node {
	return newOutliner(s, p).node(t.Root)
}

// outlineDevices is outline with the devices in short: bridges are left out.
func outlineDevices(t *hw.Topology, s seating, p *Parting) *node {
	o := newOutliner(s, p)
	o.devices, o.short = true, true
	return o.node(t.Root)
}

func (o *outliner) node(top *hw.Object) *node {
	n := &node{}
	at := top
	var below []leaf
	for {
		n.chain = append(n.chain, at)
		n.here = append(n.here, o.seats[at]...)
		if o.devices {
			below = leaves(at.Devices(), o.short)
		}
		if !merges(at) || len(below) > 0 {
			break
		}
		at = at.Children[0]
	}
	for _, m := range at.Memory {
		n.kids = append(n.kids, o.node(m))
	}
	for _, c := range at.Children {
		n.kids = append(n.kids, o.node(c))
	}
	for _, l := range below {
		n.kids = append(n.kids, o.deviceNode(l))
	}
	return o.finish(n)
}

func (o *outliner) deviceNode(l leaf) *node {
	n := &node{device: l.label(o.domains)}
	for _, below := range l.below {
		kid := o.deviceNode(below)
		n.kids = append(n.kids, kid)
		n.below += kid.below
		if below.first.Type != "Bridge" {
			n.below += below.count
		}
	}
	return o.finish(n)
}

// finish sets what follows from the lines below.
func (o *outliner) finish(n *node) *node {
	for _, k := range n.kids {
		n.height = max(n.height, k.height+1)
	}
	n.shape, n.sign = o.shapeOf(n), 0
	n.sign = o.signOf(n)
	return n
}

// merges reports whether the only child of o goes on the same line, by lstopo's rule.
func merges(o *hw.Object) bool {
	return len(o.Children) == 1 && len(o.Memory) == 0 && o.Type != hw.Level &&
		o.CPUSet.Equal(o.Children[0].CPUSet)
}

func (o *outliner) shapeOf(n *node) int32 {
	b := append(o.buf[:0], n.device...)
	b = append(b, 0)
	for _, c := range n.chain {
		b = append(b, byte(c.Type))
		b = append(b, c.Subtype...)
		b = append(b, 0)
		b = binary.AppendUvarint(b, c.Bytes)
	}
	b = append(b, 0xff)
	for _, k := range n.kids {
		b = binary.AppendUvarint(b, uint64(k.shape))
	}
	o.buf = b
	return intern(o.shapes, b)
}

func (o *outliner) signOf(n *node) int32 {
	b := binary.AppendUvarint(o.buf[:0], uint64(n.shape))
	for _, s := range n.here {
		b = append(b, s.pus...)
		b = append(b, 0)
		if o.parts == nil {
			b = binary.AppendUvarint(b, uint64(len(s.ranks)))
			continue
		}
		for _, sh := range o.parts.shares(s.ranks) {
			b = binary.AppendUvarint(b, uint64(o.parts.key(sh.of)))
			b = binary.AppendUvarint(b, uint64(sh.n))
		}
	}
	b = append(b, 0xff)
	for _, k := range n.kids {
		b = binary.AppendUvarint(b, uint64(k.sign))
	}
	o.buf = b
	return intern(o.signs, b)
}

func intern(table map[string]int32, key []byte) int32 {
	if id, ok := table[string(key)]; ok {
		return id
	}
	id := int32(len(table))
	table[string(key)] = id
	return id
}

// allRanks lists the ranks that sit on the nodes and below them, ascending.
func allRanks(nodes []*node) []int32 {
	var list []int32
	var visit func(*node)
	visit = func(n *node) {
		for _, s := range n.here {
			list = append(list, s.ranks...)
		}
		for _, k := range n.kids {
			visit(k)
		}
	}
	for _, n := range nodes {
		visit(n)
	}
	slices.Sort(list)
	return list
}

// perNode is the least and the largest number of ranks on one of the nodes.
func perNode(nodes []*node) (least, most int) {
	least = unbounded
	for _, n := range nodes {
		k := n.count()
		least, most = min(least, k), max(most, k)
	}
	return least, most
}

// count is the number of ranks on the node and below it.
func (n *node) count() int {
	sum := 0
	for _, s := range n.here {
		sum += len(s.ranks)
	}
	for _, k := range n.kids {
		sum += k.count()
	}
	return sum
}

// entry is one line of a folded outline.
type entry struct {
	depth  int
	nodes  []*node // one, or several siblings in one line
	closed bool    // the line stands for everything below, too
}

// folding says what to leave out of an outline.
type folding struct {
	run   int // equal siblings are folded from this many on; 0: never
	keep  int // how many of them are shown nevertheless
	like  int // siblings of equal hardware up to this height are folded whatever sits on them; -1
	depth int // lines deeper than this are left out
}

// foldings goes from the whole picture to the roughest, for an outline of some height.
func foldings(height int) []folding {
	const deep = 1 << 20
	list := []folding{{0, 0, -1, deep}, {5, 2, -1, deep}, {3, 1, -1, deep}, {2, 0, -1, deep}}
	for like := range height {
		list = append(list, folding{4, 2, like, deep}, folding{2, 0, like, deep})
	}
	for depth := height - 1; depth > 0; depth-- {
		list = append(list, folding{2, 0, height, depth})
	}
	return list
}

// arrange picks the most detailed picture that has at most limit lines. When even the roughest has
// more, it is cut, and rest counts the objects that were left out.
func arrange(root *node, limit int) (lines []entry, rest int) {
	all := foldings(root.height)
	for _, f := range all {
		a := arranger{folding: f, limit: limit}
		a.add(root, 0)
		if len(a.lines) <= limit {
			return a.lines, 0
		}
	}
	a := arranger{folding: all[len(all)-1], limit: unbounded}
	a.add(root, 0)
	return a.lines[:limit-1], len(a.lines) - limit + 1
}

// arranger lays out one picture, and gives up once it is too long.
type arranger struct {
	folding
	limit int
	lines []entry
}

func (a *arranger) add(n *node, depth int) {
	if len(a.lines) > a.limit {
		return
	}
	closed := depth >= a.depth && len(n.kids) > 0
	a.lines = append(a.lines, entry{depth, []*node{n}, closed})
	if closed {
		return
	}
	for i := 0; i < len(n.kids); {
		count, keep := a.runAt(n.kids[i:])
		for _, k := range n.kids[i : i+keep] {
			a.add(k, depth+1)
		}
		if count > keep {
			a.lines = append(a.lines, entry{depth + 1, n.kids[i+keep : i+count], true})
		}
		i += count
	}
}

// runAt tells how many of the siblings belong together, and how many of these are shown.
func (a *arranger) runAt(kids []*node) (count, keep int) {
	if a.run == 0 {
		return 1, 1
	}
	period := 1
	if kids[0].height <= a.like {
		for count < len(kids) && kids[count].shape == kids[0].shape {
			count++
		}
	} else {
		count, period = regular(kids)
	}
	if keep = a.keep; keep > 0 {
		keep = max(keep, period)
	}
	if count < a.run || count-keep < 2 {
		return count, count
	}
	return count, keep
}

// maxPeriod bounds the patterns that are looked for in a row of siblings.
const maxPeriod = 8

// regular finds the longest row of siblings from the first on that repeats itself with a period,
// at least twice.
func regular(kids []*node) (count, period int) {
	count, period = 1, 1
	for p := 1; p <= maxPeriod && p < len(kids); p++ {
		n := p
		for n < len(kids) && kids[n].sign == kids[n-p].sign && kids[n].shape == kids[0].shape {
			n++
		}
		if n >= 2*p && n > count && sameShape(kids[:p]) {
			count, period = n, p
		}
	}
	return count, period
}

func sameShape(nodes []*node) bool {
	for _, n := range nodes {
		if n.shape != nodes[0].shape {
			return false
		}
	}
	return true
}

// Chain is the objects that share a line with o: those below it, one in the other, that cover the
// same PUs.
func Chain(o *hw.Object) []*hw.Object {
	chain := []*hw.Object{o}
	for merges(o) {
		o = o.Children[0]
		chain = append(chain, o)
	}
	return chain
}
