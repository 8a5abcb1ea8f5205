package render

import (
	"strings"
	"testing"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/hw/preset"

	"github.com/google/go-cmp/cmp"
)

// family4 is 64 communicators of 64 ranks, each split in two, and a world split with a name and
// a freed part.
func family4(t testing.TB) *View {
	topo := synthesized(t, "machine:16 pack:4 core:64 pu:1")
	s := newSession(t, topo, place(t, topo, 4096, placement.Policy{}))
	s.split("block", 1, func(r int) int { return r / 64 }, zero)
	s.assign("half", 2, func(p *engine.Process) (*engine.Comm, error) {
		return local(p)["block"].Split(p.Rank()%2, 0)
	})
	s.split("even", 3, func(r int) int { return r % 2 }, zero)
	s.world.Submit(engine.AllRanks(4096), func(p *engine.Process) error {
		if c := local(p)["even"]; p.Rank()%2 == 0 {
			return c.SetName("evens")
		} else {
			return c.Free()
		}
	})
	s.world.Wait()
	return s.view()
}

// Siblings that one call made are folded, those below them together; names and freed marks show.
func TestLineage(t *testing.T) {
	t.Parallel()
	v := family4(t)
	want := []string{
		"world                4096 ranks                     ctx 0  MPI_COMM_WORLD",
		"├─ block#2..65       64 communicators of 64 ranks   ctx 1  MPI_Comm_split                   demo.py:1",
		"│  └─ half#66..193   128 communicators of 32 ranks  ctx 2  MPI_Comm_split                   demo.py:2",
		`├─ even#194          2048 ranks                     ctx 3  MPI_Comm_split color=0  "evens"  demo.py:3`,
		"└─ even#195          2048 ranks                     ctx 3  MPI_Comm_split color=1  freed    demo.py:3",
	}
	got := lines(t, 120, func(b *strings.Builder, st Style) error { return Lineage(b, v, st) })
	squeeze := func(list []string) (r []string) {
		for _, l := range list {
			r = append(r, strings.Join(strings.Fields(l), " "))
		}
		return r
	}
	if d := cmp.Diff(squeeze(want), squeeze(got)); d != "" {
		t.Error(d)
	}
}

// MPI_Get_hw_resource_info in Figure 7.3: P6 and P7 may run on two cores, so they are restricted to
// one of everything but Core and PU.
func TestHWInfo(t *testing.T) {
	t.Parallel()
	topo, b := figure73(t)
	v := newSession(t, topo, b).view()
	want := []string{
		`resource type     instances  "true" on ranks  "false" on ranks`,
		"hwloc://Machine           1  0-11             -",
		"commsplit://Rack          2  0-11             -",
		"hwloc://Group             3  0-11             -",
		"hwloc://NUMANode          3  0-11             -",
		"hwloc://Package           6  0-11             -",
		"hwloc://Core             12  0-5,8-11         6-7",
		"hwloc://PU               12  0-5,8-11         6-7",
		"HW_UNGUIDED passes over hwloc://Group",
	}
	if d := cmp.Diff(want, lines(t, 80, func(b *strings.Builder, st Style) error { return HWInfo(b, v, st) })); d != "" {
		t.Error(d)
	}
}

// Devices are told with what they are local to, what groups the ranks there, and who these are: on Frontier
// the GPUs 4 and 5 are beside the first cores [OLCF user guide]. A rank on two NUMA nodes is near to none.
func TestHWInfoDevices(t *testing.T) {
	t.Parallel()
	topo, _ := preset.Lookup("frontier")
	v := newSession(t, topo, place(t, topo, 8, placement.Policy{List: "0-7,8-15,16-23,24-31,32-39,40-47,48-55,0-31"})).view()
	got := lines(t, 100, func(b *strings.Builder, st Style) error { return HWInfo(b, v, st) })
	want := []string{
		"hsn2 is local to NUMANode L#0: use hwloc://NUMANode (ranks 0-1)",
		"rsmi4 is local to L3Cache L#0: use hwloc://L3Cache (rank 0)",
		"rsmi5 is local to L3Cache L#1: use hwloc://L3Cache (rank 1)",
		"hsn1 is local to NUMANode L#1: use hwloc://NUMANode (ranks 2-3)",
		"rsmi2 is local to L3Cache L#2: use hwloc://L3Cache (rank 2)",
		"rsmi3 is local to L3Cache L#3: use hwloc://L3Cache (rank 3)",
		"hsn3 is local to NUMANode L#2: use hwloc://NUMANode (ranks 4-5)",
		"rsmi6 is local to L3Cache L#4: use hwloc://L3Cache (rank 4)",
		"rsmi7 is local to L3Cache L#5: use hwloc://L3Cache (rank 5)",
		"hsn0 is local to NUMANode L#3: use hwloc://NUMANode (rank 6)",
		"rsmi0 is local to L3Cache L#6: use hwloc://L3Cache (rank 6)",
		"rsmi1 is local to L3Cache L#7: use hwloc://L3Cache",
	}
	if d := cmp.Diff(want, got[len(got)-len(want):]); d != "" {
		t.Error(d)
	}
}

func mapOf(t testing.TB, topo *hw.Topology, n int, p placement.Policy) []string {
	v := newSession(t, topo, place(t, topo, n, p)).view()
	return lines(t, 80, func(b *strings.Builder, st Style) error { return Map(b, v, st) })
}

// Few ranks have a line each, in the words of mpirun 5.
func TestMap(t *testing.T) {
	t.Parallel()
	topo := synthesized(t, "pack:2 core:2 pu:2")
	want := []string{
		"Rank 0 bound to package[0][core:0]",
		"Rank 1 bound to package[0][core:0-1]",
		"Rank 2 bound to package[1][hwt:4]",
		"Rank 3 is not bound (or bound to all available processors)",
	}
	if d := cmp.Diff(want, mapOf(t, topo, 4, placement.Policy{List: "0-1,0-3,4,0-7"})); d != "" {
		t.Error(d)
	}
}

// Many ranks share lines while their places advance evenly; where they go round the packages, a
// line has all ranks of a place.
func TestMapFolds(t *testing.T) {
	t.Parallel()
	topo := synthesized(t, "machine:2 pack:2 core:64 pu:1")
	want := []string{
		"[node0] Ranks 0-63 bound to package[0][core:0] .. [core:63]",
		"[node0] Ranks 64-127 bound to package[1][core:64] .. [core:127]",
		"[node1] Ranks 128-191 bound to package[0][core:0] .. [core:63]",
		"[node1] Ranks 192-255 bound to package[1][core:64] .. [core:127]",
	}
	if d := cmp.Diff(want, mapOf(t, topo, 256, placement.Policy{})); d != "" {
		t.Error(d)
	}
	topo = synthesized(t, "pack:2 core:3 pu:1")
	want = []string{
		"Ranks 0,2,..,298 bound to package[0][core:0-2]",
		"Ranks 1,3,..,299 bound to package[1][core:3-5]",
	}
	if d := cmp.Diff(want, mapOf(t, topo, 300, placement.Policy{MapBy: "package", BindTo: "package:overload-allowed"})); d != "" {
		t.Error(d)
	}
}

// blocked is a world in which ranks 0-9 of 12 wait in a barrier.
func blocked(t testing.TB) *View {
	topo, b := figure73(t)
	s := newSession(t, topo, b)
	s.reversedHalves()
	s.world.Submit(engine.AllRanks(10), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 9})
		return p.World().Barrier()
	})
	s.world.Wait()
	v := s.view()
	v.Deadlock = s.world.Deadlock(Called(v))
	return v
}

// Who waits, in what, where, and for whom. Where the columns do not fit, a row has two lines, and
// nothing is cut.
func TestWaiting(t *testing.T) {
	t.Parallel()
	v := blocked(t)
	want := []string{
		"Who        What                  Where      Waits for",
		"ranks 0-9  MPI_Barrier on world  demo.py:9  ranks 10-11",
	}
	if d := cmp.Diff(want, lines(t, 80, func(b *strings.Builder, st Style) error { return Waiting(b, v, st) })); d != "" {
		t.Error(d)
	}
	folded := []string{
		"Who        What",
		"    Where      Waits for",
		"ranks 0-9  MPI_Barrier on world",
		"    demo.py:9  ranks 10-11",
	}
	if d := cmp.Diff(folded, lines(t, 52, func(b *strings.Builder, st Style) error { return Waiting(b, v, st) })); d != "" {
		t.Error(d)
	}
}

// Steps have their arguments beside them on a wide page, and below on a narrow one.
func TestTrace(t *testing.T) {
	t.Parallel()
	v := blocked(t)
	draw := func(b *strings.Builder, st Style) error { return Trace(b, v, st) }
	narrow := []string{
		"step  call            on     ranks  made  where",
		"   1  MPI_Comm_split  world  0-11   #2-3  demo.py:3",
		"      color=[0,1,0,1,0,1,0,1,0,1,0,-] key=[0,-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11]",
	}
	if d := cmp.Diff(narrow, lines(t, 80, draw)); d != "" {
		t.Error(d)
	}
	if got := lines(t, 200, draw); len(got) != 2 || !strings.HasSuffix(got[1], narrow[2][6:]) {
		t.Errorf("on 200 columns:\n%s", strings.Join(got, "\n"))
	}
}

// The end of a script: failures with what was expected and found, then the counts.
func TestReport(t *testing.T) {
	t.Parallel()
	v := blocked(t)
	v.Expectations = Expectations{Passed: 6, Failed: 1, Failures: []Failure{{
		Where: "demo.py:9", Ranks: engine.RanksOf(2), Message: "expected [[0,2],[1,3]]\nfound    [[0,1],[2,3]]"}}}
	want := []string{
		"FAILED  demo.py:9  rank 2",
		"  expected [[0,2],[1,3]]",
		"  found    [[0,1],[2,3]]",
		"6 expectations passed, 1 failed",
		"1 step, 2 communicators made, 2 never freed, deadlock",
	}
	if d := cmp.Diff(want, lines(t, 80, func(b *strings.Builder, st Style) error { return Report(b, v, st) })); d != "" {
		t.Error(d)
	}
}

// A world without hardware is said so, and still shows its partition.
func TestNoTopology(t *testing.T) {
	t.Parallel()
	s := &engine.Snapshot{Size: 3, Comms: []*engine.CommInfo{{ID: 0, Parent: -1, Group: []int32{0, 1, 2}}}}
	v := &View{Snapshot: s, Handles: []Handle{{Name: "w", IDs: []int32{0, 0, 0}}}}
	for _, draw := range []func(b *strings.Builder, st Style) error{
		func(b *strings.Builder, st Style) error { return Tree(b, v, st) },
		func(b *strings.Builder, st Style) error { return HWInfo(b, v, st) },
		func(b *strings.Builder, st Style) error { return Map(b, v, st) },
	} {
		if got := lines(t, 80, draw); !strings.HasPrefix(got[0], "no hardware") {
			t.Error(got)
		}
	}
	if got := partitionOf(t, v, &v.Handles[0], 80); got[len(got)-1] != "ranks  A0 A1 A2" {
		t.Error(got)
	}
}

// Ranks that all wait for something of their own do not fill the screen.
func TestWaitingIsCut(t *testing.T) {
	t.Parallel()
	v := &View{Snapshot: &engine.Snapshot{Size: 100}}
	for r := range 100 {
		v.Snapshot.Waiting = append(v.Snapshot.Waiting, engine.Wait{Ranks: engine.RanksOf(r), Call: engine.CallRecv, Comm: 0})
	}
	got := lines(t, 80, func(b *strings.Builder, st Style) error { return Waiting(b, v, st) })
	if n := len(got); n != 26 || got[25] != "  ... and 76 more lines" {
		t.Errorf("%d lines, the last is %q", n, got[n-1])
	}
}
