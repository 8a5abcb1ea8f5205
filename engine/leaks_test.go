package engine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// What a program made and never ended is listed with where it was made: a split into two that
// nobody frees, a receive without a message, two messages that nobody receives, a duplication that
// only rank 0 starts, and (§7.4.3) a communicator that was freed while a receive refers to it.
func TestLeaks(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 4, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(4), func(p *engine.Process) error {
		at(p, 1)
		if _, err := p.World().Split(p.Rank()%2, 0); err != nil {
			return err
		}
		at(p, 2)
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		switch at(p, 3); p.Rank() {
		case 0:
			if _, _, err := p.World().Idup(); err != nil {
				return err
			}
		case 1:
			if _, err := c.Irecv(0, 0); err != nil {
				return err
			}
		case 2, 3:
			if err := p.World().Send("lost", 1, 7); err != nil {
				return err
			}
		}
		at(p, 4)
		return c.Free()
	})
	w.Wait()
	var got []string
	for _, l := range w.Leaks() {
		got = append(got, fmt.Sprintln(l.Kind, l.Comms, l.Ranks, l.Where, l.Call, l.Count))
	}
	want := []string{
		fmt.Sprintln(engine.LeakedComm, []int{2, 3}, "0-3", "demo.py:1", engine.CallSplit, 2),
		fmt.Sprintln(engine.LeakedContext, []int{4}, "0-3", "demo.py:4", engine.CallFree, 1),
		fmt.Sprintln(engine.LeakedDup, []int{0}, "0", "demo.py:3", engine.CallIdup, 1),
		fmt.Sprintln(engine.LeakedReceive, []int{4}, "1", "demo.py:3", engine.CallIrecv, 1),
		fmt.Sprintln(engine.LeakedMessage, []int{0}, "1", "demo.py:3", engine.CallSend, 2),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("leaks (-want +got):\n%s", d)
	}
}
