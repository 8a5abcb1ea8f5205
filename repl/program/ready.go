package program

import (
	"errors"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// Ready is a call of MPI of which all is done but the call itself: its arguments are read, and its result is no
// value of a program yet. A rank that makes it needs so little stack that a million ranks can wait in it; other
// goroutines do the rest while the rank is idle.
type Ready struct {
	comm  *engine.Comm // the communicator that the call acts on; then, the communicator that it made
	info  *engine.Info
	call  engine.Call
	a, b  int32
	state readiness
}

type readiness uint8

const (
	notReady readiness = iota
	isReady
	isMade
)

// ready reads the arguments of the call on a communicator, and makes d the call. It reports whether it did: d stays as
// it is where the rank itself has to call the function, because it cannot be made ready, or an argument is wrong.
func (n *invocation) ready(x *frame, d *Ready) bool {
	a, r := n.method, x.r
	if a == nil {
		return false
	}
	v, err := n.recv(x)
	self, ok := v.(*Comm)
	if err != nil || !ok || self.c.Process() != r.P || r.wary || self.classWith(a.name) != commClass || a.exists(r.P.Std()) != nil {
		return false
	}
	c := r.newCall()
	c.r, c.fn, c.self = r, a, self
	ok = n.passed(x, c) && a.ready(c, d) == nil
	if c.done(); !ok {
		return false
	}
	r.followAll()
	d.comm, d.call, d.state = self.c, a.call, isReady
	return true
}

// passed gives the arguments to a call that is made ready. It reports whether all could be computed, and none is missing.
func (n *invocation) passed(x *frame, c *call) bool {
	for i, arg := range n.args {
		if arg == nil {
			continue
		}
		var err error
		if c.args[i], err = arg(x); err != nil {
			return false
		}
	}
	return c.bindDefaults() == nil
}

// methodToReady is the method of communicators that can be made ready with so many arguments; nil for others.
func methodToReady(name string, args int) *attribute {
	a := commClass.attrs[name]
	if a == nil || a.ready == nil || args > len(a.params) {
		return nil
	}
	return a
}

// IsReady reports whether the call is still to be made.
func (d *Ready) IsReady() bool { return d.state == isReady }

// IsMade reports whether the call has returned without an error.
func (d *Ready) IsMade() bool { return d.state == isMade }

// Make makes the call, on its rank.
func (d *Ready) Make() (err error) {
	switch d.call {
	case engine.CallSplit:
		d.comm, err = d.comm.Split(int(d.a), int(d.b))
	case engine.CallSplitType:
		d.comm, err = d.comm.SplitType(engine.SplitType(d.a), int(d.b), d.info)
	default:
		d.comm, err = d.comm.Dup()
	}
	if d.state = isMade; err != nil {
		d.state = notReady
	}
	return err
}

// Result is the value of the communicator that the call made on r.
func (d *Ready) Result(r *Rank) starlark.Value {
	if d.comm == nil {
		return r.null()
	}
	return &Comm{c: d.comm}
}

// null is the COMM_NULL that a constructor just returned.
func (r *Rank) null() starlark.Value { return r.remember(r.wrap(nil)) }

// Raise hands the error of a call that Make made to the error handler, as a function of MPI does.
func (r *Rank) Raise(err error) error { return r.raise(err) }

// onlyLocal reports whether a call only makes or fills an info object, which belongs to no process, and cannot fail:
// then any goroutine may make it while its rank is idle.
func onlyLocal(f *function, args []starlark.Value) bool {
	if f.attribute.call != engine.CallInfoCreate && f.attribute.call != engine.CallInfoSet {
		return false
	}
	for _, a := range args {
		if text, ok := starlark.AsString(a); !ok || text == "" || len(text) > engine.MaxInfoKey {
			return false
		}
	}
	return true
}

// errUnready says that the rank itself has to make a call.
var errUnready = errors.New("not ready")

// int32s are two arguments, i and j, that are C ints.
func (c *call) int32s(i, j int) (int32, int32, error) {
	a, b, err := c.ints(i, j)
	return int32(a), int32(b), err
}

// The functions that follow read the arguments of a call that is made ready.

func readySplit(c *call, d *Ready) (err error) {
	d.a, d.b, err = c.int32s(0, 1)
	return err
}

func readySplitType(c *call, d *Ready) (err error) {
	if d.a, d.b, err = c.int32s(0, 1); err == nil {
		d.info, err = c.info(2)
	}
	return err
}

func readyDup(c *call, _ *Ready) error {
	if c.args[0] != starlark.None {
		return errUnready
	}
	return nil
}
