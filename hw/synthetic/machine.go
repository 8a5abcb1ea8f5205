package synthetic

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/hw"
)

// build makes one machine of a level.
func (d *description) build(m *level) (*hw.Object, error) {
	p, err := d.plan(m)
	if err != nil {
		return nil, err
	}
	machine := p.object(settled(m))
	if p.pusAt+p.nodesAt > 0 {
		if err := p.check(); err != nil {
			return nil, err
		}
	}
	machine.Arrange(hw.Set{})
	if m.machine.words != nil {
		if err := d.limit(m.machine, machine); err != nil {
			return nil, err
		}
	}
	if p.kinds != nil {
		err = p.setKinds(machine)
	}
	return machine, err
}

// settled joins l with the levels below that have one object in each object of l: they
// have the same PUs. It returns the outermost of those that stay. The memory goes to the
// highest level, the machine last, or to a Group made for it where there are only PUs.
func settled(l *level) *level {
	run, count := []*level{l}, l.count
	for ; len(l.below) == 1 && l.below[0].count == 1; l = l.below[0] {
		run = append(run, l.below[0])
	}
	var memory []node
	var cores kind
	for _, o := range slices.Backward(run) {
		memory = append(memory, o.nodes...)
		if o.typ == hw.NUMANode {
			memory = append(memory, node{cmp.Or(o.bytes, 1<<30), o.cache, o.subtype, o})
		}
		if o.kind.name != "" {
			cores = o.kind
		}
	}
	stay := staying(run)
	at := slices.IndexFunc(stay, func(o *level) bool { return o.typ != hw.Machine && o.typ != hw.PU })
	if at < 0 && len(memory) > 0 && (len(stay) == 0 || stay[0].typ == hw.PU) {
		stay = slices.Insert(stay, 0, &level{typ: hw.Group, holder: true})
	}
	inner := l.below
	for i := range inner {
		inner[i] = settled(inner[i])
	}
	for i, o := range slices.Backward(stay) {
		o.count, o.below, o.nodes, o.kind = 1, inner, nil, kind{}
		inner = stay[i : i+1 : i+1]
	}
	stay[max(at, 0)].nodes = memory
	stay[0].count, stay[0].kind = count, cores
	return stay[0]
}

// staying returns those levels of one set of PUs that become objects, in hwloc's order, the
// order of the types. Of like levels the first stays; Groups that only stand for their PUs
// go where there is another level, and NUMA nodes become memory.
func staying(run []*level) (stay []*level) {
	run = slices.DeleteFunc(run, func(o *level) bool { return o.typ == hw.NUMANode })
	slices.SortStableFunc(run, func(a, b *level) int { return cmp.Compare(a.typ, b.typ) })
	plain := func(o *level) bool { return o.typ == hw.Group && o.subtype == "" }
	others := slices.ContainsFunc(run, func(o *level) bool { return !plain(o) })
	for _, o := range run {
		like := func(p *level) bool { return p.typ == o.typ && p.subtype == o.subtype }
		if !(plain(o) && others) && !slices.ContainsFunc(stay, like) {
			stay = append(stay, o)
		}
	}
	return stay
}

// object makes one object of l and everything inside.
func (p *plan) object(l *level) *hw.Object {
	o := &p.slab[0]
	p.slab = p.slab[1:]
	*o = hw.Object{Type: l.typ, Attached: l.holder, Subtype: l.subtype, OSIndex: hw.Unknown}
	first := len(p.pus)
	switch {
	case l.typ == hw.Machine:
		o.OSIndex = 0
	case l.typ.IsCache():
		o.Bytes = cmp.Or(l.bytes, defaultSize(l.typ))
	case l.typ == hw.PU:
		o.OSIndex = p.index(l.typ, l)
		p.pus = append(p.pus, o.OSIndex)
	case l.typ != hw.Group:
		o.OSIndex = p.index(l.typ, l)
	}
	for _, b := range l.below {
		o.Children = slices.Grow(o.Children, b.count)
		for range b.count {
			o.Children = append(o.Children, p.object(b))
		}
	}
	if p.words <= maxWords { // else check returns an error
		o.CPUSet = hw.SetOf(p.pus[first:]...)
		p.words += o.CPUSet.Last()/64 - o.CPUSet.First()/64 + 1
	}
	if l.kind.name != "" {
		p.addKind(l, o.CPUSet)
	}
	for _, n := range l.nodes {
		o.Memory = append(o.Memory, p.node(n, o.CPUSet))
	}
	return o
}

// node makes the NUMA node n of an object with that cpuset.
func (p *plan) node(n node, set hw.Set) *hw.Object {
	index := p.index(hw.NUMANode, n.of)
	p.nodes = append(p.nodes, index)
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
	return o
}

// hosts are the machines of a description; each is built once and then copied
// for machines like it.
type hosts struct {
	*description
	built  map[*level]*hw.Object
	placed map[*level]int
}

// tree puts the machines below their outer levels.
func (d *description) tree() (*hw.Object, error) {
	if d.root.typ == hw.Machine {
		o, err := d.build(d.root)
		if err == nil && d.root.machine.names != nil {
			o.Name = d.root.machine.names[0]
		}
		return o, err
	}
	h := hosts{d, map[*level]*hw.Object{}, map[*level]int{}}
	for _, m := range d.machines {
		o, err := d.build(m)
		if err != nil {
			return nil, err
		}
		h.built[m] = o
	}
	root := h.root()
	return root, d.checkNames(root)
}

// root returns the only outermost level, or a new level around several.
func (h *hosts) root() *hw.Object {
	row := h.row(h.description.root)
	if len(row) == 1 {
		return row[0]
	}
	name := "Cluster"
	if slices.Contains(h.names, name) || slices.Contains(h.subtypes, name) {
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

// checkNames returns an error for a host name in the text that occurs twice, or that hw.New will give to a machine
// without a name.
func (d *description) checkNames(root *hw.Object) error {
	given := map[string]int{} // where in the text
	for _, m := range d.machines {
		for _, n := range m.machine.names {
			if _, twice := given[n]; twice {
				return d.errorAt(m.machine.namesAt, "host name "+n+" is given twice")
			}
			given[n] = m.machine.namesAt
		}
	}
	if len(given) == 0 {
		return nil
	}
	hosts := 0
	for o := range root.All() {
		if o.Type != hw.Machine {
			continue
		}
		name := "node" + strconv.Itoa(hosts)
		if at, taken := given[name]; taken && o.Name == "" {
			return d.errorAt(at, name+" is the default name of another machine")
		}
		hosts++
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
func (p *plan) setKinds(machine *hw.Object) error {
	ranked := slices.ContainsFunc(p.kinds, func(k *kindOf) bool { return k.rankAt > 0 })
	for _, k := range p.kinds {
		if k.rankAt == 0 && ranked {
			return p.errorAt(k.at, "this kind needs an efficiency=, because other kinds have one")
		}
	}
	slices.SortStableFunc(p.kinds, func(a, b *kindOf) int { return cmp.Compare(a.rank, b.rank) })
	for i, k := range p.kinds {
		if i > 0 && ranked && k.rank == p.kinds[i-1].rank {
			return p.errorAt(k.rankAt, "two kinds have efficiency "+strconv.Itoa(k.rank))
		}
	}
	trees := []*hw.Object{machine}
	if d := machine.Details; d != nil && d.Whole != nil {
		trees = append(trees, d.Whole)
	}
	for _, tree := range trees {
		for _, k := range p.kinds {
			cpus := k.cpus.Intersect(tree.CPUSet)
			if cpus.Empty() {
				continue
			}
			d := tree.Detailed()
			rank := hw.Unknown
			if ranked {
				rank = len(d.Kinds)
			}
			d.Kinds = append(d.Kinds, hw.Kind{
				CPUSet: cpus, Efficiency: rank, Infos: []hw.Info{{Name: "CoreType", Value: k.name}},
			})
		}
	}
	return nil
}

// limit removes from the machine the PUs that its last words exclude.
func (d *description) limit(m *machine, root *hw.Object) error {
	all := root.CPUSet
	have := all
	for i, w := range m.words {
		if w.at == 0 {
			continue
		}
		if missing := w.set.Minus(have); !missing.Empty() {
			return d.errorAt(w.at, fmt.Sprintf("PUs %s do not exist here: the machine has %s",
				hw.Clip(missing.String()), hw.Clip(have.String())))
		}
		if i == restricted {
			have = w.set
		} else {
			have = have.Minus(w.set)
		}
		if have.Empty() {
			return d.errorAt(w.at, "no PU is left: a machine needs at least one")
		}
		restrict(root, have, absences[i])
		if note := unusable[i] + ": PUs " + hw.Clip(w.set.String()); i != restricted && !slices.Contains(d.notes, note) {
			d.notes = append(d.notes, note)
		}
	}
	if !have.Equal(all) {
		hw.MergeGroups(root, false)
	}
	return nil
}

// absences are the reasons why the PUs of each word are gone, unusable the words of the notes.
var (
	absences = [...]hw.Absence{restricted: hw.Unheard, offline: hw.SwitchedOff, disallowed: hw.NotAllowed}
	unusable = [...]string{offline: "offline", disallowed: "disallowed"}
)

// restrict removes PUs as hwloc does: NUMA nodes that lose all CPUs stay,
// unless the CPUs never existed.
func restrict(root *hw.Object, cpus hw.Set, why hw.Absence) {
	nodes := root.NodeSet
	if why == hw.Unheard {
		nodes = hw.Set{}
		for o := range root.All() {
			if o.Type == hw.NUMANode && o.CPUSet.Intersects(cpus) {
				nodes.Add(o.OSIndex)
			}
		}
	}
	hw.Restrict(root, cpus, nodes, why)
}
