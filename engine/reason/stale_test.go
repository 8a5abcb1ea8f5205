package reason_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw"
)

// numaNodes splits the world of Figure 7.3 by NUMA node and duplicates the result; then it moves
// ranks.
func numaNodes(t *testing.T, kind engine.SplitType, move func(p *engine.Process) error) *engine.Snapshot {
	t.Helper()
	return played(t, figure73(t), func(p *engine.Process) error {
		var info *engine.Info
		if kind == engine.TypeHWGuided {
			info = naming(engine.KeyHWResourceType, "hwloc://NUMANode")
		}
		c, err := p.World().SplitType(kind, 0, info)
		if err != nil {
			return err
		}
		if c != nil {
			if _, err := c.Dup(); err != nil {
				return err
			}
		}
		return move(p)
	})
}

// to binds one rank to some PUs.
func to(p *engine.Process, rank int, pus ...int) error {
	if p.Rank() != rank {
		return nil
	}
	return p.Bind(hw.SetOf(pus...))
}

// why returns the reasons of the stale communicators, by id.
func why(s *engine.Snapshot) map[int]string {
	told := map[int]string{}
	for id, x := range reason.StaleComms(s) {
		told[id] = x.Why()
	}
	return told
}

// §7.4.2, advice to users: communicators "created [...] before this change may not reflect the
// utilization of hardware resources". The communicator that rank 3 left is stale, and so is the
// communicator of its new NUMA node, which does not have rank 3; their duplicates are stale with them.
// Communicators: 2 to 4 are the NUMA nodes of PUs 0-3, 4-7 and 8-11, 5 to 7 their duplicates.
func TestStale(t *testing.T) {
	t.Parallel()
	const left = "rank 3 now runs on PUs 4-5, NUMANode L#1 (P#1); the communicator was made for NUMANode L#0"
	const joined = "rank 3 now runs on PUs 4-5, NUMANode L#1 (P#1), and is not in it; the communicator was made for NUMANode L#1"
	for _, c := range []struct {
		name string
		kind engine.SplitType
		move func(p *engine.Process) error
		want map[int]string
	}{
		{"to another node", engine.TypeHWGuided, func(p *engine.Process) error { return to(p, 3, 4, 5) },
			map[int]string{2: left, 5: left, 3: joined, 6: joined}},
		{"within its node", engine.TypeHWGuided, func(p *engine.Process) error { return to(p, 3, 0, 1) }, map[int]string{}},
		{"and back", engine.TypeHWGuided, func(p *engine.Process) error {
			if err := to(p, 3, 4, 5); err != nil {
				return err
			}
			return to(p, 3, 2)
		}, map[int]string{}},
		{"on its host", engine.TypeShared, func(p *engine.Process) error { return to(p, 3, 4, 5) }, map[int]string{}},
		{"to two nodes", engine.TypeHWGuided, func(p *engine.Process) error { return to(p, 8, 7, 8) }, map[int]string{
			4: "rank 8 now runs on PUs 7-8, NUMANode L#1-2 (P#1-2); the communicator was made for NUMANode L#2",
			7: "rank 8 now runs on PUs 7-8, NUMANode L#1-2 (P#1-2); the communicator was made for NUMANode L#2"}},
		// The unguided split is by rack: PUs 0-7 and 8-11.
		{"unguided", engine.TypeHWUnguided, func(p *engine.Process) error { return to(p, 3, 4, 5) }, map[int]string{}},
		{"to another rack", engine.TypeHWUnguided, func(p *engine.Process) error { return to(p, 3, 9) }, map[int]string{
			2: "rank 3 now runs on PU 9, Rack L#1; the communicator was made for Rack L#0",
			4: "rank 3 now runs on PU 9, Rack L#1; the communicator was made for Rack L#0",
			3: "rank 3 now runs on PU 9, Rack L#1, and is not in it; the communicator was made for Rack L#1",
			5: "rank 3 now runs on PU 9, Rack L#1, and is not in it; the communicator was made for Rack L#1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := numaNodes(t, c.kind, c.move)
			if diff := cmp.Diff(c.want, why(s)); diff != "" {
				t.Errorf("stale (-want +got):\n%s", diff)
			}
			if list := why(s.At(2)); len(list) > 0 {
				t.Errorf("stale before anybody moved: %v", list)
			}
		})
	}
}

// A rank that was in no instance, or passed MPI_UNDEFINED, makes no communicator stale when it moves
// into an instance; freed communicators are never stale.
func TestNotStale(t *testing.T) {
	t.Parallel()
	s := played(t, figure73(t), func(p *engine.Process) error {
		kind := engine.TypeHWGuided
		if p.Rank() == 3 {
			kind = engine.Undefined
		}
		c, err := p.World().SplitType(kind, 0, naming(engine.KeyHWResourceType, "hwloc://NUMANode"))
		if err != nil {
			return err
		}
		if p.Rank() >= 8 {
			if err := c.Free(); err != nil {
				return err
			}
		}
		if err := to(p, 3, 4, 5); err != nil {
			return err
		}
		return to(p, 9, 0)
	})
	want := map[int]string{2: "rank 9 now runs on PU 0, NUMANode L#0 (P#0), and is not in it; the communicator was made for NUMANode L#0"}
	if diff := cmp.Diff(want, why(s)); diff != "" {
		t.Errorf("stale (-want +got):\n%s", diff)
	}
}

// drawMoves draws the PUs that each of n ranks moves to, one set after the other: mostly none. PUs are
// 0 to 11.
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
// other processes: after random moves, StaleComms agrees with making that call.
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

// A communicator of an unguided split, on every level of Figure 7.3, is stale exactly when its group
// is no longer the processes of the split communicator that meet its instance and no other instance of
// the type. Duplicates of duplicates are stale with it.
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

// descend makes unguided splits, each followed by two duplications, until it gets MPI_COMM_NULL.
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

// meetsOnly reports whether PUs meet the instance of a communicator and no other instance of its type.
func meetsOnly(s *engine.Snapshot, c *engine.CommInfo, pus hw.Set) bool {
	r, _ := s.Topology.Lookup(c.Resource)
	for i, o := range r.Instances {
		if o.CPUSet.Intersects(pus) != (i == c.Instance) {
			return false
		}
	}
	return true
}
