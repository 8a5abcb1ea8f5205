package engine_test

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// busy is a program in which everything that could depend on timing happens: receives from any
// source, disjoint communicators that work at the same time at different speeds, local calls,
// output, creations by subsets, ranks that leave early.
func busy(p *engine.Process) error {
	w, r := p.World(), p.Rank()
	part, err := w.Split(r%3, -r)
	if err != nil {
		return err
	}
	for range r % 3 { // parts of different speed
		if part, err = part.Dup(); err != nil {
			return err
		}
	}
	if err := fanIn(p, part); err != nil {
		return err
	}
	g, err := incl(w, r/10*10, r/10*10+3)
	if err != nil {
		return err
	}
	pair, err := w.CreateGroup(g, 1)
	if err != nil {
		return err
	}
	if pair != nil {
		if _, err := pair.Split(0, -r); err != nil {
			return err
		}
	}
	if r%7 == 0 {
		return part.SetName("left early")
	}
	return fanIn(p, w)
}

// fanIn lets rank r of c, from 1 on, send r%3 messages to rank r/2; rank 0 posts two receives from
// any source, and prints the messages of those that are done.
func fanIn(p *engine.Process, c *engine.Comm) error {
	rank := c.Rank()
	if rank > 0 {
		for i := range rank % 3 {
			if err := c.Send(p.Rank(), rank/2, i); err != nil {
				return err
			}
		}
		return nil
	}
	for range 2 {
		r, err := c.Irecv(engine.AnySource, engine.AnyTag)
		if err != nil {
			return err
		}
		m, done, err := r.Test()
		if err != nil {
			return err
		}
		if done {
			p.Print(string(rune('a'+m.Source)) + string(rune('0'+m.Tag)))
		}
	}
	return nil
}

// The same program gives the same steps, communicators, numbers, output and waiting ranks on every
// run, whatever the interleaving of the goroutines.
func TestDeterminism(t *testing.T) {
	const n = 130
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	first := tracing(t, n, busy)
	if len(first.Comms) < 20 || len(first.Output) < 3 {
		t.Fatalf("the program does little: %d communicators, %d lines", len(first.Comms),
			len(first.Output))
	}
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		for i := range 20 {
			s := tracing(t, n, busy)
			if !reflect.DeepEqual(first, s) {
				t.Fatalf("GOMAXPROCS %d, run %d (-first +this):\n%s", procs, i, cmp.Diff(first, s, cmp.AllowUnexported(engine.Wait{})))
			}
		}
	}
}

// The diagnoses of a deadlock and of errors are the same on every run, too.
func TestDeterminismOfDiagnoses(t *testing.T) {
	stuck := func(p *engine.Process) error {
		at(p, int32(p.Rank()%5+1))
		if p.Rank()%4 == 0 {
			return p.World().Barrier()
		}
		_, err := p.World().Split(p.Rank()%3-1, 0) // ranks with a remainder of 0 fail
		if p.Rank()%3 == 0 {
			_, err = p.World().Recv(engine.AnySource, p.Rank())
		}
		return err
	}
	wrong := func(p *engine.Process) error {
		_, err := at(p, int32(p.Rank()%2)).World().Split(-p.Rank()-1, 0)
		return err
	}
	for _, f := range []func(p *engine.Process) error{stuck, wrong} {
		first := try(t, ofSize(100), f)
		if first == nil {
			t.Fatal("no diagnosis")
		}
		for range 20 {
			if diff := cmp.Diff(first.Error(), try(t, ofSize(100), f).Error()); diff != "" {
				t.Fatalf("messages (-first +this):\n%s", diff)
			}
		}
	}
}

const crowd = 90 // ranks of crowded: a multiple of ten

// crowded is a program in which everything that has more than one group, or does not wait, happens
// at the same time, with errors that the program catches; in the end the ranks wait in different
// ways.
func crowded(p *engine.Process) error {
	w := p.World()
	if err := w.SetErrhandler(engine.ErrorsReturn); err != nil {
		return err
	}
	key := p.CreateKeyval(engine.DupCopy, nil)
	if err := w.SetAttr(key, p.Rank()); err != nil {
		return err
	}
	side, err := at(p, 1).World().Split(p.Rank()%2, -p.Rank())
	if err != nil {
		return err
	}
	both, err := side.CreateIntercomm(0, w, crowd-1-p.Rank()%2, 7)
	if err != nil {
		return err
	}
	for _, f := range []func(*engine.Process, *engine.Comm) error{duplications, calledAtOnce, caught, partings, lastWaits} {
		if err := f(p, both); err != nil {
			return err
		}
	}
	return nil
}

// duplications starts duplications on communicators of different speed, and waits for them in any
// order.
func duplications(p *engine.Process, both *engine.Comm) error {
	part, err := at(p, 2).World().Split(p.Rank()%3, p.Rank())
	if err != nil {
		return err
	}
	for range p.Rank() % 3 {
		if part, err = part.Dup(); err != nil {
			return err
		}
	}
	var list []*engine.Request
	for _, c := range []*engine.Comm{both, part, both} {
		_, r, err := c.Idup()
		if err != nil {
			return err
		}
		list = append(list, r)
	}
	i, _, err := engine.Waitany(list)
	if err != nil {
		return err
	}
	p.Print(fmt.Sprint("first ", i))
	list[i] = nil
	_, err = engine.Waitall(list)
	return err
}

// calledAtOnce makes calls over groups of processes, some of which overlap.
func calledAtOnce(p *engine.Process, _ *engine.Comm) error {
	block, place := p.Rank()/10*10, p.Rank()%10
	switch {
	case place < 3:
		g, err := incl(at(p, 3).World(), block+2, block, block+1)
		if err != nil {
			return err
		}
		_, err = p.World().CreateGroup(g, block)
		return err
	case place < 6:
		return fromSession(p, block+3, block+5, "org.example")
	case place == 6 || place == 9:
		return nil
	}
	mine, err := incl(p.World(), p.Rank())
	if err != nil {
		return err
	}
	other, err := incl(p.World(), block+15-place)
	if err != nil {
		return err
	}
	_, err = p.CreateIntercommFromGroups(mine, 0, other, 0, "org.example.pair", nil, engine.ErrorsReturn)
	return err
}

func fromSession(p *engine.Process, first, last int, tag string) error {
	s, err := p.SessionInit(nil, engine.ErrorsReturn)
	if err != nil {
		return err
	}
	g, err := s.Group("mpi://WORLD")
	if err != nil {
		return err
	}
	if g, err = g.RangeIncl([]engine.RankRange{{First: last, Last: first, Stride: -1}}); err != nil {
		return err
	}
	_, err = p.CreateFromGroup(g, tag, nil, engine.ErrorsReturn)
	return err
}

// caught makes errors of single processes, and errors of calls that all processes make.
func caught(p *engine.Process, both *engine.Comm) error {
	_, err := at(p, int32(4+p.Rank()%2)).World().Split(-p.Rank()-1, 0)
	p.Print(err.Error())
	_, err = both.Merge(p.Rank()%5 == 0)
	p.Print(err.Error())
	d, err := p.World().Dup()
	if err != nil {
		return err
	}
	if err := d.Free(); err != nil {
		return err
	}
	if p.Rank()%9 == 0 {
		err = d.Check(engine.CallRank)
		p.Print(err.Error())
	}
	return nil
}

// partings disconnects communicators; the ranks with a remainder of 1 wait forever.
func partings(p *engine.Process, _ *engine.Comm) error {
	c, err := at(p, 6).World().Split(p.Rank()%4, 0)
	if err != nil {
		return err
	}
	rank := c.Rank()
	if rank == 1 {
		if _, err := c.Irecv(engine.AnySource, p.Rank()%4); err != nil {
			return err
		}
	}
	if rank%2 == 0 && p.Rank()%4 != 1 {
		if err := c.Send(p.Rank(), 1, p.Rank()%4); err != nil {
			return err
		}
	}
	return c.Disconnect()
}

// lastWaits makes calls that never end.
func lastWaits(p *engine.Process, both *engine.Comm) (err error) {
	switch w := at(p, int32(7+p.Rank()%3)).World(); p.Rank() % 12 {
	case 0:
		_, err = both.Recv(engine.AnySource, p.Rank())
	case 2:
		_, err = p.Self().CreateIntercomm(0, w, (p.Rank()+12)%crowd, 0)
	case 3:
		_, err = w.Probe(0, p.Rank())
	case 4, 6:
		err = fromSession(p, p.Rank()/12*12+4, min(p.Rank()/12*12+7, crowd-1), "org.example.end")
	default:
		_, err = both.Split(0, 0)
	}
	return err
}

// ending is all results of a run.
type ending struct {
	Snapshot *engine.Snapshot
	Errors   []engine.Raised
	Deadlock *engine.Deadlock
	Leaks    []engine.Leak
}

func endingOf(t *testing.T, n int, f func(p *engine.Process) error) ending {
	t.Helper()
	w := traced(t, n, f)
	defer w.Close()
	s := w.Snapshot()
	return ending{s, s.Errors(), w.Deadlock(nil), w.Leaks()}
}

// The trace, the snapshot, caught errors, the diagnosis and the leaks of crowded are the same on
// every run.
func TestDeterminismOfGroupsThatMeet(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	first := endingOf(t, crowd, crowded)
	s := first.Snapshot
	if len(s.Comms) < 35 || len(s.Output) < 5 || len(first.Errors) < 4 || len(s.Waiting) < 10 || len(first.Leaks) < 5 {
		t.Fatalf("the program does little: %d communicators, %d lines, %d errors, %d waits, %d leaks",
			len(s.Comms), len(s.Output), len(first.Errors), len(s.Waiting), len(first.Leaks))
	}
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		for i := range 20 {
			if again := endingOf(t, crowd, crowded); !reflect.DeepEqual(first, again) {
				t.Fatalf("GOMAXPROCS %d, run %d (-first +this):\n%s", procs, i, cmp.Diff(first, again, cmp.AllowUnexported(engine.Wait{})))
			}
		}
	}
}
