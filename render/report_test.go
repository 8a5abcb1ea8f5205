package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
)

// asMPICH is a view with three notes, two of them about the same deviation.
func asMPICH(t testing.TB) *View {
	topo := worlds.Synthesized(t, "core:2 pu:1")
	v := newSession(t, topo, worlds.Place(t, topo, 2, placement.Policy{})).view()
	v.As = worlds.OfMPICH()
	return v
}

// A line for each note; the rule comes with the first of a kind, and nothing is wider than the page.
func TestAs(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := As(&b, asMPICH(t), Style{Width: 60}); err != nil {
		t.Fatal(err)
	}
	want := `MPICH would differ:
  demo.py:7  MPI_Comm_split, ranks 0-1: another "result"
    why it is so (MPICH 4.2)
  MPI_Comm_dup, rank 1: the same again
  demo.py:9  rank 0: hangs
    a rule that is a good deal longer than a line of a page
    that has forty columns (all)
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	v := asMPICH(t)
	v.As = &deviation.Report{Library: deviation.OpenMPI}
	b.Reset()
	if err := As(&b, v, Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if want := "Open MPI would give the same result: no known deviation applies\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// The end of a script: failures with what was expected and found, then the counts.
func TestReport(t *testing.T) {
	t.Parallel()
	v := blocked(t)
	v.Expectations = Expectations{Passed: 6, Failed: 1, Failures: []Failure{{
		Where: "demo.py:9", Ranks: engine.RanksOf(2), Message: "expected [[0,2],[1,3]]\nfound    [[0,1],[2,3]]"}}}
	want := []string{
		"FAILED  demo.py:9  rank 2",
		"  expected [[0,2],[1,3]]",
		"  found    [[0,1],[2,3]]",
		"6 expectations passed, 1 failed",
		"1 step, 2 communicators made, 2 never freed, deadlock",
	}
	if d := cmp.Diff(want, lines(t, 80, func(b *strings.Builder, st Style) error { return Report(b, v, st) })); d != "" {
		t.Error(d)
	}
}
