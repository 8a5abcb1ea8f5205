package engine

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"
)

// shardSize is how many ranks hand their contributions over together: one bit each in a word.
const shardSize = 64

// shard gathers the contributions of 64 neighboring ranks. Its goroutine gets from the conductor which of them go on,
// wakes these, waits until each has contributed, and sends the shard over the root. The shard's fields are its
// goroutine's from the first of these moments to the last one, and the conductor's at all other times.
type shard struct {
	base    int32         // world rank of bit 0
	going   chan uint64   // from the conductor: the ranks that go on
	in      chan *Process // from the ranks: who has contributed
	went    uint64        // ranks that went on in this superstep, and have contributed
	talked  uint64        // those of them that have messages or output
	calling uint64        // ranks whose latest contribution is a call
	waking  uint64        // ranks that the conductor lets go on next

	computing atomic.Int32 // ranks that have yet to contribute; [World.Computing] asks
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

// run is the goroutine of a shard.
func (s *shard) run(w *World) {
	for going := range s.going {
		s.went, s.talked = going, 0
		s.calling &^= going
		left := s.wake(w, going)
		for s.computing.Store(left); left > 0; s.computing.Store(left) {
			s.take(<-s.in)
			left--
		}
		w.root <- s
	}
}

// wake lets ranks go on, and returns how many will contribute. The goroutine of a rank begins with its first task; one
// that is withheld needs none, and ends at once.
func (s *shard) wake(w *World, going uint64) (running int32) {
	withheld := w.withheld.Load()
	for ; going != 0; going &= going - 1 {
		switch p := &w.procs[int(s.base)+bits.TrailingZeros64(going)]; {
		case p.wake != nil:
			p.wake <- struct{}{}
			running++
		case withheld != nil:
			p.current, p.next = post{x: *withheld}, int32(len(w.tasks))
		default:
			p.wake = make(chan struct{}, 1)
			go p.live()
			running++
		}
	}
	return running
}

// take notes what the conductor asks of a rank that has contributed.
func (s *shard) take(p *Process) {
	bit := uint64(1) << (p.rank - s.base)
	if p.mail != nil {
		s.talked |= bit
	}
	if p.current.call != CallNone {
		s.calling |= bit
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

// conduct is the goroutine of the conductor. It owns what the world decides: nothing else touches that from an order
// until the world is quiet again.
func (w *World) conduct() {
	for order := range w.orders {
		w.obey(order)
		w.quiet <- struct{}{}
	}
}

// obey carries out an order, and lets ranks go on until none can. A panic fails the world.
func (w *World) obey(order func()) {
	defer func() {
		if v := recover(); v != nil {
			if w.crashed == nil {
				panic(v)
			}
			w.broken = w.crashed(v)
		}
	}()
	order()
	for w.goesOn() {
		w.collect()
		if w.dead || w.locate {
			continue // the ranks have left, or have told where they wait
		}
		if w.superstep(); len(w.failed)+len(w.program) > 0 {
			break
		}
	}
}

// goesOn lets ranks go on. While none can, it lets a receive that could take messages of several senders take one. It is
// false when that lets no rank go on either.
func (w *World) goesOn() bool {
	for !w.resume() {
		if !w.choose() {
			return false
		}
	}
	return true
}

// shardsAtOnce is how many shards the conductor lets go on before it lets all other goroutines run. Otherwise a person's
// Ctrl-C would be heard behind the ranks of a large world, which all wait for a processor by then.
const shardsAtOnce = 64

// resume lets the ranks that were released go on. It reports whether there were any.
func (w *World) resume() bool {
	for _, s := range w.waking { // before the first rank goes on: what it prints waits for all that compute
		s.computing.Store(int32(bits.OnesCount64(s.waking)))
	}
	for i, s := range w.waking {
		if i%shardsAtOnce == shardsAtOnce-1 {
			runtime.Gosched()
		}
		s.going <- s.waking
		s.waking = 0
	}
	w.expected, w.waking = len(w.waking), w.waking[:0]
	return w.expected > 0
}

// collect waits for the shards whose ranks went on, and puts them into rank order.
func (w *World) collect() {
	w.arrived = w.arrived[:0]
	for range w.expected {
		w.arrived = append(w.arrived, <-w.root)
	}
	slices.SortFunc(w.arrived, func(a, b *shard) int { return cmp.Compare(a.base, b.base) })
}

// superstep meets the contributions of all ranks, carries out the calls that are complete, and releases their ranks.
func (w *World) superstep() {
	w.turns++
	w.steady = len(w.steps)
	w.deliver()
	for _, s := range w.arrived {
		for went := s.went; went != 0; went &= went - 1 {
			w.meet(&w.procs[int(s.base)+bits.TrailingZeros64(went)])
		}
	}
	w.endOutput()
	w.takeRaised()
	w.takeMarks()
	w.endTalks()
	w.talked = w.talked[:0]
	clear(w.localAt)
	w.carryOut()
	if w.polling() {
		w.choose()
	}
	if w.news != nil {
		w.tellNews()
	}
}

// meet takes up the contribution of one rank.
func (w *World) meet(p *Process) {
	switch c := p.current.call; {
	case c == CallNone:
		w.meetEnd(p)
	case c.overCommunicator():
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
