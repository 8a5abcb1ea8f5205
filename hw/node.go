package hw

import "strings"

// special are the subtypes of NUMA nodes that are not a core's ordinary memory.
var special = []string{"HBM", "MCDRAM", "SPM", "NVM", "GPUMemory"}

// IsSpecialMemory reports whether a NUMA node is of a kind that nobody gets by
// default: high-bandwidth, persistent, a GPU's, behind CXL, ...
func IsSpecialMemory(node *Object) bool {
	if strings.HasPrefix(node.Subtype, "CXL-") {
		return true
	}
	for _, s := range special {
		if strings.EqualFold(node.Subtype, s) {
			return true
		}
	}
	return false
}

// defaultNodes keeps the NUMA nodes that count as instances: those with CPUs,
// and of several with the same CPUs only the ordinary one with the lowest os
// index. Where all of several are special, the lowest os index decides alone.
func defaultNodes(nodes []*Object) []*Object {
	type place struct {
		host *Object
		cpus string
	}
	best := make(map[place]*Object, len(nodes))
	at := func(o *Object) place { return place{o.Host(), o.CPUSet.String()} }
	for _, o := range nodes {
		if o.CPUSet.Empty() {
			continue
		}
		if old := best[at(o)]; old == nil || preferred(o, old) {
			best[at(o)] = o
		}
	}
	var r []*Object
	for _, o := range nodes {
		if best[at(o)] == o {
			r = append(r, o)
		}
	}
	return r
}

func preferred(a, b *Object) bool {
	if sa, sb := IsSpecialMemory(a), IsSpecialMemory(b); sa != sb {
		return sb
	}
	return a.OSIndex < b.OSIndex
}
