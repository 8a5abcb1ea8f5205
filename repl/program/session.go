package program

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// Session is an MPI session as programs see it: a handle, which Finalize makes SESSION_NULL.
type Session struct {
	plainValue
	r *Rank
	s *engine.Session // nil: SESSION_NULL

	open *Open
}

var sessionClass = newClass("Session", isA[*Session], rows("Session", map[string]any{
	"Init":              sessionInit,
	"Finalize":          sessionFinalize,
	"free":              freeing(sessionFinalize),
	"Get_num_psets":     sessionNumPsets,
	"Get_nth_pset":      sessionNthPset,
	"Get_pset_info":     of1((*engine.Session).PsetInfo),
	"Get_info":          of0((*engine.Session).Info),
	"Create_errhandler": createSessionErrhandler,
	"Set_errhandler":    do1((*engine.Session).SetErrhandler),
	"Get_errhandler":    of0((*engine.Session).Errhandler),
	"Call_errhandler":   callErrhandler[*engine.Session],
	"Create_group":      of1((*engine.Session).Group),
}))

// String returns "<Session>", or "<Session MPI_SESSION_NULL>".
func (v *Session) String() string {
	if v.s.IsNull() {
		return "<Session MPI_SESSION_NULL>"
	}
	return "<Session>"
}

// Type is mpi4py's name of the type.
func (v *Session) Type() string         { return "Session" }
func (v *Session) Truth() starlark.Bool { return starlark.Bool(!v.s.IsNull()) }

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
	var info *engine.Info
	var h *engine.Errhandler
	if err := c.read(0, &info, &h); err != nil {
		return nil, err
	}
	s, err := c.r.P.SessionInit(info, h)
	if err != nil {
		return nil, err
	}
	return &Session{r: c.r, s: s, open: c.r.opened("session")}, nil
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
	n, err := c.onSession().NumPsets()
	return ended(c, n, err)
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
	return ended(c, name, err)
}

// getSubdomainNames accepts both variants of the proposal: (comm, info) and (info).
func getSubdomainNames(c *call) (starlark.Value, error) {
	if info, ok := c.args[0].(*Info); ok && c.args[1] == starlark.None {
		n, err := c.r.P.HWSubdomainNames(info.info)
		return ended(c, n, err)
	}
	comm, err := c.comm(0)
	if err != nil {
		return nil, fmt.Errorf("%w; %s takes (comm, info) or (info)", err, c.fn.name)
	}
	info, err := c.info(1)
	if err != nil {
		return nil, err
	}
	n, err := comm.HWSubdomainNames(info)
	return ended(c, n, err)
}
