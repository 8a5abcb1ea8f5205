package hw

// Resource is a hardware resource type of one topology: what MPI calls by a
// name such as hwloc://NUMANode, and all its instances.
type Resource struct {
	URI       string    // canonical name: "hwloc://NUMANode", "commsplit://Rack"
	Type      Type      // its object type
	Subtype   string    // of a Group, Level or memory tier that is a type of its own
	Instances []*Object // in logical order, over all hosts

	// ByNameOnly marks what a split finds only when somebody names it: Groups
	// that only hold a NUMA node, memory-side caches, instruction caches, and
	// memory tiers. They lie beside the hierarchy or repeat a level of it, so
	// a way down the hardware that nobody guides passes over them.
	ByNameOnly bool

	byHost []int32   // of a Machine or Level: the instance that holds each host
	byPU   [][]int32 // of the others: per host, the instance that holds each PU
}

// What the tables say of a PU or host that is not in exactly one instance.
const (
	none    = -1
	several = -2
)

// Resources lists the resource types of the topology from the coarsest to the
// finest: a type is coarser than another when its instances contain the
// other's; what coincides follows the order of the types. Every type of object
// that is there and can have PUs is one.
func (t *Topology) Resources() []Resource { return t.resources }

// Restricted says which instance of every resource type the binding is
// restricted to: entry i is an index into Resources()[i].Instances, or -1 when
// b's PUs meet none of them or several. The result is shared; do not modify it.
func (t *Topology) Restricted(b *Binding) []int32 {
	b.once.Do(func() { b.of, b.restricted = t, t.restrict(b) })
	if b.of != t {
		return t.restrict(b)
	}
	return b.restricted
}

func (t *Topology) restrict(b *Binding) []int32 {
	r := make([]int32, len(t.resources))
	for i := range t.resources {
		r[i] = t.resources[i].InstanceOf(b.Host, b.CPUSet)
	}
	return r
}

// InstanceOf is the index in Instances of the one instance that the PUs of a
// host, given by its index in Topology.Hosts, meet; -1 when they meet none or
// several.
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

// index fills the tables that find the instance of a PU or host.
func (r *Resource) index(t *Topology) {
	if r.Type == Machine || r.Type == Level {
		r.byHost = filled(len(t.Hosts))
		for i, o := range r.Instances {
			for h := range o.All() {
				if h.Type == Machine {
					claim(&r.byHost[t.hostIndex[h]], i)
				}
			}
		}
		return
	}
	r.byPU = make([][]int32, len(t.Hosts))
	for i, h := range t.Hosts {
		r.byPU[i] = filled(h.CPUSet.Last() + 1)
	}
	for i, o := range r.Instances {
		table := r.byPU[t.HostIndex(o)]
		for pu := o.CPUSet.First(); pu >= 0 && pu < len(table); pu = o.CPUSet.Next(pu + 1) {
			claim(&table[pu], i)
		}
	}
}

func filled(n int) []int32 {
	table := make([]int32, n)
	for i := range table {
		table[i] = none
	}
	return table
}

func claim(entry *int32, instance int) {
	if *entry == none {
		*entry = int32(instance)
	} else {
		*entry = several
	}
}
