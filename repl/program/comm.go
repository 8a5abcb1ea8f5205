package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/render"
)

// Comm is a communicator as programs see it: one process' handle.
type Comm struct {
	c *engine.Comm // nil: COMM_NULL
	r *Rank        // nil: a COMM_NULL that belongs to no rank

	came *reason.Held    // of a COMM_NULL: where it came from; nil: written as the constant
	topo engine.TopoType // of a COMM_NULL that the constructor of a virtual topology returned
}

var nullComm = &Comm{}

// WrapComm makes a value of a handle; nil is COMM_NULL. The process of c must have a Rank.
func WrapComm(c *engine.Comm) starlark.Value {
	if c == nil {
		return nullComm
	}
	return c.Process().Local.(*Rank).wrap(c)
}

func (r *Rank) wrap(c *engine.Comm) *Comm { return &Comm{c: c, r: r} }

// wrapped is the result of a constructor.
func (c *call) wrapped(made *engine.Comm, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return c.r.remember(c.r.wrap(made)), nil
}

// CommOf is the handle that v holds, nil for COMM_NULL; ok tells whether v is a communicator.
func CommOf(v starlark.Value) (c *engine.Comm, ok bool) {
	h, ok := v.(*Comm)
	if !ok {
		return nil, false
	}
	return h.c, true
}

// Held gives the ids of the communicators that a variable holds: one, or those of a list or tuple
// in order, leaving other values out. The id of COMM_NULL, also of a freed handle, is -1; render.Unset is that
// of a communicator in the making and, in a list, of None, the place of one that is not set yet. ok is
// false when there is no communicator.
func Held(v starlark.Value) (ids []int32, isList, ok bool) {
	switch v := v.(type) {
	case *Comm:
		return []int32{v.held()}, false, true
	case *starlark.List, starlark.Tuple:
		seq := v.(starlark.Indexable)
		for i := range seq.Len() {
			switch e := seq.Index(i).(type) {
			case *Comm:
				ids, ok = append(ids, e.held()), true
			case starlark.NoneType:
				ids = append(ids, render.Unset)
			}
		}
		return ids, true, ok
	}
	return nil, false, false
}

// Pending reports whether v is a communicator that a call without waiting is still making.
func Pending(v starlark.Value) bool {
	c, ok := v.(*Comm)
	return ok && c.c.Pending()
}

func (v *Comm) held() int32 {
	if v.c.Pending() {
		return render.Unset
	}
	if info := v.c.Info(); info != nil {
		return int32(info.ID)
	}
	return -1
}

// String is "<Intracomm 2>", or "<Cartcomm 2>", with the name when there is one.
func (v *Comm) String() string {
	switch {
	case v.c.IsNull():
		return "<" + v.Type() + " MPI_COMM_NULL>"
	case v.c.Pending():
		return "<" + v.Type() + " in the making>"
	}
	if name, err := v.c.Name(); err == nil && name != "" {
		return fmt.Sprintf("<%s %d %q>", v.Type(), v.held(), name)
	}
	return fmt.Sprintf("<%s %d>", v.Type(), v.held())
}

// Type is mpi4py's name of the type.
func (v *Comm) Type() string {
	if t := v.topoClass(); t != nil {
		return t.name
	}
	if v.c.Kind() == engine.Inter {
		return "Intercomm"
	}
	return "Intracomm"
}

func (v *Comm) Freeze()              {}
func (v *Comm) Truth() starlark.Bool { return starlark.Bool(!v.c.IsNull()) }

// Hash must not change when a communicator is completed or freed.
func (v *Comm) Hash() (uint32, error) { return 0, nil }

func (v *Comm) Attr(name string) (starlark.Value, error) { return v.classWith(name).attr(v.r, v, name) }
func (v *Comm) AttrNames() []string                      { return slices.Concat(v.topoNames(), commClass.listed(v.r)) }

// SetField implements assignable attributes: comm.name = "rows".
func (v *Comm) SetField(name string, to starlark.Value) error {
	return v.classWith(name).setField(v.r, v, name, to)
}

// CompareSameType compares handles, not what they stand for: that is what Compare is for.
func (v *Comm) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	w := other.(*Comm)
	return sameHandle(op, v.c == w.c || v.c.IsNull() && w.c.IsNull(), "communicators")
}

// sameHandle is the result of == and != of two handles.
func sameHandle(op syntax.Token, same bool, what string) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s have no order: only == and != compare them", what)
}

// listed lists the attributes that programs of rank r can use; all when r is nil.
func (c *class) listed(r *Rank) []string {
	if r == nil {
		return c.names
	}
	return c.existing(r.P.Std())
}

// on is the communicator that the method is called on.
func (c *call) on() *engine.Comm { return c.self.(*Comm).c }

func isComm(v starlark.Value) bool { _, ok := v.(*Comm); return ok }
