package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// received lists what a rank got, as source, tag, value.
type received [][3]int

func (r *received) add(m engine.Envelope, err error) error {
	if err == nil {
		v, _ := m.Value.(int)
		*r = append(*r, [3]int{m.Source, m.Tag, v})
	}
	return err
}

// §3.5: messages are non-overtaking: of two messages from one sender that match the same receive,
// the first sent is received first; a tag selects among messages.
func TestNonOvertaking(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(2), func(p *engine.Process) (got received, err error) {
		c := p.World()
		if p.Rank() == 0 {
			for i, tag := range []int{5, 6, 5, 5, 6} {
				if err := c.Send(i, 1, tag); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}
		for _, tag := range []int{6, engine.AnyTag, 5, engine.AnyTag, engine.AnyTag} {
			if err := got.add(c.Recv(engine.AnySource, tag)); err != nil {
				return nil, err
			}
		}
		return got, nil
	})
	want := received{{0, 6, 1}, {0, 5, 0}, {0, 5, 2}, {0, 5, 3}, {0, 6, 4}}
	if diff := cmp.Diff(want, got[1]); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
}

// §3.5: receives are matched in the order in which they were posted.
func TestReceivesMatchInOrder(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(2), func(p *engine.Process) (got received, err error) {
		c := p.World()
		var posted []*engine.Request
		for range 3 {
			r, err := c.Irecv(1-p.Rank(), engine.AnyTag)
			if err != nil {
				return nil, err
			}
			posted = append(posted, r)
		}
		if err := c.Barrier(); err != nil {
			return nil, err
		}
		for i := range 3 {
			r, err := c.Isend(10*i, 1-p.Rank(), i)
			if err != nil {
				return nil, err
			}
			if _, err := r.Wait(); err != nil {
				return nil, err
			}
		}
		for i := range 3 { // waited for in another order than posted
			if err := got.add(posted[2-i].Wait()); err != nil {
				return nil, err
			}
		}
		return got, nil
	})
	for rank, list := range got {
		o := 1 - rank
		if diff := cmp.Diff(received{{o, 2, 20}, {o, 1, 10}, {o, 0, 0}}, list); diff != "" {
			t.Errorf("rank %d (-want +got):\n%s", rank, diff)
		}
	}
}

// §3.5 and §7.2.4: a message is received only on the communicator that it was sent on: a receive
// with wildcards on a duplicate never gets a message that was sent on the parent.
func TestContextsAreIsolated(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(2), func(p *engine.Process) (got received, err error) {
		d, err := p.World().Dup()
		if err != nil {
			return nil, err
		}
		if p.Rank() == 0 {
			if err := p.World().Send(1, 1, 0); err != nil {
				return nil, err
			}
			return nil, d.Send(2, 1, 0)
		}
		for _, c := range []*engine.Comm{d, p.World()} {
			if err := got.add(c.Recv(engine.AnySource, engine.AnyTag)); err != nil {
				return nil, err
			}
		}
		return got, nil
	})
	if diff := cmp.Diff(received{{0, 0, 2}, {0, 0, 1}}, got[1]); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
	err := try(t, ofSize(2), func(p *engine.Process) error {
		d, err := p.World().Dup()
		if err != nil {
			return err
		}
		if p.Rank() == 0 {
			return p.World().Send(1, 1, 0)
		}
		at(p, 3)
		_, err = d.Recv(engine.AnySource, engine.AnyTag)
		return err
	})
	wantDeadlock(t, err, "DEADLOCK on communicator 2: rank 1 waits in MPI_Recv (demo.py:3) for a "+
		"message from any rank of communicator 2 with any tag; rank 0 has made all its calls. "+
		matching+"Fix: rank 0's message with tag 0 lies unread on world: rank 1 receives on communicator 2. Let both use one communicator.")
}

// §3.2.4 and §3.11: source is a rank of the communicator; sending to and receiving from
// MPI_PROC_NULL returns at once without data.
func TestPeers(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(4), func(p *engine.Process) (got received, err error) {
		c, err := p.World().Split(p.Rank()%2, -p.Rank()) // {2,0} and {3,1}
		if err != nil {
			return nil, err
		}
		me := c.Rank()
		if err := c.Send(p.Rank(), 1-me, 7); err != nil {
			return nil, err
		}
		if err := got.add(c.Recv(1-me, 7)); err != nil {
			return nil, err
		}
		if err := c.Send(1, engine.ProcNull, 0); err != nil {
			return nil, err
		}
		err = got.add(c.Recv(engine.ProcNull, 0))
		return got, err
	})
	for rank, list := range got {
		other := (rank + 2) % 4
		sender := map[int]int{2: 0, 0: 1, 3: 0, 1: 1}[other]
		want := received{{sender, 7, other}, {engine.ProcNull, engine.AnyTag, 0}}
		if diff := cmp.Diff(want, list); diff != "" {
			t.Errorf("rank %d (-want +got):\n%s", rank, diff)
		}
	}
}

// §3.2: the error classes of a bad peer and a bad tag; only receives may use wildcards.
func TestMessageErrors(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		c := p.World()
		recv := func(source, tag int) error { _, err := c.Recv(source, tag); return err }
		wantClass(t, c.Send(1, 1, 0), engine.ErrRank)
		wantClass(t, c.Send(1, engine.AnySource, 0), engine.ErrRank)
		wantClass(t, c.Send(1, 0, -1), engine.ErrTag)
		wantClass(t, c.Send(1, 0, engine.AnyTag), engine.ErrTag)
		above := engine.TagUB
		above++ // where an int has 32 bits, it is negative now, and no tag either
		wantClass(t, c.Send(1, 0, above), engine.ErrTag)
		wantClass(t, recv(1, 0), engine.ErrRank)
		wantClass(t, recv(-7, 0), engine.ErrRank)
		wantClass(t, recv(0, -1), engine.ErrTag)
		return nil, nil
	})
}

// §3.8.1: probe finds a message without receiving it; iprobe and test (§3.7.3) do not wait.
func TestProbeAndTest(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(2), func(p *engine.Process) (got received, err error) {
		c := p.World()
		if p.Rank() == 1 {
			if _, err := c.Recv(0, 0); err != nil {
				return nil, err
			}
			return nil, c.Send(42, 0, 3)
		}
		if _, there, err := c.Iprobe(engine.AnySource, engine.AnyTag); there || err != nil {
			t.Errorf("iprobe before the send: %t, %v", there, err)
		}
		r, err := c.Irecv(1, 9)
		if err != nil {
			return nil, err
		}
		if _, done, err := r.Test(); done || err != nil {
			t.Errorf("test before the send: %t, %v", done, err)
		}
		if err := c.Send(nil, 1, 0); err != nil {
			return nil, err
		}
		if err := got.add(c.Probe(engine.AnySource, engine.AnyTag)); err != nil {
			return nil, err
		}
		m, there, err := c.Iprobe(1, 3)
		if !there {
			t.Error("iprobe after probe: nothing")
		}
		if err := got.add(m, err); err != nil {
			return nil, err
		}
		if err := got.add(c.Recv(1, 3)); err != nil {
			return nil, err
		}
		if err := c.Send(7, 0, 5); err != nil { // to itself
			return nil, err
		}
		err = got.add(c.Recv(0, 5))
		return got, err
	})
	if diff := cmp.Diff(received{{1, 3, 42}, {1, 3, 42}, {1, 3, 42}, {0, 5, 7}}, got[0]); diff != "" {
		t.Errorf("rank 0 (-want +got):\n%s", diff)
	}
}

// §3.7.3: MPI_REQUEST_NULL is complete, with an empty status.
func TestRequestNull(t *testing.T) {
	t.Parallel()
	var none *engine.Request
	m, err := none.Wait()
	if err != nil || m.Source != engine.AnySource || m.Tag != engine.AnyTag || m.Value != nil {
		t.Errorf("wait: %+v, %v", m, err)
	}
	if _, done, err := none.Test(); !done || err != nil {
		t.Errorf("test: %t, %v", done, err)
	}
}
