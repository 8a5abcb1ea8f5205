package hw_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

func topology(t testing.TB, text string) *hw.Topology {
	t.Helper()
	if top, ok := preset.Lookup(text); ok {
		return top
	}
	root, _, err := synthetic.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return hw.New(text, root)
}

// Logical indexes count through the whole topology, in tree order, and every level is one kind of
// object. As in hwloc a node at the machine is counted after the nodes below.
func TestLevels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"pack:2 core:1 pu:2", "Machine:0-3 | Package:0-1 Package:2-3 | Core:0-1 Core:2-3 | " +
			"PU:0 PU:1 PU:2 PU:3 | NUMANode:0-3"},
		{"[numa] pack:2 [numa] pu:1", "Machine:0-1 | Package:0 Package:1 | PU:0 PU:1 | " +
			"NUMANode:0 NUMANode:1 NUMANode:0-1"},
		{"rack:2 machine:1 pu:1", "Cluster: | Rack: Rack: | Machine:0 Machine:0 | PU:0 PU:0 | " +
			"NUMANode:0 NUMANode:0"},
		// As lstopo counts them: two rows, L#0 to L#1 and L#0 to L#3.
		{"l1:2 l1:2 pu:1", "Machine:0-3 | L1Cache:0-1 L1Cache:2-3 | " +
			"L1Cache:0 L1Cache:1 L1Cache:2 L1Cache:3 | PU:0 PU:1 PU:2 PU:3 | NUMANode:0-3"},
		{"group:2 group:2 pu:2", "Machine:0-7 | Group:0-3 Group:4-7 | " +
			"Group:0-1 Group:2-3 Group:4-5 Group:6-7 | PU:0 PU:1 PU:2 PU:3 PU:4 PU:5 PU:6 PU:7 | " +
			"NUMANode:0-7"},
	} {
		top := topology(t, c.text)
		var levels []string
		for _, level := range top.Levels() {
			var names []string
			for i, o := range level {
				names = append(names, o.TypeName()+":"+o.CPUSet.String())
				if o.LogicalIndex != i {
					t.Errorf("%q: %s has L#%d, want %d", c.text, names[i], o.LogicalIndex, i)
				}
			}
			levels = append(levels, strings.Join(names, " "))
		}
		if diff := cmp.Diff(c.want, strings.Join(levels, " | ")); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
	}
}

// A level is above another when an object of it contains an object of the other anywhere: with a
// cache over half of the cores only, the cores are still one level below the cache.
func TestLevelsOfUnevenTree(t *testing.T) {
	t.Parallel()
	machine := &hw.Object{Type: hw.Machine}
	var objects []*hw.Object
	for i := range 4 {
		objects = append(objects, object(hw.PU, i, i), object(hw.Core, i, i))
	}
	hw.Build(machine, append(objects, object(hw.L3Cache, 2, 3)), nil)
	top := hw.New("uneven", machine)
	var names []string
	for _, l := range top.Levels() {
		names = append(names, fmt.Sprintf("%s x %d", l[0].Type, len(l)))
	}
	want := "Machine x 1, L3Cache x 1, Core x 4, PU x 4, NUMANode x 1"
	if diff := cmp.Diff(want, strings.Join(names, ", ")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Machines that nest their types differently still have one row of each type, in the order of the
// tree: an index means one object, and the objects of a host are consecutive.
func TestLevelsOfUnlikeHosts(t *testing.T) {
	t.Parallel()
	top := topology(t, "{machine:1 l3:1 pack:2 core:1 ; machine:1 pack:1 l3:2 core:1 ; "+
		"machine:1 group:1(subtype=Tile) pack:1 core:1; machine:1 pack:1 group:2(subtype=Tile) core:1}")
	for typ, want := range map[hw.Type]string{
		hw.Package: "0:0 0:1 1:0-1 2:0 3:0-1", hw.L3Cache: "0:0-1 1:0 1:1", hw.Group: "2:0 3:0 3:1",
	} {
		var got []string
		for i, o := range top.Objects(typ) {
			got = append(got, fmt.Sprintf("%d:%s", top.HostIndex(o), o.CPUSet))
			if o.LogicalIndex != i {
				t.Errorf("%s has L#%d, want %d", typ, o.LogicalIndex, i)
			}
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", typ, diff)
		}
	}
}

// Hosts without a name are numbered; an existing name stays.
func TestHostNames(t *testing.T) {
	t.Parallel()
	root, _, err := synthetic.Parse("machine:3 pu:1")
	if err != nil {
		t.Fatal(err)
	}
	root.Children[1].Name = "login"
	top := hw.New("three", root)
	for i, want := range []string{"node0", "login", "node2"} {
		if h := top.Hosts[i]; h.Name != want || top.HostIndex(h.Children[0]) != i {
			t.Errorf("host %d is %q with index %d, want %q", i, h.Name, top.HostIndex(h), want)
		}
	}
	if top.HostIndex(top.Root) != -1 {
		t.Errorf("the cluster belongs to host %d, want none", top.HostIndex(top.Root))
	}
}

// Racks and the groups of NUMA nodes are two levels of Groups, as hwloc shows
// Figure 7.3: Group0(Rack) and Group1.
func TestGroupDepth(t *testing.T) {
	t.Parallel()
	top := topology(t, "figure-7.3")
	for _, g := range top.Objects(hw.Group) {
		want := 0
		if g.Attached {
			want = 1
		}
		if got := top.GroupDepth(g); got != want {
			t.Errorf("group %s has depth %d, want %d", g.CPUSet, got, want)
		}
	}
	if got := top.GroupDepth(top.Root); got != -1 {
		t.Errorf("the machine has group depth %d, want -1", got)
	}
}

// Whole cores are named by their index on the host, other PUs by os index.
func TestDescribeBinding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, cpus string
		host       int
		want       string
	}{
		{"machine:2 pack:2 core:2 pu:2", "0-1", 0, "package[0][core:0]"},
		{"machine:2 pack:2 core:2 pu:2", "4-7", 1, "package[1][core:2-3]"},
		{"machine:2 pack:2 core:2 pu:2", "0-1,6-7", 1, "package[0][core:0] package[1][core:3]"},
		{"machine:2 pack:2 core:2 pu:2", "3-5", 1, "package[0][hwt:3] package[1][core:2]"},
		{"machine:2 pack:2 core:2 pu:2", "0-7", 1, "not bound (or bound to all available processors)"},
		{"pack:2 core:2 pu:2(indexes=2*4:1*2)", "1,5", 0, "package[0][core:1]"},
		{"pack:2 pu:2", "2", 0, "package[1][hwt:2]"},
		{"core:4", "2-3", 0, "machine[0][core:2-3]"},
	} {
		set, err := hw.ParseList(c.cpus)
		if err != nil {
			t.Fatal(err)
		}
		got := hw.DescribeBinding(topology(t, c.text), &hw.Binding{Host: c.host, CPUSet: set})
		if got != c.want {
			t.Errorf("%q, PUs %s of host %d: %q, want %q", c.text, c.cpus, c.host, got, c.want)
		}
	}
}
