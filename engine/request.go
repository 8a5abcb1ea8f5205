package engine

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
	return r.end()
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
	e, err := r.end()
	return e, true, err
}

// emptyEnvelope is the status of what received nothing (§3.7.3).
var emptyEnvelope = Envelope{Source: AnySource, Tag: AnyTag}

// end is what the process gets of a complete operation.
func (r *Request) end() (Envelope, error) {
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
