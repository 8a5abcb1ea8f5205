package program

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// At tells where the rank is when it makes calls outside of a program: at a command.
func (r *Rank) At(site engine.Site) {
	r.at = site
	r.P.At(site)
}

// Value is what a predeclared name of programs is on this rank, such as MPI; nil for another name.
func (r *Rank) Value(name string) starlark.Value {
	v, err := predeclared.attr(r, nil, name)
	if err != nil {
		return nil
	}
	return v
}

// Attr is an attribute of a value of this rank.
func (r *Rank) Attr(of starlark.Value, name string) (starlark.Value, error) {
	if h, ok := of.(starlark.HasAttrs); ok {
		v, err := h.Attr(name)
		if v != nil || err != nil {
			return v, r.raise(err)
		}
	}
	return nil, fmt.Errorf("%s has no .%s", describe(of), name)
}

// Apply calls a function, as a program would. It fails like Run; of a mistake it knows no place. MPI's own
// functions are called without the interpreter: a rank may wait in them for long, and a million may.
func (r *Rank) Apply(fn starlark.Value, args ...starlark.Value) (starlark.Value, error) {
	defer r.endTurn()
	f, ok := fn.(*function)
	if !ok {
		v, err := starlark.Call(&r.thread, fn, args, nil)
		return v, r.failure(err)
	}
	v, err := f.CallInternal(&r.thread, args, nil)
	var mpi *engine.Error
	var eval *starlark.EvalError
	switch {
	case err == nil || errors.As(err, &mpi) && len(mpi.Ranks) > 0:
		return v, err
	case errors.As(err, &eval):
		return nil, r.failure(err)
	case mpi != nil:
		return nil, r.P.Raise(mpi)
	}
	e := &Error{Message: err.Error()}
	e.because(err)
	return nil, e
}

// Unnoted begins or ends that handles do not count as never freed: of what is opened on the way to a result,
// such as the group that a communicator is made of, nobody has the handle to free it.
func (r *Rank) Unnoted(begin bool) { r.unnoted = begin }

// GroupOf is the group that v holds, nil for GROUP_NULL; ok tells whether v is a group.
func GroupOf(v starlark.Value) (g *engine.Group, ok bool) {
	h, ok := v.(*Group)
	if !ok {
		return nil, false
	}
	return h.g, true
}

// InfoOf is the info object that v holds, nil for INFO_NULL; ok tells whether v is one.
func InfoOf(v starlark.Value) (i *engine.Info, ok bool) {
	h, ok := v.(*Info)
	if !ok {
		return nil, false
	}
	return h.info, true
}

// Info makes a value of a new info object of this rank.
func (r *Rank) Info(i *engine.Info) starlark.Value {
	return &Info{r: r, info: i, open: r.opened("info")}
}
