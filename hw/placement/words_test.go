package placement_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// Words on which Open MPI 4.1.4 has no say, worked by hand: modifiers of version 5, several hosts
// with their own slots, our own levels.
func TestWords(t *testing.T) {
	t.Parallel()
	const (
		smt = "pack:2 core:2 pu:2"
		two = "machine:2 pack:2 core:2 pu:1"
	)
	for _, c := range []struct {
		text   string
		n      int
		policy placement.Policy
		want   string
	}{
		// With hardware threads as CPUs, ranks are mapped and bound to hardware threads.
		{smt, 3, placement.Policy{MapBy: ":hwtcpus"}, "0 1 2"},
		{smt, 3, placement.Policy{MapBy: "package:HWTCPUS"}, "0 4 1"},
		{smt, 3, placement.Policy{MapBy: "package:pe=2:hwt"}, "0-1 4-5 2-3"},
		{smt, 2, placement.Policy{MapBy: "core:HwtCpus:PE=2"}, "0-1 2-3"},
		{smt, 3, placement.Policy{MapBy: "core:hwtcpus", BindTo: "core"}, "0-1 2-3 4-5"},
		{smt, 2, placement.Policy{MapBy: "package:corecpus:pe=2"}, "0-3 4-7"},
		{smt, 2, placement.Policy{MapBy: ":pe=2"}, "0-3 4-7"},
		{smt, 2, placement.Policy{MapBy: "package:pe=1"}, "0-1 4-5"},
		{smt, 3, placement.Policy{MapBy: "slot:pe=2", BindTo: "none"}, "0-7 0-7 0-7"},
		{smt, 3, placement.Policy{MapBy: "slot:pe=2", BindTo: ":overload"}, "0-3 4-7 0-3"},
		// CPUs left over in a package are not used: a rank is inside one package.
		{"pack:2 core:3", 2, placement.Policy{MapBy: "ppr:1:package:pe=2"}, "0-1 3-4"},
		{smt, 3, placement.Policy{BindTo: "l2cache:if-supported"}, "0-7 0-7 0-7"},
		{smt, 5, placement.Policy{BindTo: ":if-supported"}, "0-1 2-3 4-5 6-7 0-1"},
		// pe makes fewer ranks fit on a host.
		{two, 4, placement.Policy{MapBy: "slot:pe=2"}, "node0:0-1 node0:2-3 node1:0-1 node1:2-3"},
		// Ranks beyond the slots go round again; with :oversubscribe they are spread as mpirun
		// does.
		{two, 10, placement.Policy{MapBy: "package"}, "node0:0 node0:2 node0:1 node0:3 node1:0 node1:2 " +
			"node1:1 node1:3 node0:0 node0:2"},
		{two, 10, placement.Policy{MapBy: "package:oversubscribe"}, "node0:0 node0:2 node0:1 node0:3 node0:0 " +
			"node1:0 node1:2 node1:1 node1:3 node1:0"},
		{two, 5, placement.Policy{MapBy: "node", RankBy: "slot"}, "node0:0 node0:1 node0:2 node1:0 node1:1"},
		{two, 5, placement.Policy{RankBy: "node"}, "node0:0 node1:0 node0:1 node0:2 node0:3"},
		{two, 6, placement.Policy{MapBy: "package:span", RankBy: "fill"},
			"node0:0 node0:1 node0:2 node0:3 node1:0 node1:2"},
		{two, 6, placement.Policy{MapBy: "ppr:2:package", RankBy: "span"},
			"node0:0 node0:2 node1:0 node0:1 node0:3 node1:1"},
		// A rank is on one host, whatever it is mapped to.
		{"rack:1 machine:2 core:3", 2, placement.Policy{MapBy: "rack:pe=2"}, "node0:0-1 node1:0-1"},
		// By hardware thread, hardware threads are the CPUs, and a host has a slot for each; with
		// corecpus, cores are.
		{"machine:2 core:2 pu:2", 3, placement.Policy{MapBy: "hwthread"}, "node0:0-1 node0:0-1 node0:2-3"},
		{"machine:2 core:2 pu:2", 3, placement.Policy{MapBy: "hwthread:corecpus"}, "node0:0-1 node0:0-1 node1:0-1"},
		{"rack:2 machine:2 core:2", 4, placement.Policy{MapBy: "ppr:2:rack"}, "node0:0 node0:1 node2:0 node2:1"},
		{"rack:2 machine:2 core:2", 4, placement.Policy{MapBy: "ppr:2:rack", RankBy: "rack"},
			"node0:0 node2:0 node0:1 node2:1"},
		{"rack:2 machine:2 core:2", 4, placement.Policy{RankBy: "rack:fill"}, "node0:0 node0:1 node1:0 node1:1"},
	} {
		top := topology(t, c.text)
		ranks, err := placement.Place(top, c.n, c.policy)
		if diff := cmp.Diff(c.want, cpusets(top, ranks)); diff != "" || err != nil {
			t.Errorf("%q %d %v: %v, -want +got:\n%s", c.text, c.n, c.policy, err, diff)
		}
	}
}

// Without -n the words determine the number of ranks.
func TestDefaultOfWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, mapBy string
		want        int
	}{
		{"pack:2 core:3 pu:2", "hwthread", 6}, {"pack:2 core:3 pu:2", ":hwtcpus", 12},
		{"pack:2 core:3 pu:2", "ppr:2:package", 4}, {"pack:2 core:3 pu:2", "ppr:1:hwthread", 12},
		{"pack:2 core:3 pu:2", "package:pe=2", 2}, {"pack:2 core:3 pu:2", "slot:pe=2", 3},
		{"machine:2 pack:2 core:3", "slot:pe=4", 2}, {"machine:2 pack:2 core:3", "ppr:3:node", 6},
	} {
		n, err := placement.Default(topology(t, c.text), placement.Policy{MapBy: c.mapBy})
		if n != c.want || err != nil {
			t.Errorf("%q --map-by %s: %d ranks (%v), want %d", c.text, c.mapBy, n, err, c.want)
		}
	}
}

// Hosts may differ: by node, full hosts are passed over.
func TestUnevenHosts(t *testing.T) {
	t.Parallel()
	small, big := &hw.Object{Type: hw.Machine}, &hw.Object{Type: hw.Machine}
	hw.Build(small, []*hw.Object{object(hw.PU, 0, 0), object(hw.PU, 1, 1)}, nil)
	hw.Build(big, []*hw.Object{object(hw.L3Cache, 0, 1), object(hw.PU, 0, 0), object(hw.PU, 1, 1),
		object(hw.PU, 2, 2), object(hw.PU, 3, 3)}, nil)
	top := hw.New("uneven", &hw.Object{Type: hw.Level, Subtype: "Cluster", Children: []*hw.Object{small, big}})
	for _, c := range []struct {
		mapBy, want string
	}{
		{"node", "node0:0 node1:0 node0:1 node1:1 node1:2 node1:3 node0:0 node1:0"},
		{"node:oversubscribe", "node0:0 node1:0 node0:1 node1:1 node0:0 node1:2 node0:1 node1:3"},
		{"l3cache", "node1:0 node1:1 node1:0 node1:1 node1:0 node1:1 node1:0 node1:1"},
		{"slot", "node0:0 node0:1 node1:0 node1:1 node1:2 node1:3 node0:0 node0:1"},
	} {
		ranks, err := placement.Place(top, 8, placement.Policy{MapBy: c.mapBy})
		if diff := cmp.Diff(c.want, cpusets(top, ranks)); diff != "" || err != nil {
			t.Errorf("%s: %v, -want +got:\n%s", c.mapBy, err, diff)
		}
	}
	file := filepath.Join(t.TempDir(), "ranks")
	if err := os.WriteFile(file, []byte("rank 0=node1 slot=3"), 0o600); err != nil {
		t.Fatal(err)
	}
	if ranks, err := place(top, placement.Policy{Rankfile: file}); cpusets(top, ranks) != "node1:3" {
		t.Errorf("rankfile: %s, %v", cpusets(top, ranks), err)
	}
}

// A rank that finds the object full to which it is mapped and bound goes to the next object that
// has room, else to the nearest before.
func TestFullObjects(t *testing.T) {
	t.Parallel()
	machine := &hw.Object{Type: hw.Machine}
	objects := []*hw.Object{object(hw.L2Cache, 0, 2), object(hw.L2Cache, 3, 5), object(hw.L2Cache, 6, 6)}
	for pu := range 7 {
		objects = append(objects, object(hw.Core, pu, pu), object(hw.PU, pu, pu))
	}
	hw.Build(machine, objects, nil)
	top := hw.New("hybrid", machine)
	for _, c := range []struct{ mapBy, bindTo, want string }{
		{"l2cache", "l2cache", "0-2 3-5 6 0-2 3-5 3-5"},
		{"ppr:2:l2cache", "l2cache", "0-2 0-2 3-5 3-5 6 3-5"},
		{"ppr:2:l2cache", "core", "! 2 processes"},
		{"ppr:2:l2cache", "", "0 1 3 4 6 6"},
	} {
		ranks, err := placement.Place(top, 6, placement.Policy{MapBy: c.mapBy, BindTo: c.bindTo})
		got := cpusets(top, ranks)
		if err != nil && strings.Contains(err.Error(), "L#6, 2 processes, 1 cpu") {
			got = "! 2 processes"
		}
		if got != c.want {
			t.Errorf("%s to %s: %s (%v), want %s", c.mapBy, c.bindTo, got, err, c.want)
		}
	}
}

// No rank gets a PU that is not allowed, and the error for asking for one tells why.
func TestDisallowed(t *testing.T) {
	t.Parallel()
	machine := &hw.Object{Type: hw.Machine, Details: &hw.Details{Disallowed: hw.SetOf(0)}}
	hw.Build(machine, []*hw.Object{object(hw.Core, 1, 1), object(hw.Core, 2, 2), object(hw.PU, 1, 1),
		object(hw.PU, 2, 2)}, nil)
	top := hw.New("restricted", machine)
	ranks, err := placement.Place(top, 3, placement.Policy{MapBy: "slot"})
	if got := cpusets(top, ranks); got != "1 2 1" {
		t.Errorf("%s (%v), want 1 2 1", got, err)
	}
	_, err = placement.Place(top, 1, placement.Policy{List: "0"})
	want := `--bind: rank 0: "0": node0 does not let us use PU 0; it has 1-2`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
