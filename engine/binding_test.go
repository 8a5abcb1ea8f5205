package engine_test

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/hw"
)

// places are the PUs of each rank after a step.
func places(s *engine.Snapshot, step int) []string {
	var list []string
	for _, b := range s.At(step).Bindings {
		list = append(list, b.CPUSet.String())
	}
	return list
}

// §9.1.2: "Subsequent calls to MPI_GET_HW_RESOURCE_INFO may return different information [...] because
// an MPI process can be relocated". What is asked and split afterwards goes by the new PUs; snapshots
// of steps before it keep the old ones.
func TestBind(t *testing.T) {
	t.Parallel()
	cfg := twoPackages()
	cfg.Trace = true
	w, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	told := make([]string, 6)
	packages := func(p *engine.Process, line int32) error {
		_, err := at(p, line).World().SplitType(engine.TypeHWGuided, 0, naming(engine.KeyHWResourceType, "hwloc://Package"))
		return err
	}
	w.Submit(engine.AllRanks(6), func(p *engine.Process) error {
		if err := packages(p, 1); err != nil {
			return err
		}
		if p.Rank() == 1 || p.Rank() == 5 {
			if err := at(p, 2).Bind(hw.SetOf(2, 3)); err != nil {
				return err
			}
		}
		told[p.Rank()], _, _ = at(p, 4).HWResourceInfo().Get("hwloc://Package")
		return packages(p, 3)
	})
	if st := w.Wait(); st.Failure != nil {
		t.Fatal(st.Failure)
	}
	s := w.Snapshot()
	var groups [][]int32
	for _, c := range s.Comms[1:] {
		groups = append(groups, c.Group)
	}
	if diff := cmp.Diff([][]int32{{0, 1}, {2, 3, 4}, {0}, {1, 2, 3, 4, 5}}, groups); diff != "" {
		t.Errorf("before and after (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"true", "true", "true", "true", "true", "true"}, told); diff != "" {
		t.Errorf("restricted to a package (-want +got):\n%s", diff)
	}
	before := []string{"0", "1", "2", "3", "2-3", "0,3"}
	after := []string{"0", "2-3", "2", "3", "2-3", "2-3"}
	for step, want := range [][]string{before, before, before, after, after, after} {
		if diff := cmp.Diff(want, places(s, step)); diff != "" {
			t.Errorf("PUs after step %d (-want +got):\n%s", step, diff)
		}
	}
	// Ranks 0 and 2 to 4 ask at once, the others after they have moved.
	if first, second := s.Steps[1], s.Steps[3]; first.Ranks.String() != "0,2-4" || second.Ranks.String() != "1,5" {
		t.Errorf("who asks: %s, then %s", first.Ranks, second.Ranks)
	}
	move := s.Steps[2]
	if move.Call != engine.CallBind || move.Ranks.String() != "1,5" || !cmp.Equal(move.Args[0].Texts, []string{"2-3", "2-3"}) {
		t.Errorf("step 3: %+v", move)
	}
	if cfg.Bindings[1].CPUSet.String() != "1" || s.Rebound(3).String() != "" || s.Rebound(2).String() != "1,5" {
		t.Errorf("the configuration has rank 1 on %s; moved since step 3: %s", cfg.Bindings[1].CPUSet, s.Rebound(3))
	}
}

// The trace keeps the order of each process' own moves, also where others make them at the same lines
// in another order: the last one counts.
func TestBindInAnyOrder(t *testing.T) {
	t.Parallel()
	s := tracing(t, 3, func(p *engine.Process) error {
		pus := []int{1, 2}
		if p.Rank() == 1 {
			pus = []int{2, 1}
		}
		for _, pu := range pus {
			if err := at(p, int32(pu)).Bind(hw.SetOf(pu)); err != nil {
				return err
			}
		}
		return nil
	})
	if diff := cmp.Diff([]string{"2", "1", "2"}, places(s, len(s.Steps))); diff != "" {
		t.Errorf("in the end (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"2", "2", "2"}, places(s, 2)); diff != "" {
		t.Errorf("after two steps (-want +got):\n%s", diff)
	}
	if len(s.Steps) != 3 {
		t.Errorf("%d steps", len(s.Steps))
	}
}

// PUs that the host does not have, or none, change nothing.
func TestBindRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set  hw.Set
		want string
	}{
		{hw.SetOf(3, 4), `"3-4": node0 has no PU 4; it has 0-3`},
		{hw.Set{}, "a process must run somewhere: the set of PUs is empty"},
	} {
		got := perRank(t, twoPackages(), func(p *engine.Process) (string, error) {
			err := p.Bind(c.set)
			if err == nil || p.HardwareIndex("core") != []int{0, 1, 2, 3, null, null}[p.Rank()] {
				t.Errorf("rank %d is bound to %s", p.Rank(), c.set)
				return "", nil
			}
			return err.Error(), nil
		})
		if got[0] != c.want {
			t.Errorf("%q, want %q", got[0], c.want)
		}
	}
}

// Who moves when in the trace, and what splits make of it, does not depend on the interleaving of the
// goroutines.
func TestBindIsDeterministic(t *testing.T) {
	const n = 130
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	run := func() (steps []engine.Step, where [][]string) {
		s := tracing(t, n, func(p *engine.Process) error {
			for i := range p.Rank() % 4 {
				if err := at(p, int32(1+(p.Rank()+i)%3)).Bind(hw.SetOf((p.Rank() * i) % n)); err != nil {
					return err
				}
				at(p, 4).HWResourceInfo()
			}
			_, err := p.World().SplitType(engine.TypeHWUnguided, 0, nil)
			return err
		})
		for step := range len(s.Steps) + 1 {
			where = append(where, places(s, step))
		}
		return s.Steps, where
	}
	steps, where := run()
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		for range 10 {
			again, there := run()
			if !reflect.DeepEqual(steps, again) || !reflect.DeepEqual(where, there) {
				t.Fatalf("GOMAXPROCS %d (-first +this):\n%s", procs, cmp.Diff(where, there))
			}
		}
	}
}
