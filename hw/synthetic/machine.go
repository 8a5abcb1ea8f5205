package synthetic

import "commsplit/hw"

// plan is a machine being built. Its objects are made in the order of the
// tree, so that each holds PUs that follow each other in pus.
type plan struct {
	*numbers
	slab    []hw.Object // to hand out
	kinds   []*kindOf
	objects []*hw.Object
	nodes   []*hw.Object
}

// build makes one machine of a level.
func (d *description) build(m *level) (*hw.Object, error) {
	n, err := d.number(m)
	if err != nil {
		return nil, err
	}
	p := &plan{numbers: n, slab: make([]hw.Object, m.objects())}
	next := 0
	for _, l := range m.below {
		for range l.count {
			next = p.object(l, next)
		}
	}
	p.attach(m, hw.SetOf(n.pus...))
	if err := p.checkNodes(); err != nil {
		return nil, err
	}
	machine := &hw.Object{Type: hw.Machine, OSIndex: 0}
	hw.Build(machine, p.objects, p.nodes)
	if err := d.limit(m.machine, machine); err != nil {
		return nil, err
	}
	return machine, d.setKinds(p.kinds, machine)
}

// objects counts those below the machine.
func (l *level) objects() int {
	sum := 0
	for _, b := range l.below {
		sum += b.width + b.objects()
	}
	return sum
}

// object makes one object of l and all that it holds, from PU first of the
// order on, and returns the place of the PU after it.
func (p *plan) object(l *level, first int) (next int) {
	o := &p.slab[0]
	p.slab = p.slab[1:]
	*o = hw.Object{Type: l.typ, Subtype: l.subtype, OSIndex: hw.Unknown}
	if l.typ != hw.NUMANode {
		p.objects = append(p.objects, o)
	}
	switch {
	case l.typ.IsCache():
		o.Bytes = l.bytes
	case l.typ == hw.PU:
		o.OSIndex = p.pus[first]
	case l.typ != hw.NUMANode && l.typ != hw.Group:
		o.OSIndex = p.index(l)
	}
	next = first
	if len(l.below) == 0 {
		next++
	}
	for _, b := range l.below {
		for range b.count {
			next = p.object(b, next)
		}
	}
	o.CPUSet = hw.SetOf(p.pus[first:next]...)
	p.addKind(l, o.CPUSet)
	p.attach(l, o.CPUSet)
	if l.typ == hw.NUMANode {
		p.addNode(o.CPUSet, p.index(l), node{l.bytes, l.cache, l.subtype})
	}
	return next
}

// attach makes the nodes in brackets behind l for an object with that set.
func (p *plan) attach(l *level, set hw.Set) {
	for _, n := range l.nodes {
		p.addNode(set, p.nodeIndex(), n)
	}
}

func (p *plan) addNode(set hw.Set, index int, n node) {
	o := &hw.Object{
		Type: hw.NUMANode, Subtype: n.subtype, OSIndex: index,
		CPUSet: set, NodeSet: hw.SetOf(index), Bytes: n.bytes,
	}
	if n.cache > 0 {
		o = &hw.Object{
			Type: hw.MemCache, OSIndex: hw.Unknown, CPUSet: set, NodeSet: hw.SetOf(index),
			Bytes: n.cache, Memory: []*hw.Object{o},
		}
	}
	p.nodes = append(p.nodes, o)
}
