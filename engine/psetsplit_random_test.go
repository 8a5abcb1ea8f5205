package engine_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"commsplit/engine"
)

// choice is what one process passes in the random test: a set by number, or -1 for none, and a key.
type choice struct{ set, key int }

// expectedSets looks at every set and every process, as the text says it: ok is false when the
// members of a set that somebody names did not all name the same.
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
