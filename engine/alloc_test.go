package engine_test

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// allocations counts the heap objects, and their bytes, that one run of call on every rank of a
// world makes, once all ranks are started and the storage that calls share is allocated. The Go
// runtime counts for the whole process: so the least of several measurements is nearest to the
// call's own allocations. The garbage collector is off, so that the shared storage stays.
func allocations(t *testing.T, n int, call func(c *engine.Comm, rank int) error) (objects, bytes float64) {
	t.Helper()
	const rounds = 20
	w, err := engine.New(ofSize(n))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	run := func(rounds int) {
		w.Submit(engine.AllRanks(n), func(p *engine.Process) error {
			for range rounds {
				if err := call(p.World(), p.Rank()); err != nil {
					return err
				}
			}
			return nil
		})
		if st := w.Wait(); st.Failure != nil {
			t.Fatal(st.Failure)
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	run(3)
	objects, bytes = math.Inf(1), math.Inf(1)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run(rounds)
		runtime.ReadMemStats(&after)
		objects = min(objects, float64(after.Mallocs-before.Mallocs)/rounds)
		bytes = min(bytes, float64(after.TotalAlloc-before.TotalAlloc)/rounds)
	}
	return objects, bytes
}

// Allocations of a collective call grow with the communicators that it makes, not with the ranks:
// sixteen times the ranks may cost a few more for lists that grow, not more.
func TestAllocationsDoNotGrowWithRanks(t *testing.T) {
	infos := make([]*engine.Info, 4096)
	for i := range infos {
		infos[i] = naming(engine.KeyHWResourceType, "hwloc://Machine")
	}
	shared := map[int]*engine.Group{256: groups(t, 256), 4096: groups(t, 4096)}
	for name, call := range map[string]func(c *engine.Comm, rank int) error{
		"barrier": func(c *engine.Comm, _ int) error { return c.Barrier() },
		"dup": func(c *engine.Comm, _ int) error {
			_, err := c.Dup()
			return err
		},
		"split": func(c *engine.Comm, rank int) error {
			_, err := c.Split(rank%16, -rank)
			return err
		},
		"create": func(c *engine.Comm, _ int) error {
			g, err := c.Group()
			if err != nil {
				return err
			}
			_, err = c.Create(g)
			return err
		},
		"split_type": func(c *engine.Comm, rank int) error {
			_, err := c.SplitType(engine.TypeShared, -rank, nil)
			return err
		},
		"guided split_type": func(c *engine.Comm, rank int) error {
			_, err := c.SplitType(engine.TypeHWGuided, -rank, infos[rank])
			return err
		},
		"create_group": func(c *engine.Comm, _ int) error {
			_, err := c.CreateGroup(shared[c.Size()], 0)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			few, _ := allocations(t, 256, call)
			many, bytes := allocations(t, 4096, call)
			t.Logf("256 ranks: %.1f, 4096 ranks: %.1f of %.0f bytes", few, many, bytes)
			if many > few+32 {
				t.Errorf("4096 ranks allocate %.0f objects a call, 256 ranks %.0f", many, few)
			}
			if few > 200 {
				t.Errorf("256 ranks allocate %.0f objects a call", few)
			}
			if name == "barrier" && bytes > 4096 { // one byte a rank: no storage for each rank
				t.Errorf("4096 ranks allocate %.0f bytes a call", bytes)
			}
		})
	}
}
