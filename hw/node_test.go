package hw_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/hw"
)

// memory is a machine of the PUs 0 to pus-1 with NUMA nodes "SUBTYPE#OS:LO-HI".
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

// Of several nodes with the same CPUs one counts: the ordinary one with the
// lowest os index; special memory only where there is nothing else, and a node
// without CPUs never. Each tier is a type of its own by the same rule.
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

// Special memory is no NUMANode where ordinary nodes cover its CPUs, also with
// other sets: a Xeon Phi in flat mode has its DRAM in quarters and all of its
// MCDRAM at the machine. Where a part of its CPUs has no other memory it is one.
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

// Names that some machine has a resource for, in the spellings of Lookup.
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
