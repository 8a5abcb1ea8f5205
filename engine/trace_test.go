package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// tracing runs f on n ranks of a world with a trace and returns its snapshot.
func tracing(t tester, n int, f func(p *engine.Process) error) *engine.Snapshot {
	t.Helper()
	return traced(t, n, f).Snapshot()
}

// traced runs f on every rank of a new world with a trace, which must not fail, and returns the world.
func traced(t tester, n int, f func(p *engine.Process) error) *engine.World {
	t.Helper()
	w, err := engine.New(engine.Config{Size: n, Trace: true})
	if err != nil {
		t.Fatalf("world: %v", err)
	}
	t.Cleanup(w.Close)
	w.Submit(engine.AllRanks(n), f)
	if st := w.Wait(); st.Failure != nil {
		t.Fatalf("run: %v", st.Failure)
	}
	return w
}

// lesson is a small program with a step of every kind.
func lesson(p *engine.Process) error {
	back, err := at(p, 1).World().Split(0, -p.Rank())
	if err != nil {
		return err
	}
	color := p.Rank() % 2
	if p.Rank() == 3 {
		color = engine.Undefined
	}
	parts, err := at(p, 2).World().Split(color, 10+p.Rank())
	if err != nil {
		return err
	}
	at(p, int32(3+p.Rank()/2)).Print("made")
	if err := back.SetName("back"); err != nil {
		return err
	}
	if parts != nil {
		if err := at(p, 5).World().Send("x", 3, p.Rank()); err != nil {
			return err
		}
	}
	if _, err := at(p, 6).World().Bcast(p.Rank(), 2); err != nil {
		return err
	}
	at(p, 7)
	return back.Free()
}

func on(ranks engine.Ranks, line int32) []engine.Place {
	return []engine.Place{{Ranks: ranks, Site: engine.Site{File: "demo.py", Line: line}}}
}

// The trace has a step for each call: the ranks that made it, what each passed in ascending order of
// world rank, the communicators made, and the place in the program. Local calls of several ranks at one
// place are one step, calls at different places are several steps.
func TestTraceSteps(t *testing.T) {
	t.Parallel()
	all := engine.AllRanks(4)
	low, high, three := engine.RanksOf(0, 1), engine.RanksOf(2, 3), engine.RanksOf(0, 1, 2)
	ints := func(name string, v ...int32) engine.Column { return engine.Column{Name: name, Ints: v} }
	name := []engine.Column{{Name: "comm_name", Texts: []string{"back", "back"}}}
	want := []engine.Step{
		{Number: 1, Call: engine.CallSplit, Comm: 0, Ranks: all, Made: []int{2}, Where: on(all, 1),
			Args: []engine.Column{ints("color", 0, 0, 0, 0), ints("key", 0, -1, -2, -3)}},
		{Number: 2, Call: engine.CallSplit, Comm: 0, Ranks: all, Made: []int{3, 4}, Where: on(all, 2),
			Args: []engine.Column{ints("color", 0, 1, 0, engine.Undefined), ints("key", 10, 11, 12, 13)}},
		{Number: 3, Call: engine.CallSetName, Comm: 2, Ranks: low, Where: on(low, 3), Args: name},
		{Number: 4, Call: engine.CallSend, Comm: 0, Ranks: three, Where: on(three, 5),
			Args: []engine.Column{ints("dest", 3, 3, 3), ints("tag", 0, 1, 2)}},
		{Number: 5, Call: engine.CallSetName, Comm: 2, Ranks: high, Where: on(high, 4), Args: name},
		{Number: 6, Call: engine.CallBcast, Comm: 0, Ranks: all, Where: on(all, 6),
			Args: []engine.Column{ints("root", 2, 2, 2, 2)}},
		{Number: 7, Call: engine.CallFree, Comm: 2, Ranks: all, Where: on(all, 7)},
	}
	if diff := cmp.Diff(want, tracing(t, 4, lesson).Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// CommInfo has what stays true of a communicator: id, context, call and parent, group in rank order.
func TestTraceComms(t *testing.T) {
	t.Parallel()
	comm := func(id, context int, step int, where string, group ...int32) *engine.CommInfo {
		return &engine.CommInfo{ID: id, Context: context, Op: engine.CallSplit, Group: group,
			Instance: -1, Where: where, Step: step}
	}
	want := []*engine.CommInfo{
		{ID: 0, Parent: -1, Group: []int32{0, 1, 2, 3}},
		comm(2, 1, 1, "demo.py:1", 3, 2, 1, 0),
		comm(3, 2, 2, "demo.py:2", 0, 2),
		comm(4, 2, 2, "demo.py:2", 1),
	}
	s := tracing(t, 4, lesson)
	if diff := cmp.Diff(want, s.Comms, cmpopts.IgnoreUnexported(engine.CommInfo{})); diff != "" {
		t.Errorf("communicators (-want +got):\n%s", diff)
	}
	for _, c := range want {
		if s.Comm(c.ID) == nil || s.Comm(c.ID).ID != c.ID {
			t.Errorf("communicator %d is not found", c.ID)
		}
	}
	if s.Comm(1) != nil || s.Comm(5) != nil {
		t.Error("found a communicator that is not there")
	}
}

// The argument columns of a step are ordered by world rank, also on a communicator with another order.
func TestTraceColumnsByWorldRank(t *testing.T) {
	t.Parallel()
	s := tracing(t, 3, func(p *engine.Process) error {
		back, err := p.World().Split(0, -p.Rank())
		if err != nil {
			return err
		}
		_, err = back.Split(p.Rank(), 100+p.Rank())
		return err
	})
	want := []engine.Column{
		{Name: "color", Ints: []int32{0, 1, 2}}, {Name: "key", Ints: []int32{100, 101, 102}}}
	if diff := cmp.Diff(want, s.Steps[1].Args); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

// Events of a process between two waits keep their order: a line printed before a local call stands
// before the call's step, and an error between two lines stands between them.
func TestOrderWithoutWaiting(t *testing.T) {
	t.Parallel()
	s := tracing(t, 2, func(p *engine.Process) error {
		p.Print("one")
		before, late := p.Moment()
		if late == nil {
			t.Errorf("rank %d has printed, and knows its place already: %+v", p.Rank(), before)
		}
		if err := p.World().SetName("all"); err != nil {
			return err
		}
		p.Note("two")
		if err := p.World().Send("x", 9, 0); err == nil {
			t.Error("sent to rank 9 of 2")
		}
		p.Print("three")
		return p.World().Barrier()
	})
	var steps []int
	for _, l := range s.Output {
		steps = append(steps, l.Step)
	}
	if want := []int{0, 1, 1}; !slices.Equal(steps, want) {
		t.Errorf("steps before the lines: %v, want %v", steps, want)
	}
	if len(s.Raised) != 2 || s.Raised[0].At.Steps != 1 || s.Raised[0].At.Lines != 2 || s.Raised[1].At != s.Raised[0].At {
		t.Errorf("raised %+v, want both behind step 1 and two lines", s.Raised)
	}
}

// A snapshot at a step has what was there after that step, and nothing later.
func TestSnapshotAt(t *testing.T) {
	t.Parallel()
	s := tracing(t, 4, lesson)
	for step, want := range [][2]int{{1, 0}, {2, 0}, {4, 1}, {4, 1}, {4, 1}, {4, 1}, {4, 1}} {
		past := s.At(step)
		got := [2]int{len(past.Comms), len(past.Output)}
		if len(past.Steps) != step || got != want {
			t.Errorf("at %d: %d steps, communicators and lines %v, want %v", step, len(past.Steps),
				got, want)
		}
	}
	if s.At(7) != s || s.At(99) != s {
		t.Error("the present is not the snapshot itself")
	}
	if len(s.At(6).Freed()) != 0 || !s.Freed()[2] || len(s.Freed()) != 1 {
		t.Errorf("freed %v", s.Freed())
	}
	if n := s.Names()[2]; n != "back" || s.At(2).Names()[2] != "" || s.Names()[0] != "MPI_COMM_WORLD" {
		t.Errorf("names %v", s.Names())
	}
}

// A snapshot never changes, whatever the world does afterwards.
func TestSnapshotIsImmutable(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 4, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var taken []*engine.Snapshot
	var lengths []int
	for range 5 {
		w.Submit(engine.AllRanks(4), lesson)
		w.Wait()
		taken = append(taken, w.Snapshot())
		lengths = append(lengths, len(taken[len(taken)-1].Steps))
	}
	for i, s := range taken {
		if len(s.Steps) != lengths[i] || len(s.Steps) != 7*(i+1) || len(s.Output) != i+1 {
			t.Errorf("snapshot %d: %d steps, %d lines", i, len(s.Steps), len(s.Output))
		}
		if diff := cmp.Diff(taken[4].Steps[:len(s.Steps)], s.Steps); diff != "" {
			t.Errorf("snapshot %d differs from the last one:\n%s", i, diff)
		}
	}
}

// What ranks print between two calls is merged: first lines first, equal lines once with their ranks, in
// order of the lowest rank.
func TestOutputIsMerged(t *testing.T) {
	t.Parallel()
	s := tracing(t, 6, func(p *engine.Process) error {
		p.Print([]string{"even", "odd"}[p.Rank()%2])
		if p.Rank() > 3 {
			p.Print("high")
		}
		if err := p.World().Barrier(); err != nil {
			return err
		}
		p.Print("even")
		return nil
	})
	want := []engine.Line{
		{Step: 0, Ranks: engine.RanksOf(0, 2, 4), Text: "even"},
		{Step: 0, Ranks: engine.RanksOf(1, 3, 5), Text: "odd"},
		{Step: 0, Ranks: engine.RanksOf(4, 5), Text: "high"},
		{Step: 1, Ranks: engine.AllRanks(6), Text: "even"},
	}
	if diff := cmp.Diff(want, s.Output); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// A note is narration, apart from what the program computes: the same text, printed and noted, makes two
// lines.
func TestNotes(t *testing.T) {
	t.Parallel()
	s := tracing(t, 2, func(p *engine.Process) error {
		if p.Rank() == 0 {
			p.Print("so")
		} else {
			p.Note("so")
		}
		return nil
	})
	want := []engine.Line{{Ranks: engine.RanksOf(0), Text: "so"},
		{Ranks: engine.RanksOf(1), Text: "so", Note: true}}
	if diff := cmp.Diff(want, s.Output); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// News are the trace in pieces: together they equal the snapshot, and the news of a superstep come before
// any rank goes on, so that no rank can be ahead of them.
func TestNewsIsTheTrace(t *testing.T) {
	t.Parallel()
	var all engine.News
	w, err := engine.New(engine.Config{Size: 4, Trace: true, News: func(n *engine.News) {
		if len(n.Steps)+len(n.Comms)+len(n.Output)+len(n.Moves)+len(n.Raised) == 0 {
			t.Error("news of nothing")
		}
		all.Steps, all.Comms = append(all.Steps, n.Steps...), append(all.Comms, n.Comms...)
		all.Output, all.Moves = append(all.Output, n.Output...), append(all.Moves, n.Moves...)
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	run := func(f func(p *engine.Process) error) {
		t.Helper()
		w.Submit(engine.AllRanks(4), f)
		if st := w.Wait(); st.Failure != nil {
			t.Fatal(st.Failure)
		}
	}
	run(func(p *engine.Process) error {
		err := lesson(p)
		if last := all.Steps[len(all.Steps)-1].Call; last != engine.CallFree {
			t.Errorf("rank %d has freed, and the news is %s", p.Rank(), last)
		}
		return err
	})
	run(func(p *engine.Process) error { return p.Bind(hw.SetOf(3 - p.Rank())) })
	s := w.Snapshot()
	if d := cmp.Diff(s.Steps, all.Steps); d != "" {
		t.Errorf("steps (-snapshot +news): %s", d)
	}
	if d := cmp.Diff(s.Comms[1:], all.Comms, cmpopts.IgnoreUnexported(engine.CommInfo{})); d != "" {
		t.Errorf("communicators (-snapshot +news): %s", d)
	}
	if d := cmp.Diff(s.Output, all.Output); d != "" {
		t.Errorf("output (-snapshot +news): %s", d)
	}
	if len(all.Moves) != 4 || all.Moves[3].Rank != 3 || all.Moves[3].To != s.Bindings[3] || all.Moves[3].Step != len(s.Steps) {
		t.Errorf("moves: %+v", all.Moves)
	}
}

// Without a trace there is no news.
func TestNewsNeedsATrace(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 4, News: func(*engine.News) { t.Error("news without a trace") }})
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Run(w, lesson); err != nil {
		t.Fatal(err)
	}
}

// §7.4.2: a process knows which constructor returned MPI_COMM_NULL: the step of the trace, or the group
// of a local call. The origin is told only once, so that no later MPI_COMM_NULL is taken for it; a world
// without a trace remembers no origin.
func TestOrigin(t *testing.T) {
	t.Parallel()
	for _, trace := range []bool{true, false} {
		cfg := ofSize(4)
		cfg.Trace = trace
		err := try(t, cfg, func(p *engine.Process) error {
			w := p.World()
			color := engine.Undefined
			if p.Rank() == 2 {
				color = 0
			}
			if _, err := w.Split(color, 0); err != nil {
				return err
			}
			o := p.Origin()
			switch {
			case !trace || p.Rank() == 2:
				if o != nil {
					t.Errorf("trace %v, rank %d: %+v", trace, p.Rank(), o)
				}
			case o == nil || o.Step != 1 || o.Call != engine.CallSplit || o.Comm != 0:
				t.Errorf("rank %d: %+v", p.Rank(), o)
			}
			if p.Origin() != nil {
				t.Errorf("rank %d: told twice", p.Rank())
			}
			all, _ := w.Group()
			g, _ := all.Incl([]int{3, 0})
			if _, err := w.CreateGroup(g, 0); err != nil {
				return err
			}
			if o := p.Origin(); trace && p.Rank() == 1 && (o == nil || o.Step != 0 || o.Call != engine.CallCreateGroup || len(o.Group) != 2 || o.Group[0] != 3) {
				t.Errorf("local call: %+v", o)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// The trace keeps the error of a collective call that is erroneous on all processes: ranks 0 and 1 pass
// {0,1}, rank 2 passes {0,2}, and rank 0 is in both (§7.4.2).
func TestTraceKeepsErrors(t *testing.T) {
	t.Parallel()
	cfg := ofSize(3)
	cfg.Trace = true
	w, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(3), func(p *engine.Process) error {
		all, _ := p.World().Group()
		g, _ := all.Incl([]int{0, p.Rank()/2 + 1})
		if _, err := p.World().Create(g); err == nil {
			t.Error("overlapping groups are accepted")
		}
		return p.World().Barrier()
	})
	w.Wait()
	steps := w.Snapshot().Steps
	if len(steps) != 2 || steps[0].Err == nil || steps[0].Err.Class != engine.ErrGroup || steps[1].Err != nil {
		t.Errorf("%+v", steps)
	}
}
