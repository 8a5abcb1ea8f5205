package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
)

// naming makes an info object with one pair, to ask for a resource.
func naming(key, value string) *engine.Info {
	info := engine.NewInfo()
	if err := info.Set(key, value); err != nil {
		panic(err)
	}
	return info
}

// splitting runs MPI_Comm_split_type on the world of cfg, each rank with its own info.
func splitting(t tester, cfg engine.Config, kind engine.SplitType, key func(rank int) int,
	info func() *engine.Info) []view {
	t.Helper()
	return perRank(t, cfg, func(p *engine.Process) (view, error) {
		return looking(p.World().SplitType(kind, key(p.Rank()), info()))
	})
}

func zero(int) int           { return 0 }
func backwards(rank int) int { return -rank }
func noInfo() *engine.Info   { return nil }

// §7.4.2: MPI_COMM_TYPE_SHARED puts the processes of one shared memory domain together; within a
// subgroup they are ranked by key, ties broken by the old rank.
func TestSplitTypeShared(t *testing.T) {
	t.Parallel()
	topology, bindings := twoNodes()
	cfg := engine.Config{Topology: topology, Bindings: bindings}
	wantParts(t, splitting(t, cfg, engine.TypeShared, zero, noInfo), [][]int32{{0, 1}, {2, 3}})
	wantParts(t, splitting(t, cfg, engine.TypeShared, backwards, noInfo),
		[][]int32{{1, 0}, {3, 2}})
}

// §7.4.2: a guided split gives a communicator for each instance of the resource type: the largest set
// of processes that use that instance and no other. A process that uses several instances gets
// MPI_COMM_NULL. There is no strict-subset rule: a resource that all processes share gives a
// communicator of all of them.
func TestSplitTypeGuided(t *testing.T) {
	t.Parallel()
	for resource, want := range map[string][][]int32{
		"hwloc://Core":     {{0}, {1}, {2}, {3}},
		"hwloc://PU":       {{0}, {1}, {2}, {3}},
		"hwloc://Package":  {{0, 1}, {2, 3, 4}},
		"hwloc://NUMANode": {{0, 1}, {2, 3, 4}},
		"hwloc://Machine":  {{0, 1, 2, 3, 4, 5}},
		// The value is equivalent to MPI_COMM_TYPE_SHARED.
		engine.ValueSharedMemory: {{0, 1, 2, 3, 4, 5}},
	} {
		for _, kind := range []engine.SplitType{engine.TypeHWGuided, engine.TypeResourceGuided} {
			t.Run(resource+" "+kind.String(), func(t *testing.T) {
				t.Parallel()
				views := splitting(t, twoPackages(), kind, zero, func() *engine.Info {
					return naming(engine.KeyHWResourceType, resource)
				})
				wantParts(t, views, want)
			})
		}
	}
}

// §7.4.2: instances belong to a host: the first NUMA nodes of two hosts are different instances.
func TestSplitTypeGuidedPerHost(t *testing.T) {
	t.Parallel()
	topology, bindings := twoNodes()
	views := splitting(t, engine.Config{Topology: topology, Bindings: bindings},
		engine.TypeHWGuided, backwards, func() *engine.Info {
			return naming(engine.KeyHWResourceType, "hwloc://NUMANode")
		})
	wantParts(t, views, [][]int32{{1, 0}, {3, 2}})
	for rank, v := range views {
		if v.Resource != "hwloc://NUMANode" {
			t.Errorf("rank %d: resource %q", rank, v.Resource)
		}
	}
}

// §7.4.2, the list of cases in which a guided split returns MPI_COMM_NULL.
func TestSplitTypeGuidedNull(t *testing.T) {
	t.Parallel()
	both := []engine.SplitType{engine.TypeHWGuided, engine.TypeResourceGuided}
	resource := func(value string) func() *engine.Info {
		return func() *engine.Info { return naming(engine.KeyHWResourceType, value) }
	}
	for name, info := range map[string]func() *engine.Info{
		"MPI_INFO_NULL":      noInfo,
		"no key":             engine.NewInfo,
		"another key":        func() *engine.Info { return naming("color", "red") },
		"unknown value":      resource("hwloc://Sofa"),
		"empty value":        resource(""),
		"none such here":     resource("hwloc://L3Cache"),
		"reserved provider":  resource("mpi://Core"),
		"process set, world": func() *engine.Info { return naming(engine.KeyPsetName, "mpi://WORLD") },
	} {
		for _, kind := range both {
			t.Run(name+" "+kind.String(), func(t *testing.T) {
				t.Parallel()
				wantParts(t, splitting(t, twoPackages(), kind, zero, info), nil)
			})
		}
	}
}

// §7.4.2: all processes must provide the same split_type, except MPI_UNDEFINED, and the same key
// and value; MPI_COMM_TYPE_RESOURCE_GUIDED takes one of the two keys, not both.
func TestSplitTypeErroneous(t *testing.T) {
	t.Parallel()
	numa := func() *engine.Info { return naming(engine.KeyHWResourceType, "hwloc://NUMANode") }
	core := func() *engine.Info { return naming(engine.KeyHWResourceType, "hwloc://Core") }
	pset := func() *engine.Info { return naming(engine.KeyPsetName, "hwloc://NUMANode") }
	both := func() *engine.Info {
		info := numa()
		if err := info.Set(engine.KeyPsetName, "app://ocean"); err != nil {
			panic(err)
		}
		return info
	}
	guided, resource := engine.TypeHWGuided, engine.TypeResourceGuided
	for name, c := range map[string]struct {
		kinds [2]engine.SplitType // of ranks 0 to 4, and of rank 5
		infos [2]func() *engine.Info
		sides []string
	}{
		"types": {[2]engine.SplitType{engine.TypeShared, guided}, [2]func() *engine.Info{noInfo, noInfo},
			[]string{"ranks 0-4 pass MPI_COMM_TYPE_SHARED", "rank 5 passes MPI_COMM_TYPE_HW_GUIDED"}},
		"values": {[2]engine.SplitType{guided, guided}, [2]func() *engine.Info{numa, core},
			[]string{`ranks 0-4 pass mpi_hw_resource_type="hwloc://NUMANode"`,
				`rank 5 passes mpi_hw_resource_type="hwloc://Core"`}},
		"a value and none": {[2]engine.SplitType{guided, guided}, [2]func() *engine.Info{numa, noInfo},
			[]string{"rank 5 passes no resource"}},
		"keys": {[2]engine.SplitType{resource, resource}, [2]func() *engine.Info{numa, pset},
			[]string{`rank 5 passes mpi_pset_name="hwloc://NUMANode"`}},
		"both keys": {[2]engine.SplitType{resource, resource}, [2]func() *engine.Info{both, both},
			[]string{"only one of the info keys"}},
		"no such type": {[2]engine.SplitType{12345, -7}, [2]func() *engine.Info{noInfo, noInfo},
			[]string{"ranks 0-4: split_type 12345; rank 5: split_type -7"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try(t, twoPackages(), func(p *engine.Process) error {
				p.At(engine.Site{File: "demo.py", Line: 4})
				side := p.Rank() / 5
				_, err := p.World().SplitType(c.kinds[side], 0, c.infos[side]())
				return err
			})
			e := wantClass(t, err, engine.ErrArg)
			if e.Ranks.String() != "0-5" {
				t.Errorf("raised on %s, want on all ranks", e.Ranks)
			}
			wantText(t, e.Error(), append(c.sides, "demo.py:4", "§7.4.2")...)
		})
	}
}

// §7.4.2: MPI_COMM_TYPE_HW_GUIDED does not know mpi_pset_name, which so means nothing besides
// mpi_hw_resource_type.
func TestSplitTypeGuidedIgnoresPset(t *testing.T) {
	t.Parallel()
	views := splitting(t, twoPackages(), engine.TypeHWGuided, zero, func() *engine.Info {
		info := naming(engine.KeyPsetName, "app://ocean")
		if err := info.Set(engine.KeyHWResourceType, "hwloc://Package"); err != nil {
			panic(err)
		}
		return info
	})
	wantParts(t, views, [][]int32{{0, 1}, {2, 3, 4}})
}

// §7.4.2: only the processes of a process set must agree on mpi_pset_name, so processes of different
// sets may name their own set, and others none. No set is valid on a communicator that is not derived
// from a session: all processes get MPI_COMM_NULL.
func TestSplitTypeDifferentPsets(t *testing.T) {
	t.Parallel()
	views := perRank(t, twoPackages(), func(p *engine.Process) (view, error) {
		info := [3]*engine.Info{naming(engine.KeyPsetName, "app://ocean"),
			naming(engine.KeyPsetName, "app://atmos"), nil}[p.Rank()%3]
		return looking(p.World().SplitType(engine.TypeResourceGuided, 0, info))
	})
	wantParts(t, views, nil)
}

// §7.4.2: a process may pass MPI_UNDEFINED while others split; its info and key do not matter then, as
// in Example 9.1.
func TestSplitTypeUndefined(t *testing.T) {
	t.Parallel()
	views := perRank(t, twoPackages(), func(p *engine.Process) (view, error) {
		if p.Rank() == 0 || p.Rank() == 3 {
			info := naming(engine.KeyHWResourceType, "hwloc://Sofa")
			return looking(p.World().SplitType(engine.Undefined, -1, info))
		}
		info := naming(engine.KeyHWResourceType, "hwloc://Package")
		return looking(p.World().SplitType(engine.TypeHWGuided, 0, info))
	})
	wantParts(t, views, [][]int32{{1}, {2, 4}})
	views = splitting(t, twoPackages(), engine.Undefined, zero, noInfo)
	wantParts(t, views, nil)
}

// A freed info object is an error (§10); it is not the absence of hints, unlike MPI_INFO_NULL.
func TestSplitTypeFreedInfo(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		info := engine.NewInfo()
		if err := info.Free(); err != nil {
			return nil, err
		}
		_, err := p.World().SplitType(engine.TypeHWGuided, 0, info)
		wantClass(t, err, engine.ErrInfo)
		return nil, nil
	})
}

// uneven is a random host where some objects are missing: for each resource type it has the sets of
// PUs of its instances, as they were drawn.
type uneven struct {
	topology *hw.Topology
	sets     map[string][]hw.Set
}

// drawUneven draws packages of caches of cores. A cache level, a NUMA node or its special memory may
// be missing over a part; an instruction cache may span two cores.
func drawUneven(t *rapid.T) uneven {
	u := uneven{sets: map[string][]hw.Set{}}
	var objects, nodes []*hw.Object
	add := func(typ hw.Type, lo, hi int) {
		objects = append(objects, &hw.Object{Type: typ, OSIndex: hw.Unknown, CPUSet: hw.SetRange(lo, hi)})
		uri := "hwloc://" + typ.String()
		u.sets[uri] = append(u.sets[uri], hw.SetRange(lo, hi))
	}
	node := func(tier string, lo, hi int) {
		nodes = append(nodes, &hw.Object{Type: hw.NUMANode, Subtype: tier, OSIndex: len(nodes),
			CPUSet: hw.SetRange(lo, hi), NodeSet: hw.SetOf(len(nodes))})
	}
	has := func(what string) bool { return rapid.Bool().Draw(t, what) }
	pu := 0
	var plain, special []hw.Set
	for range rapid.IntRange(1, 3).Draw(t, "packages") {
		first := pu
		for range rapid.IntRange(1, 3).Draw(t, "caches") {
			last := pu + 2*rapid.IntRange(1, 2).Draw(t, "pairs of cores") - 1
			if has("L3") {
				add(hw.L3Cache, pu, last)
			}
			if has("node") {
				node("", pu, last)
				plain = append(plain, hw.SetRange(pu, last))
			}
			for ; pu <= last; pu += 2 {
				if has("L1i") {
					add(hw.L1iCache, pu, pu+1)
				}
				for k := range 2 {
					add(hw.Core, pu+k, pu+k)
					add(hw.PU, pu+k, pu+k)
				}
			}
		}
		add(hw.Package, first, pu-1)
		if has("HBM") {
			node("HBM", first, pu-1)
			special = append(special, hw.SetRange(first, pu-1))
		}
	}
	if len(nodes) == 0 { // then the machine is a single NUMA node
		plain = append(plain, hw.SetRange(0, pu-1))
	}
	machine := &hw.Object{Type: hw.Machine}
	hw.Build(machine, objects, nodes)
	u.topology = hw.New("uneven", machine)
	u.sets["hwloc://NUMANode"], u.sets["commsplit://HBM"] = counted(plain, special), special
	return u
}

// counted returns the nodes that count as instances: a node of special memory counts only when one of
// its PUs has no other memory.
func counted(plain, special []hw.Set) []hw.Set {
	list := slices.Clone(plain)
	for _, s := range special {
		alone := slices.ContainsFunc(s.Indexes(), func(pu int) bool {
			return !slices.ContainsFunc(plain, func(p hw.Set) bool { return p.Has(pu) })
		})
		if alone {
			list = append(list, s)
		}
	}
	return list
}

// restricted returns, for each set, the ranks that meet this set and no other. Sets are ordered by
// their lowest PU; sets without such ranks are left out.
func restricted(sets []hw.Set, bindings []*hw.Binding) [][]int32 {
	sets = slices.Clone(sets)
	slices.SortFunc(sets, func(a, b hw.Set) int { return a.First() - b.First() })
	parts := make([][]int32, len(sets))
	for rank, b := range bindings {
		hits, at := 0, 0
		for i, s := range sets {
			if s.Intersects(b.CPUSet) {
				hits, at = hits+1, i
			}
		}
		if hits == 1 {
			parts[at] = append(parts[at], int32(rank))
		}
	}
	return slices.DeleteFunc(parts, func(p []int32) bool { return p == nil })
}

// §7.4.2 on machines where levels are missing: a guided split by any type that the machine has agrees
// with the sets of PUs, and no rank gets a communicator by another type.
func TestGuidedByEveryType(t *testing.T) {
	t.Parallel()
	names := []string{"hwloc://Package", "hwloc://L3Cache", "hwloc://L1iCache", "hwloc://Core", "hwloc://PU",
		"hwloc://NUMANode", "commsplit://HBM"}
	rapid.Check(t, func(t *rapid.T) {
		u := drawUneven(t)
		_, bindings := drawBindings(t, u.topology.Root.CPUSet.Len())
		name := rapid.SampledFrom(names).Draw(t, "type")
		cfg := engine.Config{Topology: u.topology, Bindings: bindings}
		views := splitting(t, cfg, engine.TypeHWGuided, zero, func() *engine.Info {
			return naming(engine.KeyHWResourceType, name)
		})
		wantParts(t, views, restricted(u.sets[name], bindings))
		if r, _ := u.topology.Lookup(name); (r != nil) != (len(u.sets[name]) > 0) {
			t.Errorf("%s is a resource type: %t", name, r != nil)
		}
	})
}

// level is a communicator of a recursive unguided split.
type level struct {
	Resource string // from the info object
	Group    []int32
}

// descend splits as Example 7.5 does until it gets MPI_COMM_NULL.
func descend(p *engine.Process) ([]level, error) {
	var found []level
	for c := p.World(); ; {
		rank := c.Rank()
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

// §7.4.2, Example 7.5, Figure 7.3: first the racks, then the NUMA nodes of rack 0 and the CPUs of rack
// 1, and so on down to the cores. P6 and P7 may use both cores of their CPU, so their last
// communicator is that of the CPU.
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

// presetFigure73 returns the same machine as users get it, with the binding list that they write.
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
// resource type instance [...] are included": a resource that all processes use does not become a
// strict subset because one of them passes MPI_UNDEFINED. The machine holds all three, so the split is
// by core.
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

// §9.1.2: each key names a hardware resource type; its value is "true" if the process is restricted to
// a single instance of the type and "false" otherwise.
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

// §9.1.2 in numbers: HardwareIndex returns the logical index of the only instance, by any name of the
// resource type, and MPI_UNDEFINED where a process is restricted to no single instance.
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

// everybody makes a communicator of mpi://WORLD that derives from a session, the ranks in reverse
// order.
func everybody(p *engine.Process) (*engine.Comm, error) {
	ranks := make([]int, p.Size())
	for i := range ranks {
		ranks[i] = p.Size() - 1 - i
	}
	return fromRanks(p, "everybody", ranks...)
}

// bySet splits a communicator of everybody by the info object that each rank passes.
func bySet(p *engine.Process, key int, info *engine.Info) (view, error) {
	c, err := everybody(p)
	if err != nil {
		return view{}, err
	}
	return looking(c.SplitType(engine.TypeResourceGuided, key, info))
}

func pset(name string) *engine.Info { return naming(engine.KeyPsetName, name) }

// §7.4.2: the processes of the communicator that are in the named process set form the new
// communicator, ranked by key, ties broken by the old rank; the others get MPI_COMM_NULL.
func TestPsetSplit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  string
		key  func(rank int) int
		want [][]int32
	}{
		"old ranks":   {"app://ocean", zero, [][]int32{{4, 2, 0}}},
		"keys":        {"app://ocean", func(r int) int { return r }, [][]int32{{0, 2, 4}}},
		"everybody":   {"mpi://world", zero, [][]int32{{5, 4, 3, 2, 1, 0}}},
		"unknown":     {"app://oceans", zero, nil},
		"other case":  {"APP://OCEAN", zero, nil},
		"each itself": {"mpi://SELF", zero, [][]int32{{5}, {4}, {3}, {2}, {1}, {0}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			views := perRank(t, seas(), func(p *engine.Process) (view, error) {
				return bySet(p, c.key(p.Rank()), pset(c.set))
			})
			wantParts(t, views, append([][]int32{{5, 4, 3, 2, 1, 0}}, c.want...)[1:])
		})
	}
}

// §7.4.2: the set must be valid in the session from which comm is derived; the new communicator has
// the set's name, as the standard writes it.
func TestPsetSplitRemembersTheSet(t *testing.T) {
	t.Parallel()
	perRank(t, seas(), func(p *engine.Process) (any, error) {
		c, err := everybody(p)
		if err != nil {
			return nil, err
		}
		for given, want := range map[string]string{"mpi://world": "mpi://WORLD"} {
			d, err := c.SplitType(engine.TypeResourceGuided, 0, pset(given))
			if err != nil {
				return nil, err
			}
			if i := d.Info(); i.Pset != want || i.Resource != "" {
				t.Errorf("%s: set %q, resource %q", given, i.Pset, i.Resource)
			}
		}
		w, err := p.World().SplitType(engine.TypeResourceGuided, 0, pset("mpi://WORLD"))
		if w != nil {
			t.Error("a communicator of the World Model has process sets")
		}
		return nil, err
	})
}

// §7.4.2: only the processes that are both in comm and in the named set must pass the same key and
// value. So processes may name different sets in one call, and a process in none of these sets may
// name any set; a process that passes MPI_UNDEFINED need not agree.
func TestPsetSplitDisjointSets(t *testing.T) {
	t.Parallel()
	cfg := engine.Config{Size: 6, Psets: []engine.Pset{
		{Name: "app://ocean", Ranks: engine.RanksOf(0, 1)}, {Name: "app://atmos", Ranks: engine.RanksOf(3, 4)}}}
	for name, others := range map[string]string{
		"none": "", "a foreign set": "app://ocean", "an unknown set": "app://ice", "itself": "mpi://SELF",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			views := perRank(t, cfg, func(p *engine.Process) (view, error) {
				var info *engine.Info
				switch {
				case p.Rank() < 2:
					info = pset("app://ocean")
				case p.Rank() == 3 || p.Rank() == 4:
					info = pset("app://atmos")
				case others != "":
					info = pset(others)
				}
				c, err := everybody(p)
				if err != nil {
					return view{}, err
				}
				kind := engine.TypeResourceGuided
				if p.Rank() == 4 {
					kind, info = engine.Undefined, pset("app://ocean")
				}
				return looking(c.SplitType(kind, 0, info))
			})
			want := [][]int32{{1, 0}, {3}}
			if name == "itself" {
				want = append(want, []int32{5}, []int32{2})
			}
			wantParts(t, views, want)
		})
	}
}

// §7.4.2: all processes that are both in comm and in the named set must provide the same key and the
// same value; the hardware key must be the same on all of comm. All processes get the error, which
// names the sides.
func TestPsetSplitErroneous(t *testing.T) {
	t.Parallel()
	core := func() *engine.Info { return naming(engine.KeyHWResourceType, "hwloc://Core") }
	for name, c := range map[string]struct {
		info  func(rank int) *engine.Info
		sides []string
	}{
		"overlap": {func(r int) *engine.Info { // rank 4 is in both sets
			if r == 0 || r == 2 {
				return pset("app://ocean")
			}
			return pset("app://atmos")
		}, []string{`"app://ocean"`, `ranks 0,2 pass mpi_pset_name="app://ocean"`, `rank 4 passes mpi_pset_name="app://atmos"`}},
		"a member passes none": {func(r int) *engine.Info {
			if r == 3 {
				return nil
			}
			return pset("app://atmos")
		}, []string{`ranks 4-5 pass mpi_pset_name="app://atmos"`, "rank 3 passes no resource"}},
		"a stranger names a set whose members differ": {func(r int) *engine.Info {
			switch r {
			case 1:
				return pset("app://ocean")
			case 0:
				return pset("app://ice")
			}
			return nil
		}, []string{`rank 0 passes mpi_pset_name="app://ice"`, "ranks 2,4 pass no resource"}},
		"the hardware key": {func(r int) *engine.Info {
			if r == 1 { // in neither set
				return core()
			}
			return pset("app://ocean")
		}, []string{`rank 1 passes mpi_hw_resource_type="hwloc://Core"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try(t, seas(), func(p *engine.Process) error {
				_, err := bySet(at(p, 4), 0, c.info(p.Rank()))
				return err
			})
			e := wantClass(t, err, engine.ErrArg)
			if e.Ranks.String() != "0-5" {
				t.Errorf("raised on %s, want on all ranks", e.Ranks)
			}
			wantText(t, e.Error(), append(c.sides, "demo.py:4", "§7.4.2")...)
		})
	}
}
