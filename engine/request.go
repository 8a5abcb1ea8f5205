package engine

import "slices"

// Request is a nonblocking operation (§3.7): a message, or a collective call. It belongs to the process that made it.
// nil is MPI_REQUEST_NULL, which is complete.
type Request struct {
	p      *Process
	comm   *Comm
	source int32 // of a send, the destination
	tag    int32
	done   bool

	outgoing  bool     // a send that waits for its receiver
	sent      *message // its message
	cancelled bool

	call  Call        // the call that started it; of a persistent request, the call that made it
	err   *Error      // the error of a ready send; nil for none
	again *persistent // of a persistent request; nil for others
	of    *persistent // the persistent request that started it; nil: none did
	msg   *message    // what was received; nil for a send
	build *building   // of a collective call; nil for a message
	site  Site        // where it was started
}

// request makes the request of a receive or probe. From ProcNull, the request is complete at once.
func (c *Comm) request(call Call, source, tag int) (*Request, error) {
	if err := c.checkPeer(call, source, tag, true); err != nil {
		return nil, err
	}
	return &Request{p: c.p, comm: c, source: int32(source), tag: int32(tag), done: source == ProcNull, call: call, site: c.p.site}, nil
}

// Call returns the call that started the operation; of an operation that MPI_Start started, the call that made the
// persistent request.
func (r *Request) Call() Call {
	switch {
	case r.of != nil:
		return r.of.call
	case r.build != nil:
		return r.build.call
	}
	return r.call
}

// Changed returns the error of a program that changes a buffer of the operation before call completes the operation.
func (r *Request) Changed(call Call) *Error {
	e := MistakeBufferChanged.In(call, r.Call(), r.startedAt()).on(r.comm.core)
	if r.Call().Plain().Collective() {
		e.Rule = "MPI-5.0 §6.12"
	}
	return e
}

// Wait waits until the operation is complete and returns the received envelope (MPI_Wait, §3.7.3). Afterwards the
// communicator of an MPI_Comm_idup can be used. If the operation failed, Wait returns its error.
func (r *Request) Wait() (Envelope, error) {
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
		r.p.local(call.half(CallRecv), r.comm, intArg("source", int(r.msg.source)), intArg("tag", int(r.msg.tag)))
	}
}

// Test lets communication move and reports whether the operation is complete (MPI_Test, §3.7.3).
func (r *Request) Test() (Envelope, bool, error) {
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

// emptyEnvelope is MPI's empty status, of an operation that received nothing (§3.7.3).
var emptyEnvelope = Envelope{Source: AnySource, Tag: AnyTag}

// result ends a complete operation, and returns what the process gets from it.
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

// matches reports whether a receive takes the message: same communicator, and source and tag equal or wild.
func (r *Request) matches(m *message) bool {
	return r.comm.core == m.core && (r.source == AnySource || r.source == m.source) && (r.tag == AnyTag || r.tag == m.tag)
}

// complete marks the operation as complete, and lets its process go on if it waited for that.
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

// Check raises MPI_ERR_SESSION, as an error of the call, when the communicator of the request outlives its session. All
// calls that return an error make this check themselves. nil, MPI_REQUEST_NULL, is not an error.
func (r *Request) Check(call Call) error {
	if r == nil || !r.comm.session().ended() {
		return nil
	}
	return r.p.Raise(MistakeRequestOutlives.In(call, "request", r.comm.session().number).under(CallSessionFinalize))
}

// Cancel marks a receive or a send that waits for cancellation (MPI_Cancel, §3.8.4). The operation is cancelled when it
// has not met its other side by the end of the superstep; otherwise it completes as usual. The status tells whether it
// was cancelled. Nonblocking collective calls cannot be cancelled: MPI_ERR_REQUEST.
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

// CheckFree raises MPI_ERR_REQUEST when the request must not be freed (MPI_Request_free, §3.7.3): that of a collective
// call before it has completed, and MPI_REQUEST_NULL. A receive or send goes on without its handle.
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

// Status lets communication move, and reports whether the operation is complete without ending it
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

// A persistent request (§3.9, §6.13) keeps a call with its arguments, and is inactive until it is started. Starting it
// makes the nonblocking call. For a collective call, each persistent operation has a line of its own: the calls that
// make the requests match in order, but what the requests start matches by request, in whatever order each process
// starts them.

// persistent has the call that a persistent request keeps.
type persistent struct {
	call  Call                     // that made it
	start func() (*Request, error) // makes the nonblocking call
	run   *Request                 // what it started; nil: the request is inactive
}

// persistent makes an inactive request.
func (c *Comm) persistent(call Call, start func() (*Request, error)) *Request {
	return &Request{p: c.p, comm: c, call: call, site: c.p.site, again: &persistent{call: call, start: start}}
}

// kept returns a handle that stays when the program frees its own, since a persistent request refers to the
// communicator.
func (c *Comm) kept() *Comm {
	c.extras()
	h := *c
	return &h
}

// SendInit makes a persistent request for a send in the mode of the call: MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init
// or MPI_Rsend_init (§3.9). Each start calls value for the value to send.
func (c *Comm) SendInit(call Call, value func() any, dest, tag int) (*Request, error) {
	if err := c.checkPeer(call, dest, tag, false); err != nil {
		return nil, err
	}
	h := c.kept()
	return h.persistent(call, func() (*Request, error) { return h.isend(call.Starts(), CallStart, value(), dest, tag) }), nil
}

// RecvInit makes a persistent request for a receive (MPI_Recv_init, §3.9).
func (c *Comm) RecvInit(source, tag int) (*Request, error) {
	if err := c.checkPeer(CallRecvInit, source, tag, true); err != nil {
		return nil, err
	}
	h := c.kept()
	return h.persistent(CallRecvInit, func() (*Request, error) { return h.receive(CallStart, source, tag) }), nil
}

// Init makes a persistent request for a collective call (§6.13). All processes of c must call it, in the order of their
// other collective calls; it waits for them, as MPI allows. Each start calls value for the contribution of the process.
func (c *Comm) Init(call Call, d Data, value func() any) (*Request, error) {
	if err := c.checkData(call, d); err != nil {
		return nil, err
	}
	op, err := c.call(call, int32(d.Root), 0, &payload{op: d.Op})
	if err != nil {
		return nil, err
	}
	h := c.kept()
	h.core = op.line
	return h.persistent(call, func() (*Request, error) {
		if !call.Procedure().MovesData() {
			return h.start(call.Starts(), 0, nil)
		}
		return h.start(call.Starts(), d.Root, &payload{value(), d.Op})
	}), nil
}

// makeLine gives a persistent collective operation its own line of calls on the communicator.
func (op *operation) makeLine() {
	k := *op.core
	k.line, k.done, k.spare = nil, nil, nil
	k.begun, k.underway, k.arrived = 0, 0, 0
	k.of, op.line = op.core, &k
}

// refer counts n more operations that refer to the communicator.
func (k *core) refer(n int32) {
	if k.underway += n; k.of != nil {
		k.of.underway += n
	}
}

// Persistent reports whether the request can be started.
func (r *Request) Persistent() bool { return r != nil && r.again != nil }

// Start starts the operation of a persistent request (MPI_Start, §3.9), which must be inactive: else MPI_ERR_REQUEST.
func (r *Request) Start() error { return startAll(CallStart, []*Request{r}) }

// Startall starts persistent requests, in the order of the list (MPI_Startall, §3.9).
func Startall(list []*Request) error { return startAll(CallStartall, list) }

func startAll(call Call, list []*Request) error {
	for i, r := range list {
		if err := r.Check(call); err != nil {
			return err
		}
		switch {
		case r == nil:
			return MistakeRequestNull.In(call)
		case r.again == nil:
			return r.comm.fail(MistakeRequestOnce.In(call, r.Call()))
		case r.again.run != nil || slices.Contains(list[:i], r):
			return r.comm.fail(MistakeRequestActive.In(call, r.again.call))
		}
	}
	for _, r := range list {
		run, err := r.again.start()
		if err != nil {
			return err
		}
		r.again.run, run.of = run, r.again
	}
	return nil
}

// active returns the operation for which a call waits that completes the request (§3.7.3). For a persistent request
// that is the operation that it started, nil when it is inactive; for any other request, the request itself.
func (r *Request) active() *Request {
	if r == nil || r.again == nil {
		return r
	}
	return r.again.run
}

// started returns the call that started the operation: MPI_Start, or the nonblocking call itself.
func (r *Request) started() Call {
	if r.of != nil {
		return CallStart
	}
	return r.Call()
}

// waitSet has the requests for which a process waits in one call; nil ones are MPI_REQUEST_NULL.
type waitSet struct {
	list []*Request
	any  bool // one complete request is enough
	over int  // this many at the beginning of list are complete
}

// satisfied reports whether the wait is over.
func (s *waitSet) satisfied() bool {
	if s.any {
		return slices.ContainsFunc(s.list, func(r *Request) bool { return r != nil && r.done })
	}
	return s.first() == nil
}

// first returns the first request that is not complete. It does not look again at those before: a process may wait for
// as many requests as there are ranks, which complete one after the other.
func (s *waitSet) first() *Request {
	for ; s.over < len(s.list); s.over++ {
		if r := s.list[s.over]; r != nil && !r.done {
			return r
		}
	}
	return nil
}

// null reports whether all requests are MPI_REQUEST_NULL.
func (s *waitSet) null() bool {
	return !slices.ContainsFunc(s.list, func(r *Request) bool { return r != nil })
}

// ask blocks in a call over several requests until the wait is over, or, in a call that polls, for one superstep. It
// does not block when the wait is over already, or all requests are MPI_REQUEST_NULL. one: a single complete request is
// enough.
func ask(call Call, list []*Request, one bool) *waitSet {
	s := &waitSet{list: make([]*Request, len(list)), any: one}
	for i, r := range list {
		s.list[i] = r.active()
	}
	if k := slices.IndexFunc(s.list, func(r *Request) bool { return r != nil }); k >= 0 && !s.satisfied() {
		r := s.list[k]
		r.p.block(post{comm: r.comm, call: call, x: s})
	}
	return s
}

// await makes the check of [Request.Check] and then blocks as ask does, for a call that ends requests.
func await(call Call, list []*Request, one bool) (*waitSet, error) {
	for _, r := range list {
		if err := r.active().Check(call); err != nil {
			return nil, err
		}
	}
	return ask(call, list, one), nil
}

// Waitall waits until all requests are complete (MPI_Waitall, §3.7.5) and returns what each received, and the first
// error.
func Waitall(list []*Request) ([]Envelope, error) {
	s, err := await(CallWaitall, list, false)
	if err != nil {
		return nil, err
	}
	return s.endAll()
}

// Testall lets communication move and reports whether all requests are complete (MPI_Testall, §3.7.5). It ends none
// before all are.
func Testall(list []*Request) ([]Envelope, bool, error) {
	s, err := await(CallTestall, list, false)
	if err != nil || !s.satisfied() {
		return nil, false, err
	}
	all, err := s.endAll()
	return all, true, err
}

// endAll ends all requests, which are complete.
func (s *waitSet) endAll() ([]Envelope, error) {
	out := make([]Envelope, len(s.list))
	var first error
	for i, r := range s.list {
		out[i] = emptyEnvelope
		if r == nil {
			continue
		}
		e, err := r.result()
		if out[i] = e; first == nil {
			first = err
		}
	}
	return out, first
}

// Waitany waits until one request is complete (MPI_Waitany, §3.7.5). It returns the lowest index of a complete request,
// and what this received. When all are MPI_REQUEST_NULL the index is Undefined.
func Waitany(list []*Request) (int, Envelope, error) {
	s, err := await(CallWaitany, list, true)
	if err != nil {
		return Undefined, emptyEnvelope, err
	}
	return s.endOne()
}

// Testany lets communication move and reports whether a request is complete (MPI_Testany, §3.7.5). It returns the
// lowest index of a complete request, and what this received. When all are MPI_REQUEST_NULL done is true and the index
// Undefined.
func Testany(list []*Request) (index int, e Envelope, done bool, err error) {
	s, err := await(CallTestany, list, true)
	if err != nil || !s.null() && !s.satisfied() {
		return Undefined, emptyEnvelope, false, err
	}
	index, e, err = s.endOne()
	return index, e, true, err
}

// endOne ends the first request that is complete.
func (s *waitSet) endOne() (int, Envelope, error) {
	for i, r := range s.list {
		if r != nil && r.done {
			e, err := r.result()
			return i, e, err
		}
	}
	return Undefined, emptyEnvelope, nil
}

// Waitsome waits until at least one request is complete (MPI_Waitsome, §3.7.5), and ends all complete requests. It
// returns their indices, in ascending order, and what each received. When all are MPI_REQUEST_NULL the list is nil.
func Waitsome(list []*Request) (indices []int, all []Envelope, err error) {
	return endSome(CallWaitsome, list)
}

// Testsome lets communication move, and ends all complete requests (MPI_Testsome, §3.7.5), as Waitsome does. Without
// one the list is empty, and not nil.
func Testsome(list []*Request) (indices []int, all []Envelope, err error) {
	return endSome(CallTestsome, list)
}

// endSome ends the requests that are complete when the call returns.
func endSome(call Call, list []*Request) (indices []int, all []Envelope, first error) {
	s, err := await(call, list, true)
	if err != nil {
		return nil, nil, err
	}
	indices = s.some()
	for _, i := range indices {
		e, err := s.list[i].result()
		if all = append(all, e); first == nil {
			first = err
		}
	}
	return indices, all, first
}

// some lists the requests that are complete, by index; nil when all are MPI_REQUEST_NULL.
func (s *waitSet) some() []int {
	if s.null() {
		return nil
	}
	indices := []int{}
	for i, r := range s.list {
		if r != nil && r.done {
			indices = append(indices, i)
		}
	}
	return indices
}

// StatusAll lets communication move, and reports whether all requests are complete without ending them
// (MPI_Request_get_status_all, §3.7.6).
func StatusAll(list []*Request) ([]Envelope, bool) {
	s := ask(CallRequestStatusAll, list, false)
	if !s.satisfied() {
		return nil, false
	}
	all := make([]Envelope, len(list))
	for i, r := range s.list {
		if all[i] = emptyEnvelope; r != nil {
			all[i] = r.envelope()
		}
	}
	return all, true
}

// StatusAny lets communication move, and reports whether a request is complete without ending it
// (MPI_Request_get_status_any, §3.7.6). It returns the lowest index of a complete request. When all are
// MPI_REQUEST_NULL done is true and the index Undefined.
func StatusAny(list []*Request) (index int, e Envelope, done bool) {
	s := ask(CallRequestStatusAny, list, true)
	if complete := s.some(); len(complete) > 0 {
		return complete[0], s.list[complete[0]].envelope(), true
	}
	return Undefined, emptyEnvelope, s.null()
}

// StatusSome lets communication move, and lists the complete requests without ending them (MPI_Request_get_status_some,
// §3.7.6). When all are MPI_REQUEST_NULL the list is nil.
func StatusSome(list []*Request) (indices []int, all []Envelope) {
	s := ask(CallRequestStatusSome, list, true)
	indices = s.some()
	for _, i := range indices {
		all = append(all, s.list[i].envelope())
	}
	return indices, all
}
