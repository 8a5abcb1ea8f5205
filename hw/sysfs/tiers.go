package sysfs

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// Kinds of memory, in hwloc's order; unknown is memory of which the kernel
// tells no kind.
const (
	unknown = iota
	hbm
	dram
	spm // set aside for special purposes, often the memory of an accelerator
	nvm // not volatile
)

var memoryNames = []string{"", "HBM", "DRAM", "SPM", "NVM"}

// speedOf is how fast the PUs next to a NUMA node access its memory; 0 when not
// known.
type speedOf struct {
	cpus               hw.Set
	bandwidth, latency int // MiB/s, ns
	read, write        accessOf
}

// accessOf is how fast one way of access is; 0 when not known.
type accessOf struct{ bandwidth, latency int }

// tier is a set of nodes whose memory is of one kind and speed.
type tier struct {
	kind      int
	nodes     []*hw.Object
	low, high int // bandwidths
}

// nameMemory gives NUMA nodes a subtype where the kernel tells the kind of
// their memory. Of two kinds of ordinary memory, the kind that is more than
// twice as fast as the other is taken for HBM.
func (r *reader) nameMemory(nodes []*hw.Object, speeds map[*hw.Object]speedOf) {
	tiers := tiersOf(nodes, r.daxKinds(), speeds)
	var count [nvm + 1][]*tier
	for i := range tiers {
		count[tiers[i].kind] = append(count[tiers[i].kind], &tiers[i])
	}
	switch {
	case len(count[unknown]) == 2 && len(count[spm]) == 0:
		tell(count[unknown][0], count[unknown][1])
	case len(count[unknown]) == 1 && len(count[spm]) == 1:
		tell(count[unknown][0], count[spm][0])
	}
	for _, t := range tiers {
		for _, n := range t.nodes {
			n.Subtype = cmp.Or(n.Subtype, memoryNames[t.kind])
		}
	}
}

// tell determines which of two tiers is HBM, when their bandwidths differ
// enough.
func tell(a, b *tier) {
	if a.low == 0 || b.low == 0 {
		return
	}
	if a.high > b.high {
		a, b = b, a
	}
	// Machines boot from ordinary memory, and node 0 is that.
	isNode0 := func(n *hw.Object) bool { return n.OSIndex == 0 }
	if b.low > 2*a.high && !slices.ContainsFunc(b.nodes, isNode0) {
		a.kind, b.kind = dram, hbm
	}
}

// tiersOf sorts nodes into tiers: another kind, or a speed that differs by more
// than a tenth from that of the node before, begins another tier.
func tiersOf(nodes []*hw.Object, kinds map[int]int, speeds map[*hw.Object]speedOf) []tier {
	nodes = slices.Clone(nodes)
	slices.SortStableFunc(nodes, func(a, b *hw.Object) int {
		return cmp.Or(cmp.Compare(kinds[a.OSIndex], kinds[b.OSIndex]),
			cmp.Compare(speeds[b].bandwidth, speeds[a].bandwidth))
	})
	var tiers []tier
	for i, n := range nodes {
		kind, s := kinds[n.OSIndex], speeds[n]
		var before speedOf
		if i > 0 {
			before = speeds[nodes[i-1]]
		}
		if len(tiers) == 0 || kind != tiers[len(tiers)-1].kind ||
			apart(s.bandwidth, before.bandwidth) || apart(s.latency, before.latency) {
			tiers = append(tiers, tier{kind: kind})
		}
		t := &tiers[len(tiers)-1]
		t.nodes = append(t.nodes, n)
		t.low = cmp.Or(min(t.low, s.bandwidth), s.bandwidth)
		t.high = max(t.high, s.bandwidth)
	}
	return tiers
}

// apart reports whether two known numbers differ by more than a tenth.
func apart(a, b int) bool { return a > 0 && b > 0 && 10*max(a, b) > 11*min(a, b) }

// daxKinds reads which NUMA nodes are memory that the kernel took over from a
// device, and whether that device is on a bus of non-volatile modules.
func (r *reader) daxKinds() map[int]int {
	const bus = "sys/bus/dax"
	kinds := map[int]int{}
	for _, name := range r.entries(bus + "/devices") {
		if _, err := fs.Stat(r.root, path.Join(bus, "drivers/kmem", name)); err != nil {
			continue // still a device
		}
		target, err := fs.ReadLink(r.root, path.Join(bus, "devices", name))
		if err != nil {
			continue // the device is not known
		}
		node, ok := r.number(path.Join(bus, "devices", name, "target_node"))
		switch {
		case !ok || node < 0:
		case strings.Contains(target, "ndbus"):
			kinds[node] = nvm
		default:
			kinds[node] = spm
		}
	}
	return kinds
}

// memorySpeeds reads how fast each node's memory is for the PUs next to the
// node.
func (r *reader) memorySpeeds(nodes []*hw.Object) map[*hw.Object]speedOf {
	speeds := map[*hw.Object]speedOf{}
	for _, n := range nodes {
		folder := nodeFile(n.OSIndex, "access1/initiators")
		if !r.exists(folder) {
			folder = nodeFile(n.OSIndex, "access0/initiators")
		}
		var v [4]int
		for i, name := range []string{"read_bandwidth", "write_bandwidth",
			"read_latency", "write_latency"} {
			v[i], _ = r.number(folder + "/" + name)
		}
		s := speedOf{cpus: n.CPUSet, read: accessOf{v[0], v[2]}, write: accessOf{v[1], v[3]}}
		if v[0] > 0 && v[1] > 0 {
			s.bandwidth = (v[0] + v[1]) / 2
		}
		if v[2] > 0 && v[3] > 0 {
			s.latency = (v[2] + v[3]) / 2
		}
		speeds[n] = s
	}
	return speeds
}
