package engine

import (
	"fmt"
	"testing"
)

// waysToWait are programs that leave a rank each, or all but one together, waiting for what never
// comes. The more sets of ranks there are that wait for many others, the harder they are to diagnose.
var waysToWait = []struct {
	name string
	wait func(p *Process, n int) error
}{
	{"barrier", func(p *Process, n int) error {
		if p.Rank() == n-1 {
			return nil
		}
		return p.World().Barrier()
	}},
	{"any source, own tag", receiveOwnTag},
	{"any source, own tag, every other rank", func(p *Process, n int) error {
		c, err := parity(p)
		if err == nil {
			_, err = c.Recv(AnySource, p.Rank())
		}
		return err
	}},
	{"after an error", func(p *Process, n int) error {
		p.World().SetErrhandler(ErrorsReturn)
		p.World().Recv(n, 0)
		return receiveOwnTag(p, n)
	}},
	{"from the next", func(p *Process, n int) error {
		_, err := p.World().Recv((p.Rank()+1)%n, 0)
		return err
	}},
	{"halves", func(p *Process, n int) error {
		_, err := p.Self().CreateIntercomm(0, p.World(), (p.Rank()+1)%n, 0)
		return err
	}},
	{"create_group", func(p *Process, n int) error {
		if p.Rank() == n-1 {
			return nil
		}
		_, err := p.World().CreateGroup(p.World().core.group, 0)
		return err
	}},
	{"create_group in pairs", func(p *Process, n int) error {
		if p.Rank()%2 == 1 {
			return nil
		}
		_, err := p.World().CreateGroup(&Group{members: []int32{p.rank, p.rank + 1}}, 0)
		return err
	}},
	{"idup", func(p *Process, n int) error {
		if p.Rank() == n-1 {
			return nil
		}
		_, r, err := p.World().Idup()
		if err == nil {
			_, err = r.Wait()
		}
		return err
	}},
	{"disconnect", func(p *Process, n int) error {
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		if _, err = c.Irecv(AnySource, 0); err == nil {
			err = c.Disconnect()
		}
		return err
	}},
}

func receiveOwnTag(p *Process, n int) error {
	_, err := p.World().Recv(AnySource, p.Rank())
	return err
}

// BenchmarkDeadlock measures how long it takes to find that nobody can go on, and to say why.
func BenchmarkDeadlock(b *testing.B) {
	for _, way := range waysToWait {
		for _, n := range []int{4096, 100_000} {
			b.Run(fmt.Sprintf("%s/ranks=%d", way.name, n), func(b *testing.B) {
				w, err := New(Config{Size: n, Trace: true})
				if err != nil {
					b.Fatal(err)
				}
				defer w.Close()
				w.Submit(AllRanks(n), func(p *Process) error { return way.wait(p, n) })
				if st := w.Wait(); len(st.Waiting) == 0 || st.Failure != nil {
					b.Fatal("nobody waits", st.Failure)
				}
				for b.Loop() {
					w.status()
					w.Deadlock(nil)
					w.Leaks()
				}
				reportPerRank(b, n)
			})
		}
	}
}
