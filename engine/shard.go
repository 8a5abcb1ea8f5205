package engine

import (
	"math/bits"
	"sync/atomic"
)

// shardSize is how many ranks share a channel: one bit each in a word.
const shardSize = 64

// shard is 64 neighboring ranks. Each sends its contribution over the shard's channel, which has
// room for all of them and so never blocks, and counts in. The last one drains the channel and
// sends the shard to the world's root; the last shard's last rank becomes the conductor.
//
//	rank ──post──▶ shard.in ──(last of 64)──▶ world.root ──(last shard)──▶ conductor
//	rank ◀─wake── first rank of its shard to go on ◀────────wake───────────┘
type shard struct {
	base    int32 // world rank of bit 0
	running atomic.Int32
	in      chan *Process // whose current post is the contribution
	fresh   uint64        // ranks that posted in this superstep
	waking  uint64        // ranks that the conductor lets go on
}

// post is one contribution: the call, on which communicator, and its arguments. Two integers
// travel in the open because most calls have no more; x holds what else there is.
type post struct {
	comm *Comm
	x    any
	a, b int32
	call Call
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
	s.drain()
	w.root <- s
	if w.active.Add(-1) == 0 {
		w.conduct()
	}
}

// drain sorts the contributions by rank, so that the order of arrival is forgotten.
func (s *shard) drain() {
	for {
		select {
		case p := <-s.in:
			s.fresh |= 1 << (p.rank - s.base)
		default:
			return
		}
	}
}

// release lets p go on when the conductor resumes.
func (w *World) release(p *Process) {
	s := &w.shards[p.rank/shardSize]
	if s.waking == 0 {
		w.waking = append(w.waking, s)
	}
	s.waking |= 1 << (p.rank - s.base)
	p.state = running
}

// resume wakes the ranks that were released; the first of each shard wakes the others. It reports
// whether there were any.
func (w *World) resume() bool {
	if len(w.waking) == 0 {
		return false
	}
	list := w.waking
	for _, s := range list {
		s.running.Store(int32(bits.OnesCount64(s.waking)))
	}
	w.active.Store(int32(len(list)))
	// From the first wake on, ranks run and may conduct before this loop ends: nothing of the
	// world but list may be touched.
	w.waking = nil
	for _, s := range list {
		first := &w.procs[s.base+int32(bits.TrailingZeros64(s.waking))]
		s.waking &= s.waking - 1
		first.lead = true
		w.start(first)
	}
	return true
}

// wakeShard wakes the other ranks of the shard when the conductor left that to p.
func (p *Process) wakeShard() {
	if !p.lead {
		return
	}
	p.lead = false
	s := p.shard()
	rest := s.waking
	s.waking = 0
	for ; rest != 0; rest &= rest - 1 {
		p.w.start(&p.w.procs[s.base+int32(bits.TrailingZeros64(rest))])
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
