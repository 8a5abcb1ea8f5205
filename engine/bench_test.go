package engine

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
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

// BenchmarkAllreduce measures what a reduction costs beside a barrier.
func BenchmarkAllreduce(b *testing.B) {
	sum := Op{Name: "sum", Combine: func(a, b any) (any, error) { return a.(int) + b.(int), nil }}
	benchCollective(b, Config{Size: 4096}, onWorld, func(c *Comm, rank int) error { _, err := c.Allreduce(rank, sum); return err })
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

// benchCollective runs call b.N times on all ranks of one world, on what prepare gives them. Garbage is left, as it is
// by a program of the language with many ranks, until memory is short: the calls' own cost is measured.
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
	runtime.GC() // what was there before
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(8 << 30))
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

// BenchmarkBareGoroutines is what ranks would cost that are nothing but goroutines: each waits once at a channel of its own.
func BenchmarkBareGoroutines(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, n := range []int{65536, 131072, 262144, 1 << 20} {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			for b.Loop() {
				wake := make([]chan struct{}, n)
				var begun, ended sync.WaitGroup
				begun.Add(n)
				for i := range wake {
					wake[i] = make(chan struct{}, 1)
					ended.Go(func() {
						begun.Done()
						<-wake[i]
					})
				}
				begun.Wait()
				for _, w := range wake {
					w <- struct{}{}
				}
				ended.Wait()
			}
			reportPerRank(b, n)
		})
	}
}

// BenchmarkBareChannels is the yardstick of a superstep: each rank is a goroutine that sends once and receives once, a
// shard is a goroutine that gathers 64 of them and wakes them again, and one root waits for the shards. Nothing is decided.
func BenchmarkBareChannels(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			type bareRank struct {
				wake  chan struct{}
				value int32
			}
			var ended sync.WaitGroup
			ranks := make([]bareRank, n)
			root, goOn := make(chan int, n/shardSize), make([]chan bool, n/shardSize)
			for i := range goOn {
				goOn[i] = make(chan bool, 1)
				ended.Go(func() {
					in, mine := make(chan *bareRank, shardSize), ranks[i*shardSize:(i+1)*shardSize]
					for r := range mine {
						mine[r].wake = make(chan struct{}, 1)
						ended.Go(func() {
							for range mine[r].wake {
								mine[r].value++
								in <- &mine[r]
							}
						})
					}
					for range goOn[i] {
						for r := range mine {
							mine[r].wake <- struct{}{}
						}
						for range mine {
							<-in
						}
						root <- i
					}
					for r := range mine {
						close(mine[r].wake)
					}
				})
			}
			superstep := func() {
				for _, shard := range goOn {
					shard <- true
				}
				for range goOn {
					<-root
				}
			}
			superstep() // the goroutines begin
			runtime.GC()
			defer debug.SetGCPercent(debug.SetGCPercent(-1))
			b.ResetTimer()
			for range b.N {
				superstep()
			}
			reportPerRank(b, n)
			b.StopTimer()
			for _, shard := range goOn {
				close(shard)
			}
			ended.Wait()
		})
	}
}

// BenchmarkBareSort is what a split cannot do without: a plain radix sort, byte by byte, of the triples (color, key, rank) of
// BenchmarkSplit, and the table of ranks, without any ranks.
func BenchmarkBareSort(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			color, key := make([]int32, n), make([]int32, n)
			for i := range n {
				color[i], key[i] = int32(i%16), int32(n-i)
			}
			from, to, table := make([]triple, n), make([]triple, n), make([]int32, n)
			for b.Loop() {
				var differ uint64
				for i := range n {
					from[i] = triple{uint64(uint32(color[i]))<<32 | uint64(uint32(key[i])^1<<31), int32(i)}
					differ |= from[i].order ^ from[0].order
				}
				for shift := 0; shift < 64; shift += 8 {
					if differ>>shift&0xff == 0 {
						continue
					}
					radixPass(from, to, shift)
					from, to = to, from
				}
				for i, t := range from {
					table[i] = t.rank
				}
			}
			reportPerRank(b, n)
		})
	}
}

// BenchmarkSplit measures one MPI_Comm_split with every rank a goroutine, in ns a rank.
func BenchmarkSplit(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			benchCollective(b, Config{Size: n}, onWorld, func(c *Comm, rank int) error {
				_, err := c.Split(rank%16, n-rank)
				return err
			})
		})
	}
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
	root, _, err := synthetic.Parse(fmt.Sprintf("machine:%d pack:2 [numa] core:32 pu:1", cores/64))
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
					w.waits()
					w.Deadlock(nil)
					w.Leaks()
				}
				reportPerRank(b, n)
			})
		}
	}
}
