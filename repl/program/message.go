package program

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

// outgoing reads the arguments obj, dest and tag of a send.
func (c *call) outgoing() (v starlark.Value, dest, tag int, err error) {
	if v, err = c.packed(0); err != nil {
		return nil, 0, 0, err
	}
	dest, tag, err = c.ints(1, 2)
	return v, dest, tag, err
}

// incoming reads the arguments buf, source and tag of a receive, from argument i on.
func (c *call) incoming(i int) (source, tag int, err error) {
	if err := c.noBuffer(i); err != nil {
		return 0, 0, err
	}
	return c.ints(i+1, i+2)
}

func commSend(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	if err != nil {
		return nil, err
	}
	return nothing(c.on().Send(v, dest, tag))
}

func commIsend(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	if err != nil {
		return nil, err
	}
	return c.request(c.on().Isend(v, dest, tag))
}

func commRecv(c *call) (starlark.Value, error) {
	source, tag, err := c.incoming(0)
	if err != nil {
		return nil, err
	}
	status, err := c.status(3)
	if err != nil {
		return nil, err
	}
	return c.receive(source, tag, status)
}

// receive waits for a message and fills in its status.
func (c *call) receive(source, tag int, status *Status) (starlark.Value, error) {
	e, err := c.on().Recv(source, tag)
	if err != nil {
		return nil, err
	}
	status.fill(e)
	return unpack(e.Value), nil
}

func commIrecv(c *call) (starlark.Value, error) {
	source, tag, err := c.incoming(0)
	if err != nil {
		return nil, err
	}
	return c.request(c.on().Irecv(source, tag))
}

// commSendrecv sends first: sends are eager, so the receive that follows cannot block the partner.
func commSendrecv(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	if err != nil {
		return nil, err
	}
	source, recvtag, err := c.incoming(3)
	if err != nil {
		return nil, err
	}
	status, err := c.status(6)
	if err != nil {
		return nil, err
	}
	if err := c.on().Send(v, dest, tag); err != nil {
		return nil, err
	}
	return c.receive(source, recvtag, status)
}

// probed reads the arguments source, tag and status of a probe.
func (c *call) probed() (source, tag int, status *Status, err error) {
	if source, tag, err = c.ints(0, 1); err != nil {
		return 0, 0, nil, err
	}
	status, err = c.status(2)
	return source, tag, status, err
}

func commProbe(c *call) (starlark.Value, error) {
	source, tag, status, err := c.probed()
	if err != nil {
		return nil, err
	}
	e, err := c.on().Probe(source, tag)
	if err != nil {
		return nil, err
	}
	status.fill(e)
	return starlark.True, nil
}

func commIprobe(c *call) (starlark.Value, error) {
	source, tag, status, err := c.probed()
	if err != nil {
		return nil, err
	}
	e, there, err := c.on().Iprobe(source, tag)
	if there {
		status.fill(e)
	}
	return starlark.Bool(there), err
}

func (c *call) request(req *engine.Request, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return c.r.newRequest(req), nil
}
