package engine

import (
	"fmt"
	"math/bits"
	"slices"
)

// Wildcards and the process that is nobody (§3.2.4, §3.10).
const (
	AnySource = -1
	AnyTag    = -2
	ProcNull  = -3
)

// Envelope is a received message: what MPI's status tells (§3.2.5), with the source as a rank of
// the communicator, and the value.
type Envelope struct {
	Source, Tag int
	Value       any
}

// message is one message under way. Sends are eager: they complete at once, as MPI allows, and
// the message waits at its destination.
type message struct {
	core   *core
	source int32 // rank in the communicator
	dest   int32 // world rank
	tag    int32
	value  any
}

// Request is a nonblocking operation (§3.7). It belongs to the process that made it.
type Request struct {
	p      *Process
	comm   *Comm
	source int32
	tag    int32
	done   bool
	msg    *message // what was received; nil for a send
}

// Send sends value to rank dest (MPI_Send, §3.2.1). It is eager: it never waits for the receiver.
// The receiver gets the very Go value, which must not be modified afterwards.
func (c *Comm) Send(value any, dest, tag int) error {
	return c.send(CallSend, value, dest, tag)
}

// Isend is Send; the request is complete at once (MPI_Isend, §3.7.2).
func (c *Comm) Isend(value any, dest, tag int) (*Request, error) {
	if err := c.send(CallIsend, value, dest, tag); err != nil {
		return nil, err
	}
	return &Request{p: c.p, comm: c, done: true}, nil
}

func (c *Comm) send(call Call, value any, dest, tag int) error {
	if err := c.checkPeer(call, dest, tag, false); err != nil || dest == ProcNull {
		return err
	}
	t := c.p.traffic()
	t.out = append(t.out, &message{core: c.core, source: c.rank, dest: c.core.group.members[dest], tag: int32(tag), value: value})
	c.p.local(call, c, intArg("dest", dest), intArg("tag", tag))
	return nil
}

// checkPeer checks rank and tag of a message. wild allows AnySource and AnyTag.
func (c *Comm) checkPeer(call Call, rank, tag int, wild bool) error {
	if err := c.check(call); err != nil {
		return err
	}
	n := len(c.core.group.members)
	if (rank < 0 || rank >= n) && rank != ProcNull && !(wild && rank == AnySource) {
		return c.fail(ErrRank, call, fmt.Sprintf("the peer must be a rank of the communicator, 0 to %d, or MPI_PROC_NULL", n-1), fmt.Sprintf("rank %d", rank))
	}
	if (tag < 0 || tag > TagUB) && !(wild && tag == AnyTag) {
		return c.fail(ErrTag, call, fmt.Sprintf("a tag lies between 0 and MPI_TAG_UB (%d)", TagUB), fmt.Sprintf("tag %d", tag))
	}
	return nil
}

// Recv waits for a message from source with tag; AnySource and AnyTag match all (MPI_Recv,
// §3.2.4). With AnySource, of several messages that are there the lowest sender's is taken.
func (c *Comm) Recv(source, tag int) (Envelope, error) {
	r, err := c.receive(CallRecv, source, tag)
	if err != nil {
		return Envelope{}, err
	}
	return r.wait(CallRecv), nil
}

// Irecv posts a receive (MPI_Irecv, §3.7.2).
func (c *Comm) Irecv(source, tag int) (*Request, error) { return c.receive(CallIrecv, source, tag) }

func (c *Comm) receive(call Call, source, tag int) (*Request, error) {
	if err := c.checkPeer(call, source, tag, true); err != nil {
		return nil, err
	}
	r := &Request{p: c.p, comm: c, source: int32(source), tag: int32(tag)}
	if source == ProcNull {
		r.done = true
		return r, nil
	}
	t := c.p.traffic()
	t.receives = append(t.receives, r)
	return r, nil
}

// Wait waits until the operation is complete and returns what it received (MPI_Wait, §3.7.3).
// A nil request is MPI_REQUEST_NULL, which is complete.
func (r *Request) Wait() (Envelope, error) {
	if r == nil {
		return Envelope{Source: AnySource, Tag: AnyTag}, nil
	}
	return r.wait(CallWait), nil
}

func (r *Request) wait(call Call) Envelope {
	if !r.done {
		r.p.block(post{comm: r.comm, call: call, a: r.source, b: r.tag, x: r})
		r.p.local(call, r.comm, intArg("source", int(r.msg.source)), intArg("tag", int(r.msg.tag)))
	}
	return r.envelope()
}

// Test lets messages move and tells whether the operation is complete (MPI_Test, §3.7.3).
func (r *Request) Test() (Envelope, bool, error) {
	if r == nil {
		return Envelope{Source: AnySource, Tag: AnyTag}, true, nil
	}
	if !r.done {
		r.p.block(post{comm: r.comm, call: CallTest, x: r})
	}
	if !r.done {
		return Envelope{}, false, nil
	}
	return r.envelope(), true, nil
}

func (r *Request) envelope() Envelope {
	if r.msg == nil {
		return Envelope{Source: ProcNull, Tag: AnyTag}
	}
	return Envelope{int(r.msg.source), int(r.msg.tag), r.msg.value}
}

// Probe waits for a message without receiving it (MPI_Probe, §3.8.1).
func (c *Comm) Probe(source, tag int) (Envelope, error) {
	r, err := c.probe(CallProbe, source, tag)
	if err != nil {
		return Envelope{}, err
	}
	return r.envelope(), nil
}

// Iprobe lets messages move and tells whether one is there (MPI_Iprobe, §3.8.1).
func (c *Comm) Iprobe(source, tag int) (Envelope, bool, error) {
	r, err := c.probe(CallIprobe, source, tag)
	if err != nil || !r.done {
		return Envelope{}, false, err
	}
	return r.envelope(), true, nil
}

func (c *Comm) probe(call Call, source, tag int) (*Request, error) {
	if err := c.checkPeer(call, source, tag, true); err != nil {
		return nil, err
	}
	r := &Request{p: c.p, comm: c, source: int32(source), tag: int32(tag)}
	if source == ProcNull {
		r.done = true
		return r, nil
	}
	c.p.block(post{comm: c, call: call, a: r.source, b: r.tag, x: r})
	return r, nil
}

// matches tells whether the message is one that the receive asks for: same context, and source and
// tag equal or wild.
func (r *Request) matches(m *message) bool {
	return r.comm.core == m.core && (r.source == AnySource || r.source == m.source) && (r.tag == AnyTag || r.tag == m.tag)
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
	}
	for _, p := range w.talked {
		for _, r := range p.mail.receives {
			if !p.mail.take(r) {
				p.mail.pending = append(p.mail.pending, r)
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
		p.noticeProbe(m)
		return
	}
	r := t.pending[i]
	t.pending = slices.Delete(t.pending, i, i+1)
	r.msg, r.done = m, true
	if p.state == blocked && p.waitsFor(r) {
		p.w.release(p.rank)
	}
}

// take completes a receive with the first message in the inbox that it matches.
func (t *traffic) take(r *Request) bool {
	i := slices.IndexFunc(t.inbox, r.matches)
	if i < 0 {
		return false
	}
	r.msg, r.done = t.inbox[i], true
	t.inbox = slices.Delete(t.inbox, i, i+1)
	return true
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

func (p *Process) waitsFor(r *Request) bool { return p.current.x == any(r) }

// meetMessage decides whether a process that waits for a message can go on.
func (w *World) meetMessage(p *Process) {
	c := &p.current
	r := c.x.(*Request)
	switch c.call {
	case CallProbe, CallIprobe:
		if i := slices.IndexFunc(p.traffic().inbox, r.matches); i >= 0 {
			r.msg, r.done = p.mail.inbox[i], true
		}
	}
	if r.done || c.call == CallTest || c.call == CallIprobe {
		w.release(p.rank)
	}
}
