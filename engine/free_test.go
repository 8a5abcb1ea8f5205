package engine_test

import (
	"errors"
	"testing"

	"commsplit/engine"
)

// MPI_Comm_free, §7.4.3: operations under way on the communicator end normally, and what it was
// made of is given back only when the last of them has ended. The context id tells.
func TestFreeWithPendingReceive(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(2), func(p *engine.Process) error {
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		var r *engine.Request
		if p.Rank() == 0 {
			if r, err = c.Irecv(1, 0); err != nil {
				return err
			}
		}
		second := *c // another name of the handle, to send on after the free
		if err := c.Free(); err != nil {
			return err
		}
		d, err := p.World().Dup()
		if err := errors.Join(err, want(d.Info().Context == 2, "context %d while a receive is pending", d.Info().Context)); err != nil {
			return err
		}
		if p.Rank() == 1 {
			if err := second.Send("late", 0, 0); err != nil {
				return err
			}
		} else {
			e, err := r.Wait()
			if err := errors.Join(err, want(e.Value == "late", "received %v", e.Value)); err != nil {
				return err
			}
		}
		if err := p.World().Barrier(); err != nil {
			return err
		}
		e, err := p.World().Dup()
		return errors.Join(err, want(e.Info().Context == 1, "context %d after the receive", e.Info().Context))
	})
	if err != nil {
		t.Error(err)
	}
}

// MPI_Comm_disconnect, §11.10.4: waits for communication under way to end.
func TestDisconnectWaits(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		at(p, 8)
		if p.Rank() == 0 {
			if _, err := c.Irecv(1, 4); err != nil {
				return err
			}
		}
		at(p, 9)
		return c.Disconnect()
	})
	wantDeadlock(t, err, "DEADLOCK on communicator 2: ranks 0-2 wait in MPI_Comm_disconnect (demo.py:9). "+
		"MPI_Comm_disconnect waits for all communication on the communicator to end [MPI-5.0 §11.10.4]. "+
		"Fix: complete the requests of rank 0 first, or use MPI_Comm_free.")
	err = try(t, ofSize(2), func(p *engine.Process) error {
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		if p.Rank() == 0 {
			if _, err := c.Irecv(1, 4); err != nil {
				return err
			}
		} else if err := c.Send(1, 0, 4); err != nil {
			return err
		}
		return errors.Join(c.Disconnect(), want(c.IsNull(), "not null"))
	})
	if err != nil {
		t.Error(err)
	}
}

// A supply of three context ids holds the world's and two others; the fourth communicator fails on
// every process with MPI_ERR_OTHER, and freeing one makes room.
func TestContextsRunOut(t *testing.T) {
	t.Parallel()
	err := try(t, engine.Config{Size: 3, Contexts: 3}, func(p *engine.Process) error {
		a, err := p.World().Dup()
		if err != nil {
			return err
		}
		if _, err := p.World().Split(0, 0); err != nil {
			return err
		}
		_, err = p.World().Dup()
		if err := isClass(err, engine.ErrOther, "of the 3 context ids of a process, ranks 0-2 have none left", "MPI_Comm_free"); err != nil {
			return err
		}
		_, r, err := p.World().Idup()
		if err != nil {
			return err
		}
		if _, err := r.Wait(); isClass(err, engine.ErrOther) != nil {
			return isClass(err, engine.ErrOther)
		}
		if err := a.Free(); err != nil {
			return err
		}
		_, err = p.World().Dup()
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Ids can run out although each process has some: no id is free on all of them. Ranks 0 and 1 hold
// id 1, ranks 2 and 3 id 2.
func TestContextsInPieces(t *testing.T) {
	t.Parallel()
	err := try(t, engine.Config{Size: 4, Contexts: 3}, func(p *engine.Process) error {
		half, err := p.World().Split(p.Rank()/2, 0) // id 1 on all
		if err != nil {
			return err
		}
		other, err := half.Dup() // id 2 on all
		if err != nil {
			return err
		}
		if p.Rank() < 2 {
			err = other.Free()
		} else {
			err = half.Free()
		}
		if err != nil {
			return err
		}
		_, err = p.World().Dup()
		return isClass(err, engine.ErrOther, "each process has free ones, but no id is free on all of them")
	})
	if err != nil {
		t.Error(err)
	}
}
