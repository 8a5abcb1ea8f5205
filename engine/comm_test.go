package engine_test

import (
	"testing"

	"commsplit/engine"
)

// uses are the calls that take a communicator.
func uses(c *engine.Comm) map[string]error {
	list := map[string]error{}
	note := func(name string, err error) { list[name] = err }
	_, err := c.Rank()
	note("rank", err)
	_, err = c.Size()
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

// §7.2.4: MPI_COMM_NULL is an invalid communicator: MPI_ERR_COMM from every call that takes one.
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

// An error that a program does not catch names the ranks that made it, also where the handle that
// was used belongs to nobody.
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
			wantText(t, e.Error(), "communicator 2 was freed", "comm_test.go:")
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

// §7.4.2: MPI_COMM_DUP gives the same group, the same error handler, but a new context; name and
// (since MPI-4.0) info hints are not copied.
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
