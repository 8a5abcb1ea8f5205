package program

import (
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
