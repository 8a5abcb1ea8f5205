package program

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// Errhandler is an error handler as programs see it: a handle, which Free makes ERRHANDLER_NULL.
type Errhandler struct {
	plainValue
	r        *Rank
	h        *engine.Errhandler // nil: ERRHANDLER_NULL
	open     *Open
	constant bool // a predefined handler, written as a constant
}

var errhandlerClass = newClass("Errhandler", isA[*Errhandler], rows("Errhandler", map[string]any{
	"Free": errhandlerFree, "free": freeing(errhandlerFree),
}))

// String returns "<Errhandler MPI_ERRORS_RETURN>".
func (v *Errhandler) String() string {
	if v.h == nil {
		return "<Errhandler MPI_ERRHANDLER_NULL>"
	}
	return "<Errhandler " + v.h.String() + ">"
}

func (v *Errhandler) Attr(name string) (starlark.Value, error) {
	return errhandlerClass.attr(v.r, v, name)
}
func (v *Errhandler) AttrNames() []string { return errhandlerClass.listed(v.r) }

func (v *Errhandler) Type() string         { return "Errhandler" }
func (v *Errhandler) Truth() starlark.Bool { return v.h != nil }

// CompareSameType compares handles.
func (v *Errhandler) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, v.h == other.(*Errhandler).h, "error handlers")
}

// errhandler reads an error handler. None, where it is the default, is ERRORS_RETURN: mpi4py raises errors as exceptions.
func (c *call) errhandler(i int) (*engine.Errhandler, error) {
	may := ""
	if c.fn.params[i].dflt != nil {
		if may = ", or None"; c.args[i] == starlark.None {
			return engine.ErrorsReturn, nil
		}
	}
	if v, ok := c.args[i].(*Errhandler); ok {
		return v.h, nil
	}
	return nil, c.wrong(i, "an error handler, such as MPI.ERRORS_RETURN"+may)
}

// callErrhandler invokes the error handler of a communicator or a session.
func callErrhandler[S interface{ CallErrhandler(engine.Class) error }](c *call) (starlark.Value, error) {
	class, err := c.class(0)
	if err != nil {
		return nil, err
	}
	return nothing(object[S](c.r, c.self).CallErrhandler(class))
}

// createErrhandler makes an error handler from a function. As in mpi4py, the call that failed raises its error when the
// function has returned.
func createErrhandler(c *call) (starlark.Value, error) {
	fn, err := c.handlerFunction("(comm, errorcode)")
	if err != nil {
		return nil, err
	}
	r := c.r
	return r.newErrhandler(r.P.CreateErrhandler(func(comm *engine.Comm, e *engine.Error) error {
		v := r.wrap(comm)
		defer func() { v.c = nil }()
		return r.callHandler(fn, v, e)
	})), nil
}

func createSessionErrhandler(c *call) (starlark.Value, error) {
	fn, err := c.handlerFunction("(session, errorcode)")
	if err != nil {
		return nil, err
	}
	r := c.r
	return r.newErrhandler(r.P.CreateSessionErrhandler(func(s *engine.Session, e *engine.Error) error {
		v := &Session{r: r, s: s}
		defer func() { v.s = nil }()
		return r.callHandler(fn, v, e)
	})), nil
}

func (c *call) handlerFunction(of string) (starlark.Callable, error) {
	if fn, ok := c.args[0].(starlark.Callable); ok {
		return fn, nil
	}
	return nil, c.wrong(0, "a function of "+of)
}

// newErrhandler returns a handle of an error handler, which the program should free.
func (r *Rank) newErrhandler(h *engine.Errhandler) *Errhandler {
	return &Errhandler{r: r, h: h, open: r.opened("error handler")}
}

// callHandler calls an error handler of the program. The caller makes the handle of the object null afterwards, as in
// mpi4py.
func (r *Rank) callHandler(fn starlark.Callable, of starlark.Value, e *engine.Error) error {
	_, err := r.callInside(fn, of, starlark.MakeInt(int(e.Class)))
	return err
}

// callInside calls a function of the program inside an MPI call.
func (r *Rank) callInside(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
	v, err := starlark.Call(&r.interpreter().thread, fn, args, nil)
	r.locate() // back to where the MPI call is
	if err != nil {
		return nil, r.failure(err)
	}
	return v, nil
}

func errhandlerFree(c *call) (starlark.Value, error) {
	v := c.self.(*Errhandler)
	switch {
	case v.h == nil:
		return nil, c.r.P.NoErrhandler(engine.CallErrhandlerFree)
	case v.constant:
		return nil, engine.MistakeErrhandlerPredefined.In(engine.CallErrhandlerFree, v.h)
	}
	v.open.closed()
	v.h, v.open = nil, nil
	return starlark.None, nil
}

// class reads an error class or code, of MPI or added by this process.
func (c *call) class(i int) (engine.Class, error) {
	class, err := c.r.asClass(c.args[i])
	if err != nil {
		return 0, c.argumentError(i, err, false)
	}
	return class, nil
}

// asClass reads a value as an error class or code; its error continues "errorcode ...".
func (r *Rank) asClass(v starlark.Value) (engine.Class, error) {
	n, err := asInt(v)
	if class := engine.Class(n); err == nil && r.P.HasErrorCode(class) {
		return class, nil
	}
	return 0, fmt.Errorf("must be an error class, such as MPI.ERR_ARG, not %s", describe(v))
}
