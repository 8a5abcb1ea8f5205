package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"commsplit/engine"
)

// §7.7.2: a failing delete function makes set, delete and free fail with its class, and the attribute
// stays; the process' own handle stays valid.
func TestFailingDeleteFunction(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		fails := true
		k := p.CreateKeyval(nil, func(c *engine.Comm, _ *engine.Keyval, _ any) error {
			if fails {
				return c.Send(nil, 0, -5) // fails with MPI_ERR_TAG
			}
			return nil
		})
		c, err := p.World().Split(0, 0)
		must(t, err)
		must(t, c.SetAttr(k, 1))
		wantClass(t, c.SetAttr(k, 2), engine.ErrTag)
		wantClass(t, c.DeleteAttr(k), engine.ErrTag)
		e := wantClass(t, c.Free(), engine.ErrTag)
		wantText(t, e.Error(), "MPI_Comm_free", fmt.Sprintf("the delete function of keyval %d failed", k.ID()), "MPI-5.0 §7.7.2")
		wantAttr(t, c, k, 1)
		fails = false
		must(t, c.Free())
		if !c.IsNull() {
			t.Error("the handle is not MPI_COMM_NULL after MPI_Comm_free")
		}
		return nil, nil
	})
}

// A delete function that fails on some processes makes MPI_Comm_free, which is collective, fail on all:
// with its class there, elsewhere with MPI_ERR_OTHER naming those, and nobody waits. The communicator
// stays, also for the trace. Values that were deleted until then are gone.
func TestFreeFailsEverywhere(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 4, Trace: true})
	must(t, err)
	defer w.Close()
	w.Submit(engine.AllRanks(4), func(p *engine.Process) error {
		d := &diary{p: p}
		bad := p.CreateKeyval(nil, func(*engine.Comm, *engine.Keyval, any) error { return errors.New("busy") })
		first, last := d.key("first"), d.key("last")
		c, err := p.World().Split(0, -p.Rank()) // ranks in c are the other way round
		must(t, err)
		must(t, c.SetAttr(first, 1))
		if p.Rank()%2 == 1 {
			must(t, c.SetAttr(bad, 0))
		}
		must(t, c.SetAttr(last, 2))
		err = c.Free()
		e := wantClass(t, err, engine.ErrOther)
		if p.Rank()%2 == 1 {
			wantText(t, e.Error(), "the delete function of keyval", "failed: busy")
			d.wants(t, "free", "delete last 2")
			wantAttr(t, c, first, 1)
		} else {
			wantText(t, e.Error(), "failed on ranks 1,3: the communicator stays")
		}
		return c.Barrier()
	})
	if st := w.Wait(); st.Failure != nil || len(st.Waiting) > 0 {
		t.Fatalf("%+v", st)
	}
	if freed := w.Snapshot().Freed(); len(freed) > 0 {
		t.Errorf("freed: %v, want none", freed)
	}
}

// §7.7.2: a failing copy function makes MPI_Comm_dup fail: with its class on that process, elsewhere
// with MPI_ERR_OTHER naming those. Nobody gets a communicator, nobody waits, and the next one works.
func TestDupFailsEverywhere(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
		k := p.CreateKeyval(func(c *engine.Comm, _ *engine.Keyval, _ any) (any, bool, error) {
			return nil, true, &engine.Error{Class: engine.ErrTruncate, Text: "too long"}
		}, nil)
		if p.Rank() == 2 {
			must(t, p.World().SetAttr(k, 1))
		}
		d, err := p.World().Dup()
		if !d.IsNull() {
			t.Error("a communicator came of it")
		}
		if p.Rank() == 2 {
			wantText(t, wantClass(t, err, engine.ErrTruncate).Error(), "MPI_Comm_dup", "the copy function of keyval", "too long")
			must(t, p.World().DeleteAttr(k))
		} else {
			wantText(t, wantClass(t, err, engine.ErrOther).Error(), "MPI_Comm_dup", "failed on rank 2: no process gets a communicator")
		}
		d, err = p.World().Dup()
		must(t, err)
		if id := d.Info().ID; id != 2 {
			t.Errorf("id %d, want 2, the first one that a program makes", id)
		}
		return nil, nil
	})
}
