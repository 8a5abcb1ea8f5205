package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"commsplit/engine"
)

// bridge joins the ranks below n with the others into an intercommunicator.
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

// sides is what a rank sees of an intercommunicator: its rank, the left and the right group.
func sides(c *engine.Comm) string {
	if c.IsNull() {
		return "null"
	}
	rank, _ := c.Rank()
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
// as the local and the other as the remote one.
func TestIntercommCreate(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(5), func(p *engine.Process) (string, error) {
		c, err := bridge(p, 2)
		if err != nil {
			return "", err
		}
		inter, err1 := c.IsInter()
		rank, err2 := c.Rank()
		size, err3 := c.Size()
		remote, err4 := c.RemoteSize()
		g, err5 := c.Group()
		h, err6 := c.RemoteGroup()
		return fmt.Sprint(inter, rank, size, remote, g.WorldRanks(), h.WorldRanks()), errors.Join(err1, err2, err3, err4, err5, err6)
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
		remote := 0 // world rank 5, rank 2 of the odd ones
		if p.Rank()%2 == 1 {
			remote = 3 // world rank 2, rank 1 of the even ones
		}
		c, err := local.CreateIntercomm(1+p.Rank()%2, peer, remote, 0)
		return sides(c), err
	})
	wantSides(t, got, "0 [0 2 4] [1 3 5]", "0 [0 2 4] [1 3 5]", "1 [0 2 4] [1 3 5]", "1 [0 2 4] [1 3 5]", "2 [0 2 4] [1 3 5]", "2 [0 2 4] [1 3 5]")
}

// Example 7.1, §7.4.2: the first process of the left side joined with all of the right side.
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
		rank, _ := inter.Rank()
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

// MPI_Comm_create of an intercommunicator, §7.4.2: when either group is empty, everybody gets
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

// §7.4.2: all processes of a local group pass the same group, a subgroup of it, in the same order.
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
