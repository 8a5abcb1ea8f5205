package program

import (
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// constants are the names of MPI that are the same on every rank.
func constants() []*attribute {
	list := []*attribute{
		integer("UNDEFINED", engine.Undefined, "the color of a process that wants no communicator; a rank that there is not"),
		integer("ANY_SOURCE", engine.AnySource, "receive from any rank"),
		integer("ANY_TAG", engine.AnyTag, "receive with any tag"),
		integer("PROC_NULL", engine.ProcNull, "the rank of nobody: sending to it does nothing"),
		integer("IDENT", int(engine.Ident), "the same handle, or the same group in the same order"),
		integer("CONGRUENT", int(engine.Congruent), "the same group in the same order, another context"),
		integer("SIMILAR", int(engine.Similar), "the same members in another order"),
		integer("UNEQUAL", int(engine.Unequal), "different members"),
		constant("INFO_NULL", &Info{}, "no info object"),
		constant("GROUP_NULL", &Group{}, "no group"),
		constant("REQUEST_NULL", &Request{}, "no request"),
		constant("ERRORS_RETURN", &Errhandler{engine.ErrorsReturn}, "errors are raised, and can be caught"),
		constant("ERRORS_ARE_FATAL", &Errhandler{engine.ErrorsAreFatal}, "an error ends the program"),
		constant("ERRORS_ABORT", &Errhandler{engine.ErrorsAbort}, "an error ends the processes of the communicator").from(40),
	}
	for _, t := range []engine.SplitType{engine.TypeShared, engine.TypeHWUnguided, engine.TypeHWGuided, engine.TypeResourceGuided} {
		name := strings.TrimPrefix(t.String(), "MPI_")
		list = append(list, integer(name, int(t), "a kind of Split_type").from(t.Since()))
	}
	for _, c := range engine.Classes() {
		list = append(list, integer(strings.TrimPrefix(c.String(), "MPI_"), int(c), "an error class"))
	}
	for _, o := range ops {
		list = append(list, constant(o.name, newOp(o.name, o.combine), "a reduction operation"))
	}
	return list
}

func constant(name string, v starlark.Value, doc string) *attribute {
	return &attribute{name: name, doc: doc, value: v}
}

func integer(name string, n int, doc string) *attribute {
	return constant(name, starlark.MakeInt(n), doc)
}

// from says in which version of the standard a constant came.
func (a *attribute) from(since engine.Std) *attribute {
	a.since = since
	return a
}
