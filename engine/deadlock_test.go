package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// at sets the place of the next calls to a line of an imagined program.
func at(p *engine.Process, line int32) *engine.Process {
	p.At(engine.Site{File: "demo.py", Line: line})
	return p
}

const (
	either = "All processes of the group must make the same collective calls in the same order " +
		"[MPI-5.0 §6.1]. Fix: let these ranks make the same call, or all of them both calls in one order: "
	matching  = "A receive returns only when a matching message was sent on the same communicator [MPI-5.0 §3.5]. "
	noMessage = matching + "Fix: send that message, or check source, tag and communicator."
)

// A deadlock is found exactly, and its diagnosis names all the ranks on each side, their calls, the
// communicator, the lines, the rule with its section, and a fix.
func TestDeadlockMessages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		size int
		run  func(p *engine.Process) error
		want string
	}{
		"a rank is missing": {4, func(p *engine.Process) error {
			if p.Rank() == 0 {
				return nil
			}
			_, err := at(p, 7).World().Split(0, 0)
			return err
		}, "DEADLOCK on world: ranks 1-3 wait in MPI_Comm_split (demo.py:7); rank 0 has made all " +
			"its calls. All processes of the group must make the same collective calls in the " +
			"same order [MPI-5.0 §6.1]. Fix: let rank 0 call MPI_Comm_split too."},
		"different calls": {4, func(p *engine.Process) error {
			if p.Rank() == 0 {
				return at(p, 6).World().Barrier()
			}
			_, err := at(p, 7).World().Split(0, 0)
			return err
		}, "DEADLOCK on world: ranks 1-3 wait in MPI_Comm_split (demo.py:7); rank 0 is in " +
			"MPI_Barrier (demo.py:6). " + either + "ranks 1-3 call MPI_Comm_split, rank 0 calls MPI_Barrier."},
		"two communicators in different order": {2, func(p *engine.Process) error {
			a, err := p.World().Dup()
			if err != nil {
				return err
			}
			b, err := p.World().Dup()
			if err != nil {
				return err
			}
			if p.Rank() == 1 {
				a, b = b, a
			}
			at(p, int32(8+p.Rank()))
			return errors.Join(a.Barrier(), b.Barrier())
		}, "DEADLOCK on communicator 2: rank 0 waits in MPI_Barrier (demo.py:8); rank 1 is in " +
			"MPI_Barrier on communicator 3 (demo.py:9). They wait in a circle: rank 0 for rank 1, " +
			"rank 1 for rank 0. All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]. " +
			"Fix: let rank 1 call MPI_Barrier on communicator 2 before MPI_Barrier on communicator 3, or let them make the call " +
			"on one communicator: rank 0 passes communicator 2, rank 1 communicator 3."},
		// Each rank makes only one of the calls: the fix names which rank is to make which call.
		"a communicator freed against a barrier": {3, func(p *engine.Process) error {
			d, err := p.World().Dup()
			if err != nil {
				return err
			}
			if p.Rank() == 0 {
				at(p, 4)
				return d.Free()
			}
			return at(p, 6).World().Barrier()
		}, "DEADLOCK on world: ranks 1-2 wait in MPI_Barrier (demo.py:6); rank 0 is in MPI_Comm_free on communicator 2 (demo.py:4). " +
			"They wait in a circle: ranks 1-2 for rank 0, rank 0 for ranks 1-2. All processes of the group must make the same collective calls " +
			"in the same order [MPI-5.0 §6.1]. Fix: let rank 0 call MPI_Barrier on world before MPI_Comm_free on communicator 2."},
		"three sides": {5, func(p *engine.Process) error {
			switch p.Rank() {
			case 0, 4:
				return at(p, int32(1+p.Rank())).World().Barrier()
			case 2:
				return nil
			}
			_, err := at(p, 3).World().Dup()
			return err
		}, "DEADLOCK on world: rank 0 waits in MPI_Barrier (demo.py:1), rank 4 at demo.py:5; ranks 1,3 are " +
			"in MPI_Comm_dup (demo.py:3); rank 2 has made all its calls. " + either + "ranks 0,4 call MPI_Barrier, ranks 1,3 call MPI_Comm_dup, rank 2 none."},
		"receive without send": {2, func(p *engine.Process) error {
			if p.Rank() == 0 {
				return nil
			}
			_, err := at(p, 5).World().Recv(0, 3)
			return err
		}, "DEADLOCK on world: rank 1 waits in MPI_Recv (demo.py:5) for a message from rank 0 of " +
			"world with tag 3; rank 0 has made all its calls. " + noMessage},
		"another tag": {2, func(p *engine.Process) error {
			if p.Rank() == 0 {
				return p.World().Send("x", 1, 4)
			}
			_, err := at(p, 5).World().Recv(engine.AnySource, 3)
			return err
		}, "DEADLOCK on world: rank 1 waits in MPI_Recv (demo.py:5) for a message from any rank of " +
			"world with tag 3; rank 0 has made all its calls. " + matching +
			"Fix: rank 0's message with tag 4 lies unread: rank 1 receives tag 3. Let both use one tag."},
		"head to head": {2, func(p *engine.Process) error {
			other := 1 - p.Rank()
			if _, err := at(p, 5).World().Recv(other, engine.AnyTag); err != nil {
				return err
			}
			return p.World().Send("x", other, 0)
		}, "DEADLOCK on world: rank 0 waits in MPI_Recv (demo.py:5) for a message from rank 1 of " +
			"world with any tag; rank 1 is in MPI_Recv (demo.py:5) for a message from rank 0 of " +
			"world with any tag. They wait in a circle: rank 0 for rank 1, rank 1 for rank 0. " + matching +
			"Fix: let one of these ranks send before it receives, or use MPI_Sendrecv."},
		"waiting for a request": {2, func(p *engine.Process) error {
			if p.Rank() == 1 {
				return at(p, 9).World().Barrier()
			}
			r, err := p.World().Irecv(1, 2)
			if err != nil {
				return err
			}
			at(p, 6)
			_, err = r.Wait()
			return err
		}, "DEADLOCK on world: rank 0 waits in MPI_Wait (demo.py:6) for a message from rank 1 of " +
			"world with tag 2; rank 1 is in MPI_Barrier (demo.py:9). They wait in a circle: rank 0 for " +
			"rank 1, rank 1 for rank 0. " + matching + "Fix: let rank 1 send that message before MPI_Barrier, or leave the receive out."},
		"group member stays away": {3, func(p *engine.Process) error {
			if p.Rank() == 2 {
				return nil
			}
			g, err := p.World().Group()
			if err != nil {
				return err
			}
			_, err = at(p, 2).World().CreateGroup(g, 0)
			return err
		}, "DEADLOCK on world: ranks 0-1 wait in MPI_Comm_create_group (demo.py:2) of {0,1,2} with " +
			"tag 0; rank 2 has made all its calls. All processes of the group must call MPI_Comm_create_group with " +
			"the same group and tag [MPI-5.0 §7.4.2]. Fix: let rank 2 make the call too."},
		"groups in a circle": {3, func(p *engine.Process) error {
			g, err := incl(p.World(), p.Rank(), (p.Rank()+1)%3)
			if err != nil {
				return err
			}
			_, err = at(p, 2).World().CreateGroup(g, 0)
			return err
		}, "DEADLOCK on world: rank 0 waits in MPI_Comm_create_group (demo.py:2) of {0,1} with tag 0; " +
			"rank 1 is in MPI_Comm_create_group (demo.py:2) of {1,2} with tag 0; rank 2 is in " +
			"MPI_Comm_create_group (demo.py:2) of {2,0} with tag 0. They wait in a circle: rank 0 for " +
			"rank 1, rank 1 for rank 2, rank 2 for rank 0. All processes of the group must call " +
			"MPI_Comm_create_group with the same group and tag [MPI-5.0 §7.4.2]. Fix: put the calls of " +
			"the processes that are in both groups in one order."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantDeadlock(t, try(t, ofSize(c.size), c.run), c.want)
		})
	}
}

func wantDeadlock(t tester, err error, want string) {
	t.Helper()
	var d *engine.Deadlock
	if !errors.As(err, &d) {
		t.Fatalf("got %v, want a deadlock", err)
	}
	if diff := cmp.Diff(want, d.Error()); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
}

// A Go program need not set the place of its calls: the engine finds the lines of blocked calls.
func TestDeadlockFindsGoLines(t *testing.T) {
	t.Parallel()
	var barrier, split string
	err := try(t, ofSize(3), func(p *engine.Process) error {
		if p.Rank() == 0 {
			barrier = below(1)
			return p.World().Barrier()
		}
		if p.Rank() == 1 {
			split = below(2)
		}
		_, err := p.World().Split(0, 0)
		return err
	})
	wantDeadlock(t, err, fmt.Sprintf("DEADLOCK on world: ranks 1-2 wait in MPI_Comm_split (%s); "+
		"rank 0 is in MPI_Barrier (%s). %sranks 1-2 call MPI_Comm_split, rank 0 calls MPI_Barrier.", split, barrier, either))
}

// Sends are eager (§3.4 lets a standard send buffer), so a chain in which all ranks send before any
// rank receives is not a deadlock, however long.
func TestNoFalseAlarm(t *testing.T) {
	t.Parallel()
	const n, messages = 130, 50
	sums := perRank(t, ofSize(n), func(p *engine.Process) (sum int, err error) {
		for i := range messages {
			if err := p.World().Send(i, (p.Rank()+1)%n, i); err != nil {
				return 0, err
			}
		}
		for i := range messages {
			m, err := p.World().Recv((p.Rank()+n-1)%n, messages-1-i)
			if err != nil {
				return 0, err
			}
			sum += m.Value.(int)
		}
		return sum, nil
	})
	for rank, sum := range sums {
		if sum != messages*(messages-1)/2 {
			t.Errorf("rank %d received %d", rank, sum)
		}
	}
}

// A relay, where each rank goes on only when the rank before wakes it, is not a deadlock.
func TestNoFalseAlarmInARelay(t *testing.T) {
	t.Parallel()
	const n = 100
	perRank(t, ofSize(n), func(p *engine.Process) (any, error) {
		if p.Rank() > 0 {
			if _, err := p.World().Recv(p.Rank()-1, 0); err != nil {
				return nil, err
			}
		}
		if p.Rank() < n-1 {
			if err := p.World().Send(nil, p.Rank()+1, 0); err != nil {
				return nil, err
			}
		}
		return nil, p.World().Barrier()
	})
}

// At the prompt a deadlock is not an error: the blocked ranks stay posted, and a later task can release
// them.
func TestBlockedRanksCanBeReleased(t *testing.T) {
	t.Parallel()
	w, err := engine.New(ofSize(4))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	barrier := func(p *engine.Process) error { return p.World().Barrier() }
	w.Submit(engine.RanksOf(0, 1, 3), barrier)
	st := w.Wait()
	if len(st.Waiting) != 1 || st.Waiting[0].Ranks.String() != "0-1,3" ||
		st.Waiting[0].Missing().String() != "2" || st.Failure != nil {
		t.Fatalf("got %+v, want ranks 0-1,3 that miss 2", st)
	}
	w.Submit(engine.RanksOf(2), barrier)
	if st := w.Wait(); len(st.Waiting) != 0 || st.Failure != nil || w.Deadlock(nil) != nil {
		t.Errorf("got %+v, want nobody waiting", st)
	}
}
