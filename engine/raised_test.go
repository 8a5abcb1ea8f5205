package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// §9.3: an error that a call raises goes to the error handler, and with MPI_ERRORS_RETURN to the
// program, which may catch it. A snapshot has them all: of one place together, in order of the trace.
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
