package engine_test

import (
	"testing"

	"commsplit/engine"
)

// naming is an info object that asks for a resource.
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

// §7.4.2: a guided split gives a communicator for each instance of the resource type: the largest
// set of processes that use that instance and no other. Who uses several gets MPI_COMM_NULL, and
// there is no strict-subset rule: a resource that all share gives a communicator of all.
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

// §7.4.2: instances are of one host: the first NUMA nodes of two hosts are different ones.
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

// §7.4.2: MPI_COMM_TYPE_HW_GUIDED does not know mpi_pset_name, so beside mpi_hw_resource_type it
// means nothing.
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

// §7.4.2: only the processes of a process set must agree on mpi_pset_name, so those of different
// sets may name their own, and others none. No set is valid on a communicator that is not derived
// from a session: all get MPI_COMM_NULL.
func TestSplitTypeDifferentPsets(t *testing.T) {
	t.Parallel()
	views := perRank(t, twoPackages(), func(p *engine.Process) (view, error) {
		info := [3]*engine.Info{naming(engine.KeyPsetName, "app://ocean"),
			naming(engine.KeyPsetName, "app://atmos"), nil}[p.Rank()%3]
		return looking(p.World().SplitType(engine.TypeResourceGuided, 0, info))
	})
	wantParts(t, views, nil)
}

// §7.4.2: a process may supply MPI_UNDEFINED among others that split; info and key do not matter
// then, as in Example 9.1.
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

// A freed info object is MPI_INFO_NULL's opposite: an error (§10), not the absence of hints.
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
