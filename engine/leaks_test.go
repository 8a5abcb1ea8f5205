package engine_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"codeberg.org/commsplit/commsplit/engine"
)

// Leaks lists what a program made and never ended, with the place where the program made it: a split into two
// that no process frees, a receive without a message, two messages that no process receives, a duplication that
// only rank 0 starts, and (§7.4.3) a communicator that was freed while a receive refers to it.
func TestLeaks(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 4, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(4), func(p *engine.Process) error {
		at(p, 1)
		if _, err := p.World().Split(p.Rank()%2, 0); err != nil {
			return err
		}
		at(p, 2)
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		switch at(p, 3); p.Rank() {
		case 0:
			if _, _, err := p.World().Idup(); err != nil {
				return err
			}
		case 1:
			if _, err := c.Irecv(0, 0); err != nil {
				return err
			}
		case 2, 3:
			if err := p.World().Send("lost", 1, 7); err != nil {
				return err
			}
		}
		at(p, 4)
		return c.Free()
	})
	w.Wait()
	var got []string
	for _, l := range w.Leaks() {
		got = append(got, fmt.Sprintln(l.Kind, l.Comms, l.Ranks, l.Where, l.Call, l.Count))
	}
	want := []string{
		fmt.Sprintln(engine.LeakedComm, []int{2, 3}, "0-3", "demo.py:1", engine.CallSplit, 2),
		fmt.Sprintln(engine.LeakedContext, []int{4}, "0-3", "demo.py:4", engine.CallFree, 1),
		fmt.Sprintln(engine.LeakedDup, []int{0}, "0", "demo.py:3", engine.CallIdup, 1),
		fmt.Sprintln(engine.LeakedReceive, []int{4}, "1", "demo.py:3", engine.CallIrecv, 1),
		fmt.Sprintln(engine.LeakedMessage, []int{0}, "1", "demo.py:3", engine.CallSend, 2),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("leaks (-want +got):\n%s", d)
	}
}

// Every world that ends takes its goroutines with it, however it ends.
func TestMain(m *testing.M) {
	if os.Getenv(panics) != "" {
		runDefective()
		return
	}
	goleak.VerifyTestMain(m)
}

// A rank that waits when the world closes leaves through its deferred functions, and these may make MPI calls
// that other ranks never make: it is natural to defer the free of a communicator.
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

// Close ends ranks that are blocked in any kind of wait, also those in which a rank waits for more than its own
// communicator.
func TestCloseEndsEveryWait(t *testing.T) {
	before := goleak.IgnoreCurrent()
	for name, wait := range waitsForEver {
		t.Run(name, func(t *testing.T) {
			err := try(t, ofSize(70), func(p *engine.Process) error {
				defer p.World().Barrier()
				return wait(p)
			})
			var d *engine.Deadlock
			if !errors.As(err, &d) {
				t.Errorf("got %v, want a deadlock", err)
			}
			goleak.VerifyNone(t, before)
		})
	}
}

// waitsForEver are programs of seventy ranks that leave some of them blocked.
var waitsForEver = map[string]func(p *engine.Process) error{
	"for a duplicate":         startedDup(func(r *engine.Request) { r.Wait() }),
	"for one of several":      startedDup(func(r *engine.Request) { engine.Waitany([]*engine.Request{nil, r}) }),
	"for all of several":      startedDup(func(r *engine.Request) { engine.Waitall([]*engine.Request{r, nil, r}) }),
	"behind a duplicate":      startedDup(func(*engine.Request) {}),
	"for the other group":     func(p *engine.Process) error { return half(p, p.Rank()%2 == 0) },
	"for the own group":       func(p *engine.Process) error { return half(p, p.Rank()%4 != 0) },
	"for a group's processes": func(p *engine.Process) error { return fromGroup(p, p.Rank() > 0) },
	"for a message to probe": func(p *engine.Process) error {
		_, err := p.World().Probe(engine.AnySource, engine.AnyTag)
		return err
	},
	"for communication to end": func(p *engine.Process) error {
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		if _, err := c.Irecv(engine.AnySource, 0); err != nil {
			return err
		}
		return c.Disconnect()
	},
	"for one of two intercommunicators": func(p *engine.Process) error {
		mine, err := incl(p.World(), p.Rank())
		if err != nil {
			return err
		}
		next, err := incl(p.World(), (p.Rank()+1)%p.Size())
		if err != nil {
			return err
		}
		_, err = p.CreateIntercommFromGroups(mine, 0, next, 0, "org.example", nil, engine.ErrorsReturn)
		return err
	},
}

// startedDup starts a duplication that rank 0 never joins.
func startedDup(wait func(r *engine.Request)) func(p *engine.Process) error {
	return func(p *engine.Process) error {
		if p.Rank() == 0 {
			return nil
		}
		_, r, err := p.World().Idup()
		if err == nil {
			wait(r)
		}
		return err
	}
}

// half calls MPI_Intercomm_create of the even and the odd ranks, on the ranks for which calls is true.
func half(p *engine.Process, calls bool) error {
	c, err := p.World().Split(p.Rank()%2, 0)
	if err != nil || !calls {
		return err
	}
	_, err = c.CreateIntercomm(0, p.World(), 1-p.Rank()%2, 0)
	return err
}

// fromGroup calls MPI_Comm_create_from_group of all ranks, on the ranks for which calls is true.
func fromGroup(p *engine.Process, calls bool) error {
	g, err := p.World().Group()
	if err != nil || !calls {
		return err
	}
	_, err = p.CreateFromGroup(g, "org.example", nil, engine.ErrorsReturn)
	return err
}

// A world without tasks can be closed, and a closed world again: Run closes the world that it is given.
func TestCloseTwice(t *testing.T) {
	t.Parallel()
	for _, run := range []bool{false, true} {
		w, err := engine.New(ofSize(100))
		if err != nil {
			t.Fatal(err)
		}
		if run {
			if err := engine.Run(w, func(p *engine.Process) error { return p.World().Barrier() }); err != nil {
				t.Error(err)
			}
		}
		w.Close()
		w.Close()
	}
}

// A rank whose task ends the goroutine, as testing.T.Fatal does, ends the program with an error that says so.
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

// A line that leaks on many communicators makes one leak, with their number.
func TestLeaksOfOneLineAreOne(t *testing.T) {
	t.Parallel()
	cfg := ofSize(2)
	cfg.Trace = true
	w, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(2), func(p *engine.Process) error {
		for range 50 {
			c, err := at(p, 3).World().Dup()
			if err != nil {
				return err
			}
			if err := at(p, 4).Self().Send("x", 0, 7); err != nil {
				return err
			}
			if _, err := at(p, 5).World().Irecv(1-p.Rank(), 7); err != nil {
				return err
			}
			if err := at(p, 6).World().Barrier(); err != nil {
				return err
			}
			at(p, 7)
			if _, err := c.Irecv(0, 8); err != nil {
				return err
			}
		}
		return nil
	})
	if st := w.Wait(); st.Failure != nil || len(st.Waiting) > 0 {
		t.Fatalf("got %+v", st)
	}
	var got []string
	for _, l := range w.Leaks() {
		got = append(got, fmt.Sprintln(l.Kind, len(l.Comms), l.Ranks, l.Where, l.Call, l.Count))
	}
	want := []string{
		fmt.Sprintln(engine.LeakedComm, 50, "0-1", "demo.py:3", engine.CallDup, 50),
		fmt.Sprintln(engine.LeakedReceive, 1, "0-1", "demo.py:5", engine.CallIrecv, 100),
		fmt.Sprintln(engine.LeakedReceive, 50, "0-1", "demo.py:7", engine.CallIrecv, 100),
		fmt.Sprintln(engine.LeakedMessage, 1, "0-1", "demo.py:4", engine.CallSend, 100),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("leaks (-want +got):\n%s", d)
	}
}
