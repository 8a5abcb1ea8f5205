package placement_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
)

// Placement is Open MPI's, for every policy and machine that was recorded.
func TestPlaceLikeOpenMPI(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(recorded(t, "mapping/mapping.json"))
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Cases []struct {
			Topo   string
			N      int
			MapBy  string `json:"map_by"`
			BindTo string `json:"bind_to"`
			Ranks  []string
		}
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	asked := 0
	tops := map[string]*hw.Topology{}
	for _, c := range table.Cases {
		if tops[c.Topo] == nil {
			var err error
			if tops[c.Topo], err = source.Load(t.Context(), recorded(t, "mapping/"+c.Topo)); err != nil {
				t.Fatal(err)
			}
		}
		asked++
		ranks, err := placement.Place(tops[c.Topo], c.N, placement.Policy{MapBy: c.MapBy, BindTo: c.BindTo})
		if err != nil {
			t.Errorf("%s, %d by %s to %s: %v", c.Topo, c.N, c.MapBy, c.BindTo, err)
			continue
		}
		if diff := cmp.Diff(strings.Join(c.Ranks, " "), cpusets(tops[c.Topo], ranks)); diff != "" {
			t.Errorf("%s, %d by %s to %s: -want +got:\n%s", c.Topo, c.N, c.MapBy, c.BindTo, diff)
		}
	}
	if asked < 300 {
		t.Errorf("the table has %d cases only", asked)
	}
}

// Rank i goes to object i mod K in its (i div K)-th visit. K counts the objects
// of its host, which is filled first, or with span those of all hosts;
// everything wraps round.
func TestPlace(t *testing.T) {
	t.Parallel()
	const two = "machine:2 pack:2 core:2 pu:1"
	for _, c := range []struct {
		text   string
		n      int
		policy placement.Policy
		want   string
	}{
		{"pack:2 core:2 pu:2", 5, placement.Policy{}, "0-1 2-3 4-5 6-7 0-1"},
		{"pack:2 pu:2", 5, placement.Policy{}, "0 1 2 3 0"},
		{"pack:2 core:2 pu:2", 3, placement.Policy{MapBy: "SOCKET", BindTo: "hwt"}, "0 4 1"},
		{"pack:2 core:2 pu:2", 3, placement.Policy{MapBy: "pack", BindTo: "None", RankBy: "slot"},
			"0-7 0-7 0-7"},
		{"pack:2 core:2 pu:1", 6, placement.Policy{MapBy: "l3", BindTo: "core"}, ""},
		{two, 9, placement.Policy{}, "node0:0 node0:1 node0:2 node0:3 node1:0 node1:1 node1:2 node1:3 node0:0"},
		{two, 5, placement.Policy{MapBy: "node"}, "node0:0 node1:0 node0:1 node1:1 node0:2"},
		{two, 6, placement.Policy{MapBy: "package"},
			"node0:0 node0:2 node0:1 node0:3 node1:0 node1:2"},
		{two, 6, placement.Policy{MapBy: "package:span"},
			"node0:0 node0:2 node1:0 node1:2 node0:1 node0:3"},
		{two, 3, placement.Policy{MapBy: "package:span", BindTo: "machine"}, "node0:0-3 node0:0-3 node1:0-3"},
		// An explicit machine takes any number of ranks, as with Open MPI: five
		// on four cores.
		{"pack:2 core:2 pu:1", 5, placement.Policy{BindTo: "machine"}, "0-3 0-3 0-3 0-3 0-3"},
		{two, 10, placement.Policy{MapBy: "slot", BindTo: "package:overload-allowed"},
			"node0:0-1 node0:2-3 node0:0-1 node0:2-3 node1:0-1 node1:2-3 node1:0-1 node1:2-3 " +
				"node0:0-1 node0:2-3"},
		{"rack:2 machine:2 core:2", 6, placement.Policy{MapBy: "rack"},
			"node0:0 node2:0 node0:1 node2:1 node1:0 node3:0"},
		{"figure-7.3", 12, placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"},
			"0 1 2 3 4 5 6-7 6-7 8 9 10 11"},
		{"pu:4", 4, placement.Policy{List: "3, 0-1+3 ,2"}, "3 0-1,3 2 3"},
		{"machine:2 pu:2", 5, placement.Policy{List: "1,0"}, "node0:1 node0:0 node1:1 node1:0 node0:1"},
	} {
		top := topology(t, c.text)
		ranks, err := placement.Place(top, c.n, c.policy)
		if (err != nil) != (c.want == "") {
			t.Errorf("%q %+v: %v", c.text, c.policy, err)
		}
		if diff := cmp.Diff(c.want, cpusets(top, ranks)); diff != "" {
			t.Errorf("%q %+v: -want +got:\n%s", c.text, c.policy, diff)
		}
	}
}

// Ranks with the same binding share it, and a million ranks are placed with
// allocations for the bindings only.
func TestPlaceMillion(t *testing.T) {
	top := topology(t, "machine:64 pack:2 core:64 pu:1")
	const n = 1 << 20
	ranks, err := placement.Place(top, n, placement.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	distinct := map[*hw.Binding]bool{}
	for _, b := range ranks {
		distinct[b] = true
	}
	if len(distinct) != 8192 || ranks[0] != ranks[8192] {
		t.Errorf("%d bindings for 8192 cores", len(distinct))
	}
	list := placement.Policy{List: "0,1,0"}
	if r, _ := placement.Place(top, 3, list); r[0] != r[2] || r[0] == r[1] {
		t.Error("equal entries of a list do not share a binding")
	}
}

// Without a number of ranks there is one rank per core, or per PU without
// cores.
func TestDefault(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"pack:2 core:3 pu:2": 6, "pack:2 pu:3": 6, "machine:2 core:3 pu:2": 6, "figure-7.3": 12,
	} {
		if got, err := placement.Default(topology(t, text), placement.Policy{}); got != want {
			t.Errorf("%q: %d ranks (%v), want %d", text, got, err, want)
		}
	}
}

func BenchmarkPlaceMillion(b *testing.B) {
	top := topology(b, "machine:64 pack:2 core:64 pu:1")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := placement.Place(top, 1<<20, placement.Policy{}); err != nil {
			b.Fatal(err)
		}
	}
}
