package sysfs

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

const nodeFolder = "sys/devices/system/node"

// nodes reads the online NUMA nodes in the order of their numbers. A node
// without PUs gets those of the nodes it serves, when the machine says which
// these are, or else an empty cpuset. Nil means that the kernel knows no
// nodes. The notes tell of nodes that were left out.
func (r reader) nodes(online hw.Set) (nodes []*hw.Object, notes []string, err error) {
	numbers, err := r.nodeNumbers()
	if err != nil {
		return nil, nil, err
	}
	gpus, err := r.gpuNodes()
	if err != nil {
		return nil, nil, err
	}
	numbers = numbers.Minus(gpus)
	var claimed, overlapping hw.Set
	for n := numbers.First(); n >= 0; n = numbers.Next(n + 1) {
		folder := fmt.Sprintf("%s/node%d", nodeFolder, n)
		set, ok, err := r.set(folder, "cpumap", "cpulist")
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			continue
		}
		if set.Intersects(claimed) {
			overlapping.Add(n)
			continue
		}
		claimed = claimed.Union(set)
		bytes, err := r.memTotal(folder + "/meminfo")
		if err != nil {
			return nil, nil, err
		}
		nodes = append(nodes, &hw.Object{Type: hw.NUMANode, OSIndex: n,
			CPUSet: set.Intersect(online), NodeSet: hw.SetOf(n), Bytes: bytes})
	}
	if !overlapping.Empty() {
		notes = append(notes, fmt.Sprintf(
			"NUMA nodes %v claim PUs of other nodes: left out", overlapping))
	}
	return nodes, notes, r.locate(nodes)
}

// nodeNumbers lists the online NUMA nodes.
func (r reader) nodeNumbers() (hw.Set, error) {
	numbers, ok, err := r.list(nodeFolder + "/online")
	if err != nil || ok {
		return numbers, err
	}
	return r.numbered(nodeFolder, "node")
}

// gpuNodes lists the NUMA nodes that are the memory of NVIDIA GPUs. They are
// no place for processes, and hwloc hides them as well.
func (r reader) gpuNodes() (hw.Set, error) {
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
			node, err := parseList(value)
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
func (r reader) memTotal(path string) (uint64, error) {
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
