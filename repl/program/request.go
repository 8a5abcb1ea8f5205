package program

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
)

// Request is a nonblocking operation as programs see it; complete, it becomes REQUEST_NULL.
type Request struct {
	r   *Rank
	req *engine.Request // nil: REQUEST_NULL

	open *Open
}

// newRequest is a handle of a request, which the program should complete.
func (r *Rank) newRequest(req *engine.Request) *Request {
	return &Request{r: r, req: req, open: r.openedBy("request", req.Call())}
}

// end makes the handle REQUEST_NULL.
func (v *Request) end() {
	if v.req != nil {
		v.req = nil
		v.open.closed()
	}
}

var requestClass = newClass("Request", func(v starlark.Value) bool { _, ok := v.(*Request); return ok },
	method("wait", "status=None", engine.CallWait,
		"wait until it is complete; the value received", requestWait),
	method("test", "status=None", engine.CallTest,
		"(whether it is complete, the value received)", requestTest),
	method("Wait", "status=None", engine.CallWait, "wait until it is complete; True", requestWaitDone),
	method("Test", "status=None", engine.CallTest, "whether it is complete", requestTestDone),
	method("Waitall", "requests, statuses=None", engine.CallWaitall, "wait until all are complete; True", requestWaitall).isStatic(),
	method("waitall", "requests, statuses=None", engine.CallWaitall,
		"wait until all are complete; the values received", requestWaitallValues).isStatic(),
	method("Testall", "requests, statuses=None", engine.CallTestall, "whether all are complete", requestTestall).isStatic(),
	method("testall", "requests, statuses=None", engine.CallTestall,
		"(whether all are complete, the values received)", requestTestallValues).isStatic(),
	method("Waitany", "requests, status=None", engine.CallWaitany,
		"wait until one is complete; its index", requestWaitany).isStatic(),
	method("waitany", "requests, status=None", engine.CallWaitany,
		"wait until one is complete; (its index, the value received)", requestWaitanyValue).isStatic(),
	method("Testany", "requests, status=None", engine.CallTestany,
		"(index of one that is complete, whether there is one)", requestTestany).isStatic(),
	method("testany", "requests, status=None", engine.CallTestany,
		"(index of one that is complete, whether there is one, the value received)", requestTestanyValue).isStatic(),
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
func (v *Request) wait(status *Status) (starlark.Value, error) {
	e, err := v.req.Wait()
	v.end()
	if err == nil {
		status.fill(e)
	}
	return received(e.Value, err)
}

// test completes the operation if it can be.
func (v *Request) test(status *Status) (starlark.Value, bool, error) {
	e, done, err := v.req.Test()
	if !done {
		return starlark.None, false, err
	}
	v.end()
	if err == nil {
		status.fill(e)
	}
	value, err := received(e.Value, err)
	return value, true, err
}

func requestWait(c *call) (starlark.Value, error) {
	status, err := c.status(0)
	if err != nil {
		return nil, err
	}
	return c.self.(*Request).wait(status)
}

func requestWaitDone(c *call) (starlark.Value, error) {
	_, err := requestWait(c)
	return starlark.True, err
}

func requestTest(c *call) (starlark.Value, error) {
	status, err := c.status(0)
	if err != nil {
		return nil, err
	}
	v, done, err := c.self.(*Request).test(status)
	return starlark.Tuple{starlark.Bool(done), v}, err
}

func requestTestDone(c *call) (starlark.Value, error) {
	v, err := requestTest(c)
	if err != nil {
		return nil, err
	}
	return v.(starlark.Tuple)[0], nil
}
