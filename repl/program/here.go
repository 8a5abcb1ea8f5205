package program

import (
	"go.starlark.net/starlark"
)

// hereClass is where a rank runs. An index is the L# of the one instance that the rank is restricted
// to, or UNDEFINED.
var hereClass = newClass("here", nil,
	hardwareIndex("host", "hwloc://Machine", "index of the host"),
	hardwareIndex("node", "hwloc://Machine", "index of the host, by another name"),
	hardwareIndex("package", "hwloc://Package", "index of the package"),
	hardwareIndex("numa", "hwloc://NUMANode", "index of the NUMA node"),
	hardwareIndex("core", "hwloc://Core", "index of the core"),
	hardwareIndex("pu", "hwloc://PU", "index of the PU"),
)

func hardwareIndex(name, resource, doc string) *attribute {
	return perRank(name, doc+", or UNDEFINED when the rank is not restricted to one", func(r *Rank) starlark.Value {
		return starlark.MakeInt(r.P.HardwareIndex(resource))
	})
}

// Here is where the rank runs, by one of the names of hereClass; nil for another name.
func (r *Rank) Here(name string) starlark.Value {
	v, err := hereClass.attr(r, nil, name)
	if v == nil || err != nil {
		return nil
	}
	return v
}

// HereNames lists what Here knows.
func HereNames() []string { return hereClass.names }
