package program

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// outcome is what a run of chunks left behind.
type outcome struct {
	ranks  []*Rank
	lines  []string // "0-3: text"
	status engine.Status
}

// runChunks runs the chunks, each named demo.py and starting at line 1, one after the other on a
// world of n ranks.
func runChunks(t testing.TB, cfg engine.Config, chunks ...string) outcome {
	t.Helper()
	var out outcome
	cfg.Output = func(l engine.Line) { out.lines = append(out.lines, l.Ranks.String()+": "+l.Text) }
	w, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	out.ranks = make([]*Rank, cfg.Size)
	vars := map[string]bool{}
	for _, text := range chunks {
		code, err := Compile("demo.py", text, 1, func(n string) bool { return vars[n] })
		if err != nil {
			t.Fatal(err)
		}
		w.Submit(engine.AllRanks(cfg.Size), func(p *engine.Process) error {
			if p.Local == nil {
				out.ranks[p.Rank()] = NewRank(p)
				out.ranks[p.Rank()].Memory = Limited(1 << 30)
			}
			return out.ranks[p.Rank()].Run(code)
		})
		if out.status = w.Wait(); out.status.Failure != nil {
			break
		}
		for _, r := range out.ranks {
			for name := range r.Vars {
				vars[name] = true
			}
		}
	}
	return out
}

// mustRun is runChunks of a program that must end well.
func mustRun(t testing.TB, n int, chunks ...string) outcome {
	t.Helper()
	out := runChunks(t, engine.Config{Size: n}, chunks...)
	if out.status.Failure != nil {
		t.Fatal(out.status.Failure)
	}
	if len(out.status.Waiting) > 0 {
		t.Fatalf("ranks wait: %v", out.status.Waiting)
	}
	return out
}

// prints checks that the program met its expectations and printed the lines.
func (out outcome) prints(t testing.TB, want []string) {
	t.Helper()
	for _, r := range out.ranks {
		for _, k := range r.Checks() {
			if !k.OK {
				t.Errorf("%v failed: %s, expected %s, found %s", k.Where, k.Message, k.Expected, k.Found)
			}
		}
	}
	if diff := cmp.Diff(want, out.lines); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// programError is the one error that a program ended with that is not MPI's.
func programError(t testing.TB, out outcome) string {
	t.Helper()
	if out.status.Failure == nil || len(out.status.Failure.Program) == 0 {
		t.Fatalf("no program error: %v", out.status.Failure)
	}
	var e *Error
	if !errors.As(out.status.Failure.Program[0], &e) {
		t.Fatalf("a %T instead of *Error", out.status.Failure.Program[0])
	}
	return e.Error()
}

func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
