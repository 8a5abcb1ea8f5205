package engine

// Request is a nonblocking operation (§3.7). It belongs to the process that made it.
type Request struct {
	p      *Process
	comm   *Comm
	source int32
	tag    int32
	done   bool
	msg    *message // what was received; nil for a send
}

// request is what a receive or probe asks for. From ProcNull, it is complete at once.
func (c *Comm) request(call Call, source, tag int) (*Request, error) {
	if err := c.checkPeer(call, source, tag, true); err != nil {
		return nil, err
	}
	return &Request{p: c.p, comm: c, source: int32(source), tag: int32(tag), done: source == ProcNull}, nil
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

// matches tells whether the message is one that the receive asks for: same context, and source and
// tag equal or wild.
func (r *Request) matches(m *message) bool {
	return r.comm.core == m.core && (r.source == AnySource || r.source == m.source) && (r.tag == AnyTag || r.tag == m.tag)
}
