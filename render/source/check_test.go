package source

import (
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render"
)

// seen returns the view of a program on four ranks, one on each core of two packages.
func seen(t *testing.T, program func(*engine.Process)) *render.View {
	t.Helper()
	topology, err := source.Load(t.Context(), "pack:2 core:2")
	if err != nil {
		t.Fatal(err)
	}
	bindings, err := placement.Place(topology, 4, placement.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := engine.New(engine.Config{Topology: topology, Bindings: bindings, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(4), func(p *engine.Process) error { program(p); return nil })
	w.Wait()
	return &render.View{Snapshot: w.Snapshot(), Deadlock: w.Deadlock(nil)}
}

// A program for comparing reports the result of each call. It leaves out calls that depend on the hardware, and
// all calls on their communicators.
func TestCheckLeavesHardwareOut(t *testing.T) {
	t.Parallel()
	v := seen(t, func(p *engine.Process) {
		half, _ := p.World().Split(p.Rank()%2, 0) // id 2 and 3
		half.Dup()                                // 4 and 5
		node, _ := p.World().SplitType(engine.TypeShared, 0, nil)
		node.Split(p.Rank()%2, 0)
	})
	var b strings.Builder
	c, err := Check(&b, v, Attempt{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for id := range 9 {
		if out := ByHardware(c.Absent[id]); out != (id > 5) {
			t.Errorf("communicator %d: absent is %q", id, c.Absent[id])
		}
	}
	text := b.String()
	if strings.Contains(text, "MPI_Comm_split_type(") || strings.Count(text, "    got(") != 2 || strings.Count(text, "MPI_Comm_split(") != 1 {
		t.Errorf("the program is\n%s", text)
	}
}

// No variable of the script has the name of a function that reports results.
func TestCheckNames(t *testing.T) {
	t.Parallel()
	v := seen(t, func(p *engine.Process) { p.World().Dup() })
	for _, name := range []string{"at", "got", "passed", "stay", "report"} {
		v.Handles = []render.Handle{{Name: name, IDs: []int32{2, 2, 2, 2}}}
		var b strings.Builder
		if _, err := Check(&b, v, Attempt{}, 1); err != nil || !strings.Contains(b.String(), "    MPI_Comm "+name+"_2 = MPI_COMM_NULL;") {
			t.Errorf("%v, and with %s\n%s", err, name, b.String())
		}
	}
}

// An erroneous call of the trace is tried behind the calls before it, and without those after it.
func TestCheckAttempt(t *testing.T) {
	t.Parallel()
	v := seen(t, func(p *engine.Process) {
		p.World().Dup()
		g, _ := p.World().Group()
		mine, _ := g.Incl([]int{p.Rank() % 2, 2})
		p.World().Create(mine) // rank 2 is in both groups
		p.World().Barrier()
	})
	var b strings.Builder
	c, err := Check(&b, v, Attempt{Step: 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !slices.Equal(c.Steps, []int{2}) || c.Tried != 11 || strings.Contains(text, "MPI_Barrier(") ||
		!strings.Contains(text, "MPI_Comm_create(MPI_COMM_WORLD, group, &attempted);") || !strings.Contains(text, "    passed();\n") {
		t.Errorf("steps %v since %v, in\n%s", c.Steps, c.Tried, text)
	}
	b.Reset()
	if _, err := Check(&b, v, Attempt{}, 1); err != nil || strings.Contains(b.String(), "MPI_Comm_create(") || !strings.Contains(b.String(), "MPI_Barrier(") {
		t.Errorf("%v, and without an attempt\n%s", err, b.String())
	}
}

// Calls in which processes wait are tried at the end, with the library's own names of wildcards.
func TestCheckDeadlock(t *testing.T) {
	t.Parallel()
	v := seen(t, func(p *engine.Process) {
		if p.Rank() == 0 {
			p.World().Recv(engine.AnySource, engine.AnyTag)
		}
		p.World().Barrier()
	})
	var b strings.Builder
	if _, err := Check(&b, v, Attempt{Calls: v.Deadlock.Calls, After: len(v.Snapshot.Steps)}, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD", "if (me >= 1) {\n        at("} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// Calls on a communicator that a program does not make are left out, too.
func TestLeftOutDescends(t *testing.T) {
	t.Parallel()
	v := seen(t, func(p *engine.Process) {
		ring, _ := p.World().CreateGraph([]int{1, 2, 3, 4}, []int{1, 2, 3, 0}, false)
		ring.Dup()
	})
	var b strings.Builder
	if err := C(&b, v); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "MPI_Comm_dup(") || !strings.Contains(text, "MPI_Comm_dup acts on comm2, which is not made here") {
		t.Errorf("the program is\n%s", text)
	}
}
