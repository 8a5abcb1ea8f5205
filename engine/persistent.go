package engine

// A persistent request (§3.9, §6.13) keeps a call with its arguments. It is inactive until it is started; what is started
// is the nonblocking call, on a line of its own where it is a collective one: the calls that make the requests match in
// order, and what the requests start matches by request, in whatever order each process starts them.

// persistent is what a persistent request keeps.
type persistent struct {
	call  Call                     // that made it
	start func() (*Request, error) // makes the nonblocking call
	run   *Request                 // what it started; nil: the request is inactive
}

// persistent makes an inactive request.
func (c *Comm) persistent(call Call, start func() (*Request, error)) *Request {
	return &Request{p: c.p, comm: c, call: call, site: c.p.site, again: &persistent{call: call, start: start}}
}

// kept is a handle that stays when the program frees its own: a persistent request refers to the communicator.
func (c *Comm) kept() *Comm {
	c.extras()
	h := *c
	return &h
}

// SendInit makes a persistent request for a send in the mode of the call: MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init or
// MPI_Rsend_init (§3.9). Each start asks value for what is sent.
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
// other collective calls, and it waits for them as MPI allows. Each start asks value for what the process passes.
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
	k.pending, k.later, k.done, k.spare = nil, nil, nil, nil
	k.begun, k.underway, k.arrived = 0, 0, 0
	k.of, op.line = op.core, &k
}

// refer counts communication that refers to the communicator, n of it more.
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
		case r.again.run != nil:
			return r.comm.fail(MistakeRequestActive.In(call, r.again.call))
		}
		for _, before := range list[:i] {
			if before == r {
				return r.comm.fail(MistakeRequestActive.In(call, r.again.call))
			}
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

// active is what a call that completes requests waits for: of a persistent request what it started, and nil while it is
// inactive, as for MPI_REQUEST_NULL (§3.7.3).
func (r *Request) active() *Request {
	if r == nil || r.again == nil {
		return r
	}
	return r.again.run
}

// actives are the operations that requests stand for.
func actives(list []*Request) []*Request {
	out := make([]*Request, len(list))
	for i, r := range list {
		out[i] = r.active()
	}
	return out
}

// started is the call that started the operation: MPI_Start, or the nonblocking call itself.
func (r *Request) started() Call {
	if r.of != nil {
		return CallStart
	}
	return r.Call()
}
