package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// bridge makes an intercommunicator of the ranks below n and the other ranks.
func bridge(p *engine.Process, n int) (*engine.Comm, error) {
	side, leader := 0, n
	if p.Rank() >= n {
		side, leader = 1, 0
	}
	local, err := p.World().Split(side, 0)
	if err != nil {
		return nil, err
	}
	return local.CreateIntercomm(0, p.World(), leader, 12)
}

// sides writes what a rank sees of an intercommunicator: its rank, the left and the right group.
func sides(c *engine.Comm) string {
	if c.IsNull() {
		return "null"
	}
	rank := c.Rank()
	return fmt.Sprint(rank, c.Info().Group, c.Info().Remote)
}

// onBridge makes an intercommunicator of ranks 0 to left-1 and the others, runs f on it and returns
// what each rank sees of the result.
func onBridge(t tester, n, left int, f func(p *engine.Process, inter *engine.Comm) (*engine.Comm, error)) []string {
	t.Helper()
	return perRank(t, ofSize(n), func(p *engine.Process) (string, error) {
		inter, err := bridge(p, left)
		if err != nil {
			return "", err
		}
		c, err := f(p, inter)
		return sides(c), err
	})
}

func wantSides(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("by rank:\n got %q\nwant %q", got, want)
	}
}

// MPI_Intercomm_create, §7.6.2: an intercommunicator of two groups; each process sees its own group
// as the local group and the other as the remote group.
func TestIntercommCreate(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(5), func(p *engine.Process) (string, error) {
		c, err := bridge(p, 2)
		if err != nil {
			return "", err
		}
		inter, err1 := c.IsInter()
		remote, err2 := c.RemoteSize()
		g, err3 := c.Group()
		h, err4 := c.RemoteGroup()
		return fmt.Sprint(inter, c.Rank(), c.Size(), remote, g.WorldRanks(), h.WorldRanks()), errors.Join(err1, err2, err3, err4)
	})
	wantSides(t, got, "true 0 2 3 [0 1] [2 3 4]", "true 1 2 3 [0 1] [2 3 4]",
		"true 0 3 2 [2 3 4] [0 1]", "true 1 3 2 [2 3 4] [0 1]", "true 2 3 2 [2 3 4] [0 1]")
}

// §7.6.2: the leaders are any ranks of the two groups, and find each other in any communicator that
// holds both.
func TestIntercommCreateWithOtherLeaders(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(6), func(p *engine.Process) (string, error) {
		peer, err := p.World().Split(0, -p.Rank()) // rank r is 5-r there
		if err != nil {
			return "", err
		}
		local, err := p.World().Split(p.Rank()%2, 0)
		if err != nil {
			return "", err
		}
		remote := 0 // world rank 5, rank 2 of the odd half
		if p.Rank()%2 == 1 {
			remote = 3 // world rank 2, rank 1 of the even half
		}
		c, err := local.CreateIntercomm(1+p.Rank()%2, peer, remote, 0)
		return sides(c), err
	})
	wantSides(t, got, "0 [0 2 4] [1 3 5]", "0 [0 2 4] [1 3 5]", "1 [0 2 4] [1 3 5]", "1 [0 2 4] [1 3 5]", "2 [0 2 4] [1 3 5]", "2 [0 2 4] [1 3 5]")
}

// Example 7.1, §7.4.2: the first process of the left side forms an intercommunicator with all of the
// right side.
func TestExample71(t *testing.T) {
	t.Parallel()
	got := onBridge(t, 5, 2, func(p *engine.Process, inter *engine.Comm) (*engine.Comm, error) {
		g, err := inter.Group()
		if err != nil {
			return nil, err
		}
		if p.Rank() < 2 {
			if g, err = g.Incl([]int{0}); err != nil {
				return nil, err
			}
		}
		return inter.Create(g)
	})
	wantSides(t, got, "0 [0] [2 3 4]", "null", "0 [0] [2 3 4]", "1 [0] [2 3 4]", "2 [0] [2 3 4]")
}

// Example 7.2, §7.4.2: clients on the left are each assigned to one of the servers on the right:
// five clients pass color = rank % 2, the two servers their rank.
func TestExample72(t *testing.T) {
	t.Parallel()
	got := onBridge(t, 7, 5, func(p *engine.Process, inter *engine.Comm) (*engine.Comm, error) {
		rank := inter.Rank()
		servers, _ := inter.RemoteSize()
		if p.Rank() < 5 {
			return inter.Split(rank%servers, rank)
		}
		return inter.Split(rank, 0)
	})
	wantSides(t, got, "0 [0 2 4] [5]", "0 [1 3] [6]", "1 [0 2 4] [5]", "1 [1 3] [6]", "2 [0 2 4] [5]", "0 [0 2 4] [5]", "0 [1 3] [6]")
}

// MPI_Comm_split of an intercommunicator, §7.4.2: colors of one side only and MPI_UNDEFINED give
// MPI_COMM_NULL; the key orders each side by itself.
func TestIntercommSplitLeavesOut(t *testing.T) {
	t.Parallel()
	colors := []int{1, 1, 2, engine.Undefined, 1, 1, 3, engine.Undefined}
	got := onBridge(t, 8, 4, func(p *engine.Process, inter *engine.Comm) (*engine.Comm, error) {
		return inter.Split(colors[p.Rank()], -p.Rank())
	})
	wantSides(t, got, "1 [1 0] [5 4]", "0 [1 0] [5 4]", "null", "null", "1 [1 0] [5 4]", "0 [1 0] [5 4]", "null", "null")
}

// MPI_Comm_create of an intercommunicator, §7.4.2: when either group is empty, all processes get
// MPI_COMM_NULL.
func TestIntercommCreateOfEmptyGroup(t *testing.T) {
	t.Parallel()
	got := onBridge(t, 4, 2, func(p *engine.Process, inter *engine.Comm) (*engine.Comm, error) {
		if p.Rank() < 2 {
			return inter.Create(engine.EmptyGroup)
		}
		g, err := inter.Group()
		if err != nil {
			return nil, err
		}
		return inter.Create(g)
	})
	wantSides(t, got, "null", "null", "null", "null")
}

// MPI_Comm_dup of an intercommunicator, §7.4.2: the same groups and a new context.
func TestIntercommDup(t *testing.T) {
	t.Parallel()
	got := onBridge(t, 3, 1, func(_ *engine.Process, inter *engine.Comm) (*engine.Comm, error) {
		d, err := inter.Dup()
		if err != nil {
			return nil, err
		}
		r, err := d.Compare(inter)
		return d, errors.Join(err, want(r == engine.Congruent, "compare: %s", r))
	})
	wantSides(t, got, "0 [0] [1 2]", "0 [0] [1 2]", "1 [0] [1 2]")
}

// §7.4.2: all processes of a local group pass the same subgroup of that group, in the same order.
func TestIntercommCreateErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		members func(rank int) []int // of the local group
		remote  bool
		words   []string
	}{
		"differ in order": {func(rank int) []int { return [][]int{{0, 1}, {1, 0}, {0}, {0}}[rank] }, false,
			[]string{"rank 0 passes {0,1}", "rank 1 passes {1,0}", "§7.4.2"}},
		"remote group": {func(int) []int { return []int{0} }, true, []string{"local group {0,1}", "world rank 2 is not in it"}},
	} {
		err := try(t, ofSize(4), func(p *engine.Process) error {
			inter, err := bridge(p, 2)
			if err != nil {
				return err
			}
			g, err := inter.Group()
			if c.remote && p.Rank() < 2 {
				g, err = inter.RemoteGroup()
			}
			if err != nil {
				return err
			}
			if g, err = g.Incl(c.members(p.Rank())); err != nil {
				return err
			}
			_, err = inter.Create(g)
			return isClass(err, engine.ErrGroup, c.words...)
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// §7.6.1: an intracommunicator has no remote group, and cannot be merged: MPI_ERR_COMM. Calls for
// intracommunicators take no intercommunicator.
func TestWrongKindOfCommunicator(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(2), func(p *engine.Process) error {
		inter, err := bridge(p, 1)
		if err != nil {
			return err
		}
		w := p.World()
		g, _ := w.Group()
		_, remoteSize := w.RemoteSize()
		_, remoteGroup := w.RemoteGroup()
		_, merge := w.Merge(false)
		_, createGroup := inter.CreateGroup(g, 0)
		_, create := inter.CreateIntercomm(0, w, 1, 0)
		_, scan := inter.Scan(1, engine.Op{})
		for _, err := range []error{remoteSize, remoteGroup, merge, createGroup, create, scan} {
			if err := isClass(err, engine.ErrComm); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

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

// §7.6.2: two groups that do not find each other wait forever: with different tags, with leaders that
// name another process, or when one group does not call.
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
			"Fix: let the group of rank 3 call MPI_Intercomm_create too, with rank 3 as its local leader."},
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

// A process that caught the error of a call leaves the other processes waiting in that call; the
// diagnosis tells this.
func TestCaughtErrorLeavesOthersWaiting(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		color := p.Rank() - 1
		at(p, 4)
		_, _ = p.World().Split(color, 0)
		return nil
	})
	wantDeadlock(t, err, "DEADLOCK on world: ranks 1-2 wait in MPI_Comm_split (demo.py:4); the call of rank 0 failed with "+
		"MPI_ERR_ARG (demo.py:4). All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1]. "+
		"Fix: correct the call that failed; the others wait for it.")
}

// Within each group, all processes must pass the same local_leader (§7.6.2); also when they differ so
// that no process is the leader.
func TestLocalLeadersMustAgree(t *testing.T) {
	t.Parallel()
	for name, leaderOf := range map[string]func(rank int) int{
		"both lead":    func(rank int) int { return rank },
		"nobody leads": func(rank int) int { return 1 - rank },
	} {
		err := try(t, ofSize(3), func(p *engine.Process) error {
			local, err := p.World().Split(p.Rank()/2, 0) // ranks 0 and 1 together, rank 2 alone
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

// MPI_Intercomm_merge, §7.6.2: the group with high=false comes first, each group in its own order.
func TestMerge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left, right bool
		want        []int32
	}{
		{false, true, []int32{1, 0, 2, 3}},
		{true, false, []int32{2, 3, 1, 0}},
		{true, true, []int32{1, 0, 2, 3}}, // the order is open: the left group has the lowest world rank
		{false, false, []int32{1, 0, 2, 3}},
	} {
		got := perRank(t, ofSize(4), func(p *engine.Process) ([]int32, error) {
			local, err := p.World().Split(p.Rank()/2, []int{1, 0, 0, 1}[p.Rank()])
			if err != nil {
				return nil, err
			}
			inter, err := local.CreateIntercomm(0, p.World(), []int{2, 2, 1, 1}[p.Rank()], 0)
			if err != nil {
				return nil, err
			}
			m, err := inter.Merge(p.Rank() < 2 && c.left || p.Rank() >= 2 && c.right)
			if err != nil {
				return nil, err
			}
			rank := m.Rank()
			return m.Info().Group, want(m.Info().Group[rank] == int32(p.Rank()), "rank %d", rank)
		})
		for _, g := range got {
			if !slices.Equal(g, c.want) {
				t.Errorf("high %v %v: %v, want %v", c.left, c.right, g, c.want)
			}
		}
	}
}

// §7.6.2: all processes of a group provide the same high: else MPI_ERR_ARG, which names who passed
// what.
func TestMergeOfDifferingHigh(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(4), func(p *engine.Process) error {
		inter, err := bridge(p, 2)
		if err != nil {
			return err
		}
		_, err = inter.Merge(p.Rank() == 1)
		return isClass(err, engine.ErrArg, ": rank 0 passes high=false; rank 1 passes high=true [", "§7.6.2")
	})
	if err != nil {
		t.Error(err)
	}
}
