package reason_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
)

// drawn is a call of a random program, on the communicator that the rank got last, or on the world.
type drawn struct {
	kind       string
	fresh      bool // on the world
	color, key []int
}

func drawCalls(t *rapid.T, n int) []drawn {
	colors := rapid.OneOf(rapid.IntRange(0, 3), rapid.Just(engine.Undefined))
	column := func(g *rapid.Generator[int], name string) []int {
		return rapid.SliceOfN(g, n, n).Draw(t, name)
	}
	var list []drawn
	for range rapid.IntRange(1, 8).Draw(t, "calls") {
		list = append(list, drawn{
			kind:  rapid.SampledFrom([]string{"split", "split", "type", "dup", "create", "group", "free"}).Draw(t, "kind"),
			fresh: rapid.Bool().Draw(t, "fresh"),
			color: column(colors, "color"), key: column(rapid.IntRange(-2, 2), "key"),
		})
	}
	return list
}

// make makes the call on a rank. c is nil for ranks that sit out.
func (d drawn) make(p *engine.Process, c *engine.Comm) (*engine.Comm, error) {
	if d.fresh {
		c = p.World()
	}
	if c == nil {
		return nil, nil
	}
	size := c.Size()
	g, _ := c.Group()
	reversed := make([]int, 0, size)
	for r := size - 1; r >= 0; r -= 2 {
		reversed = append(reversed, r)
	}
	switch d.kind {
	case "split":
		return c.Split(d.color[p.Rank()], d.key[p.Rank()])
	case "type":
		return c.SplitType(engine.TypeHWUnguided, d.key[p.Rank()], nil)
	case "dup":
		return c.Dup()
	case "free":
		if c == p.World() {
			return nil, c.Barrier()
		}
		return nil, c.Free()
	}
	g, err := g.Incl(reversed)
	if err != nil {
		return nil, err
	}
	if d.kind == "create" {
		return c.Create(g)
	}
	return c.CreateGroup(g, 3)
}

// §7.4.2 and contextid.c of MPICH: the results that Of works out from a call's arguments and from the
// communicators alive are those of the engine: ids, ranks, sizes and context ids.
func TestPhasesEndInWhatTheEngineMade(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(60, 140)).Draw(rt, "ranks")
		calls := drawCalls(rt, n)
		s := played(t, engine.Config{Size: n}, func(p *engine.Process) error {
			var c *engine.Comm
			for _, d := range calls {
				var err error
				if c, err = d.make(p, c); err != nil {
					return err
				}
				// Without the barrier, ids would depend on which ranks are ahead.
				if err := p.World().Barrier(); err != nil {
					return err
				}
			}
			return nil
		})
		for i := range s.Steps {
			checkPhases(rt, s, i+1)
		}
	})
}

func checkPhases(t *rapid.T, s *engine.Snapshot, k int) {
	st := &s.Steps[k-1]
	ph, err := reason.Of(s, k)
	if err != nil {
		t.Fatalf("step %d: %v", k, err)
	}
	want := make([]reason.Answer, 0, len(ph.Replies))
	for r := range st.Ranks.All {
		a := reason.Answer{World: r, Comm: -1}
		for _, id := range st.Made {
			if g := s.Comm(id).Group; slices.Contains(g, int32(r)) {
				a.Comm, a.Rank, a.Size = id, slices.Index(g, int32(r)), len(g)
			}
		}
		want = append(want, a)
	}
	if d := cmp.Diff(want, ph.Replies); d != "" {
		t.Errorf("step %d, %s (-engine +phases):\n%s", k, st.Call, d)
	}
	for _, id := range st.Made {
		if c := s.Comm(id); c.Context != ph.Context[0].ID {
			t.Errorf("step %d, %s: context id %d, not the engine's %d", k, st.Call, ph.Context[0].ID, c.Context)
		}
	}
	if st.Call == engine.CallFree && (!ph.Context[0].Back || ph.Context[0].ID != s.Comm(st.Comm).Context) {
		t.Errorf("step %d: gives back %+v", k, ph.Context)
	}
}

// A split by hand. Colors 1,0,1,-,0,1 and keys 5,0,-1,9,0,5 of six processes: color 0 has ranks 1
// and 4 with equal keys, so the old rank decides; color 1 has rank 2 (key -1) first, then 0 and 5,
// which tie. Ranks 0 to 2 use context ids 0 (the world) and 1 (a split), the others 0 alone: 2 is the
// lowest id that is free on all.
func TestPhasesByHand(t *testing.T) {
	t.Parallel()
	color := []int{1, 0, 1, engine.Undefined, 0, 1}
	key := []int{5, 0, -1, 9, 0, 5}
	s := played(t, engine.Config{Size: 6}, func(p *engine.Process) error {
		first := engine.Undefined
		if p.Rank() < 3 {
			first = 0
		}
		if _, err := p.World().Split(first, 0); err != nil {
			return err
		}
		_, err := p.World().Split(color[p.Rank()], key[p.Rank()])
		return err
	})
	ph, err := reason.Of(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	stages := []reason.Stage{reason.Contribute, reason.Divide, reason.Sort, reason.Agree, reason.Reply}
	if d := cmp.Diff(stages, ph.Stages); d != "" {
		t.Error(d)
	}
	type bucket struct {
		Name  string
		Ranks string
		Makes bool
		Seats []reason.Seat
	}
	var got []bucket
	for _, b := range ph.Buckets {
		got = append(got, bucket{b.Name, b.Ranks.String(), b.Makes, b.Sides[0].Seats})
	}
	want := []bucket{
		{"color 0", "1,4", true, []reason.Seat{{0, 1, 1, true}, {0, 4, 4, true}}},
		{"color 1", "0,2,5", true, []reason.Seat{{-1, 2, 2, false}, {5, 0, 0, true}, {5, 5, 5, true}}},
		{"color MPI_UNDEFINED", "3", false, []reason.Seat{{9, 3, 3, false}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("buckets (-want +got):\n%s", d)
	}
	agreement := reason.Agreement{ID: 2, All: "11000000", Masks: []reason.Mask{
		{Ranks: engine.RanksOf(0, 1, 2), Bits: "11000000"},
		{Ranks: engine.RanksOf(4, 5), Bits: "10000000"}}}
	if d := cmp.Diff([]reason.Agreement{agreement}, ph.Context); d != "" {
		t.Errorf("context id (-want +got):\n%s", d)
	}
	replies := []reason.Answer{{0, 4, 1, 3}, {1, 3, 0, 2}, {2, 4, 0, 3}, {3, -1, 0, 0}, {4, 3, 1, 2}, {5, 4, 2, 3}}
	if d := cmp.Diff(replies, ph.Replies); d != "" {
		t.Errorf("replies (-want +got):\n%s", d)
	}
}

// An erroneous call has contributions and an error, no communicators; a local call has no phases.
func TestPhasesOfOtherSteps(t *testing.T) {
	t.Parallel()
	s := played(t, engine.Config{Size: 3}, func(p *engine.Process) error {
		w := p.World()
		if err := w.SetName("all"); err != nil {
			return err
		}
		g, _ := w.Group()
		g, _ = g.Incl([]int{0, p.Rank()/2 + 1})
		if _, err := w.Create(g); err == nil {
			t.Error("overlapping groups are accepted")
		}
		return nil
	})
	local := slices.IndexFunc(s.Steps, func(st engine.Step) bool { return st.Call == engine.CallSetName })
	if _, err := reason.Of(s, local+1); err == nil {
		t.Error("a local call has phases")
	}
	failed := slices.IndexFunc(s.Steps, func(st engine.Step) bool { return st.Call == engine.CallCreate })
	ph, err := reason.Of(s, failed+1)
	if err != nil || !slices.Equal(ph.Stages, []reason.Stage{reason.Contribute, reason.Reply}) || ph.Step.Err == nil || ph.Step.Err.Class != engine.ErrGroup {
		t.Errorf("an erroneous call: %v %+v", err, ph)
	}
}
