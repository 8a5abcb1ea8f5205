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

func commSsend(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	if err != nil {
		return nil, err
	}
	return nothing(c.on().Ssend(v, dest, tag))
}

func commIssend(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	if err != nil {
		return nil, err
	}
	return c.request(c.on().Issend(v, dest, tag))
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

// sendRoot reads the value in argument 0 and the root in argument i.
func (c *call) sendRoot(i int) (starlark.Value, int, error) {
	v, err := c.packed(0)
	if err != nil {
		return nil, 0, err
	}
	root, err := c.int(i)
	return v, root, err
}

// received is the result of a call that returns one value; nil is None.
func received(v any, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
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

// isRoot tells whether this process is root. What the others pass to a call does not travel.
func (c *call) isRoot(root int) bool {
	if c.on().Info() == nil || c.on().Pending() {
		return false
	}
	if c.on().Kind() == engine.Inter {
		return root == engine.Root
	}
	return c.on().Rank() == root
}

func commBcast(c *call) (starlark.Value, error) {
	root, err := c.int(1)
	if err != nil {
		return nil, err
	}
	var v any
	if c.isRoot(root) {
		if v, err = c.packed(0); err != nil {
			return nil, err
		}
	}
	return received(c.on().Bcast(v, root))
}

func commGather(c *call) (starlark.Value, error) {
	v, root, err := c.sendRoot(1)
	if err != nil {
		return nil, err
	}
	return receivedList(c.on().Gather(v, root))
}

func commAllgather(c *call) (starlark.Value, error) {
	v, err := c.packed(0)
	if err != nil {
		return nil, err
	}
	return receivedList(c.on().Allgather(v))
}

func commScatter(c *call) (starlark.Value, error) {
	root, err := c.int(1)
	if err != nil {
		return nil, err
	}
	var list []any
	if c.isRoot(root) {
		if list, err = c.values(0); err != nil {
			return nil, err
		}
	}
	return received(c.on().Scatter(list, root))
}

func commAlltoall(c *call) (starlark.Value, error) {
	list, err := c.values(0)
	if err != nil {
		return nil, err
	}
	return receivedList(c.on().Alltoall(list))
}

// reduction reads the arguments sendobj and op.
func (c *call) reduction() (starlark.Value, engine.Op, error) {
	v, err := c.packed(0)
	if err != nil {
		return nil, engine.Op{}, err
	}
	op, err := c.op(1)
	return v, op, err
}

func commReduce(c *call) (starlark.Value, error) {
	v, op, err := c.reduction()
	if err != nil {
		return nil, err
	}
	root, err := c.int(2)
	if err != nil {
		return nil, err
	}
	return received(c.on().Reduce(v, op, root))
}

func commAllreduce(c *call) (starlark.Value, error) { return c.combined((*engine.Comm).Allreduce) }

func commIallreduce(c *call) (starlark.Value, error) {
	v, op, err := c.reduction()
	if err != nil {
		return nil, err
	}
	return c.request(c.on().Iallreduce(v, op))
}

func commScan(c *call) (starlark.Value, error)   { return c.combined((*engine.Comm).Scan) }
func commExscan(c *call) (starlark.Value, error) { return c.combined((*engine.Comm).Exscan) }

func (c *call) combined(f func(*engine.Comm, any, engine.Op) (any, error)) (starlark.Value, error) {
	v, op, err := c.reduction()
	if err != nil {
		return nil, err
	}
	return received(f(c.on(), v, op))
}
