package engine

import (
	"math/bits"
	"runtime"
	"sync/atomic"
)

// shardSize is how many ranks share a channel: one bit each in a word.
const shardSize = 64

// shard is 64 neighboring ranks. Each sends its contribution over the shard's channel, which has
// room for all of them and so never blocks, and counts in. The last one drains the channel and
// sends the shard to the world's root; the last shard's last rank becomes the conductor.
//
//	rank ──post──▶ shard.in ──(last of 64)──▶ world.root ──(last shard)──▶ conductor
//	rank ◀─wake── first rank of its shard ◀──wake── shard before ◀──wake───┘
type shard struct {
	base    int32 // world rank of bit 0
	running atomic.Int32
	in      chan *Process // whose current post is the contribution
	fresh   uint64        // ranks that posted in this superstep
	talked  uint64        // those of them that have messages or output
	waking  uint64        // ranks that the conductor lets go on
	next    *shard        // the shard that is woken after this one

	complete []*operation // operations of which this shard had the last contribution
}

// post is one contribution: the call, on which communicator, and its arguments. Two integers
// travel in the open because most calls have no more; x holds what else there is.
type post struct {
	comm *Comm
	x    any
	a, b int32
	call Call

	behind bool // the process has nonblocking calls on the communicator that have not ended
}

func (s *shard) init(w *World, index int) {
	s.base = int32(index * shardSize)
	s.in = make(chan *Process, min(shardSize, w.size-int(s.base)))
}

// arrive delivers the contribution of p, which p does not touch again before it is woken. The last
// rank of the world to arrive conducts.
func (s *shard) arrive(p *Process) {
	w := p.w
	s.in <- p
	if s.running.Add(-1) > 0 {
		return
	}
	s.drain(w)
	w.root <- s
	if w.active.Add(-1) == 0 {
		w.conduct()
	}
}

// drain takes the contributions out of the channel. Those that are two integers go straight to the
// operation that they belong to; the conductor meets the others in rank order, so that the order of
// arrival is forgotten.
func (s *shard) drain(w *World) {
	var op *operation // of the contributions just gathered
	n := int32(0)
	for len(s.in) > 0 {
		p := <-s.in
		bit := uint64(1) << (p.rank % shardSize)
		if p.mail != nil {
			s.talked |= bit
		}
		c := &p.current
		if c.call == CallNone || c.call > lastCollective || c.x != nil || c.behind || w.locate {
			s.fresh |= bit
			continue
		}
		switch mine := w.gather(c); mine {
		case op:
		default:
			s.counted(op, n)
			op, n = mine, 0
		}
		n++
	}
	s.counted(op, n)
}

// counted notes n contributions to an operation, which may have made it complete.
func (s *shard) counted(op *operation, n int32) {
	if op != nil && op.count(n) {
		s.complete = append(s.complete, op)
	}
}

// release lets a rank go on when the conductor resumes. It does not touch the process: for a large
// world that would be a cache miss a rank.
func (w *World) release(rank int32) {
	s := &w.shards[rank/shardSize]
	if s.waking == 0 {
		w.waking = append(w.waking, s)
	}
	s.waking |= 1 << (rank % shardSize)
}

// resume wakes the ranks that were released. It reports whether there were any.
//
// Shards are woken in a few chains: the first rank of a shard wakes the others of its shard and the
// first rank of the chain's next one. A processor so has about one shard's ranks in its run queue,
// which run while their data is still in its cache.
func (w *World) resume() bool {
	list := w.waking
	if len(list) == 0 {
		return false
	}
	chains := min(runtime.GOMAXPROCS(0), len(list))
	for i, s := range list {
		s.running.Store(int32(bits.OnesCount64(s.waking)))
		s.next = nil
		if i+chains < len(list) {
			s.next = list[i+chains]
		}
	}
	w.active.Store(int32(len(list)))
	// From the first wake on, ranks run and may conduct before this loop ends: nothing of the
	// world but the beginning of list may be touched.
	w.waking, w.woken = w.woken[:0], list
	for _, s := range list[:chains] {
		w.startShard(s)
	}
	return true
}

// startShard wakes the first rank of a shard that goes on, and leaves the others to it.
func (w *World) startShard(s *shard) {
	first := &w.procs[s.base+int32(bits.TrailingZeros64(s.waking))]
	s.waking &= s.waking - 1
	first.lead = true
	w.start(first)
}

// wakeShard wakes the other ranks of the shard and the next shard, when that was left to p. The
// last rank comes after the next shard's first one, which a processor would otherwise run at once,
// ahead of all the ranks that already stand in its queue.
func (p *Process) wakeShard() {
	if !p.lead {
		return
	}
	p.lead = false
	w, s := p.w, p.shard()
	rest, next := s.waking, s.next
	s.waking = 0
	for ; rest&(rest-1) != 0; rest &= rest - 1 {
		w.start(&w.procs[s.base+int32(bits.TrailingZeros64(rest))])
	}
	if next != nil {
		w.startShard(next)
	}
	if rest != 0 {
		w.start(&w.procs[s.base+int32(bits.TrailingZeros64(rest))])
	}
}

// start wakes a rank, or begins its goroutine.
func (w *World) start(p *Process) {
	if p.started {
		p.wake <- struct{}{}
		return
	}
	p.started = true
	w.wg.Add(1)
	go p.loop()
}
