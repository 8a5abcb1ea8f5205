package hw

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Resource is a hardware resource type of one topology, which MPI calls by a
// name such as hwloc://NUMANode, with all its instances.
type Resource struct {
	URI       string    // canonical name: "hwloc://NUMANode", "commsplit://Rack"
	Type      Type      // its object type
	Subtype   string    // of a Group, Level or memory tier that is a type of its own
	Instances []*Object // in logical order, over all hosts

	// ByNameOnly marks types that a split finds only when somebody names them:
	// Groups that only hold a NUMA node, memory-side caches, instruction
	// caches, and memory tiers. They lie beside the hierarchy or repeat a level
	// of it, so an unguided split does not descend through them.
	ByNameOnly bool

	byHost []int32   // of a Machine or Level: the instance that holds each host
	byPU   [][]int32 // of the others: per host, the instance that holds each PU
	usable int       // instances that a process can use: those with PUs
}

// Values in the tables for a PU or host that is in no instance, or in several.
const (
	none    = -1
	several = -2
)

// Resources lists the resource types of the topology from the coarsest to the
// finest: a type is coarser than another when its instances contain the
// other's; types with the same instances come in the order of the types. Every
// type of object in the topology that can have PUs is a resource type.
func (t *Topology) Resources() []Resource { return t.resources() }

// Restricted returns for every resource type the instance that the binding is
// restricted to: entry i is an index into Resources()[i].Instances, or -1 when
// b's PUs meet no instance or several. The result is shared; do not modify it.
func (t *Topology) Restricted(b *Binding) []int32 {
	b.once.Do(func() { b.of, b.restricted = t, t.restrict(b) })
	if b.of != t {
		return t.restrict(b)
	}
	return b.restricted
}

func (t *Topology) restrict(b *Binding) []int32 {
	list := t.Resources()
	r := make([]int32, len(list))
	for i := range list {
		r[i] = list[i].InstanceOf(b.Host, b.CPUSet)
	}
	return r
}

// InstanceOf returns the index in Instances of the only instance that a set of
// PUs meets; -1 when the PUs meet none or several. host is the index in
// Topology.Hosts of the PUs' host.
func (r *Resource) InstanceOf(host int, set Set) int32 {
	pu := set.First()
	if pu < 0 {
		return none
	}
	if r.byHost != nil {
		return max(r.byHost[host], none)
	}
	found := int32(none)
	for table := r.byPU[host]; pu >= 0 && pu < len(table); pu = set.Next(pu + 1) {
		switch at := table[pu]; {
		case at == none || at == found:
		case at == several || found != none:
			return none
		default:
			found = at
		}
	}
	return found
}

// ByPU returns for each host, by the kernel's number of a PU, the index of the object in the list that holds the PU; a
// negative number for none or several. The objects are not above the hosts.
func (t *Topology) ByPU(objects []*Object) [][]int32 {
	byPU := make([][]int32, len(t.Hosts))
	for i, h := range t.Hosts {
		byPU[i] = slices.Repeat([]int32{none}, h.CPUSet.Last()+1)
	}
	for i, o := range objects {
		table := byPU[o.host]
		for pu := o.CPUSet.First(); pu >= 0 && pu < len(table); pu = o.CPUSet.Next(pu + 1) {
			claim(&table[pu], i)
		}
	}
	return byPU
}

// index fills the tables that find the instance of a PU or host, and counts the usable instances.
func (r *Resource) index(t *Topology) {
	for _, o := range r.Instances {
		if o.Type == Level || o.CPUSet.First() >= 0 {
			r.usable++
		}
	}
	if r.Type == Machine || r.Type == Level {
		r.byHost = slices.Repeat([]int32{none}, len(t.Hosts))
		for i, o := range r.Instances {
			for h := range o.All() {
				if h.Type == Machine {
					claim(&r.byHost[h.host], i)
				}
			}
		}
		return
	}
	r.byPU = t.ByPU(r.Instances)
}

func claim(entry *int32, instance int) {
	if *entry == none {
		*entry = int32(instance)
	} else {
		*entry = several
	}
}

// derivation finds the resource types of a topology.
type derivation struct {
	t        *Topology
	found    []Resource
	ofLevel  []int             // by level that is not memory: its resource, or none
	ofMemory map[*Object][]int // NUMA nodes and memory-side caches: their resources
}

// deriveResources finds the resource types of t in their final order.
func (t *Topology) deriveResources() []Resource {
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

// addLevel adds the resource type of the objects of the i-th level. NUMA nodes
// may also be instances of their memory tier.
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

// addMemory adds a type of memory objects that has instances.
func (d *derivation) addMemory(r Resource) {
	if len(r.Instances) == 0 {
		return
	}
	k := d.add(r)
	for _, o := range r.Instances {
		d.ofMemory[o] = append(d.ofMemory[o], k)
	}
}

// add adds a resource type, or adds its instances to the type of the same name;
// it returns the index of that type.
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

// resourceURI returns the name of the resource type of the objects of l, which
// are not memory objects. Groups without a subtype are hwloc://Group where there
// is one level of them, otherwise hwloc://Group0, hwloc://Group1, ... by their
// depth. Groups that only hold a NUMA node leave the name hwloc://Group to
// others.
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
// of them, otherwise only Groups that do more than hold a NUMA node.
func (t *Topology) likeGroups(attached bool) int {
	n := 0
	for _, l := range t.levels {
		if l.key.typ == Group && l.key.subtype == "" && (attached || !l.key.attached) {
			n++
		}
	}
	return n
}

// aliases are the spellings of resource types that MPI libraries and launchers
// use, in lower case, beside the types' own names.
var aliases = map[string]Type{
	"numa": NUMANode, "ddr": NUMANode, "socket": Package, "hwthread": PU, "host": Machine, "node": Machine,
	"l5": L5Cache, "l4": L4Cache, "l3": L3Cache, "l2": L2Cache, "l1": L1Cache,
	"l3d": L3Cache, "l2d": L2Cache, "l1d": L1Cache,
	"l3dcache": L3Cache, "l2dcache": L2Cache, "l1dcache": L1Cache,
	"l3i": L3iCache, "l2i": L2iCache, "l1i": L1iCache,
	"l3u": L3Cache, "l2u": L2Cache, "l1u": L1Cache,
	"l3ucache": L3Cache, "l2ucache": L2Cache, "l1ucache": L1Cache,
}

// Lookup finds a resource type by name: by its URI, or in any case of letters
// by its URI, its bare name ("numanode", "rack") or a name that MPI libraries
// and launchers use ("socket", "hwthread", "host"). Only the URI as written in
// Resource.URI is canonical and portable. r is nil when this topology has no
// type of that name.
func (t *Topology) Lookup(name string) (r *Resource, canonical bool) {
	list := t.Resources()
	for i := range list {
		if list[i].URI == name {
			return &list[i], true
		}
	}
	for i := range list {
		uri := list[i].URI
		_, bare, _ := strings.Cut(uri, "://")
		if strings.EqualFold(uri, name) || strings.EqualFold(bare, name) {
			return &list[i], false
		}
	}
	if typ, ok := aliases[strings.ToLower(name)]; ok {
		return t.ResourceOf(typ), false
	}
	return nil, false
}

// ResourceIndex returns the index in Resources of the type that Lookup finds, or -1.
func (t *Topology) ResourceIndex(name string) int {
	r, _ := t.Lookup(name)
	return slices.IndexFunc(t.Resources(), func(o Resource) bool { return r != nil && o.URI == r.URI && o.Type == r.Type })
}

// ResourceOf returns the resource type of an object type, or nil; it finds no
// types with a subtype, such as Groups with a name and Levels.
func (t *Topology) ResourceOf(typ Type) *Resource {
	list := t.Resources()
	if i := slices.IndexFunc(list, func(r Resource) bool { return r.Type == typ && r.Subtype == "" }); i >= 0 {
		return &list[i]
	}
	return nil
}

// KnownResource reports whether name, in a spelling that Lookup takes, is one
// of hwloc's resource types or a memory tier: some machines have it.
func KnownResource(name string) bool {
	if _, bare, ok := strings.Cut(name, "://"); ok {
		name = bare
	}
	for t := Machine; t < numTypes; t++ {
		if strings.EqualFold(t.String(), name) {
			return true
		}
	}
	_, alias := aliases[strings.ToLower(name)]
	return alias || MemoryTier(&Object{Subtype: name}) != ""
}

// special are the subtypes of NUMA nodes that are not a core's ordinary memory.
var special = []string{"HBM", "MCDRAM", "SPM", "NVM", "GPUMemory"}

// MemoryTier returns the tier of a NUMA node whose memory is not used by default: high-bandwidth, persistent, of a
// GPU, behind CXL, ... It returns "" for ordinary memory.
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

// defaultNodes returns the NUMA nodes that count as instances of NUMANode: all
// ordinary nodes, and a special node only where ordinary nodes leave some of
// its CPUs without memory. Of several nodes with the same CPUs the lowest os
// index counts, and a node without CPUs never counts.
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

// nodesOf returns the instances of a memory tier.
func nodesOf(tier string, nodes []*Object) []*Object {
	return firstOfEach(slices.DeleteFunc(slices.Clone(nodes), func(o *Object) bool {
		return MemoryTier(o) != tier
	}))
}

// firstOfEach keeps, of memory objects with the same CPUs, the object with the
// lowest os index, or the first object where they have no index. Objects
// without CPUs are dropped.
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
