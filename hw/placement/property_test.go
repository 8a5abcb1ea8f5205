package placement_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// shape draws a machine, or several.
func shape(t *rapid.T) *hw.Topology {
	upTo := func(k int, what string) int { return rapid.IntRange(1, k).Draw(t, what) }
	text := fmt.Sprintf("pack:%d l3:%d core:%d pu:%d", upTo(3, "packages"), upTo(2, "caches"),
		upTo(4, "cores"), upTo(2, "threads"))
	if hosts := upTo(3, "hosts"); hosts > 1 {
		text = fmt.Sprintf("rack:%d machine:%d %s", upTo(2, "racks"), hosts, text)
	}
	return topology(t, text)
}

// With any words, every rank gets PUs of one host, all of them allowed; where
// overload is not allowed, ranks bound to cores share no core.
func TestPlaceSane(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		top := shape(t)
		word := func(flag string, extra ...string) string {
			w := rapid.SampledFrom(append(extra, "core", "hwthread", "l3cache", "package", "numa", "machine", "rack")).Draw(t, flag)
			return w + rapid.SampledFrom([]string{"", "", ":" + placement.Modifiers(flag)[0]}).Draw(t, flag+" modifier")
		}
		p := placement.Policy{MapBy: word("map-by", "slot", "ppr:2:l3cache", "slot:pe=2", "package:pe=2", "rack:pe=2", "ppr:3:rack"),
			RankBy: word("rank-by", "slot", "fill", "span"), BindTo: word("bind-to", "none")}
		n := rapid.IntRange(1, 60).Draw(t, "ranks")
		ranks, err := placement.Place(top, n, p)
		if err != nil {
			return
		}
		if len(ranks) != n {
			t.Fatalf("%v: %d bindings for %d ranks", p, len(ranks), n)
		}
		used := make([]hw.Set, len(top.Hosts))
		for r, b := range ranks {
			if b.CPUSet.Empty() || !b.CPUSet.SubsetOf(top.Hosts[b.Host].CPUSet) {
				t.Fatalf("%v: rank %d is bound to %q of host %d", p, r, b.CPUSet, b.Host)
			}
			if p.BindTo == "core" && p.MapBy != "hwthread" && b.CPUSet.Intersects(used[b.Host]) {
				t.Fatalf("%v: rank %d shares %s", p, r, b.CPUSet)
			}
			used[b.Host].Merge(b.CPUSet)
		}
	})
}

// Ranking only permutes the ranks.
func TestRankingPermutes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		top := shape(t)
		n := rapid.IntRange(1, 60).Draw(t, "ranks")
		p := placement.Policy{MapBy: rapid.SampledFrom([]string{"slot", "core", "package", "node", "l3cache:span"}).Draw(t, "map")}
		plain, err := placement.Place(top, n, p)
		if err != nil {
			t.Fatal(err)
		}
		p.RankBy = rapid.SampledFrom([]string{"slot", "node", "fill", "span", "core", "package", "l3:fill", "numa:span"}).Draw(t, "rank")
		ranked, err := placement.Place(top, n, p)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := sorted(cpusets(top, plain)), sorted(cpusets(top, ranked)); a != b {
			t.Fatalf("%v: %s became %s", p, a, b)
		}
	})
}

// ppr gives every object N ranks, or with fewer ranks the first objects theirs.
func TestPPRCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		top := shape(t)
		each := rapid.IntRange(1, 5).Draw(t, "each")
		p := placement.Policy{MapBy: fmt.Sprintf("ppr:%d:package", each)}
		all, err := placement.Default(top, p)
		packages := top.Objects(hw.Package)
		if err != nil || all != each*len(packages) {
			t.Fatalf("%d ranks, %v", all, err)
		}
		n := rapid.IntRange(1, all).Draw(t, "ranks")
		ranks, err := placement.Place(top, n, p)
		if err != nil {
			t.Fatal(err)
		}
		for r, b := range ranks {
			if o := packages[r/each]; b.Host != top.HostIndex(o) || !b.CPUSet.SubsetOf(o.CPUSet) {
				t.Fatalf("rank %d of %d per package is on %s of host %d", r, each, b.CPUSet, b.Host)
			}
		}
	})
}

// The rule of the recorded tables: rank i goes to object i mod K, in its (i div
// K)-th visit. It is bound to the object of the bind level around that object,
// or to the visit-th object of the bind level inside.
func TestRuleOfTheTables(t *testing.T) {
	t.Parallel()
	types := map[string]hw.Type{"machine": hw.Machine, "numa": hw.NUMANode, "package": hw.Package,
		"l3cache": hw.L3Cache, "core": hw.Core, "hwthread": hw.PU}
	rapid.Check(t, func(t *rapid.T) {
		top := topology(t, fmt.Sprintf("pack:%d [numa] l3:2 core:%d pu:2", rapid.IntRange(1, 3).Draw(t, "packages"),
			rapid.IntRange(1, 4).Draw(t, "cores")))
		words := rapid.SampledFrom([]string{"machine", "numa", "package", "l3cache", "core", "hwthread"})
		mapBy, bindTo := words.Draw(t, "map"), words.Draw(t, "bind")
		n := rapid.IntRange(1, 50).Draw(t, "ranks")
		ranks, err := placement.Place(top, n, placement.Policy{MapBy: mapBy, BindTo: bindTo + ":overload-allowed"})
		if err != nil {
			t.Fatal(err)
		}
		objects := top.Objects(types[mapBy])
		for i, b := range ranks {
			o, visit := objects[i%len(objects)], i/len(objects)
			var within []hw.Set
			for _, c := range top.Objects(types[bindTo]) {
				if o.CPUSet.SubsetOf(c.CPUSet) {
					within = []hw.Set{c.CPUSet}
				} else if c.CPUSet.SubsetOf(o.CPUSet) {
					within = append(within, c.CPUSet)
				}
			}
			if want := within[visit%len(within)]; !b.CPUSet.Equal(want) {
				t.Fatalf("by %s to %s: rank %d on %s, want %s", mapBy, bindTo, i, b.CPUSet, want)
			}
		}
	})
}
