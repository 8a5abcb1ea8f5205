package reason_test

import (
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
)

// played runs a program on every rank of a new world and returns the snapshot.
func played(t testing.TB, cfg engine.Config, run func(p *engine.Process) error) *engine.Snapshot {
	t.Helper()
	cfg.Trace = true
	w, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(w.Size()), run)
	if st := w.Wait(); st.Failure != nil || len(st.Waiting) > 0 {
		t.Fatalf("failure %v, waiting %v", st.Failure, st.Waiting)
	}
	return w.Snapshot()
}

// figure73 returns the machine of Figure 7.3 and its twelve processes: P6 and P7 may use cores 6
// and 7, every other process only its own core.
func figure73(t testing.TB) engine.Config {
	t.Helper()
	topo, ok := preset.Lookup("figure-7.3")
	if !ok {
		t.Fatal("no preset figure-7.3")
	}
	b, err := placement.Place(topo, 12, placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"})
	if err != nil {
		t.Fatal(err)
	}
	return engine.Config{Topology: topo, Bindings: b}
}

func naming(key, value string) *engine.Info {
	i := engine.NewInfo()
	if err := i.Set(key, value); err != nil {
		panic(err)
	}
	return i
}

// holding runs a program on every rank of a new world, and returns the snapshot and what each
// rank's last handle holds.
func holding(t testing.TB, cfg engine.Config, last func(p *engine.Process) (*engine.Comm, error)) (*engine.Snapshot, []reason.Held) {
	t.Helper()
	held := make([]reason.Held, max(cfg.Size, len(cfg.Bindings)))
	s := played(t, cfg, func(p *engine.Process) error {
		c, err := last(p)
		if h := &held[p.Rank()]; c.Info() == nil {
			*h = reason.Held{Comm: -1, Origin: p.Origin()}
		} else {
			h.Comm = c.Info().ID
		}
		return err
	})
	return s, held
}

// facts lists the facts of an explanation, a line each: "color: MPI_UNDEFINED".
func facts(e reason.Explanation) []string {
	var list []string
	for _, f := range append(e.Facts, e.Tried...) {
		list = append(list, f.Name+": "+f.Text)
	}
	return list
}
