package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// The table has who waits, in which call, where, and for which ranks. Where the columns do not fit, a row has two
// lines, and nothing is cut.
func TestWaiting(t *testing.T) {
	t.Parallel()
	v := blocked(t)
	want := []string{
		"Who        What                  Where      Waits for",
		"ranks 0-9  MPI_Barrier on world  demo.py:9  ranks 10-11",
	}
	if d := cmp.Diff(want, lines(t, 80, func(b *strings.Builder, st Style) error { return Waiting(b, v, st) })); d != "" {
		t.Error(d)
	}
	folded := []string{
		"Who        What",
		"ranks 0-9  MPI_Barrier on world",
		"    where demo.py:9, waits for ranks 10-11",
	}
	if d := cmp.Diff(folded, lines(t, 52, func(b *strings.Builder, st Style) error { return Waiting(b, v, st) })); d != "" {
		t.Error(d)
	}
}

// Ranks that each wait in a call of their own do not fill the screen.
func TestWaitingIsCut(t *testing.T) {
	t.Parallel()
	v := &View{Snapshot: &engine.Snapshot{Size: 100}}
	for r := range 100 {
		v.Snapshot.Waiting = append(v.Snapshot.Waiting, engine.Wait{Ranks: engine.RanksOf(r), Call: engine.CallRecv, Comm: 0})
	}
	got := lines(t, 80, func(b *strings.Builder, st Style) error { return Waiting(b, v, st) })
	if n := len(got); n != 26 || got[25] != "  ... and 76 more lines" {
		t.Errorf("%d lines, the last is %q", n, got[n-1])
	}
}

// A call without a communicator is shown without one.
func TestWaitingWithoutCommunicator(t *testing.T) {
	t.Parallel()
	s := fromSets(t, 4)
	s.AssignOn(engine.RanksOf(1), "e", 9, func(p *engine.Process) (*engine.Comm, error) { return fromSet(p, "app://odd") })
	v := s.view()
	want := []string{
		"Who     What                        Where      Waits for",
		"rank 1  MPI_Comm_create_from_group  demo.py:9  rank 3",
	}
	if d := cmp.Diff(want, lines(t, 80, func(b *strings.Builder, st Style) error { return Waiting(b, v, st) })); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
