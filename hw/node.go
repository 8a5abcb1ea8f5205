package hw

import (
	"cmp"
	"slices"
	"strings"
)

// special are the subtypes of NUMA nodes that are not a core's ordinary memory.
var special = []string{"HBM", "MCDRAM", "SPM", "NVM", "GPUMemory"}

// MemoryTier is the tier that a NUMA node's memory belongs to when nobody gets
// it by default: high-bandwidth, persistent, a GPU's, behind CXL, ... It is ""
// for ordinary memory.
func MemoryTier(node *Object) string {
	if strings.HasPrefix(node.Subtype, "CXL-") {
		return node.Subtype
	}
	for _, s := range special {
		if strings.EqualFold(node.Subtype, s) {
			return s
		}
	}
	return ""
}

// defaultNodes keeps the NUMA nodes that count as instances of NUMANode: the
// ordinary ones, and a special one only where ordinary nodes leave some of its
// CPUs without memory. Of several with the same CPUs the lowest os index
// counts, and a node without CPUs never does.
func defaultNodes(nodes []*Object) []*Object {
	covered := map[*Object]Set{} // by host: CPUs that have ordinary memory
	for _, o := range nodes {
		if MemoryTier(o) == "" {
			covered[o.Host()] = covered[o.Host()].Union(o.CPUSet)
		}
	}
	return firstOfEach(slices.DeleteFunc(slices.Clone(nodes), func(o *Object) bool {
		return MemoryTier(o) != "" && o.CPUSet.SubsetOf(covered[o.Host()])
	}))
}

// tiers lists the memory tiers among NUMA nodes, in order of their first node.
func tiers(nodes []*Object) []string {
	var list []string
	for _, o := range nodes {
		if t := MemoryTier(o); t != "" && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// nodesOf are the instances of a memory tier.
func nodesOf(tier string, nodes []*Object) []*Object {
	return firstOfEach(slices.DeleteFunc(slices.Clone(nodes), func(o *Object) bool {
		return MemoryTier(o) != tier
	}))
}

// firstOfEach keeps, of memory objects with the same CPUs, the one with the
// lowest os index, or the first where they have none. Without CPUs none stays.
func firstOfEach(objects []*Object) []*Object {
	type place struct {
		host *Object
		cpus string
	}
	best := make(map[place]*Object, len(objects))
	at := func(o *Object) place { return place{o.Host(), o.CPUSet.String()} }
	for _, o := range objects {
		old := best[at(o)]
		if !o.CPUSet.Empty() && (old == nil || cmp.Less(o.OSIndex, old.OSIndex)) {
			best[at(o)] = o
		}
	}
	return slices.DeleteFunc(objects, func(o *Object) bool { return best[at(o)] != o })
}
