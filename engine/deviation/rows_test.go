package deviation

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
)

// scenario is a run, with the names of all rows that each library's notes come from.
type scenario struct {
	run            func(testing.TB) outcome
	mpich, openmpi []string
}

// Each row of the table finds exactly the runs that it is about: what each library gives in these runs
// was observed or read in its source, row by row.
func TestRows(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, list := range []map[string]scenario{hardwareRuns, constructorRuns, interRuns, errorRuns,
		tracedRuns} {
		for name, c := range list {
			o := c.run(t)
			for l, want := range map[Library][]string{MPICH: c.mpich, OpenMPI: c.openmpi} {
				if diff := cmp.Diff(want, names(l, o)); diff != "" {
					t.Errorf("%s, %s: rows (-want +got):\n%s", name, l, diff)
				}
				for _, row := range want {
					found[l.Word()+" "+row] = true
				}
			}
		}
	}
	for _, d := range Table() {
		if !found[d.Library.Word()+" "+d.Name] {
			t.Errorf("no run shows %s %s", d.Library, d.Name)
		}
	}
}

// Every row tells what it is about, and its name is unique.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, d := range Table() {
		key := d.Library.Word() + " " + d.Name
		if seen[key] {
			t.Errorf("%s twice", key)
		}
		seen[key] = true
		if d.Name == "" || d.Library == None || d.Rule == "" || d.Source == "" {
			t.Errorf("%q is not complete", key)
		}
		if d.step == nil && d.fault == nil && d.deadlock == nil {
			t.Errorf("%q finds nothing", key)
		}
	}
}

// Where a library follows the text there is no note.
func TestNothingToTell(t *testing.T) {
	t.Parallel()
	o := calls(func(p *engine.Process) {
		half, _ := p.World().Split(p.Rank()%2, 0)
		half.Dup()
		p.World().Create(group(p, 2, 0))
		p.World().CreateGroup(group(p, 0, 1, 2, 3), 5)
		p.World().Create(nil)
		p.World().Barrier()
	})(t)
	for _, l := range []Library{MPICH, OpenMPI} {
		want := []string(nil)
		if got := names(l, o); !slices.Equal(got, want) {
			t.Errorf("%s differs: %q", l, got)
		}
	}
}

// The same difference in several places is told once, with all ranks and places.
func TestNotesAreMerged(t *testing.T) {
	t.Parallel()
	o := calls(func(p *engine.Process) {
		for line := range 2 {
			for first := range 2 {
				p.At(engine.Site{File: "demo.py", Line: int32(7 + line)})
				if p.Rank()%2 == first {
					p.HWResourceInfo()
				}
				p.World().Barrier()
			}
		}
	})(t)
	list := Compare(MPICH, o.snapshot, nil, nil).Notes
	if len(list) != 1 {
		t.Fatalf("%d notes, want one: %v", len(list), list)
	}
	n := list[0]
	if n.Step != 1 || n.Ranks.String() != "0-3" || n.Where != "demo.py:7, demo.py:8" {
		t.Errorf("step %d, ranks %s, where %q, call %s", n.Step, n.Ranks, n.Where, n.Call)
	}
}

// Parse finds libraries by their names, and hints at a near name for any other word.
func TestParse(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]Library{"mpich": MPICH, "MPICH": MPICH, "openmpi": OpenMPI,
		"ompi": OpenMPI, "Open-MPI": OpenMPI} {
		if got, err := Parse(word); got != want || err != nil {
			t.Errorf("%s is %s (%v)", word, got, err)
		}
	}
	for word, want := range map[string]string{
		"mpihc": "the libraries are mpich and openmpi; did you mean mpich?",
		"intel": "the libraries are mpich and openmpi",
	} {
		if _, err := Parse(word); err == nil || err.Error() != want {
			t.Errorf("%s: %v", word, err)
		}
	}
}

// The orders of callbacks as programs showed them (MPICH 4.0.2 and 4.2.1, Open MPI 4.1.4 and 5.0.7): the
// programs cached four attributes in the order 2, 0, 3, 1 of their keyvals.
func TestCallbackOrders(t *testing.T) {
	t.Parallel()
	again := setInOrder(keyed(engine.CallSetAttr, 2), making(engine.CallFree, 2))
	duplicate := setInOrder(making(engine.CallDup, 2, 3), making(engine.CallFree, 3))
	for _, c := range []struct {
		library Library
		run     func(testing.TB) outcome
		want    []string
	}{
		{MPICH, duplicate, []string{"copy functions in the order of keyvals 1, 3, 0, 2 (here 2, 0, 3, 1)"}},
		{OpenMPI, duplicate, []string{"copy functions in the order of keyvals 0, 1, 2, 3 (here 2, 0, 3, 1)",
			"delete functions in the order of keyvals 3, 2, 1, 0 (here 1, 3, 0, 2)"}},
		{MPICH, again, []string{"delete functions in the order of keyvals 1, 3, 0, 2 (here 2, 1, 3, 0)"}},
		{OpenMPI, again, nil},
	} {
		var got []string
		for _, n := range Compare(c.library, c.run(t).snapshot, nil, nil).Notes {
			got = append(got, n.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.library, diff)
		}
	}
}

// outcome is a finished run, as Compare takes it.
type outcome struct {
	snapshot *engine.Snapshot
	failed   []*engine.Error
	deadlock *engine.Deadlock
}

// place is a machine and the way in which ranks are placed on it.
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

// plain returns a place with four ranks, each on a core of its own.
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

// traced returns a run of four ranks that is given as its trace: for calls whose errors and callbacks do
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

// raised returns a run of four ranks in which all ranks raise the error e.
func raised(e *engine.Error) func(testing.TB) outcome {
	return func(t testing.TB) outcome {
		o := traced(nil)(t)
		all := *e
		all.Ranks = engine.AllRanks(4)
		o.failed = []*engine.Error{&all}
		return o
	}
}

// group makes a group of some ranks of the world.
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

// halves makes an intercommunicator of the lower and the upper half of the world.
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

// names lists the rows that a library's notes come from, each once.
func names(l Library, o outcome) []string {
	var list []string
	for _, n := range Compare(l, o.snapshot, o.failed, o.deadlock).Notes {
		list = append(list, n.Deviation)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A deviation of one release is not told of another release that is known to lack it.
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

// Each makes a note at every step for a difference that Notes tells once, and marks differences that are
// not about who is with whom.
func TestEach(t *testing.T) {
	t.Parallel()
	o := calls(func(p *engine.Process) {
		c := halves(p)
		for range 2 {
			c.Create(group(p, p.Rank()/2*2+1, p.Rank()/2*2)) // each side in reverse order
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
	if n := len(Compare(OpenMPI, o.snapshot, nil, nil).Notes); n != 3 {
		t.Errorf("%d notes, not 3", n)
	}
}

// Groups are written in rank order; long groups in ranges, or by the number of ranks.
func TestGroupText(t *testing.T) {
	t.Parallel()
	sequence := func(n, step int) []int32 {
		list := make([]int32, n)
		for i := range list {
			list[i] = int32(i * step)
		}
		return list
	}
	backwards := sequence(20, -1)
	for _, c := range []struct {
		members []int32
		want    string
	}{
		{[]int32{2, 0, 1}, "[2,0,1]"},
		{sequence(16, 2), "[0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30]"},
		{sequence(100, 1), "[0-99]"},
		{sequence(100, 2), "[0,2,4,6,...] of 100 ranks"},
		{backwards, "[0,-1,...] of 20 ranks"},
	} {
		if got := groupText(c.members); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	parts := make([][]int32, 20)
	for i := range parts {
		parts[i] = []int32{int32(i)}
	}
	if got, want := partsText(parts), "[0] [1] [2] [3] [4] [5] [6] [7] and 12 more"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
