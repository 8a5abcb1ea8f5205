package hw

import (
	"slices"
	"strconv"
)

// derivation finds the resource types of a topology.
type derivation struct {
	t        *Topology
	found    []Resource
	ofLevel  []int             // by level that is no memory: its resource, or none
	ofMemory map[*Object][]int // NUMA nodes and memory-side caches: their resources
}

// deriveResources finds the resource types of t in their final order.
func deriveResources(t *Topology) []Resource {
	d := derivation{t: t, ofLevel: make([]int, len(t.levels)), ofMemory: map[*Object][]int{}}
	for typ := Level; typ < numTypes; typ++ {
		for i, l := range t.levels {
			if l.key.typ == typ {
				d.addLevel(i, l)
			}
		}
	}
	for i := range d.found {
		d.found[i].index(t)
	}
	sorted := make([]Resource, len(d.found))
	for i, j := range coarsestFirst(&d) {
		sorted[i] = d.found[j]
	}
	return sorted
}

// addLevel adds what the objects of the i-th level are instances of. That of a
// NUMA node may be its memory tier besides.
func (d *derivation) addLevel(i int, l level) {
	d.ofLevel[i] = none
	switch typ := l.key.typ; typ {
	case NUMANode:
		d.addMemory(Resource{URI: "hwloc://NUMANode", Type: typ, Instances: defaultNodes(l.objects)})
		for _, tier := range tiers(l.objects) {
			d.addMemory(Resource{URI: "commsplit://" + tier, Type: typ, Subtype: tier,
				Instances: nodesOf(tier, l.objects), ByNameOnly: true})
		}
	case MemCache:
		d.addMemory(Resource{URI: "hwloc://MemCache", Type: typ, ByNameOnly: true,
			Instances: firstOfEach(slices.Clone(l.objects))})
	default:
		d.ofLevel[i] = d.add(Resource{URI: d.t.resourceURI(l), Type: typ, Subtype: l.key.subtype,
			Instances: l.objects, ByNameOnly: l.key.attached || typ.IsInstructionCache()})
	}
}

// addMemory adds a type of memory objects, unless none of them has CPUs.
func (d *derivation) addMemory(r Resource) {
	if len(r.Instances) == 0 {
		return
	}
	k := d.add(r)
	for _, o := range r.Instances {
		d.ofMemory[o] = append(d.ofMemory[o], k)
	}
}

// add adds a resource type, or its instances to the one of that name, and
// returns its index.
func (d *derivation) add(r Resource) int {
	for i := range d.found {
		if old := &d.found[i]; old.URI == r.URI && old.Type == r.Type {
			old.Instances = append(old.Instances[:len(old.Instances):len(old.Instances)], r.Instances...)
			return i
		}
	}
	d.found = append(d.found, r)
	return len(d.found) - 1
}

// resourceURI is the name of the resource that the objects of l, which is no
// memory, are instances of. Groups without a subtype are hwloc://Group where
// there is one level of them, otherwise hwloc://Group0, hwloc://Group1, ... by
// their depth. Those that only hold a NUMA node leave the plain name to others.
func (t *Topology) resourceURI(l level) string {
	switch typ := l.key.typ; {
	case typ == Level, typ == Group && l.key.subtype != "":
		return "commsplit://" + l.key.subtype
	case typ == Group && t.likeGroups(l.key.attached) > 1:
		return "hwloc://Group" + strconv.Itoa(l.groupDepth)
	default:
		return "hwloc://" + typ.String()
	}
}

// likeGroups counts the levels of Groups without a subtype: with attached all
// of them, otherwise those that do more than to hold a NUMA node.
func (t *Topology) likeGroups(attached bool) int {
	n := 0
	for _, l := range t.levels {
		if l.key.typ == Group && l.key.subtype == "" && (attached || !l.key.attached) {
			n++
		}
	}
	return n
}
