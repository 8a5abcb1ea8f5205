package engine

import (
	"fmt"
	"testing"

	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/hw/synthetic"
)

// BenchmarkSplit measures one MPI_Comm_split with every rank a goroutine, in ns a rank. Its floor
// is the bare radix sort of the same triples into a rank table.
func BenchmarkSplit(b *testing.B) {
	benchConstructor(b, func(c *Comm, r int) (*Comm, error) { return c.Split(r%16, -r) })
}

func BenchmarkDup(b *testing.B) {
	benchConstructor(b, func(c *Comm, _ int) (*Comm, error) { return c.Dup() })
}

// BenchmarkCreate makes two communicators, of the lower and of the upper half.
func BenchmarkCreate(b *testing.B) {
	halves := benchHalves()
	benchConstructor(b, func(c *Comm, r int) (*Comm, error) { return c.Create(halves(c, r)) })
}

// BenchmarkCreateGroup makes the same two communicators in two calls at the same time.
func BenchmarkCreateGroup(b *testing.B) {
	halves := benchHalves()
	benchConstructor(b, func(c *Comm, r int) (*Comm, error) { return c.CreateGroup(halves(c, r), 0) })
}

// benchHalves gives the group of the half that a rank is in. The groups are made once, as a program
// does that creates communicators in a loop.
func benchHalves() func(c *Comm, rank int) *Group {
	made := map[int][2]*Group{}
	for _, n := range benchSizes {
		all := make([]int32, n)
		for i := range all {
			all[i] = int32(i)
		}
		made[n] = [2]*Group{{members: all[:n/2]}, {members: all[n/2:]}}
	}
	return func(c *Comm, rank int) *Group {
		n := len(c.core.group.members)
		return made[n][2*rank/n]
	}
}

// BenchmarkSplitType splits a cluster of two packages of 32 cores a host into its NUMA nodes.
func BenchmarkSplitType(b *testing.B) {
	for _, n := range []int{64, 4096, 1 << 17} {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			cfg := benchCluster(b, n)
			infos := make([]*Info, n)
			for i := range infos {
				infos[i] = NewInfo()
				infos[i].set(KeyHWResourceType, "hwloc://NUMANode")
			}
			benchCollective(b, cfg, onWorld, forgetting(func(c *Comm, r int) (*Comm, error) {
				return c.SplitType(TypeHWGuided, -r, infos[r])
			}))
		})
	}
}

func benchCluster(b *testing.B, cores int) Config {
	b.Helper()
	root, err := synthetic.Parse(fmt.Sprintf("machine:%d pack:2 [numa] core:32 pu:1", cores/64))
	if err != nil {
		b.Fatal(err)
	}
	topology := hw.New("cluster", root)
	bindings, err := placement.Place(topology, cores, placement.Policy{})
	if err != nil {
		b.Fatal(err)
	}
	return Config{Topology: topology, Bindings: bindings}
}

// forgetting gives context ids back without the cost of a collective free, so that a benchmark may
// make as many communicators as it likes. Only the first rank does so, and all parts of a call
// share their id; the conductor waits for it before it looks again.
func forgetting(call func(c *Comm, rank int) (*Comm, error)) func(c *Comm, rank int) error {
	return func(c *Comm, rank int) error {
		d, err := call(c, rank)
		if rank != 0 || d == nil {
			return err
		}
		w, made := c.p.w, d.core.info
		switch {
		case d.core.remote == nil:
			w.contexts.free(c.core.all, made.Context)
		case c.core.remote == nil:
			w.giveBack(d.core)
		default:
			w.contexts.free(c.core.group.members, made.Context)
			w.contexts.free(c.core.remote.members, made.Context2)
		}
		return err
	}
}
