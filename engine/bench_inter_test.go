package engine

import "testing"

// BenchmarkInterSplit splits an intercommunicator of the even and the odd ranks into sixteen.
func BenchmarkInterSplit(b *testing.B) {
	benchConstructorOn(b, evenAndOdd, func(c *Comm, r int) (*Comm, error) { return c.Split(r/2%16, -r) })
}

// BenchmarkIntercommCreate joins the even and the odd ranks.
func BenchmarkIntercommCreate(b *testing.B) {
	benchConstructorOn(b, parity, joinParities)
}

func BenchmarkMerge(b *testing.B) {
	benchConstructorOn(b, evenAndOdd, func(c *Comm, r int) (*Comm, error) { return c.Merge(r%2 == 0) })
}

func BenchmarkInterDup(b *testing.B) {
	benchConstructorOn(b, evenAndOdd, func(c *Comm, _ int) (*Comm, error) { return c.Dup() })
}

// parity is a communicator of the ranks that are even, or of those that are odd.
func parity(p *Process) (*Comm, error) { return p.World().Split(p.Rank()%2, 0) }

func joinParities(c *Comm, rank int) (*Comm, error) {
	return c.CreateIntercomm(0, c.p.World(), 1-rank%2, 0)
}

func evenAndOdd(p *Process) (*Comm, error) {
	c, err := parity(p)
	if err != nil {
		return nil, err
	}
	return joinParities(c, p.Rank())
}

// BenchmarkIdup starts a duplication and waits for it.
func BenchmarkIdup(b *testing.B) {
	benchConstructor(b, func(c *Comm, _ int) (*Comm, error) {
		d, r, err := c.Idup()
		if err != nil {
			return nil, err
		}
		_, err = r.Wait()
		return d, err
	})
}

// BenchmarkCartCreate makes a grid of four rows.
func BenchmarkCartCreate(b *testing.B) {
	dims := map[int][]int{}
	for _, n := range benchSizes {
		dims[n] = []int{4, n / 4}
	}
	periods := []bool{true, false}
	benchConstructor(b, func(c *Comm, _ int) (*Comm, error) { return c.CreateCart(dims[len(c.core.all)], periods, false) })
}

// BenchmarkCreateFromGroup makes a communicator of all ranks from their group.
func BenchmarkCreateFromGroup(b *testing.B) {
	benchConstructor(b, func(c *Comm, _ int) (*Comm, error) {
		return c.p.CreateFromGroup(c.core.group, "org.example", nil, ErrorsReturn)
	})
}

// BenchmarkSplitAlone gives every rank a communicator of its own.
func BenchmarkSplitAlone(b *testing.B) {
	benchConstructor(b, func(c *Comm, r int) (*Comm, error) { return c.Split(r, 0) })
}
