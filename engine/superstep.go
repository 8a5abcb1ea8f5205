package engine

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"
)

// shardSize is how many ranks share a channel: one bit each in a word.
const shardSize = 64

// shard is 64 neighboring ranks. Each leaves its contribution in its own current post, sends its pointer
// over the shard's channel, which has room for all of them and so never blocks, and counts in. The last one
// drains the channel and sends the shard to the world's root; the last shard's last rank becomes the
// conductor.
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

// conduct meets the contributions of all ranks. It runs on the goroutine of the rank that arrived
// last, while every other rank waits, so it needs no locks.
func (w *World) conduct() {
	w.turns++
	w.gatherShards()
	w.steady = len(w.steps)
	w.deliver()
	for _, s := range w.arrived {
		for fresh := s.fresh; fresh != 0; fresh &= fresh - 1 {
			w.meet(&w.procs[s.base+int32(bits.TrailingZeros64(fresh))])
		}
		s.fresh = 0
		w.ready = append(w.ready, s.complete...)
		s.complete = s.complete[:0]
	}
	w.arrived = w.arrived[:0]
	w.flushOutput()
	w.takeRaised()
	w.takeMarks()
	w.talked = w.talked[:0]
	clear(w.localAt)
	w.carryOut()
	if w.news != nil {
		w.tellNews()
	}
	if len(w.failed)+len(w.program) > 0 || !w.resume() {
		w.quiet <- struct{}{}
	}
}

// gatherShards takes the shards that arrived, in rank order.
func (w *World) gatherShards() {
	for len(w.root) > 0 {
		w.arrived = append(w.arrived, <-w.root)
	}
	slices.SortFunc(w.arrived, func(a, b *shard) int { return cmp.Compare(a.base, b.base) })
}

// meet takes up the contribution of one rank.
func (w *World) meet(p *Process) {
	switch c := p.current.call; {
	case w.locate:
		// It only told where it waits; its contribution has met before.
	case c == CallNone:
		w.meetEnd(p)
	case c <= lastCollective:
		w.meetCollective(p)
	case c.overGroups():
		w.meetGroups(p)
	default:
		w.meetMessage(p)
	}
}

// meetEnd notes that a rank has finished a task, well or not. A failed rank never goes on: its
// failure ends the program at the end of the superstep.
func (w *World) meetEnd(p *Process) {
	err := p.current.x
	if d, ok := err.(departure); ok {
		p.state = gone
		err = d.error
	}
	switch err := err.(type) {
	case nil:
		p.state = idle
		if int(p.next) < len(w.tasks) {
			w.release(p.rank)
		}
	case *Error:
		w.failed = append(w.failed, p.claim(err))
	case error:
		w.program = append(w.program, err)
		w.failedBy = append(w.failedBy, p.rank)
	}
}

// carryOut carries out the calls that all their processes have made, those of the lowest ranks
// first. Communicators made by one superstep get their numbers in this order.
func (w *World) carryOut() {
	slices.SortFunc(w.ready, func(a, b *operation) int {
		return cmp.Or(cmp.Compare(a.low(), b.low()), cmp.Compare(a.core.info.ID, b.core.info.ID), cmp.Compare(a.number, b.number))
	})
	for _, op := range w.ready {
		op.carryOut(w)
	}
	w.ready = w.ready[:0]
	w.finishLingering()
}

// Line is one line of output and the ranks that printed it.
type Line struct {
	Step  int // steps of the trace before it
	Ranks Ranks
	Text  string
	Note  bool // narration: see Process.Note
}

// flushOutput merges what ranks printed in this superstep: first lines first, equal lines joined,
// in order of the lowest rank that printed each.
func (w *World) flushOutput() {
	var printed []*Process
	most := 0
	for _, p := range w.talked {
		p.mail.said = p.mail.said[:0]
		if n := len(p.mail.lines); n > 0 {
			printed = append(printed, p)
			most = max(most, n)
		}
	}
	first := len(w.lines)
	for i := range most {
		w.mergeLines(printed, i)
	}
	for _, p := range printed {
		p.mail.lines = nil
	}
	if !w.trace {
		w.lines = w.lines[:first]
	}
}

func (w *World) mergeLines(printed []*Process, i int) {
	at := map[spoken]int{}
	first := len(w.lines)
	for _, p := range printed {
		if i >= len(p.mail.lines) {
			continue
		}
		line := p.mail.lines[i]
		k, ok := at[line.spoken]
		if !ok {
			k = len(w.lines)
			at[line.spoken] = k
			step := w.stepBehind(p, line.events)
			if k > 0 {
				step = max(step, w.lines[k-1].Step)
			}
			w.lines = append(w.lines, Line{Step: step, Text: line.text, Note: line.note})
		}
		w.lines[k].Ranks.Append(p.rank)
		p.mail.said = append(p.mail.said, k+1)
	}
	if w.output != nil {
		for _, line := range w.lines[first:] {
			w.output(line)
		}
	}
}
