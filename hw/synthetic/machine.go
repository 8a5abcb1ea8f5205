package synthetic

import (
	"cmp"
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/hw"
)

// plan is a machine being built. Objects are made in the order of the tree, so
// the PUs of each object are consecutive in pus.
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
	if p.usedAt > 0 {
		if err := p.distinct(p.used, p.usedAt); err != nil {
			return nil, err
		}
	}
	machine := &hw.Object{Type: hw.Machine, OSIndex: 0}
	hw.Build(machine, p.objects, p.nodes)
	if err := d.limit(m.machine, machine); err != nil {
		return nil, err
	}
	err = d.setKinds(p.kinds, machine)
	if err == nil && machine.Details != nil && machine.Details.Whole != nil {
		err = d.setKinds(p.kinds, machine.Details.Whole)
	}
	return machine, err
}

// objects counts the objects below one machine of l.
func (l *level) objects() int {
	sum := 0
	for _, b := range l.below {
		sum += b.width + b.objects()
	}
	return sum
}

// object makes one object of l and everything inside; first is the place of the
// object's first PU. It returns the place of the PU after the object.
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
	if l.kind.name != "" {
		p.addKind(l, o.CPUSet)
	}
	p.attach(l, o.CPUSet)
	if l.typ == hw.NUMANode {
		p.addNode(o.CPUSet, p.index(l), node{l.bytes, l.cache, l.subtype})
	}
	return next
}

// attach makes the NUMA nodes in brackets behind l, for an object with that
// cpuset.
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

// hosts are the machines of a description; each is built once and then copied
// for machines like it.
type hosts struct {
	*description
	built  map[*level]*hw.Object
	placed map[*level]int
	given  map[string]bool // host names in the text
	levels map[string]bool // names of levels
}

// tree puts the machines below their outer levels.
func (d *description) tree(machines []*level) (*hw.Object, error) {
	if d.root.typ == hw.Machine {
		o, err := d.build(d.root)
		if err == nil && d.root.machine.names != nil {
			o.Name = d.root.machine.names[0]
		}
		return o, err
	}
	h := hosts{d, map[*level]*hw.Object{}, map[*level]int{}, map[string]bool{}, map[string]bool{}}
	for _, m := range machines {
		o, err := d.build(m)
		if err != nil {
			return nil, err
		}
		h.built[m] = o
	}
	if err := h.checkNames(machines); err != nil {
		return nil, err
	}
	root := h.root()
	return root, h.checkUnnamed(root, machines)
}

// root returns the only outermost level, or a new level around several.
func (h *hosts) root() *hw.Object {
	row := h.row(h.description.root)
	if len(row) == 1 {
		return row[0]
	}
	name := "Cluster"
	if h.levels[name] || slices.Contains(h.subtypes, name) {
		name = "System"
	}
	return outerLevel(name, row)
}

// row makes all children of an object of l.
func (h *hosts) row(l *level) []*hw.Object {
	var row []*hw.Object
	for _, b := range l.below {
		for range b.count {
			row = append(row, h.object(b))
		}
	}
	return row
}

func (h *hosts) object(l *level) *hw.Object {
	if l.typ == hw.Level {
		h.levels[l.name] = true
		return outerLevel(l.name, h.row(l))
	}
	o, i := h.built[l], h.placed[l]
	h.placed[l]++
	if i > 0 {
		o = o.Copy()
	}
	if o.Name = ""; l.machine.names != nil {
		o.Name = l.machine.names[i]
	}
	return o
}

func outerLevel(name string, below []*hw.Object) *hw.Object {
	return &hw.Object{Type: hw.Level, Subtype: name, OSIndex: hw.Unknown, Children: below}
}

// checkNames returns an error for host names that occur twice.
func (h *hosts) checkNames(machines []*level) error {
	for _, m := range machines {
		for _, n := range m.machine.names {
			if h.given[n] {
				return h.errorAt(m.machine.namesAt, "host name "+n+" is given twice")
			}
			h.given[n] = true
		}
	}
	return nil
}

// checkUnnamed returns an error for host names in the text that hw.New will
// give to machines without a name.
func (h *hosts) checkUnnamed(root *hw.Object, machines []*level) error {
	if len(h.given) == 0 {
		return nil
	}
	host := -1
	for o := range root.All() {
		if o.Type != hw.Machine {
			continue
		}
		host++
		name := "node" + strconv.Itoa(host)
		if o.Name != "" || !h.given[name] {
			continue
		}
		for _, m := range machines {
			if slices.Contains(m.machine.names, name) {
				return h.errorAt(m.machine.namesAt,
					name+" is the default name of another machine")
			}
		}
	}
	return nil
}

// kindOf gathers the cores of one kind.
type kindOf struct {
	kind
	cpus hw.Set
}

// addKind adds the PUs of an object of l to l's kind.
func (p *plan) addKind(l *level, cpus hw.Set) {
	for _, k := range p.kinds {
		if k.name == l.kind.name {
			k.cpus.Merge(cpus)
			return
		}
	}
	p.kinds = append(p.kinds, &kindOf{l.kind, cpus.Clone()})
}

// setKinds gives the machine its kinds of cores: by efficiency, the least power
// first, or in the order of the text when it gives no efficiencies.
func (d *description) setKinds(kinds []*kindOf, machine *hw.Object) error {
	ranked := 0
	for _, k := range kinds {
		if k.rankAt > 0 {
			ranked++
		}
	}
	for _, k := range kinds {
		if k.rankAt == 0 && ranked > 0 {
			return d.errorAt(k.at, "this kind needs an efficiency=, because other kinds have one")
		}
	}
	slices.SortStableFunc(kinds, func(a, b *kindOf) int { return cmp.Compare(a.rank, b.rank) })
	for i, k := range kinds {
		if i > 0 && ranked > 0 && k.rank == kinds[i-1].rank {
			return d.errorAt(k.rankAt, "two kinds have efficiency "+strconv.Itoa(k.rank))
		}
	}
	for _, k := range kinds {
		cpus := k.cpus.Intersect(machine.CPUSet)
		if cpus.Empty() {
			continue
		}
		d := machine.Detailed()
		rank := hw.Unknown
		if ranked > 0 {
			rank = len(d.Kinds)
		}
		d.Kinds = append(d.Kinds, hw.Kind{
			CPUSet: cpus, Efficiency: rank, Infos: []hw.Info{{Name: "CoreType", Value: k.name}},
		})
	}
	return nil
}
