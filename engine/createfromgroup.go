package engine

import "fmt"

// MaxStringtag is MPI_MAX_STRINGTAG_LEN, which includes the null character that ends a string in C:
// a stringtag has at most MaxStringtag-1 characters (§7.4.2; at least 63).
const MaxStringtag = 256

// CreateFromGroup makes a communicator of group g without a parent
// (MPI_Comm_create_from_group, §7.4.2). Only the members of g call it, with the same members in the
// same order (else MPI_ERR_GROUP) and the same stringtag, which tells concurrent calls apart. A
// process that is not in g, as with MPI_GROUP_EMPTY, gets nil at once. info, which may be nil, gives
// the hints of the new communicator, errhandler its error handler: nil is MPI_ERR_ERRHANDLER (before
// MPI-4.1: MPI_ERR_ARG). Both must be the same on all members: else MPI_ERR_ARG. A stringtag that is too long: MPI_ERR_ARG; a group of a finalized session:
// MPI_ERR_SESSION.
func (p *Process) CreateFromGroup(g *Group, stringtag string, info *Info, errhandler *Errhandler) (*Comm, error) {
	if e := p.checkFromGroup(CallCreateFromGroup, g, stringtag, info, errhandler); e != nil {
		return nil, p.raiseFromGroup(g, errhandler, e)
	}
	if !g.has(p.rank) {
		p.returnNull(CallCreateFromGroup, nil, g)
		return nil, nil // a local call
	}
	op, failed := p.meetOver(post{call: CallCreateFromGroup, x: &invitation{stringtag: stringtag, group: g, info: info, errhandler: errhandler}})
	if failed != nil {
		return nil, p.raiseFromGroup(g, errhandler, failed)
	}
	return op.madeOver(p).dressed(info, errhandler), nil
}

// agreeOnArguments holds the error handlers and the hints that the processes passed against each other:
// "each of these MPI processes must provide the same arguments". An info object without keys is as good as
// none. The text asks for that in MPI_Comm_create_from_group alone.
func (op *operation) agreeOnArguments() *Error {
	if op.call != CallCreateFromGroup {
		return nil
	}
	first := op.x[0].(*invitation)
	for _, x := range op.x {
		if i := x.(*invitation); i.errhandler.name != first.errhandler.name {
			return op.wrong(ErrArg, "all processes of the group must provide the same error handler: "+
				op.sides(func(slot int) string { return op.x[slot].(*invitation).errhandler.name }))
		}
	}
	for _, x := range op.x {
		if i := x.(*invitation); !i.info.same(first.info) {
			return op.wrong(ErrArg, "all processes of the group must provide the same info: "+
				op.sides(func(slot int) string { return op.x[slot].(*invitation).info.pairs() }))
		}
	}
	return nil
}

// dressed gives a new handle the hints and the error handler that its constructor was given.
func (c *Comm) dressed(info *Info, errhandler *Errhandler) *Comm {
	x := c.extras()
	x.errhandler = errhandler
	if info != nil {
		x.info = info.clone()
	}
	return c
}

func (p *Process) checkFromGroup(call Call, g *Group, stringtag string, info *Info, errhandler *Errhandler) *Error {
	wrong := func(class Class, text, got string) *Error {
		return &Error{Class: class, Call: call, Comm: -1, Rule: call.Rule(), Text: text, Got: got}
	}
	switch {
	case g == nil:
		return wrong(ErrGroup, nullGroup, "")
	case g.session != nil && g.session.finalized:
		return wrong(ErrSession, fmt.Sprintf("the group derives from session %d, which was finalized before", g.session.number), "")
	case len(stringtag) >= MaxStringtag:
		return wrong(ErrArg, fmt.Sprintf("a stringtag has at most MPI_MAX_STRINGTAG_LEN-1 (%d) characters", MaxStringtag-1),
			fmt.Sprintf("%d characters", len(stringtag)))
	case info != nil && info.freed:
		return wrong(ErrInfo, freedInfo, "")
	case errhandler == nil:
		return p.noErrhandler(call)
	}
	return nil
}

// raiseFromGroup hands an error of the call to the handler of the session that the group derives
// from, or to MPI_COMM_SELF's (§9.3). In MPI-4.0 the argument errhandler takes it.
func (p *Process) raiseFromGroup(g *Group, errhandler *Errhandler, e *Error) error {
	switch {
	case p.w.std < 41 && errhandler != nil:
		return p.invoke(errhandler, e)
	case g != nil && g.session != nil:
		return g.session.raise(e)
	}
	return p.Raise(e)
}
