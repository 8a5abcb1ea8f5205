package program

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

// commDup is mpi4py's Dup, which takes hints from version 4 on.
func commDup(c *call) (starlark.Value, error) {
	if c.args[0] == starlark.None {
		return commClone(c)
	}
	return commDupWithInfo(c)
}

func commClone(c *call) (starlark.Value, error) { return c.wrapped(c.on().Dup()) }

func commDupWithInfo(c *call) (starlark.Value, error) {
	info, err := c.info(0)
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.on().DupWithInfo(info))
}

func commIdup(c *call) (starlark.Value, error) {
	if c.args[0] == starlark.None {
		return c.started(c.on().Idup())
	}
	return commIdupWithInfo(c)
}

func commIdupWithInfo(c *call) (starlark.Value, error) {
	info, err := c.info(0)
	if err != nil {
		return nil, err
	}
	return c.started(c.on().IdupWithInfo(info))
}

// started is what Idup gives: a pair of the communicator in the making and its request.
func (c *call) started(made *engine.Comm, req *engine.Request, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return starlark.Tuple{c.r.wrap(made), c.r.newRequest(req)}, nil
}

// IsStarted reports whether v is such a pair.
func IsStarted(v starlark.Value) bool {
	pair, ok := v.(starlark.Tuple)
	if !ok || len(pair) != 2 || !isComm(pair[0]) {
		return false
	}
	_, ok = pair[1].(*Request)
	return ok
}

func commFree(c *call) (starlark.Value, error)       { return nothing(c.on().Free()) }
func commDisconnect(c *call) (starlark.Value, error) { return nothing(c.on().Disconnect()) }

func commCreateIntercomm(c *call) (starlark.Value, error) {
	leader, err := c.int(0)
	if err != nil {
		return nil, err
	}
	peer, err := c.comm(1)
	if err != nil {
		return nil, err
	}
	remote, tag, err := c.ints(2, 3)
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.on().CreateIntercomm(leader, peer, remote, tag))
}

// commMerge takes any value for high, as C does: what is not zero is true.
func commMerge(c *call) (starlark.Value, error) {
	return c.wrapped(c.on().Merge(bool(c.args[0].Truth())))
}
