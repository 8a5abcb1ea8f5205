package engine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/hw/preset"
)

// level is one communicator of a recursive unguided split.
type level struct {
	Resource string // as the info object tells
	Group    []int32
}

// descend splits as Example 7.5 does until MPI_COMM_NULL comes back.
func descend(p *engine.Process) ([]level, error) {
	var found []level
	for c := p.World(); ; {
		rank, err := c.Rank()
		if err != nil {
			return nil, err
		}
		info := engine.NewInfo()
		next, err := c.SplitType(engine.TypeHWUnguided, rank, info)
		if err != nil {
			return nil, err
		}
		resource, set, err := info.Get(engine.KeyHWResourceType)
		if err != nil {
			return nil, err
		}
		if set != !next.IsNull() {
			return nil, fmt.Errorf("info key set: %t, member: %t", set, !next.IsNull())
		}
		if next == nil {
			return found, nil
		}
		g, err := next.Group()
		if err != nil {
			return nil, err
		}
		if next.Info().Resource != resource {
			return nil, fmt.Errorf("info says %q, the communicator %q", resource, next.Info().Resource)
		}
		found = append(found, level{resource, g.WorldRanks()})
		c = next
	}
}

// §7.4.2, Example 7.5, Figure 7.3: first the racks, then the NUMA nodes of rack 0 and the CPUs of
// rack 1, and so on down to the cores. P6 and P7 may use both cores of their CPU and end with it.
func TestFigure73(t *testing.T) {
	t.Parallel()
	const rack, numa = "commsplit://Rack", "hwloc://NUMANode"
	const cpu, core = "hwloc://Package", "hwloc://Core"
	racks := [][]int32{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11}}
	numas := [][]int32{{0, 1, 2, 3}, {4, 5, 6, 7}}
	var want [][]level
	for r := range int32(12) {
		pair := []int32{r &^ 1, r | 1}
		path := []level{{rack, racks[r/8]}}
		if r < 8 {
			path = append(path, level{numa, numas[r/4]})
		}
		path = append(path, level{cpu, pair})
		if r != 6 && r != 7 {
			path = append(path, level{core, []int32{r}})
		}
		want = append(want, path)
	}
	for name, cfg := range map[string]engine.Config{
		"by hand": figure73(), "preset": presetFigure73(t),
	} {
		if diff := cmp.Diff(want, perRank(t, cfg, descend)); diff != "" {
			t.Errorf("%s: communicators by rank (-want +got):\n%s", name, diff)
		}
	}
}

// presetFigure73 is the same machine as users get it, with the binding list that they write.
func presetFigure73(t *testing.T) engine.Config {
	t.Helper()
	topology, ok := preset.Lookup("figure-7.3")
	if !ok {
		t.Fatal("no preset figure-7.3")
	}
	bindings, err := placement.Place(topology, 12, placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"})
	if err != nil {
		t.Fatal(err)
	}
	return engine.Config{Topology: topology, Bindings: bindings}
}

// §7.4.2: newcomm is a strict subset of comm. One package, all ranks in it: neither the machine nor
// the package nor the NUMA node is strict, the cores are.
func TestUnguidedIsStrict(t *testing.T) {
	t.Parallel()
	host := machine(4, local(part(hw.Package, 0, 0, 3, cores(0, 3)...), 0))
	topology := hw.New("one package", host)
	for name, c := range map[string]struct {
		bindings []*hw.Binding
		want     [][]level
	}{
		"a core each": {bind(hw.SetOf(0), hw.SetOf(3)),
			[][]level{{{"hwloc://Core", []int32{0}}}, {{"hwloc://Core", []int32{1}}}}},
		"all on one core": {bind(hw.SetOf(2), hw.SetOf(2)), [][]level{nil, nil}},
		"nobody bound":    {bind(hw.SetRange(0, 3), hw.SetRange(0, 3)), [][]level{nil, nil}},
		"a single rank":   {bind(hw.SetOf(0)), [][]level{nil}},
		"one of two spans": {bind(hw.SetOf(0), hw.SetOf(0, 1)),
			[][]level{{{"hwloc://Core", []int32{0}}}, nil}},
		"all members included": {bind(hw.SetOf(1), hw.SetOf(0), hw.SetOf(1), hw.SetOf(0, 1)),
			[][]level{{{"hwloc://Core", []int32{0, 2}}}, {{"hwloc://Core", []int32{1}}},
				{{"hwloc://Core", []int32{0, 2}}}, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := perRank(t, engine.Config{Topology: topology, Bindings: c.bindings}, descend)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("communicators by rank (-want +got):\n%s", diff)
			}
		})
	}
}

// §7.4.2: "All MPI processes in the group associated with comm that utilize that specific hardware
// resource type instance [...] are included": what all processes use is not strict because one of
// them passes MPI_UNDEFINED. The machine holds all three, so the split is by core.
func TestUnguidedBesideUndefined(t *testing.T) {
	t.Parallel()
	cfg := engine.Config{Topology: hw.New("one", machine(2, cores(0, 1)...)),
		Bindings: bind(hw.SetOf(0), hw.SetOf(1), hw.SetOf(1))}
	views := perRank(t, cfg, func(p *engine.Process) (view, error) {
		kind := engine.TypeHWUnguided
		if p.Rank() == 2 {
			kind = engine.Undefined
		}
		return looking(p.World().SplitType(kind, 0, nil))
	})
	wantParts(t, views, [][]int32{{0}, {1}})
	if views[0].Resource != "hwloc://Core" {
		t.Errorf("resource %q, want the core", views[0].Resource)
	}
}

// §9.1.2: each key names a hardware resource type, its value is "true" if the process is restricted
// to a single instance of it and "false" otherwise.
func TestHWResourceInfo(t *testing.T) {
	t.Parallel()
	types := []string{"hwloc://Machine", "hwloc://Package", "hwloc://NUMANode", "hwloc://Core",
		"hwloc://PU"}
	want := [][]string{
		0: {"true", "true", "true", "true", "true"},
		4: {"true", "true", "true", "false", "false"},
		5: {"true", "false", "false", "false", "false"},
	}
	got := perRank(t, twoPackages(), func(p *engine.Process) (list []string, err error) {
		info := p.HWResourceInfo()
		if n, err := info.Len(); err != nil || n != len(types) {
			return nil, fmt.Errorf("%d keys (%v)", n, err)
		}
		for _, key := range types {
			value, _, err := info.Get(key)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, info.Free()
	})
	for _, rank := range []int{0, 4, 5} {
		if diff := cmp.Diff(want[rank], got[rank]); diff != "" {
			t.Errorf("rank %d (-want +got):\n%s", rank, diff)
		}
	}
}

// A world without a topology is one machine with a PU for each rank (Config.Topology).
func TestDefaultMachine(t *testing.T) {
	t.Parallel()
	wantParts(t, splitting(t, ofSize(3), engine.TypeShared, zero, noInfo), [][]int32{{0, 1, 2}})
	views := splitting(t, ofSize(3), engine.TypeHWUnguided, zero, noInfo)
	wantParts(t, views, [][]int32{{0}, {1}, {2}})
	names := perRank(t, ofSize(2), func(p *engine.Process) (string, error) {
		return p.ProcessorName(), nil
	})
	if names[0] == "" || names[0] != names[1] {
		t.Errorf("host names %q", names)
	}
}

// §9.1.2 in numbers: the logical index of the one instance, by any name of the resource type, and
// MPI_UNDEFINED where there is none or several.
func TestHardwareIndex(t *testing.T) {
	t.Parallel()
	got := perRank(t, twoPackages(), func(p *engine.Process) (list []int, err error) {
		for _, name := range []string{"hwloc://Package", "socket", "numanode", "core", "sofa"} {
			list = append(list, p.HardwareIndex(name))
		}
		return list, nil
	})
	want := [][]int{{0, 0, 0, 0, null}, {0, 0, 0, 1, null}, {1, 1, 1, 2, null}, {1, 1, 1, 3, null},
		{1, 1, 1, null, null}, {null, null, null, null, null}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("indexes by rank (-want +got):\n%s", diff)
	}
}
