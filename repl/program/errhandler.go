package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
)

// Errhandler is an error handler as programs see it.
type Errhandler struct {
	h *engine.Errhandler // nil: ERRHANDLER_NULL
}

// String is "<Errhandler MPI_ERRORS_RETURN>".
func (v *Errhandler) String() string {
	if v.h == nil {
		return "<Errhandler MPI_ERRHANDLER_NULL>"
	}
	return "<Errhandler " + v.h.String() + ">"
}

func (v *Errhandler) Type() string          { return "Errhandler" }
func (v *Errhandler) Freeze()               {}
func (v *Errhandler) Truth() starlark.Bool  { return v.h != nil }
func (v *Errhandler) Hash() (uint32, error) { return starlark.String(v.String()).Hash() }

// CompareSameType compares handles.
func (v *Errhandler) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, v.h == other.(*Errhandler).h, "error handlers")
}

// errhandler reads an error handler; None is the one that mpi4py takes, which raises exceptions.
func (c *call) errhandler(i int) (*engine.Errhandler, error) {
	if c.args[i] == starlark.None {
		return engine.ErrorsReturn, nil
	}
	if v, ok := c.args[i].(*Errhandler); ok {
		return v.h, nil
	}
	return nil, c.wrong(i, "an error handler, such as MPI.ERRORS_RETURN, or None")
}

func commSetErrhandler(c *call) (starlark.Value, error) {
	h, ok := c.args[0].(*Errhandler)
	if !ok {
		return nil, c.wrong(0, "an error handler, such as MPI.ERRORS_RETURN")
	}
	return nothing(c.on().SetErrhandler(h.h))
}

func commGetErrhandler(c *call) (starlark.Value, error) {
	h, err := c.on().Errhandler()
	return &Errhandler{h}, err
}

func commCallErrhandler(c *call) (starlark.Value, error) {
	class, err := c.class(0)
	if err != nil {
		return nil, err
	}
	return nothing(c.on().CallErrhandler(class))
}

// class reads an error class.
func (c *call) class(i int) (engine.Class, error) {
	class, err := asClass(c.args[i])
	if err != nil {
		return 0, fmt.Errorf("%s: %s %w", c.fn.name, c.fn.params[i].name, err)
	}
	return class, nil
}

// asClass is the value as an error class; the error continues "errorcode ...".
func asClass(v starlark.Value) (engine.Class, error) {
	n, err := asInt(v)
	if class := engine.Class(n); err == nil && slices.Contains(engine.Classes(), class) {
		return class, nil
	}
	return 0, fmt.Errorf("must be an error class, such as MPI.ERR_ARG, not %s", describe(v))
}
