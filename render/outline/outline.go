// Package outline holds hardware with ranks on it as a tree of lines, and folds that tree to what a picture
// has room for. The tree in text, the boxes on a terminal and on a page, and the drawings are all made of it,
// so that all of them put the same objects together. It draws nothing, and knows no communicators: a caller
// that wants ranks of different communicators kept apart says so by a Holding.
//
// The model: an Outline is made once for the hardware and the places of the ranks. Its Nodes are chains of
// objects that cover the same PUs, as on a line of lstopo's console, or devices. All ranks on a node and below
// it are neighbors in one list, Outline.Order, so that a node names its ranks by two numbers, a Span. Equal
// hardware has equal Shapes.
//
// Fit folds: it takes the most detailed lines that are not more than there is room for, where a line is a node or
// several siblings.
package outline

import (
	"encoding/binary"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// Outline is hardware with the ranks of a world on it. It is not changed once it is made.
type Outline struct {
	Topology *hw.Topology
	Root     *Node   // nil for a world without hardware
	Order    []int32 // world ranks: those on a node, then those below it; last those without a place, ascending
	Physical bool    // labels have the kernel's numbers, not the logical ones
	At       []int32 // by world rank: its index in Order

	nodes int
}

// Node is objects that cover the same PUs, each around the next, or a device.
type Node struct {
	Objects []*hw.Object // outermost first; none for a device
	Device  string       // the label of a device
	Devices int          // how many devices are below a device, bridges not counted
	Seats   []Seat       // the ranks on the objects themselves
	Kids    []*Node      // memory first, then what shares the PUs, then devices
	Height  int          // 0 for a node without kids
	Shape   int32        // equal for nodes of one outline with equal hardware
	Own     Span         // the ranks on the objects themselves
	All     Span         // these and the ranks below

	Around *Border // instead of hardware: a frame of communicators; nil for hardware

	index int // among all nodes of the outline
	depth int // of a border: how many borders have the same ranks, it and those around it
}

// Span is the ranks from Lo up to Hi, without Hi, of Outline.Order.
type Span struct{ Lo, Hi int32 }

// Len is the number of ranks.
func (s Span) Len() int { return int(s.Hi - s.Lo) }

// Ranks are the world ranks of a span. They are not sorted, and are part of the outline: do not change them.
func (o *Outline) Ranks(s Span) []int32 { return o.Order[s.Lo:s.Hi] }

// Leaf reports whether pictures draw a node as one cell, with all that is below: a core, or what has nothing
// below it.
func (n *Node) Leaf() bool {
	for _, o := range n.Objects {
		if o.Type == hw.Core {
			return true
		}
	}
	return len(n.Kids) == 0
}

// Memory reports whether a node is memory, which pictures draw as a bar beside what shares the PUs.
func (n *Node) Memory() bool {
	return len(n.Objects) > 0 && (n.Objects[0].Type == hw.NUMANode || n.Objects[0].Type == hw.MemCache)
}

// Parts returns the kids of a node: memory, and all others.
func (n *Node) Parts() (memory, others []*Node) {
	i := 0
	for i < len(n.Kids) && n.Kids[i].Memory() {
		i++
	}
	return n.Kids[:i:i], n.Kids[i:]
}

// Len is how many nodes there are.
func (o *Outline) Len() int { return o.nodes }

// Index is the place of a node among all of its outline, from 0.
func (n *Node) Index() int { return n.index }

// First is the outermost object of a node, nil for a device.
func (n *Node) First() *hw.Object {
	if len(n.Objects) == 0 {
		return nil
	}
	return n.Objects[0]
}

// Devices says which devices are in an outline.
type Devices uint8

// The choices.
const (
	NoDevices    Devices = iota
	BriefDevices         // no bridges, and the names of a PCI device on its line
	AllDevices           // as on lstopo's console
)

// New is the outline of hardware alone.
func New(t *hw.Topology, d Devices) *Outline { return build(t, nil, 0, d) }

// Of is the outline of the hardware of a world, with its ranks.
func Of(s *engine.Snapshot, d Devices) *Outline {
	if s.Topology == nil {
		return build(nil, nil, s.Size, d)
	}
	return build(s.Topology, Seats(s), s.Size, d)
}

func build(t *hw.Topology, seats map[*hw.Object][]Seat, size int, d Devices) *Outline {
	o := &Outline{Topology: t, Order: make([]int32, 0, size), At: make([]int32, size)}
	if t != nil {
		b := builder{o: o, seats: seats, devices: d, shapes: map[string]int32{}}
		if d != NoDevices {
			for object := range t.Root.All() {
				b.domains = b.domains || hasDomains(leaves(object.Devices(), d))
			}
		}
		o.Root = b.node(t.Root)
	}
	seated := make([]bool, size)
	for _, r := range o.Order {
		seated[r] = true
	}
	for r := range size {
		if !seated[r] {
			o.Order = append(o.Order, int32(r))
		}
	}
	for i, r := range o.Order {
		o.At[r] = int32(i)
	}
	return o
}

// builder makes nodes. Shapes are numbered as they are met.
type builder struct {
	o       *Outline
	seats   map[*hw.Object][]Seat
	devices Devices
	domains bool // devices are named with their PCI domain
	shapes  map[string]int32
	buf     []byte
}

func (b *builder) next() *Node {
	b.o.nodes++
	return &Node{index: b.o.nodes - 1}
}

func (b *builder) node(top *hw.Object) *Node {
	n := b.next()
	n.Own.Lo = int32(len(b.o.Order))
	at := top
	var devices []leaf
	for {
		n.Objects = append(n.Objects, at)
		if n.Seats == nil {
			n.Seats = b.seats[at]
		} else {
			n.Seats = slices.Concat(n.Seats, b.seats[at])
		}
		if b.devices != NoDevices {
			devices = leaves(at.Devices(), b.devices)
		}
		if !merges(at) || len(devices) > 0 {
			break
		}
		at = at.Children[0]
	}
	for _, s := range n.Seats {
		b.o.Order = append(b.o.Order, s.Ranks...)
	}
	n.Own.Hi = int32(len(b.o.Order))
	if kids := len(at.Memory) + len(at.Children) + len(devices); kids > 0 {
		n.Kids = make([]*Node, 0, kids)
	}
	for _, m := range at.Memory {
		n.Kids = append(n.Kids, b.node(m))
	}
	for _, c := range at.Children {
		n.Kids = append(n.Kids, b.node(c))
	}
	for _, l := range devices {
		n.Kids = append(n.Kids, b.device(l))
	}
	n.All = Span{n.Own.Lo, int32(len(b.o.Order))}
	b.summarize(n)
	return n
}

func (b *builder) device(l leaf) *Node {
	n := b.next()
	n.Device = l.label(b.domains)
	for _, below := range l.below {
		kid := b.device(below)
		n.Kids = append(n.Kids, kid)
		n.Devices += kid.Devices
		if below.first.Type != "Bridge" {
			n.Devices += below.count
		}
	}
	at := int32(len(b.o.Order))
	n.Own, n.All = Span{at, at}, Span{at, at}
	b.summarize(n)
	return n
}

// merges reports whether the only child of o goes on the same line, by lstopo's rule.
func merges(o *hw.Object) bool {
	return len(o.Children) == 1 && len(o.Memory) == 0 && o.Type != hw.Level &&
		o.CPUSet.Equal(o.Children[0].CPUSet)
}

// summarize sets the height and the shape of a node, which follow from its kids.
func (b *builder) summarize(n *Node) {
	for _, k := range n.Kids {
		n.Height = max(n.Height, k.Height+1)
	}
	buf := append(b.buf[:0], n.Device...)
	buf = append(buf, 0)
	for _, c := range n.Objects {
		buf = append(buf, byte(c.Type))
		buf = append(buf, c.Subtype...)
		buf = append(buf, 0)
		buf = binary.AppendUvarint(buf, c.Bytes)
		buf = append(buf, kind(c)...)
		if !b.o.Topology.Allows(c) {
			buf = append(buf, '-')
		}
	}
	buf = append(buf, 0xff)
	for _, k := range n.Kids {
		buf = binary.AppendUvarint(buf, uint64(k.Shape))
	}
	b.buf = buf
	n.Shape = intern(b.shapes, buf)
}

// intern numbers different keys as they are met.
func intern(table map[string]int32, key []byte) int32 {
	if id, ok := table[string(key)]; ok {
		return id
	}
	id := int32(len(table))
	table[string(key)] = id
	return id
}
