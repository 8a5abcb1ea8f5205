package sysfs

import (
	"errors"

	"commsplit/hw"
)

// maxSpan bounds what the sets of all objects take: 64 MB, in bits.
const maxSpan = 64 << 23

// grow reads the objects of the online PUs and builds the tree.
func (r *reader) grow(m *Machine) error {
	usable, err := r.described(m.Online)
	if err != nil {
		return err
	}
	switch bare := m.Online.Minus(usable); {
	case usable.Empty():
		usable = m.Online
		r.note("cores and packages are not known: no PU has topology files")
	case !bare.Empty():
		r.note("left out, because they have no topology files: %s", pus(bare))
	}
	names, err := r.siblings(usable)
	if err != nil {
		return err
	}
	p := &places{reader: r, names: names, pus: usable, units: r.cpu.computeUnits()}
	m.Root = &hw.Object{Type: hw.Machine, OSIndex: 0, CPUSet: usable.Clone()}
	nest := hw.NewNest(m.Root)
	var found []*hw.Object
	span := 0
	for pu := usable.First(); pu >= 0; pu = usable.Next(pu + 1) {
		above, err := p.above(pu)
		if err != nil {
			return err
		}
		caches, err := p.caches(pu)
		if err != nil {
			return err
		}
		found = append(append(found, above...), caches...)
		for _, o := range append(above, caches...) {
			span += o.CPUSet.Last() - o.CPUSet.First()
		}
		if span > maxSpan {
			return errors.New("the PUs of cores, caches and packages are spread too widely " +
				"for a real machine")
		}
	}
	for _, o := range found {
		if nest.Insert(o) == nil {
			m.Dropped = append(m.Dropped, o)
			r.note("contradictory sysfs: %s with PUs %v overlaps others and is left out",
				title(o), o.CPUSet)
		}
	}
	r.noteWithoutPackage(found, usable)
	return r.growMemory(nest, m)
}

// growMemory reads the NUMA nodes and hangs them into the tree.
func (r *reader) growMemory(nest *hw.Nest, m *Machine) error {
	mem, err := r.readMemory()
	if err != nil {
		return err
	}
	if err := r.attach(nest, mem); err != nil {
		return err
	}
	nest.Finish()
	for _, n := range mem.nodes {
		if n != nil {
			return nil
		}
	}
	r.note("the kernel knows no NUMA nodes: one node stands for the machine")
	for o := range m.Root.All() {
		if o.Type == hw.NUMANode {
			o.Bytes = m.Memory
		}
	}
	return nil
}

func (r *reader) attach(nest *hw.Nest, mem memory) error {
	if r.cpu.knightsLanding() {
		return r.attachKnightsLanding(nest, mem)
	}
	nodes, err := r.locate(mem)
	if err != nil {
		return err
	}
	if r.speed, err = r.memorySpeeds(nodes); err != nil {
		return err
	}
	for _, n := range nodes {
		tree, err := r.memoryCaches(n)
		if err != nil {
			return err
		}
		nest.Attach(tree)
	}
	mem.group(nest)
	return nil
}

// noteWithoutPackage tells which PUs are in no package although there are some: the first PU of a
// package decides what it holds, and its mask leaves them out.
func (r *reader) noteWithoutPackage(found []*hw.Object, usable hw.Set) {
	var packed hw.Set
	for _, o := range found {
		if o.Type == hw.Package {
			packed.Merge(o.CPUSet)
		}
	}
	if left := usable.Minus(packed); !packed.Empty() && !left.Empty() {
		r.note("contradictory sysfs: no package holds %s", pus(left))
	}
}
