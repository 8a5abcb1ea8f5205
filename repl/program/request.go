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
	method("wait", "status=None", engine.CallWait, "wait until the request is complete; the value received", requestWait),
	method("test", "status=None", engine.CallTest, "(whether the request is complete, the value received)", requestTest),
	method("Wait", "status=None", engine.CallWait, "wait until the request is complete; True", done(requestWait)),
	method("Test", "status=None", engine.CallTest, "whether the request is complete", leading(1, requestTest)),
	method("Waitall", "requests, statuses=None", engine.CallWaitall, "wait until all are complete; True", done(requestWaitall)).isStatic(),
	method("waitall", "requests, statuses=None", engine.CallWaitall,
		"wait until all are complete; the values received", requestWaitall).isStatic(),
	method("Testall", "requests, statuses=None", engine.CallTestall, "whether all are complete", leading(1, requestTestall)).isStatic(),
	method("testall", "requests, statuses=None", engine.CallTestall,
		"(whether all are complete, the values received)", requestTestall).isStatic(),
	method("Waitany", "requests, status=None", engine.CallWaitany,
		"wait until one is complete; its index", leading(1, requestWaitany)).isStatic(),
	method("waitany", "requests, status=None", engine.CallWaitany,
		"wait until one is complete; (its index, the value received)", requestWaitany).isStatic(),
	method("Testany", "requests, status=None", engine.CallTestany,
		"(index of one that is complete, whether there is one)", leading(2, requestTestany)).isStatic(),
	method("testany", "requests, status=None", engine.CallTestany,
		"(index of one that is complete, whether there is one, the value received)", requestTestany).isStatic(),
	method("Waitsome", "requests, statuses=None", engine.CallWaitsome, "wait until one is complete; the indices of all that are, or None without requests",
		leading(1, requestSome(engine.Waitsome))).isStatic(),
	method("waitsome", "requests, statuses=None", engine.CallWaitsome,
		"wait until one is complete; (the indices of all that are, the values received)", requestSome(engine.Waitsome)).isStatic(),
	method("Testsome", "requests, statuses=None", engine.CallTestsome,
		"the indices of all that are complete, or None without requests", leading(1, requestSome(engine.Testsome))).isStatic(),
	method("testsome", "requests, statuses=None", engine.CallTestsome,
		"(the indices of all that are complete, the values received)", requestSome(engine.Testsome)).isStatic(),
	method("Get_status", "status=None", engine.CallRequestStatus,
		"whether the request is complete; the request stays", requestStatus).also("get_status"),
	method("Get_status_all", "requests, statuses=None", engine.CallRequestStatusAll,
		"whether all are complete; the requests stay", requestStatusAll).isStatic().also("get_status_all"),
	method("Get_status_any", "requests, status=None", engine.CallRequestStatusAny,
		"(index of one that is complete, whether there is one); the request stays",
		requestStatusAny).isStatic().also("get_status_any"),
	method("Get_status_some", "requests, statuses=None", engine.CallRequestStatusSome,
		"the indices of all that are complete; the requests stay", requestStatusSome).isStatic().also("get_status_some"),
	method("Start", "", engine.CallStart, "start the operation of a persistent request", do0((*engine.Request).Start)),
	method("Startall", "requests", engine.CallStartall, "start the operations of persistent requests", requestStartall).isStatic(),
	method("Cancel", "", engine.CallCancel, "cancel a receive or a synchronous send, unless it has been matched",
		do0((*engine.Request).Cancel)).also("cancel"),
	method("Free", "", engine.CallRequestFree, "free the handle; the operation goes on",
		requestFree).free("Free, unless it is REQUEST_NULL"),
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

// done makes a method that waits give True in place of what was received.
func done(wait func(*call) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		_, err := wait(c)
		return starlark.True, err
	}
}

// leading makes a method give the first n elements of what run gives; of one, the element.
func leading(n int, run func(*call) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		v, err := run(c)
		switch {
		case err != nil:
			return nil, err
		case n == 1:
			return v.(starlark.Tuple)[0], nil
		}
		return v.(starlark.Tuple)[:n], nil
	}
}

func requestWait(c *call) (starlark.Value, error) {
	status, err := c.status(0)
	if err != nil {
		return nil, err
	}
	v := c.self.(*Request)
	e, err := v.req.Wait()
	return v.finished(e, status, err)
}

// finished fills in the status of a completed operation, and returns the value received, None for a send.
func (v *Request) finished(e engine.Envelope, status *Status, err error) (starlark.Value, error) {
	if err == nil {
		status.fill(e)
	}
	err = cmp.Or(err, v.completed(&e))
	return received(e.Value, err)
}

func requestTest(c *call) (starlark.Value, error) {
	status, err := c.status(0)
	if err != nil {
		return nil, err
	}
	v, value := c.self.(*Request), starlark.Value(starlark.None)
	e, done, err := v.req.Test()
	if done {
		value, err = v.finished(e, status, err)
	}
	return starlark.Tuple{starlark.Bool(done), value}, err
}

// several is requests, and what is told of their completion.
type several struct {
	list    []*Request
	engines []*engine.Request // nil in it for REQUEST_NULL
	status  *Status
	fill    func([]engine.Envelope) error // fills in the statuses
}

// several reads a sequence of requests and a status, or the statuses, of them.
func (c *call) several() (s several, err error) {
	seq, ok := c.args[0].(starlark.Iterable)
	if !ok {
		return s, c.wrong(0, "a list of requests")
	}
	for v := range starlark.Elements(seq) {
		req, ok := v.(*Request)
		if !ok {
			return s, c.wrongElement(0, "a request", v)
		}
		if err := req.staleIn(c.fn.call); err != nil {
			return s, err
		}
		s.list = append(s.list, req)
		s.engines = append(s.engines, req.req)
	}
	switch {
	case len(c.fn.params) == 1: // Startall
	case c.fn.params[1].name == "status":
		s.status, err = c.status(1)
	default:
		s.fill, err = c.statuses(1)
	}
	return s, err
}

// completed ends the requests with those indices, and returns the values received.
func (s *several) completed(at []int, all []engine.Envelope, err error) (starlark.Value, error) {
	values := make([]any, len(all))
	if err == nil {
		err = s.fill(all)
	}
	for k, e := range all {
		i := k
		if at != nil {
			i = at[k]
		}
		err = cmp.Or(err, s.list[i].completed(&e))
		values[k] = e.Value
	}
	return receivedList(values, err)
}

func requestWaitall(c *call) (starlark.Value, error) {
	s, err := c.several()
	if err != nil {
		return nil, err
	}
	all, err := engine.Waitall(s.engines)
	return s.completed(nil, all, err)
}

// requestTestall completes all requests if all can complete, otherwise none.
func requestTestall(c *call) (starlark.Value, error) {
	s, err := c.several()
	if err != nil {
		return nil, err
	}
	values := starlark.Value(starlark.None)
	all, done, err := engine.Testall(s.engines)
	if done {
		values, err = s.completed(nil, all, err)
	}
	return starlark.Tuple{starlark.Bool(done), values}, err
}

// ended completes one request, none where i is negative, and returns the value received.
func (s *several) ended(i int, e engine.Envelope, err error) (starlark.Value, error) {
	if i < 0 {
		if err == nil {
			s.status.fill(e)
		}
		return received(e.Value, err)
	}
	return s.list[i].finished(e, s.status, err)
}

func requestWaitany(c *call) (starlark.Value, error) {
	s, err := c.several()
	if err != nil {
		return nil, err
	}
	i, e, err := engine.Waitany(s.engines)
	value, err := s.ended(i, e, err)
	return starlark.Tuple{starlark.MakeInt(i), value}, err
}

// requestTestany completes one request if one can complete.
func requestTestany(c *call) (starlark.Value, error) {
	s, err := c.several()
	if err != nil {
		return nil, err
	}
	i, e, ok, err := engine.Testany(s.engines)
	if !ok {
		s.status = nil // the status stays as it is
	}
	value, err := s.ended(i, e, err)
	return starlark.Tuple{starlark.MakeInt(i), starlark.Bool(ok), value}, err
}

// requestSome completes the requests that can complete; both results are None when there is no request.
func requestSome(end func([]*engine.Request) ([]int, []engine.Envelope, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		s, err := c.several()
		if err != nil {
			return nil, err
		}
		at, all, err := end(s.engines)
		if at == nil {
			return starlark.Tuple{starlark.None, starlark.None}, err
		}
		values, err := s.completed(at, all, err)
		return starlark.Tuple{numbers(at), values}, err
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
	s, err := c.several()
	if err != nil {
		return nil, err
	}
	all, done := engine.StatusAll(s.engines)
	if done {
		err = s.fill(all)
	}
	return starlark.Bool(done), err
}

func requestStatusAny(c *call) (starlark.Value, error) {
	s, err := c.several()
	if err != nil {
		return nil, err
	}
	i, e, done := engine.StatusAny(s.engines)
	if done {
		s.status.fill(e)
	}
	return starlark.Tuple{starlark.MakeInt(i), starlark.Bool(done)}, nil
}

func requestStatusSome(c *call) (starlark.Value, error) {
	s, err := c.several()
	if err != nil {
		return nil, err
	}
	at, all := engine.StatusSome(s.engines)
	if at == nil {
		return starlark.None, nil
	}
	return numbers(at), s.fill(all)
}

func requestStartall(c *call) (starlark.Value, error) {
	s, err := c.several()
	if err != nil {
		return nil, err
	}
	return nothing(engine.Startall(s.engines))
}

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
	property("source", engine.CallNone, "rank of the sender", statusSource).called("Get_source"),
	property("tag", engine.CallNone, "tag of the message", statusTag).called("Get_tag"),
	property("error", engine.CallNone, "the error of the operation: SUCCESS", statusError).called("Get_error"),
	property("cancelled", engine.CallNone, "whether the operation was cancelled", statusCancelled).called("Is_cancelled"),
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
		return nil, fmt.Errorf("%s: the message is an object, whose size in bytes is not known here", c.fn.name)
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
			return nil, c.wrongElement(i, "a status", list.Index(k))
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
