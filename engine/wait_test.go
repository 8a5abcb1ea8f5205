package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// A circle is found even if its ranks also wait for others: rank 0 waits for ranks 1 and 2; rank 1 waits for rank
// 3, which has ended, and rank 2 for rank 0.
func TestCircle(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 4})
	if err != nil {
		t.Fatal(err)
	}
	err = engine.Run(w, func(p *engine.Process) error {
		color := 0
		if p.Rank() == 3 {
			color = 1
		}
		low, err := p.World().Split(color, 0)
		if err != nil {
			return err
		}
		switch p.Rank() {
		case 0:
			return low.Barrier()
		case 1:
			_, err = p.World().Recv(3, 0)
		case 2:
			_, err = p.World().Recv(0, 0)
		}
		return err
	})
	var lock *engine.Deadlock
	if !errors.As(err, &lock) {
		t.Fatal(err)
	}
	var names []string
	for _, x := range engine.Circle(lock.Waiting) {
		names = append(names, x.Ranks.Noun())
	}
	if got := strings.Join(names, ", "); got != "rank 0, rank 2, rank 0" {
		t.Errorf("the circle is %q", got)
	}
}

// A deadlock has the calls in which the processes wait, with what they passed, numbered after the steps of the
// trace; and it tells when arguments are left out.
func TestDeadlockCalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		program func(*engine.Process) error
		want    []engine.Step
		told    bool
	}{
		"split and receive": {func(p *engine.Process) error {
			w := p.World()
			var err error
			switch r := p.Rank(); {
			case r < 2:
				_, err = w.Split(r, -r)
			default:
				_, err = w.Recv(engine.AnySource, 7)
			}
			return err
		}, []engine.Step{
			{Number: 1, Call: engine.CallSplit, Ranks: engine.RanksOf(0, 1), Args: []engine.Column{
				{Name: "color", Ints: []int32{0, 1}}, {Name: "key", Ints: []int32{0, -1}}}},
			{Number: 2, Call: engine.CallRecv, Ranks: engine.RanksOf(2), Args: []engine.Column{
				{Name: "source", Ints: []int32{engine.AnySource}}, {Name: "tag", Ints: []int32{7}}}},
		}, true},
		"a call over a group": {func(p *engine.Process) error {
			if p.Rank() == 2 {
				return nil
			}
			g, err := p.World().Group()
			if err == nil {
				_, err = p.World().CreateGroup(g, 0)
			}
			return err
		}, []engine.Step{{Number: 1, Call: engine.CallCreateGroup, Ranks: engine.RanksOf(0, 1)}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := engine.New(engine.Config{Size: 3, Trace: true})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			w.Submit(engine.AllRanks(3), c.program)
			w.Wait()
			d := w.Deadlock(nil)
			for i := range d.Calls {
				d.Calls[i].Where = nil
			}
			if diff := cmp.Diff(c.want, d.Calls); diff != "" || d.Told != c.told {
				t.Errorf("told is %v, calls (-want +got):\n%s", d.Told, diff)
			}
		})
	}
}
