package deviation

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// scenario is a run and the names of exactly the rows that each library's notes come from.
type scenario struct {
	run            func(testing.TB) outcome
	mpich, openmpi []string
}

// All rows of the table find what they are about, and nothing else: what each library gives in these
// runs was observed or read in its source, row by row.
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

// Every row says what it is about, and its name is one of a kind.
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

// Where a library does as the text says there is no note.
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

// One and the same difference in several places is told once, with all ranks and places.
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
	list := Notes(MPICH, o.snapshot, nil, nil)
	if len(list) != 1 {
		t.Fatalf("%d notes, want one: %v", len(list), list)
	}
	n := list[0]
	if n.Step != 1 || n.Ranks.String() != "0-3" || n.Where != "demo.py:7, demo.py:8" {
		t.Errorf("step %d, ranks %s, where %q, call %s", n.Step, n.Ranks, n.Where, n.Call)
	}
}

// Libraries are found by their names, with a hint for what is none.
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

// The orders of callbacks as programs showed them (MPICH 4.0.2 and 4.2.1, Open MPI 4.1.4 and 5.0.7) that
// cached four attributes in the order 2, 0, 3, 1 of their keyvals.
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
		for _, n := range Notes(c.library, c.run(t).snapshot, nil, nil) {
			got = append(got, n.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.library, diff)
		}
	}
}
