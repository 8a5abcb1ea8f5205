package engine

import (
	"fmt"
	"strconv"
)

// Session is an MPI session of one process (§11.3). Groups come from its process sets, and
// communicators from these with [Process.CreateFromGroup], without MPI_COMM_WORLD. nil is
// MPI_SESSION_NULL, and so is a session after Finalize.
type Session struct {
	p          *Process
	number     int // among the sessions of the process, from 1: messages name it so
	info       *Info
	errhandler *Errhandler
	finalized  bool
}

// The info key of MPI_Session_init that the standard defines, and what may be asked for (§11.3.1).
const keyThreadLevel = "thread_level"

var threadLevels = map[string]bool{"MPI_THREAD_SINGLE": true, "MPI_THREAD_FUNNELED": true,
	"MPI_THREAD_SERIALIZED": true, "MPI_THREAD_MULTIPLE": true}

// SessionInit opens a session (MPI_Session_init, §11.3.1). It is local. info, which may be nil, holds
// hints; errhandler takes the errors of the session's calls and of those on groups that derive from
// it: nil is MPI_ERR_ERRHANDLER (before MPI-4.1: MPI_ERR_ARG).
func (p *Process) SessionInit(info *Info, errhandler *Errhandler) (*Session, error) {
	if errhandler == nil {
		return nil, p.Raise(p.noErrhandler(CallSessionInit))
	}
	s := &Session{p: p, info: NewInfo(), errhandler: errhandler}
	if info != nil {
		d, err := info.Dup()
		if err != nil {
			return nil, s.fail(CallSessionInit, ErrInfo, freedInfo)
		}
		s.info = d
	}
	if level, ok := s.info.get(keyThreadLevel); ok && !threadLevels[level] {
		return nil, s.fail(CallSessionInit, ErrInfoValue, "thread_level is MPI_THREAD_SINGLE, _FUNNELED, _SERIALIZED or _MULTIPLE, not %q", level)
	} else if !ok {
		s.info.set(keyThreadLevel, "MPI_THREAD_MULTIPLE")
	}
	t := p.traffic()
	t.sessions++
	s.number = t.sessions
	p.local(CallSessionInit, nil)
	return s, nil
}

// noErrhandler is the error of a call that was given MPI_ERRHANDLER_NULL. Its class came with
// MPI-4.1.
func (p *Process) noErrhandler(call Call) *Error {
	class := ErrErrhandler
	if p.w.std < 41 {
		class = ErrArg
	}
	return &Error{Class: class, Call: call, Comm: -1, Rule: call.Rule(),
		Text: "the error handler is MPI_ERRHANDLER_NULL; pass one, such as MPI_ERRORS_RETURN"}
}

// IsNull reports whether the handle is MPI_SESSION_NULL: never opened, or finalized.
func (s *Session) IsNull() bool { return s == nil || s.finalized }

// check raises MPI_ERR_SESSION when the handle is no session.
func (s *Session) check(call Call) error {
	e := &Error{Class: ErrSession, Call: call, Comm: -1, Rule: call.Rule()}
	switch {
	case s == nil:
		e.Text = "the session is MPI_SESSION_NULL; open one with MPI_Session_init"
		return e
	case s.finalized:
		e.Text = fmt.Sprintf("session %d was finalized before; a finalized handle is MPI_SESSION_NULL", s.number)
		return s.p.Raise(e)
	}
	return nil
}

// raise hands err to the session's error handler (§9.3).
func (s *Session) raise(err *Error) error { return s.p.invoke(s.errhandler, err) }

func (s *Session) fail(call Call, class Class, format string, args ...any) error {
	return s.raise(&Error{Class: class, Call: call, Comm: -1, Rule: call.Rule(), Text: fmt.Sprintf(format, args...)})
}

// members lists the process sets that the process is in: what it can ask for by number.
func (s *Session) members() []*pset {
	var list []*pset
	for i := range s.p.w.psets {
		if set := &s.p.w.psets[i]; set.has(s.p.rank) {
			list = append(list, set)
		}
	}
	return list
}

// NumPsets is the number of process sets that the process is a member of
// (MPI_Session_get_num_psets, §11.3.3); at least 2.
func (s *Session) NumPsets() (int, error) {
	if err := s.check(CallSessionNumPsets); err != nil {
		return 0, err
	}
	return len(s.members()), nil
}

// NthPset is the name of the n-th of these, from 0: mpi://WORLD, mpi://SELF, then the others
// (MPI_Session_get_nth_pset, §11.3.3). n out of range: MPI_ERR_ARG.
func (s *Session) NthPset(n int) (string, error) {
	if err := s.check(CallSessionNthPset); err != nil {
		return "", err
	}
	list := s.members()
	if n < 0 || n >= len(list) {
		return "", s.fail(CallSessionNthPset, ErrArg, "the process is in %d process sets, counted from 0: there is no set %d", len(list), n)
	}
	return list[n].Name, nil
}

// pset finds a process set by name; an unknown one: MPI_ERR_ARG. The process need not be a member:
// to connect two sets, the processes of one must be able to name the other.
func (s *Session) pset(call Call, name string) (*pset, error) {
	if err := s.check(call); err != nil {
		return nil, err
	}
	i := s.p.w.findPset(name)
	if i < 0 {
		return nil, s.fail(call, ErrArg, "there is no process set %q; MPI_Session_get_nth_pset tells the names", name)
	}
	return &s.p.w.psets[i], nil
}

// PsetInfo is a new info object about a process set: its key mpi_size is the number of processes
// (MPI_Session_get_pset_info, §11.3.3).
func (s *Session) PsetInfo(name string) (*Info, error) {
	set, err := s.pset(CallSessionPsetInfo, name)
	if err != nil {
		return nil, err
	}
	info := NewInfo()
	info.set("mpi_size", strconv.Itoa(set.groupFor(s.p).Size()))
	return info, nil
}

// Group is the group of a process set, its members in ascending world rank
// (MPI_Group_from_session_pset, §7.3.2). It is local.
func (s *Session) Group(name string) (*Group, error) {
	set, err := s.pset(CallGroupFromPset, name)
	if err != nil {
		return nil, err
	}
	s.p.local(CallGroupFromPset, nil, textArg("pset_name", set.Name))
	return set.groupFor(s.p).of(s), nil
}

// Info is a new info object with the hints of the session (MPI_Session_get_info, §11.3.3). Its key
// thread_level is the level provided: the one asked for.
func (s *Session) Info() (*Info, error) {
	if err := s.check(CallSessionInfo); err != nil {
		return nil, err
	}
	return s.info.Dup()
}

// Finalize closes the session (MPI_Session_finalize, §11.3.1); the handle becomes MPI_SESSION_NULL.
// It may wait for the processes of communicators that are left; this one does not. Groups and
// communicators of the session stay, but no communicator can be made from its groups any more.
func (s *Session) Finalize() error {
	if err := s.check(CallSessionFinalize); err != nil {
		return err
	}
	s.finalized = true
	s.p.local(CallSessionFinalize, nil)
	return nil
}
