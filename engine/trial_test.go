package engine_test

import (
	"errors"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// collectives makes the named calls on c one after the other.
func collectives(c *engine.Comm, calls ...string) error {
	for _, call := range calls {
		var err error
		switch call {
		case "barrier":
			err = c.Barrier()
		case "dup":
			_, err = c.Dup()
		case "split":
			_, err = c.Split(0, 0)
		case "free":
			err = c.Free()
		case "allreduce":
			_, err = c.Allreduce(1, engine.Op{Name: "sum", Combine: func(a, b any) (any, error) { return a.(int) + b.(int), nil }})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// calling returns a program in which rank i makes the calls named in calls[i] on the world, or on a duplicate of it.
func calling(dup bool, calls ...string) func(p *engine.Process) error {
	return func(p *engine.Process) error {
		c := p.World()
		if dup {
			var err error
			if c, err = c.Dup(); err != nil {
				return err
			}
		}
		return collectives(c, strings.Fields(calls[p.Rank()])...)
	}
}

// letter is a send or a receive of a message.
type letter struct {
	do        string // send, ssend or recv
	peer, tag int
	on        int // 0: the world, 1: the world with its ranks in reverse order
}

// writing returns a program in which rank i makes the sends and receives of the i-th list; number n of the list is at
// line n.
func writing(lists ...[]letter) func(p *engine.Process) error {
	return func(p *engine.Process) error {
		backwards, err := p.World().Split(0, -p.Rank())
		if err != nil {
			return err
		}
		for i, l := range lists[p.Rank()] {
			at(p, int32(i+1))
			c := []*engine.Comm{p.World(), backwards}[l.on]
			switch l.do {
			case "send":
				err = c.Send("x", l.peer, l.tag)
			case "ssend":
				err = c.Ssend("x", l.peer, l.tag)
			case "recv":
				_, err = c.Recv(l.peer, l.tag)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// Each fix is right: the program changed as the fix says runs to its end. Where a fix leaves a choice, there is a
// program for each choice. §6.1 for collective calls, §3.4 and §3.5 for messages.
func TestFixesMend(t *testing.T) {
	t.Parallel()
	const wild = engine.AnySource
	list := func(l ...letter) []letter { return l }
	for name, c := range map[string]struct {
		size   int
		run    func(p *engine.Process) error
		fix    string
		mended []func(p *engine.Process) error
	}{
		"split beside dup, one call each": {4, calling(false, "split", "split", "split", "dup"),
			"let these ranks make the same call, or all of them both calls in one order: ranks 0-2 call MPI_Comm_split, rank 3 calls MPI_Comm_dup.",
			[]func(*engine.Process) error{calling(false, "split", "split", "split", "split"),
				calling(false, "split dup", "split dup", "split dup", "split dup"), calling(false, "dup split", "dup split", "dup split", "dup split")}},
		"barrier beside dup, two calls each": {3, calling(false, "barrier dup", "dup barrier", "dup barrier"),
			"let these ranks make the same call, or all of them both calls in one order: ranks 1-2 call MPI_Comm_dup, rank 0 calls MPI_Barrier.",
			[]func(*engine.Process) error{calling(false, "dup barrier", "dup barrier", "dup barrier")}},
		"one rank leaves out an allreduce": {3, calling(false, "allreduce barrier", "barrier", "allreduce barrier"),
			"let these ranks make the same call, or all of them both calls in one order: ranks 0,2 call MPI_Allreduce, rank 1 calls MPI_Barrier.",
			[]func(*engine.Process) error{calling(false, "allreduce barrier", "allreduce barrier", "allreduce barrier")}},
		"free beside barrier": {2, calling(true, "free", "barrier"),
			"let these ranks make the same call, or all of them both calls with MPI_Comm_free last: rank 0 calls MPI_Comm_free, rank 1 calls MPI_Barrier.",
			[]func(*engine.Process) error{calling(true, "free", "free"), calling(true, "barrier free", "barrier free")}},
		"a rank is missing": {3, calling(false, "dup", "", "dup"), "let rank 1 call MPI_Comm_dup too.",
			[]func(*engine.Process) error{calling(false, "dup", "dup", "dup")}},
		"a synchronous send of another tag": {2, writing(list(letter{"ssend", 1, 0, 0}), list(letter{"recv", 0, 1, 0})),
			"rank 0's message with tag 0 lies unread: rank 1 receives tag 1. Let both use one tag.",
			[]func(*engine.Process) error{writing(list(letter{"ssend", 1, 1, 0}), list(letter{"recv", 0, 1, 0}))}},
		// Rank 1 is rank 0 of communicator 2: its receive there is from itself.
		"a synchronous send on another communicator": {2, writing(list(letter{"ssend", 1, 0, 0}), list(letter{"recv", 0, 0, 1})),
			"rank 0's message with tag 0 lies unread on world: rank 1 receives on communicator 2. Let both use one communicator.",
			[]func(*engine.Process) error{writing(list(letter{"ssend", 1, 0, 0}), list(letter{"recv", 0, 0, 0}))}},
		"a send on another communicator": {2, writing(list(letter{"send", 1, 3, 0}), list(letter{"recv", 0, 3, 1})),
			"rank 0's message with tag 3 lies unread on world: rank 1 receives on communicator 2. Let both use one communicator.",
			[]func(*engine.Process) error{writing(list(letter{"send", 1, 3, 0}), list(letter{"recv", 0, 3, 0}))}},
		"a receive from any rank took the message": {3, writing(list(letter{"recv", wild, 0, 0}, letter{"recv", 1, 0, 0}),
			list(letter{"send", 0, 0, 0}), list(letter{"send", 0, 0, 0})),
			"rank 2's message with tag 0 lies unread: rank 0 receives from rank 1, whose message a receive from any rank took (demo.py:1). " +
				"Let that receive name rank 2.",
			[]func(*engine.Process) error{
				writing(list(letter{"recv", 2, 0, 0}, letter{"recv", 1, 0, 0}), list(letter{"send", 0, 0, 0}), list(letter{"send", 0, 0, 0}))}},
		"a receive from any rank took the only message": {2, writing(list(letter{"recv", wild, 0, 0}, letter{"recv", 1, 0, 0}), list(letter{"send", 0, 0, 0})),
			"a receive from any rank took the message of rank 1 (demo.py:1): let rank 1 send another message, or leave a receive out.",
			[]func(*engine.Process) error{
				writing(list(letter{"recv", wild, 0, 0}, letter{"recv", 1, 0, 0}), list(letter{"send", 0, 0, 0}, letter{"send", 0, 0, 0})),
				writing(list(letter{"recv", 1, 0, 0}), list(letter{"send", 0, 0, 0}))}},
		"a message to oneself": {2, writing(list(letter{"send", 0, 5, 0}), list(letter{"recv", wild, 5, 0})),
			"rank 0's message with tag 5 lies unread at rank 0: rank 1 receives it. Let rank 0 send it there.",
			[]func(*engine.Process) error{writing(list(letter{"send", 1, 5, 0}), list(letter{"recv", wild, 5, 0}))}},
		"synchronous sends in a circle": {3, writing(list(letter{"ssend", 1, 0, 0}, letter{"recv", 2, 0, 0}),
			list(letter{"ssend", 2, 0, 0}, letter{"recv", 0, 0, 0}), list(letter{"ssend", 0, 0, 0}, letter{"recv", 1, 0, 0})),
			"let one of these ranks receive before it sends, or use MPI_Sendrecv.",
			[]func(*engine.Process) error{writing(list(letter{"recv", 2, 0, 0}, letter{"ssend", 1, 0, 0}),
				list(letter{"ssend", 2, 0, 0}, letter{"recv", 0, 0, 0}), list(letter{"ssend", 0, 0, 0}, letter{"recv", 1, 0, 0}))}},
		// Two receives wait for rank 0, which has ended: both messages must be sent.
		"two messages": {3, writing(list(), list(letter{"recv", 0, 1, 0}), list(letter{"recv", 0, 2, 0})),
			"send that message, or check source, tag and communicator.",
			[]func(*engine.Process) error{writing(list(letter{"send", 1, 1, 0}, letter{"send", 2, 2, 0}), list(letter{"recv", 0, 1, 0}), list(letter{"recv", 0, 2, 0}))}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d *engine.Deadlock
			if err := try(t, ofSize(c.size), c.run); !errors.As(err, &d) {
				t.Fatalf("got %v, want a deadlock", err)
			}
			if got := d.Knots[0].Fix; got != c.fix || len(d.Knots) != 1 {
				t.Errorf("got  %s\nwant %s", got, c.fix)
			}
			for i, mended := range c.mended {
				if err := try(t, ofSize(c.size), mended); err != nil {
					t.Errorf("mended in way %d: %v", i, err)
				}
			}
		})
	}
}

// Where no tried change helps, the diagnosis says what is missing, without a fix: here rank 0 has ended, and each of
// ten ranks waits for another message from it.
func TestNoFixWhereNoneRan(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(11), func(p *engine.Process) error {
		if p.Rank() == 0 {
			return nil
		}
		_, err := at(p, 3).World().Recv(0, p.Rank())
		return err
	})
	var d *engine.Deadlock
	if !errors.As(err, &d) {
		t.Fatalf("got %v, want a deadlock", err)
	}
	if d.Knots[0].Fix != "" || !strings.HasSuffix(d.Message, matching+"Missing: a message from rank 0 of world with tag 1.") {
		t.Errorf("got %s", d.Message)
	}
}

// A fix is found with the same changes however many ranks wait.
func TestFixesOfManyRanks(t *testing.T) {
	t.Parallel()
	const n = 1000
	for name, c := range map[string]struct {
		run func(p *engine.Process) error
		fix string
	}{
		"one is missing": {func(p *engine.Process) error {
			if p.Rank() == 7 {
				return nil
			}
			return p.World().Barrier()
		}, "let rank 7 call MPI_Barrier too."},
		"two calls": {func(p *engine.Process) error {
			if p.Rank() == 7 {
				return collectives(p.World(), "dup")
			}
			return p.World().Barrier()
		}, "let these ranks make the same call, or all of them both calls in one order: ranks 0-6,8-999 call MPI_Barrier, rank 7 calls MPI_Comm_dup."},
		"nobody sends": {func(p *engine.Process) error {
			if p.Rank() == 7 {
				return p.World().Barrier()
			}
			_, err := p.World().Recv(7, 0)
			return err
		}, "let rank 7 send that message before MPI_Barrier, or leave the receive out."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d *engine.Deadlock
			if err := try(t, ofSize(n), c.run); !errors.As(err, &d) {
				t.Fatalf("got %v, want a deadlock", err)
			}
			if got := d.Knots[0].Fix; got != c.fix {
				t.Errorf("got %s", got)
			}
		})
	}
}

// A diagnosis changes nothing of the blocked world: its ranks can be released afterwards, in the way that the fix
// names.
func TestDiagnosisLeavesTheWorld(t *testing.T) {
	t.Parallel()
	w, err := engine.New(ofSize(3))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.RanksOf(0, 1), func(p *engine.Process) error {
		if p.Rank() == 0 {
			return p.World().Ssend("x", 1, 4)
		}
		_, err := p.World().Recv(0, 5)
		return err
	})
	if st := w.Wait(); len(st.Waiting) != 2 {
		t.Fatalf("got %+v, want two that wait", st)
	}
	first := w.Deadlock(nil).Message
	if again := w.Deadlock(nil).Message; again != first {
		t.Errorf("first  %s\nsecond %s", first, again)
	}
	if left := w.Unfinished(); len(left) != 2 || left[0].Kind != engine.LeakedReceive || left[1].Kind != engine.LeakedMessage {
		t.Errorf("got %+v, want the receive and the message", left)
	}
}
