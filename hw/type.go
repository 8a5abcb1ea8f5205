package hw

import "strconv"

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

// String is hwloc's name of the type.
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

// IsMemory reports whether objects of type t hang beside the tree, in Memory.
func (t Type) IsMemory() bool { return t == NUMANode || t == MemCache }
