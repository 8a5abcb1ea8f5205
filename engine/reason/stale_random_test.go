package reason_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/hw"
)

// drawMoves is where each of n ranks goes, one place after the other: mostly nowhere. PUs are 0 to 11.
func drawMoves(t *rapid.T, n int) [][]hw.Set {
	moves := make([][]hw.Set, n)
	for r := range moves {
		for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, fmt.Sprint("moves of ", r)) {
			lo := rapid.IntRange(0, 11).Draw(t, "from")
			moves[r] = append(moves[r], hw.SetRange(lo, min(11, lo+rapid.IntRange(0, 2).Draw(t, "more"))))
		}
	}
	return moves
}

func follow(p *engine.Process, moves [][]hw.Set) error {
	for _, set := range moves[p.Rank()] {
		if err := p.Bind(set); err != nil {
			return err
		}
	}
	return nil
}

// A communicator is stale exactly when the same call, made where the ranks run now, gives its instance
// other processes: on random moves, the same as making that call.
func TestStaleIsAnotherSplit(t *testing.T) {
	t.Parallel()
	types := []string{"commsplit://Rack", "hwloc://NUMANode", "hwloc://Package", "hwloc://Core"}
	rapid.Check(t, func(rt *rapid.T) {
		uri := rapid.SampledFrom(types).Draw(rt, "type")
		moves := drawMoves(rt, 12)
		refuses := rapid.IntRange(-1, 11).Draw(rt, "passes MPI_UNDEFINED")
		split := func(p *engine.Process) error {
			kind := engine.TypeHWGuided
			if p.Rank() == refuses {
				kind = engine.Undefined
			}
			_, err := p.World().SplitType(kind, 0, naming(engine.KeyHWResourceType, uri))
			return err
		}
		s := played(t, figure73(t), func(p *engine.Process) error {
			if err := split(p); err != nil {
				return err
			}
			if err := follow(p, moves); err != nil {
				return err
			}
			return split(p)
		})
		after := map[int][]int32{}
		for _, c := range s.Comms {
			if c.Step > 1 {
				after[c.Instance] = c.Group
			}
		}
		stale := reason.StaleComms(s)
		for _, c := range s.Comms[1:] {
			want := c.Step == 1 && !slices.Equal(c.Group, after[c.Instance])
			if (stale[c.ID] != nil) != want {
				rt.Fatalf("#%d of %s L#%d %v, now %v: stale %t", c.ID, uri, c.Instance, c.Group, after[c.Instance], !want)
			}
		}
	})
}

// The communicators of an unguided split, on every level of Figure 7.3, are stale exactly when the
// processes of the communicator that was split which meet the instance, and no other of its type, are
// no longer their group. Duplicates of duplicates go with them.
func TestStaleUnguided(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		moves := drawMoves(rt, 12)
		s := played(t, figure73(t), func(p *engine.Process) error {
			if err := descend(p); err != nil {
				return err
			}
			if err := p.World().Barrier(); err != nil {
				return err
			}
			return follow(p, moves)
		})
		stale := reason.StaleComms(s)
		for _, c := range s.Comms[1:] {
			origin := c
			for origin.Op == engine.CallDup {
				origin = s.Comm(origin.Parent)
			}
			var users []int32
			for _, rank := range s.Comm(origin.Parent).Group {
				if meetsOnly(s, origin, s.Bindings[rank].CPUSet) {
					users = append(users, rank)
				}
			}
			want := !slices.Equal(users, origin.Group)
			if x := stale[c.ID]; (x != nil) != want || x != nil && x.Original != origin.ID {
				rt.Fatalf("#%d, once #%d of %s L#%d %v, now used by %v: %+v", c.ID, origin.ID, origin.Resource, origin.Instance, origin.Group, users, x)
			}
		}
	})
}

// descend splits and duplicates twice until it gets MPI_COMM_NULL.
func descend(p *engine.Process) error {
	for c := p.World(); ; {
		below, err := c.SplitType(engine.TypeHWUnguided, 0, nil)
		if err != nil || below == nil {
			return err
		}
		if below, err = below.Dup(); err != nil {
			return err
		}
		if c, err = below.Dup(); err != nil {
			return err
		}
	}
}

// meetsOnly reports whether PUs meet the instance of a communicator and no other of its type.
func meetsOnly(s *engine.Snapshot, c *engine.CommInfo, pus hw.Set) bool {
	r, _ := s.Topology.Lookup(c.Resource)
	for i, o := range r.Instances {
		if o.CPUSet.Intersects(pus) != (i == c.Instance) {
			return false
		}
	}
	return true
}
