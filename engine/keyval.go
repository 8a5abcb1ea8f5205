package engine

import "fmt"

// Keyval is an attribute key: what is cached with communicators is found by it (§7.7.2). It belongs
// to one process; the predefined ones belong to all. nil is MPI_KEYVAL_INVALID.
type Keyval struct {
	p      *Process // nil: predefined
	id     int
	copy   CopyFunc
	delete DeleteFunc
	freed  bool
	environmental
}

// CopyFunc is called for a value that c has when c is duplicated: once a value, in the order in
// which they were set. keep says whether the duplicate gets copied as its value. An error makes the
// duplication fail, with the class of the error when it is an *Error, otherwise with MPI_ERR_OTHER.
// nil is MPI_COMM_NULL_COPY_FN: the duplicate does not get the value.
type CopyFunc func(c *Comm, k *Keyval, value any) (copied any, keep bool, err error)

// DeleteFunc is called before a value that c has is replaced, deleted, or lost with c. An error makes
// the call fail that had this effect, as for a CopyFunc, and the value stays. nil is
// MPI_COMM_NULL_DELETE_FN: nothing is to be done.
type DeleteFunc func(c *Comm, k *Keyval, value any) error

// DupCopy is MPI_COMM_DUP_FN, the CopyFunc that gives the duplicate the value itself.
func DupCopy(_ *Comm, _ *Keyval, value any) (any, bool, error) { return value, true, nil }

// CreateKeyval makes an attribute key (MPI_Comm_create_keyval, §7.7.2). It is local.
func (p *Process) CreateKeyval(copied CopyFunc, deleted DeleteFunc) *Keyval {
	k := &Keyval{p: p, id: len(predefinedKeyvals) + int(p.keyvals), copy: copied, delete: deleted}
	p.keyvals++
	p.local(CallCreateKeyval, nil, intArg("comm_keyval", k.id))
	return k
}

// ID tells the keyvals of a process apart: those that are predefined come first, from 0 on, then the
// others in order of creation.
func (k *Keyval) ID() int { return k.id }

// IsNull reports whether k is MPI_KEYVAL_INVALID: never made, or freed.
func (k *Keyval) IsNull() bool { return k == nil || k.freed }

// Free makes the handle MPI_KEYVAL_INVALID (MPI_Comm_free_keyval, §7.7.2). Values that are attached
// stay, and their functions are called as before, until their communicator is freed. A keyval that is
// invalid or predefined: MPI_ERR_KEYVAL.
func (k *Keyval) Free() error {
	if text := k.invalid(nil); text != "" {
		return keyvalError(CallFreeKeyval, -1, text)
	}
	if k.p == nil {
		return k.permanent(CallFreeKeyval, -1)
	}
	k.freed = true
	k.p.local(CallFreeKeyval, nil, intArg("comm_keyval", k.id))
	return nil
}

// invalid says why k is no keyval that process p, unless it is nil, can use; "" when it is one.
func (k *Keyval) invalid(p *Process) string {
	switch {
	case k == nil:
		return "the keyval is MPI_KEYVAL_INVALID, or none that was made"
	case k.freed:
		return fmt.Sprintf("keyval %d was freed before; a freed keyval is MPI_KEYVAL_INVALID", k.id)
	case p != nil && k.p != nil && k.p != p:
		return fmt.Sprintf("the keyval is one of rank %d: a keyval belongs to the process that made it", k.p.rank)
	}
	return ""
}

// usable raises MPI_ERR_COMM or MPI_ERR_KEYVAL when c or k is invalid.
func (c *Comm) usable(call Call, k *Keyval) error {
	if err := c.check(call); err != nil {
		return err
	}
	if text := k.invalid(c.p); text != "" {
		return c.raise(keyvalError(call, c.core.info.ID, text))
	}
	return nil
}

// changeable is usable, and raises MPI_ERR_KEYVAL when the value of k cannot be changed.
func (c *Comm) changeable(call Call, k *Keyval) error {
	if err := c.usable(call, k); err != nil {
		return err
	}
	if k.p == nil {
		return c.raise(k.permanent(call, c.core.info.ID))
	}
	return nil
}

func keyvalError(call Call, comm int, text string) *Error {
	return &Error{Class: ErrKeyval, Call: call, Comm: comm, Rule: call.Rule(), Text: text}
}
