package reason_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/source"
)

// recorded returns a world on a recorded machine, with a rank on each of the sets of PUs.
func recorded(t *testing.T, file string, pus ...string) engine.Config {
	t.Helper()
	dir := os.Getenv("COMMSPLIT_TOPOLOGIES")
	if dir == "" {
		dir = "../../../shared/topologies"
	}
	spec := filepath.Join(dir, file)
	if _, err := os.Stat(spec); err != nil {
		t.Skipf("no recorded machines (set COMMSPLIT_TOPOLOGIES): %v", err)
	}
	if strings.Contains(file, "tar") {
		spec = "fsroot:" + spec
	}
	top, err := source.Load(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	var bindings []*hw.Binding
	for _, text := range pus {
		set, err := hw.ParsePUs(text, top.Hosts[0])
		if err != nil {
			t.Fatal(err)
		}
		bindings = append(bindings, &hw.Binding{CPUSet: set})
	}
	return engine.Config{Topology: top, Bindings: bindings}
}

// Resource types that machines lack, and objects that do not count as instances. The sets are those
// of the recordings: on ArrowLake the L3 holds PUs 0-11 and the LP-E cores, 10 and 11, have PUs 12
// and 13; where CPU 0 and node 0 are off, node 1 holds the odd PUs, and core 0 is PU 4.
func TestMissingLevels(t *testing.T) {
	t.Parallel()
	const arrow, offline = "xml/Intel-ArrowLake-CoreUltra5-225U.xml", "sysfs/offline-cpu0-node0.tar.bz2"
	const flat, zen = "xml/8intel64-fakeKNL-A2A-rootnumas.xml", "xml/AMD-19h-Zen4-2xEpyc-9654.xml"
	const claims = "sysfs/fakeheteromemtiers.tar.bz2"
	for _, c := range []struct {
		file, pus, value string
		member           bool
		want             string // the last fact
	}{
		{arrow, "12", "hwloc://L3Cache", false, "touches: no L3Cache: Core L#10 (P#32) lies outside all of them"},
		{arrow, "12-13", "hwloc://L3Cache", false, "touches: no L3Cache: Core L#10-11 (P#32-33) lie outside all of them"},
		{arrow, "0-11", "hwloc://L3Cache", true, "members: the only rank"},
		{arrow, "12", "hwloc://L1iCache", true, "members: the only rank"},
		{offline, "4", "hwloc://NUMANode", false, "touches: no NUMANode: Core L#0 (P#2) lies outside all of them"},
		{offline, "5", "hwloc://NUMANode", true, "members: the only rank"},
		{zen, "0-383", "hwloc://L3Cache", false, "touches: L3Cache L#0-23: 24 instances, so the rank is not restricted to one"},
		{zen, "0,8,32,95,96", "hwloc://L3Cache", false, "touches: L3Cache L#0-1,4,11-12: 5 instances, so the rank is not restricted to one"},
		{zen, "0,16,32,48,64", "hwloc://L3Cache", false, "touches: L3Cache L#0,2,4,6,...: 5 instances, so the rank is not restricted to one"},
		{zen, "0", "hwloc://L4Cache", false, "resource: no instance of hwloc://L4Cache on this machine, which has hwloc://Machine, hwloc://NUMANode, " +
			"hwloc://Package, hwloc://Die, hwloc://L3Cache, hwloc://L2Cache, hwloc://L1Cache, hwloc://L1iCache, hwloc://Core, hwloc://PU"},
		{flat, "0", "hwloc://NUMANode", true, "not counted: NUMANode L#1 (P#1): MCDRAM is not ordinary memory, but the separate type commsplit://MCDRAM"},
		{flat, "0", "commsplit://MCDRAM", true, "members: the only rank"},
		{flat, "0", "hwloc://MemCache", true, "members: the only rank"},
		{claims, "2", "hwloc://NUMANode", true, "not counted: NUMANode L#3 (P#4): HBM is not ordinary memory, but the separate type commsplit://HBM"},
	} {
		s, held := holding(t, recorded(t, c.file, c.pus), splitType(engine.TypeHWGuided, engine.KeyHWResourceType, c.value))
		e := reason.NewReader(s).Rank(held[0], 0)
		if c.member != (held[0].Comm >= 0) {
			t.Errorf("%s, PUs %s, %s: communicator %d", c.file, c.pus, c.value, held[0].Comm)
		}
		if list := facts(e); list[len(list)-1] != c.want {
			t.Errorf("%s, PUs %s, %s:\n got %q\nwant %q", c.file, c.pus, c.value, list[len(list)-1], c.want)
		}
	}
}

// Ranks on different cores that are in no instance have the same reason.
func TestMissingTogether(t *testing.T) {
	t.Parallel()
	s, held := holding(t, recorded(t, "xml/Intel-ArrowLake-CoreUltra5-225U.xml", "12", "13"),
		splitType(engine.TypeHWGuided, engine.KeyHWResourceType, "hwloc://L3Cache"))
	list, _ := reason.NewReader(s).Handle(func(r int) reason.Held { return held[r] }, engine.AllRanks(2), 12)
	if len(list) != 1 || list[0].Ranks.String() != "0-1" || !slices.Contains(facts(list[0]), "touches: no L3Cache: the PUs lie outside all of them") {
		t.Errorf("%+v", list)
	}
}

// §7.4.2, HW_UNGUIDED: the counts of the type that is taken have only ranks that ask for a
// communicator; whether a type has a strict subset depends on the whole group. Ranks 6 and 7, which
// span cores, and 5 pass MPI_UNDEFINED.
func TestUnguidedCountsWhoAsks(t *testing.T) {
	t.Parallel()
	s, held := holding(t, figure73(t), func(p *engine.Process) (*engine.Comm, error) {
		kind := engine.TypeHWUnguided
		if r := p.Rank(); r >= 5 && r <= 7 {
			kind = engine.Undefined
		}
		return p.World().SplitType(kind, 0, nil)
	})
	var tried []string
	for _, f := range reason.NewReader(s).Rank(held[0], 0).Tried {
		tried = append(tried, f.Name+": "+f.Text)
	}
	want := []string{"hwloc://Machine: no: one instance has all 12 ranks",
		"commsplit://Rack: taken: 2 instances, 4 to 5 ranks each; 3 passed MPI_UNDEFINED"}
	if diff := cmp.Diff(want, tried); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// bridged returns the trace of a world of seven: ranks 0 to 2 and 5, 4, 3 are the groups of an
// intercommunicator, and ranks 0 to 5 made a call on it, which made some communicators.
func bridged(call engine.Call, args []engine.Column, made ...*engine.CommInfo) *engine.Snapshot {
	world := &engine.CommInfo{Parent: -1, Group: []int32{0, 1, 2, 3, 4, 5, 6}}
	inter := &engine.CommInfo{ID: 2, Context: 1, Context2: 3, Op: engine.CallIntercommCreate, Group: []int32{0, 1, 2}, Remote: []int32{5, 4, 3}, Step: 1}
	six := engine.AllRanks(6)
	column := func(v ...int32) []int32 { return v }
	s := &engine.Snapshot{Size: 7, Comms: []*engine.CommInfo{world, inter}, Steps: []engine.Step{
		{Number: 1, Call: engine.CallIntercommCreate, Ranks: six, Made: []int{2}, Args: []engine.Column{
			{Name: "local_leader", Ints: column(1, 1, 1, 0, 0, 0)},
			{Name: "remote_leader", Ints: column(9, 5, 9, 9, 9, 1)},
			{Name: "tag", Ints: column(8, 8, 8, 8, 8, 8)}}},
		{Number: 2, Call: call, Comm: 2, Ranks: six, Args: args}}}
	for i, info := range made {
		info.ID, info.Step, info.Parent, info.Op = 3+i, 2, 2, call
		s.Comms = append(s.Comms, info)
		s.Steps[1].Made = append(s.Steps[1].Made, info.ID)
	}
	return s
}

// §7.6.2, MPI_Intercomm_create: the groups of the two leaders become the two sides. Only the local
// leader's remote_leader counts: world rank 5 is leader of the right group, rank 0 there.
func TestIntercommCreateReasons(t *testing.T) {
	t.Parallel()
	s := bridged(engine.CallBarrier, nil)
	check(t, reason.NewReader(s).Rank(reason.Held{Comm: 2}, 3), told{"3", 2, []string{
		"side: the right group, 3 ranks; the left group has 3",
		"local leader: rank 0 of this group, world rank 5",
		"remote leader: rank 1 in the leader's peer_comm", "tag: 8"}, nil, "two leaders"})
	list, _ := reason.NewReader(s).Handle(func(int) reason.Held { return reason.Held{Comm: 2} }, engine.AllRanks(6), 9)
	if len(list) != 2 || list[0].Ranks.String() != "0-2" || list[1].Ranks.String() != "3-5" {
		t.Errorf("the sides are not told apart: %+v", list)
	}
}

// §7.6.2, MPI_Intercomm_merge: the group that passes high=false is first; when both pass the same,
// the group with the lowest world rank is first here.
func TestMergeReasons(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		high   []int32
		merged []int32
		first  string
	}{
		{[]int32{1, 1, 1, 0, 0, 0}, []int32{5, 4, 3, 0, 1, 2}, "the right group: it passed high=false"},
		{[]int32{0, 0, 0, 1, 1, 1}, []int32{0, 1, 2, 5, 4, 3}, "the left group: it passed high=false"},
		{[]int32{1, 1, 1, 1, 1, 1}, []int32{0, 1, 2, 5, 4, 3}, "the left group: both groups passed the same value, and this group has the lowest world rank"},
	} {
		s := bridged(engine.CallMerge, []engine.Column{{Name: "high", Ints: tt.high}}, &engine.CommInfo{Group: tt.merged, Context: 2})
		got := facts(reason.NewReader(s).Rank(reason.Held{Comm: 3}, 4))
		if got[0] != "side: the right group, rank 1 there" || got[2] != "first: "+tt.first {
			t.Errorf("high %v: %q", tt.high, got)
		}
	}
}

// §7.4.2, MPI_Comm_split of an intercommunicator: a color must be there on both sides. The left
// group passes 0,1,1, the right group (ranks 3, 4, 5) 1,2,1: color 1 makes left [1,2], right [5,3]
// in the order of their old ranks; 0 and 2 make no communicator.
func TestIntercommSplitReasons(t *testing.T) {
	t.Parallel()
	args := []engine.Column{{Name: "color", Ints: []int32{0, 1, 1, 1, 2, 1}}, {Name: "key", Ints: make([]int32, 6)}}
	made := &engine.CommInfo{Group: []int32{1, 2}, Remote: []int32{5, 3}, Context: 2}
	s := bridged(engine.CallSplit, args, made)
	check(t, reason.NewReader(s).Rank(reason.Held{Comm: 3}, 3), told{"3", 3, []string{"color: 1, passed by 2 of the 3 ranks", "key: 0",
		"side: the right group; the other group also passed color 1"},
		[]reason.Seat{{0, 0, 5, true}, {0, 2, 3, true}}, "Processes of both groups"})
	null := reason.Held{Comm: -1, Origin: &engine.Origin{Step: 2}}
	check(t, reason.NewReader(s).Rank(null, 4), told{"4", -1, []string{"color: 2",
		"side: the right group; nobody in the other group passed color 2"}, nil, "only one group passes a color"})

	ph, err := reason.Of(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []reason.Answer{{0, -1, 0, 0}, {1, 3, 0, 2}, {2, 3, 1, 2}, {3, 3, 1, 2}, {4, -1, 0, 0}, {5, 3, 0, 2}}
	if d := cmp.Diff(want, ph.Replies); d != "" {
		t.Errorf("replies (-want +got):\n%s", d)
	}
	// Each group takes a context id of its own: the left group uses 0 and 1, the right group 0 and
	// 3.
	if l, r := ph.Context[0], ph.Context[1]; l.ID != 2 || l.All != "11000000" || r.ID != 1 || r.All != "10010000" {
		t.Errorf("contexts %+v", ph.Context)
	}
}
