package program

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
)

// Request is a nonblocking operation as programs see it; complete, it becomes REQUEST_NULL.
type Request struct {
	r   *Rank
	req *engine.Request // nil: REQUEST_NULL
}

var requestClass = newClass("Request", func(v starlark.Value) bool { _, ok := v.(*Request); return ok },
	method("wait", "", engine.CallWait,
		"wait until it is complete; the value received", requestWait),
	method("test", "", engine.CallTest,
		"(whether it is complete, the value received)", requestTest),
	method("Wait", "", engine.CallWait, "wait until it is complete; True", requestWaitDone),
	method("Test", "", engine.CallTest, "whether it is complete", requestTestDone),
	method("Waitall", "requests", engine.CallWait,
		"wait until all are complete; True", requestWaitall).isStatic(),
	method("Testall", "requests", engine.CallTest,
		"whether all are complete", requestTestall).isStatic(),
)

func (v *Request) String() string {
	if v.req == nil {
		return "<Request MPI_REQUEST_NULL>"
	}
	return "<Request>"
}

// Type is mpi4py's name of the type.
func (v *Request) Type() string          { return "Request" }
func (v *Request) Freeze()               {}
func (v *Request) Truth() starlark.Bool  { return v.req != nil }
func (v *Request) Hash() (uint32, error) { return 0, nil }

func (v *Request) Attr(name string) (starlark.Value, error) { return requestClass.attr(v.r, v, name) }
func (v *Request) AttrNames() []string                      { return requestClass.listed(v.r) }

// CompareSameType compares handles.
func (v *Request) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, v.req == other.(*Request).req, "requests")
}

// wait completes the operation and gives what it received, None for a send.
func (v *Request) wait() (starlark.Value, error) {
	e, err := v.req.Wait()
	if err != nil {
		return nil, err
	}
	v.req = nil
	return unpack(e.Value), nil
}

// test completes the operation if it can be.
func (v *Request) test() (starlark.Value, bool, error) {
	e, done, err := v.req.Test()
	if err != nil || !done {
		return starlark.None, false, err
	}
	v.req = nil
	return unpack(e.Value), true, nil
}

func requestWait(c *call) (starlark.Value, error) { return c.self.(*Request).wait() }

func requestWaitDone(c *call) (starlark.Value, error) {
	_, err := c.self.(*Request).wait()
	return starlark.True, err
}

func requestTest(c *call) (starlark.Value, error) {
	v, done, err := c.self.(*Request).test()
	return starlark.Tuple{starlark.Bool(done), v}, err
}

func requestTestDone(c *call) (starlark.Value, error) {
	_, done, err := c.self.(*Request).test()
	return starlark.Bool(done), err
}

// requests reads a sequence of requests.
func (c *call) requests(i int) ([]*Request, error) {
	seq, ok := c.args[i].(starlark.Iterable)
	if !ok {
		return nil, c.wrong(i, "a list of requests")
	}
	var list []*Request
	for v := range starlark.Elements(seq) {
		req, ok := v.(*Request)
		if !ok {
			return nil, fmt.Errorf("%s: an element of %s must be a request, not %s", c.fn.name, c.fn.params[i].name, describe(v))
		}
		list = append(list, req)
	}
	return list, nil
}

func requestWaitall(c *call) (starlark.Value, error) {
	list, err := c.requests(0)
	for _, req := range list {
		if _, err := req.wait(); err != nil {
			return nil, err
		}
	}
	return starlark.True, err
}

// requestTestall completes all requests or none.
func requestTestall(c *call) (starlark.Value, error) {
	list, err := c.requests(0)
	if err != nil {
		return nil, err
	}
	for _, req := range list {
		if _, done, err := req.req.Test(); err != nil || !done {
			return starlark.False, err
		}
	}
	for _, req := range list {
		req.req = nil
	}
	return starlark.True, nil
}
