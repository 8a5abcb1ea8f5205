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
	Cancelled   bool // nothing was received: the operation was cancelled
}

// Send sends value to rank dest (MPI_Send, §3.2.1). It is eager: it never waits for the receiver, unless the world has
// synchronous sends. The receiver gets the very Go value, which must not be modified afterwards.
func (c *Comm) Send(value any, dest, tag int) error { return c.SendAs(CallSend, value, dest, tag) }

// Isend is Send; the request is complete when Send would return (MPI_Isend, §3.7.2).
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

// isend starts a send in the mode of a call. call is the call that the program makes, which may start a persistent request.
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
	c.p.local(call, c, intArg("dest", dest), intArg("tag", tag))
	return m
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

// The info keys by which a process promises of a communicator that it receives without wildcards (§7.4.4).
const (
	keyNoAnyTag    = "mpi_assert_no_any_tag"
	keyNoAnySource = "mpi_assert_no_any_source"
)

// asserts reports whether the process has set an assertion about its use of c.
func (c *Comm) asserts(key string) bool {
	if c.ext == nil || c.ext.info == nil {
		return false
	}
	value, _ := c.ext.info.get(key)
	return value == "true"
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

// Message is a message that a probe has matched, so that no other receive can take it (§3.8.2). It belongs to
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

// Check raises MPI_ERR_SESSION when the request is of a communicator that outlives its session, as the error of the
// call. All calls that return an error make this check themselves. nil, MPI_REQUEST_NULL, is not an error.
func (r *Request) Check(call Call) error {
	if r == nil || !r.comm.session().ended() {
		return nil
	}
	return r.p.Raise(MistakeRequestOutlives.In(call, "request", r.comm.session().number).under(CallSessionFinalize))
}

// Cancel marks a receive or a synchronous send for cancellation (MPI_Cancel, §3.8.4). It is cancelled when it has
// not met its other side by the end of the superstep, and otherwise completes as if nothing had been said; the
// status tells which. Nonblocking collective calls cannot be cancelled: MPI_ERR_REQUEST.
func (r *Request) Cancel() error {
	if err := r.Check(CallCancel); err != nil {
		return err
	}
	switch {
	case r == nil:
		return MistakeRequestNull.In(CallCancel)
	case r.again != nil && r.again.call.Collective():
		return r.comm.fail(MistakeRequestCollective.In(CallCancel, r.again.call, "cancelled"))
	case r.again != nil && r.again.run == nil:
		return r.comm.fail(MistakeRequestInactive.In(CallCancel, r.again.call))
	}
	switch r = r.active(); {
	case r.build != nil:
		return r.comm.fail(MistakeRequestCollective.In(CallCancel, r.build.call, "cancelled"))
	case !r.done:
		t := r.p.traffic()
		t.withdrawn = append(t.withdrawn, r)
	}
	return nil
}

// CheckFree raises MPI_ERR_REQUEST where the handle of a request cannot be given up before the request has
// completed (MPI_Request_free, §3.7.3): those of collective calls. A receive or send goes on without the handle, and a
// persistent request may be given up while it is inactive.
func (r *Request) CheckFree() error {
	if err := r.Check(CallRequestFree); err != nil {
		return err
	}
	switch {
	case r == nil:
		return MistakeRequestNull.In(CallRequestFree)
	case r.active() != nil && r.active().build != nil:
		return r.comm.fail(MistakeRequestCollective.In(CallRequestFree, r.Call(), "freed"))
	}
	return nil
}

// Status lets communication move, and tells whether the operation is complete without ending it
// (MPI_Request_get_status, §3.7.6).
func (r *Request) Status() (Envelope, bool) {
	if r = r.active(); r == nil {
		return emptyEnvelope, true
	}
	if !r.done {
		r.p.block(post{comm: r.comm, call: CallRequestStatus, x: r})
	}
	return r.envelope(), r.done
}

// withdraw carries out the cancellations of a superstep, before its messages move. What has met its other side
// stays.
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

// remove takes an element out of a list, and reports whether it was there.
func remove[T comparable](list *[]T, v T) bool {
	i := slices.Index(*list, v)
	if i >= 0 {
		*list = slices.Delete(*list, i, i+1)
	}
	return i >= 0
}

// Request is a nonblocking operation (§3.7): a message, or the making of a communicator. It belongs
// to the process that made it. nil is MPI_REQUEST_NULL, which is complete.
type Request struct {
	p      *Process
	comm   *Comm
	source int32 // the destination, when it is outgoing
	tag    int32
	done   bool

	outgoing  bool     // a synchronous send
	sent      *message // its message
	cancelled bool

	call  Call        // that started it; of a persistent request, that made it
	err   *Error      // what the send broke; nil for none
	again *persistent // of a persistent request; nil for others
	of    *persistent // of the persistent request that started it; nil: none did
	msg   *message    // what was received; nil for a send
	build *building   // a communicator in the making; nil for a message
	site  Site        // where it was started
}

// request makes the request of a receive or probe. From ProcNull, it is complete at once.
func (c *Comm) request(call Call, source, tag int) (*Request, error) {
	if err := c.checkPeer(call, source, tag, true); err != nil {
		return nil, err
	}
	return &Request{p: c.p, comm: c, source: int32(source), tag: int32(tag), done: source == ProcNull, call: call, site: c.p.site}, nil
}

// Call is the call that started the operation.
func (r *Request) Call() Call {
	switch {
	case r.of != nil:
		return r.of.call
	case r.build != nil:
		return r.build.call
	}
	return r.call
}

// Changed is the error of a program that changes a buffer of the operation before call completes it.
func (r *Request) Changed(call Call) *Error {
	e := MistakeBufferChanged.In(call, r.Call(), r.startedAt())
	if r.Call().Plain().Collective() {
		e.Rule = "MPI-5.0 §6.12"
	}
	return e
}

// Wait waits until the operation is complete and returns the received envelope (MPI_Wait, §3.7.3). After it, the
// communicator of an MPI_Comm_idup can be used; if the duplication failed, Wait returns its error.
func (r *Request) Wait() (Envelope, error) {
	if r == nil {
		return emptyEnvelope, nil
	}
	if err := r.Check(CallWait); err != nil {
		return emptyEnvelope, err
	}
	if r = r.active(); r == nil {
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
	if err := r.Check(CallTest); err != nil {
		return emptyEnvelope, false, err
	}
	if r = r.active(); r == nil {
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

// result returns the value that a process gets from a complete operation.
func (r *Request) result() (Envelope, error) {
	if r.of != nil {
		r.of.run = nil
	}
	switch {
	case r.err != nil:
		return emptyEnvelope, r.comm.raise(r.err)
	case r.build == nil:
		return r.envelope(), nil
	}
	made := r.build.made
	if made != nil {
		made.ext.making = nil
	}
	if err := r.build.err; err != nil {
		if made != nil {
			made.freed = true
		}
		return emptyEnvelope, r.comm.raise(err)
	}
	return r.envelope(), nil
}

func (r *Request) envelope() Envelope {
	switch {
	case r.cancelled:
		return Envelope{Source: AnySource, Tag: AnyTag, Cancelled: true}
	case r.build != nil:
		return Envelope{Source: AnySource, Tag: AnyTag, Value: r.build.value}
	case r.outgoing && r.source != ProcNull:
		return emptyEnvelope
	case r.msg == nil:
		return Envelope{Source: ProcNull, Tag: AnyTag}
	}
	return Envelope{Source: int(r.msg.source), Tag: int(r.msg.tag), Value: r.msg.value}
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

// Status is how the world stands when Wait returns: all ranks are done, or some wait, or the program ended by an
// error.
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

	sync *Request // of a send that waits, which is complete when the message is received; nil for others

	ready  bool        // sent in ready mode: the receive must be posted before
	buffer *sendBuffer // where a buffered send has its place; nil for others
	bytes  int         // that it takes there
}

// receivedBy gives the message to a receive, and tells its sender when that waits for it.
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

// mostWild is how many of the latest messages that receives from any rank took a process remembers.
const mostWild = 64

// wild is a message that a receive from any rank took, and where that was posted.
type wild struct {
	core        *core
	source, tag int32
	at          Site
}

// tookFromAny notes such a message for the diagnosis of a later receive that waits for it.
func (t *traffic) tookFromAny(m *message, at Site) {
	if len(t.wild) == mostWild {
		t.wild = append(t.wild[:0], t.wild[mostWild/2:]...)
	}
	t.wild = append(t.wild, wild{m.core, m.source, m.tag, at})
}

// tookFromAny is where the latest message that r waits for was received from any rank; nil when none was.
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
	for _, s := range w.arrived {
		for talked := s.talked; talked != 0; talked &= talked - 1 {
			w.talked = append(w.talked, &w.procs[int(s.base)+bits.TrailingZeros64(talked)])
		}
	}
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

// accept gives an arrived message to the first posted receive that it matches, or keeps the message. A process that
// waits for that receive goes on.
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

// take completes a receive with the first message in the inbox that it matches.
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

// behindChoice reports whether a receive that was posted before r may still take m.
func (t *traffic) behindChoice(r *Request, m *message) bool {
	return r.p.w.taking != nil && slices.ContainsFunc(t.pending, func(q *Request) bool {
		return q.source == AnySource && q.matches(m) && slices.Index(t.pending, q) < indexOr(t.pending, r)
	})
}

// indexOr is the place of r in a list; behind the list where it is not there.
func indexOr(list []*Request, r *Request) int {
	if i := slices.Index(list, r); i >= 0 {
		return i
	}
	return len(list)
}

// find answers a probe with the first message in the inbox that matches. A matched probe takes the message out.
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

// without is the list without its i-th element, mostly the first: a process that hears from all others
// must not move the rest each time.
func without[T any](list []*T, i int) []*T {
	if i == 0 {
		list[0] = nil
		return list[1:]
	}
	return slices.Delete(list, i, i+1)
}

// noticeProbe ends a probe that m, which has just arrived, answers. Receives that the process posted in this
// superstep come before its probe: then the probe waits until these are matched.
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
