package engine

// The modes of sends (§3.4) that ask something of the program: a buffered send needs a buffer with room for its message, a
// ready send a receive that is posted.

// BsendOverhead is MPI_BSEND_OVERHEAD: what a message takes in an attached buffer besides its data, in bytes (§3.6).
const BsendOverhead = 128

// sendBuffer is a buffer that a process attached for buffered sends. A message has its place until it is received, as
// in the model of §3.6.1; other implementations may need less.
type sendBuffer struct{ size, used int }

// attach notes that the process lends a buffer.
func attach(to **sendBuffer, call Call, size int) *Error {
	switch {
	case size < 0:
		return MistakeBufferSize.In(call).passing("%d bytes", size)
	case *to != nil:
		return MistakeBufferAttached.In(call, (*to).size)
	}
	*to = &sendBuffer{size: size}
	return nil
}

// detach takes the buffer back.
func detach(from **sendBuffer, call Call, of string) (size int, err *Error) {
	if *from == nil {
		return 0, MistakeBufferMissing.In(call, of)
	}
	size, *from = (*from).size, nil
	return size, nil
}

// AttachBuffer notes that the process lends c a buffer of size bytes for sends in buffered mode
// (MPI_Comm_attach_buffer, §3.6). It is local, and duplicates do not get the buffer. When one is
// attached already: MPI_ERR_BUFFER; a negative size: MPI_ERR_ARG.
func (c *Comm) AttachBuffer(size int) error {
	if err := c.Check(CallAttachBuffer); err != nil {
		return err
	}
	if err := attach(&c.extras().buffer, CallAttachBuffer, size); err != nil {
		return c.fail(err)
	}
	c.p.local(CallAttachBuffer, c, intArg("size", size))
	return nil
}

// DetachBuffer takes the buffer back and returns its size in bytes (MPI_Comm_detach_buffer, §3.6). Without a
// buffer: MPI_ERR_BUFFER.
func (c *Comm) DetachBuffer() (size int, err error) {
	if err := c.Check(CallDetachBuffer); err != nil {
		return 0, err
	}
	size, wrong := detach(&c.extras().buffer, CallDetachBuffer, "the communicator")
	if wrong != nil {
		return 0, c.fail(wrong)
	}
	c.p.local(CallDetachBuffer, c, intArg("size", size))
	return size, nil
}

// AttachBuffer is [Comm.AttachBuffer] for all communicators that have no buffer of their own (MPI_Buffer_attach, §3.6).
func (p *Process) AttachBuffer(size int) error {
	if err := attach(&p.traffic().buffer, CallBufferAttach, size); err != nil {
		return p.Raise(err)
	}
	p.local(CallBufferAttach, nil, intArg("size", size))
	return nil
}

// DetachBuffer takes the buffer of the process back (MPI_Buffer_detach, §3.6).
func (p *Process) DetachBuffer() (size int, err error) {
	size, wrong := detach(&p.traffic().buffer, CallBufferDetach, "the process")
	if wrong != nil {
		return 0, p.Raise(wrong)
	}
	p.local(CallBufferDetach, nil, intArg("size", size))
	return size, nil
}

// buffer is the buffer that a buffered send on c uses: that of c, else that of the process; nil for none.
func (c *Comm) buffer() *sendBuffer {
	switch {
	case c.ext != nil && c.ext.buffer != nil:
		return c.ext.buffer
	case c.p.mail != nil:
		return c.p.mail.buffer
	}
	return nil
}

// reserve finds the place of a message in the buffer of its communicator. Only values that know their size need one.
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

// mode is the mode in which a call sends, as the blocking call of that mode.
func (c Call) mode() Call {
	switch c {
	case CallIsend:
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

// waits reports whether a send is not complete at once: one in synchronous mode waits until its message is being received,
// and so does a standard one where the world has no buffers for it; one in ready mode learns whether a receive is posted.
func (c *Comm) waits(mode Call) bool {
	return mode == CallSsend || mode == CallRsend || mode == CallSend && c.p.w.synchronous
}

// meetsPosted reports whether a receive is posted for a message in ready mode that a process sends to itself: of other
// processes only those receives count that are posted before.
func (p *Process) meetsPosted(m *message) bool {
	if m.dest != p.rank || p.mail == nil {
		return false
	}
	for _, r := range p.mail.receives {
		if r.matches(m) {
			return true
		}
	}
	return false
}

// unready ends a ready send that met no receive.
func (m *message) unready() {
	m.sync.err = MistakeNotReady.In(m.call, RanksOf(m.dest).named()).on(m.core)
	m.sync.complete()
}
