package engine_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"commsplit/engine"
	"commsplit/hw"
)

// tower is a random host: packages of caches of cores, of uneven sizes, and where each PU sits.
type tower struct {
	topology *hw.Topology
	levels   []map[int]int // of each resource type: PU -> instance
	names    []string
}

func drawTower(t *rapid.T) tower {
	shape := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(1, 3), 1, 3), 1, 3).Draw(t, "packages")
	of := [3]map[int]int{{}, {}, {}}
	pu, cache := 0, 0
	var packages []*hw.Object
	for i, caches := range shape {
		first := pu
		var l3s []*hw.Object
		for _, n := range caches {
			for k := range n {
				of[0][pu+k], of[1][pu+k], of[2][pu+k] = i, cache, pu+k
			}
			l3s = append(l3s, part(hw.L3Cache, cache, pu, pu+n-1, cores(pu, pu+n-1)...))
			pu += n
			cache++
		}
		packages = append(packages, part(hw.Package, i, first, pu-1, l3s...))
	}
	return tower{hw.New("tower", machine(pu, packages...)), of[:],
		[]string{"hwloc://Package", "hwloc://L3Cache", "hwloc://Core"}}
}

// drawBindings gives each rank a non-empty set of PUs: often one, else any.
func drawBindings(t *rapid.T, pus int) (sets [][]int, bindings []*hw.Binding) {
	any := rapid.SliceOfNDistinct(rapid.IntRange(0, pus-1), 1, min(pus, 4), rapid.ID[int])
	one := rapid.SliceOfN(rapid.IntRange(0, pus-1), 1, 1)
	for range rapid.IntRange(1, 16).Draw(t, "ranks") {
		set := rapid.OneOf(one, any).Draw(t, "binding")
		sets = append(sets, set)
		bindings = append(bindings, &hw.Binding{CPUSet: hw.SetOf(set...)})
	}
	return sets, bindings
}

// usesOnly is the instance that all PUs are in, or -1: "that instance and no other".
func usesOnly(of map[int]int, pus []int) int {
	for _, pu := range pus {
		if of[pu] != of[pus[0]] {
			return -1
		}
	}
	return of[pus[0]]
}

// byInstance lists the ranks of each instance, the instances in order.
func byInstance(of map[int]int, sets [][]int) [][]int32 {
	found := map[int][]int32{}
	var order []int
	for rank, pus := range sets {
		if i := usesOnly(of, pus); i >= 0 {
			if found[i] == nil {
				order = append(order, i)
			}
			found[i] = append(found[i], int32(rank))
		}
	}
	slices.Sort(order)
	var parts [][]int32
	for _, i := range order {
		parts = append(parts, found[i])
	}
	return parts
}

// §7.4.2: a guided split gives, for each instance, the largest set of processes that use it and no
// other instance: on random machines and bindings, the same as looking at every PU.
func TestGuidedAgainstEveryPU(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawTower(t)
		sets, bindings := drawBindings(t, len(m.levels[0]))
		level := rapid.IntRange(0, 2).Draw(t, "level")
		cfg := engine.Config{Topology: m.topology, Bindings: bindings}
		views := splitting(t, cfg, engine.TypeHWGuided, zero, func() *engine.Info {
			return naming(engine.KeyHWResourceType, m.names[level])
		})
		wantParts(t, views, byInstance(m.levels[level], sets))
	})
}

// §7.4.2: an unguided split gives strict subsets, of the coarsest type that has one; all processes
// that use an instance and no other of its type are in its communicator; the info key is the same
// in all of them.
func TestUnguidedAgainstEveryPU(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawTower(t)
		sets, bindings := drawBindings(t, len(m.levels[0]))
		cfg := engine.Config{Topology: m.topology, Bindings: bindings}
		var want [][]int32
		resource := ""
		for i, of := range m.levels {
			parts := byInstance(of, sets)
			if len(parts) > 0 && len(parts[0]) < len(sets) {
				want, resource = parts, m.names[i]
				break
			}
		}
		views := splitting(t, cfg, engine.TypeHWUnguided, zero, noInfo)
		wantParts(t, views, want)
		for rank, v := range views {
			if v.Size == len(sets) {
				t.Errorf("rank %d: not a strict subset", rank)
			}
			if v.ID != 0 && v.Resource != resource {
				t.Errorf("rank %d: resource %q, want %q", rank, v.Resource, resource)
			}
		}
	})
}
