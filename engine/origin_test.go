package engine_test

import (
	"testing"

	"commsplit/engine"
)

// §7.4.2: MPI_COMM_NULL comes from a constructor, and the process knows from which: the step of the
// trace, or the group of a local call. It is told once, so that nothing later is taken for it; a
// world without a trace remembers nothing.
func TestOrigin(t *testing.T) {
	t.Parallel()
	for _, trace := range []bool{true, false} {
		cfg := ofSize(4)
		cfg.Trace = trace
		err := try(t, cfg, func(p *engine.Process) error {
			w := p.World()
			color := engine.Undefined
			if p.Rank() == 2 {
				color = 0
			}
			if _, err := w.Split(color, 0); err != nil {
				return err
			}
			o := p.Origin()
			switch {
			case !trace || p.Rank() == 2:
				if o != nil {
					t.Errorf("trace %v, rank %d: %+v", trace, p.Rank(), o)
				}
			case o == nil || o.Step != 1 || o.Call != engine.CallSplit || o.Comm != 0:
				t.Errorf("rank %d: %+v", p.Rank(), o)
			}
			if p.Origin() != nil {
				t.Errorf("rank %d: told twice", p.Rank())
			}
			all, _ := w.Group()
			g, _ := all.Incl([]int{3, 0})
			if _, err := w.CreateGroup(g, 0); err != nil {
				return err
			}
			if o := p.Origin(); trace && p.Rank() == 1 && (o == nil || o.Step != 0 || o.Call != engine.CallCreateGroup || len(o.Group) != 2 || o.Group[0] != 3) {
				t.Errorf("local call: %+v", o)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// The trace keeps the error of a collective call that is erroneous on all: ranks 0 and 1 pass {0,1},
// rank 2 passes {0,2}, and rank 0 is in both (§7.4.2).
func TestTraceKeepsErrors(t *testing.T) {
	t.Parallel()
	cfg := ofSize(3)
	cfg.Trace = true
	w, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(3), func(p *engine.Process) error {
		all, _ := p.World().Group()
		g, _ := all.Incl([]int{0, p.Rank()/2 + 1})
		if _, err := p.World().Create(g); err == nil {
			t.Error("overlapping groups are accepted")
		}
		return p.World().Barrier()
	})
	w.Wait()
	steps := w.Snapshot().Steps
	if len(steps) != 2 || steps[0].Err == nil || steps[0].Err.Class != engine.ErrGroup || steps[1].Err != nil {
		t.Errorf("%+v", steps)
	}
}
