package engine_test

import (
	"errors"
	"slices"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// MPI_Comm_idup, §7.4.2: the duplicate has the group of the communicator and another context, and
// it is erroneous to use it before the operation completes.
func TestIdup(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(5), func(p *engine.Process) error {
		half, err := p.World().Split(p.Rank()%2, -p.Rank())
		if err != nil {
			return err
		}
		d, r, err := half.Idup()
		if err != nil {
			return err
		}
		_, early := d.Dup()
		if err := isClass(early, engine.ErrComm, "MPI_Comm_idup", "wait"); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		cmp, err := d.Compare(half)
		return errors.Join(err, want(cmp == engine.Congruent, "compare: %s", cmp), d.Barrier())
	})
	if err != nil {
		t.Error(err)
	}
}

// MPI_Comm_idup, §7.4.2: as if MPI_Comm_dup was executed at the call. The error handler and hints at the call
// count, and the info object may be changed at once.
func TestIdupIsASnapshot(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		info := engine.NewInfo()
		d, r, err := c.IdupWithInfo(info)
		if err := errors.Join(err, info.Set("late", "1"), c.SetErrhandler(engine.ErrorsAreFatal), info.Free()); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		hints, err := d.Hints()
		if err != nil {
			return err
		}
		n, err := hints.Len()
		h, err2 := d.Errhandler()
		return errors.Join(err, err2, want(n == 0, "%d hints", n), want(h == engine.ErrorsReturn, "handler %s", h))
	})
	if err != nil {
		t.Error(err)
	}
}

// §6.12: nonblocking collective calls are matched in the order in which each process makes them, and other calls
// may come before their end. Two duplications that all processes start in the same order make two communicators;
// a process may complete them in any order.
func TestIdupsStandInLine(t *testing.T) {
	t.Parallel()
	ids := perRank(t, ofSize(4), func(p *engine.Process) ([]int, error) {
		w := p.World()
		a, ra, err := w.Idup()
		if err != nil {
			return nil, err
		}
		if p.Rank() == 0 {
			if err := w.Send("go", 1, 0); err != nil { // rank 1 starts its second duplication only after this
				return nil, err
			}
		}
		if p.Rank() == 1 {
			if _, err := w.Recv(0, 0); err != nil {
				return nil, err
			}
		}
		b, rb, err := w.Idup()
		if err != nil {
			return nil, err
		}
		if err := w.Barrier(); err != nil { // comes after both duplications
			return nil, err
		}
		order := []*engine.Request{ra, rb}
		if p.Rank()%2 == 1 {
			slices.Reverse(order)
		}
		for _, r := range order {
			if _, err := r.Wait(); err != nil {
				return nil, err
			}
		}
		return []int{a.Info().ID, b.Info().ID, a.Info().Context, b.Info().Context}, nil
	})
	for rank, got := range ids {
		if !slices.Equal(got, []int{2, 3, 1, 2}) {
			t.Errorf("rank %d: ids and contexts %v, want [2 3 1 2]", rank, got)
		}
	}
}

// Duplicates that are started together get their ids by communicator, then in the order in which each process
// starts them there (§6.12), whichever communicator a process starts with: what a program prints does not depend
// on the speed of ranks.
func TestIdupsGetTheirIDsInOrder(t *testing.T) {
	t.Parallel()
	ids := perRank(t, ofSize(2), func(p *engine.Process) (list []int, err error) {
		a, err := p.World().Dup() // id 2
		if err != nil {
			return nil, err
		}
		b, err := p.World().Dup() // id 3
		if err != nil {
			return nil, err
		}
		on := []*engine.Comm{b, a, a} // rank 1 starts the duplication of b between those of a
		if p.Rank() == 1 {
			on = []*engine.Comm{a, b, a}
		}
		var requests []*engine.Request
		var made []*engine.Comm
		for _, c := range on {
			d, r, err := c.Idup()
			if err != nil {
				return nil, err
			}
			made, requests = append(made, d), append(requests, r)
		}
		for _, r := range slices.Backward(requests) {
			if _, err := r.Wait(); err != nil {
				return nil, err
			}
		}
		for _, d := range made {
			list = append(list, d.Info().ID, d.Info().Context)
		}
		return list, nil
	})
	// Of a: ids 4 and 5, contexts 3 and 4; of b: id 6, context 5.
	for rank, want := range [][]int{{6, 5, 4, 3, 5, 4}, {4, 3, 6, 5, 5, 4}} {
		if !slices.Equal(ids[rank], want) {
			t.Errorf("rank %d: ids and contexts %v, want %v", rank, ids[rank], want)
		}
	}
}

// §6.12: a nonblocking collective call does not match a blocking one.
func TestIdupDoesNotMatchDup(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		if p.Rank() == 0 {
			_, err := at(p, 4).World().Dup()
			return err
		}
		_, r, err := at(p, 6).World().Idup()
		if err != nil {
			return err
		}
		at(p, 7)
		_, err = r.Wait()
		return err
	})
	wantDeadlock(t, err, "DEADLOCK on world: ranks 1-2 wait in MPI_Wait (demo.py:7) for the duplicate of world that "+
		"MPI_Comm_idup started (demo.py:6); rank 0 is in MPI_Comm_dup (demo.py:4). A nonblocking collective call does not "+
		"match a blocking one [MPI-5.0 §6.12]. Fix: let all of them make the same call: rank 0 calls MPI_Comm_dup, ranks 1-2 call MPI_Comm_idup.")
}

// §6.12: idups on two communicators in different orders are not a deadlock, unlike dups.
func TestIdupsInOppositeOrder(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(2), func(p *engine.Process) error {
		a, err := p.World().Dup()
		if err != nil {
			return err
		}
		list := []*engine.Comm{p.World(), a}
		if p.Rank() == 1 {
			slices.Reverse(list)
		}
		var requests []*engine.Request
		for _, c := range list {
			_, r, err := c.Idup()
			if err != nil {
				return err
			}
			requests = append(requests, r)
		}
		_, err = engine.Waitall(requests)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// §3.7.5: wait and test, for all requests and for any.
func TestWaitForms(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(2), func(p *engine.Process) error {
		w := p.World()
		if p.Rank() == 0 {
			if _, err := w.Recv(1, 9); err != nil {
				return err
			}
			return errors.Join(w.Send("b", 1, 2), w.Send("a", 1, 1))
		}
		a, err := w.Irecv(0, 1)
		if err != nil {
			return err
		}
		b, err := w.Irecv(0, 2)
		if err != nil {
			return err
		}
		_, _, some, err := engine.Testany([]*engine.Request{a, nil, b})
		_, all, err2 := engine.Testall([]*engine.Request{a, b})
		if err := errors.Join(err, err2, want(!some && !all, "complete before anything was sent"), w.Send("go", 0, 9)); err != nil {
			return err
		}
		i, e, err := engine.Waitany([]*engine.Request{nil, b, nil})
		if err := errors.Join(err, want(i == 1 && e.Value == "b", "waitany: %d %v", i, e.Value)); err != nil {
			return err
		}
		got, err := engine.Waitall([]*engine.Request{a, nil})
		if err := errors.Join(err, want(got[0].Value == "a", "waitall: %v", got)); err != nil {
			return err
		}
		i, _, err = engine.Waitany([]*engine.Request{nil, nil})
		if err := errors.Join(err, want(i == engine.Undefined, "waitany of nothing: %d", i)); err != nil {
			return err
		}
		i, _, done, err := engine.Testany(nil)
		return errors.Join(err, want(i == engine.Undefined && done, "testany of nothing: %d %v", i, done))
	})
	if err != nil {
		t.Error(err)
	}
}
