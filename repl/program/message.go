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
	e, err := c.on().Recv(source, tag)
	return received(e.Value, err)
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
	if err := c.on().Send(v, dest, tag); err != nil {
		return nil, err
	}
	e, err := c.on().Recv(source, recvtag)
	return received(e.Value, err)
}

func commProbe(c *call) (starlark.Value, error) {
	source, tag, err := c.ints(0, 1)
	if err != nil {
		return nil, err
	}
	_, err = c.on().Probe(source, tag)
	return starlark.True, err
}

func commIprobe(c *call) (starlark.Value, error) {
	source, tag, err := c.ints(0, 1)
	if err != nil {
		return nil, err
	}
	_, there, err := c.on().Iprobe(source, tag)
	return starlark.Bool(there), err
}

func (c *call) request(req *engine.Request, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return &Request{r: c.r, req: req}, nil
}
