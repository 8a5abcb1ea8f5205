package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/hw/placement"
	"commsplit/render/worlds"
)

// Four ranks, two on each of two hosts. A line duplicates world twelve times and frees nothing: a leak of twelve on each
// rank, over both hosts. Another splits by parity, so that each part has a rank of either host, and frees that; the
// third duplicates MPI_COMM_SELF on rank 3, once, which is no leak.
func TestSites(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "machine:2 pack:2 [numa] core:1")
	s := newSession(t, topo, worlds.Place(t, topo, 4, placement.Policy{}))
	s.World.Submit(engine.AllRanks(4), func(p *engine.Process) error {
		at := func(line int32) { p.At(engine.Site{File: "demo.c", Line: line}) }
		at(5)
		half, err := p.World().Split(p.Rank()%2, 0)
		if err != nil {
			return err
		}
		for range 12 {
			at(3)
			if _, err := p.World().Dup(); err != nil {
				return err
			}
		}
		at(7)
		if err := half.Free(); err != nil || p.Rank() != 3 {
			return err
		}
		at(9)
		_, err = p.Self().Dup()
		return err
	})
	s.World.Wait()
	type row struct {
		Where                   string
		Call                    engine.Call
		Ranks                   string
		Calls, Made, Left, Peak int32
		Size                    Range
		Spans                   Spans
		Leaks                   bool
	}
	var got []row
	for _, u := range Sites(s.Snapshot()) {
		got = append(got, row{u.Where, u.Call, u.Ranks.String(), u.Calls, u.Made, u.Left, u.Peak, u.Size, u.Spans, u.Leaks()})
	}
	one, two, four := Range{1, 1}, Range{2, 2}, Range{4, 4}
	want := []row{
		{"demo.c:3", engine.CallDup, "0-3", 12, 12, 12, 12, four, Spans{two, four, four}, true},
		{"demo.c:9", engine.CallDup, "3", 1, 1, 1, 1, one, Spans{one, one, one}, false},
		{"demo.c:5", engine.CallSplit, "0-3", 1, 1, 0, 1, two, Spans{two, two, two}, false},
		{"demo.c:7", engine.CallFree, "0-3", 1, 0, 0, 0, Range{}, Spans{}, false},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
