package reason_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/hw"
)

// numaNodes splits the world of Figure 7.3 by NUMA node and duplicates the result; then ranks move.
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

// to moves one rank to some PUs.
func to(p *engine.Process, rank int, pus ...int) error {
	if p.Rank() != rank {
		return nil
	}
	return p.Bind(hw.SetOf(pus...))
}

// why lists the stale communicators with the reasons.
func why(s *engine.Snapshot) map[int]string {
	told := map[int]string{}
	for id, x := range reason.StaleComms(s) {
		told[id] = x.Why()
	}
	return told
}

// §7.4.2, advice to users: communicators "created [...] before this change may not reflect the
// utilization of hardware resources". The one that rank 3 left is stale, so is the one of its new NUMA
// node, which it is not in; their duplicates are with them. Communicators: 2 to 4 are the NUMA nodes
// of PUs 0-3, 4-7 and 8-11, 5 to 7 their duplicates.
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

// A rank that is in no instance, or passed MPI_UNDEFINED, makes nothing stale by coming; a freed
// communicator is not told of.
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
