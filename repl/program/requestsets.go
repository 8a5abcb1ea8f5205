package program

import (
	"fmt"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// requests reads a sequence of requests; those of the engine are nil for REQUEST_NULL.
func (c *call) requests(i int) ([]*Request, []*engine.Request, error) {
	seq, ok := c.args[i].(starlark.Iterable)
	if !ok {
		return nil, nil, c.wrong(i, "a list of requests")
	}
	var list []*Request
	var engines []*engine.Request
	for v := range starlark.Elements(seq) {
		req, ok := v.(*Request)
		if !ok {
			return nil, nil, fmt.Errorf("%s: an element of %s must be a request, not %s", c.fn.name, c.fn.params[i].name, describe(v))
		}
		list = append(list, req)
		engines = append(engines, req.req)
	}
	return list, engines, nil
}

// waitall completes all requests and gives what they received.
func (c *call) waitall() (starlark.Value, error) {
	list, engines, err := c.requests(0)
	if err != nil {
		return nil, err
	}
	fill, err := c.statuses(1)
	if err != nil {
		return nil, err
	}
	all, err := engine.Waitall(engines)
	return completed(list, all, fill, err)
}

func completed(list []*Request, all []engine.Envelope, fill func([]engine.Envelope) error, err error) (starlark.Value, error) {
	values := make([]any, len(all))
	for i, e := range all {
		list[i].end()
		values[i] = e.Value
	}
	if err == nil {
		err = fill(all)
	}
	return receivedList(values, err)
}

func requestWaitallValues(c *call) (starlark.Value, error) { return c.waitall() }

func requestWaitall(c *call) (starlark.Value, error) {
	_, err := c.waitall()
	return starlark.True, err
}

// testall completes all requests or none.
func (c *call) testall() (starlark.Bool, starlark.Value, error) {
	list, engines, err := c.requests(0)
	if err != nil {
		return false, nil, err
	}
	fill, err := c.statuses(1)
	if err != nil {
		return false, nil, err
	}
	all, done, err := engine.Testall(engines)
	if !done {
		return false, starlark.None, err
	}
	values, err := completed(list, all, fill, err)
	return true, values, err
}

func requestTestall(c *call) (starlark.Value, error) {
	done, _, err := c.testall()
	return done, err
}

func requestTestallValues(c *call) (starlark.Value, error) {
	done, values, err := c.testall()
	return starlark.Tuple{done, values}, err
}

// waitany completes one request.
func (c *call) waitany() (index, value starlark.Value, err error) {
	list, engines, err := c.requests(0)
	if err != nil {
		return nil, nil, err
	}
	status, err := c.status(1)
	if err != nil {
		return nil, nil, err
	}
	i, e, err := engine.Waitany(engines)
	return one(list, i, e, status, err)
}

func one(list []*Request, i int, e engine.Envelope, status *Status, err error) (index, value starlark.Value, _ error) {
	if i >= 0 {
		list[i].end()
	}
	if err == nil {
		status.fill(e)
	}
	value, err = received(e.Value, err)
	return starlark.MakeInt(i), value, err
}

func requestWaitany(c *call) (starlark.Value, error) {
	index, _, err := c.waitany()
	return index, err
}

func requestWaitanyValue(c *call) (starlark.Value, error) {
	index, value, err := c.waitany()
	return starlark.Tuple{index, value}, err
}

// testany completes one request when one is complete.
func (c *call) testany() (index, value starlark.Value, done starlark.Bool, err error) {
	list, engines, err := c.requests(0)
	if err != nil {
		return nil, nil, false, err
	}
	status, err := c.status(1)
	if err != nil {
		return nil, nil, false, err
	}
	i, e, ok, err := engine.Testany(engines)
	if !ok {
		status = nil // it keeps what it has
	}
	index, value, err = one(list, i, e, status, err)
	return index, value, starlark.Bool(ok), err
}

func requestTestany(c *call) (starlark.Value, error) {
	index, _, done, err := c.testany()
	return starlark.Tuple{index, done}, err
}

func requestTestanyValue(c *call) (starlark.Value, error) {
	index, value, done, err := c.testany()
	return starlark.Tuple{index, done, value}, err
}
