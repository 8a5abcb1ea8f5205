package synthetic

import (
	"fmt"
	"slices"

	"commsplit/hw"
)

// numbers are the os indexes of one machine, in the order of the tree: those
// that the text gives, else counted from 0 for each type. Nodes in brackets are
// counted after what is inside of their object, as hwloc does.
type numbers struct {
	*description
	pus     []int
	pusAt   int // where the text gives indexes of PUs, or 0
	given   map[*level][]int
	nodes   []int // given to nodes in brackets, else nil
	counted [hw.PU + 1]int
	used    []int // of NUMA nodes
	usedAt  int   // where the text gives indexes of nodes, or 0
	words   int   // of all cpusets
}

// number reads all indexes of the machine of m.
func (d *description) number(m *level) (*numbers, error) {
	n := &numbers{description: d, given: map[*level][]int{}}
	err := m.each(func(l *level) error {
		if l.indexes.at == 0 {
			return nil
		}
		array, err := d.osIndexes(l.indexes, l.width, l.line())
		switch n.given[l] = array; l.typ {
		case hw.PU:
			n.pusAt = l.indexes.at
		case hw.NUMANode:
			n.usedAt = l.indexes.at
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if ix := m.machine.nodeIndexes; ix.at > 0 {
		n.usedAt = ix.at
		if n.nodes, err = d.osIndexes(ix, m.machine.attached, m.line()); err != nil {
			return nil, err
		}
	}
	if err := n.numberPUs(m); err != nil || n.pusAt == 0 {
		return n, err
	}
	if n.spread(m, 0); n.words > maxWords {
		return nil, d.errorAt(n.pusAt, "these indexes spread the objects of a large machine too widely")
	}
	return n, nil
}

// maxWords bounds what the cpusets of one machine may take, in words of 8
// bytes: os indexes can spread every object over the whole machine.
const maxWords = 1 << 26

// spread adds up the words for an object of l, whose PUs begin at place first,
// and for what it holds. It returns its PUs' bounds and the place after them.
func (n *numbers) spread(l *level, first int) (lo, hi, next int) {
	lo, hi, next = hw.MaxIndex, 0, first
	if l.typ == hw.PU {
		lo, hi, next = n.pus[first], n.pus[first], first+1
	}
	for _, b := range l.below {
		for range b.count {
			var from, to int
			from, to, next = n.spread(b, next)
			lo, hi = min(lo, from), max(hi, to)
		}
	}
	n.words += hi/64 - lo/64 + 1
	return lo, hi, next
}

// numberPUs numbers the PUs.
func (n *numbers) numberPUs(m *level) error {
	total := 0
	_ = m.each(func(l *level) error {
		if l.typ == hw.PU {
			total += l.width
		}
		return nil
	})
	ix := m.machine.puIndexes
	if ix.at == 0 {
		n.pus = n.order(m, make([]int, 0, total))
		return n.distinct(n.pus, n.pusAt)
	}
	if n.pusAt > 0 {
		return n.errorAt(ix.at, "the PUs have indexes inside of the braces")
	}
	var err error
	if n.pus, err = n.osIndexes(ix, total, m.line()); err != nil {
		return err
	}
	n.pusAt = ix.at
	return n.distinct(n.pus, n.pusAt)
}

// order appends the numbers of the PUs of one object of l.
func (n *numbers) order(l *level, pus []int) []int {
	if l.typ == hw.PU {
		return append(pus, n.index(l))
	}
	for _, b := range l.below {
		for range b.count {
			pus = n.order(b, pus)
		}
	}
	return pus
}

// index is the number of the next object of l.
func (n *numbers) index(l *level) int {
	i := n.counted[l.typ]
	n.counted[l.typ]++
	if array, ok := n.given[l]; ok {
		i, n.given[l] = array[0], array[1:]
	}
	if l.typ == hw.NUMANode {
		n.used = append(n.used, i)
	}
	return i
}

// nodeIndex is the number of the next node in brackets.
func (n *numbers) nodeIndex() int {
	i := n.counted[hw.NUMANode]
	n.counted[hw.NUMANode]++
	if n.nodes != nil {
		i, n.nodes = n.nodes[0], n.nodes[1:]
	}
	n.used = append(n.used, i)
	return i
}

// checkNodes refuses NUMA nodes with one number.
func (n *numbers) checkNodes() error { return n.distinct(n.used, n.usedAt) }

// distinct refuses numbers that are there twice, where the text at gives some.
func (n *numbers) distinct(array []int, at int) error {
	if at == 0 {
		return nil
	}
	seen := make(map[int]bool, len(array))
	for _, i := range array {
		if seen[i] {
			return n.errorAt(at, fmt.Sprintf("index %d is given twice", i))
		}
		seen[i] = true
	}
	return nil
}

// line lists the levels from the machine to l, and on while there is only one
// below, without the PUs.
func (l *level) line() []*level {
	var line []*level
	for o := l; o.typ != hw.Machine; o = o.parent {
		line = append(line, o)
	}
	line = append(line, l.machine.top)
	slices.Reverse(line)
	for len(l.below) == 1 {
		l = l.below[0]
		line = append(line, l)
	}
	return slices.DeleteFunc(line, func(o *level) bool { return o.typ == hw.PU })
}
