package engine_test

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// busy is a program in which everything that could depend on timing happens: receives from any
// source, disjoint communicators that work at the same time at different speeds, local calls,
// output, creations by subsets, ranks that leave early.
func busy(p *engine.Process) error {
	w, r := p.World(), p.Rank()
	part, err := w.Split(r%3, -r)
	if err != nil {
		return err
	}
	for range r % 3 { // parts of different speed
		if part, err = part.Dup(); err != nil {
			return err
		}
	}
	if err := fanIn(p, part); err != nil {
		return err
	}
	g, err := incl(w, r/10*10, r/10*10+3)
	if err != nil {
		return err
	}
	pair, err := w.CreateGroup(g, 1)
	if err != nil {
		return err
	}
	if pair != nil {
		if _, err := pair.Split(0, -r); err != nil {
			return err
		}
	}
	if r%7 == 0 {
		return part.SetName("left early")
	}
	return fanIn(p, w)
}

// fanIn sends to rank 0 of c, if that is not over, which prints what comes from any source.
func fanIn(p *engine.Process, c *engine.Comm) error {
	rank, err := c.Rank()
	if err != nil {
		return err
	}
	if rank > 0 {
		for i := range rank % 3 {
			if err := c.Send(p.Rank(), rank/2, i); err != nil {
				return err
			}
		}
		return nil
	}
	for range 2 {
		r, err := c.Irecv(engine.AnySource, engine.AnyTag)
		if err != nil {
			return err
		}
		m, done, err := r.Test()
		if err != nil {
			return err
		}
		if done {
			p.Print(string(rune('a'+m.Source)) + string(rune('0'+m.Tag)))
		}
	}
	return nil
}

// The same program gives the same steps, communicators, numbers, output and waiting ranks on every
// run, whatever the interleaving of the goroutines.
func TestDeterminism(t *testing.T) {
	const n = 130
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	first := tracing(t, n, busy)
	if len(first.Comms) < 20 || len(first.Output) < 3 {
		t.Fatalf("the program does little: %d communicators, %d lines", len(first.Comms),
			len(first.Output))
	}
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		for i := range 20 {
			s := tracing(t, n, busy)
			if !reflect.DeepEqual(first, s) {
				t.Fatalf("GOMAXPROCS %d, run %d (-first +this):\n%s", procs, i, cmp.Diff(first, s, cmp.AllowUnexported(engine.Wait{})))
			}
		}
	}
}

// So do the diagnoses of a deadlock and of errors.
func TestDeterminismOfDiagnoses(t *testing.T) {
	stuck := func(p *engine.Process) error {
		at(p, int32(p.Rank()%5+1))
		if p.Rank()%4 == 0 {
			return p.World().Barrier()
		}
		_, err := p.World().Split(p.Rank()%3-1, 0) // ranks with a remainder of 0 fail
		if p.Rank()%3 == 0 {
			_, err = p.World().Recv(engine.AnySource, p.Rank())
		}
		return err
	}
	wrong := func(p *engine.Process) error {
		_, err := at(p, int32(p.Rank()%2)).World().Split(-p.Rank()-1, 0)
		return err
	}
	for _, f := range []func(p *engine.Process) error{stuck, wrong} {
		first := try(t, ofSize(100), f)
		if first == nil {
			t.Fatal("no diagnosis")
		}
		for range 20 {
			if diff := cmp.Diff(first.Error(), try(t, ofSize(100), f).Error()); diff != "" {
				t.Fatalf("messages (-first +this):\n%s", diff)
			}
		}
	}
}
