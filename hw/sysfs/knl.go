package sysfs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// On a Xeon Phi (Knights Landing) the kernel shows the fast memory, MCDRAM, as
// NUMA nodes without PUs, and does not tell which part of it serves as a cache.
// The distances tell which cluster of cores a node belongs to; a file that
// hwloc's hwloc-dump-hwdata wrote, or else the number of nodes, tells the rest.

// pair is the ordinary memory of a cluster and its MCDRAM, which may be nil.
type pair struct{ ddr, mcdram *hw.Object }

// attachKnightsLanding puts the NUMA nodes of a Xeon Phi into the tree. When
// the nodes fit no memory mode, it puts each node where its own PUs are, and
// adds a note.
func (r *reader) attachKnightsLanding(nest *hw.Nest, mem memory) {
	mode, pairs := r.knightsLanding(mem)
	if pairs == nil {
		r.note("Xeon Phi: the NUMA nodes fit no memory mode, so the place of MCDRAM is unknown")
		for _, n := range mem.nodes {
			if n != nil {
				nest.Attach(n)
			}
		}
		return
	}
	for _, p := range pairs {
		tree := p.ddr
		if mode.cache > 0 {
			tree = &hw.Object{Type: hw.MemCache, OSIndex: hw.Unknown, CPUSet: p.ddr.CPUSet,
				NodeSet: p.ddr.NodeSet, Bytes: mode.cache, Memory: []*hw.Object{p.ddr}}
		}
		if p.mcdram == nil {
			nest.Attach(tree)
			continue
		}
		p.mcdram.Subtype = "MCDRAM"
		p.mcdram.CPUSet = p.ddr.CPUSet
		cluster := nest.Insert(&hw.Object{Type: hw.Group, Subtype: "Cluster", OSIndex: hw.Unknown,
			CPUSet: p.ddr.CPUSet})
		if cluster == nil {
			nest.Attach(tree)
			nest.Attach(p.mcdram)
			continue
		}
		nest.AttachTo(tree, cluster)
		nest.AttachTo(p.mcdram, cluster)
	}
}

// knightsLanding returns the mode and the memory of each cluster; pairs is nil
// when the nodes fit no mode.
func (r *reader) knightsLanding(mem memory) (mode phiMode, pairs []pair) {
	if slices.Contains(mem.nodes, nil) {
		return mode, nil
	}
	distances, ok := summarize(len(mem.nodes), mem.distances)
	if !ok {
		return mode, nil
	}
	mode = r.phiMode()
	mode.guess(mem.nodes, distances)
	if mode.memory == "Flat" {
		mode.cache = 0
	}
	return mode, mode.pairs(mem, distances)
}

// pairs returns the memory of each cluster, found by the distances; nil when
// the number of nodes is not the mode's.
func (m phiMode) pairs(mem memory, distances []distance) []pair {
	clusters := map[string]int{"All2All": 1, "Hemisphere": 1, "Quadrant": 1,
		"SNC2": 2, "SNC4": 4}[m.cluster]
	switch {
	case clusters == 0:
		return nil
	case m.memory == "Cache" && len(mem.nodes) == clusters:
		var pairs []pair
		for _, n := range mem.nodes {
			pairs = append(pairs, pair{n, nil})
		}
		return pairs
	case m.memory == "Cache" || len(mem.nodes) != 2*clusters:
		return nil
	case clusters == 1:
		return []pair{{mem.nodes[0], mem.nodes[1]}}
	}
	return matched(mem, clusters, distances)
}

// phiOccurrences is how often each distance occurs in the upper half of the
// matrix with two and with four clusters, rare distances first. ordinary is the
// index of the distance between two ordinary memories, own that of the distance
// between MCDRAM and its cluster's ordinary memory.
var phiOccurrences = map[int]struct {
	count         [4]int
	ordinary, own int
}{
	2: {[4]int{1, 2, 3, 4}, 0, 1},
	4: {[4]int{4, 6, 8, 18}, 1, 0},
}

// matched pairs the nodes of several clusters. Node 0 is ordinary memory.
func matched(mem memory, clusters int, distances []distance) []pair {
	want := phiOccurrences[clusters]
	if len(distances) != 4 {
		return nil
	}
	for i, d := range distances {
		if d.count != want.count[i] {
			return nil
		}
	}
	ordinary := []int{0}
	for i, d := range mem.distances[0] {
		if d == distances[want.ordinary].value && i > 0 && len(ordinary) < clusters {
			ordinary = append(ordinary, i)
		}
	}
	if len(ordinary) != clusters {
		return nil
	}
	var pairs []pair
	for _, ddr := range ordinary {
		mcdram := slices.IndexFunc(mem.nodes, func(n *hw.Object) bool {
			i := slices.Index(mem.nodes, n)
			return i > 0 && mem.distances[ddr][i] == distances[want.own].value
		})
		if mcdram < 0 {
			return nil
		}
		pairs = append(pairs, pair{mem.nodes[ddr], mem.nodes[mcdram]})
	}
	return pairs
}

// phiMode is the boot mode of a Xeon Phi: the cluster mode, the memory mode,
// and how many bytes of a cluster's MCDRAM are a cache.
type phiMode struct {
	cluster, memory string
	cache           uint64
}

// phiMode reads the file that hwloc-dump-hwdata wrote from the firmware, if
// there is one.
func (r *reader) phiMode() (m phiMode) {
	text, _ := r.text("var/run/hwloc/knl_memoryside_cache")
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "cache_size":
			m.cache, _ = strconv.ParseUint(value, 10, 63) // guess replaces an unreadable size
		case "cluster_mode":
			m.cluster = value
		case "memory_mode":
			m.memory = value
		}
	}
	return m
}

const gigabyte = 1 << 30

// guess fills in what the file did not tell. There are 16 GB of MCDRAM, and as
// many nodes as clusters, or twice as many when MCDRAM is memory.
func (m *phiMode) guess(nodes []*hw.Object, distances []distance) {
	cluster, clusters, cacheOnly := "Quadrant", 1, len(nodes) == 1
	switch {
	case len(nodes) == 2 && (m.memory == "Cache" || m.cluster == "SNC2" || !nodes[1].CPUSet.Empty()):
		cluster, clusters, cacheOnly = "SNC2", 2, true
	case len(nodes) == 4 && (m.cluster == "SNC2" || len(distances) == 4):
		cluster, clusters = "SNC2", 2
	case len(nodes) == 4:
		cluster, clusters, cacheOnly = "SNC4", 4, true
	case len(nodes) == 8:
		cluster, clusters = "SNC4", 4
	}
	m.cluster = cmp.Or(m.cluster, cluster)
	whole := uint64(16*gigabyte) / uint64(clusters)
	if cacheOnly {
		m.memory = cmp.Or(m.memory, "Cache")
		m.cache = cmp.Or(m.cache, whole)
		return
	}
	switch {
	case m.memory == "" && m.cache == whole/4:
		m.memory = "Hybrid25"
	case m.memory == "" && m.cache == whole/2:
		m.memory = "Hybrid50"
	case m.memory == "":
		m.memory = "Flat"
	case m.memory == "Hybrid25":
		m.cache = cmp.Or(m.cache, whole/4)
	case m.memory == "Hybrid50":
		m.cache = cmp.Or(m.cache, whole/2)
	}
}

// distance is a value of a matrix, with the number of pairs of nodes that have it.
type distance struct{ value, count int }

// summarize lists the distances between the nodes of a Xeon Phi, rare distances
// first, with the distance 10 of each node to itself; ok is false when the
// matrix cannot be a Xeon Phi's.
func summarize(nodes int, matrix [][]int) (list []distance, ok bool) {
	list = []distance{{10, nodes}}
	if nodes == 1 {
		return list, true
	}
	if matrix == nil {
		return nil, false
	}
	for i, row := range matrix {
		if row[i] != 10 {
			return nil, false
		}
		for j := i + 1; j < nodes; j++ {
			d := row[j]
			if d <= 10 || d != matrix[j][i] {
				return nil, false
			}
			at := slices.IndexFunc(list, func(x distance) bool { return x.value == d })
			if at < 0 {
				at, list = len(list), append(list, distance{d, 0})
			}
			list[at].count++
		}
	}
	slices.SortStableFunc(list, func(a, b distance) int { return cmp.Compare(a.count, b.count) })
	want := map[int][]int{2: {2}, 4: {2, 4}, 8: {4}}[nodes]
	return list, slices.Contains(want, len(list))
}
