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
	parts   *parts // nil when communicators do not matter
	devices bool   // show them
	short   bool   // without bridges, in a line each
	domains bool   // with their PCI domain
	shapes  map[string]int32
	signs   map[string]int32
	buf     []byte
}

func newOutliner(s seating, p *parts) *outliner {
	return &outliner{seats: s, parts: p, shapes: map[string]int32{}, signs: map[string]int32{}}
}

// outline is the whole topology as nodes, without devices.
func outline(t *hw.Topology, s seating, p *parts) *node {
	return newOutliner(s, p).node(t.Root)
}

// outlineDevices is outline with the devices in short: bridges are left out.
func outlineDevices(t *hw.Topology, s seating, p *parts) *node {
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
