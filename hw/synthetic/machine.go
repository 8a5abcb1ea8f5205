package synthetic

import (
	"fmt"
	"slices"

	"commsplit/hw"
)

// maxWords bounds what the cpusets of one machine may take, in words of 8
// bytes: os indexes can spread every object over the whole machine.
const maxWords = 1 << 26

// plan holds the os indexes that the objects of one machine get.
type plan struct {
	*description
	ofLevel  [][]int // per level
	attached []int
	next     int // attached nodes numbered so far
	objects  []*hw.Object
	nodes    []*hw.Object
}

// machine builds one machine.
func (d *description) machine() (*hw.Object, error) {
	p := &plan{description: d, ofLevel: make([][]int, len(d.levels))}
	var err error
	for i, l := range d.levels {
		if p.ofLevel[i], err = d.osIndexes(l.indexes, l.width); err != nil {
			return nil, err
		}
		if l.typ == hw.PU || l.typ == hw.NUMANode {
			if err := d.checkDistinct(p.ofLevel[i], l.indexes); err != nil {
				return nil, err
			}
		}
	}
	if p.attached, err = d.osIndexes(d.nodeIndexes, d.attached); err != nil {
		return nil, err
	}
	if err := d.checkDistinct(p.attached, d.nodeIndexes); err != nil {
		return nil, err
	}
	if err := p.checkWords(); err != nil {
		return nil, err
	}
	machine := &hw.Object{Type: hw.Machine, OSIndex: 0}
	for i := 1; i < len(d.levels); i++ {
		p.addLevel(i)
	}
	p.attach(0, 0)
	hw.Build(machine, p.objects, p.nodes)
	return machine, nil
}

func (d *description) checkDistinct(array []int, ix indexes) error {
	if ix.at == 0 {
		return nil
	}
	seen := make(map[int]bool, len(array))
	for _, n := range array {
		if seen[n] {
			return d.errorAt(ix.at, fmt.Sprintf("index %d is given twice", n))
		}
		seen[n] = true
	}
	return nil
}

// checkWords refuses os indexes that make the cpusets too large.
func (p *plan) checkWords() error {
	words := 0
	for i, l := range p.levels {
		for j := range l.width {
			pus := p.pus(i, j)
			words += slices.Max(pus)/64 - slices.Min(pus)/64 + 1
		}
	}
	if words > maxWords {
		return p.errorAt(p.levels[len(p.levels)-1].indexes.at,
			"these indexes spread the objects of a large machine too widely")
	}
	return nil
}

// addLevel makes the objects of a level.
func (p *plan) addLevel(i int) {
	l := p.levels[i]
	slab := make([]hw.Object, l.width)
	for j := range slab {
		o := &slab[j]
		*o = hw.Object{Type: l.typ, OSIndex: p.ofLevel[i][j], CPUSet: hw.SetOf(p.pus(i, j)...)}
		if l.typ == hw.NUMANode {
			p.addNode(o.CPUSet, o.OSIndex, node{l.bytes, l.cache})
			continue
		}
		if l.typ == hw.Group || l.typ.IsCache() {
			o.OSIndex, o.Bytes = hw.Unknown, l.bytes
		}
		p.objects = append(p.objects, o)
	}
}

// pus lists the PUs of object j of level i.
func (p *plan) pus(i, j int) []int {
	last := len(p.levels) - 1
	each := p.levels[last].width / p.levels[i].width
	return p.ofLevel[last][j*each : (j+1)*each]
}

// attach makes the attached nodes of object j of level i and of all objects
// below it: hwloc numbers those of the inner objects first.
func (p *plan) attach(i, j int) {
	if p.next == len(p.attached) {
		return
	}
	if i+1 < len(p.levels) {
		count := p.levels[i+1].count
		for k := range count {
			p.attach(i+1, j*count+k)
		}
	}
	for _, n := range p.levels[i].nodes {
		p.addNode(hw.SetOf(p.pus(i, j)...), p.attached[p.next], n)
		p.next++
	}
}

func (p *plan) addNode(set hw.Set, index int, n node) {
	o := &hw.Object{
		Type: hw.NUMANode, OSIndex: index, CPUSet: set, NodeSet: hw.SetOf(index), Bytes: n.bytes,
	}
	if n.cache > 0 {
		o = &hw.Object{
			Type: hw.MemCache, OSIndex: hw.Unknown, CPUSet: set, NodeSet: hw.SetOf(index),
			Bytes: n.cache, Memory: []*hw.Object{o},
		}
	}
	p.nodes = append(p.nodes, o)
}
