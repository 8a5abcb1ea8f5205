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
	plainValue
	r   *Rank
	req *engine.Request // nil: REQUEST_NULL

	transfer *Transfer // whose buffers get what arrives; nil: the completing call returns it
	open     *Open
	copies   *copies // nil while there is one handle
}

// completed ends a request that a call has completed, and puts what arrived into the buffer of the request.
func (v *Request) completed(call engine.Call, e *engine.Envelope) error {
	if v.req == nil {
		return nil
	}
	t, req := v.transfer, v.req
	if !req.Persistent() {
		v.end()
	}
	if t == nil {
		return nil
	}
	changed := t.active && t.held() != t.begun
	if t.active = false; changed {
		return v.r.raise(req.Changed(call))
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

var requestClass = newClass("Request", isA[*Request], rows("Request", map[string]any{
	"wait":            of1((*Request).wait),
	"Wait":            done(of1((*Request).wait)),
	"test":            of1((*Request).test),
	"Test":            leading(1, of1((*Request).test)),
	"waitall":         ofSeveral(requestWaitall),
	"Waitall":         done(ofSeveral(requestWaitall)),
	"testall":         ofSeveral(requestTestall),
	"Testall":         leading(1, ofSeveral(requestTestall)),
	"waitany":         ofSeveral(requestWaitany),
	"Waitany":         leading(1, ofSeveral(requestWaitany)),
	"testany":         ofSeveral(requestTestany),
	"Testany":         leading(2, ofSeveral(requestTestany)),
	"waitsome":        ofSeveral(requestSome(engine.Waitsome)),
	"Waitsome":        leading(1, ofSeveral(requestSome(engine.Waitsome))),
	"testsome":        ofSeveral(requestSome(engine.Testsome)),
	"Testsome":        leading(1, ofSeveral(requestSome(engine.Testsome))),
	"Get_status":      of1((*Request).status),
	"Get_status_all":  ofSeveral(requestStatusAll),
	"Get_status_any":  ofSeveral(requestStatusAny),
	"Get_status_some": ofSeveral(requestStatusSome),
	"Start":           do0((*Request).start),
	"Startall":        ofSeveral(requestStartall),
	"Cancel":          do0((*engine.Request).Cancel),
	"Free":            do0((*Request).free),
	"free":            freeing(do0((*Request).free)),
}))

func (v *Request) String() string {
	switch {
	case v.copies.stale(v):
		return "<Request, ended>"
	case v.req == nil:
		return "<Request MPI_REQUEST_NULL>"
	}
	return "<" + v.Type() + ">"
}

// Type returns mpi4py's name of the type.
func (v *Request) Type() string {
	if v.req.Persistent() {
		return "Prequest"
	}
	return "Request"
}
func (v *Request) Truth() starlark.Bool { return v.req != nil }

func (v *Request) Attr(name string) (starlark.Value, error) { return requestClass.attr(v.r, v, name) }
func (v *Request) AttrNames() []string                      { return requestClass.listed(v.r) }

// CompareSameType compares handles.
func (v *Request) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, v.req == other.(*Request).req, "requests")
}

// done makes a method that waits return True in place of what was received.
func done(wait func(*call) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		_, err := wait(c)
		return starlark.True, err
	}
}

// leading makes a method return the first n elements of what run returns; if n is 1, the element itself.
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

func (v *Request) wait(status *Status) (starlark.Value, error) {
	e, err := v.req.Wait()
	return v.finished(engine.CallWait, e, status, err)
}

// finished fills in the status of a completed operation, and returns the value received, None for a send.
func (v *Request) finished(call engine.Call, e engine.Envelope, status *Status, err error) (starlark.Value, error) {
	if err == nil {
		status.fill(e)
	}
	err = cmp.Or(err, v.completed(call, &e))
	return received(e.Value, err)
}

func (v *Request) test(status *Status) (starlark.Tuple, error) {
	value := starlark.Value(starlark.None)
	e, done, err := v.req.Test()
	if done {
		value, err = v.finished(engine.CallTest, e, status, err)
	}
	return starlark.Tuple{starlark.Bool(done), value}, err
}

// several has the requests of a call, and the statuses that the call fills in.
type several struct {
	call    engine.Call
	list    []*Request
	engines []*engine.Request // nil in it for REQUEST_NULL
	status  *Status
	fill    func([]engine.Envelope) error // fills in the statuses
}

// several reads a sequence of requests and their status or statuses.
func (c *call) several() (s several, err error) {
	s.call = c.fn.call
	all, err := c.elements(0, "a list of requests")
	if err != nil {
		return s, err
	}
	for _, v := range all {
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

// ofSeveral turns a function of several requests into a method.
func ofSeveral(run func(*several) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		s, err := c.several()
		if err != nil {
			return nil, err
		}
		return run(&s)
	}
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
		err = cmp.Or(err, s.list[i].completed(s.call, &e))
		values[k] = e.Value
	}
	return received(values, err)
}

func requestWaitall(s *several) (starlark.Value, error) {
	all, err := engine.Waitall(s.engines)
	return s.completed(nil, all, err)
}

// requestTestall completes all requests if all can complete, otherwise none.
func requestTestall(s *several) (starlark.Value, error) {
	values := starlark.Value(starlark.None)
	all, done, err := engine.Testall(s.engines)
	if done {
		values, err = s.completed(nil, all, err)
	}
	return starlark.Tuple{starlark.Bool(done), values}, err
}

// ended completes request i, and returns the value received. A negative i stands for no request.
func (s *several) ended(i int, e engine.Envelope, err error) (starlark.Value, error) {
	if i < 0 {
		if err == nil {
			s.status.fill(e)
		}
		return received(e.Value, err)
	}
	return s.list[i].finished(s.call, e, s.status, err)
}

func requestWaitany(s *several) (starlark.Value, error) {
	i, e, err := engine.Waitany(s.engines)
	value, err := s.ended(i, e, err)
	return starlark.Tuple{starlark.MakeInt(i), value}, err
}

// requestTestany completes one request if one can complete.
func requestTestany(s *several) (starlark.Value, error) {
	i, e, ok, err := engine.Testany(s.engines)
	if !ok {
		s.status = nil // the status stays as it is
	}
	value, err := s.ended(i, e, err)
	return starlark.Tuple{starlark.MakeInt(i), starlark.Bool(ok), value}, err
}

// requestSome completes the requests that can complete; both results are None when there is no request.
func requestSome(end func([]*engine.Request) ([]int, []engine.Envelope, error)) func(*several) (starlark.Value, error) {
	return func(s *several) (starlark.Value, error) {
		at, all, err := end(s.engines)
		if at == nil {
			return starlark.Tuple{starlark.None, starlark.None}, err
		}
		values, err := s.completed(at, all, err)
		return starlark.Tuple{numbers(at), values}, err
	}
}

func (v *Request) status(status *Status) (bool, error) {
	e, done := v.req.Status()
	if done {
		status.fill(e)
	}
	return done, nil
}

func requestStatusAll(s *several) (starlark.Value, error) {
	all, done := engine.StatusAll(s.engines)
	if !done {
		return starlark.False, nil
	}
	return starlark.True, s.fill(all)
}

func requestStatusAny(s *several) (starlark.Value, error) {
	i, e, done := engine.StatusAny(s.engines)
	if done {
		s.status.fill(e)
	}
	return starlark.Tuple{starlark.MakeInt(i), starlark.Bool(done)}, nil
}

func requestStatusSome(s *several) (starlark.Value, error) {
	at, all := engine.StatusSome(s.engines)
	if at == nil {
		return starlark.None, nil
	}
	return numbers(at), s.fill(all)
}

func (v *Request) start() error {
	v.begin()
	return v.req.Start()
}

func requestStartall(s *several) (starlark.Value, error) {
	for _, v := range s.list {
		v.begin()
	}
	return nothing(engine.Startall(s.engines))
}

// begin notes what the buffers of a persistent request hold when it is started.
func (v *Request) begin() {
	if v.transfer != nil && !v.transfer.active {
		v.transfer.begin()
	}
}

func (v *Request) free() error {
	err := v.req.CheckFree()
	if err == nil {
		v.end()
	}
	return err
}

// Status is a status object, which tells a program about a message (§3.2.5): a call fills it in.
type Status struct {
	plainValue
	r *Rank
	e engine.Envelope

	count, bytes int // of the message's elements, when it was sent from a buffer
}

var statusClass = newClass("Status", isA[*Status], rows("Status", map[string]any{
	"source":                 ofStatus(func(e engine.Envelope) any { return e.Source }),
	"tag":                    ofStatus(func(e engine.Envelope) any { return e.Tag }),
	"error":                  ofStatus(func(engine.Envelope) any { return engine.Success }),
	"cancelled":              ofStatus(func(e engine.Envelope) any { return e.Cancelled }),
	"Get_elements Get_count": statusGetCount,
}))

// String returns "<Status source=1 tag=7>".
func (v *Status) String() string {
	return fmt.Sprintf("<Status source=%d tag=%d>", v.e.Source, v.e.Tag)
}
func (v *Status) Type() string          { return "Status" }
func (v *Status) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: Status") }

func (v *Status) Attr(name string) (starlark.Value, error) { return statusClass.attr(v.r, v, name) }
func (v *Status) AttrNames() []string                      { return statusClass.listed(v.r) }

// newStatus returns a status without a message: its source is ANY_SOURCE and its tag ANY_TAG, as in mpi4py.
func newStatus(r *Rank) *Status {
	return &Status{r: r, e: engine.Envelope{Source: engine.AnySource, Tag: engine.AnyTag}}
}

// ofStatus turns a value of an envelope into a property.
func ofStatus(what func(engine.Envelope) any) func(*Rank, starlark.Value) (starlark.Value, error) {
	return func(r *Rank, v starlark.Value) (starlark.Value, error) {
		return r.made(what(v.(*Status).e), engine.CallNone), nil
	}
}

// statusGetCount carries out MPI_Get_count; mpi4py's default datatype is MPI.BYTE.
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

// fill puts source, tag and cancellation of a message into the status. A nil status stands for None and stays nil.
func (v *Status) fill(e engine.Envelope) {
	if v != nil {
		v.e = engine.Envelope{Source: e.Source, Tag: e.Tag, Cancelled: e.Cancelled}
		v.count, v.bytes = 0, 1
		if b, ok := e.Value.(*Buffer); ok {
			if v.count, v.bytes = b.Count(), b.elem.Bytes(); b.elems != nil || b.bytes > 0 {
				v.count, v.bytes = b.Bytes(), 1
			}
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

// statuses reads a list of statuses. fill fills in the list, a status for each message. As in mpi4py, a list that is
// too short grows.
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

// Message is a message that a probe has matched, as programs see it; receiving it makes the handle MESSAGE_NULL.
type Message struct {
	plainValue
	r    *Rank
	m    *engine.Message // nil: MESSAGE_NULL
	open *Open

	constant bool // MESSAGE_NO_PROC, written as a constant
}

// noProcMessage is MESSAGE_NO_PROC.
var noProcMessage = &engine.Message{}

var messageClass = newClass("Message", isA[*Message], rows("Message", map[string]any{
	"Probe":  onComm(matching((*engine.Comm).Mprobe)),
	"Iprobe": onComm(matching((*engine.Comm).Improbe)),
	"recv":   of1((*Message).recv),
	"irecv":  of0((*Message).irecv),
	"free":   always(starlark.None),
}))

func (v *Message) String() string {
	switch {
	case v.m == nil:
		return "<Message MPI_MESSAGE_NULL>"
	case v.m.IsNoProc():
		return "<Message MPI_MESSAGE_NO_PROC>"
	}
	return "<Message>"
}

// Type returns mpi4py's name of the type.
func (v *Message) Type() string         { return "Message" }
func (v *Message) Truth() starlark.Bool { return v.m != nil }

func (v *Message) Attr(name string) (starlark.Value, error) { return messageClass.attr(v.r, v, name) }
func (v *Message) AttrNames() []string                      { return messageClass.listed(v.r) }

// CompareSameType compares handles.
func (v *Message) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	w := other.(*Message)
	return sameHandle(op, v.m == w.m || v.m.IsNoProc() && w.m.IsNoProc(), "messages")
}

// onComm turns a method of communicators into a static method of Message, whose first argument is the communicator.
func onComm(run func(*call) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		if _, err := c.comm(0); err != nil {
			return nil, err
		}
		c.self = c.args[0]
		copy(c.args[:], c.args[1:])
		return run(c)
	}
}

// matching makes a function that probes for a message. It fills in the status, and returns the handle of the message,
// which the program should receive; None for no message.
func matching(probe func(on *engine.Comm, source, tag int) (*engine.Message, engine.Envelope, error)) method {
	return func(c *call) (starlark.Value, error) {
		var source, tag int
		var status *Status
		if err := c.read(0, &source, &tag, &status); err != nil {
			return nil, err
		}
		m, e, err := probe(c.on(), source, tag)
		if m == nil || err != nil {
			return starlark.None, err
		}
		status.fill(e)
		if m.IsNoProc() {
			return &Message{r: c.r, m: m}, nil
		}
		return &Message{r: c.r, m: m, open: c.r.openedBy("message", c.fn.call)}, nil
	}
}

// take returns the message and makes the handle MESSAGE_NULL.
func (v *Message) take() *engine.Message {
	m := v.m
	if m != nil {
		v.open.closed()
		v.m = nil
	}
	return m
}

func (v *Message) recv(status *Status) (starlark.Value, error) {
	if v.m.IsNoProc() {
		status.fill(engine.Envelope{Source: engine.ProcNull, Tag: engine.AnyTag})
		v.gone()
		return starlark.None, nil
	}
	e, err := v.take().Recv()
	if err != nil {
		return nil, err
	}
	status.fill(e)
	return unpack(e.Value), nil
}

func (v *Message) irecv() (*engine.Request, error) {
	if v.m.IsNoProc() {
		v.gone()
		return v.r.P.Self().Irecv(engine.ProcNull, engine.AnyTag)
	}
	return v.take().Irecv()
}

// gone makes the handle MESSAGE_NULL, unless it is the constant MESSAGE_NO_PROC.
func (v *Message) gone() {
	if !v.constant {
		v.m = nil
	}
}
