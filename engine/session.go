package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Session is an MPI session of one process (§11.3). Groups come from its process sets, and communicators from these
// groups with [Process.CreateFromGroup], without MPI_COMM_WORLD. A nil session is MPI_SESSION_NULL, and so is a
// session after Finalize.
type Session struct {
	p          *Process
	number     int // the process' n-th session, from 1: messages name it so
	info       *Info
	errhandler *Errhandler
	finalized  bool
	comms      []*Comm // communicators that derive from the session
}

// The info key of MPI_Session_init that the standard defines, and the values that a program may pass (§11.3.1).
const keyThreadLevel = "thread_level"

var threadLevels = map[string]bool{"MPI_THREAD_SINGLE": true, "MPI_THREAD_FUNNELED": true,
	"MPI_THREAD_SERIALIZED": true, "MPI_THREAD_MULTIPLE": true}

// SessionInit opens a session (MPI_Session_init, §11.3.1). It is local. info, which may be nil, has hints; errhandler
// handles the errors of calls on the session and on groups that derive from it. A nil errhandler raises
// MPI_ERR_ERRHANDLER (before MPI-4.1: MPI_ERR_ARG).
func (p *Process) SessionInit(info *Info, errhandler *Errhandler) (*Session, error) {
	if e := p.fits(errhandler, true, CallSessionInit); e != nil {
		return nil, p.Raise(e)
	}
	s := &Session{p: p, info: NewInfo(), errhandler: errhandler}
	if info != nil {
		d, err := info.Dup()
		if err != nil {
			return nil, s.raise(MistakeInfoFreed.In(CallSessionInit))
		}
		s.info = d
	}
	if level, ok := s.info.get(keyThreadLevel); ok && !threadLevels[level] {
		return nil, s.raise(MistakeThreadLevel.In(CallSessionInit, level))
	} else if !ok {
		s.info.set(keyThreadLevel, "MPI_THREAD_MULTIPLE")
	}
	t := p.traffic()
	t.sessions++
	s.number = t.sessions
	p.local(CallSessionInit, nil)
	return s, nil
}

// NoErrhandler returns the error of a call that was passed MPI_ERRHANDLER_NULL, without raising it. Its class came with
// MPI-4.1.
func (p *Process) NoErrhandler(call Call) *Error {
	e := MistakeErrhandlerNull.In(call)
	if p.w.std < 41 {
		e.Class = ErrArg
	}
	return e
}

// IsNull reports whether the handle is MPI_SESSION_NULL: never opened, or finalized.
func (s *Session) IsNull() bool { return s == nil || s.finalized }

// ended reports whether the session was finalized; MPI_SESSION_NULL counts as not finalized.
func (s *Session) ended() bool { return s != nil && s.finalized }

// check raises MPI_ERR_SESSION when the handle is MPI_SESSION_NULL.
func (s *Session) check(call Call) error {
	switch {
	case s == nil:
		return MistakeSessionNull.In(call)
	case s.finalized:
		return s.p.Raise(MistakeSessionFinalized.In(call, s.number))
	}
	return nil
}

// raise calls the session's error handler with err (§9.3).
func (s *Session) raise(err *Error) error { return s.p.invoke(s.errhandler, handled{session: s}, err) }

// members lists the process sets that have the process as a member, in the order of NthPset.
func (s *Session) members() []*pset {
	var list []*pset
	for i := range s.p.w.psets {
		if set := &s.p.w.psets[i]; set.has(s.p.rank) {
			list = append(list, set)
		}
	}
	return list
}

// NumPsets returns the number of process sets that the process is a member of (MPI_Session_get_num_psets, §11.3.3);
// at least 2.
func (s *Session) NumPsets() (int, error) {
	if err := s.check(CallSessionNumPsets); err != nil {
		return 0, err
	}
	return len(s.members()), nil
}

// NthPset returns the name of the n-th process set that the process is a member of, from 0: mpi://WORLD,
// mpi://SELF, then the others (MPI_Session_get_nth_pset, §11.3.3). n out of range: MPI_ERR_ARG.
func (s *Session) NthPset(n int) (string, error) {
	if err := s.check(CallSessionNthPset); err != nil {
		return "", err
	}
	list := s.members()
	if n < 0 || n >= len(list) {
		return "", s.raise(MistakePsetNumber.In(CallSessionNthPset, len(list), n))
	}
	return list[n].Name, nil
}

// pset returns the process set with a name; an unknown name: MPI_ERR_ARG. The process need not be a member: to connect
// two sets, the processes of one set must be able to name the other.
func (s *Session) pset(call Call, name string) (*pset, error) {
	if err := s.check(call); err != nil {
		return nil, err
	}
	i := s.p.w.findPset(name)
	if i < 0 {
		return nil, s.raise(MistakePsetUnknown.In(call, name))
	}
	return &s.p.w.psets[i], nil
}

// PsetInfo returns a new info object about a process set: its key mpi_size is the number of processes
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

// Group returns the group of a process set, its members in ascending world rank (MPI_Group_from_session_pset,
// §7.3.2). It is local.
func (s *Session) Group(name string) (*Group, error) {
	set, err := s.pset(CallGroupFromPset, name)
	if err != nil {
		return nil, err
	}
	s.p.local(CallGroupFromPset, nil, textArg("pset_name", set.Name))
	return set.groupFor(s.p).of(s), nil
}

// Info returns a new info object with the hints of the session (MPI_Session_get_info, §11.3.3). Its key
// thread_level is the level provided: the requested one.
func (s *Session) Info() (*Info, error) {
	if err := s.check(CallSessionInfo); err != nil {
		return nil, err
	}
	return s.info.Dup()
}

// Finalize closes the session (MPI_Session_finalize, §11.3.1); the handle becomes MPI_SESSION_NULL. The standard allows
// the call to wait for the other processes of communicators that are left; here it does not wait. Objects that derive
// from the session are not freed, and no call may be made on them any more, not even to free them: MPI_ERR_SESSION.
func (s *Session) Finalize() error {
	if err := s.check(CallSessionFinalize); err != nil {
		return err
	}
	s.finalized = true
	s.p.local(CallSessionFinalize, nil)
	var left []int
	for _, c := range s.comms {
		if !c.IsNull() {
			left = append(left, c.ID())
		}
	}
	s.comms = nil
	if left != nil {
		t := s.p.traffic()
		t.left = append(t.left, leftBehind{s.p.Behind(), left})
	}
	return nil
}

// adopt adds a new communicator to the session that it derives from, if any.
func (c *Comm) adopt() {
	s := c.session()
	if s == nil {
		return
	}
	if len(s.comms) == cap(s.comms) { // before the list grows, freed communicators make room
		s.comms = slices.DeleteFunc(s.comms, (*Comm).IsNull)
	}
	s.comms = append(s.comms, c)
}

// leftBehind has the communicators that a process had not freed when it finalized their session, and the place in the
// trace.
type leftBehind struct {
	at    Behind
	comms []int
}

// Outliving has communicators that processes had neither freed nor disconnected when they finalized the session:
// nothing can free them any more (§11.3.1).
type Outliving struct {
	Comms []int
	Ranks Ranks
}

// Outliving lists the communicators that each finalization of a session after step from left behind. The world must
// be quiet.
func (w *World) Outliving(from int) []Outliving {
	var list []Outliving
	for k := from + 1; k <= len(w.steps); k++ {
		if w.steps[k-1].Call != CallSessionFinalize {
			continue
		}
		var o Outliving
		for r := range w.steps[k-1].Ranks.All {
			p := &w.procs[r]
			for _, l := range p.mail.left {
				if p.StepOf(l.at) == k {
					o.Comms = append(o.Comms, l.comms...)
					o.Ranks.Append(p.rank)
				}
			}
		}
		if slices.Sort(o.Comms); len(o.Comms) > 0 {
			o.Comms = slices.Compact(o.Comms)
			list = append(list, o)
		}
	}
	return list
}

// MaxPsetName is MPI_MAX_PSET_NAME_LEN: the longest name of a process set, in characters (§11.3.3; at least 63).
const MaxPsetName = 255

// Pset is a process set (§11.3.2): a name in URI format, such as "app://ocean", and the world ranks of its
// processes.
type Pset struct {
	Name  string
	Ranks Ranks
}

// The process sets that always exist.
const (
	psetWorld = "mpi://WORLD"
	psetSelf  = "mpi://SELF"
)

// pset is a process set of the world. mpi://SELF has no ranks and no group here: in every process it names another set, that
// process alone. (§11.3.3: two sets with the same name are equal or disjoint.)
type pset struct {
	Pset
	group *Group
}

// makePsets adds the process sets of a configuration after the two mandatory sets.
func (w *World) makePsets(list []Pset) error {
	if err := CheckPsets(list, w.size); err != nil {
		return fmt.Errorf("process set %w", err)
	}
	w.psets = []pset{{Pset{psetWorld, AllRanks(w.size)}, w.world.group}, {Pset{psetSelf, nil}, nil}}
	for _, s := range list {
		w.psets = append(w.psets, pset{s, &Group{members: s.Ranks.List()}})
	}
	return nil
}

// CheckPsets returns an error for process sets that a world of size ranks cannot have: names that are reserved, used
// twice, empty or too long, and sets without processes or with ranks that do not exist. The error begins with the name
// of the set.
func CheckPsets(list []Pset, size int) error {
	seen := map[string]bool{}
	for _, s := range list {
		text := ""
		switch {
		case s.Name == "" || len(s.Name) > MaxPsetName:
			text = fmt.Sprintf("a name has 1 to %d characters", MaxPsetName)
		case reserved(s.Name):
			text = "names that start with mpi:// are reserved for the standard"
		case seen[s.Name]:
			text = "it is defined twice"
		case len(s.Ranks) == 0:
			text = "a process set has at least one process"
		case s.Ranks[0].Lo < 0 || int(s.Ranks[len(s.Ranks)-1].Hi) >= size:
			text = fmt.Sprintf("ranks %s: the world has ranks 0-%d", s.Ranks, size-1)
		}
		if text != "" {
			return fmt.Errorf("%q: %s", s.Name, text)
		}
		seen[s.Name] = true
	}
	return nil
}

// Psets lists the process sets of the world, mpi://WORLD first, but not mpi://SELF.
func (w *World) Psets() []Pset {
	var list []Pset
	for i := range w.psets {
		if s := &w.psets[i]; s.group != nil {
			list = append(list, s.Pset)
		}
	}
	return list
}

// reserved reports whether a name begins with mpi://, which the standard reserves, in upper or lower case, as in MPICH
// and Open MPI.
func reserved(name string) bool {
	const scheme = "mpi://"
	return len(name) >= len(scheme) && strings.EqualFold(name[:len(scheme)], scheme)
}

// findPset returns the index of the process set with a name, or -1. Case counts, except in the standard's names.
func (w *World) findPset(name string) int {
	return slices.IndexFunc(w.psets, func(s pset) bool {
		return s.Name == name || reserved(name) && strings.EqualFold(s.Name, name)
	})
}

// has reports whether a process is a member of the set; every process is a member of its mpi://SELF.
func (s *pset) has(world int32) bool { return s.group == nil || s.Ranks.Has(int(world)) }

// groupFor returns the group of the set in process p.
func (s *pset) groupFor(p *Process) *Group {
	if s.group == nil {
		return p.Self().core.group
	}
	return s.group
}
