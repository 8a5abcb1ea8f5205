package program

import (
	"fmt"

	"go.starlark.net/starlark"

	"commsplit/engine/reason"
)

// Remember gives a COMM_NULL that a constructor just returned to this rank its origin, which a nil
// handle cannot carry. Other values pass.
func (r *Rank) Remember(v starlark.Value) starlark.Value {
	if v == nullComm {
		return r.remember(r.wrap(nil))
	}
	return v
}

// remember gives the result of a constructor its origin when it is COMM_NULL.
func (r *Rank) remember(v *Comm) *Comm {
	if v.c == nil {
		v.came = &reason.Held{Comm: -1, Origin: r.P.Origin()}
	}
	return v
}

// SkippedNull is what a line of a session gives a rank that makes no call: the line is at where and
// acts on handle, which is of here; nil for a line that is not for this rank.
func SkippedNull(where, handle string, of starlark.Value) starlark.Value {
	k := &reason.Skipped{Where: where, Handle: handle}
	if of != nil {
		held := HeldBy(of)
		k.Of = &held
	}
	return &Comm{came: &reason.Held{Comm: -1, Skipped: k}}
}

// HeldBy tells what a value is, for its explanation.
func HeldBy(v starlark.Value) reason.Held {
	c, ok := v.(*Comm)
	switch {
	case v == nil:
		return reason.Held{Comm: -1, Unset: "none: what assigns the variable has not run on this rank"}
	case !ok && isList(v):
		return reason.Held{Comm: -1, Unset: fmt.Sprintf("a %s of %d; ask for one of them: NAME[0]", v.Type(), starlark.Len(v))}
	case !ok:
		return reason.Held{Comm: -1, Unset: describe(v) + ", which is no communicator"}
	case c.c == nil && c.came != nil:
		return *c.came
	}
	return reason.Held{Comm: c.c.ID()}
}
