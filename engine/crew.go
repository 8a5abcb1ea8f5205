package engine

import (
	"iter"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// crew are the workers of a world, goroutines that let ranks go on. A rank is a coroutine: a goroutine of its own, to
// which a worker hands the processor directly, without the scheduler, and which hands it back once it has left a
// contribution.
//
// The code of a rank may wait for something outside of the engine: a mutex, a channel of the program, a file. Its
// worker then waits, too, and another one must take up the ranks that are left, since what the first waits for may
// come from one of them. So a worker that lets a rank go on while others are left has called another worker before,
// unless some worker looks for ranks without a call. The called worker gets a processor when one is free: at once if
// there are several, else when the rank waits or has computed for long. At most one worker has been called and has not
// begun, so that a superstep in which no rank waits elsewhere costs one call at most.
type crew struct {
	w       *World
	procs   int32 // processors
	present sync.WaitGroup
	calls   chan struct{}
	called  atomic.Bool  // a worker was called, and has not begun to look for ranks
	looking atomic.Int32 // workers that look for ranks again and again, without a call

	_     [64]byte // apart from what follows, which is written for each shard: the above is read for each rank
	mu    sync.Mutex
	list  []*shard     // of this superstep
	step  atomic.Int32 // counts the supersteps; read without the lock, too
	next  int          // of the list: no shard before it is untaken
	done  int          // of the list: no shard before it has a rank left
	stuck bool         // a worker had to take up ranks of another one's shard in this superstep
	idle  int          // workers that wait for a call
	over  bool
}

// worker is one of a crew. It takes up the shards of a superstep in the reverse order of those that it had in the one
// before: what the ranks of the latest ones need is still in the cache of its processor.
type worker struct {
	step   int32     // of the crew, which it takes part in
	before []*shard  // what it took in an earlier superstep, and has not looked at in this one
	mine   []*shard  // what it took in this one
	rested time.Time // the last time that it left the processor to others
}

const (
	// restAfter is how long a worker goes on before it leaves the processor to others.
	restAfter = 5 * time.Millisecond

	// patience is how long a worker leaves the ranks of a shard to the worker that has begun with it: as a rule that
	// one is ready sooner, and would lose more by ranks that move from the cache of one processor to the other's.
	patience = 100 * time.Microsecond

	// manyShards in a superstep are worth that a worker stays on its processor until the next superstep begins, if that
	// is soon: a thread that sleeps begins a tenth of a millisecond after it was woken, or later.
	manyShards = 4
	soon       = time.Millisecond
)

func (c *crew) init(w *World) {
	c.w, c.procs, c.calls = w, int32(runtime.GOMAXPROCS(0)), make(chan struct{}, 1)
}

// begin lets the released ranks of these shards go on.
func (c *crew) begin(list []*shard) {
	c.mu.Lock()
	c.list, c.next, c.done, c.stuck = list, 0, 0, false
	c.step.Add(1)
	for _, s := range list {
		s.left.Store(s.going)
		s.untaken = true
	}
	c.mu.Unlock()
	c.call()
}

// attended reports whether a worker will look for the ranks that are left even when this one waits.
func (c *crew) attended() bool { return c.called.Load() || c.looking.Load() > 0 }

// call calls a worker when there are ranks left that nobody will look for.
func (c *crew) call() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.attended() || c.unfinished() == nil {
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

// unfinished is the first shard that has ranks left, whether a worker has begun with it or not; nil when there is none.
func (c *crew) unfinished() *shard {
	for ; c.done < len(c.list); c.done++ {
		if s := c.list[c.done]; s.left.Load() != 0 {
			return s
		}
	}
	return nil
}

// untaken gives k a shard with which no worker has begun, one that k had before if possible; nil when all are taken.
func (c *crew) untaken(k *worker) *shard {
	if step := c.step.Load(); k.step != step {
		k.step = step
		k.before, k.mine = k.mine, k.before[:0]
	}
	for n := len(k.before); n > 0; n = len(k.before) {
		s := k.before[n-1]
		k.before = k.before[:n-1]
		if s.untaken {
			return k.begin(s)
		}
	}
	for ; c.next < len(c.list); c.next++ {
		if s := c.list[c.next]; s.untaken {
			return k.begin(s)
		}
	}
	return nil
}

func (k *worker) begin(s *shard) *shard {
	s.untaken = false
	k.mine = append(k.mine, s)
	return s
}

// take is a shard with ranks that are left: one with which nobody has begun, if there is one. It waits while there is
// none; nil when the world is closed. Only as many workers wait by looking again and again as there are processors
// beside that of the conductor; the others wait for a call.
func (c *crew) take(k *worker) *shard {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.untaken(k); s != nil {
		return s
	}
	c.looking.Add(1)
	defer c.looking.Add(-1)
	for began := time.Now(); !c.over; {
		waited := time.Since(began)
		many, patient := len(c.list) >= manyShards, waited < patience
		switch left := c.unfinished(); {
		case c.looking.Load() > max(c.procs-1, 1), left == nil && !(many && waited < soon):
			c.await()
			began = time.Now()
		case left != nil && (c.stuck || !patient):
			c.stuck = true
			return left
		default:
			c.pause(many)
		}
		step := k.step
		if s := c.untaken(k); s != nil {
			return s
		}
		if k.step != step {
			began = time.Now()
		}
	}
	return nil
}

// await waits for a call.
func (c *crew) await() {
	c.idle++
	c.looking.Add(-1)
	c.mu.Unlock()
	<-c.calls
	c.mu.Lock()
	c.looking.Add(1)
	c.called.Store(false)
}

// pause waits a moment. A superstep of many shards is worth keeping the processor for, without the lock, which the
// conductor needs to begin the next one.
func (c *crew) pause(many bool) {
	step := c.step.Load()
	c.mu.Unlock()
	if many {
		for range 16 {
			if runtime.Gosched(); c.step.Load() != step {
				break
			}
		}
	} else {
		time.Sleep(patience)
	}
	c.mu.Lock()
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
		after.shard().contributed(w)
	} else {
		c.called.Store(false)
	}
	k := worker{rested: time.Now()}
	for s := c.take(&k); s != nil; s = c.take(&k) {
		for p := s.claim(w); p != nil; p = s.claim(w) {
			if !c.attended() {
				c.call()
			}
			if p.goOn == nil {
				if err := w.withheld.Load(); err != nil { // a rank needs no goroutine for that
					p.current = post{x: *err}
					s.contributed(w)
					continue
				}
				p.goOn, _ = iter.Pull(p.live)
			}
			if next := s.next(w); next != nil {
				prefetch(next)
			}
			in = p
			p.goOn()
			in = nil
			s.contributed(w)
		}
		c.rest(&k)
	}
}

// next is the rank of the shard that is claimed next; nil when none is left.
func (s *shard) next(w *World) *Process {
	left := s.left.Load()
	if left == 0 {
		return nil
	}
	return s.first(w, left)
}

// first is the lowest of the shard's ranks whose bits are set.
func (s *shard) first(w *World, set uint64) *Process {
	return &w.procs[int(s.base)+bits.TrailingZeros64(set)]
}

// claim takes up a rank of the shard; nil when none is left.
func (s *shard) claim(w *World) *Process {
	for {
		left := s.left.Load()
		if left == 0 {
			return nil
		}
		if s.left.CompareAndSwap(left, left&(left-1)) {
			return s.first(w, left)
		}
	}
}

// rest leaves the processor to others when it is time: the scheduler seldom interrupts goroutines that change hands so
// often, and others would wait for seconds.
func (c *crew) rest(k *worker) {
	if time.Since(k.rested) < restAfter {
		return
	}
	c.looking.Add(1)
	runtime.Gosched()
	c.looking.Add(-1)
	k.rested = time.Now()
}

func (p *Process) shard() *shard { return &p.w.shards[p.rank/shardSize] }
