package engine_test

import (
	"errors"
	"runtime"
	"testing"

	"go.uber.org/goleak"

	"commsplit/engine"
)

// Every world that ends takes its goroutines with it, however it ends.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A rank that waits when the world closes leaves through its deferred functions, and these may
// make MPI calls that other ranks never make: freeing what was made is the natural thing to defer.
func TestCloseRunsDeferredCalls(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(70), func(p *engine.Process) error {
		d, err := p.World().Dup()
		if err != nil {
			return err
		}
		if p.Rank()%3 == 0 {
			defer d.Barrier()
			defer d.Free()
		}
		_, err = p.World().Recv(engine.AnySource, 0)
		return err
	})
	var d *engine.Deadlock
	if !errors.As(err, &d) {
		t.Errorf("got %v, want a deadlock", err)
	}
}

// A world that never got a task can be closed.
func TestCloseUnused(t *testing.T) {
	t.Parallel()
	w, err := engine.New(ofSize(100))
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
}

// A rank whose goroutine ends from inside, as testing.T.Fatal does, ends the program with an error
// that says so.
func TestGoexitIsAnError(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		if p.Rank() == 1 {
			runtime.Goexit()
		}
		return p.World().Barrier()
	})
	var f *engine.Failure
	if !errors.As(err, &f) || len(f.Program) != 1 || f.By[0] != 1 {
		t.Fatalf("got %v, want one error by rank 1", err)
	}
}
