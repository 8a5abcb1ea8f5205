package engine

import (
	"cmp"
	"math/bits"
	"slices"
	"sync/atomic"
)

// shardSize is how many ranks hand their contributions over together: one bit each in a word.
const shardSize = 64

// shard is 64 neighboring ranks. Each leaves its contribution in its own current post and counts in; the last one
// hands the contributions of all of them over, over the channel to the world's root. The worker that hands over the last
// shard is the conductor.
type shard struct {
	base    int32         // world rank of bit 0
	running atomic.Int32  // ranks that go on in this superstep and have not contributed again
	left    atomic.Uint64 // those of them that no worker has taken up
	going   uint64        // ranks that go on in this superstep
	fresh   uint64        // those of them whose posts the conductor meets
	talked  uint64        // those of them that have messages or output
	calling uint64        // ranks whose latest contribution is a call
	waking  uint64        // ranks that the conductor lets go on
	untaken bool          // ranks go on in this superstep, and no worker has begun with them

	complete []*operation // operations of which this shard had the last contribution

	_ [40]byte // to two cache lines, so that workers do not wait for each other's shards
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

// contributed notes that one more rank of the shard has left its contribution, and hands all of them over when it was
// the last.
func (s *shard) contributed(w *World) {
	if s.running.Add(-1) == 0 {
		s.handOver(w)
	}
}

// handOver hands over the contributions of all ranks of the shard.
func (s *shard) handOver(w *World) {
	if !w.dead {
		s.gather(w)
	}
	w.root <- s
	if w.active.Add(-1) == 0 {
		w.conduct()
	}
}

// gather takes up the contributions in rank order. Those that are two integers go straight to the operation that
// they belong to; the conductor meets the others.
func (s *shard) gather(w *World) {
	var op *operation // of the contributions just gathered
	n := int32(0)
	s.calling &^= s.going
	for going := s.going; going != 0; going &= going - 1 {
		at := bits.TrailingZeros64(going)
		p := &w.procs[int(s.base)+at]
		if p.mail != nil {
			s.talked |= 1 << at
		}
		c := &p.current
		if c.call != CallNone {
			s.calling |= 1 << at
		}
		if c.call == CallNone || c.call > lastCollective || c.x != nil || c.behind || w.locate {
			s.fresh |= 1 << at
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

// resume lets the ranks that were released go on: the workers take them up. It reports whether there were any.
func (w *World) resume() bool {
	list := w.waking
	if len(list) == 0 {
		return false
	}
	w.active.Store(int32(len(list)))
	for _, s := range list {
		s.running.Store(int32(bits.OnesCount64(s.waking)))
		s.going, s.waking = s.waking, 0
	}
	w.waking, w.woken = w.woken[:0], list
	w.crew.begin(list)
	return true
}

// conduct meets the contributions of all ranks. It runs on the worker that handed over the last shard, while every
// rank waits, so it needs no locks.
func (w *World) conduct() {
	if w.dead {
		w.quiet <- struct{}{}
		return
	}
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
