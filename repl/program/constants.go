package program

import (
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// threadMultiple is MPI_THREAD_MULTIPLE. The levels increase (§11.2.1).
const threadMultiple = 3

// constantList is constants, made once: hundreds of defaults in signatures look there at start-up.
var constantList = sync.OnceValue(constants)

// constants are the names of MPI that are the same on every rank.
func constants() []*attribute {
	list := []*attribute{
		integer("UNDEFINED", engine.Undefined, "the color of a process that wants no communicator; a rank that there is not"),
		integer("ANY_SOURCE", engine.AnySource, "receive from any rank"),
		integer("ANY_TAG", engine.AnyTag, "receive with any tag"),
		integer("PROC_NULL", engine.ProcNull, "the rank of nobody: sending to it does nothing"),
		integer("ROOT", engine.Root, "what the root itself passes as root on an intercommunicator"),
		integer("IDENT", int(engine.Ident), "the same handle, or the same group in the same order"),
		integer("CONGRUENT", int(engine.Congruent), "the same group in the same order, another context"),
		integer("SIMILAR", int(engine.Similar), "the same members in another order"),
		integer("UNEQUAL", int(engine.Unequal), "different members"),
		constant("INFO_NULL", &Info{}, "no info object"),
		constant("GROUP_NULL", &Group{}, "no group"),
		constant("REQUEST_NULL", &Request{}, "no request"),
		constant("SESSION_NULL", &Session{}, "no session").from(40),
		integer("MAX_INFO_KEY", engine.MaxInfoKey, "length of a key of an info object").from(20),
		integer("MAX_INFO_VAL", engine.MaxInfoVal, "length of a value of an info object").from(20),
		integer("MAX_STRINGTAG_LEN", engine.MaxStringtag, "length of a stringtag, C's null character included").from(40),
		integer("MAX_PSET_NAME_LEN", engine.MaxPsetName, "length of the name of a process set").from(40),
		constant("ERRHANDLER_NULL", &Errhandler{}, "no error handler"),
		constant("ERRORS_RETURN", &Errhandler{engine.ErrorsReturn}, "errors are raised, and can be caught"),
		constant("ERRORS_ARE_FATAL", &Errhandler{engine.ErrorsAreFatal}, "an error ends the program"),
		constant("ERRORS_ABORT", &Errhandler{engine.ErrorsAbort}, "an error ends the processes of the communicator").from(40),
	}
	for level, name := range []string{"SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"} {
		list = append(list, integer("THREAD_"+name, level, "a level of thread support"))
	}
	list = append(list, keyvalConstants()...)
	list = append(list, topoConstants()...)
	for _, t := range engine.SplitTypes(engine.Draft2019) {
		name := strings.TrimPrefix(t.String(), "MPI_")
		list = append(list, integer(name, int(t), "a kind of Split_type").from(t.Since()))
	}
	for _, c := range engine.Classes() {
		list = append(list, integer(strings.TrimPrefix(c.String(), "MPI_"), int(c), "an error class").from(c.Since()))
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
