package deviation

import (
	"slices"
	"testing"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/hw/source"
)

// outcome is a finished run, as Compare takes it.
type outcome struct {
	snapshot *engine.Snapshot
	failed   []*engine.Error
	deadlock *engine.Deadlock
}

// place is hardware and where ranks run on it.
type place struct {
	topology string
	ranks    int
	policy   placement.Policy
}

func bound(topology string, list string, ranks int) place {
	return place{topology, ranks, placement.Policy{List: list}}
}

func unbound(topology string, ranks int) place {
	return place{topology, ranks, placement.Policy{BindTo: "none"}}
}

// plain is four ranks, each on a core of its own.
func plain() place { return place{topology: "pack:1 core:4", ranks: 4} }

// run lets every rank run a program.
func run(t testing.TB, at place, std engine.Std, program func(*engine.Process) error) outcome {
	t.Helper()
	topology, err := source.Load(t.Context(), at.topology)
	if err != nil {
		t.Fatal(err)
	}
	return runOn(t, topology, at, std, program)
}

func runOn(t testing.TB, topology *hw.Topology, at place, std engine.Std,
	program func(*engine.Process) error) outcome {
	t.Helper()
	bindings, err := placement.Place(topology, at.ranks, at.policy)
	if err != nil {
		t.Fatal(err)
	}
	w, err := engine.New(engine.Config{Topology: topology, Bindings: bindings, Trace: true, Std: std})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(at.ranks), program)
	st := w.Wait()
	out := outcome{snapshot: w.Snapshot()}
	switch {
	case st.Failure != nil:
		out.failed = st.Failure.Errors
		for _, err := range st.Failure.Program {
			t.Fatal(err)
		}
	case len(st.Waiting) > 0:
		out.deadlock = w.Deadlock(nil)
	}
	return out
}

// calls lets every rank run a program whose errors it catches.
func calls(program func(*engine.Process)) func(testing.TB) outcome {
	return callsAt(plain(), 0, program)
}

func callsAt(at place, std engine.Std, program func(*engine.Process)) func(testing.TB) outcome {
	return func(t testing.TB) outcome {
		return run(t, at, std, func(p *engine.Process) error { program(p); return nil })
	}
}

// splits lets every rank make one hardware split of the world.
func splits(at place, kind engine.SplitType, key, value string) func(testing.TB) outcome {
	return callsAt(at, 0, func(p *engine.Process) {
		p.World().SplitType(kind, 0, asking(key, value))
	})
}

func guided(at place, value string) func(testing.TB) outcome {
	return splits(at, engine.TypeHWGuided, engine.KeyHWResourceType, value)
}

func asking(key, value string) *engine.Info {
	info := engine.NewInfo()
	if key == "" {
		return info
	}
	if err := info.Set(key, value); err != nil {
		panic(err)
	}
	return info
}

// traced is a run of four ranks that is given as its trace: for calls whose errors and callbacks do
// not depend on what the engine does.
func traced(comms []*engine.CommInfo, steps ...engine.Step) func(testing.TB) outcome {
	return func(testing.TB) outcome {
		world := &engine.CommInfo{Parent: -1, Group: []int32{0, 1, 2, 3}}
		for i := range steps {
			steps[i].Number = i + 1
			if steps[i].Ranks == nil {
				steps[i].Ranks = engine.AllRanks(4)
			}
		}
		return outcome{snapshot: &engine.Snapshot{Size: 4, Steps: steps,
			Comms: append([]*engine.CommInfo{world}, comms...)}}
	}
}

// raised is a run of four ranks in which all raise one error.
func raised(e engine.Error) func(testing.TB) outcome {
	return func(t testing.TB) outcome {
		o := traced(nil)(t)
		e.Ranks = engine.AllRanks(4)
		o.failed = []*engine.Error{&e}
		return o
	}
}

// group is some ranks of the world as a group.
func group(p *engine.Process, ranks ...int) *engine.Group {
	g, err := p.World().Group()
	if err != nil {
		panic(err)
	}
	if g, err = g.Incl(ranks); err != nil {
		panic(err)
	}
	return g
}

// halves is the intercommunicator of the lower and the upper half of the world.
func halves(p *engine.Process) *engine.Comm {
	n := p.Size() / 2
	half, err := p.World().Split(p.Rank()/n, 0)
	if err != nil {
		panic(err)
	}
	c, err := half.CreateIntercomm(0, p.World(), n-p.Rank()/n*n, 7)
	if err != nil {
		panic(err)
	}
	return c
}

// names lists the rows that a library's notes come from, once each.
func names(l Library, o outcome) []string {
	var list []string
	for _, n := range Notes(l, o.snapshot, o.failed, o.deadlock) {
		list = append(list, n.Deviation)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// What one release is known to do is not held against another that is known to be as here.
func TestEachOfRelease(t *testing.T) {
	t.Parallel()
	merged := calls(func(p *engine.Process) { halves(p).Merge(true) })(t)
	for release, want := range map[int]int{0: 1, 41: 0, 50: 1, 60: 1} {
		if got := len(Each(OpenMPI, release, merged.snapshot, nil, nil)); got != want {
			t.Errorf("merge-equal-high, release %d: %d notes, not %d", release, got, want)
		}
	}
	clash := calls(func(p *engine.Process) {
		if p.Rank() < 2 {
			p.World().CreateGroup(group(p, p.Rank(), 1-p.Rank()), 0)
		}
	})(t)
	for release, want := range map[int]int{0: 1, 41: 1, 42: 0, 50: 0} {
		if got := len(Each(MPICH, release, clash.snapshot, clash.failed, nil)); got != want {
			t.Errorf("create-group-clash, release %d: %d notes, not %d", release, got, want)
		}
	}
}

// Each tells every step of a difference that Notes tells once, and what is beside the question of who is
// with whom is marked.
func TestEach(t *testing.T) {
	t.Parallel()
	o := calls(func(p *engine.Process) {
		c := halves(p)
		for range 2 {
			c.Create(group(p, p.Rank()/2*2+1, p.Rank()/2*2)) // each side turned round
		}
		p.World().Hints()
	})(t)
	var steps []int
	var beside []bool
	for _, n := range Each(OpenMPI, 41, o.snapshot, nil, nil) {
		steps, beside = append(steps, n.Step), append(beside, n.Beside)
	}
	if want := []int{3, 3, 4, 4, 5}; !slices.Equal(steps, want) {
		t.Errorf("steps %v, not %v", steps, want)
	}
	if want := []bool{false, false, false, false, true}; !slices.Equal(beside, want) {
		t.Errorf("beside %v, not %v", beside, want)
	}
	if n := len(Notes(OpenMPI, o.snapshot, nil, nil)); n != 3 {
		t.Errorf("%d notes, not 3", n)
	}
}
