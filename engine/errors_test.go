package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// §9.3: with MPI_ERRORS_RETURN the call returns the error and the process goes on.
func TestErrorsReturn(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
		_, err := p.World().Split(-1, 0)
		wantClass(t, err, engine.ErrArg)
		return nil, p.World().Barrier()
	})
}

// §9.3: MPI_ERRORS_ARE_FATAL aborts the program, whether or not the caller would look at the error.
func TestErrorsAreFatal(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		if err := p.World().SetErrhandler(engine.ErrorsAreFatal); err != nil {
			return err
		}
		if p.Rank() == 2 {
			_, _ = p.World().Split(-5, 0)
			t.Error("the call returned")
		}
		return p.World().Barrier()
	})
	e := wantClass(t, err, engine.ErrArg)
	if !e.Fatal || e.Ranks.String() != "2" {
		t.Errorf("got %+v, want a fatal error of rank 2", e)
	}
	var f *engine.Failure
	if !errors.As(err, &f) || len(f.Waiting) != 1 || f.Waiting[0].Ranks.String() != "0-1" {
		t.Errorf("waiting: %+v, want ranks 0-1", f.Waiting)
	}
}

// §9.3: an error handler is attached to the handle of one process: other processes keep theirs.
func TestErrhandlerIsLocal(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		if p.Rank() == 1 {
			return nil, p.World().SetErrhandler(engine.ErrorsAreFatal)
		}
		if h, err := p.World().Errhandler(); h != engine.ErrorsReturn || err != nil {
			t.Errorf("got %v (%v)", h, err)
		}
		_, err := p.World().Split(-1, 0)
		wantClass(t, err, engine.ErrArg)
		wantClass(t, p.World().SetErrhandler(nil), engine.ErrErrhandler)
		return nil, nil
	})
}

// §9.3: a new communicator inherits the error handler of its parent.
func TestErrhandlerIsInherited(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		c := p.World()
		if err := c.SetErrhandler(engine.ErrorsAbort); err != nil {
			return nil, err
		}
		g, err := c.Group()
		if err != nil {
			return nil, err
		}
		d, err := c.Split(0, 0)
		wantHandler(t, "split", d, err)
		d, err = c.Dup()
		wantHandler(t, "dup", d, err)
		d, err = c.Create(g)
		wantHandler(t, "create", d, err)
		d, err = c.CreateGroup(g, 0)
		wantHandler(t, "create_group", d, err)
		d, err = c.SplitType(engine.TypeShared, 0, nil)
		wantHandler(t, "split_type", d, err)
		return nil, nil
	})
}

func wantHandler(t tester, name string, c *engine.Comm, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if h, err := c.Errhandler(); h != engine.ErrorsAbort || err != nil {
		t.Errorf("%s: error handler %v (%v)", name, h, err)
	}
}

// §9.3: an error that belongs to no communicator goes to the error handler of MPI_COMM_SELF; before
// MPI-4.0 to that of MPI_COMM_WORLD.
func TestErrorsWithoutCommunicator(t *testing.T) {
	t.Parallel()
	for std, onSelf := range map[engine.Std]bool{31: false, 40: true, engine.StdLatest: true} {
		for _, self := range []bool{true, false} {
			cfg := engine.Config{Size: 1, Std: std}
			err := try(t, cfg, func(p *engine.Process) error {
				c := p.World()
				if self {
					c = p.Self()
				}
				if err := c.SetErrhandler(engine.ErrorsAreFatal); err != nil {
					return err
				}
				_ = p.Raise(&engine.Error{Class: engine.ErrOther, Comm: -1})
				return nil
			})
			if fatal := err != nil; fatal != (self == onSelf) {
				t.Errorf("MPI-%s, handler on self %t: fatal %t", std, self, fatal)
			}
		}
	}
}

// §9.5: MPI_COMM_CALL_ERRHANDLER invokes the handler with the given class; it succeeds if the handler
// returns.
func TestCallErrhandler(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		return nil, p.World().CallErrhandler(engine.ErrTruncate)
	})
	err := try(t, ofSize(1), func(p *engine.Process) error {
		if err := p.World().SetErrhandler(engine.ErrorsAreFatal); err != nil {
			return err
		}
		return p.World().CallErrhandler(engine.ErrOther)
	})
	if e := wantClass(t, err, engine.ErrOther); !e.Fatal {
		t.Error("not fatal")
	}
}

// §11.4.2: MPI_ABORT ends the program; it does not return.
func TestAbort(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		if p.Rank() == 1 {
			_ = p.World().Abort(4)
			t.Error("MPI_Abort returned")
		}
		return p.World().Barrier()
	})
	if e := wantClass(t, err, engine.ErrOther); !e.Fatal || e.Call != engine.CallAbort ||
		e.Ranks.String() != "1" {
		t.Errorf("got %+v", e)
	}
}

// An error of ranks that is not an error of MPI fails the program, too, in rank order, and errors.Is finds
// it.
func TestProgramErrors(t *testing.T) {
	t.Parallel()
	wrong := errors.New("wrong")
	err := try(t, ofSize(4), func(p *engine.Process) error {
		if p.Rank()%2 == 0 {
			return nil
		}
		return fmt.Errorf("%w at %d", wrong, p.Rank())
	})
	if !errors.Is(err, wrong) || err.Error() != "rank 1: wrong at 1\nrank 3: wrong at 3" {
		t.Errorf("got %v", err)
	}
}

// An error has the place of the call, also when the program does not set it.
func TestErrorFindsGoLine(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		where := below(1)
		_, err := p.World().Split(-1, 0)
		if e := wantClass(t, err, engine.ErrArg); e.Where != where {
			t.Errorf("where %s, want %s", e.Where, where)
		}
		return nil, nil
	})
}

// §9.3: an error that a call raises goes to the error handler, and with MPI_ERRORS_RETURN to the
// program, which may catch it. A snapshot has all errors in order of the trace, joined where ranks
// raise them at the same place.
func TestRaisedErrors(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 4, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(4), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 1})
		if p.Rank() != 2 {
			p.World().Split(-1-p.Rank(), 0)
		}
		p.World().Barrier()
		p.At(engine.Site{File: "demo.py", Line: 3})
		p.World().Free()
		return nil
	})
	if st := w.Wait(); st.Failure != nil || len(st.Waiting) > 0 {
		t.Fatalf("the program did not catch its errors: %+v", st)
	}
	type found struct {
		Step                   int
		Class                  engine.Class
		Call                   engine.Call
		Ranks, Where, Messages string
	}
	list := func(s *engine.Snapshot) (list []found) {
		for _, r := range s.Errors() {
			list = append(list, found{r.Step, r.Class, r.Call, r.Ranks.String(), r.Where, r.Got})
		}
		return list
	}
	want := []found{
		{0, engine.ErrArg, engine.CallSplit, "0-1,3", "demo.py:1", "rank 0: color -1; rank 1: color -2; rank 3: color -4"},
		{1, engine.ErrComm, engine.CallFree, "0-3", "demo.py:3", ""},
	}
	if diff := cmp.Diff(want, list(w.Snapshot())); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[:1], list(w.Snapshot().At(0))); diff != "" {
		t.Errorf("errors at the beginning (-want +got):\n%s", diff)
	}
}
