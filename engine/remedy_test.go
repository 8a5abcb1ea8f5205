package engine_test

import (
	"errors"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// idup starts a duplication of c and leaves its request alone.
func idup(c *engine.Comm) error {
	_, _, err := c.Idup()
	return err
}

// §6.12: the order of collective calls on a communicator counts nonblocking calls, so a call may wait for a
// duplication that other processes have not started; the diagnosis names that duplication, and the processes that
// differ.
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
			"rank 3 is in MPI_Barrier (demo.py:5). " + rule + "Fix: let rank 3 call MPI_Comm_idup before that, too."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantDeadlock(t, try(t, ofSize(4), c.run), c.want)
		})
	}
}

// The rule and the fix are about the call that causes the deadlock, not about the call with most ranks: here all
// ranks wait for rank 1, which waits for a message that no rank sends (§3.5).
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
		"(demo.py:2) for a message from rank 0 of world with tag 1; rank 0 has made all its calls. "+strings.TrimSuffix(noMessage, ".")+
		"; let rank 0 call MPI_Barrier too.")
}

// §7.4.2: calls of MPI_Comm_create_group meet when communicator, group and tag are the same; the fix names the
// argument that differs.
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

// §11.10.4: MPI_Comm_disconnect waits for communication to end; the diagnosis names the processes whose requests
// are open. But when a process has not called MPI_Comm_disconnect, the others wait for that call.
func TestDeadlockInDisconnect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		callers int
		want    string
	}{
		"a receive is open": {4, "DEADLOCK on communicator 2: ranks 0-3 wait in MPI_Comm_disconnect (demo.py:4). MPI_Comm_disconnect waits " +
			"for all communication on the communicator to end [MPI-5.0 §11.10.4]. Fix: complete the requests of rank 0 first, or use MPI_Comm_free."},
		"a rank is missing": {3, "DEADLOCK on communicator 2: ranks 0-2 wait in MPI_Comm_disconnect (demo.py:4); rank 3 has made all its calls. " +
			"All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]. Fix: let rank 3 call MPI_Comm_disconnect too; " +
			"complete the requests of rank 0 first, or use MPI_Comm_free."},
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

// The ranks that receives from any rank wait for: each other, when several ranks wait (§3.2.4); the other group's
// ranks on an intercommunicator (§7.6); only themselves on MPI_COMM_SELF, where the diagnosis joins them.
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

// The fix fits the cause: it depends on what the ranks did instead of what they should have done.
func TestDeadlockFixFitsTheCause(t *testing.T) {
	t.Parallel()
	const (
		together = "All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]. "
		leaders  = "Both groups must call MPI_Intercomm_create; each leader names the other one, with the same peer communicator and tag [MPI-5.0 §7.6.2]. "
		unlike   = "A nonblocking collective call does not match a blocking one [MPI-5.0 §6.12]. "
	)
	halves := func(p *engine.Process) (*engine.Comm, error) { return p.World().Split(p.Rank()/2, 0) }
	for name, c := range map[string]struct {
		size int
		run  func(p *engine.Process) error
		want string // from the rule on
	}{
		// §7.6.2: the leaders must name each other. Ranks 0-1 name rank 3; but rank 2 is the leader there.
		"who is named leads no group": {4, func(p *engine.Process) error {
			half, err := halves(p)
			if err != nil {
				return err
			}
			_, err = half.CreateIntercomm(0, p.World(), 3-p.Rank()/2*3, 1)
			return err
		}, leaders + "Fix: ranks 0-1 name rank 3 as the remote leader, but rank 2 leads there: let rank 0 pass 2 for remote_leader, its rank in world."},
		// §6.12: a blocking call does not match a nonblocking call, also when rank 0 has ended.
		"one started a duplicate and left": {2, func(p *engine.Process) error {
			if p.Rank() == 0 {
				return idup(p.World())
			}
			_, err := p.World().Dup()
			return err
		}, unlike + "Fix: let all of them make the same call: rank 1 calls MPI_Comm_dup, rank 0 calls MPI_Comm_idup."},
		// §6.12: another collective call before a nonblocking call breaks the order.
		"a barrier against a duplicate": {2, func(p *engine.Process) error {
			if p.Rank() == 0 {
				return p.World().Barrier()
			}
			_, r, err := p.World().Idup()
			if err == nil {
				_, err = r.Wait()
			}
			return err
		}, "All processes must start collective calls on a communicator, nonblocking and blocking ones, in the same order [MPI-5.0 §6.12]. " +
			"Fix: let these ranks make the same call, or all of them both calls in one order: rank 0 calls MPI_Barrier, rank 1 calls MPI_Comm_idup."},
		// §7.4.3 and §11.10.4: no process can make both calls, so no order helps.
		"free against disconnect": {4, func(p *engine.Process) error {
			d, err := p.World().Dup()
			if err != nil {
				return err
			}
			if p.Rank() == 0 {
				return d.Free()
			}
			return d.Disconnect()
		}, together + "Fix: let all of them make the same call: ranks 1-3 call MPI_Comm_disconnect, rank 0 calls MPI_Comm_free."},
		// §6.1: calls that programs confuse.
		"split against split_type": {4, func(p *engine.Process) (err error) {
			if p.Rank() == 0 {
				_, err = p.World().Split(0, 0)
			} else {
				_, err = p.World().SplitType(engine.TypeShared, 0, nil)
			}
			return err
		}, together + "Fix: let these ranks make the same call, or all of them both calls in one order: " +
			"ranks 1-3 call MPI_Comm_split_type, rank 0 calls MPI_Comm_split."},
		// §6.1: one line of the program acts on two communicators.
		"another communicator at one line": {4, func(p *engine.Process) error {
			d, err := p.World().Dup()
			if err != nil {
				return err
			}
			if p.Rank() < 3 {
				d = p.World()
			}
			at(p, 9)
			return d.Barrier()
		}, together + "Fix: let ranks 0-2 and rank 3 call MPI_Barrier on one communicator: ranks 0-2 pass world, rank 3 communicator 2."},
		// §3.5: the other ranks could come to the barrier, but no collective call brings a message.
		"nobody sends to any_source": {4, func(p *engine.Process) error {
			if p.Rank() == 0 {
				if _, err := p.World().Recv(engine.AnySource, 0); err != nil {
					return err
				}
			}
			return p.World().Barrier()
		}, matching + "Fix: let one of ranks 1-3 send that message before MPI_Barrier, or leave the receive out."},
		// §3.5: a message that differs in source, or that went to another process.
		"a message of another rank": {3, func(p *engine.Process) error {
			switch p.Rank() {
			case 0:
				return p.World().Send(nil, 1, 6)
			case 1:
				_, err := p.World().Recv(2, 6)
				return err
			}
			return nil
		}, matching + "Fix: rank 0's message with tag 6 lies unread: rank 1 receives from rank 2. Let rank 2 send it, or receive it from rank 0."},
		"a message to another rank": {3, func(p *engine.Process) error {
			switch p.Rank() {
			case 0:
				return p.World().Send(nil, 2, 6)
			case 1:
				_, err := p.World().Recv(0, 6)
				return err
			}
			return nil
		}, matching + "Fix: rank 0's message with tag 6 lies unread at rank 2: rank 1 receives it. Let rank 0 send it there."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try(t, ofSize(c.size), c.run)
			var d *engine.Deadlock
			if !errors.As(err, &d) {
				t.Fatalf("got %v, want a deadlock", err)
			}
			if !strings.HasSuffix(d.Message, c.want) {
				t.Errorf("got  %s\nwant ... %s", d.Message, c.want)
			}
		})
	}
}

// Ranks that wait in the same call at different lines have a row for each line, and do not wait for each other.
// Only rank 2 is at line 10: it made the call on the wrong communicator.
func TestDeadlockTellsLinesApart(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(4), func(p *engine.Process) error {
		c, err := p.World().Split(p.Rank()%2, p.Rank())
		if err != nil {
			return err
		}
		if p.Rank() == 2 {
			return at(p, 10).World().Barrier()
		}
		at(p, 12)
		if err := c.Barrier(); err != nil {
			return err
		}
		return at(p, 13).World().Barrier()
	})
	wantDeadlock(t, err, "DEADLOCK on world: ranks 1,3 wait in MPI_Barrier (demo.py:13), rank 2 at demo.py:10; rank 0 is in MPI_Barrier on "+
		"communicator 2 (demo.py:12). They wait in a circle: rank 2 for rank 0, rank 0 for rank 2. All processes of the group must make "+
		"the same collective calls in the same order [MPI-5.0 §6.1]. Fix: let rank 0 call MPI_Barrier on world before MPI_Barrier on "+
		"communicator 2, or let them make the call on one communicator: rank 2 passes world, rank 0 communicator 2.")
	var d *engine.Deadlock
	errors.As(err, &d)
	var rows []string
	for _, w := range d.Waiting {
		rows = append(rows, w.Ranks.String()+" "+w.Site()+" -> "+w.Missing().String())
	}
	if got, want := strings.Join(rows, "; "), "1,3 demo.py:13 -> 0; 2 demo.py:10 -> 0; 0 demo.py:12 -> 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Independent deadlocks each have their own ranks, rule and fix.
func TestIndependentDeadlocks(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(6), func(p *engine.Process) error {
		a, err := p.World().Split(p.Rank()/3, p.Rank())
		if err != nil {
			return err
		}
		switch p.Rank() {
		case 0, 3:
			return a.Barrier()
		case 1:
			_, err = a.Recv(2, 0)
		case 4:
			_, err = a.Bcast(nil, 0)
		}
		return err
	})
	var d *engine.Deadlock
	if !errors.As(err, &d) {
		t.Fatalf("got %v, want a deadlock", err)
	}
	var got []string
	for _, k := range d.Knots {
		got = append(got, k.Ranks.String()+": "+k.Fix)
		if !strings.Contains(d.Message, k.Message) || !strings.HasSuffix(k.Message, k.Rule+" Fix: "+k.Fix) {
			t.Errorf("the message %q does not hold %+v", d.Message, k)
		}
	}
	want := "0-1: send that message, or check source, tag and communicator; let rank 2 call MPI_Barrier too.; 3-4: let these ranks " +
		"make the same call, or all of them both calls in one order: rank 3 calls MPI_Barrier, rank 4 calls MPI_Bcast, rank 5 none."
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}
