package hw_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"commsplit/hw"
)

// recorded is the folder of recorded machines and results.
func recorded(t *testing.T, path string) string {
	t.Helper()
	dir := os.Getenv("COMMSPLIT_TOPOLOGIES")
	if dir == "" {
		dir = "../../shared/topologies"
	}
	path = filepath.Join(dir, path)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no recorded machines (set COMMSPLIT_TOPOLOGIES): %v", err)
	}
	return path
}

// cpusets writes bindings as "0,16 1,17"; with several hosts as "0:0 1:0".
func cpusets(top *hw.Topology, ranks []*hw.Binding) string {
	var parts []string
	for _, b := range ranks {
		s := b.CPUSet.String()
		if len(top.Hosts) > 1 {
			s = top.Hosts[b.Host].Name + ":" + s
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

// Placement is Open MPI's, for every policy and machine that was recorded.
func TestPlaceLikeOpenMPI(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(recorded(t, "mapping/mapping.json"))
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Cases []struct {
			Topo    string
			N       int
			MapBy   string `json:"map_by"`
			BindTo  string `json:"bind_to"`
			Ranks   []string
			Decides *bool
		}
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	tops := map[string]*hw.Topology{
		"smt-2s4l3.xml":         topology(t, "pack:2 [numa] l3:2 core:4 pu:2(indexes=2*16:1*2)"),
		"../xml/figure-7.3.xml": topology(t, "figure-7.3"),
	}
	asked := 0
	for _, c := range table.Cases {
		top := tops[c.Topo]
		if top == nil || c.Decides != nil && !*c.Decides {
			continue
		}
		asked++
		ranks, err := hw.Place(top, c.N, hw.Policy{MapBy: c.MapBy, BindTo: c.BindTo})
		if err != nil {
			t.Errorf("%s, %d by %s to %s: %v", c.Topo, c.N, c.MapBy, c.BindTo, err)
			continue
		}
		if diff := cmp.Diff(strings.Join(c.Ranks, " "), cpusets(top, ranks)); diff != "" {
			t.Errorf("%s, %d by %s to %s: -want +got:\n%s", c.Topo, c.N, c.MapBy, c.BindTo, diff)
		}
	}
	if asked == 0 {
		t.Error("the table asks nothing of the machines known here")
	}
}

// Rank i goes to object i mod K in its (i div K)-th visit, over all hosts; by
// slot each host is filled first; everything wraps round.
func TestPlace(t *testing.T) {
	t.Parallel()
	const two = "machine:2 pack:2 core:2 pu:1"
	for _, c := range []struct {
		text   string
		n      int
		policy hw.Policy
		want   string
	}{
		{"pack:2 core:2 pu:2", 5, hw.Policy{}, "0-1 2-3 4-5 6-7 0-1"},
		{"pack:2 pu:2", 5, hw.Policy{}, "0 1 2 3 0"},
		{"pack:2 core:2 pu:2", 3, hw.Policy{MapBy: "SOCKET", BindTo: "hwt"}, "0 4 1"},
		{"pack:2 core:2 pu:2", 3, hw.Policy{MapBy: "pack", BindTo: "None", RankBy: "slot"},
			"0-7 0-7 0-7"},
		{"pack:2 core:2 pu:1", 6, hw.Policy{MapBy: "l3", BindTo: "core"}, ""},
		{two, 9, hw.Policy{}, "node0:0 node0:1 node0:2 node0:3 node1:0 node1:1 node1:2 node1:3 node0:0"},
		{two, 5, hw.Policy{MapBy: "node"}, "node0:0 node1:0 node0:1 node1:1 node0:2"},
		{two, 6, hw.Policy{MapBy: "package"},
			"node0:0 node0:2 node1:0 node1:2 node0:1 node0:3"},
		{two, 3, hw.Policy{MapBy: "package", BindTo: "machine"}, "node0:0-3 node0:0-3 node1:0-3"},
		{two, 10, hw.Policy{MapBy: "slot", BindTo: "package"},
			"node0:0-1 node0:2-3 node0:0-1 node0:2-3 node1:0-1 node1:2-3 node1:0-1 node1:2-3 " +
				"node0:0-1 node0:2-3"},
		{"rack:2 machine:2 core:2", 6, hw.Policy{MapBy: "rack"},
			"node0:0 node2:0 node0:1 node2:1 node1:0 node3:0"},
		{"figure-7.3", 12, hw.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"},
			"0 1 2 3 4 5 6-7 6-7 8 9 10 11"},
		{"pu:4", 4, hw.Policy{List: "3, 0-1+3 ,2"}, "3 0-1,3 2 3"},
		{"machine:2 pu:2", 5, hw.Policy{List: "1,0"}, "node0:1 node0:0 node1:1 node1:0 node0:1"},
	} {
		top := topology(t, c.text)
		ranks, err := hw.Place(top, c.n, c.policy)
		if (err != nil) != (c.want == "") {
			t.Errorf("%q %+v: %v", c.text, c.policy, err)
		}
		if diff := cmp.Diff(c.want, cpusets(top, ranks)); diff != "" {
			t.Errorf("%q %+v: -want +got:\n%s", c.text, c.policy, diff)
		}
	}
}

// What cannot be done says what is wrong and what would be right.
func TestPlaceErrors(t *testing.T) {
	t.Parallel()
	const text = "pack:2 core:2 pu:1"
	for _, c := range []struct {
		text   string
		n      int
		policy hw.Policy
		want   string
	}{
		{text, 0, hw.Policy{}, "number of ranks is 0: want at least 1"},
		{text, 1<<24 + 1, hw.Policy{}, "number of ranks is 16777217: want at most 16777216"},
		{text, 2, hw.Policy{MapBy: "l3cache"},
			"--map-by l3cache: there is no L3Cache level here; " +
				"there are Machine, NUMANode, Package, Core, PU"},
		{text, 2, hw.Policy{BindTo: "l2"}, "--bind-to l2cache: there is no L2Cache level here; " +
			"there are Machine, NUMANode, Package, Core, PU"},
		{text, 2, hw.Policy{MapBy: "n"}, `--map-by "n" is ambiguous: numa, machine`},
		{text, 2, hw.Policy{BindTo: "n"}, `--bind-to "n" is ambiguous: none, numa, machine`},
		{text, 2, hw.Policy{MapBy: "blade"}, `--map-by "blade" is unknown: use slot, hwthread, core, ` +
			"l1cache, l2cache, l3cache, l4cache, l5cache, numa, die, package, machine"},
		{text, 2, hw.Policy{MapBy: "numa:PE=2"},
			`--map-by "numa:PE=2": modifiers such as "PE=2" are not supported; use numa alone`},
		{text, 2, hw.Policy{RankBy: "node"}, `--rank-by "node" is not supported: only slot is`},
		{"rack:2 machine:2 pu:1", 2, hw.Policy{BindTo: "rack"},
			"--bind-to rack: a Rack is no part of one machine"},
		{text, 2, hw.Policy{List: "0", MapBy: "core"},
			"--bind gives every rank its PUs: leave out --map-by, --rank-by and --bind-to"},
		{text, 3, hw.Policy{List: "0,1,2+3-7"},
			`--bind: rank 2: "3-7": node0 has no PU 4; it has 0-3`},
		{text, 2, hw.Policy{List: "0,,1"}, `--bind: rank 1: "" is neither a PU nor a range such as 0-3`},
		{text, 2, hw.Policy{List: "2-1"}, `--bind: rank 0: range "2-1" runs backwards`},
	} {
		_, err := hw.Place(topology(t, c.text), c.n, c.policy)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q %+v:\n got %v\nwant %s", c.text, c.policy, err, c.want)
		}
	}
}

// On uneven hardware an object may have no part in the bind level at all.
func TestPlaceNothingToBind(t *testing.T) {
	t.Parallel()
	machine := &hw.Object{Type: hw.Machine}
	hw.Build(machine, []*hw.Object{object(hw.Core, 0, 0), object(hw.Core, 1, 1),
		object(hw.Core, 2, 2), object(hw.L2Cache, 0, 1)}, nil)
	top := hw.New("uneven", machine)
	if _, err := hw.Place(top, 2, hw.Policy{BindTo: "l2"}); err != nil {
		t.Errorf("two ranks: %v", err)
	}
	_, err := hw.Place(top, 3, hw.Policy{BindTo: "l2"})
	want := "cannot bind to L2Cache: Core L#2 (PUs 2 of node0) neither lies in one nor holds one"
	if err == nil || err.Error() != want {
		t.Errorf("three ranks: got %v, want %s", err, want)
	}
}

// Ranks with the same binding share it, and a million ranks are placed with
// allocations for the bindings only. The time bound is loose on purpose.
func TestPlaceMillion(t *testing.T) {
	top := topology(t, "machine:64 pack:2 core:64 pu:1")
	const n = 1 << 20
	start := time.Now()
	ranks, err := hw.Place(top, n, hw.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	distinct := map[*hw.Binding]bool{}
	for _, b := range ranks {
		distinct[b] = true
	}
	if len(distinct) != 8192 || ranks[0] != ranks[8192] {
		t.Errorf("%d bindings for 8192 cores", len(distinct))
	}
	list := hw.Policy{List: "0,1,0"}
	if r, _ := hw.Place(top, 3, list); r[0] != r[2] || r[0] == r[1] {
		t.Error("equal entries of a list do not share a binding")
	}
}

// Nobody says how many ranks: one per core, or per PU without cores.
func TestDefault(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"pack:2 core:3 pu:2": 6, "pack:2 pu:3": 6, "machine:2 core:3 pu:2": 6, "figure-7.3": 12,
	} {
		if got := hw.Default(topology(t, text)); got != want {
			t.Errorf("%q: %d ranks, want %d", text, got, want)
		}
	}
}

func BenchmarkPlaceMillion(b *testing.B) {
	top := topology(b, "machine:64 pack:2 core:64 pu:1")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := hw.Place(top, 1<<20, hw.Policy{}); err != nil {
			b.Fatal(err)
		}
	}
}
