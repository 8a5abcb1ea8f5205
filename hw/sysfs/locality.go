package sysfs

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"commsplit/hw"
)

// locate adds to the PUs of each NUMA node those of its initiators: the nodes
// that access it best. A node that has no PUs then gets those of the nearest
// nodes. The result is the nodes in the order in which they are attached: those
// with PUs of their own come first, the memory of choice.
func (r *reader) locate(m memory) ([]*hw.Object, error) {
	var with, without []*hw.Object
	for _, n := range m.nodes {
		switch {
		case n == nil:
		case n.CPUSet.Empty():
			without = append(without, n)
		default:
			with = append(with, n)
		}
	}
	for _, n := range with {
		if err := r.addInitiators(n, m.nodes); err != nil {
			return nil, err
		}
	}
	for _, n := range without {
		if err := r.addInitiators(n, m.nodes); err != nil {
			return nil, err
		}
		if n.CPUSet.Empty() {
			n.CPUSet = m.nearest(slices.Index(m.nodes, n))
		}
	}
	return append(with, without...), nil
}

// addInitiators adds the PUs of the nodes that access n best. Class 1 counts
// CPUs only, class 0 also other initiators, so class 1 goes first.
func (r *reader) addInitiators(n *hw.Object, nodes []*hw.Object) error {
	for _, class := range []string{"access1", "access0"} {
		folder := nodeFile(n.OSIndex, class+"/initiators")
		if _, err := fs.Stat(r.root, folder); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		numbers, err := r.numbered(folder, "node")
		if err != nil {
			return err
		}
		for _, other := range nodes {
			if other != nil && other != n && numbers.Has(other.OSIndex) {
				n.CPUSet = n.CPUSet.Union(other.CPUSet)
			}
		}
		return nil
	}
	return nil
}

// nearest unites the PUs of the nodes with the least distance to nodes[i].
// The result is empty when distances say nothing: all nodes are equally far,
// or another one is as near as the node itself.
func (m memory) nearest(i int) hw.Set {
	if m.distances == nil {
		return hw.Set{}
	}
	row := m.distances[i]
	var set hw.Set
	least, ties := math.MaxInt, 0
	for j, n := range m.nodes {
		switch {
		case j == i || n == nil:
		case row[j] < least:
			least, ties, set = row[j], 1, n.CPUSet
		case row[j] == least:
			ties, set = ties+1, set.Union(n.CPUSet)
		}
	}
	if ties == 0 || ties == len(m.nodes)-1 || least <= row[i] {
		return hw.Set{}
	}
	return set.Clone()
}

// memoryCaches reads the memory-side caches of a node and returns the outermost
// one, with the others and the node in it, or just the node.
func (r *reader) memoryCaches(node *hw.Object) (*hw.Object, error) {
	parent := nodeFile(node.OSIndex, "memory_side_cache")
	levels, err := r.numbered(parent, "index")
	if err != nil {
		return nil, err
	}
	tree := node
	for _, level := range levels.Indexes() {
		folder := fmt.Sprintf("%s/index%d", parent, level)
		bytes, ok, err := r.number(folder + "/size")
		if err != nil {
			return nil, err
		}
		for _, name := range []string{"line_size", "indexing"} {
			there, err := r.exists(folder + "/" + name)
			if err != nil {
				return nil, err
			}
			ok = ok && there
		}
		if ok {
			tree = &hw.Object{Type: hw.MemCache, OSIndex: hw.Unknown, CPUSet: node.CPUSet,
				NodeSet: node.NodeSet, Bytes: uint64(max(bytes, 0)), Memory: []*hw.Object{tree}}
		}
	}
	return tree, nil
}
