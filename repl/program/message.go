package program

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

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
	"Probe":  onComm(commMprobe),
	"Iprobe": onComm(commImprobe),
	"recv":   messageRecv,
	"irecv":  messageIrecv,
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

// Type is mpi4py's name of the type.
func (v *Message) Type() string         { return "Message" }
func (v *Message) Truth() starlark.Bool { return v.m != nil }

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
	return c.match((*engine.Comm).Mprobe)
}

func commImprobe(c *call) (starlark.Value, error) {
	return c.match((*engine.Comm).Improbe)
}

// match probes for a message. It fills in the status, and returns the handle of the message, which the program should
// receive; None for no message.
func (c *call) match(probe func(on *engine.Comm, source, tag int) (*engine.Message, engine.Envelope, error)) (starlark.Value, error) {
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
		req, err := c.r.P.Self().Irecv(engine.ProcNull, engine.AnyTag)
		return ended(c, req, err)
	}
	req, err := v.take().Irecv()
	return ended(c, req, err)
}

// gone makes the handle MESSAGE_NULL, unless it is the constant MESSAGE_NO_PROC.
func (v *Message) gone() {
	if !v.constant {
		v.m = nil
	}
}
