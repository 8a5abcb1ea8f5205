package synthetic_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"github.com/google/go-cmp/cmp"
)

func parse(t testing.TB, text string) *hw.Topology {
	t.Helper()
	root, _, err := synthetic.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return hw.New(text, root)
}

// shape counts the objects of each type and lists the PUs in logical order.
func shape(top *hw.Topology) string {
	var parts []string
	for _, level := range top.Levels() {
		name := level[0].TypeName()
		parts = append(parts, strings.Repeat(name+" ", len(level)))
	}
	return strings.Join(parts, "/ ")
}

// Levels before machine:N are levels of our own, each host has PUs from 0, and
// only several outermost objects get a level above them.
func TestHosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, root, shape string }{
		{"machine:1 core:1", "Machine", "Machine / Core / PU / NUMANode "},
		{"mach:2 pu:1", "Cluster", "Cluster / Machine Machine / PU PU / NUMANode NUMANode "},
		{"rack:2 machine:1 pu:1", "Cluster",
			"Cluster / Rack Rack / Machine Machine / PU PU / NUMANode NUMANode "},
		{"cluster:1 rack:1 machine:2 1", "Cluster",
			"Cluster / Rack / Machine Machine / PU PU / NUMANode NUMANode "},
		{"zone:2 rack:3 machine:1 1", "Cluster",
			"Cluster / Zone Zone / Rack Rack Rack Rack Rack Rack / " +
				"Machine Machine Machine Machine Machine Machine / PU PU PU PU PU PU / " +
				"NUMANode NUMANode NUMANode NUMANode NUMANode NUMANode "},
		{"cluster:2 machine:1 1", "System",
			"System / Cluster Cluster / Machine Machine / PU PU / NUMANode NUMANode "},
	} {
		top := parse(t, c.text)
		if got := top.Root.TypeName(); got != c.root {
			t.Errorf("%q: root is %s, want %s", c.text, got, c.root)
		}
		if diff := cmp.Diff(c.shape, shape(top)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
		for _, h := range top.Hosts {
			if h.CPUSet.String() != "0" {
				t.Errorf("%q: PUs of %s are %s, want 0", c.text, h.Name, h.CPUSet)
			}
		}
	}
}

// After core:N a missing pu level means one PU per core: both trees are equal.
func TestMissingPU(t *testing.T) {
	t.Parallel()
	want, got := parse(t, "pack:2 core:3 pu:1"), parse(t, "pack:2 core:3")
	if diff := cmp.Diff(lines(want.Root, ""), lines(got.Root, "")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A size of a memory-side cache puts a MemCache between node and tree.
func TestMemorySideCache(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"pack:2 [numa(memory=2GB memorysidecachesize=1MiB)] core:1",
		"pack:2 numa:1(memory=2GB memorysidecachesize=1MiB) core:1",
	} {
		top := parse(t, text)
		caches, nodes := top.Objects(hw.MemCache), top.Objects(hw.NUMANode)
		if len(caches) != 2 || len(nodes) != 2 {
			t.Fatalf("%q: %d caches, %d nodes, want 2 and 2", text, len(caches), len(nodes))
		}
		c := caches[1]
		if c.Bytes != 1<<20 || c.Parent.Type != hw.Package || nodes[1].Parent != c ||
			nodes[1].Bytes != 2e9 || c.NodeSet.String() != "1" {
			t.Errorf("%q: got %+v holding %+v", text, c, nodes[1])
		}
	}
}

// A cluster of 131,072 cores costs allocations by its machines, not by its cores: equal machines
// share their sets.
func TestBigCluster(t *testing.T) {
	var top *hw.Topology
	allocs := testing.AllocsPerRun(1, func() {
		top = parse(t, "machine:1024 pack:2 numa:4 l3:4 core:4 pu:1")
	})
	if n := len(top.Objects(hw.Core)); n != 131072 {
		t.Errorf("%d cores, want 131072", n)
	}
	if allocs > 100*1024 {
		t.Errorf("%.0f allocations for 1024 machines", allocs)
	}
}

// The goal is half a second with hw.New.
func BenchmarkCluster131072(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		parse(b, "machine:1024 pack:2 numa:4 l3:4 core:4 pu:1")
	}
}

func BenchmarkMachine131072(b *testing.B) {
	for b.Loop() {
		parse(b, "pack:2 numa:8 l3:64 l2:8 l1d:1 core:1 pu:16")
	}
}
