package engine

import "slices"

// Wildcards and the process that is nobody (§3.2.4, §3.11).
const (
	AnySource = -1
	AnyTag    = -2
	ProcNull  = -3
)

// Envelope is a received message: the fields of MPI's status (§3.2.5), with the source as a rank of the communicator,
// and the value.
type Envelope struct {
	Source, Tag int
	Value       any
	Cancelled   bool // nothing was received: the operation was cancelled
}

// Send sends value to rank dest (MPI_Send, §3.2.1). It does not wait for the receiver, unless the world has synchronous
// sends. The receiver gets the very Go value, which must not be modified afterwards.
func (c *Comm) Send(value any, dest, tag int) error { return c.SendAs(CallSend, value, dest, tag) }

// Isend starts a send (MPI_Isend, §3.7.2), whose request is complete when Send would return.
func (c *Comm) Isend(value any, dest, tag int) (*Request, error) {
	return c.IsendAs(CallIsend, value, dest, tag)
}

// Ssend sends in synchronous mode (MPI_Ssend, §3.4): it returns when the receiver has started to receive.
func (c *Comm) Ssend(value any, dest, tag int) error { return c.SendAs(CallSsend, value, dest, tag) }

// SendAs sends in the mode of the call: MPI_Send, MPI_Ssend, MPI_Bsend or MPI_Rsend (§3.4).
func (c *Comm) SendAs(call Call, value any, dest, tag int) error {
	r, err := c.IsendAs(call, value, dest, tag)
	if err == nil {
		r.await(call)
		_, err = r.result()
	}
	return err
}

// IsendAs starts a send in the mode of the call: MPI_Isend, MPI_Issend, MPI_Ibsend or MPI_Irsend (§3.7.2).
func (c *Comm) IsendAs(call Call, value any, dest, tag int) (*Request, error) {
	return c.isend(call, call, value, dest, tag)
}

// isend starts a send in the mode of a call. call is the call that the program makes: MPI_Start where it starts a
// persistent request.
func (c *Comm) isend(mode, call Call, value any, dest, tag int) (*Request, error) {
	if err := c.checkPeer(call, dest, tag, false); err != nil {
		return nil, err
	}
	mode = mode.mode()
	var buffer *sendBuffer
	var bytes int
	if mode == CallBsend {
		if dest == ProcNull {
			value = nil
		}
		var err error
		if buffer, bytes, err = c.reserve(call, value); err != nil {
			return nil, err
		}
	}
	if dest == ProcNull {
		return &Request{p: c.p, comm: c, source: int32(dest), tag: int32(tag), call: call, site: c.p.site, done: true, outgoing: true}, nil
	}
	m := c.post(call, value, dest, tag)
	m.buffer, m.bytes = buffer, bytes
	m.ready = mode == CallRsend && !c.p.meetsPosted(m)
	if !c.waits(mode) {
		return &Request{p: c.p, comm: c, done: true, call: call, site: c.p.site}, nil
	}
	m.sync = &Request{p: c.p, comm: c, source: int32(dest), tag: int32(tag), call: call, site: c.p.site, outgoing: true, sent: m}
	return m.sync, nil
}

// post puts a message on its way.
func (c *Comm) post(call Call, value any, dest, tag int) *message {
	t := c.p.traffic()
	m := &message{core: c.core, source: c.rank, dest: c.peers().members[dest], tag: int32(tag), value: value, call: call, site: c.p.site}
	t.out = append(t.out, m)
	c.p.local(call.half(CallSend), c, intArg("dest", dest), intArg("tag", tag))
	return m
}

// half returns the call of a step of the trace: MPI_Sendrecv makes two, a send and a receive.
func (c Call) half(part Call) Call {
	if c == CallSendrecv {
		return part
	}
	return c
}

// checkPeer checks rank and tag of a message. wild allows AnySource and AnyTag.
func (c *Comm) checkPeer(call Call, rank, tag int, wild bool) error {
	if err := c.Check(call); err != nil {
		return err
	}
	n := len(c.peers().members)
	if (rank < 0 || rank >= n) && rank != ProcNull && !(wild && rank == AnySource) {
		return c.fail(MistakePeer.In(call, n-1).passingInt("rank", rank))
	}
	if (tag < 0 || tag > TagUB) && !(wild && tag == AnyTag) {
		return c.fail(MistakeTag.In(call, TagUB, "").passingInt("tag", tag))
	}
	switch {
	case rank == AnySource && c.asserts(keyNoAnySource):
		return c.fail(MistakeAssertedSource.In(call).under(CallSetInfo))
	case tag == AnyTag && c.asserts(keyNoAnyTag):
		return c.fail(MistakeAssertedTag.In(call).under(CallSetInfo))
	}
	return nil
}

// The info keys by which a process promises that its receives on a communicator have no wildcards (§7.4.4).
const (
	keyNoAnyTag    = "mpi_assert_no_any_tag"
	keyNoAnySource = "mpi_assert_no_any_source"
)

// asserts reports whether the process has set an assertion about c.
func (c *Comm) asserts(key string) bool {
	if c.ext == nil || c.ext.info == nil {
		return false
	}
	value, _ := c.ext.info.get(key)
	return value == "true"
}

// Recv waits for a message from source with tag; AnySource and AnyTag match all (MPI_Recv, §3.2.4). With AnySource, it
// takes the message of the lowest sender that has one there.
func (c *Comm) Recv(source, tag int) (Envelope, error) { return c.RecvAs(CallRecv, source, tag) }

// RecvAs receives as Recv does, for MPI_Recv or for MPI_Sendrecv (§3.10), whose send IsendAs starts before.
func (c *Comm) RecvAs(call Call, source, tag int) (Envelope, error) {
	r, err := c.receive(call, source, tag)
	if err != nil {
		return Envelope{}, err
	}
	r.await(call)
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

// Iprobe lets messages move and reports whether a matching one is there (MPI_Iprobe, §3.8.1).
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

// Message is a message that a probe has matched, so that no other receive can take the message (§3.8.2). It belongs to
// the process that made the probe. nil is MPI_MESSAGE_NULL.
type Message struct {
	comm     *Comm
	msg      *message // nil: MPI_MESSAGE_NO_PROC, which comes from MPI_PROC_NULL
	received bool
}

// Mprobe waits for a message, and matches it (MPI_Mprobe, §3.8.2).
func (c *Comm) Mprobe(source, tag int) (*Message, Envelope, error) {
	r, err := c.probe(CallMprobe, source, tag)
	if err != nil {
		return nil, Envelope{}, err
	}
	return &Message{comm: c, msg: r.msg}, r.envelope(), nil
}

// Improbe lets messages move, and matches one if one is there (MPI_Improbe, §3.8.2); otherwise m is nil.
func (c *Comm) Improbe(source, tag int) (m *Message, e Envelope, err error) {
	r, err := c.probe(CallImprobe, source, tag)
	if err != nil || !r.done {
		return nil, Envelope{}, err
	}
	return &Message{comm: c, msg: r.msg}, r.envelope(), nil
}

// IsNoProc reports whether the message is MPI_MESSAGE_NO_PROC.
func (m *Message) IsNoProc() bool { return m != nil && m.msg == nil }

// Recv receives the message (MPI_Mrecv, §3.8.3), after which the handle is MPI_MESSAGE_NULL.
func (m *Message) Recv() (Envelope, error) {
	r, err := m.receive(CallMrecv)
	if err != nil {
		return Envelope{}, err
	}
	return r.envelope(), nil
}

// Irecv starts to receive the message, and is complete at once (MPI_Imrecv, §3.8.3).
func (m *Message) Irecv() (*Request, error) { return m.receive(CallImrecv) }

func (m *Message) receive(call Call) (*Request, error) {
	if m == nil || m.received {
		return nil, MistakeMessageNull.In(call)
	}
	if s := m.comm.session(); s.ended() {
		return nil, m.comm.p.Raise(MistakeRequestOutlives.In(call, "message", s.number).under(CallSessionFinalize))
	}
	m.received = true
	p := m.comm.p
	r := &Request{p: p, comm: m.comm, source: ProcNull, done: true, call: call, site: p.site, msg: m.msg}
	if m.msg != nil {
		if m.msg.sync != nil {
			t := p.traffic()
			t.taken = append(t.taken, m.msg)
		}
		p.local(call, m.comm, intArg("source", int(m.msg.source)), intArg("tag", int(m.msg.tag)))
	}
	return r, nil
}

// withdraw carries out the cancellations of a superstep, before its messages move. It leaves an operation alone that
// has met its other side.
func (w *World) withdraw(t *traffic) {
	for _, r := range t.withdrawn {
		switch {
		case r.done:
			continue
		case !r.outgoing && remove(&t.receives, r):
		case !r.outgoing && remove(&t.pending, r):
			r.comm.core.refer(-1)
		case r.outgoing && remove(&t.out, r.sent):
		case r.outgoing && remove(&w.procs[r.sent.dest].traffic().inbox, r.sent):
			r.sent.core.arrived--
		default:
			continue
		}
		r.cancelled = true
		r.complete()
	}
	t.withdrawn = t.withdrawn[:0]
}

// remove removes an element from a list, and reports whether the element was there.
func remove[T comparable](list *[]T, v T) bool {
	i := slices.Index(*list, v)
	if i >= 0 {
		*list = slices.Delete(*list, i, i+1)
	}
	return i >= 0
}

// message is a message under way. It waits at its destination until the process receives it.
type message struct {
	core   *core
	source int32 // rank in the communicator
	dest   int32 // world rank
	tag    int32
	value  any
	call   Call // the call that sent it
	site   Site // where it was sent

	sync *Request // the request of a send that waits until the message is received; nil for other sends

	ready  bool        // sent in ready mode: a receive must be posted
	buffer *sendBuffer // the buffer in which a buffered send has its place; nil for other sends
	bytes  int         // the size of this place
}

// receivedBy gives the message to a receive, and completes the send if it waits for that.
func (m *message) receivedBy(r *Request) {
	r.msg = m
	if m.buffer != nil {
		m.buffer.used -= m.bytes
	}
	if r.source == AnySource {
		r.p.mail.tookFromAny(m, r.site)
	}
	if m.sync != nil {
		m.sync.complete()
	}
}

// mostWild is how many messages a process remembers that receives from any rank took.
const mostWild = 64

// wild is a message that a receive from any rank took, and where the receive was posted.
type wild struct {
	core        *core
	source, tag int32
	at          Site
}

// tookFromAny remembers a message that a receive from any rank took, for the diagnosis of a later receive that waits
// for it.
func (t *traffic) tookFromAny(m *message, at Site) {
	if len(t.wild) == mostWild {
		t.wild = append(t.wild[:0], t.wild[mostWild/2:]...)
	}
	t.wild = append(t.wild, wild{m.core, m.source, m.tag, at})
}

// tookFromAny returns where a receive from any rank took the message that r waits for, the latest such place; nil when
// no receive did.
func (p *Process) tookFromAny(r *Request) *Site {
	if p.mail == nil {
		return nil
	}
	for _, m := range slices.Backward(p.mail.wild) {
		if m.core == r.comm.core && m.source == r.source && (r.tag == AnyTag || r.tag == m.tag) {
			return &m.at
		}
	}
	return nil
}

// deliver moves the messages of this superstep, in rank order of the senders, then matches the
// receives that were posted in it. Both keep their order, so messages do not overtake.
func (w *World) deliver() {
	for _, p := range w.talked {
		w.withdraw(p.mail)
	}
	for _, p := range w.talked {
		w.takeLocalSteps(p)
		for _, m := range p.mail.taken {
			m.sync.complete()
		}
		p.mail.taken = p.mail.taken[:0]
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
				r.comm.core.refer(1)
			}
		}
		p.mail.receives = p.mail.receives[:0]
	}
}

// accept gives an arrived message to the first posted receive that matches, whose process then goes on if it waits.
// Without one, it keeps the message.
func (p *Process) accept(m *message) {
	t := p.traffic()
	i := slices.IndexFunc(t.pending, func(r *Request) bool { return r.matches(m) })
	if i < 0 && m.ready {
		m.unready()
		return
	}
	if i < 0 || t.pending[i].waitsToChoose() {
		t.inbox = append(t.inbox, m)
		m.core.arrived++
		p.noticeProbe(m)
		return
	}
	r := t.pending[i]
	t.pending = without(t.pending, i)
	m.core.underway--
	m.receivedBy(r)
	r.complete()
}

// take completes a receive with the first matching message in the inbox. It reports whether there was one.
func (t *traffic) take(r *Request) bool {
	i := slices.IndexFunc(t.inbox, r.matches)
	if i < 0 || r.waitsToChoose() || t.behindChoice(r, t.inbox[i]) {
		return false
	}
	if r.source == AnySource {
		r.p.w.note(r, r.call, t.candidates(r), 0)
	}
	r.done = true
	t.inbox[i].receivedBy(r)
	t.inbox = without(t.inbox, i)
	r.msg.core.arrived--
	return true
}

// behindChoice reports whether a receive that was posted before r still waits to choose and may take m.
func (t *traffic) behindChoice(r *Request, m *message) bool {
	if r.p.w.taking == nil {
		return false
	}
	before := t.pending
	if i := slices.Index(before, r); i >= 0 {
		before = before[:i]
	}
	return slices.ContainsFunc(before, func(q *Request) bool { return q.source == AnySource && q.matches(m) })
}

// find answers a probe with the first matching message in the inbox. matching removes the message.
func (t *traffic) find(r *Request, matching bool) {
	i := slices.IndexFunc(t.inbox, r.matches)
	if i < 0 {
		return
	}
	if r.source == AnySource {
		list := t.candidates(r)
		r.p.w.note(r, r.call, list, max(0, slices.Index(list, t.inbox[i])))
	}
	r.msg, r.done = t.inbox[i], true
	if matching {
		t.inbox = without(t.inbox, i)
		r.msg.core.arrived--
	}
}

// without returns the list without its i-th element. This is mostly the first, and a process that receives from all
// others must not move the rest each time.
func without[T any](list []*T, i int) []*T {
	if i == 0 {
		list[0] = nil
		return list[1:]
	}
	return slices.Delete(list, i, i+1)
}

// noticeProbe answers a probe that waits for a message like m, which has just arrived. Receives that the process posted
// in this superstep come before its probe: then the probe waits until they are matched.
func (p *Process) noticeProbe(m *message) {
	c := &p.current
	if p.state != blocked || c.call != CallProbe && c.call != CallMprobe || len(p.mail.receives) > 0 {
		return
	}
	if r, ok := c.x.(*Request); ok && !r.done && r.matches(m) && !r.waitsToChoose() {
		p.mail.find(r, c.call == CallMprobe)
		p.w.release(p.rank)
	}
}

// meetMessage decides whether a process that waits for requests or messages can go on.
func (w *World) meetMessage(p *Process) {
	c := &p.current
	switch x := c.x.(type) {
	case *waitSet:
		if x.satisfied() || c.call.polls() {
			w.release(p.rank)
		}
	case *Request:
		switch {
		case x.done, c.call.probes() && x.waitsToChoose():
		case c.call == CallProbe || c.call == CallIprobe:
			p.traffic().find(x, false)
		case c.call == CallMprobe || c.call == CallImprobe:
			p.traffic().find(x, true)
		}
		if x.done || c.call.polls() {
			w.release(p.rank)
		}
	}
}

// Two modes of sends ask something of the program (§3.4): a buffered send needs a buffer with room for its message, a
// ready send a receive that is posted.

// BsendOverhead is MPI_BSEND_OVERHEAD, the bytes that a message takes in an attached buffer besides its data (§3.6).
const BsendOverhead = 128

// sendBuffer is a buffer that a process attached for buffered sends. A message has its place there until it is
// received, as in the model of §3.6.1; other implementations may need less.
type sendBuffer struct{ size, used int }

// attach attaches a buffer; c is nil in a call without a communicator.
func (p *Process) attach(to **sendBuffer, call Call, c *Comm, size int) error {
	switch {
	case size < 0:
		return p.fail(c, MistakeBufferSize.In(call).passing("%d bytes", size))
	case *to != nil:
		return p.fail(c, MistakeBufferAttached.In(call, (*to).size))
	}
	*to = &sendBuffer{size: size}
	p.local(call, c, intArg("size", size))
	return nil
}

// detach detaches a buffer, which belongs to what of says, and returns its size; c is as in attach.
func (p *Process) detach(from **sendBuffer, call Call, c *Comm, of string) (size int, err error) {
	if *from == nil {
		return 0, p.fail(c, MistakeBufferMissing.In(call, of))
	}
	size, *from = (*from).size, nil
	p.local(call, c, intArg("size", size))
	return size, nil
}

// AttachBuffer attaches a buffer of size bytes to c for sends in buffered mode (MPI_Comm_attach_buffer, §3.6). It is
// local, and duplicates do not get the buffer. When c has one already: MPI_ERR_BUFFER; a negative size: MPI_ERR_ARG.
func (c *Comm) AttachBuffer(size int) error {
	if err := c.Check(CallAttachBuffer); err != nil {
		return err
	}
	return c.p.attach(&c.extras().buffer, CallAttachBuffer, c, size)
}

// DetachBuffer detaches the buffer of c and returns its size in bytes (MPI_Comm_detach_buffer, §3.6). Without a buffer:
// MPI_ERR_BUFFER.
func (c *Comm) DetachBuffer() (size int, err error) {
	if err := c.Check(CallDetachBuffer); err != nil {
		return 0, err
	}
	return c.p.detach(&c.extras().buffer, CallDetachBuffer, c, "the communicator")
}

// AttachBuffer attaches a buffer for sends on all communicators that have no buffer of their own (MPI_Buffer_attach,
// §3.6). Errors are as for [Comm.AttachBuffer].
func (p *Process) AttachBuffer(size int) error {
	return p.attach(&p.traffic().buffer, CallBufferAttach, nil, size)
}

// DetachBuffer detaches the buffer of the process and returns its size (MPI_Buffer_detach, §3.6).
func (p *Process) DetachBuffer() (size int, err error) {
	return p.detach(&p.traffic().buffer, CallBufferDetach, nil, "the process")
}

// buffer returns the buffer for a buffered send on c: that of c, else that of the process; nil for none.
func (c *Comm) buffer() *sendBuffer {
	switch {
	case c.ext != nil && c.ext.buffer != nil:
		return c.ext.buffer
	case c.p.mail != nil:
		return c.p.mail.buffer
	}
	return nil
}

// reserve reserves the place of a message in the buffer for c. Only values that know their size take bytes.
func (c *Comm) reserve(call Call, value any) (b *sendBuffer, bytes int, err error) {
	if b = c.buffer(); b == nil {
		return nil, 0, c.fail(MistakeBufferMissing.In(call, "the communicator, nor to the process"))
	}
	if v, ok := value.(interface{ Bytes() int }); ok {
		bytes = v.Bytes() + BsendOverhead
	}
	if b.used+bytes > b.size {
		return nil, 0, c.fail(MistakeBufferFull.In(call, b.size, b.used, bytes, BsendOverhead))
	}
	b.used += bytes
	return b, bytes, nil
}

// mode returns the blocking send of the same mode: MPI_Ssend for MPI_Issend.
func (c Call) mode() Call {
	switch c {
	case CallIsend, CallSendrecv:
		return CallSend
	case CallIssend:
		return CallSsend
	case CallIbsend:
		return CallBsend
	case CallIrsend:
		return CallRsend
	}
	return c
}

// waits reports whether a send is not complete at once. A synchronous send waits until its message is being received,
// and so does a standard one in a world without buffers; a ready send waits to learn whether a receive is posted.
func (c *Comm) waits(mode Call) bool {
	return mode == CallSsend || mode == CallRsend || mode == CallSend && c.p.w.synchronous
}

// meetsPosted reports whether the process has posted a receive for a ready message to itself in this superstep.
// Receives of other processes count only if they were posted in an earlier superstep.
func (p *Process) meetsPosted(m *message) bool {
	if m.dest != p.rank || p.mail == nil {
		return false
	}
	return slices.ContainsFunc(p.mail.receives, func(r *Request) bool { return r.matches(m) })
}

// unready fails a ready send that met no receive.
func (m *message) unready() {
	m.sync.err = MistakeNotReady.In(m.call, RanksOf(m.dest).Noun()).on(m.core)
	m.sync.complete()
}
