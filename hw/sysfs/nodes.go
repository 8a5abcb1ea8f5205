package sysfs

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

const nodeFolder = "sys/devices/system/node"

func nodeFile(n int, name string) string { return fmt.Sprintf("%s/node%d/%s", nodeFolder, n, name) }

// memory is the kernel's description of the online NUMA nodes, in the order of
// their numbers: the object of each node, nil for a node that is left out, and
// the distance matrix, nil when some row is not known.
type memory struct {
	nodes     []*hw.Object
	distances [][]int
}

// readMemory reads the NUMA nodes. It leaves out a node whose PUs an earlier
// node claims, with a note, and the memory of GPUs.
func (r *reader) readMemory() (m memory) {
	numbers := r.nodeNumbers()
	var claimed, overlapping hw.Set
	for n := numbers.First(); n >= 0; n = numbers.Next(n + 1) {
		node := r.node(n)
		if node != nil && node.CPUSet.Intersects(claimed) {
			overlapping.Add(n)
			node = nil
		}
		if node != nil {
			claimed.Merge(node.CPUSet)
		}
		m.nodes = append(m.nodes, node)
	}
	if !overlapping.Empty() {
		r.note("NUMA nodes %v claim PUs of other nodes: left out", overlapping)
	}
	gpus := r.gpuNodes()
	for i, node := range m.nodes {
		if node != nil && gpus.Has(node.OSIndex) {
			m.nodes[i] = nil
		}
	}
	m.distances = r.distances(numbers)
	return m
}

// node reads a NUMA node; nil when the node has no cpumap.
func (r *reader) node(n int) *hw.Object {
	set, ok := r.mask(nodeFile(n, "cpumap"))
	if !ok {
		return nil
	}
	return &hw.Object{Type: hw.NUMANode, OSIndex: n, CPUSet: set, NodeSet: hw.SetOf(n),
		Bytes: r.memTotal(nodeFile(n, "meminfo"))}
}

// nodeNumbers lists the online NUMA nodes.
func (r *reader) nodeNumbers() hw.Set {
	if numbers, ok := r.list(nodeFolder+"/online", maxNodes); ok {
		return numbers
	}
	numbers := r.numbered(nodeFolder, "node")
	if last := numbers.Last(); last >= maxNodes {
		r.fail("%s/node%d: numbers end at %d", nodeFolder, last, maxNodes-1)
		return hw.Set{}
	}
	return numbers
}

// gpuNodes lists the NUMA nodes that are the memory of NVIDIA GPUs. Processes
// cannot run there, and hwloc hides these nodes as well.
func (r *reader) gpuNodes() (s hw.Set) {
	const folder = "proc/driver/nvidia/gpus"
	for _, name := range r.entries(folder) {
		path := folder + "/" + name + "/numa_status"
		text, _ := r.text(path)
		for line := range strings.Lines(text) {
			value, ok := strings.CutPrefix(line, "Node:")
			if !ok || strings.HasPrefix(strings.TrimSpace(value), "-") {
				continue
			}
			node, err := hw.ParseListUpTo(value, maxNodes-1)
			if err != nil {
				r.fail("%s: %w", path, err)
			}
			s = s.Union(node)
		}
	}
	return s
}

// memTotal reads the MemTotal line of a meminfo file, in bytes; 0 when there
// is no such file or line.
func (r *reader) memTotal(path string) uint64 {
	text, _ := r.text(path)
	bytes, err := ParseMemTotal(text)
	if err != nil {
		r.fail("%s: %w", path, err)
	}
	return bytes
}

// ParseMemTotal finds "MemTotal: N kB" and returns bytes; in the file of a NUMA
// node "Node K" precedes it.
func ParseMemTotal(text string) (uint64, error) {
	for line := range strings.Lines(text) {
		_, value, ok := strings.Cut(line, "MemTotal:")
		if !ok {
			continue
		}
		var kB uint64
		var unit string
		if n, _ := fmt.Sscan(value, &kB, &unit); n != 2 || unit != "kB" || kB > 1<<53 {
			return 0, fmt.Errorf("%q is not an amount such as 1024 kB",
				hw.Clip(strings.TrimSpace(value)))
		}
		return kB << 10, nil
	}
	return 0, nil
}

// locate adds to the PUs of each NUMA node the PUs of its initiators: the nodes
// that access it best. A node that still has no PUs then gets those of the
// nearest nodes. locate returns the nodes in the order in which they are
// attached: nodes with PUs of their own come first, as the memory of choice.
func (r *reader) locate(m memory) []*hw.Object {
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
		r.addInitiators(n, m.nodes)
	}
	for _, n := range without {
		r.addInitiators(n, m.nodes)
		if n.CPUSet.Empty() {
			n.CPUSet = m.nearest(slices.Index(m.nodes, n))
		}
	}
	return append(with, without...)
}

// addInitiators adds the PUs of the nodes that access n best. Class 1 counts
// CPUs only, class 0 also other initiators, so class 1 is preferred.
func (r *reader) addInitiators(n *hw.Object, nodes []*hw.Object) {
	for _, class := range []string{"access1", "access0"} {
		folder := nodeFile(n.OSIndex, class+"/initiators")
		if _, err := fs.Stat(r.root, folder); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		numbers := r.numbered(folder, "node")
		for _, other := range nodes {
			if other != nil && other != n && numbers.Has(other.OSIndex) {
				n.CPUSet = n.CPUSet.Union(other.CPUSet)
			}
		}
		return
	}
}

// nearest returns the PUs of the nodes with the least distance to nodes[i]. The
// set is empty when the distances tell nothing: all nodes are equally far, or
// another node is as near as the node itself.
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
// cache, with the other caches and the node inside; without caches, just the
// node.
func (r *reader) memoryCaches(node *hw.Object) *hw.Object {
	parent := nodeFile(node.OSIndex, "memory_side_cache")
	tree := node
	for _, level := range r.numbered(parent, "index").Indexes() {
		folder := fmt.Sprintf("%s/index%d", parent, level)
		if bytes, ok := r.number(folder + "/size"); ok && r.exists(folder+"/line_size") && r.exists(folder+"/indexing") {
			tree = &hw.Object{Type: hw.MemCache, OSIndex: hw.Unknown, CPUSet: node.CPUSet,
				NodeSet: node.NodeSet, Bytes: uint64(max(bytes, 0)), Memory: []*hw.Object{tree}}
		}
	}
	return tree
}
