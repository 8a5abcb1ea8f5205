package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
)

// Four ranks, two on each of two hosts. A line duplicates world twelve times and frees nothing: a leak of twelve on each
// rank, over both hosts. Another splits by parity, so that each part has a rank of either host, and frees that; the
// third duplicates MPI_COMM_SELF on rank 3, once, which is not a leak.
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
	for _, u := range SitesOf(s.Snapshot()) {
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

// The table says of a leak what it is; a place that only frees has no counts of communicators.
func TestSitesTable(t *testing.T) {
	t.Parallel()
	s := newSession(t, nil, make([]*hw.Binding, 2))
	s.World.Submit(engine.AllRanks(2), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.c", Line: 3})
		for range 10 {
			if _, err := p.World().Dup(); err != nil {
				return err
			}
		}
		p.At(engine.Site{File: "demo.c", Line: 5})
		once, err := p.World().Dup()
		if err == nil {
			p.At(engine.Site{File: "demo.c", Line: 6})
			err = once.Free()
		}
		return err
	})
	s.World.Wait()
	var out strings.Builder
	if err := Sites(&out, s.view(), Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	want := `place       call       calls  made  left  peak  size  hosts  packages  NUMA
! demo.c:3  Comm_dup      10    10    10    10     2
demo.c:5    Comm_dup       1     1     0     1     2
demo.c:6    Comm_free      1
1 leak: a rank has more and more communicators of this place
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A place that is followed through all steps has after each of them what is counted for that step alone, also when
// communicators are freed and when a rank moves: rank 0 goes to the package of rank 1, so that their half of the world
// spans one package in place of two.
func TestSitesThrough(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "machine:2 pack:2 [numa] core:1")
	s := newSession(t, topo, worlds.Place(t, topo, 4, placement.Policy{}))
	s.World.Submit(engine.AllRanks(4), func(p *engine.Process) error {
		for turn := range 3 {
			p.At(engine.Site{File: "demo.c", Line: 5})
			half, err := p.World().Split(p.Rank()/2, 0)
			if err != nil {
				return err
			}
			p.At(engine.Site{File: "demo.c", Line: 7})
			if _, err := half.Dup(); err != nil {
				return err
			}
			if p.Rank() == 0 && turn == 1 {
				if err := p.Bind(hw.SetOf(1)); err != nil {
					return err
				}
			}
			p.At(engine.Site{File: "demo.c", Line: 9})
			if err := half.Free(); err != nil {
				return err
			}
		}
		return nil
	})
	s.World.Wait()
	snap := s.Snapshot()
	cells := func(u *Site) string { return strings.Join(append([]string{u.Place()}, u.Cells()...), " ") }
	now := map[SiteKey]string{}
	changes := map[int][]*Site{}
	SitesThrough(snap, func(at *Site, step int) {
		c := *at
		changes[step] = append(changes[step], &c)
	})
	for k := range len(snap.Steps) + 1 {
		for _, u := range changes[k] {
			now[u.Key()] = cells(u)
		}
		want := map[SiteKey]string{}
		for _, u := range SitesOf(snap.At(k)) {
			want[u.Key()] = cells(u)
		}
		if d := cmp.Diff(want, now); d != "" {
			t.Errorf("after step %d (-want +got):\n%s", k, d)
		}
	}
	if got := now[SiteKey{"demo.c:7", engine.CallDup}]; got != "demo.c:7 Comm_dup 3 6 3 3 2 1 1-2 1-2" {
		t.Errorf("at the end: %s", got)
	}
}

// A place selects the communicators that were made there; where none was made, or more than anybody looks at, the ranks
// that called there.
func TestSiteSelects(t *testing.T) {
	t.Parallel()
	ranks := engine.RanksOf(1, 3)
	for n, comms := range map[int]bool{0: false, 1: true, MostChosen: true, MostChosen + 1: false} {
		s := &Site{Ranks: ranks, Comms: make([]int, n)}
		chosen, who := s.Chosen()
		if len(chosen) > 0 != comms || (who.String() == ranks.String()) == comms {
			t.Errorf("%d communicators made: selects %d of them and ranks %v", n, len(chosen), who)
		}
	}
}

// A call site leaks where a rank has more of its communicators in each quarter of the run, and ten or more at the
// end; it grows where they are freed only at the end. Hundreds made and freed at once or in rounds, or a number
// that stays the same, do not grow.
func TestTrend(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		alive func(i int) int64 // alive after the i-th is made
		made  int
		left  int64
		want  Trend
	}{
		{"ten that stay", func(i int) int64 { return int64(i + 1) }, 10, 10, Leaking},
		{"nine that stay", func(i int) int64 { return int64(i + 1) }, 9, 9, Steady},
		{"hundred, and the last is freed", func(i int) int64 { return int64(i + 1) }, 100, 99, Leaking},
		{"two of three are freed", func(i int) int64 { return int64(i/3 + 1) }, 300, 100, Leaking},
		{"fifty in each step, of which one stays", func(i int) int64 { return int64(i/50 + i%50 + 1) }, 1000, 20, Leaking},
		{"freed at the exit", func(i int) int64 { return int64(i + 1) }, 25, 0, Grows},
		{"all but three freed at the exit", func(i int) int64 { return int64(i + 1) }, 500, 3, Grows},
		{"freed at once", func(int) int64 { return 1 }, 500, 0, Steady},
		{"rounds of hundred", func(i int) int64 { return int64(i%100 + 1) }, 1000, 0, Steady},
		{"thirty in turn, kept to the end", func(i int) int64 { return int64(min(i+1, 30)) }, 1000, 30, Steady},
	} {
		var g Growth
		for i := range c.made {
			g.Add(c.alive(i))
		}
		if got := g.Trend(c.left); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
