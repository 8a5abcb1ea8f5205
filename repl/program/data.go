package program

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

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
	return c.request(c.on().IsendAs(c.fn.call, v, dest, tag))
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
	return c.request(c.on().Irecv(source, tag))
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

// probed reads the arguments source, tag and status of a probe.
func (c *call) probed() (source, tag int, status *Status, err error) {
	err = c.read(0, &source, &tag, &status)
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

// Message is a message that a probe has matched, as programs see it; receiving it makes the handle MESSAGE_NULL.
type Message struct {
	r    *Rank
	m    *engine.Message // nil: MESSAGE_NULL
	open *Open

	constant bool // MESSAGE_NO_PROC, written as a constant
}

// noProcMessage is MESSAGE_NO_PROC.
var noProcMessage = &engine.Message{}

var messageClass = newClass("Message", func(v starlark.Value) bool { _, ok := v.(*Message); return ok },
	method("Probe", "comm, source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallMprobe,
		"wait for a message, which only the returned handle can receive", onComm(commMprobe)).isStatic().also("probe"),
	method("Iprobe", "comm, source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallImprobe,
		"a message that has arrived, which only the returned handle can receive, or None", onComm(commImprobe)).isStatic().also("iprobe"),
	method("recv", "status=None", engine.CallMrecv, "receive the message; its value", messageRecv),
	method("irecv", "", engine.CallImrecv, "receive the message; a request", messageIrecv),
	method("free", "", engine.CallNone, "no message: it has been received", func(*call) (starlark.Value, error) { return starlark.None, nil }),
)

func (v *Message) String() string {
	switch {
	case v.m == nil:
		return "<Message MPI_MESSAGE_NULL>"
	case v.m.IsNoProc():
		return "<Message MPI_MESSAGE_NO_PROC>"
	}
	return "<Message>"
}

// Type is mpi4py's name of the type.
func (v *Message) Type() string          { return "Message" }
func (v *Message) Freeze()               {}
func (v *Message) Truth() starlark.Bool  { return v.m != nil }
func (v *Message) Hash() (uint32, error) { return 0, nil }

func (v *Message) Attr(name string) (starlark.Value, error) { return messageClass.attr(v.r, v, name) }
func (v *Message) AttrNames() []string                      { return messageClass.listed(v.r) }

// CompareSameType compares handles.
func (v *Message) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	w := other.(*Message)
	return sameHandle(op, v.m == w.m || v.m.IsNoProc() && w.m.IsNoProc(), "messages")
}

// onComm makes a static method of Message from a method of communicators: its first argument is the communicator.
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

func commMprobe(c *call) (starlark.Value, error) {
	source, tag, status, err := c.probed()
	if err != nil {
		return nil, err
	}
	m, e, err := c.on().Mprobe(source, tag)
	if err != nil {
		return nil, err
	}
	return c.matched(m, e, status), nil
}

func commImprobe(c *call) (starlark.Value, error) {
	source, tag, status, err := c.probed()
	if err != nil {
		return nil, err
	}
	m, e, err := c.on().Improbe(source, tag)
	if m == nil || err != nil {
		return starlark.None, err
	}
	return c.matched(m, e, status), nil
}

// matched fills in the status, and returns the handle of the message, which the program should receive.
func (c *call) matched(m *engine.Message, e engine.Envelope, status *Status) *Message {
	status.fill(e)
	if m.IsNoProc() {
		return &Message{r: c.r, m: m}
	}
	return &Message{r: c.r, m: m, open: c.r.openedBy("message", c.fn.call)}
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

func messageRecv(c *call) (starlark.Value, error) {
	status, err := c.status(0)
	if err != nil {
		return nil, err
	}
	v := c.self.(*Message)
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

func messageIrecv(c *call) (starlark.Value, error) {
	v := c.self.(*Message)
	if v.m.IsNoProc() {
		v.gone()
		return c.request(c.r.P.Self().Irecv(engine.ProcNull, engine.AnyTag))
	}
	return c.request(v.take().Irecv())
}

// gone makes the handle MESSAGE_NULL, unless it is the constant MESSAGE_NO_PROC.
func (v *Message) gone() {
	if !v.constant {
		v.m = nil
	}
}
