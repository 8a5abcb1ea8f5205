package sysfs

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

const nodeFolder = "sys/devices/system/node"

func nodeFile(n int, name string) string { return fmt.Sprintf("%s/node%d/%s", nodeFolder, n, name) }

// memory is what the kernel tells of NUMA nodes: of each online node, in the
// order of their numbers, the object, nil where it is left out, and its row of
// the distance matrix, which is nil when it is not known as a whole.
type memory struct {
	nodes     []*hw.Object
	distances [][]int
}

// readMemory reads the NUMA nodes. A node whose PUs an earlier one claims is
// left out, with a note, and so is the memory of GPUs.
func (r *reader) readMemory() (m memory, err error) {
	numbers, err := r.nodeNumbers()
	if err != nil {
		return m, err
	}
	var claimed, overlapping hw.Set
	for n := numbers.First(); n >= 0; n = numbers.Next(n + 1) {
		node, err := r.node(n)
		if err != nil {
			return m, err
		}
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
	gpus, err := r.gpuNodes()
	if err != nil {
		return m, err
	}
	for i, node := range m.nodes {
		if node != nil && gpus.Has(node.OSIndex) {
			m.nodes[i] = nil
		}
	}
	m.distances, err = r.distances(numbers)
	return m, err
}

// node reads a NUMA node; nil when there is none.
func (r *reader) node(n int) (*hw.Object, error) {
	set, ok, err := r.mask(nodeFile(n, "cpumap"))
	if err != nil || !ok {
		return nil, err
	}
	bytes, err := r.memTotal(nodeFile(n, "meminfo"))
	return &hw.Object{Type: hw.NUMANode, OSIndex: n, CPUSet: set, NodeSet: hw.SetOf(n),
		Bytes: bytes}, err
}

// nodeNumbers lists the online NUMA nodes.
func (r *reader) nodeNumbers() (hw.Set, error) {
	numbers, ok, err := r.list(nodeFolder+"/online", maxNodes)
	if err != nil || ok {
		return numbers, err
	}
	numbers, err = r.numbered(nodeFolder, "node")
	if last := numbers.Last(); last >= maxNodes {
		return hw.Set{}, fmt.Errorf("%s/node%d: numbers end at %d", nodeFolder, last, maxNodes-1)
	}
	return numbers, err
}

// gpuNodes lists the NUMA nodes that are the memory of NVIDIA GPUs. They are
// no place for processes, and hwloc hides them as well.
func (r *reader) gpuNodes() (hw.Set, error) {
	var s hw.Set
	const folder = "proc/driver/nvidia/gpus"
	names, err := r.entries(folder)
	if err != nil {
		return s, err
	}
	for _, name := range names {
		path := folder + "/" + name + "/numa_status"
		text, _, err := r.text(path)
		if err != nil {
			return s, err
		}
		for line := range strings.Lines(text) {
			value, ok := strings.CutPrefix(line, "Node:")
			if !ok || strings.HasPrefix(strings.TrimSpace(value), "-") {
				continue
			}
			node, err := hw.ParseListUpTo(value, maxNodes-1)
			if err != nil {
				return s, fmt.Errorf("%s: %w", path, err)
			}
			s = s.Union(node)
		}
	}
	return s, nil
}

// memTotal reads the MemTotal line of a meminfo file, in bytes; 0 when there
// is no such file or line.
func (r *reader) memTotal(path string) (uint64, error) {
	text, _, err := r.text(path)
	if err != nil {
		return 0, err
	}
	bytes, err := ParseMemTotal(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return bytes, nil
}

// ParseMemTotal finds "MemTotal: N kB", which "Node K" precedes in the file
// of a NUMA node.
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
				clip(strings.TrimSpace(value)))
		}
		return kB << 10, nil
	}
	return 0, nil
}
