package engine

import (
	"errors"
	"fmt"
)

// mostLevels is how many callbacks inside of each other a message names.
const mostLevels = 3

// callbackError is the error of a call on c that had to call the copy or delete function of k, which
// failed with err (§7.7.2). A callback may make the call that calls it: the cause is then told once, and how
// deep it is.
func (c *Comm) callbackError(call Call, k *Keyval, which string, err error) *Error {
	e := &Error{Class: ErrOther, Call: call, Comm: c.core.info.ID, Rule: CallCreateKeyval.Rule(),
		Text: fmt.Sprintf("the %s function of keyval %d failed", which, k.id), Got: err.Error(), Depth: 1}
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

// callbacksFailed makes a collective call fail on all its processes when some contributed the failure
// of a callback, so that nobody waits for them. It reports whether that is so. which is "copy" or
// "delete", outcome what becomes of the communicator.
func (op *operation) callbacksFailed(which, outcome string) bool {
	var ranks []int32
	for slot := range op.x {
		if op.ownFailure(slot) != nil {
			ranks = append(ranks, op.members()[slot])
		}
	}
	if len(ranks) == 0 {
		return false
	}
	op.err = &Error{Class: ErrOther, Call: op.call, Comm: op.core.info.ID, Rule: CallCreateKeyval.Rule(),
		Text: fmt.Sprintf("the %s function of an attribute failed on %s: %s", which, RanksOf(ranks...).Noun(), outcome)}
	return true
}

// ownFailure is the failure of a callback that a process contributed, or nil.
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

// errorFor is the error of a failed call as the process of that slot sees it: its own, when its
// callback failed, or that of all.
func (op *operation) errorFor(slot int32) *Error {
	if own := op.ownFailure(int(slot)); own != nil {
		return own
	}
	err := *op.err
	return &err
}
