package engine

import (
	"math/bits"
	"slices"
)

// message is one message under way. Sends are eager: they complete at once, as MPI allows, and
// the message waits at its destination.
type message struct {
	core   *core
	source int32 // rank in the communicator
	dest   int32 // world rank
	tag    int32
	value  any
	call   Call // that sent it
	site   Site // where it was sent
}

// deliver moves the messages of this superstep, in rank order of the senders, then matches the
// receives that were posted in it. Both keep their order, so messages do not overtake.
func (w *World) deliver() {
	for _, s := range w.arrived {
		for ; s.talked != 0; s.talked &= s.talked - 1 {
			w.talked = append(w.talked, &w.procs[s.base+int32(bits.TrailingZeros64(s.talked))])
		}
	}
	for _, p := range w.talked {
		w.takeLocalSteps(p)
		for _, m := range p.mail.out {
			w.procs[m.dest].accept(m)
		}
		p.mail.out = p.mail.out[:0]
		w.takeStarted(p)
	}
	for _, p := range w.talked {
		for _, r := range p.mail.receives {
			if !p.mail.take(r) {
				p.mail.pending = append(p.mail.pending, r)
				r.comm.core.underway++
			}
		}
		p.mail.receives = p.mail.receives[:0]
	}
}

// accept gives an arrived message to the first posted receive that it matches, or keeps it. It
// lets the process go on when that is what it waits for.
func (p *Process) accept(m *message) {
	t := p.traffic()
	i := slices.IndexFunc(t.pending, func(r *Request) bool { return r.matches(m) })
	if i < 0 {
		t.inbox = append(t.inbox, m)
		m.core.arrived++
		p.noticeProbe(m)
		return
	}
	r := t.pending[i]
	t.pending = without(t.pending, i)
	m.core.underway--
	r.msg = m
	r.complete()
}

// take completes a receive with the first message in the inbox that it matches.
func (t *traffic) take(r *Request) bool {
	i := slices.IndexFunc(t.inbox, r.matches)
	if i < 0 {
		return false
	}
	r.msg, r.done = t.inbox[i], true
	t.inbox = without(t.inbox, i)
	r.msg.core.arrived--
	return true
}

// without is the list without its i-th element, mostly the first: a process that hears from all others
// must not move the rest each time.
func without[T any](list []*T, i int) []*T {
	if i == 0 {
		list[0] = nil
		return list[1:]
	}
	return slices.Delete(list, i, i+1)
}

// noticeProbe ends a probe that m answers.
func (p *Process) noticeProbe(m *message) {
	if p.state != blocked {
		return
	}
	c := &p.current
	if r, ok := c.x.(*Request); ok && c.call == CallProbe && !r.done && r.matches(m) {
		r.msg, r.done = m, true
		p.w.release(p.rank)
	}
}

// meetMessage decides whether a process that waits for requests or messages can go on.
func (w *World) meetMessage(p *Process) {
	c := &p.current
	switch x := c.x.(type) {
	case *waitSet:
		if x.satisfied() || c.call == CallTestall || c.call == CallTestany {
			w.release(p.rank)
		}
	case *Request:
		if c.call == CallProbe || c.call == CallIprobe {
			if i := slices.IndexFunc(p.traffic().inbox, x.matches); i >= 0 {
				x.msg, x.done = p.mail.inbox[i], true
			}
		}
		if x.done || c.call == CallTest || c.call == CallIprobe {
			w.release(p.rank)
		}
	}
}
