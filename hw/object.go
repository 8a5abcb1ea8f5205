package hw

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
)

// Unknown is the value of an index that nobody knows.
const Unknown = -1

// Object is one piece of hardware. Normal objects form the tree through
// Children; NUMA nodes and memory-side caches are in Memory of the normal
// object that they are local to, as in hwloc.
type Object struct {
	Type         Type
	Attached     bool   // a Group that exists only to hold a NUMA node
	level        int32  // index of its level in Topology.levels
	host         int32  // index of its machine in Topology.Hosts
	Like         int32  // a number that is the same for objects of one topology whose hardware is equal: see likeness
	Subtype      string // "Rack", "Cluster", "MCDRAM", ...; "" mostly
	Name         string // model of a package, host name of a machine; "" when unknown
	LogicalIndex int    // L#: position in its level of the whole topology, in tree order
	OSIndex      int    // P#: the kernel's number, or Unknown
	CPUSet       Set    // os indexes of the PUs, of the object's own host
	NodeSet      Set    // os indexes of the NUMA nodes, of the object's own host
	Bytes        uint64 // size of a cache or memory of a NUMA node; 0 when unknown
	Line, Ways   int32  // of a cache: bytes of a line, and its associativity, -1 for full; 0 when unknown
	Parent       *Object
	Memory       []*Object
	Children     []*Object
	Details      *Details // nil mostly
}

// TypeName returns hwloc's type name, or the level's own name above a host.
func (o *Object) TypeName() string {
	if o.Type == Level {
		return o.Subtype
	}
	return o.Type.String()
}

// Title returns the type of o with the kernel's number, where o has one: "Package P#1", "L3Cache".
func (o *Object) Title() string {
	if o.OSIndex == Unknown {
		return o.TypeName()
	}
	return o.TypeName() + " P#" + strconv.Itoa(o.OSIndex)
}

// Host returns the machine that o belongs to: o itself or an ancestor, or nil
// for a level above the hosts.
func (o *Object) Host() *Object {
	for o != nil && o.Type != Machine {
		o = o.Parent
	}
	return o
}

// All walks o and everything below o, memory objects before children, in
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

// Arrange puts the children of a machine, and of all objects below, in the order of their
// first PUs; children without PUs come last, in the order of their first nodes. It derives the nodesets: the nodes
// of an object are its own, those of all above it, and those of all below it. above has the nodes above the machine.
func (o *Object) Arrange(above Set) {
	if len(o.Memory)+len(o.Children) == 0 {
		o.NodeSet = above
		return
	}
	slices.SortStableFunc(o.Children, func(x, y *Object) int {
		if c := CompareFirst(x.CPUSet, y.CPUSet); c != 0 {
			return c
		}
		return cmp.Compare(firstNode(x), firstNode(y))
	})
	slices.SortStableFunc(o.Memory, func(x, y *Object) int {
		return cmp.Compare(x.NodeSet.First(), y.NodeSet.First())
	})
	set := above.Clone()
	for _, m := range o.Memory {
		set.Merge(m.NodeSet)
	}
	local := set.Clone()
	for _, c := range o.Children {
		c.Arrange(local)
		set.Merge(c.NodeSet)
	}
	o.NodeSet = set
}

// firstNode returns the lowest number of the nodes in o.Memory, or -1.
func firstNode(o *Object) int {
	if len(o.Memory) == 0 {
		return -1
	}
	return o.Memory[0].NodeSet.First()
}

// Type is the kind of a hardware object: hwloc's types, in hwloc's order from
// the outermost to the innermost, which also breaks ties between levels that
// cover the same PUs.
type Type uint8

// The object types. Level stands for our own levels above a host (racks, the
// cluster); its name is the object's Subtype. Everything from Machine on is
// hwloc's.
const (
	Level Type = iota
	Machine
	Group
	MemCache
	NUMANode
	Package
	Die
	L5Cache
	L4Cache
	L3Cache
	L3iCache
	L2Cache
	L2iCache
	L1Cache
	L1iCache
	Core
	PU
	numTypes
)

var typeNames = [numTypes]string{
	"Level", "Machine", "Group", "MemCache", "NUMANode", "Package", "Die",
	"L5Cache", "L4Cache", "L3Cache", "L3iCache", "L2Cache", "L2iCache", "L1Cache", "L1iCache",
	"Core", "PU",
}

// String returns hwloc's name of the type.
func (t Type) String() string {
	if t < numTypes {
		return typeNames[t]
	}
	return "Type(" + strconv.Itoa(int(t)) + ")"
}

// IsCache reports whether t is a CPU cache, data, unified or instruction.
func (t Type) IsCache() bool { return t >= L5Cache && t <= L1iCache }

// IsInstructionCache reports whether t is L1iCache, L2iCache or L3iCache.
func (t Type) IsInstructionCache() bool { return t == L1iCache || t == L2iCache || t == L3iCache }

// CacheType returns the type of caches of a level, from 1 on; false for a level that has no type.
func CacheType(level int, instructions bool) (t Type, ok bool) {
	list := []Type{L1Cache, L2Cache, L3Cache, L4Cache, L5Cache}
	if instructions {
		list = []Type{L1iCache, L2iCache, L3iCache}
	}
	if level < 1 || level > len(list) {
		return 0, false
	}
	return list[level-1], true
}

// CacheLevel returns the level of a type of caches, from 1 on.
func (t Type) CacheLevel() int { return int(t.String()[1] - '0') }

// IsMemory reports whether objects of type t hang beside the tree, in Memory.
func (t Type) IsMemory() bool { return t == NUMANode || t == MemCache }

// Details are what few objects have: devices below the object, infos, PUs that
// a process cannot use, and of a Machine the kinds of its cores.
type Details struct {
	Devices    []*Device // for display: I/O devices that hang below the object, then Misc
	Infos      []Info    // "Backend" Linux, "CPUVendor" GenuineIntel, ...; names are in Object.Name
	Kinds      []Kind    // of a Machine: kinds of cores, the most energy-efficient first
	Matrices   []Matrix  // of a Machine: figures for pairs of its objects
	MemAttrs   []MemAttr // of a Machine: figures of its memories
	Offline    Set       // PUs of the object that exist and are switched off
	Disallowed Set       // PUs of the object that are online and that this process may not use

	// Kept is what only hwloc's files have, for files that are written: elements about pages and data of programs, as
	// XML, and hwloc's kind and subkind of a Group, " kind=... subkind=...".
	Kept      []string
	GroupKind string

	DisallowedNodes Set     // of a Machine: NUMA nodes, likewise
	Whole           *Object // of a Machine: the same with what this process may not use; nil where that is nothing
}

// figures reports whether there are matrices or figures of memories.
func (d *Details) figures() bool { return d != nil && len(d.Matrices)+len(d.MemAttrs) > 0 }

// Info is a name with a value, as hwloc notes them beside objects.
type Info struct{ Name, Value string }

// Find returns the value of the first info in list with that name.
func Find(list []Info, name string) (value string, ok bool) {
	if i := slices.IndexFunc(list, func(x Info) bool { return x.Name == name }); i >= 0 {
		return list[i].Value, true
	}
	return "", false
}

// Device is hwloc's Bridge, PCIDev, OSDev or Misc: it has no PUs, belongs to no
// level, and nobody can split by it.
type Device struct {
	Type    string // hwloc's type name
	Subtype string // "NVMe", "CUDA", ...; "" mostly
	Name    string // "eth0", "sda", ...; "" when unknown
	Attrs   []Info // hwloc's own attributes, as format 2 has them: "pci_busid", "osdev_type", ...
	Infos   []Info // "PCIVendor", "Address", ...
	Devices []*Device
}

// Misc is the type of notes that somebody added to the tree as devices.
const Misc = "Misc"

// SortDevices puts Misc behind I/O devices, as hwloc does.
func SortDevices(list []*Device) {
	slices.SortStableFunc(list, func(a, b *Device) int {
		switch {
		case a.isIO() == b.isIO():
			return 0
		case a.isIO():
			return -1
		}
		return 1
	})
}

func (d *Device) isIO() bool { return d.Type != Misc }

// Attr returns the value of one of hwloc's attributes, "" when there is none.
func (d *Device) Attr(name string) string {
	value, _ := Find(d.Attrs, name)
	return value
}

// Complete returns all PUs of the object: those in its CPUSet, and those that
// are offline or disallowed.
func (o *Object) Complete() Set {
	if o.Details == nil {
		return o.CPUSet
	}
	return o.CPUSet.Union(o.Details.Offline).Union(o.Details.Disallowed)
}

// Detailed returns o's details; it makes them if o has none.
func (o *Object) Detailed() *Details {
	if o.Details == nil {
		o.Details = &Details{}
	}
	return o.Details
}

// Devices lists the devices below o, not those below its memory and children.
func (o *Object) Devices() []*Device {
	if o.Details == nil {
		return nil
	}
	return o.Details.Devices
}

// ByteSize writes a number of bytes as hwloc does: rounded, below ten of a unit in the next smaller unit, and with the
// names KB, MB, GB, TB for the binary units.
func ByteSize(n uint64) string {
	units := []string{"KB", "MB", "GB", "TB"}
	unit, shift := 0, 10
	for unit < len(units)-1 && n >= 10<<(shift+10) {
		unit++
		shift += 10
	}
	return strconv.Itoa(int((n>>(shift-1)+1)>>1)) + units[unit]
}
