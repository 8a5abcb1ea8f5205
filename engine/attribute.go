package engine

import (
	"errors"
	"fmt"
	"slices"
)

// attribute is a value that a process cached with its handle of a communicator.
type attribute struct {
	key   *Keyval
	value any
}

// SetAttr caches a value with this process' handle (MPI_Comm_set_attr, §7.7.2). It first deletes the old value of k, if
// there is one; the new value counts as set last. When the delete function fails, the call fails and the old value
// stays.
func (c *Comm) SetAttr(k *Keyval, value any) error {
	if err := c.changeable(CallSetAttr, k); err != nil {
		return err
	}
	if err := c.drop(CallSetAttr, k); err != nil {
		return c.raise(err)
	}
	e := c.extras()
	e.attributes = append(e.attributes, attribute{k, value})
	c.p.local(CallSetAttr, c, intArg("comm_keyval", k.id))
	return nil
}

// Attr returns the value that is cached for k, and whether there is one (MPI_Comm_get_attr, §7.7.2). Predefined
// attributes have int values.
func (c *Comm) Attr(k *Keyval) (value any, ok bool, err error) {
	if err := c.usable(CallGetAttr, k); err != nil {
		return nil, false, err
	}
	if k.p == nil {
		value, ok = c.predefinedAttr(k)
		return value, ok, nil
	}
	if i := c.indexAttr(k); i >= 0 {
		return c.ext.attributes[i].value, true, nil
	}
	return nil, false, nil
}

// DeleteAttr calls the delete function of k and deletes the value that is cached for k (MPI_Comm_delete_attr, §7.7.2).
// Without a value it does nothing: the text names no error.
func (c *Comm) DeleteAttr(k *Keyval) error {
	if err := c.changeable(CallDeleteAttr, k); err != nil {
		return err
	}
	if err := c.drop(CallDeleteAttr, k); err != nil {
		return c.raise(err)
	}
	c.p.local(CallDeleteAttr, c, intArg("comm_keyval", k.id))
	return nil
}

func (c *Comm) indexAttr(k *Keyval) int {
	if c.ext == nil {
		return -1
	}
	return slices.IndexFunc(c.ext.attributes, func(a attribute) bool { return a.key == k })
}

// drop calls the delete function of k and removes the value of k, if there is one. When the delete function fails, the
// value stays. The function may itself change the attributes of c.
func (c *Comm) drop(call Call, k *Keyval) *Error {
	i := c.indexAttr(k)
	if i < 0 {
		return nil
	}
	if k.delete != nil {
		if err := k.delete(c, k, c.ext.attributes[i].value); err != nil {
			return c.callbackError(call, k, "delete", err)
		}
	}
	if i = c.indexAttr(k); i >= 0 {
		c.ext.attributes = slices.Delete(c.ext.attributes, i, i+1)
	}
	return nil
}

// deleteAttributes deletes all values cached with the handle before the communicator is freed, the value set last
// first. At the first failure it stops: this value and those set before it stay, and the process contributes the
// failure to the collective call. The text asks for this order only for MPI_COMM_SELF in MPI_Finalize (§11.2.4), and
// otherwise leaves it open.
func (c *Comm) deleteAttributes(call Call) error {
	if c.ext == nil {
		return nil
	}
	for _, a := range slices.Backward(slices.Clone(c.ext.attributes)) {
		if err := c.drop(call, a.key); err != nil {
			return err
		}
	}
	return nil
}

// copyAttributes asks the copy functions, in the order in which the values were set, for the values that a duplicate
// gets. It runs before the process contributes to the call, so a nonblocking duplication copies the values of the
// moment of the call. If a copy function fails, the process contributes the failure and forgets the copies made so far:
// there is no communicator to delete them from.
func (c *Comm) copyAttributes(call Call) ([]attribute, error) {
	var copies []attribute
	for _, a := range slices.Clone(c.ext.attributes) {
		if a.key.copy == nil {
			continue
		}
		value, keep, err := a.key.copy(c, a.key, a.value)
		if err != nil {
			return nil, c.callbackError(call, a.key, "copy", err)
		}
		if keep {
			copies = append(copies, attribute{a.key, value})
		}
	}
	return copies, nil
}

// Finalize does for the process what MPI_Finalize does first: it deletes the attributes of
// MPI_COMM_SELF, in the reverse of the order in which they were set (§11.2.4). Calls may follow.
func (p *Process) Finalize() error {
	if p.mail == nil || p.mail.self == nil {
		return nil
	}
	if err := p.mail.self.deleteAttributes(CallFinalize); err != nil {
		return p.mail.self.raise(err.(*Error))
	}
	return nil
}

// Keyval is an attribute key (§7.7.2). It belongs to one process; the predefined keyvals belong to all. nil is
// MPI_KEYVAL_INVALID.
type Keyval struct {
	p      *Process // nil: predefined
	id     int
	copy   CopyFunc
	delete DeleteFunc
	freed  bool
	environmental
}

// CopyFunc is called when c is duplicated, once for each value of c, in the order in which they were set. keep tells
// whether the duplicate gets copied as its value. An error makes the duplication fail, with the class of the error when
// it is an *Error, otherwise with MPI_ERR_OTHER. nil is MPI_COMM_NULL_COPY_FN: the duplicate does not get the value.
type CopyFunc func(c *Comm, k *Keyval, value any) (copied any, keep bool, err error)

// DeleteFunc is called before a value of c is replaced, deleted, or lost because c is freed. An error makes that call
// fail, as for a CopyFunc, and the value stays. nil is MPI_COMM_NULL_DELETE_FN, which does nothing.
type DeleteFunc func(c *Comm, k *Keyval, value any) error

// DupCopy is the CopyFunc MPI_COMM_DUP_FN: the duplicate gets the value itself.
func DupCopy(_ *Comm, _ *Keyval, value any) (any, bool, error) { return value, true, nil }

// CreateKeyval makes an attribute key (MPI_Comm_create_keyval, §7.7.2). It is local.
func (p *Process) CreateKeyval(copied CopyFunc, deleted DeleteFunc) *Keyval {
	k := &Keyval{p: p, id: len(predefinedKeyvals) + p.traffic().keyvals, copy: copied, delete: deleted}
	p.mail.keyvals++
	p.local(CallCreateKeyval, nil, intArg("comm_keyval", k.id))
	return k
}

// ID numbers the keyvals of a process: predefined keyvals from 0 on, then the others in order of creation.
func (k *Keyval) ID() int { return k.id }

// IsNull reports whether k is MPI_KEYVAL_INVALID: never made, or freed.
func (k *Keyval) IsNull() bool { return k == nil || k.freed }

// Free makes the handle MPI_KEYVAL_INVALID (MPI_Comm_free_keyval, §7.7.2). Cached values stay until their communicator
// is freed, and their functions are called as before. A keyval that is invalid or predefined: MPI_ERR_KEYVAL.
func (k *Keyval) Free() error {
	if e := k.invalid(CallFreeKeyval, nil); e != nil {
		return e
	}
	if k.p == nil {
		return MistakeKeyvalPredefined.In(CallFreeKeyval, k.name)
	}
	k.freed = true
	k.p.local(CallFreeKeyval, nil, intArg("comm_keyval", k.id))
	return nil
}

// invalid returns why process p cannot use keyval k; nil when it can. With p nil, only the keyval itself is checked.
func (k *Keyval) invalid(call Call, p *Process) *Error {
	switch {
	case k == nil:
		return MistakeKeyvalNull.In(call)
	case k.freed:
		return MistakeKeyvalFreed.In(call, k.id)
	case p != nil && k.p != nil && k.p != p:
		return MistakeKeyvalForeign.In(call, k.p.rank)
	}
	return nil
}

// usable raises MPI_ERR_COMM or MPI_ERR_KEYVAL when c or k is invalid.
func (c *Comm) usable(call Call, k *Keyval) error {
	if err := c.Check(call); err != nil {
		return err
	}
	if e := k.invalid(call, c.p); e != nil {
		return c.fail(e)
	}
	return nil
}

// changeable raises the errors of usable, and MPI_ERR_KEYVAL when k is predefined, so that its value cannot be changed.
func (c *Comm) changeable(call Call, k *Keyval) error {
	if err := c.usable(call, k); err != nil {
		return err
	}
	if k.p == nil {
		return c.fail(MistakeKeyvalPredefined.In(call, k.name))
	}
	return nil
}

// The keyvals of the predefined attributes (§9.1.2, §11.10.1, §11.10.3 and §9.5). Their values are ints.
var (
	KeyvalTagUB         = predefined("MPI_TAG_UB", 11, func(*Process) int { return TagUB })
	KeyvalHost          = predefined("MPI_HOST", 11, func(*Process) int { return ProcNull })
	KeyvalIO            = predefined("MPI_IO", 11, func(*Process) int { return AnySource })
	KeyvalWtimeIsGlobal = predefined("MPI_WTIME_IS_GLOBAL", 11, func(*Process) int { return 1 })
	KeyvalUniverseSize  = predefined("MPI_UNIVERSE_SIZE", 20, func(p *Process) int { return p.w.size })
	KeyvalAppnum        = predefined("MPI_APPNUM", 20, func(*Process) int { return 0 })
	KeyvalLastUsedCode  = predefined("MPI_LASTUSEDCODE", 20, func(p *Process) int { return int(p.lastUsedCode()) })
)

// predefinedKeyvals lists the keyvals of the predefined attributes by id.
var predefinedKeyvals = [...]*Keyval{KeyvalTagUB, KeyvalHost, KeyvalIO, KeyvalWtimeIsGlobal,
	KeyvalUniverseSize, KeyvalAppnum, KeyvalLastUsedCode}

func init() {
	for i, k := range predefinedKeyvals {
		k.id = i
	}
}

// environmental has the name of a predefined attribute, its version of the standard, and a function that gives its
// value.
type environmental struct {
	name  string
	since Std
	value func(*Process) int
}

func predefined(name string, since Std, value func(*Process) int) *Keyval {
	return &Keyval{environmental: environmental{name, since, value}}
}

// PredefinedKeyvals lists the keyvals of the predefined attributes in order of their ids.
func PredefinedKeyvals() []*Keyval { return predefinedKeyvals[:] }

// Name returns the C name of a predefined keyval, "MPI_TAG_UB"; "" for other keyvals.
func (k *Keyval) Name() string { return k.name }

// Since returns the first version of the standard that has the predefined keyval.
func (k *Keyval) Since() Std { return k.since }

// surroundings tells which predefined attributes a communicator has.
type surroundings uint8

const (
	noSurroundings  surroundings = iota
	inWorldModel                 // MPI_COMM_WORLD and its duplicates: all
	inSessionsModel              // communicators made from a group alone, and their duplicates: MPI_TAG_UB
)

// predefinedAttr returns the value of a predefined attribute of c, and whether c has the attribute.
func (c *Comm) predefinedAttr(k *Keyval) (value any, ok bool) {
	has := k == KeyvalTagUB
	switch c.core.surroundings {
	case noSurroundings:
		has = false
	case inWorldModel:
		has = k.since <= c.p.w.std
	}
	if !has {
		return nil, false
	}
	return k.value(c.p), true
}

// mostLevels is how many callbacks inside each other a message names.
const mostLevels = 3

// callbackError returns the error of a call on c in which the copy or delete function of k failed with err (§7.7.2).
// That function may have failed because a callback failed in a call of its own: then the message names only the
// innermost cause, and how deep it lies.
func (c *Comm) callbackError(call Call, k *Keyval, which string, err error) *Error {
	e := MistakeCallbackFailed.In(call, which, k.id).on(c.core)
	e.Got, e.Depth = err.Error(), 1
	var own *Error
	if !errors.As(err, &own) || own.Class == Success {
		return e
	}
	e.Class, e.Depth = own.Class, own.Depth+1
	if own.Call == call && own.Text == e.Text || own.Depth >= mostLevels {
		e.Got = own.Got
	} else {
		inner := *own
		inner.Depth = 0
		e.Got = fmt.Sprintf("%s in %s: %s", own.Class, own.Call, inner.Message())
	}
	return e
}

// callbacksFailed makes a collective call fail on all its processes when some process contributed the failure of a
// callback: otherwise the other processes would wait for this one forever. It reports whether a callback failed. which
// is "copy" or "delete"; outcome tells what becomes of the communicator.
func (op *operation) callbacksFailed(which, outcome string) bool {
	var ranks []int32
	for slot := range op.x {
		if op.ownFailure(slot) != nil {
			ranks = append(ranks, op.core.all[slot])
		}
	}
	if len(ranks) == 0 {
		return false
	}
	op.err = op.wrong(MistakeCallbackFailedElsewhere, which, RanksOf(ranks...).Noun(), outcome)
	return true
}

// ownFailure returns the failure of a callback that a process contributed, or nil.
func (op *operation) ownFailure(slot int) *Error {
	if op.x == nil {
		return nil
	}
	x := op.x[slot]
	if r, ok := x.(*Request); ok {
		x = r.build.failed
	}
	own, _ := x.(*Error)
	return own
}

// errorFor returns the error of a failed call for the process of a slot: the failure of its own callback, or else the
// error of all.
func (op *operation) errorFor(slot int32) *Error {
	if own := op.ownFailure(int(slot)); own != nil {
		return own
	}
	err := *op.err
	return &err
}
