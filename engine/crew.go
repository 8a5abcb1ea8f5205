package engine

import (
	"iter"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// crew are the workers of a world, goroutines that let ranks go on. A rank is a coroutine: a goroutine of its own, to
// which a worker hands the processor directly, without the scheduler, and which hands it back once it has left a
// contribution.
//
// The code of a rank may wait for something outside of the engine: a mutex, a channel of the program, a file. Its
// worker then waits, too, and another one must take up the ranks that are left, since what the first waits for may
// come from one of them. So a worker that lets a rank go on while others are left has called another worker before.
// That one gets a processor when one is free: at once if there are several, else when the rank waits or has computed
// for long. There is never more than one that was called and has not begun, so that a superstep in which no
// rank waits elsewhere costs no more than that.
type crew struct {
	w       *World
	present sync.WaitGroup
	calls   chan struct{}
	called  atomic.Bool // a worker was called, and has not begun to look for ranks

	mu    sync.Mutex
	list  []*shard // of this superstep
	taken int      // how many of them, from the first, workers have begun with
	done  int      // how many of these, from the first, have no rank left
	idle  int      // workers that wait for a call
	over  bool
}

func (c *crew) init(w *World) {
	c.w, c.calls = w, make(chan struct{}, 1)
}

// begin lets the released ranks of these shards go on.
func (c *crew) begin(list []*shard) {
	c.mu.Lock()
	c.list, c.taken, c.done = list, 0, 0
	for _, s := range list {
		s.left.Store(s.going)
	}
	c.mu.Unlock()
	c.call()
}

// call calls a worker when there are ranks left and nobody has been called.
func (c *crew) call() {
	if c.called.Load() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.called.Load() || c.taken == len(c.list) && c.unfinished() == nil {
		return
	}
	c.called.Store(true)
	if c.idle > 0 {
		c.idle--
		c.calls <- struct{}{}
		return
	}
	c.present.Add(1)
	go c.work(nil)
}

// unfinished is a shard that a worker has begun with and that has ranks left; nil when there is none.
func (c *crew) unfinished() *shard {
	for ; c.done < c.taken; c.done++ {
		if s := c.list[c.done]; s.left.Load() != 0 {
			return s
		}
	}
	return nil
}

// take is a shard with ranks that are left: one with which nobody has begun, if there is one. It waits while
// there is none; nil when the world is closed.
func (c *crew) take() *shard {
	for {
		c.mu.Lock()
		s := c.unfinished()
		if c.taken < len(c.list) {
			s = c.list[c.taken]
			c.taken++
		}
		if s != nil || c.over {
			c.mu.Unlock()
			return s
		}
		c.idle++
		c.mu.Unlock()
		<-c.calls
		c.called.Store(false)
	}
}

// end ends the workers. No rank may be left.
func (c *crew) end() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	close(c.calls)
	c.present.Wait()
}

// work is the goroutine of a worker. When it takes the place of another one, after is the rank that ended the goroutine
// of that one with its own.
func (c *crew) work(after *Process) {
	w := c.w
	var in *Process // whose code runs
	defer func() {
		v := recover()
		switch {
		case v != nil && in == nil && w.crashed != nil:
			w.crashed(v)
			fallthrough
		case v != nil:
			panic(v)
		case in != nil: // runtime.Goexit in a rank, which its coroutine passes on
			go c.work(in)
		default:
			c.present.Done()
		}
	}()
	if after != nil {
		after.shard().handOver(w)
	} else {
		c.called.Store(false)
	}
	for s := c.take(); s != nil; s = c.take() {
		runtime.Gosched() // the scheduler seldom interrupts those who change hands so often, and others would wait for seconds
		for p := s.claim(w); p != nil; p = s.claim(w) {
			c.call()
			in = p
			p.run()
			in = nil
			s.handOver(w)
		}
	}
}

// claim takes up a rank of the shard; nil when none is left.
func (s *shard) claim(w *World) *Process {
	for {
		left := s.left.Load()
		if left == 0 {
			return nil
		}
		if s.left.CompareAndSwap(left, left&(left-1)) {
			return &w.procs[int(s.base)+bits.TrailingZeros64(left)]
		}
	}
}

// run lets the rank go on up to its next contribution.
func (p *Process) run() {
	if p.goOn == nil {
		p.goOn, _ = iter.Pull(p.live)
	}
	p.goOn()
}

func (p *Process) shard() *shard { return &p.w.shards[p.rank/shardSize] }
