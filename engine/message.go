package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
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
	return &Request{p: c.p, comm: c, done: true, call: CallIsend}, nil
}

func (c *Comm) send(call Call, value any, dest, tag int) error {
	if err := c.checkPeer(call, dest, tag, false); err != nil || dest == ProcNull {
		return err
	}
	t := c.p.traffic()
	t.out = append(t.out, &message{core: c.core, source: c.rank, dest: c.peers().members[dest], tag: int32(tag), value: value, call: call, site: c.p.site})
	c.p.local(call, c, intArg("dest", dest), intArg("tag", tag))
	return nil
}

// checkPeer checks rank and tag of a message. wild allows AnySource and AnyTag.
func (c *Comm) checkPeer(call Call, rank, tag int, wild bool) error {
	if err := c.Check(call); err != nil {
		return err
	}
	n := len(c.peers().members)
	if (rank < 0 || rank >= n) && rank != ProcNull && !(wild && rank == AnySource) {
		return c.fail(MistakePeer.In(call, n-1).passing("rank %d", rank))
	}
	if (tag < 0 || tag > TagUB) && !(wild && tag == AnyTag) {
		return c.fail(MistakeTag.In(call, TagUB, "").passing("tag %d", tag))
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
	r.await(CallRecv)
	return r.envelope(), nil
}

// Irecv posts a receive (MPI_Irecv, §3.7.2).
func (c *Comm) Irecv(source, tag int) (*Request, error) { return c.receive(CallIrecv, source, tag) }

func (c *Comm) receive(call Call, source, tag int) (*Request, error) {
	r, err := c.request(call, source, tag)
	if err != nil || r.done {
		return r, err
	}
	t := c.p.traffic()
	t.receives = append(t.receives, r)
	return r, nil
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
	r, err := c.request(call, source, tag)
	if err != nil || r.done {
		return r, err
	}
	c.p.block(post{comm: c, call: call, a: r.source, b: r.tag, x: r})
	return r, nil
}

// Request is a nonblocking operation (§3.7): a message, or the making of a communicator. It belongs
// to the process that made it. nil is MPI_REQUEST_NULL, which is complete.
type Request struct {
	p      *Process
	comm   *Comm
	source int32
	tag    int32
	done   bool
	call   Call      // that started it
	msg    *message  // what was received; nil for a send
	build  *building // a communicator in the making; nil for a message
	site   Site      // where it was started
}

// request is what a receive or probe asks for. From ProcNull, it is complete at once.
func (c *Comm) request(call Call, source, tag int) (*Request, error) {
	if err := c.checkPeer(call, source, tag, true); err != nil {
		return nil, err
	}
	return &Request{p: c.p, comm: c, source: int32(source), tag: int32(tag), done: source == ProcNull, call: call, site: c.p.site}, nil
}

// Call is the call that started the operation.
func (r *Request) Call() Call {
	if r.build != nil {
		return r.build.call
	}
	return r.call
}

// Wait waits until the operation is complete and returns what it received (MPI_Wait, §3.7.3). The
// communicator that MPI_Comm_idup gave can be used from then on; when making it failed, Wait
// returns the error.
func (r *Request) Wait() (Envelope, error) {
	if r == nil {
		return emptyEnvelope, nil
	}
	r.await(CallWait)
	return r.result()
}

// await blocks until the operation is complete.
func (r *Request) await(call Call) {
	if r.done {
		return
	}
	r.p.block(post{comm: r.comm, call: call, a: r.source, b: r.tag, x: r})
	if r.msg != nil {
		r.p.local(call, r.comm, intArg("source", int(r.msg.source)), intArg("tag", int(r.msg.tag)))
	}
}

// Test lets communication move and tells whether the operation is complete (MPI_Test, §3.7.3).
func (r *Request) Test() (Envelope, bool, error) {
	if r == nil {
		return emptyEnvelope, true, nil
	}
	if !r.done {
		r.p.block(post{comm: r.comm, call: CallTest, x: r})
	}
	if !r.done {
		return Envelope{}, false, nil
	}
	e, err := r.result()
	return e, true, err
}

// emptyEnvelope is the status of what received nothing (§3.7.3).
var emptyEnvelope = Envelope{Source: AnySource, Tag: AnyTag}

// result is what the process gets of a complete operation.
func (r *Request) result() (Envelope, error) {
	if r.build == nil {
		return r.envelope(), nil
	}
	made := r.build.made
	made.ext.making = nil
	if err := r.build.err; err != nil {
		made.freed = true
		return emptyEnvelope, r.comm.raise(err)
	}
	return emptyEnvelope, nil
}

func (r *Request) envelope() Envelope {
	if r.msg == nil {
		return Envelope{Source: ProcNull, Tag: AnyTag}
	}
	return Envelope{int(r.msg.source), int(r.msg.tag), r.msg.value}
}

// matches tells whether the message is one that the receive asks for: same context, and source and
// tag equal or wild.
func (r *Request) matches(m *message) bool {
	return r.comm.core == m.core && (r.source == AnySource || r.source == m.source) && (r.tag == AnyTag || r.tag == m.tag)
}

// complete marks the operation as complete, and lets its process go on when it waits for that.
func (r *Request) complete() {
	r.done = true
	if p := r.p; p.state == blocked && p.waitsFor(r) {
		p.w.release(p.rank)
	}
}

// waitsFor reports whether p can go on now that r is complete.
func (p *Process) waitsFor(r *Request) bool {
	switch x := p.current.x.(type) {
	case *Request:
		return x == r
	case *waitSet:
		return x.satisfied()
	}
	return false
}

// Status is what Wait found: everybody done, or who waits, or why the program ended.
type Status struct {
	Waiting []Wait   // blocked ranks, by call and communicator
	Failure *Failure // nil when no rank failed
}

// Wait is a set of ranks that wait at one place of the program in the same call on the same communicator,
// receives for the same source and tag.
type Wait struct {
	Ranks  Ranks
	Call   Call
	Comm   int     // -1 for none
	Where  []Place // at most one
	wanted Ranks   // the processes that the call needs, those that wait in it among them
	with   Ranks   // who waits in this very call, those at other places too

	mutual   bool // those that wait are waited for, too, by each other or by themselves
	together bool // the call is one that all processes of the communicator make, or waits for such a one
}

// Missing is whom the ranks wait for; empty when each waits for itself alone.
func (w Wait) Missing() Ranks {
	if w.mutual {
		return w.wanted
	}
	return w.wanted.minus(w.with)
}

// Site is where the ranks wait: "demo.py:7".
func (w Wait) Site() string { return joinPlaces(w.Where) }

// Failure is the end of a program by errors: MPI errors that nobody caught, or other errors that
// ranks returned.
type Failure struct {
	Errors  []*Error // merged over ranks
	Program []error  // other errors, in rank order of By
	By      []int32  // the ranks that returned them
	Waiting []Wait   // ranks that were left waiting
}

// Error is all errors, a line each.
func (f *Failure) Error() string {
	var lines []string
	for _, e := range f.Errors {
		lines = append(lines, e.Error())
	}
	for i, e := range f.Program {
		lines = append(lines, fmt.Sprintf("rank %d: %v", f.By[i], e))
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As and errors.Is the single errors.
func (f *Failure) Unwrap() []error {
	list := slices.Clone(f.Program)
	for _, e := range f.Errors {
		list = append(list, e)
	}
	return list
}

func (w *World) status() Status {
	if e := w.clashingGroups(); e != nil && len(w.failed)+len(w.program) == 0 {
		w.failed = append(w.failed, e)
	}
	st := Status{Waiting: w.waits()}
	if len(w.failed)+len(w.program) > 0 {
		st.Failure = &Failure{MergeErrors(w.failed), w.program, w.failedBy, st.Waiting}
	}
	return st
}

// AttachBuffer notes that the process lends c a buffer of size bytes for sends in buffered mode
// (MPI_Comm_attach_buffer, §3.6). It is local, and duplicates do not get the buffer. When one is
// attached already: MPI_ERR_BUFFER; a negative size: MPI_ERR_ARG.
func (c *Comm) AttachBuffer(size int) error {
	if err := c.Check(CallAttachBuffer); err != nil {
		return err
	}
	if size < 0 {
		return c.fail(MistakeBufferSize.In(CallAttachBuffer).passing("%d bytes", size))
	}
	if e := c.ext; e != nil && e.buffer != nil {
		return c.fail(MistakeBufferAttached.In(CallAttachBuffer, *e.buffer))
	}
	c.extras().buffer = &size
	c.p.local(CallAttachBuffer, c, intArg("size", size))
	return nil
}

// DetachBuffer takes the buffer back and returns its size in bytes (MPI_Comm_detach_buffer, §3.6). No
// message is ever left in it: sends do not wait. Without a buffer: MPI_ERR_BUFFER.
func (c *Comm) DetachBuffer() (size int, err error) {
	if err := c.Check(CallDetachBuffer); err != nil {
		return 0, err
	}
	e := c.ext
	if e == nil || e.buffer == nil {
		return 0, c.fail(MistakeBufferMissing.In(CallDetachBuffer))
	}
	size, e.buffer = *e.buffer, nil
	c.p.local(CallDetachBuffer, c, intArg("size", size))
	return size, nil
}

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
