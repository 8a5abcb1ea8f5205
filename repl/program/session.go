package program

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// Session is an MPI session as programs see it: a handle, which Finalize makes SESSION_NULL.
type Session struct {
	r *Rank
	s *engine.Session // nil: SESSION_NULL

	open *Open
}

var sessionClass = newClass("Session", func(v starlark.Value) bool { _, ok := v.(*Session); return ok },
	method("Init", "info=INFO_NULL, errhandler=None", engine.CallSessionInit,
		"open a session", sessionInit).isStatic(),
	method("Finalize", "", engine.CallSessionFinalize, "the handle becomes SESSION_NULL",
		sessionFinalize).free("Finalize, unless it is SESSION_NULL"),
	method("Get_num_psets", "info=INFO_NULL", engine.CallSessionNumPsets,
		"the number of process sets of this process", sessionNumPsets),
	method("Get_nth_pset", "n, info=INFO_NULL", engine.CallSessionNthPset,
		"the name of the n-th process set of this process, from 0", sessionNthPset),
	method("Get_pset_info", "pset_name", engine.CallSessionPsetInfo,
		"an info object about a process set: mpi_size", of1((*engine.Session).PsetInfo)),
	method("Get_info", "", engine.CallSessionInfo, "the hints of the session, a copy", of0((*engine.Session).Info)),
	method("Create_errhandler", "errhandler_fn", engine.CallSessionCreateErrhandler,
		"an error handler for sessions: a function of (session, errorcode)", createSessionErrhandler).isStatic(),
	method("Set_errhandler", "errhandler", engine.CallSessionSetErrhandler,
		"set the error handler of this session", do1((*engine.Session).SetErrhandler)),
	method("Get_errhandler", "", engine.CallSessionGetErrhandler, "the error handler of this session", of0((*engine.Session).Errhandler)),
	method("Call_errhandler", "errorcode", engine.CallSessionCallErrhandler, "invoke the error handler of this session", callErrhandler[*engine.Session]),
	method("Create_group", "pset_name", engine.CallGroupFromPset, "the group of a process set", of1((*engine.Session).Group)),
)

// String returns "<Session>", or "<Session MPI_SESSION_NULL>".
func (v *Session) String() string {
	if v.s.IsNull() {
		return "<Session MPI_SESSION_NULL>"
	}
	return "<Session>"
}

// Type is mpi4py's name of the type.
func (v *Session) Type() string          { return "Session" }
func (v *Session) Freeze()               {}
func (v *Session) Truth() starlark.Bool  { return starlark.Bool(!v.s.IsNull()) }
func (v *Session) Hash() (uint32, error) { return 0, nil }

func (v *Session) Attr(name string) (starlark.Value, error) { return sessionClass.attr(v.r, v, name) }
func (v *Session) AttrNames() []string                      { return sessionClass.listed(v.r) }

// CompareSameType compares handles.
func (v *Session) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	w := other.(*Session)
	return sameHandle(op, v.s == w.s || v.s.IsNull() && w.s.IsNull(), "sessions")
}

func (c *call) onSession() *engine.Session { return c.self.(*Session).s }

// hints checks the info object of a call that has no hints: any hint is allowed, but a freed object is not.
func (c *call) hints(i int) error {
	info, err := c.info(i)
	if err != nil || info == nil || !info.IsNull() {
		return err
	}
	return engine.MistakeInfoFreed.In(c.fn.call)
}

func sessionInit(c *call) (starlark.Value, error) {
	info, err := c.info(0)
	if err != nil {
		return nil, err
	}
	h, err := c.errhandler(1)
	if err != nil {
		return nil, err
	}
	s, err := c.r.P.SessionInit(info, h)
	if err != nil {
		return nil, err
	}
	return &Session{c.r, s, c.r.opened("session")}, nil
}

func sessionFinalize(c *call) (starlark.Value, error) {
	err := c.onSession().Finalize()
	if err == nil {
		c.self.(*Session).open.closed()
		c.r.wary = true
	}
	return nothing(err)
}

func sessionNumPsets(c *call) (starlark.Value, error) {
	if err := c.hints(0); err != nil {
		return nil, err
	}
	return number(c.onSession().NumPsets())
}

func sessionNthPset(c *call) (starlark.Value, error) {
	n, err := c.int(0)
	if err != nil {
		return nil, err
	}
	if err := c.hints(1); err != nil {
		return nil, err
	}
	name, err := c.onSession().NthPset(n)
	return starlark.String(name), err
}

// getSubdomainNames accepts both variants of the proposal: (comm, info) and (info).
func getSubdomainNames(c *call) (starlark.Value, error) {
	if info, ok := c.args[0].(*Info); ok && c.args[1] == starlark.None {
		return number(c.r.P.HWSubdomainNames(info.info))
	}
	comm, err := c.comm(0)
	if err != nil {
		return nil, fmt.Errorf("%w; %s takes (comm, info) or (info)", err, c.fn.name)
	}
	info, err := c.info(1)
	if err != nil {
		return nil, err
	}
	return number(comm.HWSubdomainNames(info))
}
