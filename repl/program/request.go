package program

import (
	"cmp"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// Request is a nonblocking operation as programs see it; completing it makes the handle REQUEST_NULL.
type Request struct {
	r   *Rank
	req *engine.Request // nil: REQUEST_NULL

	transfer *Transfer // whose buffers get what arrives; nil: the completing call returns it
	open     *Open
	copies   *copies // nil while there is one handle
}

// completed is end, and puts what arrived into the buffer of the request.
func (v *Request) completed(e *engine.Envelope) error {
	if v.req == nil {
		return nil
	}
	t := v.transfer
	if !v.req.Persistent() {
		v.end()
	}
	if t == nil {
		return nil
	}
	value := e.Value
	e.Value = nil
	return v.r.raise(t.deliver(value))
}

// newRequest returns a handle of a request, which the program should complete.
func (r *Rank) newRequest(req *engine.Request) *Request {
	return &Request{r: r, req: req, open: r.openedBy("request", req.Call())}
}

// end makes the handle REQUEST_NULL.
func (v *Request) end() {
	if v.req != nil {
		v.req = nil
		v.open.closed()
		v.copies.ended(v, v.r)
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
	method("Waitsome", "requests, statuses=None", engine.CallWaitsome,
		"wait until one is complete; the indices of all that are, or None without requests", requestSome(engine.Waitsome)).isStatic(),
	method("waitsome", "requests, statuses=None", engine.CallWaitsome,
		"wait until one is complete; (the indices of all that are, the values received)", requestSomeValues(engine.Waitsome)).isStatic(),
	method("Testsome", "requests, statuses=None", engine.CallTestsome,
		"the indices of all that are complete, or None without requests", requestSome(engine.Testsome)).isStatic(),
	method("testsome", "requests, statuses=None", engine.CallTestsome,
		"(the indices of all that are complete, the values received)", requestSomeValues(engine.Testsome)).isStatic(),
	method("Get_status", "status=None", engine.CallRequestStatus, "whether it is complete, which does not end it", requestStatus),
	method("get_status", "status=None", engine.CallRequestStatus, "whether it is complete, which does not end it", requestStatus),
	method("Get_status_all", "requests, statuses=None", engine.CallRequestStatusAll,
		"whether all are complete, which does not end them", requestStatusAll).isStatic(),
	method("get_status_all", "requests, statuses=None", engine.CallRequestStatusAll,
		"whether all are complete, which does not end them", requestStatusAll).isStatic(),
	method("Get_status_any", "requests, status=None", engine.CallRequestStatusAny,
		"(index of one that is complete, whether there is one), which does not end it", requestStatusAny).isStatic(),
	method("get_status_any", "requests, status=None", engine.CallRequestStatusAny,
		"(index of one that is complete, whether there is one), which does not end it", requestStatusAny).isStatic(),
	method("Get_status_some", "requests, statuses=None", engine.CallRequestStatusSome,
		"the indices of all that are complete, which does not end them", requestStatusSome).isStatic(),
	method("get_status_some", "requests, statuses=None", engine.CallRequestStatusSome,
		"the indices of all that are complete, which does not end them", requestStatusSome).isStatic(),
	method("Start", "", engine.CallStart, "start the operation of a persistent request",
		func(c *call) (starlark.Value, error) { return nothing(c.self.(*Request).req.Start()) }),
	method("Startall", "requests", engine.CallStartall, "start the operations of persistent requests", requestStartall).isStatic(),
	method("Cancel", "", engine.CallCancel, "cancel a receive or a synchronous send, unless it has met its other side", requestCancel),
	method("cancel", "", engine.CallCancel, "cancel a receive or a synchronous send, unless it has met its other side", requestCancel),
	method("Free", "", engine.CallRequestFree, "give the handle up; the operation goes on", requestFree),
	method("free", "", engine.CallRequestFree, "Free, unless it is REQUEST_NULL", freeing(requestFree)),
)

func (v *Request) String() string {
	switch {
	case v.copies.stale(v):
		return "<Request, ended>"
	case v.req == nil:
		return "<Request MPI_REQUEST_NULL>"
	}
	return "<" + v.Type() + ">"
}

// Type is mpi4py's name of the type.
func (v *Request) Type() string {
	if v.req.Persistent() {
		return "Prequest"
	}
	return "Request"
}
func (v *Request) Freeze()               {}
func (v *Request) Truth() starlark.Bool  { return v.req != nil }
func (v *Request) Hash() (uint32, error) { return 0, nil }

func (v *Request) Attr(name string) (starlark.Value, error) { return requestClass.attr(v.r, v, name) }
func (v *Request) AttrNames() []string                      { return requestClass.listed(v.r) }

// CompareSameType compares handles.
func (v *Request) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, v.req == other.(*Request).req, "requests")
}

// wait waits until the operation is complete, and returns the value received, None for a send.
func (v *Request) wait(status *Status) (starlark.Value, error) {
	e, err := v.req.Wait()
	if err == nil {
		status.fill(e)
	}
	err = cmp.Or(err, v.completed(&e))
	return received(e.Value, err)
}

// test completes the operation if it can, and returns the value received and whether the operation is complete.
func (v *Request) test(status *Status) (starlark.Value, bool, error) {
	e, done, err := v.req.Test()
	if !done {
		return starlark.None, false, err
	}
	if err == nil {
		status.fill(e)
	}
	err = cmp.Or(err, v.completed(&e))
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

// requests reads a sequence of requests; the engine's request is nil for REQUEST_NULL.
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
		if err := req.staleIn(c.fn.call); err != nil {
			return nil, nil, err
		}
		list = append(list, req)
		engines = append(engines, req.req)
	}
	return list, engines, nil
}

// waitall waits for all requests and returns the values received.
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
	if err == nil {
		err = fill(all)
	}
	for i, e := range all {
		err = cmp.Or(err, list[i].completed(&e))
		values[i] = e.Value
	}
	return receivedList(values, err)
}

func requestWaitallValues(c *call) (starlark.Value, error) { return c.waitall() }

func requestWaitall(c *call) (starlark.Value, error) {
	_, err := c.waitall()
	return starlark.True, err
}

// testall completes all requests if all can complete, otherwise none.
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

// waitany waits until one request is complete, and returns its index and the value received.
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
	if err == nil {
		status.fill(e)
	}
	if i >= 0 {
		err = cmp.Or(err, list[i].completed(&e))
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

// testany completes one request if one can complete.
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
		status = nil // the status stays as it is
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

// some completes the requests that can complete; both results are None when there is no request.
func (c *call) some(end func([]*engine.Request) ([]int, []engine.Envelope, error)) (indices, values starlark.Value, err error) {
	list, engines, err := c.requests(0)
	if err != nil {
		return nil, nil, err
	}
	fill, err := c.statuses(1)
	if err != nil {
		return nil, nil, err
	}
	at, all, err := end(engines)
	if at == nil {
		return starlark.None, starlark.None, err
	}
	ended := make([]*Request, len(at))
	for k, i := range at {
		ended[k] = list[i]
	}
	values, err = completed(ended, all, fill, err)
	return numbers(at), values, err
}

func requestSome(end func([]*engine.Request) ([]int, []engine.Envelope, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		indices, _, err := c.some(end)
		return indices, err
	}
}

func requestSomeValues(end func([]*engine.Request) ([]int, []engine.Envelope, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		indices, values, err := c.some(end)
		return starlark.Tuple{indices, values}, err
	}
}

func requestStatus(c *call) (starlark.Value, error) {
	status, err := c.status(0)
	if err != nil {
		return nil, err
	}
	e, done := c.self.(*Request).req.Status()
	if done {
		status.fill(e)
	}
	return starlark.Bool(done), nil
}

func requestStatusAll(c *call) (starlark.Value, error) {
	_, engines, err := c.requests(0)
	if err != nil {
		return nil, err
	}
	fill, err := c.statuses(1)
	if err != nil {
		return nil, err
	}
	all, done := engine.StatusAll(engines)
	if done {
		err = fill(all)
	}
	return starlark.Bool(done), err
}

func requestStatusAny(c *call) (starlark.Value, error) {
	_, engines, err := c.requests(0)
	if err != nil {
		return nil, err
	}
	status, err := c.status(1)
	if err != nil {
		return nil, err
	}
	i, e, done := engine.StatusAny(engines)
	if done {
		status.fill(e)
	}
	return starlark.Tuple{starlark.MakeInt(i), starlark.Bool(done)}, nil
}

func requestStatusSome(c *call) (starlark.Value, error) {
	_, engines, err := c.requests(0)
	if err != nil {
		return nil, err
	}
	fill, err := c.statuses(1)
	if err != nil {
		return nil, err
	}
	at, all := engine.StatusSome(engines)
	if at == nil {
		return starlark.None, nil
	}
	return numbers(at), fill(all)
}

func requestStartall(c *call) (starlark.Value, error) {
	_, engines, err := c.requests(0)
	if err != nil {
		return nil, err
	}
	return nothing(engine.Startall(engines))
}

func requestCancel(c *call) (starlark.Value, error) { return nothing(c.self.(*Request).req.Cancel()) }

func requestFree(c *call) (starlark.Value, error) {
	v := c.self.(*Request)
	if err := v.req.CheckFree(); err != nil {
		return nil, err
	}
	v.end()
	return starlark.None, nil
}

// Status is a status object, which tells a program about a message (§3.2.5): a call fills it in.
type Status struct {
	r *Rank
	e engine.Envelope

	count, bytes int // of the message's elements, when it was sent from a buffer
}

var statusClass = newClass("Status", func(v starlark.Value) bool { _, ok := v.(*Status); return ok },
	property("source", engine.CallNone, "rank of the sender", statusSource),
	property("tag", engine.CallNone, "tag of the message", statusTag),
	property("error", engine.CallNone, "the error of the operation: SUCCESS", statusError),
	property("cancelled", engine.CallNone, "whether the operation was cancelled", statusCancelled),
	method("Get_error", "", engine.CallNone, "the error of the operation: SUCCESS", calling(statusError)),
	method("Is_cancelled", "", engine.CallNone, "whether the operation was cancelled", calling(statusCancelled)),
	method("Get_source", "", engine.CallNone, "rank of the sender", calling(statusSource)),
	method("Get_tag", "", engine.CallNone, "tag of the message", calling(statusTag)),
	method("Get_elements", "datatype", engine.CallNone, "how many elements of a datatype the message has", statusGetCount),
	method("Get_count", "datatype=None", engine.CallNone, "how many elements the message has; without a datatype, how many bytes", statusGetCount),
)

// String returns "<Status source=1 tag=7>".
func (v *Status) String() string {
	return fmt.Sprintf("<Status source=%d tag=%d>", v.e.Source, v.e.Tag)
}
func (v *Status) Type() string          { return "Status" }
func (v *Status) Freeze()               {}
func (v *Status) Truth() starlark.Bool  { return true }
func (v *Status) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: Status") }

func (v *Status) Attr(name string) (starlark.Value, error) { return statusClass.attr(v.r, v, name) }
func (v *Status) AttrNames() []string                      { return statusClass.listed(v.r) }

// newStatus returns a status without a message: its source is ANY_SOURCE and its tag ANY_TAG, as in mpi4py.
func newStatus(r *Rank) *Status {
	return &Status{r: r, e: engine.Envelope{Source: engine.AnySource, Tag: engine.AnyTag}}
}

func makeStatus(c *call) (starlark.Value, error) { return newStatus(c.r), nil }

func statusSource(_ *Rank, v starlark.Value) (starlark.Value, error) {
	return starlark.MakeInt(v.(*Status).e.Source), nil
}

func statusTag(_ *Rank, v starlark.Value) (starlark.Value, error) {
	return starlark.MakeInt(v.(*Status).e.Tag), nil
}

// statusError always returns SUCCESS: an operation that fails raises its error itself.
func statusError(*Rank, starlark.Value) (starlark.Value, error) {
	return starlark.MakeInt(int(engine.Success)), nil
}

// statusGetCount is MPI_Get_count; mpi4py's default datatype is MPI.BYTE.
func statusGetCount(c *call) (starlark.Value, error) {
	s, size := c.self.(*Status), 1
	if d, ok := c.args[0].(*Datatype); ok {
		size = d.elem.Bytes()
	} else if c.args[0] != starlark.None {
		return nil, c.wrong(0, "a datatype, such as MPI.INT")
	}
	if s.count < 0 {
		return nil, fmt.Errorf("%s: the message is an object, and how many bytes Python makes of it is not known here", c.fn.name)
	}
	if bytes := s.count * s.bytes; bytes%size == 0 {
		return starlark.MakeInt(bytes / size), nil
	}
	return starlark.MakeInt(engine.Undefined), nil
}

func statusCancelled(_ *Rank, v starlark.Value) (starlark.Value, error) {
	return starlark.Bool(v.(*Status).e.Cancelled), nil
}

// fill puts source, tag and cancellation of a message into the status. A nil status stands for None and stays nil.
func (v *Status) fill(e engine.Envelope) {
	if v != nil {
		v.e = engine.Envelope{Source: e.Source, Tag: e.Tag, Cancelled: e.Cancelled}
		v.count, v.bytes = 0, 1
		if b, ok := e.Value.(*Buffer); ok {
			v.count, v.bytes = b.Count(), b.elem.Bytes()
		} else if e.Value != nil {
			v.count = -1
		}
	}
}

// status reads a status; nil for None.
func (c *call) status(i int) (*Status, error) {
	if c.args[i] == starlark.None {
		return nil, nil
	}
	if v, ok := c.args[i].(*Status); ok {
		return v, nil
	}
	return nil, c.wrong(i, "a status, as from MPI.Status(), or None")
}

// statuses reads a list of statuses; fill fills in the list from the messages, as the method fill does. As in mpi4py,
// a list that is too short grows.
func (c *call) statuses(i int) (fill func([]engine.Envelope) error, err error) {
	if c.args[i] == starlark.None {
		return func([]engine.Envelope) error { return nil }, nil
	}
	list, ok := c.args[i].(*starlark.List)
	if !ok {
		return nil, c.wrong(i, "a list of statuses, or None")
	}
	for k := range list.Len() {
		if _, ok := list.Index(k).(*Status); !ok {
			return nil, fmt.Errorf("%s: an element of %s must be a status, not %s", c.fn.name, c.fn.params[i].name, describe(list.Index(k)))
		}
	}
	r := c.r
	return func(all []engine.Envelope) error {
		for list.Len() < len(all) {
			if err := list.Append(newStatus(r)); err != nil {
				return err
			}
		}
		for k, e := range all {
			list.Index(k).(*Status).fill(e)
		}
		return nil
	}, nil
}
