package hw

import (
	"slices"
	"strconv"
)

// Resource is a hardware resource type of one topology: what MPI calls by a
// name such as hwloc://NUMANode, and all its instances.
type Resource struct {
	URI       string    // canonical name: "hwloc://NUMANode", "commsplit://Rack"
	Type      Type      // its object type
	Subtype   string    // of a Group or Level that is a type of its own
	Instances []*Object // in logical order, over all hosts

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
// other's; what coincides follows the order of the types.
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
		r[i] = t.resources[i].instanceOf(b.Host, b.CPUSet)
	}
	return r
}

// instanceOf returns the one instance that the PUs of host meet, or none.
func (r *Resource) instanceOf(host int, set Set) int32 {
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

// deriveResources finds the resource types of t in their final order.
func deriveResources(t *Topology) []Resource {
	var found []Resource
	ofLevel := make([]int, len(t.levels))
	for typ := Level; typ < numTypes; typ++ {
		for i, l := range t.levels {
			if l.key.typ != typ {
				continue
			}
			ofLevel[i] = none
			if uri := t.resourceURI(l); uri != "" {
				found, ofLevel[i] = addInstances(found, uri, l)
			}
		}
	}
	order := coarsestFirst(t, found, ofLevel)
	sorted := make([]Resource, len(found))
	for i, j := range order {
		sorted[i] = found[j]
		sorted[i].index(t)
	}
	return sorted
}

// addInstances adds the objects of a level to the resource called uri, and
// returns the resource's index.
func addInstances(found []Resource, uri string, l level) ([]Resource, int) {
	objects := l.objects
	if l.key.typ == NUMANode {
		objects = defaultNodes(objects)
	}
	for i := range found {
		if r := &found[i]; r.URI == uri && r.Type == l.key.typ {
			r.Instances = append(r.Instances[:len(r.Instances):len(r.Instances)], objects...)
			return found, i
		}
	}
	r := Resource{URI: uri, Type: l.key.typ, Subtype: l.key.subtype, Instances: objects}
	return append(found, r), len(found)
}

// resourceURI is the name of the resource that the objects of l are instances
// of, or "" when they are none.
func (t *Topology) resourceURI(l level) string {
	switch typ := l.key.typ; {
	case l.key.attached, typ == MemCache, typ.IsInstructionCache():
		return ""
	case typ == Level, typ == Group && l.key.subtype != "":
		return "commsplit://" + l.key.subtype
	case typ == Group && t.plainGroupLevels() > 1:
		return "hwloc://Group" + strconv.Itoa(l.groupDepth)
	case typ == NUMANode && !slices.ContainsFunc(l.objects, (*Object).hasPUs):
		return ""
	default:
		return "hwloc://" + typ.String()
	}
}

func (t *Topology) plainGroupLevels() int {
	n := 0
	for _, l := range t.levels {
		if l.key == (levelKey{typ: Group}) {
			n++
		}
	}
	return n
}

// index fills the tables that find the instance of a PU or host.
func (r *Resource) index(t *Topology) {
	if r.Type == Machine || r.Type == Level {
		r.byHost = filled(len(t.Hosts))
		for i, o := range r.Instances {
			for h := range o.All() {
				if h.Type == Machine {
					claim(&r.byHost[h.host], i)
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

func (o *Object) hasPUs() bool { return !o.CPUSet.Empty() }
