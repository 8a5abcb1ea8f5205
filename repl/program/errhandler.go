package program

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
)

// Errhandler is an error handler as programs see it.
type Errhandler struct {
	h *engine.Errhandler
}

func (v *Errhandler) String() string        { return "<Errhandler " + v.h.String() + ">" }
func (v *Errhandler) Type() string          { return "Errhandler" }
func (v *Errhandler) Freeze()               {}
func (v *Errhandler) Truth() starlark.Bool  { return true }
func (v *Errhandler) Hash() (uint32, error) { return starlark.String(v.h.String()).Hash() }

// CompareSameType compares handles.
func (v *Errhandler) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, v.h == other.(*Errhandler).h, "error handlers")
}
