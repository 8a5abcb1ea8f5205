package program

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
	table "codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/python"
)

// Error is a mistake in a program that is not MPI's: syntax, an unknown name, a wrong type.
type Error struct {
	File      string
	Line, Col int // from 1; 0 when unknown
	Message   string
	Limit     bool // the program reached a limit of the session's
	Beyond    bool // the text is Python that the language does not have

	exits    bool           // the program called exit, and says that all is well
	Argument *ArgumentError // what the message is about, when it is an argument of a function of MPI
}

// Error writes "demo.py:7:12: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
}

func errorAt(pos syntax.Position, message string) *Error {
	return &Error{File: pos.Filename(), Line: int(pos.Line), Col: int(pos.Col), Message: message}
}

// explain turns what the parser or the resolver found into an Error that says what would be right. bound are the names
// that the text itself assigns.
func explain(err error, bound map[string]bool, known func(string) bool) error {
	switch err := err.(type) {
	case *python.Error:
		e := errorAt(err.Pos, err.Message)
		e.Beyond = err.Beyond
		return e
	case resolve.ErrorList:
		first := slices.MinFunc(err, func(a, b resolve.Error) int {
			return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
		})
		return errorAt(first.Pos, unknownName(first.Msg, bound, known))
	}
	return err
}

// unknownName rewords the resolver's message about a name that nothing defines, and returns other messages unchanged.
func unknownName(msg string, bound map[string]bool, known func(string) bool) string {
	rest, ok := strings.CutPrefix(msg, "undefined: ")
	if !ok {
		return msg
	}
	name, _, _ := strings.Cut(rest, " ")
	msg = name + " is not defined"
	switch near := nearestName(name, bound, known); {
	case name == "rank" || name == "size":
		return msg + fmt.Sprintf(": a program has no implicit %s, write world.%s", name, name)
	case fromC(name) != "":
		return msg + ": write " + fromC(name)
	case name == "help":
		return msg + ": a program has no help page of a function; .help NAME shows it at the prompt"
	case table.AbsentC(name) != "":
		return table.AbsentC(name)
	case near != "":
		return msg + "; did you mean " + near + "?"
	case strings.EqualFold(name, "comm"):
		return msg + ": comm = MPI.COMM_WORLD defines it"
	case name[0] < 'a' && fromC("MPI_"+name) != "":
		return msg + ": write " + fromC("MPI_"+name)
	}
	return msg
}

// fromC returns what a program writes for a name of MPI in C; "" when programs have no such name.
func fromC(name string) string {
	rest, ok := strings.CutPrefix(name, "MPI_")
	if !ok || rest == "" {
		return ""
	}
	if slices.Contains(mpi.names, rest) {
		return "MPI." + rest
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "Comm_"), "Intercomm_")
	for _, method := range []string{strings.ToUpper(rest[:min(1, len(rest))]) + rest[min(1, len(rest)):], "Get_" + rest} {
		if slices.Contains(commClass.names, method) {
			return "world." + method
		}
	}
	return ""
}

// nearestName returns the name that was probably meant, or "". known tells only of one name whether it is a variable,
// so nearestName asks for all names that are one typing error away.
func nearestName(name string, bound map[string]bool, known func(string) bool) string {
	other := func(s string) int { // 0 for names that begin as name does, which come first: word is rather world than ord
		if strings.HasPrefix(s, name[:1]) {
			return 0
		}
		return 1
	}
	alike := func(a, b string) int { return other(a) - other(b) }
	if known != nil {
		if known(strings.ToUpper(name)) {
			return strings.ToUpper(name)
		}
		list := slices.DeleteFunc(typos(name), func(typo string) bool { return !known(typo) })
		if slices.SortStableFunc(list, alike); len(list) > 0 {
			return list[0]
		}
	}
	candidates := slices.Concat(predeclared.names, starlark.Universe.Keys())
	for b := range bound {
		candidates = append(candidates, b)
	}
	slices.Sort(candidates)
	slices.SortStableFunc(candidates, alike)
	bare := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	if i := slices.IndexFunc(candidates, func(c string) bool { return bare(c) == bare(name) }); i >= 0 {
		return candidates[i]
	}
	return spell.Nearest(name, candidates)
}

// typos lists the words that are one added, missing, changed or swapped letter away from name.
func typos(name string) []string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	const longest = 40 // beyond this it is not a name
	var list []string
	if len(name) > longest {
		return nil
	}
	for i := range len(name) + 1 {
		head, tail := name[:i], name[i:]
		if tail != "" {
			list = append(list, head+tail[1:])
		}
		if len(tail) > 1 {
			list = append(list, head+tail[1:2]+tail[:1]+tail[2:])
		}
		for _, c := range letters {
			if tail != "" {
				list = append(list, head+string(c)+tail[1:])
			}
			list = append(list, head+string(c)+tail)
		}
	}
	return list
}

// failure makes, of what ended a program, the error that the caller gets: a bare *engine.Error, signed by the rank, or
// a *Error.
func (r *Rank) failure(err error) error {
	var eval *starlark.EvalError
	if !errors.As(err, &eval) {
		return err
	}
	pos := failedAt(eval)
	var mpi *engine.Error
	if errors.As(err, &mpi) {
		if len(mpi.Ranks) == 0 {
			r.P.At(r.interpreter().site(pos))
			return r.P.Raise(mpi)
		}
		return mpi
	}
	e := errorAt(pos, strings.TrimPrefix(eval.Msg, "Starlark computation cancelled: "))
	e.because(err)
	return e
}

// signed returns the MPI error that stands in err with the rank that made it.
func (r *Rank) signed(e *engine.Error, err error) *engine.Error {
	if len(e.Ranks) == 0 {
		if signed, ok := r.failure(err).(*engine.Error); ok {
			return signed
		}
	}
	return e
}

// because notes what callers may ask about the cause.
func (e *Error) because(cause error) {
	var limit *Limit
	e.Limit = errors.As(cause, &limit)
	errors.As(cause, &e.Argument)
	var exit *exception
	if errors.As(cause, &exit) && exit.class == "SystemExit" {
		e.exits = len(exit.args) == 0 || exit.args[0] == starlark.None || exit.args[0] == starlark.MakeInt(0)
	}
}

// failedAt returns the innermost place of the program in the call stack of a failure.
func failedAt(e *starlark.EvalError) syntax.Position {
	for depth := range len(e.CallStack) {
		if pos := e.CallStack.At(depth).Pos; pos.Line > 0 {
			return pos
		}
	}
	return syntax.Position{}
}
