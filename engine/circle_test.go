package engine_test

import (
	"errors"
	"strings"
	"testing"

	"commsplit/engine"
)

// A circle is found whoever else is waited for: rank 0 waits for ranks 1 and 2, of which rank 1 waits for rank 3,
// which has ended, and rank 2 for rank 0.
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
