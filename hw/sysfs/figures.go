package sysfs

import "codeberg.org/commsplit/commsplit/hw"

// matrices are the distances of the NUMA nodes that are not left out, under hwloc's name.
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

// attributes are the speeds of the memories, for the PUs next to them, under hwloc's names.
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
