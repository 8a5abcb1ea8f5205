package reason_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/hw"
	"commsplit/hw/source"
)

// recorded is a recorded machine with a rank on each of some sets of PUs.
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

// What machines lack, and what of theirs does not count. The sets are those of the recordings: on
// ArrowLake the L3 holds PUs 0-11 and the LP-E cores, 10 and 11, have PUs 12 and 13; where CPU 0 and
// node 0 are off, node 1 holds the odd PUs, and core 0 is PU 4.
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
		{arrow, "12", "hwloc://L3Cache", false, "touches: no L3Cache: Core L#10 (P#32) lies outside of all of them"},
		{arrow, "12-13", "hwloc://L3Cache", false, "touches: no L3Cache: Core L#10-11 (P#32-33) lie outside of all of them"},
		{arrow, "0-11", "hwloc://L3Cache", true, "members: the only rank"},
		{arrow, "12", "hwloc://L1iCache", true, "members: the only rank"},
		{offline, "4", "hwloc://NUMANode", false, "touches: no NUMANode: Core L#0 (P#2) lies outside of all of them"},
		{offline, "5", "hwloc://NUMANode", true, "members: the only rank"},
		{zen, "0-383", "hwloc://L3Cache", false, "touches: L3Cache L#0-23: 24 instances, so the rank is not restricted to one"},
		{zen, "0,8,32,95,96", "hwloc://L3Cache", false, "touches: L3Cache L#0-1,4,11-12: 5 instances, so the rank is not restricted to one"},
		{zen, "0,16,32,48,64", "hwloc://L3Cache", false, "touches: L3Cache L#0,2,4,6,...: 5 instances, so the rank is not restricted to one"},
		{zen, "0", "hwloc://L4Cache", false, "resource: no instance of hwloc://L4Cache on this machine, which has hwloc://Machine, hwloc://NUMANode, " +
			"hwloc://Package, hwloc://Die, hwloc://L3Cache, hwloc://L2Cache, hwloc://L1Cache, hwloc://L1iCache, hwloc://Core, hwloc://PU"},
		{flat, "0", "hwloc://NUMANode", true, "not counted: NUMANode L#1 (P#1): MCDRAM is no ordinary memory, and a type of its own, commsplit://MCDRAM"},
		{flat, "0", "commsplit://MCDRAM", true, "members: the only rank"},
		{flat, "0", "hwloc://MemCache", true, "members: the only rank"},
		{claims, "2", "hwloc://NUMANode", true, "not counted: NUMANode L#3 (P#4): HBM is no ordinary memory, and a type of its own, commsplit://HBM"},
	} {
		s, held := holding(t, recorded(t, c.file, c.pus), splitType(engine.TypeHWGuided, engine.KeyHWResourceType, c.value))
		e := reason.Rank(s, held[0], 0)
		if c.member != (held[0].Comm >= 0) {
			t.Errorf("%s, PUs %s, %s: communicator %d", c.file, c.pus, c.value, held[0].Comm)
		}
		if list := facts(e); list[len(list)-1] != c.want {
			t.Errorf("%s, PUs %s, %s:\n got %q\nwant %q", c.file, c.pus, c.value, list[len(list)-1], c.want)
		}
	}
}

// Ranks on different cores that are in no instance have one reason in common.
func TestMissingTogether(t *testing.T) {
	t.Parallel()
	s, held := holding(t, recorded(t, "xml/Intel-ArrowLake-CoreUltra5-225U.xml", "12", "13"),
		splitType(engine.TypeHWGuided, engine.KeyHWResourceType, "hwloc://L3Cache"))
	list, _ := reason.Handle(s, func(r int) reason.Held { return held[r] }, engine.AllRanks(2), 12)
	if len(list) != 1 || list[0].Ranks.String() != "0-1" || !slices.Contains(facts(list[0]), "touches: no L3Cache: the PUs lie outside of all of them") {
		t.Errorf("%+v", list)
	}
}

// §7.4.2, HW_UNGUIDED: of the type taken only ranks that ask for a communicator count; the others of
// the group count in what is strict. Ranks 6 and 7, which span cores, and 5 pass MPI_UNDEFINED.
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
	for _, f := range reason.Rank(s, held[0], 0).Tried {
		tried = append(tried, f.Name+": "+f.Text)
	}
	want := []string{"hwloc://Machine: no: one instance has all 12 ranks",
		"commsplit://Rack: taken: 2 instances, 4 to 5 ranks each; 3 passed MPI_UNDEFINED"}
	if diff := cmp.Diff(want, tried); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
