package program

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// keyvalInvalid is MPI_KEYVAL_INVALID.
const keyvalInvalid = -1

// keyval is an attribute key that the program of a rank made. Programs know it by its id.
type keyval struct {
	k     *engine.Keyval
	plain bool // made with nopython=True: its values are integers, as an MPI in C stores them
	open  *Open
}

// predefinedDocs says what the predefined keyvals mean.
var predefinedDocs = map[*engine.Keyval]string{
	engine.KeyvalTagUB:         "keyval of the largest tag",
	engine.KeyvalHost:          "keyval of the rank of the host process: PROC_NULL, there is no host process; deprecated since MPI-4.1",
	engine.KeyvalIO:            "keyval of the rank that can do input and output: ANY_SOURCE, all ranks can",
	engine.KeyvalWtimeIsGlobal: "keyval of whether all clocks agree: 1, there is one clock",
	engine.KeyvalUniverseSize:  "keyval of the largest number of processes: the size of the world",
	engine.KeyvalAppnum:        "keyval of the number of the program: 0, there is one program",
	engine.KeyvalLastUsedCode:  "keyval of the largest error class in use",
}

// keyval reads a keyval; nil for KEYVAL_INVALID and for a keyval that was never made.
func (c *call) keyval(i int) (*engine.Keyval, error) {
	id, err := c.int(i)
	if err != nil {
		return nil, err
	}
	predefined := engine.PredefinedKeyvals()
	if id >= 0 && id < len(predefined) {
		return predefined[id], nil
	}
	if own := c.r.keyval(id); own != nil {
		return own.k, nil
	}
	return nil, nil
}

// keyval returns the keyval with the given id that the program made, or nil.
func (r *Rank) keyval(id int) *keyval {
	if i := id - len(engine.PredefinedKeyvals()); r != nil && i >= 0 && i < len(r.keyvals) {
		return &r.keyvals[i]
	}
	return nil
}

func createKeyval(c *call) (starlark.Value, error) {
	if c.r == nil {
		return nil, errors.New("this COMM_NULL belongs to no rank: write MPI.Comm.Create_keyval")
	}
	plain := bool(c.args[2].Truth())
	copied, err := c.copyFunction(plain)
	if err != nil {
		return nil, err
	}
	deleted, err := c.deleteFunction()
	if err != nil {
		return nil, err
	}
	k := c.r.P.CreateKeyval(copied, deleted)
	c.r.rarely().keyvals = append(c.r.keyvals, keyval{k, plain, c.r.opened("keyval")})
	return starlark.MakeInt(k.ID()), nil
}

func freeKeyval(c *call) (starlark.Value, error) {
	k, err := c.keyval(0)
	if err != nil {
		return nil, err
	}
	if err := k.Free(); err != nil {
		return nil, err
	}
	c.r.keyval(k.ID()).open.closed()
	return starlark.MakeInt(keyvalInvalid), nil
}

// copyFunction reads copy_fn, argument 0. A function returns the value of the duplicate, or
// NotImplemented for none.
func (c *call) copyFunction(plain bool) (engine.CopyFunc, error) {
	switch v := c.args[0].(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		if v {
			return engine.DupCopy, nil
		}
		return nil, nil
	case starlark.Callable:
		r := c.r
		return func(comm *engine.Comm, k *engine.Keyval, value any) (any, bool, error) {
			copied, err := r.callBack(v, comm, k, value)
			if err == nil && plain && copied != notImplemented {
				err = checkAddress(copied)
			}
			return copied, copied != notImplemented, err
		}, nil
	}
	return nil, c.wrong(0, "a function of (comm, keyval, value), True for the value itself, or None for no copy")
}

// deleteFunction reads delete_fn, argument 1. The result of delete_fn does not matter.
func (c *call) deleteFunction() (engine.DeleteFunc, error) {
	switch v := c.args[1].(type) {
	case starlark.NoneType, starlark.Bool:
		return nil, nil
	case starlark.Callable:
		r := c.r
		return func(comm *engine.Comm, k *engine.Keyval, value any) error {
			_, err := r.callBack(v, comm, k, value)
			return err
		}, nil
	}
	return nil, c.wrong(1, "a function of (comm, keyval, value), or None")
}

// callBack calls a function of the program inside an MPI call, with a handle of a communicator that is COMM_NULL
// afterwards, as in mpi4py.
func (r *Rank) callBack(fn starlark.Callable, comm *engine.Comm, k *engine.Keyval, value any) (starlark.Value, error) {
	handle := r.wrap(comm)
	defer func() { handle.c = nil }()
	return r.callInside(fn, handle, starlark.MakeInt(k.ID()), value.(starlark.Value))
}

// notImplemented is Python's NotImplemented.
var notImplemented starlark.Value = absent{}

type absent struct{ plainValue }

func (absent) String() string { return "NotImplemented" }
func (absent) Type() string   { return "NotImplementedType" }

// checkAddress refuses a value that an MPI in C cannot store: an attribute there is an integer of the size of an address.
func checkAddress(v starlark.Value) error {
	n, ok := v.(starlark.Int)
	if _, fits := n.Int64(); !ok || !fits {
		return fmt.Errorf("an attribute of a keyval made with nopython=True must be an integer of 64 bits, not %s", describe(v))
	}
	return nil
}

// cachingRows are the attributes of communicators that concern keyvals and attached buffers.
var cachingRows = map[string]any{
	"Create_keyval": createKeyval,
	"Free_keyval":   freeKeyval,
	"Set_attr":      commSetAttr,
	"Get_attr":      of1(getAttr),
	"Delete_attr":   do1((*engine.Comm).DeleteAttr),
	"Attach_buffer": attachBuffer,
	"Detach_buffer": detachBuffer,
}

func commSetAttr(c *call) (starlark.Value, error) {
	k, err := c.keyval(0)
	if err != nil {
		return nil, err
	}
	if own := c.ownKeyval(k); own != nil && own.plain {
		if err := checkAddress(c.args[1]); err != nil {
			return nil, err
		}
	}
	return nothing(c.on().SetAttr(k, c.args[1]))
}

// ownKeyval returns the rank's record of a keyval that its program made; nil for other keyvals.
func (c *call) ownKeyval(k *engine.Keyval) *keyval {
	if k == nil {
		return nil
	}
	return c.r.keyval(k.ID())
}

func getAttr(c *engine.Comm, k *engine.Keyval) (any, error) {
	v, ok, err := c.Attr(k)
	if !ok {
		v = starlark.None
	}
	return v, err
}

// bufferOwner can attach a buffer: a communicator, or the process.
type bufferOwner interface {
	AttachBuffer(size int) error
	DetachBuffer() (size int, err error)
}

// owner returns the communicator that the method is called on; for a function of MPI, the process.
func (c *call) owner() bufferOwner {
	if v, ok := c.self.(*Comm); ok {
		return v.c
	}
	return c.r.P
}

func attachBuffer(c *call) (starlark.Value, error) {
	var size int
	switch v := c.args[0].(type) {
	case starlark.Bytes:
		size = v.Len()
	case *Buffer:
		size = v.Bytes()
	case starlark.Int:
		if err := c.read(0, &size); err != nil {
			return nil, err
		}
	default:
		return nil, c.wrong(0, "an array, bytes or the number of bytes")
	}
	if err := c.owner().AttachBuffer(size); err != nil {
		return nil, err
	}
	if c.r.buffers == nil {
		c.r.rarely().buffers = map[bufferOwner]starlark.Value{}
	}
	c.r.buffers[c.owner()] = c.args[0]
	return starlark.None, nil
}

// detachBuffer returns the buffer that was attached.
func detachBuffer(c *call) (starlark.Value, error) {
	if _, err := c.owner().DetachBuffer(); err != nil {
		return nil, err
	}
	buf := c.r.buffers[c.owner()]
	delete(c.r.buffers, c.owner())
	return buf, nil
}

// Errhandler is an error handler as programs see it: a handle, which Free makes ERRHANDLER_NULL.
type Errhandler struct {
	plainValue
	r        *Rank
	h        *engine.Errhandler // nil: ERRHANDLER_NULL
	open     *Open
	constant bool // a predefined handler, written as a constant
}

var errhandlerClass = newClass("Errhandler", isA[*Errhandler], rows("Errhandler", map[string]any{
	"Free": do0((*Errhandler).free), "free": freeing(do0((*Errhandler).free)),
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

// errhandler reads an error handler. If None is the default, it stands for ERRORS_RETURN: mpi4py raises errors as
// exceptions.
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
// function has returned, and the handle that the function got is null then.
func createErrhandler(c *call) (starlark.Value, error) {
	fn, err := c.handlerFunction("(comm, errorcode)")
	if err != nil {
		return nil, err
	}
	r := c.r
	return r.newErrhandler(r.P.CreateErrhandler(func(comm *engine.Comm, e *engine.Error) error {
		v := r.wrap(comm)
		defer func() { v.c = nil }()
		_, err := r.callInside(fn, v, starlark.MakeInt(int(e.Class)))
		return err
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
		_, err := r.callInside(fn, v, starlark.MakeInt(int(e.Class)))
		return err
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

// callInside calls a function of the program inside an MPI call.
func (r *Rank) callInside(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
	v, err := starlark.Call(&r.interpreter().thread, fn, args, nil)
	r.locate() // back to where the MPI call is
	if err != nil {
		return nil, r.failure(err)
	}
	return v, nil
}

func (v *Errhandler) free() error {
	switch {
	case v.h == nil:
		return v.r.P.NoErrhandler(engine.CallErrhandlerFree)
	case v.constant:
		return engine.MistakeErrhandlerPredefined.In(engine.CallErrhandlerFree, v.h)
	}
	v.open.closed()
	v.h, v.open = nil, nil
	return nil
}

// class reads an error class or code, of MPI or added by this process.
func (c *call) class(i int) (engine.Class, error) {
	class, err := c.r.asClass(c.args[i])
	if err != nil {
		return 0, c.argumentError(i, err, false)
	}
	return class, nil
}

// asClass converts a value to an error class or code. The text of its error follows a name, such as "errorcode".
func (r *Rank) asClass(v starlark.Value) (engine.Class, error) {
	n, err := asInt(v)
	if class := engine.Class(n); err == nil && r.P.HasErrorCode(class) {
		return class, nil
	}
	return 0, fmt.Errorf("must be an error class, such as MPI.ERR_ARG, not %s", describe(v))
}
