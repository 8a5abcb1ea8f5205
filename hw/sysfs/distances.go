package sysfs

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// distances reads the distance matrix of the NUMA nodes: the relative time of
// an access from one node's PUs to another node's memory, where 10 is the time
// for the node's own memory. It returns nil when a row is missing or too short.
func (r *reader) distances(nodes hw.Set) (matrix [][]int) {
	numbers := nodes.Indexes()
	if len(numbers) < 2 {
		return nil
	}
	for _, n := range numbers {
		path := nodeFile(n, "distance")
		text, _ := r.text(path)
		row, err := parseDistances(text)
		if err != nil {
			r.fail("%s: %w", path, err)
		}
		if len(row) < len(numbers) {
			return nil
		}
		matrix = append(matrix, row[:len(numbers)])
	}
	return matrix
}

func parseDistances(text string) ([]int, error) {
	var distances []int
	for _, field := range strings.Fields(text) {
		d, err := strconv.Atoi(field)
		if err != nil || d < 0 || d > math.MaxInt32 {
			return nil, fmt.Errorf("%q is not a distance", hw.Clip(field))
		}
		distances = append(distances, d)
	}
	return distances, nil
}

// group puts NUMA nodes that are near to one another into Groups, and Groups
// into outer Groups, as long as the matrix shows any.
func (m memory) group(nest *hw.Nest) {
	sets, matrix := m.known()
	if len(sets) < 3 || !groupable(matrix) {
		return
	}
	for len(sets) > 2 {
		of, count := components(matrix)
		if count == 0 {
			return
		}
		united := make([]hw.Set, count)
		sizes := make([]int, count)
		for i, g := range of {
			if g >= 0 {
				united[g] = united[g].Union(sets[i])
				sizes[g]++
			}
		}
		overlaps := false
		for _, set := range united {
			group := &hw.Object{Type: hw.Group, OSIndex: hw.Unknown, CPUSet: set}
			overlaps = !set.Empty() && nest.Insert(group) == nil || overlaps
		}
		if overlaps {
			return // keep the Groups so far; Groups around overlapping Groups make no sense
		}
		sets, matrix = united, averages(matrix, of, sizes)
	}
}

// known returns the cpusets of the nodes that are not left out, and the matrix
// of their distances.
func (m memory) known() (sets []hw.Set, matrix [][]int) {
	if m.distances == nil {
		return nil, nil
	}
	for i, n := range m.nodes {
		if n == nil {
			continue
		}
		sets = append(sets, n.CPUSet)
		var row []int
		for j, other := range m.nodes {
			if other != nil {
				row = append(row, m.distances[i][j])
			}
		}
		matrix = append(matrix, row)
	}
	return sets, matrix
}

// groupable reports whether a matrix is symmetric and each node is nearer to
// itself than to all others.
func groupable(matrix [][]int) bool {
	for i, row := range matrix {
		for j := i + 1; j < len(row); j++ {
			if row[j] != matrix[j][i] || row[j] <= row[i] {
				return false
			}
		}
	}
	return true
}

// components numbers the groups of two nodes or more that the least distance
// links: of holds the group of each node, -1 for none. count is 0 when one
// group has all nodes.
func components(matrix [][]int) (of []int, count int) {
	least := math.MaxInt
	for i, row := range matrix {
		for j, d := range row {
			if i != j {
				least = min(least, d)
			}
		}
	}
	of = make([]int, len(matrix))
	for i := range of {
		of[i] = -1
	}
	alone := false
	for i := range matrix {
		if of[i] >= 0 {
			continue
		}
		of[i] = count
		reached := []int{i}
		for k := 0; k < len(reached); k++ {
			for j, d := range matrix[reached[k]] {
				if of[j] < 0 && d == least {
					of[j] = count
					reached = append(reached, j)
				}
			}
		}
		if len(reached) == 1 {
			of[i], alone = -1, true
			continue
		}
		count++
	}
	if count == 1 && !alone {
		return of, 0
	}
	return of, count
}

// averages returns the matrix of the groups: the mean distances of their
// members.
func averages(matrix [][]int, of, sizes []int) [][]int {
	sums := make([][]int, len(sizes))
	for g := range sums {
		sums[g] = make([]int, len(sizes))
	}
	for i, row := range matrix {
		for j, d := range row {
			if of[i] >= 0 && of[j] >= 0 {
				sums[of[i]][of[j]] += d
			}
		}
	}
	for g := range sums {
		for h := range sums {
			sums[g][h] /= sizes[g] * sizes[h]
		}
	}
	return sums
}

// matrices returns the distances of the NUMA nodes that are not left out, under hwloc's name.
func (m memory) matrices() []hw.Matrix {
	_, rows := m.known()
	if len(rows) < 2 {
		return nil
	}
	matrix := hw.Matrix{Name: "NUMALatency", Kind: hw.FromOS | hw.MeansLatency}
	for _, n := range m.nodes {
		if n != nil {
			matrix.Ends = append(matrix.Ends, hw.End{Object: n})
		}
	}
	for _, row := range rows {
		for _, d := range row {
			matrix.Values = append(matrix.Values, uint64(d))
		}
	}
	return []hw.Matrix{matrix}
}

// attributes returns the speeds of the memories, for the PUs next to them, under hwloc's names.
func (m memory) attributes(speeds map[*hw.Object]speedOf) (list []hw.MemAttr) {
	const bandwidth, latency = hw.HigherIsBetter | hw.NeedsInitiator, hw.LowerIsBetter | hw.NeedsInitiator
	for _, a := range []struct {
		name  string
		flags uint64
		value func(s speedOf) int
	}{
		{"Bandwidth", bandwidth, func(s speedOf) int { return s.bandwidth }},
		{"Latency", latency, func(s speedOf) int { return s.latency }},
		{"ReadBandwidth", bandwidth, func(s speedOf) int { return s.read.bandwidth }},
		{"WriteBandwidth", bandwidth, func(s speedOf) int { return s.write.bandwidth }},
		{"ReadLatency", latency, func(s speedOf) int { return s.read.latency }},
		{"WriteLatency", latency, func(s speedOf) int { return s.write.latency }},
	} {
		attr := hw.MemAttr{Name: a.name, Flags: a.flags}
		for _, n := range m.nodes {
			s, ok := speeds[n]
			if v := a.value(s); n != nil && ok && v > 0 && !s.cpus.Empty() {
				attr.Values = append(attr.Values, hw.MemValue{Target: hw.End{Object: n}, PUs: s.cpus, Value: uint64(v)})
			}
		}
		if attr.Values != nil {
			list = append(list, attr)
		}
	}
	return list
}
