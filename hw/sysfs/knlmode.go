package sysfs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"commsplit/hw"
)

// phiMode is how a Xeon Phi was booted: the cluster mode, the memory mode, and
// how much MCDRAM of a cluster is a cache, in bytes.
type phiMode struct {
	cluster, memory string
	cache           uint64
}

// phiMode reads what hwloc-dump-hwdata found in the firmware, if it ran.
func (r *reader) phiMode() (phiMode, error) {
	var m phiMode
	text, _, err := r.text("var/run/hwloc/knl_memoryside_cache")
	if err != nil {
		return m, err
	}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "cache_size":
			m.cache, _ = strconv.ParseUint(value, 10, 63) // an unreadable size is guessed
		case "cluster_mode":
			m.cluster = value
		case "memory_mode":
			m.memory = value
		}
	}
	return m, nil
}

const gigabyte = 1 << 30

// guess fills in what the file did not say. There are 16 GB of MCDRAM, and as
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

// summarize lists the distances between the nodes of a Xeon Phi, rare ones
// first, with the 10 of each node to itself; ok is false when the matrix is not
// one of a Xeon Phi.
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
