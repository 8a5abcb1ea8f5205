package engine

import "fmt"

// AttachBuffer notes that the process lends c a buffer of size bytes for sends in buffered mode
// (MPI_Comm_attach_buffer, §3.6). It is local, and duplicates do not get the buffer. When one is
// attached already: MPI_ERR_BUFFER; a negative size: MPI_ERR_ARG.
func (c *Comm) AttachBuffer(size int) error {
	if err := c.check(CallAttachBuffer); err != nil {
		return err
	}
	if size < 0 {
		return c.fail(ErrArg, CallAttachBuffer, "a buffer has no negative size", fmt.Sprintf("%d bytes", size))
	}
	if e := c.ext; e != nil && e.buffer != nil {
		return c.fail(ErrBuffer, CallAttachBuffer,
			fmt.Sprintf("a buffer of %d bytes is attached already; a communicator has at most one: detach it first", *e.buffer), "")
	}
	c.extras().buffer = &size
	c.p.local(CallAttachBuffer, c, intArg("size", size))
	return nil
}

// DetachBuffer takes the buffer back and returns its size in bytes (MPI_Comm_detach_buffer, §3.6). No
// message is ever left in it: sends do not wait. Without a buffer: MPI_ERR_BUFFER.
func (c *Comm) DetachBuffer() (size int, err error) {
	if err := c.check(CallDetachBuffer); err != nil {
		return 0, err
	}
	e := c.ext
	if e == nil || e.buffer == nil {
		return 0, c.fail(ErrBuffer, CallDetachBuffer, "no buffer is attached to the communicator", "")
	}
	size, e.buffer = *e.buffer, nil
	c.p.local(CallDetachBuffer, c, intArg("size", size))
	return size, nil
}
