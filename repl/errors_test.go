package repl

import (
	"context"
	"testing"

	"commsplit/engine"
	"commsplit/repl/program"
)

// The panic of a rank, a defect of ours, is told on the rank's goroutine before it ends the process.
func TestCrashed(t *testing.T) {
	t.Parallel()
	s, err := Open(context.Background(), Config{Topo: "core:2", Size: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan any)
	s.Crashed = func(v any) {
		told <- v
		select {} // the process of the test goes on
	}
	go s.runOn(context.Background(), engine.RanksOf(1), nil, func(*program.Rank) error { panic("defect") })
	if got := <-told; got != "defect" {
		t.Errorf("told %v", got)
	}
}
