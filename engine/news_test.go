package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/hw"
)

// News is the trace in pieces: together they are the snapshot, and what a superstep did is told before
// any rank goes on, so that none can be ahead of it.
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
	if d := cmp.Diff(s.Comms[1:], all.Comms); d != "" {
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
