package engine_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// uses makes each call that takes a communicator, and returns the errors by name of the call.
func uses(c *engine.Comm) map[string]error {
	list := map[string]error{}
	note := func(name string, err error) { list[name] = err }
	err := c.Check(engine.CallRank)
	note("rank", err)
	err = c.Check(engine.CallSize)
	note("size", err)
	_, err = c.Group()
	note("group", err)
	_, err = c.IsInter()
	note("test_inter", err)
	_, err = c.Dup()
	note("dup", err)
	_, err = c.Split(0, 0)
	note("split", err)
	_, err = c.SplitType(engine.TypeShared, 0, nil)
	note("split_type", err)
	_, err = c.Create(engine.EmptyGroup)
	note("create", err)
	_, err = c.CreateGroup(engine.EmptyGroup, 0)
	note("create_group", err)
	_, err = c.Compare(c)
	note("compare", err)
	_, err = c.Recv(0, 0)
	note("recv", err)
	_, err = c.Bcast(1, 0)
	note("bcast", err)
	_, err = c.Errhandler()
	note("get_errhandler", err)
	_, err = c.Hints()
	note("get_info", err)
	note("send", c.Send(1, 0, 0))
	note("barrier", c.Barrier())
	note("set_name", c.SetName("x"))
	note("set_info", c.SetInfo(engine.NewInfo()))
	note("set_errhandler", c.SetErrhandler(engine.ErrorsReturn))
	note("free", c.Free())
	return list
}

// §7.2.4: MPI_COMM_NULL is an invalid communicator: every call that takes a communicator raises
// MPI_ERR_COMM.
func TestCommNull(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		none, err := p.World().Split(engine.Undefined, 0)
		if err != nil {
			return nil, err
		}
		for name, err := range uses(none) {
			if err == nil {
				t.Errorf("%s on MPI_COMM_NULL: no error", name)
				continue
			}
			wantText(t, wantClass(t, err, engine.ErrComm).Error(), "MPI_COMM_NULL")
		}
		if name, err := none.Name(); name != "MPI_COMM_NULL" || err != nil {
			t.Errorf("its name is %q (%v)", name, err)
		}
		return nil, nil
	})
}

// An error that a program does not catch names the ranks that made it, also when the handle is nil and
// so belongs to no process.
func TestCommNullNamesTheRanks(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(4), func(p *engine.Process) error {
		c, err := p.World().Split(p.Rank()%2*engine.Undefined, 0)
		if err != nil {
			return err
		}
		_, err = c.Dup()
		return err
	})
	if e := wantClass(t, err, engine.ErrComm); e.Ranks.String() != "1,3" {
		t.Errorf("raised on %q, want 1,3: %v", e.Ranks, e)
	}
}

// §7.4.3: MPI_COMM_FREE sets the handle to MPI_COMM_NULL.
func TestFreedHandle(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		c, err := p.World().Dup()
		if err != nil {
			return nil, err
		}
		if err := c.Free(); err != nil {
			return nil, err
		}
		if !c.IsNull() || c.Info() != nil {
			t.Error("the handle is not MPI_COMM_NULL")
		}
		for name, err := range uses(c) {
			if err == nil {
				t.Errorf("%s on a freed handle: no error", name)
				continue
			}
			e := wantClass(t, err, engine.ErrComm)
			wantText(t, e.Error(), "communicator 2 has been freed", "comm_test.go:")
		}
		return nil, nil
	})
}

// §7.4.3 and §7.2.4: the predefined communicators cannot be deallocated.
func TestFreePredefined(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		wantClass(t, p.World().Free(), engine.ErrComm)
		wantClass(t, p.Self().Free(), engine.ErrComm)
		return nil, p.World().Barrier()
	})
}

// §7.4.3: free is collective: it waits for all processes of the group.
func TestFreeIsCollective(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		c, err := p.World().Dup()
		if err != nil || p.Rank() == 1 {
			return err
		}
		at(p, 4)
		return c.Free()
	})
	wantDeadlock(t, err, "DEADLOCK on communicator 2: ranks 0,2 wait in MPI_Comm_free (demo.py:4); "+
		"rank 1 has made all its calls. All processes of the group must make the same collective "+
		"calls in the same order [MPI-5.0 §6.1]. Fix: let rank 1 call MPI_Comm_free too.")
}

// §7.4.2: MPI_COMM_DUP keeps the group and the error handler, and takes a new context; name and (since
// MPI-4.0) info hints are not copied.
func TestDup(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(3), func(p *engine.Process) (view, error) {
		c, err := p.World().Split(0, -p.Rank())
		if err != nil {
			return view{}, err
		}
		hints := naming("mpi_assert_no_any_tag", "true")
		for _, err := range []error{c.SetName("mine"), c.SetInfo(hints),
			c.SetErrhandler(engine.ErrorsAbort)} {
			if err != nil {
				return view{}, err
			}
		}
		d, err := c.Dup()
		if err != nil {
			return view{}, err
		}
		if c.Info().Context == d.Info().Context {
			t.Error("the context is not new")
		}
		if name, err := d.Name(); name != "" || err != nil {
			t.Errorf("name %q (%v)", name, err)
		}
		if h, err := d.Errhandler(); h != engine.ErrorsAbort || err != nil {
			t.Errorf("error handler %v (%v)", h, err)
		}
		info, err := d.Hints()
		if err != nil {
			return view{}, err
		}
		if n, err := info.Len(); n != 0 || err != nil {
			t.Errorf("%d hints (%v)", n, err)
		}
		return look(d)
	})
	wantParts(t, views, [][]int32{{2, 1, 0}})
}

// §7.8: predefined communicators have predefined names; a name is the handle's, and local.
func TestNames(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		c, err := p.World().Dup()
		if err != nil {
			return nil, err
		}
		if p.Rank() == 1 {
			if err := c.SetName("ocean"); err != nil {
				return nil, err
			}
		}
		want := []string{"", "ocean"}[p.Rank()]
		for c, want := range map[*engine.Comm]string{p.World(): "MPI_COMM_WORLD",
			p.Self(): "MPI_COMM_SELF", c: want} {
			if name, err := c.Name(); name != want || err != nil {
				t.Errorf("name %q (%v), want %q", name, err, want)
			}
		}
		return nil, nil
	})
}

// §7.4.1: MPI_COMM_COMPARE returns IDENT for handles of the same object, CONGRUENT if the groups are
// identical but the contexts differ, SIMILAR if only the members agree, UNEQUAL otherwise.
func TestCommCompare(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(4), func(p *engine.Process) (list []engine.Comparison, err error) {
		w := p.World()
		dup, err := w.Dup()
		if err != nil {
			return nil, err
		}
		same, err := w.Split(0, p.Rank())
		if err != nil {
			return nil, err
		}
		back, err := w.Split(0, -p.Rank())
		if err != nil {
			return nil, err
		}
		half, err := w.Split(p.Rank()/2, 0)
		if err != nil {
			return nil, err
		}
		for _, c := range []*engine.Comm{w, dup, same, back, half, p.Self()} {
			r, err := w.Compare(c)
			if err != nil {
				return nil, err
			}
			list = append(list, r)
		}
		return list, nil
	})
	want := []engine.Comparison{engine.Ident, engine.Congruent, engine.Congruent, engine.Similar,
		engine.Unequal, engine.Unequal}
	for rank, list := range got {
		if diff := cmp.Diff(want, list); diff != "" {
			t.Errorf("rank %d (-want +got):\n%s", rank, diff)
		}
	}
}

// §7.6.1: of two intercommunicators, both the local and the remote groups must compare correctly to get
// MPI_CONGRUENT or MPI_SIMILAR; an intercommunicator and an intracommunicator are MPI_UNEQUAL.
func TestCompareIntercommunicators(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(5), func(p *engine.Process) (list []engine.Comparison, err error) {
		// Ranks 0 and 1 with, in turn: 2 and 3, the same, 3 and 2, 2 and 4.
		var inter []*engine.Comm
		for tag, right := range [][]int{{2, 3}, {2, 3}, {3, 2}, {2, 4}} {
			color, key, leader := engine.Undefined, slices.Index(right, p.Rank()), 0
			if p.Rank() < 2 {
				color, key, leader = 0, p.Rank(), right[0]
			} else if key >= 0 {
				color = 1
			}
			side, err := p.World().Split(color, key)
			if err != nil {
				return nil, err
			}
			if side == nil {
				continue
			}
			c, err := side.CreateIntercomm(0, p.World(), leader, tag)
			if err != nil {
				return nil, err
			}
			inter = append(inter, c)
		}
		for _, c := range append(inter, p.World()) {
			r, err := inter[0].Compare(c)
			if err != nil {
				return nil, err
			}
			list = append(list, r)
		}
		return list, nil
	})
	with := func(list ...engine.Comparison) []engine.Comparison { return append(list, engine.Unequal) }
	want := [][]engine.Comparison{
		with(engine.Ident, engine.Congruent, engine.Similar, engine.Unequal), // the remote groups decide
		with(engine.Ident, engine.Congruent, engine.Similar, engine.Unequal),
		with(engine.Ident, engine.Congruent, engine.Similar, engine.Unequal), // the local ones
		with(engine.Ident, engine.Congruent, engine.Similar),
		with(engine.Ident), // rank 4 is in the last one only
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("by rank (-want +got):\n%s", diff)
	}
}

// In a world of one process MPI_COMM_WORLD and MPI_COMM_SELF have identical groups.
func TestCompareWorldAndSelf(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		r, err := p.World().Compare(p.Self())
		if r != engine.Congruent {
			t.Errorf("got %v, want MPI_CONGRUENT", r)
		}
		return nil, err
	})
}

// The names that messages and traces show are those of the C binding.
func TestCNames(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		engine.Ident.String(): "MPI_IDENT", engine.Congruent.String(): "MPI_CONGRUENT",
		engine.Similar.String(): "MPI_SIMILAR", engine.Unequal.String(): "MPI_UNEQUAL",
		engine.ErrArg.String(): "MPI_ERR_ARG", engine.CallSplitType.String(): "MPI_Comm_split_type",
		engine.CallCreateGroup.String(): "MPI_Comm_create_group",
		engine.CallDup.Rule():           "MPI-5.0 §7.4.2",
		engine.TypeHWUnguided.String():  "MPI_COMM_TYPE_HW_UNGUIDED",
		engine.Std(22).String():         "2.2",
		engine.ErrorsReturn.String():    "MPI_ERRORS_RETURN",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// MPI_Comm_free, §7.4.3: operations under way on the communicator end normally, and its context id is
// given back only when the last of them has ended.
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
		second := *c // a copy of the handle, to send on after the free
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
		if err := isClass(err, engine.ErrOther, "has 3 context ids, and ranks 0-2 have none left", "MPI_Comm_free"); err != nil {
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
		return isClass(err, engine.ErrOther, "each process has free ids, but no id is free on all processes")
	})
	if err != nil {
		t.Error(err)
	}
}

// Rank and Size return no error: for a handle without a communicator Rank returns MPI_UNDEFINED, as
// Group.Rank does, and Size returns 0. Check returns MPI_ERR_COMM.
func TestRankAndSizeOfNull(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		freed, err := p.World().Dup()
		if err != nil {
			return nil, err
		}
		if freed.Size() != 2 || freed.Rank() != p.Rank() || freed.Check(engine.CallRank) != nil {
			t.Errorf("rank %d of %d", freed.Rank(), freed.Size())
		}
		if err := freed.Free(); err != nil {
			return nil, err
		}
		pending, r, err := p.World().Idup()
		if err != nil {
			return nil, err
		}
		for _, c := range []*engine.Comm{nil, freed, pending} {
			if c.Rank() != engine.Undefined || c.Size() != 0 {
				t.Errorf("rank %d of %d", c.Rank(), c.Size())
			}
			wantClass(t, c.Check(engine.CallSize), engine.ErrComm)
		}
		_, err = r.Wait()
		return nil, err
	})
}
