package hw

import "strings"

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
// by its URI, its bare name ("numanode", "rack") or what MPI libraries and
// launchers call it ("socket", "hwthread", "host"). Only the URI as written in
// Resource.URI is canonical and portable. r is nil when this topology has
// nothing of that name.
func (t *Topology) Lookup(name string) (r *Resource, canonical bool) {
	for i := range t.resources {
		if t.resources[i].URI == name {
			return &t.resources[i], true
		}
	}
	for i := range t.resources {
		uri := t.resources[i].URI
		_, bare, _ := strings.Cut(uri, "://")
		if strings.EqualFold(uri, name) || strings.EqualFold(bare, name) {
			return &t.resources[i], false
		}
	}
	if typ, ok := aliases[strings.ToLower(name)]; ok {
		return t.ResourceOf(typ), false
	}
	return nil, false
}

// ResourceOf returns the resource of a type that is one resource, or nil: not
// of a Group or Level.
func (t *Topology) ResourceOf(typ Type) *Resource {
	for i := range t.resources {
		if t.resources[i].Type == typ && t.resources[i].Subtype == "" {
			return &t.resources[i]
		}
	}
	return nil
}

// KnownResource reports whether name is, in one of the spellings that Lookup
// takes, a resource type of hwloc's or a memory tier: some machines have it.
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
