package engine

import (
	"fmt"
	"runtime"
	"testing"

	"commsplit/hw"
	"commsplit/hw/synthetic"
)

var benchSizes = []int{64, 4096, 1 << 20}

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

// BenchmarkBarrier measures what meeting costs without anything being made.
func BenchmarkBarrier(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			benchCollective(b, Config{Size: n}, func(c *Comm, _ int) error { return c.Barrier() })
		})
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
			benchCollective(b, cfg, forgetting(func(c *Comm, r int) (*Comm, error) {
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
	bindings, err := hw.Place(topology, cores, hw.Policy{})
	if err != nil {
		b.Fatal(err)
	}
	return Config{Topology: topology, Bindings: bindings}
}

func benchConstructor(b *testing.B, call func(c *Comm, rank int) (*Comm, error)) {
	b.Helper()
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			benchCollective(b, Config{Size: n}, forgetting(call))
		})
	}
}

// forgetting gives context ids back without the cost of a collective free, so that a benchmark may
// make as many communicators as it likes. Only the first rank does so, and all parts of a call
// share their id; the conductor waits for it before it looks again.
func forgetting(call func(c *Comm, rank int) (*Comm, error)) func(c *Comm, rank int) error {
	return func(c *Comm, rank int) error {
		d, err := call(c, rank)
		if rank == 0 && d != nil {
			c.p.w.contexts.free(c.core.group.members, d.core.info.Context)
		}
		return err
	}
}

// benchCollective runs call b.N times on all ranks of one world.
func benchCollective(b *testing.B, cfg Config, call func(c *Comm, rank int) error) {
	b.Helper()
	w, err := New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	all := AllRanks(w.Size())
	w.Submit(all, func(p *Process) error { return call(p.World(), p.Rank()) })
	w.Wait()
	b.ReportAllocs()
	b.ResetTimer()
	w.Submit(all, func(p *Process) error {
		for range b.N {
			if err := call(p.World(), p.Rank()); err != nil {
				return err
			}
		}
		return nil
	})
	if st := w.Wait(); st.Failure != nil {
		b.Fatal(st.Failure)
	}
	reportPerRank(b, w.Size())
}

func reportPerRank(b *testing.B, n int) {
	b.Helper()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/rank")
}

// BenchmarkStart makes a world, starts every rank, and ends it.
func BenchmarkStart(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			for b.Loop() {
				w, err := New(Config{Size: n})
				if err != nil {
					b.Fatal(err)
				}
				if err := Run(w, func(p *Process) error { return p.World().Barrier() }); err != nil {
					b.Fatal(err)
				}
			}
			reportPerRank(b, n)
		})
	}
}

// BenchmarkMemory reports the bytes a rank of a world whose ranks all hold ten communicators, half
// of them duplicates and half splits: heap and stacks in use, and what the system gave in all.
func BenchmarkMemory(b *testing.B) {
	for _, n := range benchSizes[1:] {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			var m runtime.MemStats
			for b.Loop() {
				m = memoryOfWorld(b, n)
			}
			b.ReportMetric(float64(m.HeapInuse)/float64(n), "heap-B/rank")
			b.ReportMetric(float64(m.StackInuse)/float64(n), "stack-B/rank")
			b.ReportMetric(float64(m.Sys)/float64(n), "sys-B/rank")
		})
	}
}

func memoryOfWorld(b *testing.B, n int) runtime.MemStats {
	b.Helper()
	w, err := New(Config{Size: n})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	w.Submit(AllRanks(n), holdTen)
	if st := w.Wait(); len(st.Waiting) == 0 || st.Failure != nil {
		b.Fatal("the ranks are not all waiting")
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m
}

// holdTen makes ten communicators and waits, all but the first rank, in a barrier that never ends.
func holdTen(p *Process) error {
	var held [10]*Comm
	for i := range held {
		var err error
		if i%2 == 0 {
			held[i], err = p.World().Dup()
		} else {
			held[i], err = p.World().Split(p.Rank()%16, i)
		}
		if err != nil {
			return err
		}
	}
	if p.Rank() == 0 {
		return nil
	}
	err := p.World().Barrier()
	runtime.KeepAlive(&held)
	return err
}

// BenchmarkBareSort is the floor: the radix sort and the rank table without any ranks.
func BenchmarkBareSort(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			color, key := make([]int32, n), make([]int32, n)
			for i := range n {
				color[i], key[i] = int32(i%16), int32(n-i)
			}
			var s sorter
			table := make([]int32, n)
			for b.Loop() {
				for i, t := range s.sort(color, key) {
					table[i] = t.rank
				}
			}
			reportPerRank(b, n)
		})
	}
}
