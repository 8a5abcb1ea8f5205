package engine_test

import (
	"testing"

	"commsplit/engine"
)

// MPI_Intercomm_create, §7.6.2: leaders out of range or naming themselves, tags that are negative,
// a peer communicator that is MPI_COMM_NULL at the leader.
func TestIntercommCreateArguments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		local, remote, tag int
		null               bool
		class              engine.Class
	}{
		"local leader":   {local: 3, remote: 1, class: engine.ErrRank},
		"no leader":      {local: -1, remote: 1, class: engine.ErrRank},
		"remote leader":  {remote: 5, class: engine.ErrRank},
		"wild leader":    {remote: engine.AnySource, class: engine.ErrRank},
		"itself":         {remote: 0, class: engine.ErrRank},
		"negative tag":   {remote: 1, tag: -1, class: engine.ErrTag},
		"wild tag":       {remote: 1, tag: engine.AnyTag, class: engine.ErrTag},
		"no peer":        {remote: 1, null: true, class: engine.ErrComm},
		"its own group":  {remote: 1, class: engine.ErrGroup},
		"another's rank": {local: 1, remote: 1, class: engine.ErrGroup},
	} {
		err := try(t, ofSize(3), func(p *engine.Process) error {
			local, peer := p.World(), p.World()
			if c.class != engine.ErrGroup {
				if p.Rank() > 0 {
					return nil
				}
				local = p.Self()
				if c.local == 0 && c.remote == 0 {
					local = p.Self()
				}
			}
			if c.null {
				peer = nil
			}
			remote := c.remote
			if c.local == 1 {
				remote = 0
			}
			_, err := local.CreateIntercomm(c.local, peer, remote, c.tag)
			return isClass(err, c.class)
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Only the local leader's peer, remote leader and tag count (§7.6.2).
func TestOnlyTheLeadersArgumentsCount(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(4), func(p *engine.Process) (string, error) {
		local, err := p.World().Split(p.Rank()/2, 0)
		if err != nil {
			return "", err
		}
		var c *engine.Comm
		if p.Rank()%2 == 1 {
			c, err = local.CreateIntercomm(0, nil, -77, -5)
		} else {
			c, err = local.CreateIntercomm(0, p.World(), 2-p.Rank(), 3)
		}
		return sides(c), err
	})
	wantSides(t, got, "0 [0 1] [2 3]", "1 [0 1] [2 3]", "0 [0 1] [2 3]", "1 [0 1] [2 3]")
}

const bothGroups = "Both groups must call MPI_Intercomm_create; each leader names the other one, with the same peer communicator and tag [MPI-5.0 §7.6.2]. "

// §7.6.2: two groups that do not find each other wait for ever: with other tags, with leaders that
// name somebody else, or when one group does not call.
func TestGroupsThatMissEachOther(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		call func(p *engine.Process, local *engine.Comm) (*engine.Comm, error)
		want string
	}{
		"tags": {func(p *engine.Process, local *engine.Comm) (*engine.Comm, error) {
			return local.CreateIntercomm(0, p.World(), 2-p.Rank()/2*2, 5+p.Rank()/2)
		}, "DEADLOCK on communicator 2: ranks 0-1 wait in MPI_Intercomm_create (demo.py:3) for remote leader 2 of world with tag 5; " +
			"ranks 2-3 are in MPI_Intercomm_create on communicator 3 (demo.py:3) for remote leader 0 of world with tag 6. " +
			"They wait in a circle: ranks 0-1 for rank 2, ranks 2-3 for rank 0. " +
			bothGroups + "Fix: use one tag: rank 0 passes tag 5, rank 2 tag 6."},
		"leaders": {func(p *engine.Process, local *engine.Comm) (*engine.Comm, error) {
			return local.CreateIntercomm(0, p.World(), []int{2, 2, 1, 1}[p.Rank()], 5)
		}, "DEADLOCK on communicator 2: ranks 0-1 wait in MPI_Intercomm_create (demo.py:3) for remote leader 2 of world with tag 5; " +
			"ranks 2-3 are in MPI_Intercomm_create on communicator 3 (demo.py:3) for remote leader 1 of world with tag 5. " +
			"They wait in a circle: ranks 0-1 for rank 2, ranks 2-3 for rank 1. " +
			bothGroups + "Fix: let the leaders name each other: rank 0 names rank 2 as the remote leader, but rank 2 names rank 1."},
		"one side": {func(p *engine.Process, local *engine.Comm) (*engine.Comm, error) {
			if p.Rank() > 1 {
				return nil, nil
			}
			return local.CreateIntercomm(1, p.World(), 3, 5)
		}, "DEADLOCK on communicator 2: ranks 0-1 wait in MPI_Intercomm_create (demo.py:3) for remote leader 3 of world with tag 5; " +
			"rank 3 has made all its calls. " + bothGroups +
			"Fix: let the group of rank 3 call MPI_Intercomm_create too, with that rank as its local leader."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try(t, ofSize(4), func(p *engine.Process) error {
				local, err := p.World().Split(p.Rank()/2, 0)
				if err != nil {
					return err
				}
				at(p, 3)
				_, err = c.call(p, local)
				return err
			})
			wantDeadlock(t, err, c.want)
		})
	}
}

// A process that caught the error of a call leaves the others waiting in it; the diagnosis says so.
func TestCaughtErrorLeavesOthersWaiting(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		color := p.Rank() - 1
		at(p, 4)
		if _, err := p.World().Split(color, 0); err != nil {
			return nil
		}
		return nil
	})
	wantDeadlock(t, err, "DEADLOCK on world: ranks 1-2 wait in MPI_Comm_split (demo.py:4); the call of rank 0 failed with "+
		"MPI_ERR_ARG (demo.py:4). All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]. "+
		"Fix: correct the call that failed; the others wait for it.")
}

// Within each group, all processes must pass the same local_leader (§7.6.2); also when they differ so
// that nobody takes the lead.
func TestLocalLeadersMustAgree(t *testing.T) {
	t.Parallel()
	for name, leaderOf := range map[string]func(rank int) int{
		"both lead":    func(rank int) int { return rank },
		"nobody leads": func(rank int) int { return 1 - rank },
	} {
		err := try(t, ofSize(3), func(p *engine.Process) error {
			local, err := p.World().Split(p.Rank()/2, 0) // ranks 0 and 1; rank 2
			if err != nil || p.Rank() == 2 {
				return err
			}
			_, err = local.CreateIntercomm(leaderOf(p.Rank()), p.World(), 2, 0)
			return isClass(err, engine.ErrArg, "rank 0 passes local_leader", "rank 1 passes local_leader", "§7.6.2")
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
