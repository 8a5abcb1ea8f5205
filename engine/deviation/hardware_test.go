package deviation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// given returns what a library gives each rank in the last step of a run.
func given(l Library, o outcome) [][]int32 {
	s := newScene(l, o.snapshot)
	s.enter(&o.snapshot.Steps[len(o.snapshot.Steps)-1])
	list := make([][]int32, o.snapshot.Size)
	for r := range list {
		list[r] = s.gives.group(int32(r))
	}
	return list
}

var (
	null4  = [][]int32{nil, nil, nil, nil}
	alone4 = [][]int32{{0}, {1}, {2}, {3}}
	all4   = [][]int32{{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}}
)

// What the libraries were seen to give (MPICH 4.0 to 4.2, Open MPI 5.0), for inputs where they differ
// from the text. MPICH 4.0.2 gave the same on two cores: ranks bound to 0, 1, 0-1 and 0-1, guided by
// core, are [0] [1] [2,3].
func TestHardwareSplits(t *testing.T) {
	t.Parallel()
	const onePackage, twoPackages = "pack:1 core:4", "pack:2 core:2"
	genoa := bound("pack:1 l3:3 core:8", "0-2,3-5,6-8,9-11,12-14,15-17,18-20,21-23", 8)
	for name, c := range map[string]struct {
		at             place
		value          string // of HW_GUIDED; "": HW_UNGUIDED
		mpich, openmpi [][]int32
	}{
		"all in one package, package": {bound(onePackage, "0,1,2,3", 4), "package", null4, null4},
		"all in one package, socket":  {bound(onePackage, "0,1,2,3", 4), "socket", null4, all4},
		"nobody bound, core":          {unbound(twoPackages, 4), "core", null4, alone4},
		"nobody bound, numanode":      {unbound("pack:2 numa:1 core:2", 4), "numanode", null4, alone4},
		"nobody bound, socket":        {unbound(twoPackages, 4), "socket", null4, alone4},
		"nobody bound, l3cache":       {unbound("l3:2 core:2", 4), "l3cache", null4, alone4},
		"nobody bound, node":          {unbound(twoPackages, 4), "node", null4, null4},
		"nobody bound, machine":       {unbound(twoPackages, 4), "machine", null4, null4},
		"nobody bound, host":          {unbound(twoPackages, 4), "host", null4, all4},
		"shared memory":               {unbound(twoPackages, 4), engine.ValueSharedMemory, all4, all4},
		"bogus":                       {unbound(twoPackages, 4), "sofa", null4, null4},
		"hwloc://Core":                {bound(onePackage, "0,1,2,3", 4), "hwloc://Core", null4, null4},
		"one of four not bound": {bound(onePackage, "0,0,1,0-3", 4), "core",
			[][]int32{{0, 1}, {0, 1}, {2}, {3}}, [][]int32{{0, 1}, {0, 1}, {2}, {3}}},
		"two span": {bound("pack:1 core:3", "0,1,0-1,0-1", 4), "core",
			[][]int32{{0}, {1}, {2, 3}, {2, 3}}, [][]int32{{0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2,
				3}}},
		"ompi#12812": {genoa, "l3cache",
			[][]int32{{0, 1}, {0, 1}, {2, 5}, {3, 4}, {3, 4}, {2, 5}, {6, 7}, {6, 7}},
			[][]int32{{0, 1, 2}, {0, 1, 2}, {0, 1, 2, 3, 4, 5}, {2, 3, 4, 5}, {2, 3, 4, 5}, {2, 3, 4, 5,
				6, 7},
				{5, 6, 7}, {5, 6, 7}}},
		"ompi: only the beginning counts": {bound(onePackage, "0,0,1,1", 4), "CoreXYZ",
			null4, [][]int32{{0, 1}, {0, 1}, {2, 3}, {2, 3}}},
		"mpich's own word": {bound(twoPackages, "0,1,2,3", 4), "CPU",
			[][]int32{{0, 1}, {0, 1}, {2, 3}, {2, 3}}, null4},
		"unguided, nobody bound": {unbound("pack:1 numa:1 core:4", 4), "", null4, alone4},
		"unguided, by package": {bound(twoPackages, "0,1,2,3", 4), "",
			[][]int32{{0, 1}, {0, 1}, {2, 3}, {2, 3}}, [][]int32{{0, 1}, {0, 1}, {2, 3}, {2, 3}}},
		"unguided, two a core": {bound("pack:1 numa:1 core:2", "0,0,1,1", 4), "",
			[][]int32{{0, 1}, {0, 1}, {2, 3}, {2, 3}}, [][]int32{{0}, {1}, {2}, {3}}},
		"unguided, one rank": {bound(onePackage, "0", 1), "", [][]int32{nil}, [][]int32{nil}},
		"unguided, two machines": {place{"machine:2 core:2", 4, placement.Policy{}}, "",
			[][]int32{{0, 1}, {0, 1}, {2, 3}, {2, 3}}, [][]int32{{0, 1}, {0, 1}, {2, 3}, {2, 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := guided(c.at, c.value)
			if c.value == "" {
				start = splits(c.at, engine.TypeHWUnguided, "", "")
			}
			o := start(t)
			if diff := cmp.Diff(c.mpich, given(MPICH, o)); diff != "" {
				t.Errorf("MPICH, groups by rank (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.openmpi, given(OpenMPI, o)); diff != "" {
				t.Errorf("Open MPI, groups by rank (-want +got):\n%s", diff)
			}
		})
	}
}

// ompi#12812 as a note: which rank sees which group, and what the text gives instead.
func TestOverlapIsTold(t *testing.T) {
	t.Parallel()
	o := guided(bound("pack:1 l3:3 core:8", "0-2,3-5,6-8,9-11,12-14,15-17,18-20,21-23", 8), "l3cache")(t)
	want := []Note{{Deviation: "guided-overlap", Step: 1, Call: engine.CallSplitType,
		Ranks: engine.AllRanks(8),
		Text: "broken: ranks 0-1 see [0,1,2]; rank 2 sees [0,1,2,3,4,5]; ranks 3-4 see [2,3,4,5]; " +
			"rank 5 sees [2,3,4,5,6,7]; ranks 6-7 see [5,6,7] " +
			"(here [0,1] [3,4] [6,7], ranks 2,5 MPI_COMM_NULL)"}}
	got := Compare(OpenMPI, o.snapshot, nil, nil).Notes
	for i := range got {
		got[i].Rule, got[i].Source, got[i].Where = "", "", ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// §7.4.2: processes are ranked by key, ties broken by the old rank; both libraries do the same.
func TestLibrariesOrderByKey(t *testing.T) {
	t.Parallel()
	o := callsAt(bound("pack:2 core:2", "0,1,2,3", 4), 0, func(p *engine.Process) {
		back, err := p.World().Split(0, -p.Rank())
		if err != nil {
			panic(err)
		}
		back.SplitType(engine.TypeHWGuided, p.Rank()%2, asking(engine.KeyHWResourceType, "socket"))
	})(t)
	want := [][]int32{{0, 1}, {0, 1}, {2, 3}, {2, 3}}
	for _, l := range []Library{MPICH, OpenMPI} {
		if diff := cmp.Diff(want, given(l, o)); diff != "" {
			t.Errorf("%s, groups by rank (-want +got):\n%s", l, diff)
		}
		if got := names(l, o); got != nil {
			t.Errorf("%s differs: %q", l, got)
		}
	}
}

// A library uses the bindings at the call, too: later moves do not change its answer.
func TestLibrariesAtTheCall(t *testing.T) {
	t.Parallel()
	split := func(p *engine.Process) {
		p.World().SplitType(engine.TypeHWGuided, 0, asking(engine.KeyHWResourceType, "socket"))
	}
	o := callsAt(bound("pack:2 core:2", "0,1,2,3", 4), 0, func(p *engine.Process) {
		p.Bind(hw.SetOf(0, 2))
		split(p)
		p.Bind(hw.SetOf(p.Rank()))
		split(p)
		p.Bind(hw.SetOf(1))
	})(t)
	if diff := cmp.Diff([][]int32{{0, 1}, {0, 1}, {2, 3}, {2, 3}}, given(OpenMPI, outcome{snapshot: o.snapshot.At(4)})); diff != "" {
		t.Errorf("second split, groups by rank (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]int32{{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}}, given(OpenMPI, outcome{snapshot: o.snapshot.At(2)})); diff != "" {
		t.Errorf("first split, groups by rank (-want +got):\n%s", diff)
	}
	var steps []int
	for _, n := range Compare(OpenMPI, o.snapshot, nil, nil).Notes {
		steps = append(steps, n.Step)
	}
	if diff := cmp.Diff([]int{2}, steps); diff != "" {
		t.Errorf("steps at which Open MPI differs (-want +got):\n%s", diff)
	}
}

// MPICH has one word for all kinds of special memory, Open MPI none.
func TestWordsForMemory(t *testing.T) {
	t.Parallel()
	node, tier := &hw.Resource{Type: hw.NUMANode}, &hw.Resource{Type: hw.NUMANode, Subtype: "MCDRAM"}
	got := []string{MPICH.word(node), MPICH.word(tier), OpenMPI.word(node), OpenMPI.word(tier)}
	if diff := cmp.Diff([]string{"numanode", "hbm", "numanode", ""}, got); diff != "" {
		t.Error(diff)
	}
}
