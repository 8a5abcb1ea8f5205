package hw

import "iter"

// Unknown is the value of an index that nobody knows.
const Unknown = -1

// Object is one piece of hardware. Normal objects form the tree through
// Children; NUMA nodes and memory-side caches hang in Memory of the normal
// object that they are local to, as in hwloc.
type Object struct {
	Type         Type
	Subtype      string // "Rack", "Cluster", "MCDRAM", ...; "" mostly
	Name         string // model of a package, host name of a machine; "" when unknown
	LogicalIndex int    // L#: position in its level of the whole topology, in tree order
	OSIndex      int    // P#: the kernel's number, or Unknown
	CPUSet       Set    // os indexes of the PUs, of the object's own host
	NodeSet      Set    // os indexes of the NUMA nodes, of the object's own host
	Bytes        uint64 // size of a cache or memory of a NUMA node; 0 when unknown
	Attached     bool   // a Group that exists only to hold a NUMA node
	Parent       *Object
	Memory       []*Object
	Children     []*Object
	Details      *Details // nil mostly

	level int32 // index of its level in Topology.levels
}

// TypeName is hwloc's type name, or the level's own name above a host.
func (o *Object) TypeName() string {
	if o.Type == Level {
		return o.Subtype
	}
	return o.Type.String()
}

// Host returns the machine that o belongs to: o itself or an ancestor, or nil
// for a level above the hosts.
func (o *Object) Host() *Object {
	for o != nil && o.Type != Machine {
		o = o.Parent
	}
	return o
}

// All walks o and everything below it, memory objects before children, in
// hwloc's logical order.
func (o *Object) All() iter.Seq[*Object] {
	return func(yield func(*Object) bool) { o.walk(yield) }
}

func (o *Object) walk(yield func(*Object) bool) bool {
	if !yield(o) {
		return false
	}
	for _, m := range o.Memory {
		if !m.walk(yield) {
			return false
		}
	}
	for _, c := range o.Children {
		if !c.walk(yield) {
			return false
		}
	}
	return true
}
