package hw_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// object makes an object with PUs lo to hi.
func object(typ hw.Type, lo, hi int) *hw.Object {
	return &hw.Object{Type: typ, OSIndex: hw.Unknown, CPUSet: hw.SetRange(lo, hi)}
}

func rack(lo, hi int) *hw.Object {
	o := object(hw.Group, lo, hi)
	o.Subtype = "Rack"
	return o
}

func numa(index, lo, hi int) *hw.Object {
	o := object(hw.NUMANode, lo, hi)
	o.OSIndex, o.NodeSet = index, hw.SetOf(index)
	return o
}

// outline writes a tree on one line: Type:cpus, memory in [], children in ().
func outline(o *hw.Object) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s:%s", o.Type, o.Subtype, o.CPUSet)
	for _, m := range o.Memory {
		fmt.Fprintf(&b, "[%s]", outline(m))
	}
	if len(o.Children) > 0 {
		parts := make([]string, len(o.Children))
		for i, c := range o.Children {
			parts[i] = outline(c)
		}
		fmt.Fprintf(&b, "(%s)", strings.Join(parts, " "))
	}
	return b.String()
}

// The rules of nesting, merging and memory, one small machine each.
func TestBuild(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule           string
		objects, nodes []*hw.Object
		want, dropped  string
	}{
		{"a machine without nodes gets one", []*hw.Object{object(hw.PU, 0, 0), object(hw.PU, 1, 1)},
			nil, "Machine:0-1[NUMANode:0-1](PU:0 PU:1)", ""},
		{"equal sets nest by type", []*hw.Object{
			object(hw.PU, 1, 1), object(hw.Core, 0, 0), object(hw.PU, 0, 0), object(hw.L2Cache, 0, 0)},
			nil, "Machine:0-1[NUMANode:0-1](L2Cache:0(Core:0(PU:0)) PU:1)", ""},
		{"of like objects with one set the first stays", []*hw.Object{
			object(hw.PU, 0, 0), object(hw.PU, 1, 1), object(hw.Core, 0, 0), object(hw.Core, 0, 0)},
			nil, "Machine:0-1[NUMANode:0-1](Core:0(PU:0) PU:1)", ""},
		{"a plain group merges into its equal", []*hw.Object{object(hw.Group, 0, 1),
			object(hw.Package, 0, 1), object(hw.PU, 0, 0), object(hw.PU, 1, 1), object(hw.PU, 2, 2)},
			nil, "Machine:0-2[NUMANode:0-2](Package:0-1(PU:0 PU:1) PU:2)", ""},
		{"and into the machine", []*hw.Object{object(hw.Group, 0, 1), object(hw.PU, 0, 0),
			object(hw.PU, 1, 1)}, nil, "Machine:0-1[NUMANode:0-1](PU:0 PU:1)", ""},
		{"a group with a subtype stays", []*hw.Object{rack(0, 0), object(hw.Package, 0, 0),
			object(hw.PU, 0, 0), object(hw.PU, 1, 1)},
			nil, "Machine:0-1[NUMANode:0-1](GroupRack:0(Package:0(PU:0)) PU:1)", ""},
		{"without inclusion the smaller is dropped", []*hw.Object{object(hw.L2Cache, 2, 3),
			object(hw.L3Cache, 0, 2), object(hw.Package, 0, 3), object(hw.Package, 4, 4)},
			nil, "Machine:0-4[NUMANode:0-4](Package:0-3(L3Cache:0-2) Package:4)", "L2Cache:2-3"},
		{"empty sets are dropped", []*hw.Object{object(hw.Core, 0, -1), object(hw.PU, 0, 0)},
			nil, "Machine:0[NUMANode:0](PU:0)", "Core:"},
		{"a node goes to the highest object with its set", []*hw.Object{object(hw.Package, 0, 1),
			object(hw.L3Cache, 0, 1), object(hw.PU, 0, 0), object(hw.PU, 1, 1), object(hw.PU, 2, 2)},
			[]*hw.Object{numa(1, 0, 1), numa(0, 0, 1)},
			"Machine:0-2(Package:0-1[NUMANode:0-1][NUMANode:0-1](L3Cache:0-1(PU:0 PU:1)) PU:2)", ""},
		{"or to a new group", []*hw.Object{object(hw.PU, 0, 0), object(hw.PU, 1, 1),
			object(hw.PU, 2, 2)}, []*hw.Object{numa(0, 0, 1), numa(1, 2, 2)},
			"Machine:0-2(Group:0-1[NUMANode:0-1](PU:0 PU:1) Group:2[NUMANode:2](PU:2))", ""},
		{"where a group would cut, to what holds it, and is local to all of that", []*hw.Object{object(hw.Core, 0, 1),
			object(hw.Core, 2, 3)}, []*hw.Object{numa(0, 1, 2)},
			"Machine:0-3[NUMANode:0-3](Core:0-1 Core:2-3)", ""},
		{"nodes without CPUs go to a group without CPUs", []*hw.Object{object(hw.PU, 0, 0)},
			[]*hw.Object{numa(0, 0, 0), numa(5, 0, -1)},
			"Machine:0[NUMANode:0](PU:0 Group:[NUMANode:])", ""},
	} {
		machine := &hw.Object{Type: hw.Machine}
		dropped := hw.Build(machine, c.objects, c.nodes)
		var names []string
		for _, d := range dropped {
			names = append(names, outline(d))
		}
		got := outline(machine)
		if got != c.want || strings.Join(names, " ") != c.dropped {
			t.Errorf("%s:\n got %s, dropped %v\nwant %s, dropped %s", c.rule, got, names, c.want,
				c.dropped)
		}
	}
}

// The order in which objects are found does not matter.
func TestBuildAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		root, _, err := synthetic.Parse("pack:2 [numa] l3:2 l2:3 core:1 pu:2(indexes=2*12:1*2)")
		if err != nil {
			t.Fatal(err)
		}
		want := outline(root)
		var objects, nodes []*hw.Object
		for o := range root.All() {
			switch o.Type {
			case hw.Machine:
			case hw.NUMANode:
				nodes = append(nodes, o)
			default:
				objects = append(objects, o)
			}
		}
		seed := rapid.Uint64().Draw(t, "seed")
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(objects), func(i, j int) {
			objects[i], objects[j] = objects[j], objects[i]
		})
		again := &hw.Object{Type: hw.Machine}
		if dropped := hw.Build(again, objects, nodes); len(dropped) > 0 {
			t.Fatalf("%d objects dropped", len(dropped))
		}
		if diff := cmp.Diff(want, outline(again)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

// Nodes without CPUs come last, by number, whatever the order in which they are found.
func TestBuildNodesWithoutCPUs(t *testing.T) {
	t.Parallel()
	machine := &hw.Object{Type: hw.Machine}
	hw.Build(machine, []*hw.Object{object(hw.PU, 0, 0)}, []*hw.Object{numa(7, 0, -1), numa(5, 0, -1), numa(0, 0, 0)})
	var got []int
	for _, group := range machine.Children[1:] {
		got = append(got, group.Memory[0].OSIndex)
	}
	if !slices.Equal(got, []int{5, 7}) {
		t.Errorf("nodes %v", got)
	}
}
