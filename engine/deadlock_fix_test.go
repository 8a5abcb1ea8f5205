package engine_test

import (
	"errors"
	"strings"
	"testing"

	"commsplit/engine"
)

// idup starts a duplication of c and leaves its request alone.
func idup(c *engine.Comm) error {
	_, _, err := c.Idup()
	return err
}

// §6.12: the order of collective calls on a communicator counts nonblocking ones, so a call may stand
// behind a duplication that others have not started; the diagnosis says behind which, and who differs.
func TestDeadlockBehindANonblockingCall(t *testing.T) {
	t.Parallel()
	const rule = "All processes must start collective calls on a communicator, nonblocking and blocking " +
		"ones, in the same order [MPI-5.0 §6.12]. "
	for name, c := range map[string]struct {
		run  func(p *engine.Process) error
		want string
	}{
		"one has not started it": {func(p *engine.Process) error {
			c, err := p.World().Dup()
			if err != nil {
				return err
			}
			at(p, 4)
			if p.Rank() != 3 {
				if err := idup(c); err != nil {
					return err
				}
			}
			if err := p.World().Barrier(); err != nil {
				return err
			}
			at(p, 6)
			_, err = c.Dup()
			return err
		}, "DEADLOCK on communicator 2: ranks 0-2 wait in MPI_Comm_dup (demo.py:6) behind MPI_Comm_idup (demo.py:4); " +
			"rank 3 is in MPI_Comm_dup (demo.py:6). " + rule + "Fix: let rank 3 call MPI_Comm_idup before that, too."},
		"another order": {func(p *engine.Process) error {
			if p.Rank() == 3 {
				if err := at(p, 5).World().Barrier(); err != nil {
					return err
				}
				return idup(at(p, 6).World())
			}
			if err := idup(at(p, 3).World()); err != nil {
				return err
			}
			return at(p, 4).World().Barrier()
		}, "DEADLOCK on world: ranks 0-2 wait in MPI_Barrier (demo.py:4) behind MPI_Comm_idup (demo.py:3); " +
			"rank 3 is in MPI_Barrier (demo.py:5). " + rule + "Fix: put the calls of these ranks in one order."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantDeadlock(t, try(t, ofSize(4), c.run), c.want)
		})
	}
}

// The rule and the fix are about the call that the others come down to, not about the one with most
// ranks: here all wait for rank 1, which waits for a message that nobody sends (§3.5).
func TestDeadlockFixesTheCause(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(4), func(p *engine.Process) error {
		switch p.Rank() {
		case 0:
			return nil
		case 1:
			if _, err := at(p, 2).World().Recv(0, 1); err != nil {
				return err
			}
		}
		return at(p, 3).World().Barrier()
	})
	wantDeadlock(t, err, "DEADLOCK on world: ranks 2-3 wait in MPI_Barrier (demo.py:3); rank 1 is in MPI_Recv "+
		"(demo.py:2) for a message from rank 0 of world with tag 1; rank 0 has made all its calls. "+noMessage)
}

// §7.4.2: calls of MPI_Comm_create_group meet when communicator, group and tag are the same; the fix
// names what differs.
func TestDeadlockOfGroupsNamesTheDifference(t *testing.T) {
	t.Parallel()
	const rule = "All processes of the group must call MPI_Comm_create_group with the same group and tag [MPI-5.0 §7.4.2]. "
	err := try(t, ofSize(3), func(p *engine.Process) error {
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		if p.Rank() != 0 {
			c = p.World()
		}
		g, err := c.Group()
		if err != nil {
			return err
		}
		at(p, 5)
		_, err = c.CreateGroup(g, 1)
		return err
	})
	wantDeadlock(t, err, "DEADLOCK on world: ranks 1-2 wait in MPI_Comm_create_group (demo.py:5) of {0,1,2} with tag 1; "+
		"rank 0 is in MPI_Comm_create_group on communicator 2 (demo.py:5) of {0,1,2} with tag 1. They wait in a circle: "+
		"ranks 1-2 for rank 0, rank 0 for ranks 1-2. "+rule+"Fix: the communicators differ: ranks 1-2 pass world, rank 0 communicator 2.")
}

// §11.10.4: MPI_Comm_disconnect waits for communication to end; those whose requests are open are named,
// but when a process has not called it, that is what the others wait for.
func TestDeadlockInDisconnect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		callers int
		want    string
	}{
		"a receive is open": {4, "DEADLOCK on communicator 2: ranks 0-3 wait in MPI_Comm_disconnect (demo.py:4). MPI_Comm_disconnect waits " +
			"for all communication on the communicator to end [MPI-5.0 §11.10.4]. Fix: complete the requests of rank 0 first, or use MPI_Comm_free."},
		"a rank is missing": {3, "DEADLOCK on communicator 2: ranks 0-2 wait in MPI_Comm_disconnect (demo.py:4); rank 3 has made all its calls. " +
			"All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]. Fix: let rank 3 call MPI_Comm_disconnect too."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try(t, ofSize(4), func(p *engine.Process) error {
				d, err := p.World().Dup()
				if err != nil {
					return err
				}
				if p.Rank() == 0 {
					if _, err := d.Irecv(1, 3); err != nil {
						return err
					}
				}
				if p.Rank() >= c.callers {
					return nil
				}
				at(p, 4)
				return d.Disconnect()
			})
			wantDeadlock(t, err, c.want)
		})
	}
}

// Whom ranks wait for: each other, when several wait for any rank (§3.2.4); the other group's ranks on an
// intercommunicator (§7.6); themselves alone on MPI_COMM_SELF, where they are told together.
func TestWhomReceiversWaitFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		comm func(p *engine.Process) (*engine.Comm, error)
		want string // who -> whom
	}{
		"world": {func(p *engine.Process) (*engine.Comm, error) { return p.World(), nil }, "0-3 -> 0-3"},
		"self":  {func(p *engine.Process) (*engine.Comm, error) { return p.Self(), nil }, "0-3 -> "},
		"inter": {func(p *engine.Process) (*engine.Comm, error) {
			half, err := p.World().Split(p.Rank()/2, 0)
			if err != nil {
				return nil, err
			}
			return half.CreateIntercomm(0, p.World(), 2-p.Rank()/2*2, 0)
		}, "0-1 -> 2-3; 2-3 -> 0-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try(t, ofSize(4), func(p *engine.Process) error {
				on, err := c.comm(p)
				if err != nil {
					return err
				}
				_, err = on.Recv(engine.AnySource, engine.AnyTag)
				return err
			})
			var d *engine.Deadlock
			if !errors.As(err, &d) {
				t.Fatalf("got %v, want a deadlock", err)
			}
			var got []string
			for _, w := range d.Waiting {
				got = append(got, w.Ranks.String()+" -> "+w.Missing().String())
			}
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("got %q, want %q", text, c.want)
			}
		})
	}
}
