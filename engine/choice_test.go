package engine

import (
	"fmt"
	"testing"
)

// With Orders, a receive from any source takes the message of the chosen sender, and then the others in turn; the world
// says between which it chose (§3.5: messages of different senders keep no order).
func TestOrders(t *testing.T) {
	for choice, want := range []string{"[1 2 3]", "[2 1 3]", "[3 1 2]"} {
		w, err := New(Config{Size: 4, Orders: []int{choice}})
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		w.Submit(AllRanks(4), func(p *Process) error {
			if p.Rank() > 0 {
				return p.World().Send(p.Rank(), 0, 0)
			}
			for range 3 {
				e, err := p.World().Recv(AnySource, AnyTag)
				if err != nil {
					return err
				}
				got = append(got, e.Source)
			}
			return nil
		})
		w.Wait()
		if fmt.Sprint(got) != want {
			t.Errorf("choice %d: %v, want %s", choice, got, want)
		}
		list := w.Choices()
		if len(list) != 2 || fmt.Sprint(list[0].Senders) != "[1 2 3]" || list[0].Taken != choice || len(list[1].Senders) != 2 {
			t.Errorf("choice %d: choices %v", choice, list)
		}
		w.Close()
	}
}

// A standard send may wait until it is received (§3.4); a program that sends before it receives on both sides is then
// deadlocked, as it relies on buffering (§3.5).
func TestSynchronousSends(t *testing.T) {
	for _, synchronous := range []bool{false, true} {
		w, err := New(Config{Size: 2, Synchronous: synchronous})
		if err != nil {
			t.Fatal(err)
		}
		w.Submit(AllRanks(2), func(p *Process) error {
			if err := p.World().Send(1, 1-p.Rank(), 0); err != nil {
				return err
			}
			_, err := p.World().Recv(1-p.Rank(), 0)
			return err
		})
		if st := w.Wait(); (len(st.Waiting) > 0) != synchronous {
			t.Errorf("synchronous %v: waiting %v", synchronous, st.Waiting)
		}
		w.Close()
	}
}

// Nonblocking collective calls do not match blocking ones, and match in the order of each process (§6.12).
func TestNonblockingMatch(t *testing.T) {
	run := func(f func(p *Process) error) Status {
		w, err := New(Config{Size: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		w.Submit(AllRanks(2), f)
		return w.Wait()
	}
	blocked := run(func(p *Process) error {
		c := p.World()
		if p.Rank() == 0 {
			_, err := c.Collect(CallBcast, Data{Value: 1})
			return err
		}
		r, err := c.Start(CallIbcast, Data{})
		if err == nil {
			_, err = r.Wait()
		}
		return err
	})
	if len(blocked.Waiting) == 0 {
		t.Error("MPI_Ibcast matches MPI_Bcast")
	}
	if st := run(func(p *Process) error {
		c := p.World()
		first, err := c.Start(CallIbcast, Data{Value: "a"})
		if err != nil {
			return err
		}
		second, err := c.Start(CallIgather, Data{Value: p.Rank(), Root: 1})
		if err != nil {
			return err
		}
		e, err := second.Wait()
		if list, _ := e.Value.([]any); err != nil || p.Rank() == 1 && fmt.Sprint(list) != "[0 1]" || p.Rank() == 0 && list != nil {
			return fmt.Errorf("gathered %v, %v", e.Value, err)
		}
		if e, err = first.Wait(); err != nil || e.Value != "a" {
			return fmt.Errorf("broadcast %v, %v", e.Value, err)
		}
		return nil
	}); st.Failure != nil || len(st.Waiting) > 0 {
		t.Errorf("%+v", st)
	}
}
