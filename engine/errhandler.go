package engine

import "fmt"

// Errhandler is what happens to an MPI error (§9.3).
type Errhandler struct {
	name  string
	fatal bool
}

// The predefined error handlers. A Go program gets its errors returned unless it sets another
// handler; the standard's own default, ErrorsAreFatal, must be asked for.
var (
	ErrorsReturn   = &Errhandler{name: "MPI_ERRORS_RETURN"}
	ErrorsAreFatal = &Errhandler{name: "MPI_ERRORS_ARE_FATAL", fatal: true}
	ErrorsAbort    = &Errhandler{name: "MPI_ERRORS_ABORT", fatal: true}
)

// String is the C name: "MPI_ERRORS_RETURN".
func (h *Errhandler) String() string { return h.name }

// SetErrhandler attaches h to the handle (MPI_Comm_set_errhandler, §9.3.1). It is local.
// Communicators made from c inherit it. nil, MPI_ERRHANDLER_NULL, is MPI_ERR_ERRHANDLER.
func (c *Comm) SetErrhandler(h *Errhandler) error {
	if err := c.check(CallSetErrhandler); err != nil {
		return err
	}
	if h == nil {
		e := c.p.noErrhandler(CallSetErrhandler)
		e.Comm = c.core.info.ID
		return c.raise(e)
	}
	c.extras().errhandler = h
	c.p.local(CallSetErrhandler, c, textArg("errhandler", h.name))
	return nil
}

// Errhandler is the handle's error handler (MPI_Comm_get_errhandler, §9.3.1).
func (c *Comm) Errhandler() (*Errhandler, error) {
	if err := c.check(CallGetErrhandler); err != nil {
		return nil, err
	}
	return c.handler(), nil
}

func (c *Comm) handler() *Errhandler {
	if c.ext == nil || c.ext.errhandler == nil {
		return ErrorsReturn
	}
	return c.ext.errhandler
}

// CallErrhandler invokes c's error handler with an error of the given class (MPI_Comm_call_errhandler,
// §9.5). The call itself succeeds if the handler returns: under MPI_ERRORS_RETURN nothing happens.
func (c *Comm) CallErrhandler(class Class) error {
	if err := c.check(CallCallErrhandler); err != nil {
		return err
	}
	_ = c.fail(class, CallCallErrhandler, "raised by the program", "")
	return nil
}

// Abort ends the program (MPI_Abort, §11.4.2). It does not return.
func (c *Comm) Abort(code int) error {
	if err := c.check(CallAbort); err != nil {
		return err
	}
	e := &Error{Class: ErrOther, Call: CallAbort, Comm: c.core.info.ID, Fatal: true,
		Text: fmt.Sprintf("the program called MPI_Abort with error code %d", code), Rule: CallAbort.Rule()}
	c.p.die(c.p.sign(e))
	return nil
}

// fail raises an error of a call on c.
func (c *Comm) fail(class Class, call Call, text, got string) error {
	return c.raise(&Error{Class: class, Call: call, Comm: c.core.info.ID, Text: text, Got: got, Rule: call.Rule()})
}

// raise hands err to c's error handler. It returns err, or ends the world.
func (c *Comm) raise(err *Error) error {
	return c.p.invoke(c.handler(), err)
}

// Raise hands an error that belongs to no communicator to the error handler of MPI_COMM_SELF
// (§9.3; before MPI-4.0 that of MPI_COMM_WORLD), as the process' own.
func (p *Process) Raise(err *Error) error {
	if p.w.std >= 40 {
		return p.invoke(p.Self().handler(), err)
	}
	return p.invoke(p.world.handler(), err)
}

func (p *Process) invoke(h *Errhandler, err *Error) error {
	p.sign(err)
	p.noteRaised(err)
	if h.fatal {
		err.Fatal = true
		p.die(err)
	}
	return err
}

// claim is the error that the process' program failed with. One that nobody raised, such as that of
// a call on MPI_COMM_NULL, becomes the process' own.
func (p *Process) claim(err *Error) *Error {
	if len(err.Ranks) > 0 {
		return err
	}
	own := *err
	own.Ranks, own.Where = Ranks{{p.rank, p.rank}}, p.site.String()
	return &own
}

// sign says who raised the error, and where.
func (p *Process) sign(err *Error) *Error {
	err.Ranks = Ranks{{p.rank, p.rank}}
	site := p.site
	if site == (Site{}) {
		site = callSite()
	}
	err.Where = site.String()
	return err
}
