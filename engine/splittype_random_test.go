package engine_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// tower is a random host, packages of caches of cores of uneven sizes, and the instances that each
// PU is in.
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

// drawBindings draws a non-empty set of PUs for each rank: often a single PU, else up to four.
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

// usesOnly returns the instance that all PUs are in, or -1: "that instance and no other".
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

// §7.4.2: a guided split gives, for each instance, the largest set of processes that use that
// instance and no other: on random machines and bindings, the split agrees with a search over every
// PU.
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

// choice is what a process passes in the random test: the number of a set, or -1 for none, and a
// key.
type choice struct{ set, key int }

// expectedSets works out the communicators from every set and every process, as the text says: ok
// is false when a process names a set whose members did not all name the same.
func expectedSets(sets [][]int, choices []choice) (parts [][]int32, ok bool) {
	for i, set := range sets {
		named := slices.ContainsFunc(choices, func(c choice) bool { return c.set == i })
		var part []int32
		for _, m := range set {
			if named && choices[m].set != choices[set[0]].set {
				return nil, false
			}
			if choices[m].set == i {
				part = append(part, int32(m))
			}
		}
		slices.SortFunc(part, func(a, b int32) int { // ties by the old rank, which descends
			return cmp.Or(cmp.Compare(choices[a].key, choices[b].key), cmp.Compare(b, a))
		})
		if part != nil {
			parts = append(parts, part)
		}
	}
	return parts, true
}

// §7.4.2, the paragraph on mpi_pset_name, on random sets that may overlap and random names.
func TestPsetSplitAgainstTheText(t *testing.T) {
	t.Parallel()
	good, bad := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "ranks")
		names := []string{"app://a", "app://b", "app://c"}
		cfg := engine.Config{Size: n}
		var sets [][]int
		for _, name := range names {
			set := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, min(n, 3), rapid.ID[int]).Draw(t, name)
			slices.Sort(set)
			sets = append(sets, set)
			cfg.Psets = append(cfg.Psets, engine.Pset{Name: name, Ranks: engine.RanksOf(set...)})
		}
		one := rapid.Bool().Draw(t, "all name one set")
		var choices []choice
		for range n {
			c := choice{rapid.IntRange(-1, 2).Draw(t, "set"), rapid.IntRange(-1, 1).Draw(t, "key")}
			if one {
				c.set = 1
			}
			choices = append(choices, c)
		}
		views := make([]view, n)
		err := try(t, cfg, func(p *engine.Process) (err error) {
			c := choices[p.Rank()]
			var info *engine.Info
			if c.set >= 0 {
				info = pset(names[c.set])
			}
			views[p.Rank()], err = bySet(p, c.key, info)
			return err
		})
		want, ok := expectedSets(sets, choices)
		if !ok {
			bad++
			wantClass(t, err, engine.ErrArg)
			return
		}
		good++
		if err != nil {
			t.Fatalf("run: %v", err)
		}
		wantParts(t, views, want)
	})
	if good == 0 || bad == 0 {
		t.Errorf("%d calls were right and %d wrong: the test shows nothing", good, bad)
	}
}
