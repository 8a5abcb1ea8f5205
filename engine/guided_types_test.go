package engine_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"commsplit/engine"
	"commsplit/hw"
)

// uneven is a random host that lacks things here and there: for each resource type the sets of PUs of
// its instances, as they were drawn.
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
	if len(nodes) == 0 { // then the machine is one node
		plain = append(plain, hw.SetRange(0, pu-1))
	}
	machine := &hw.Object{Type: hw.Machine}
	hw.Build(machine, objects, nodes)
	u.topology = hw.New("uneven", machine)
	u.sets["hwloc://NUMANode"], u.sets["commsplit://HBM"] = counted(plain, special), special
	return u
}

// counted are the nodes that count: special ones only where some PU of theirs has no other memory.
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

// restricted lists the ranks that meet one of the sets and no other, by set, those of the lowest PU
// first.
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

// §7.4.2 on machines where levels are missing: a guided split by any type that is there gives what the
// sets of PUs say, and no rank gets a communicator of a type that is not.
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
