package program

import (
	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// outgoing reads the arguments obj, dest and tag of a send.
func (c *call) outgoing() (v starlark.Value, dest, tag int, err error) {
	if v, err = c.packed(0); err != nil {
		return nil, 0, 0, err
	}
	dest, tag, err = c.ints(1, 2)
	return v, dest, tag, err
}

// incoming reads the arguments buf, source and tag of a receive, and a status behind them, from argument i on.
func (c *call) incoming(i int) (source, tag int, status *Status, err error) {
	if err := c.noBuffer(i); err != nil {
		return 0, 0, nil, err
	}
	into := []any{&source, &tag, &status}
	err = c.read(i+1, into[:min(len(into), len(c.fn.params)-i-1)]...)
	return source, tag, status, err
}

// commSend sends in the mode of its name.
func commSend(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	if err != nil {
		return nil, err
	}
	return nothing(c.on().SendAs(c.fn.call, v, dest, tag))
}

// commIsend is commSend with a request.
func commIsend(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	if err != nil {
		return nil, err
	}
	req, err := c.on().IsendAs(c.fn.call, v, dest, tag)
	return ended(c, req, err)
}

func commRecv(c *call) (starlark.Value, error) {
	source, tag, status, err := c.incoming(0)
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
	source, tag, _, err := c.incoming(0)
	if err != nil {
		return nil, err
	}
	req, err := c.on().Irecv(source, tag)
	return ended(c, req, err)
}

// commSendrecv starts to send, so that the receive cannot block the partner.
func commSendrecv(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	if err != nil {
		return nil, err
	}
	source, recvtag, status, err := c.incoming(3)
	if err != nil {
		return nil, err
	}
	sent, err := c.on().IsendAs(engine.CallSend, v, dest, tag)
	if err != nil {
		return nil, err
	}
	got, err := c.receive(source, recvtag, status)
	if err != nil {
		return nil, err
	}
	_, err = sent.Wait()
	return got, err
}

// probe waits for a message, and fills in its status.
func probe(c *engine.Comm, source, tag int, status *Status) (bool, error) {
	e, err := c.Probe(source, tag)
	if err == nil {
		status.fill(e)
	}
	return true, err
}

func iprobe(c *engine.Comm, source, tag int, status *Status) (bool, error) {
	e, there, err := c.Iprobe(source, tag)
	if there {
		status.fill(e)
	}
	return there, err
}

// received is the result of a call that returns one value; nil is None.
func received(v any, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	if list, ok := v.([]any); ok {
		return receivedList(list, nil)
	}
	return unpack(v), nil
}

// receivedList is the result of a call that returns a list; nil is None.
func receivedList(list []any, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	if list == nil {
		return starlark.None, nil
	}
	values := make([]starlark.Value, len(list))
	for i, v := range list {
		values[i] = unpack(v)
	}
	return starlark.NewList(values), nil
}

// commCollect makes a collective call that moves objects; its row in the table of calls says which
// arguments it has.
func commCollect(c *call) (starlark.Value, error) {
	d, err := c.data()
	if err != nil {
		return nil, err
	}
	return received(c.on().Collect(c.fn.call, d))
}

// data reads the arguments of a collective call: a value, or a list of one for each process; the operation; the root. What
// processes other than the root pass to a broadcast or a scatter does not travel.
func (c *call) data() (d engine.Data, err error) {
	row, base, i := c.fn.call.Procedure(), c.fn.call.Plain(), 1
	fromRoot := base == engine.CallBcast || base == engine.CallScatter
	if !fromRoot && base != engine.CallAlltoall {
		if d.Value, err = c.packed(0); err != nil {
			return d, err
		}
	}
	if row.Param("op") != nil {
		op, err := c.op(i)
		if err != nil {
			return d, err
		}
		d.Op = &op
		i++
	}
	if row.Param("root") != nil {
		if d.Root, err = c.int(i); err != nil {
			return d, err
		}
	}
	switch {
	case fromRoot && !isRoot(c.on(), d.Root):
		d.Value = []any(nil)
		if base == engine.CallBcast {
			d.Value = nil
		}
	case base == engine.CallBcast:
		d.Value, err = c.packed(0)
	case base == engine.CallScatter, base == engine.CallAlltoall:
		d.Value, err = c.values(0)
	}
	return d, err
}
