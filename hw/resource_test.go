package hw_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/hw"
)

func uris(top *hw.Topology) string {
	var names []string
	for _, r := range top.Resources() {
		name := strings.Replace(r.URI, "hwloc://", "", 1)
		if r.ByNameOnly {
			name = "[" + name + "]"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// The types that are resources, with the containing type first; where sets coincide the order of the
// types decides. Types in brackets are found by name only: Groups that only hold a node, instruction
// caches, memory-side caches. They do not change the names and the order of the others.
func TestResources(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"figure-7.3", "Machine commsplit://Rack [Group] NUMANode Package Core PU"},
		{"pack:2 numa:2 l3:2 l2:2 l1i:1 core:1 pu:2",
			"Machine Package [Group] NUMANode L3Cache L2Cache [L1iCache] Core PU"},
		{"pack:2 l3:1 numa:2 core:2 pu:1", "Machine Package L3Cache [Group] NUMANode Core PU"},
		{"pack:2 core:2 pu:2", "Machine NUMANode Package Core PU"},
		{"core:2 l2:2 pu:1", "Machine NUMANode Core L2Cache PU"},
		{"group:2 core:2 pu:1", "Machine NUMANode Group Core PU"},
		{"group:2 group:2 core:2 pu:1", "Machine NUMANode Group0 Group1 Core PU"},
		{"rack:2 machine:2 pu:2",
			"commsplit://Cluster commsplit://Rack Machine NUMANode PU"},
		{"pack:2 [numa(memorysidecachesize=1MB)] pu:2", "Machine [MemCache] NUMANode Package PU"},
		{"group:2 pack:2 numa:2 core:2 pu:1",
			"Machine Group Package [Group1] NUMANode Core PU"},
	} {
		if diff := cmp.Diff(c.want, uris(topology(t, c.text))); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
	}
}

// Only the URI as written is canonical; the vendors' names mean the same.
func TestLookup(t *testing.T) {
	t.Parallel()
	top := topology(t, "rack:2 machine:2 pack:2 numa:2 l3:2 core:2 pu:2")
	for _, c := range []struct {
		name, uri string
		canonical bool
	}{
		{"hwloc://NUMANode", "hwloc://NUMANode", true}, {"HWLOC://numanode", "hwloc://NUMANode", false},
		{"numa", "hwloc://NUMANode", false}, {"ddr", "hwloc://NUMANode", false}, {"numanode", "hwloc://NUMANode", false},
		{"socket", "hwloc://Package", false}, {"Package", "hwloc://Package", false},
		{"l3cache", "hwloc://L3Cache", false}, {"l3", "hwloc://L3Cache", false},
		{"hwthread", "hwloc://PU", false}, {"pu", "hwloc://PU", false},
		{"core", "hwloc://Core", false}, {"machine", "hwloc://Machine", false},
		{"host", "hwloc://Machine", false}, {"node", "hwloc://Machine", false},
		{"rack", "commsplit://Rack", false}, {"commsplit://Rack", "commsplit://Rack", true},
		{"cluster", "commsplit://Cluster", false},
		{"l2cache", "", false}, {"hwloc://Die", "", false}, {"hwloc://socket", "", false},
		{"", "", false},
	} {
		r, canonical := top.Lookup(c.name)
		uri := ""
		if r != nil {
			uri = r.URI
		}
		if uri != c.uri || canonical != c.canonical {
			t.Errorf("Lookup(%q) = %q, %v; want %q, %v", c.name, uri, canonical, c.uri, c.canonical)
		}
	}
}

// The caption of Figure 7.3: ranks 6 and 7 run on two cores of one package each, so they are restricted
// to the package and the objects around it, not to a core.
func TestRestrictedFigure73(t *testing.T) {
	t.Parallel()
	top := topology(t, "figure-7.3")
	for _, c := range []struct {
		cpus string
		want []int32 // Machine Rack Group NUMANode Package Core PU
	}{
		{"5", []int32{0, 0, 1, 1, 2, 5, 5}}, {"6-7", []int32{0, 0, 1, 1, 3, -1, -1}},
		{"2,4", []int32{0, 0, -1, -1, -1, -1, -1}}, {"8-11", []int32{0, 1, 2, 2, -1, -1, -1}},
		{"7-8", []int32{0, -1, -1, -1, -1, -1, -1}}, {"", []int32{-1, -1, -1, -1, -1, -1, -1}},
	} {
		set, err := hw.ParseList(c.cpus)
		if err != nil {
			t.Fatal(err)
		}
		got := top.Restricted(&hw.Binding{CPUSet: set})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.cpus, diff)
		}
	}
}

// Restricted follows its definition, tried on every instance: exactly one instance on the binding's
// host shares a PU with the binding. A type is listed before the types that it contains.
func TestRestrictedByDefinition(t *testing.T) {
	t.Parallel()
	texts := []string{"figure-7.3", "machine:3 pack:2 numa:2 core:2 pu:2(indexes=2*8:1*2)",
		"rack:2 machine:2 pack:2 [numa] [numa] l3:2 core:2 pu:2", "[numa] pack:2 [numa] core:3 pu:1"}
	tops := make([]*hw.Topology, len(texts))
	for i, text := range texts {
		tops[i] = topology(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.SampledFrom(tops).Draw(t, "topology")
		host := rapid.IntRange(0, len(top.Hosts)-1).Draw(t, "host")
		b := &hw.Binding{Host: host}
		for _, pu := range rapid.SliceOfN(rapid.IntRange(0, 15), 0, 4).Draw(t, "pus") {
			if top.Hosts[host].CPUSet.Has(pu) {
				b.CPUSet.Add(pu)
			}
		}
		for i, r := range top.Resources() {
			want, hits := int32(-1), 0
			for k, o := range r.Instances {
				if meets(top, o, b) {
					want, hits = int32(k), hits+1
				}
			}
			if hits != 1 {
				want = -1
			}
			if got := top.Restricted(b)[i]; got != want {
				t.Fatalf("%s: PUs %q of host %d are restricted to %s %d, want %d", top.Name, b.CPUSet,
					host, r.URI, got, want)
			}
		}
	})
}

func meets(top *hw.Topology, o *hw.Object, b *hw.Binding) bool {
	if o.Type != hw.Level {
		return top.HostIndex(o) == b.Host && o.CPUSet.Intersects(b.CPUSet)
	}
	for h := range o.All() {
		if h.Type == hw.Machine && meets(top, h, b) {
			return true
		}
	}
	return false
}

// A level that has all objects of another, and more, contains the other: packages come before NUMA
// nodes where a package has no node that processes may use, as in a cgroup. Worked by hand.
func TestResourcesOfUnevenLevels(t *testing.T) {
	t.Parallel()
	machine := &hw.Object{Type: hw.Machine}
	var objects []*hw.Object
	for i := range 4 {
		objects = append(objects, object(hw.PU, i, i), object(hw.Core, i, i))
	}
	objects = append(objects, object(hw.Package, 0, 1), object(hw.Package, 2, 3))
	hw.Build(machine, objects, []*hw.Object{numa(1, 2, 3)})
	if diff := cmp.Diff("Machine Package NUMANode Core PU", uris(hw.New("uneven", machine))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// memory returns a machine of the PUs 0 to pus-1 with NUMA nodes "SUBTYPE#OS:LO-HI".
func memory(pus int, nodes ...*hw.Object) *hw.Topology {
	machine := &hw.Object{Type: hw.Machine}
	var list []*hw.Object
	for i := range pus {
		list = append(list, object(hw.PU, i, i))
	}
	hw.Build(machine, list, nodes)
	return hw.New("memory", machine)
}

func tier(subtype string, o *hw.Object) *hw.Object {
	o.Subtype = subtype
	return o
}

// osIndexes lists the os indexes of the instances of a resource, nil when there
// is no such resource.
func osIndexes(top *hw.Topology, uri string) []int {
	r, _ := top.Lookup(uri)
	if r == nil {
		return nil
	}
	var list []int
	for _, o := range r.Instances {
		list = append(list, o.OSIndex)
	}
	return list
}

// Of several nodes with the same CPUs one counts: the ordinary node with the lowest os index; a special
// node counts only where there is no ordinary one, and a node without CPUs never. Each tier is a type
// of its own by the same rule.
func TestDefaultNodes(t *testing.T) {
	t.Parallel()
	top := memory(3,
		tier("MCDRAM", numa(0, 0, 0)), tier("", numa(4, 0, 0)), tier("DRAM", numa(3, 0, 0)),
		tier("CXL-DRAM", numa(2, 1, 1)), tier("HBM", numa(1, 1, 1)), tier("HBM", numa(8, 1, 1)),
		tier("", numa(5, 2, 2)), tier("", numa(6, 0, -1)), tier("NVM", numa(7, 0, -1)))
	for uri, want := range map[string][]int{
		"hwloc://NUMANode": {3, 1, 5}, "commsplit://MCDRAM": {0}, "commsplit://CXL-DRAM": {2},
		"commsplit://HBM": {1}, "commsplit://NVM": nil, "commsplit://DRAM": nil,
	} {
		if diff := cmp.Diff(want, osIndexes(top, uri)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", uri, diff)
		}
	}
}

// Special memory is not a NUMANode where ordinary nodes cover its CPUs, also with other sets: a Xeon Phi
// in flat mode has its DRAM in quarters and all of its MCDRAM at the machine. Where some of its CPUs
// have no other memory, special memory is a NUMANode.
func TestSpecialMemoryOverOrdinary(t *testing.T) {
	t.Parallel()
	flat := memory(4, numa(0, 0, 1), numa(1, 2, 3), tier("mcdram", numa(2, 0, 3)))
	if diff := cmp.Diff([]int{0, 1}, osIndexes(flat, "hwloc://NUMANode")); diff != "" {
		t.Errorf("flat: -want +got:\n%s", diff)
	}
	// Machine [MCDRAM] [Group] NUMANode PU
	got := flat.Restricted(&hw.Binding{CPUSet: hw.SetOf(2, 3)})
	if diff := cmp.Diff([]int32{0, 0, 1, 1, -1}, got); diff != "" {
		t.Errorf("PUs 2-3 of %s: -want +got:\n%s", uris(flat), diff)
	}
	part := memory(4, numa(0, 0, 1), tier("MCDRAM", numa(2, 0, 3)))
	if diff := cmp.Diff([]int{0, 2}, osIndexes(part, "hwloc://NUMANode")); diff != "" {
		t.Errorf("half without DRAM: -want +got:\n%s", diff)
	}
}

// MPICH calls ordinary nodes ddr and special ones by their kind; neither name
// is portable. "numa" is never a tier, whichever comes first.
func TestLookupMemory(t *testing.T) {
	t.Parallel()
	top := memory(4, numa(0, 0, 1), numa(1, 2, 3), tier("HBM", numa(2, 0, 3)))
	for name, want := range map[string]string{
		"ddr": "hwloc://NUMANode", "numa": "hwloc://NUMANode", "hbm": "commsplit://HBM",
		"Commsplit://hbm": "commsplit://HBM", "hwloc://HBM": "", "mcdram": "",
	} {
		r, canonical := top.Lookup(name)
		if got := ""; r != nil {
			if got = r.URI; got != want || canonical {
				t.Errorf("Lookup(%q) = %q, %v; want %q", name, got, canonical, want)
			}
		} else if want != "" {
			t.Errorf("Lookup(%q) finds nothing, want %q", name, want)
		}
	}
	if got := uris(top); !strings.HasPrefix(got, "Machine [commsplit://HBM] [Group] NUMANode PU") {
		t.Errorf("coarsest first: %s", got)
	}
}

// Names of resources that some machine has, in the spellings of Lookup.
func TestKnownResource(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"hwloc://L4Cache": true, "l4cache": true, "socket": true, "commsplit://NVM": true, "CXL-DRAM": true,
		"hwloc://MemCache": true, "hwloc://L4Cach": false, "commsplit://Rack": false, "Level": false, "": false,
	} {
		if got := hw.KnownResource(name); got != want {
			t.Errorf("KnownResource(%q) = %v", name, got)
		}
	}
}
