package engine

import (
	"fmt"
	"runtime"
	"testing"
)

var benchSizes = []int{64, 4096, 1 << 20}

// BenchmarkBarrier measures what meeting costs without anything being made.
func BenchmarkBarrier(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			benchCollective(b, Config{Size: n}, onWorld, func(c *Comm, _ int) error { return c.Barrier() })
		})
	}
}

// benchConstructor measures call on MPI_COMM_WORLD.
func benchConstructor(b *testing.B, call func(c *Comm, rank int) (*Comm, error)) {
	b.Helper()
	benchConstructorOn(b, onWorld, call)
}

// benchConstructorOn measures call on what prepare gives each process.
func benchConstructorOn(b *testing.B, prepare func(p *Process) (*Comm, error), call func(c *Comm, rank int) (*Comm, error)) {
	b.Helper()
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			benchCollective(b, Config{Size: n}, prepare, forgetting(call))
		})
	}
}

func onWorld(p *Process) (*Comm, error) { return p.World(), nil }

// benchCollective runs call b.N times on all ranks of one world, on what prepare gives them.
func benchCollective(b *testing.B, cfg Config, prepare func(p *Process) (*Comm, error), call func(c *Comm, rank int) error) {
	b.Helper()
	w, err := New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	all := AllRanks(w.Size())
	on := make([]*Comm, w.Size())
	run := func(rounds int) {
		w.Submit(all, func(p *Process) error {
			c := on[p.Rank()]
			for range rounds {
				if err := call(c, p.Rank()); err != nil {
					return err
				}
			}
			return nil
		})
		if st := w.Wait(); st.Failure != nil || len(st.Waiting) > 0 {
			b.Fatal(st.Failure, st.Waiting)
		}
	}
	w.Submit(all, func(p *Process) (err error) {
		on[p.Rank()], err = prepare(p)
		return err
	})
	w.Wait()
	run(1)
	b.ReportAllocs()
	b.ResetTimer()
	run(b.N)
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
