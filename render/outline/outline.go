// Package outline holds hardware with ranks on it as a tree of lines, and folds that tree to what a picture
// has room for. The tree in text, the boxes on a terminal and on a page, and the drawings are all made of it,
// so that all of them put the same objects together. It draws nothing, and knows no communicators: a caller
// that wants ranks of different communicators kept apart says so by a Holding.
//
// The model: Nodes are chains of objects that cover the same PUs, as on a line of lstopo's console, or devices. What
// nodes with equal hardware share is a Form. All ranks on a node and below it are neighbors in one list,
// Outline.Order, so that a node names its ranks by two numbers, a Span. An Outline is made in one pass over the ranks
// and one over the numbers of nodes, and looks at one object of each Form; the nodes in a node are made when somebody asks
// for them.
//
// Fit folds: it takes the most detailed lines that are not more than there is room for, where a line is a node or
// several siblings.
package outline

import (
	"encoding/binary"
	"slices"
	"sync/atomic"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// Outline is hardware with the ranks of a world on it. Only Border changes it.
type Outline struct {
	Topology *hw.Topology
	Root     *Node   // nil for a world without hardware
	Order    []int32 // world ranks: those on a node, then those below it; last those without a place, ascending
	Physical bool    // labels have the kernel's numbers, not the logical ones
	At       []int32 // by world rank: its index in Order

	forms map[string]*Form
	nodes int32 // how many there are
	seating
}

// Form is what nodes with equal hardware share.
type Form struct {
	Like    []*hw.Object // the objects of one of the nodes, outermost first; none for a device
	Device  string       // the label of a device
	Devices int          // how many devices are below a device, bridges not counted
	Below   []*Form      // of the kids
	Height  int          // 0 for a node without kids
	Shape   int32        // another number for each form of an outline
	Cores   int32        // how many nodes that are drawn as a cell are there: cores, and what has no parts
	Leaf    bool         // pictures draw a node with all below it as one cell: a core, or a node without kids
	Memory  bool         // the node is memory, which pictures draw as a bar beside what shares the PUs
	Barred  bool         // this process may use nothing of the node

	nodes    int32  // the node and those below it
	pu, host bool   // it has a PU, or a host, itself
	kind     string // of its core, on a machine with several kinds
}

// Node is a device, or objects that cover the same PUs, each inside the one before.
type Node struct {
	*Form
	Objects []*hw.Object // outermost first; none for a device
	Own     Span         // the ranks on the objects themselves
	All     Span         // these and the ranks below
	Core    int32        // how many cores are on the nodes before, in the order of the tree

	Around *Border // instead of hardware: a frame of communicators; nil for hardware

	o     *Outline
	index int32                   // among all nodes of the outline
	kids  atomic.Pointer[[]*Node] // nil: not made yet; several panes may ask for them at the same time
	depth int                     // of a border: how many borders have the same ranks, it and those around it
}

// Span is the ranks from Lo up to Hi, without Hi, of Outline.Order.
type Span struct{ Lo, Hi int32 }

// Len returns the number of ranks.
func (s Span) Len() int { return int(s.Hi - s.Lo) }

// Ranks returns the world ranks of a span. They are not sorted, and are part of the outline: do not change them.
func (o *Outline) Ranks(s Span) []int32 { return o.Order[s.Lo:s.Hi] }

// Has reports whether an object of a type is in the node itself.
func (f *Form) Has(t hw.Type) bool {
	return slices.ContainsFunc(f.Like, func(o *hw.Object) bool { return o.Type == t })
}

// Others returns the forms of the kids that are not memory.
func (f *Form) Others() []*Form {
	i := 0
	for i < len(f.Below) && f.Below[i].Memory {
		i++
	}
	return f.Below[i:]
}

// Kids returns the nodes in a node: memory first, then what shares the PUs, then devices.
func (n *Node) Kids() []*Node {
	if len(n.Below) == 0 {
		return nil
	}
	if kids := n.kids.Load(); kids != nil {
		return *kids
	}
	nodes, list := make([]Node, len(n.Below)), make([]*Node, len(n.Below))
	index, core := n.index+1, n.Core
	var tops []*hw.Object // of the kids that are no devices
	if n.Device == "" {
		at := n.Objects[len(n.Objects)-1]
		tops = slices.Concat(at.Memory, at.Children)
	}
	size := 0
	for _, f := range n.Below {
		size += len(f.Like)
	}
	chains := make([]*hw.Object, 0, size)
	for i, f := range n.Below {
		if f.Device == "" {
			for k := range f.Like { // each is the only child in the one before
				if k > 0 {
					tops[i] = tops[i].Children[0]
				}
				chains = append(chains, tops[i])
			}
		}
		k := &nodes[i]
		k.Form, k.Objects, k.Core, k.o, k.index = f, chains[len(chains)-len(f.Like):], core, n.o, index
		k.Own, k.All = n.o.span(index, 1), n.o.span(index, f.nodes)
		list[i] = k
		index, core = index+f.nodes, core+f.Cores
	}
	n.kids.CompareAndSwap(nil, &list)
	return *n.kids.Load()
}

// OtherKids returns the kids of a node that are not memory.
func (n *Node) OtherKids() []*Node {
	kids := n.Kids()
	return kids[len(kids)-len(n.Others()):]
}

// First returns the outermost object of a node; nil for a device.
func (n *Node) First() *hw.Object {
	if len(n.Objects) == 0 {
		return nil
	}
	return n.Objects[0]
}

// Devices tells which devices an outline has.
type Devices uint8

// The choices.
const (
	NoDevices    Devices = iota
	BriefDevices         // no bridges, and the names of a PCI device on its line
	AllDevices           // as on lstopo's console
)

// Shapes returns how many shapes there are.
func (o *Outline) Shapes() int { return len(o.forms) }

// New makes the outline of hardware alone.
func New(t *hw.Topology, d Devices) *Outline {
	return Of(&engine.Snapshot{Topology: t, Bindings: []*hw.Binding{}}, d)
}

// Of makes the outline of the hardware of a world, with its ranks. A world has no hardware if it is unknown where its
// ranks run.
func Of(s *engine.Snapshot, d Devices) *Outline {
	t := s.Topology
	if s.Bindings == nil {
		t = nil
	}
	o := &Outline{Topology: t, Order: make([]int32, s.Size), At: make([]int32, s.Size), forms: map[string]*Form{}}
	for r := range o.Order {
		o.Order[r] = int32(r)
	}
	if t != nil {
		b := builder{Outline: o, devices: d, known: map[int32]*Form{}}
		if d != NoDevices {
			for object := range t.Root.All() {
				b.domains = b.domains || hasDomains(leaves(object.Devices(), d))
			}
		}
		form := b.form(t.Root)
		o.nodes = form.nodes
		o.seat(form, s.Bindings)
		o.Root = &Node{Form: form, Objects: form.Like, Own: o.span(0, 1), All: o.span(0, form.nodes), o: o}
	}
	for i, r := range o.Order {
		o.At[r] = int32(i)
	}
	return o
}

// builder finds the forms of nodes.
type builder struct {
	*Outline
	devices Devices
	domains bool            // devices are named with their PCI domain
	known   map[int32]*Form // by what objects are like; devices are not part of that
}

// form finds the form of the node of an object. It looks at one object of those that are alike.
func (b *builder) form(top *hw.Object) *Form {
	if f := b.known[top.Like]; f != nil {
		return f
	}
	f := &Form{}
	at := top
	var devices []leaf
	for {
		f.Like = append(f.Like, at)
		if b.devices != NoDevices {
			devices = leaves(at.Devices(), b.devices)
		}
		if !at.Shares() || len(devices) > 0 {
			break
		}
		at = at.Children[0]
	}
	for _, list := range [][]*hw.Object{at.Memory, at.Children} {
		for _, o := range list {
			f.Below = append(f.Below, b.form(o))
		}
	}
	for _, l := range devices {
		f.Below = append(f.Below, b.device(l))
	}
	f = b.formOf(f)
	if b.devices == NoDevices {
		b.known[top.Like] = f
	}
	return f
}

func (b *builder) device(l leaf) *Form {
	f := &Form{Device: l.label(b.domains)}
	for _, below := range l.below {
		kid := b.device(below)
		f.Below = append(f.Below, kid)
		f.Devices += kid.Devices
		if below.first.Type != "Bridge" {
			f.Devices += below.count
		}
	}
	return b.formOf(f)
}

// formOf returns the form with the objects, the device and the kids of f. It finishes f where there is none yet.
func (o *Outline) formOf(f *Form) *Form {
	key := append([]byte(f.Device), 0)
	f.Barred, f.Leaf = f.Device == "", len(f.Below) == 0
	for _, c := range f.Like {
		key = append(key, byte(c.Type))
		key = append(key, c.Subtype...)
		key = append(key, 0)
		key = binary.AppendUvarint(key, c.Bytes)
		switch c.Type {
		case hw.PU:
			f.pu = true
		case hw.Machine:
			f.host = true
		case hw.NUMANode, hw.MemCache:
			f.Memory = true
		case hw.Core:
			f.Leaf = true
			if k := c.KindOfCores(); k != nil {
				f.kind = k.Name()
				key = append(key, f.kind...)
			}
		}
		if o.Topology.Allows(c) {
			f.Barred = false
		} else {
			key = append(key, '-')
		}
	}
	key = append(key, 0xff)
	for _, k := range f.Below {
		key = binary.AppendUvarint(key, uint64(k.Shape))
	}
	if known, ok := o.forms[string(key)]; ok {
		return known
	}
	f.Shape, f.nodes = int32(len(o.forms)), 1
	o.forms[string(key)] = f
	for _, k := range f.Below {
		f.Height = max(f.Height, k.Height+1)
		f.nodes += k.nodes
		f.Cores += k.Cores
	}
	switch {
	case f.Memory, f.Device != "":
		f.Cores = 0
	case f.Leaf:
		f.Cores = 1
	}
	return f
}
