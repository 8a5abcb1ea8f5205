package engine

import (
	"fmt"
	"maps"
	"slices"
)

// Errhandler is an error handler (§9.3): it decides what happens to an MPI error.
type Errhandler struct {
	name    string
	fatal   bool
	comm    func(*Comm, *Error) error    // the program's function for errors of communicators; nil for other handlers
	session func(*Session, *Error) error // the program's function for errors of sessions; nil for other handlers
}

// handled is the communicator or the session of an error, which its error handler gets.
type handled struct {
	comm    *Comm
	session *Session
}

// CreateErrhandler makes an error handler for communicators (MPI_Comm_create_errhandler, §9.3.1). When a call fails, f
// is called with the communicator and the error. Then the call returns the error, or the error that f returned, if any.
func (p *Process) CreateErrhandler(f func(*Comm, *Error) error) *Errhandler {
	return &Errhandler{name: p.handlerName(), comm: f}
}

// CreateSessionErrhandler makes an error handler for sessions (MPI_Session_create_errhandler, §9.3.4).
func (p *Process) CreateSessionErrhandler(f func(*Session, *Error) error) *Errhandler {
	return &Errhandler{name: p.handlerName(), session: f}
}

// handlerName names the next error handler that a process makes, by number. The n-th handlers of several processes have
// the same name, and count as the same.
func (p *Process) handlerName() string {
	t := p.traffic()
	t.handlers++
	return fmt.Sprintf("error handler %d", t.handlers)
}

// fits returns an error when h is MPI_ERRHANDLER_NULL, or is for communicators and is to be attached to a session, or the
// other way round; else nil.
func (p *Process) fits(h *Errhandler, session bool, call Call) *Error {
	kinds := map[bool]string{false: "communicators", true: "sessions"}
	if h == nil {
		return p.NoErrhandler(call)
	}
	if h.comm == nil && h.session == nil || (h.session != nil) == session {
		return nil
	}
	e := MistakeErrhandlerKind.In(call, kinds[h.session != nil], kinds[session])
	if p.w.std < 41 {
		e.Class = ErrArg
	}
	return e
}

// The predefined error handlers. A Go program gets its errors returned unless it sets another handler, such as
// ErrorsAreFatal, the standard's own default.
var (
	ErrorsReturn   = &Errhandler{name: "MPI_ERRORS_RETURN"}
	ErrorsAreFatal = &Errhandler{name: "MPI_ERRORS_ARE_FATAL", fatal: true}
	ErrorsAbort    = &Errhandler{name: "MPI_ERRORS_ABORT", fatal: true}
)

// String returns the name: "MPI_ERRORS_RETURN".
func (h *Errhandler) String() string { return h.name }

// SetErrhandler attaches h to the handle (MPI_Comm_set_errhandler, §9.3.1). It is local. Communicators made from c
// inherit h. A nil h, MPI_ERRHANDLER_NULL, raises MPI_ERR_ERRHANDLER.
func (c *Comm) SetErrhandler(h *Errhandler) error {
	if err := c.Check(CallSetErrhandler); err != nil {
		return err
	}
	if e := c.p.fits(h, false, CallSetErrhandler); e != nil {
		return c.fail(e)
	}
	c.extras().errhandler = h
	c.p.local(CallSetErrhandler, c, textArg("errhandler", h.name))
	return nil
}

// Errhandler returns the handle's error handler (MPI_Comm_get_errhandler, §9.3.1).
func (c *Comm) Errhandler() (*Errhandler, error) {
	if err := c.Check(CallGetErrhandler); err != nil {
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

// CallErrhandler calls c's error handler with an error class or code (MPI_Comm_call_errhandler, §9.5). The call
// succeeds if the handler returns: under MPI_ERRORS_RETURN nothing happens.
func (c *Comm) CallErrhandler(code Class) error {
	if err := c.Check(CallCallErrhandler); err != nil {
		return err
	}
	return raiseForProgram(code, CallCallErrhandler, c.fail)
}

// raiseForProgram raises an error that the program asks for. It returns an error when the handler itself fails.
func raiseForProgram(code Class, call Call, raise func(*Error) error) error {
	e := &Error{Class: code, Call: call, Comm: -1, Text: "raised by the program", Rule: call.Rule()}
	if err := raise(e); err != error(e) {
		return err
	}
	return nil
}

// SetErrhandler attaches h to the session (MPI_Session_set_errhandler, §9.3.4). A nil h, MPI_ERRHANDLER_NULL,
// raises MPI_ERR_ERRHANDLER, and so does a handler for communicators.
func (s *Session) SetErrhandler(h *Errhandler) error {
	if err := s.check(CallSessionSetErrhandler); err != nil {
		return err
	}
	if e := s.p.fits(h, true, CallSessionSetErrhandler); e != nil {
		return s.raise(e)
	}
	s.errhandler = h
	s.p.local(CallSessionSetErrhandler, nil, textArg("errhandler", h.name))
	return nil
}

// Errhandler returns the session's error handler (MPI_Session_get_errhandler, §9.3.4).
func (s *Session) Errhandler() (*Errhandler, error) {
	if err := s.check(CallSessionGetErrhandler); err != nil {
		return nil, err
	}
	return s.errhandler, nil
}

// CallErrhandler calls the session's error handler (MPI_Session_call_errhandler, §9.5), as [Comm.CallErrhandler] does.
func (s *Session) CallErrhandler(code Class) error {
	if err := s.check(CallSessionCallErrhandler); err != nil {
		return err
	}
	return raiseForProgram(code, CallSessionCallErrhandler, s.raise)
}

// errorCode is an error class or an error code that a process added (§9.5).
type errorCode struct {
	class Class // the class of an error code; of an error class, the class itself
	text  string
}

// lastUsedCode returns the value of the attribute MPI_LASTUSEDCODE, which never decreases.
func (p *Process) lastUsedCode() Class {
	if p.mail == nil {
		return LastCode
	}
	return max(LastCode, p.mail.lastCode)
}

// addCode adds an error class when of is -1, otherwise an error code of the class of, and returns its number.
func (p *Process) addCode(of Class) Class {
	t := p.traffic()
	t.lastCode = p.lastUsedCode() + 1
	if t.codes == nil {
		t.codes = map[Class]*errorCode{}
	}
	if of < 0 {
		of = t.lastCode
	}
	t.codes[t.lastCode] = &errorCode{class: of}
	return t.lastCode
}

// added returns the class or code with a number that the process added; nil for other numbers.
func (p *Process) added(code Class) *errorCode {
	if p.mail == nil {
		return nil
	}
	return p.mail.codes[code]
}

// HasErrorCode reports whether a number is an error class or code, predefined or added by the process.
func (p *Process) HasErrorCode(code Class) bool {
	_, ok := classes[code]
	return ok || p.added(code) != nil
}

// AddErrorClass makes a new error class of the process (MPI_Add_error_class, §9.5). It is local.
func (p *Process) AddErrorClass() Class { return p.addCode(-1) }

// AddErrorCode makes a new error code of a class (MPI_Add_error_code, §9.5). A number that is not a class:
// MPI_ERR_ARG.
func (p *Process) AddErrorCode(class Class) (Class, error) {
	if own, err := p.ErrorClass(class); err != nil || own != class {
		return 0, p.Raise(MistakeErrorCode.In(CallAddErrorCode, int(class)))
	}
	return p.addCode(class), nil
}

// AddErrorString sets the text of an error class or code that the process added (MPI_Add_error_string, §9.5), and
// replaces an earlier text. A predefined class or code: MPI_ERR_ARG.
func (p *Process) AddErrorString(code Class, text string) error {
	own := p.added(code)
	switch {
	case own == nil:
		return p.Raise(MistakeErrorCodeOwn.In(CallAddErrorString, code, "class or code"))
	case len(text) >= MaxErrorString:
		return p.Raise(MistakeErrorText.In(CallAddErrorString, MaxErrorString-1, len(text)))
	}
	own.text = text
	return nil
}

// ErrorClass returns the class of an error code (MPI_Error_class, §9.4); of a class, the class itself. Any other
// number: MPI_ERR_ARG.
func (p *Process) ErrorClass(code Class) (Class, error) {
	if own := p.added(code); own != nil {
		return own.class, nil
	}
	if _, ok := classes[code]; ok {
		return code, nil
	}
	return 0, p.Raise(MistakeErrorCode.In(CallErrorClass, int(code)))
}

// ErrorString returns the text about an error class or code (MPI_Error_string, §9.3.5); "" when the process added the
// class or code and set no text. Any other number: MPI_ERR_ARG.
func (p *Process) ErrorString(code Class) (string, error) {
	if own := p.added(code); own != nil {
		return own.text, nil
	}
	if info, ok := classes[code]; ok {
		return info.name + ": " + info.text, nil
	}
	return "", p.Raise(MistakeErrorCode.In(CallErrorString, int(code)))
}

// RemoveErrorClass takes back an error class that the process added (MPI_Remove_error_class, §9.5). A class that
// still has a code, or that the process did not add: MPI_ERR_ARG.
func (p *Process) RemoveErrorClass(class Class) error {
	own := p.added(class)
	if own == nil || own.class != class {
		return p.Raise(MistakeErrorCodeOwn.In(CallRemoveErrorClass, class, "class"))
	}
	for _, code := range slices.Sorted(maps.Keys(p.mail.codes)) {
		if code != class && p.mail.codes[code].class == class {
			return p.Raise(MistakeErrorClassUsed.In(CallRemoveErrorClass, int(class), int(code)))
		}
	}
	delete(p.mail.codes, class)
	return nil
}

// RemoveErrorCode takes back an error code that the process added (MPI_Remove_error_code, §9.5). Any other number:
// MPI_ERR_ARG.
func (p *Process) RemoveErrorCode(code Class) error {
	if own := p.added(code); own == nil || own.class == code {
		return p.Raise(MistakeErrorCodeOwn.In(CallRemoveErrorCode, code, "code"))
	}
	delete(p.mail.codes, code)
	return nil
}

// RemoveErrorString takes back the text of an error class or code that the process added (MPI_Remove_error_string,
// §9.5). Any other number: MPI_ERR_ARG.
func (p *Process) RemoveErrorString(code Class) error {
	own := p.added(code)
	if own == nil {
		return p.Raise(MistakeErrorCodeOwn.In(CallRemoveErrorString, code, "class or code"))
	}
	own.text = ""
	return nil
}

// MaxErrorString is MPI_MAX_ERROR_STRING, the longest text of an error in bytes, including C's null character.
const MaxErrorString = 512
