package program

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
	table "commsplit/engine/calls"
	"commsplit/hw/spell"
)

// Error is a mistake in a program that is not MPI's: syntax, an unknown name, a wrong type.
type Error struct {
	File      string
	Line, Col int // from 1; 0 when unknown
	Message   string
	Limit     bool // the program reached a limit of the session's

	Argument *ArgumentError // what the message is about, when it is an argument of a function of MPI
}

// Error is "demo.py:7:12: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
}

func errorAt(pos syntax.Position, message string) *Error {
	return &Error{File: pos.Filename(), Line: int(pos.Line), Col: int(pos.Col), Message: message}
}

// explain turns what the parser or the resolver found into an Error that says what would be right.
func explain(err error, src source, known func(string) bool) error {
	var scan syntax.Error
	var names *unresolved
	var file resolve.ErrorList
	switch {
	case errors.As(err, &scan):
		return src.hint(scan)
	case errors.As(err, &names):
		e := firstOf(names.ErrorList)
		return errorAt(e.Pos, unknownName(e.Msg, names.bound, known))
	case errors.As(err, &file):
		e := firstOf(file)
		return errorAt(e.Pos, e.Msg)
	}
	return err
}

func firstOf(list resolve.ErrorList) resolve.Error {
	return slices.MinFunc(list, func(a, b resolve.Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
}

// unknownName rewords the resolver's message about a name that nothing defines; others pass.
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
	case table.AbsentC(name) != "":
		return table.AbsentC(name)
	case near != "":
		return msg + "; did you mean " + near + "?"
	}
	return msg
}

// fromC is what a program writes for a name of C's MPI; "" when it has no such thing.
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

// nearestName is the name that was probably meant, or "". The session's variables can only be
// asked for one by one, so of these it finds what is one typing error away.
func nearestName(name string, bound map[string]bool, known func(string) bool) string {
	if known != nil {
		if i := slices.IndexFunc(typos(name), known); i >= 0 {
			return typos(name)[i]
		}
	}
	candidates := slices.Concat(predeclared.names, starlark.Universe.Keys())
	for b := range bound {
		candidates = append(candidates, b)
	}
	slices.Sort(candidates)
	bare := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	if i := slices.IndexFunc(candidates, func(c string) bool { return bare(c) == bare(name) }); i >= 0 {
		return candidates[i]
	}
	return spell.Nearest(name, candidates)
}

// typos lists the words one added, missing, changed or swapped letter away from name.
func typos(name string) []string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	const longest = 40 // beyond this it is no name
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

// failure turns what ended a program into the error that the caller gets: a bare *engine.Error,
// signed by the rank, or a *Error.
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

// because notes what programs may ask of the cause.
func (e *Error) because(cause error) {
	var limit *Limit
	e.Limit = errors.As(cause, &limit)
	errors.As(cause, &e.Argument)
}

// failedAt is the innermost place in the program on the stack of a failure.
func failedAt(e *starlark.EvalError) syntax.Position {
	for depth := range len(e.CallStack) {
		if pos := e.CallStack.At(depth).Pos; pos.Line > 0 {
			return pos
		}
	}
	return syntax.Position{}
}

// source is the text that a syntax error lies in.
type source struct {
	text       string
	firstLine  int
	firstCol   int  // column of its first character, when it is not 1
	expression bool // one expression, not statements
}

var noImport = "nothing can be imported: MPI is already there; only `from mpi4py import MPI` and " +
	"`from commsplit import " + strings.Join(Importable, ", ") + "` are accepted, at the top"

const useExpectError = ": use expect_error(MPI.ERR_ARG, function, arguments...) for a call that must fail"

// statements are words that Python has and this language does not, with what to do instead.
var statements = map[string]string{
	"import":   noImport,
	"from":     noImport,
	"class":    "there are no classes: use functions, lists and dicts",
	"try":      "there is no try" + useExpectError,
	"except":   "there is no except" + useExpectError,
	"finally":  "there is no finally" + useExpectError,
	"raise":    "there is no raise: use fail(\"message\")",
	"with":     "there is no with: call the functions one after the other",
	"del":      "there is no del: use the pop method of a list or dict",
	"global":   "there is no global: return the value and assign it at the top level, or change a list or dict",
	"nonlocal": "there is no nonlocal: return the value, or change a list or dict",
	"yield":    "there are no generators: return a list",
	"async":    "there is no async: every rank runs on its own already",
	"await":    "there is no await: a call returns when it is complete",
	"assert":   "there is no assert: use expect(condition, \"message\")",
	"@":        "there are no decorators: call the function on the other one",
}

var firstWord = regexp.MustCompile(`^\s*(@|\w+)`)

// constructs are pieces of Python that this language does not have. The parser stops behind them
// with the message; the error is shown where the pattern is.
var constructs = []struct {
	message string // part of the parser's
	pattern *regexp.Regexp
	text    string
}{
	{"got string literal", regexp.MustCompile(`\b[rR]?[fF][rR]?["']`), "there are no f-strings: use \"%d of %d\" % (a, b) or \"{} of {}\".format(a, b)"},
	{"got is", regexp.MustCompile(`\bis\b`), "there is no is: use == or !="},
	{"got identifier", regexp.MustCompile(`\bmod\b`), "the remainder is written %, as in rank % 2"},
	{"'**'", regexp.MustCompile(`\*\*`), "there is no ** operator: multiply, or use 1 << n for powers of two"},
}

// hint is a syntax error with what to write instead where that can be told.
func (s source) hint(e syntax.Error) *Error {
	line := s.line(e.Pos)
	if m := firstWord.FindStringSubmatch(line); m != nil && !s.expression {
		if text, ok := statements[m[1]]; ok {
			return errorAt(e.Pos, text)
		}
	}
	for _, c := range constructs {
		if m := c.pattern.FindStringIndex(line); m != nil && strings.Contains(e.Msg, c.message) {
			at := errorAt(e.Pos, c.text)
			at.Col = utf8.RuneCountInString(line[:m[0]]) + s.columnOf(e.Pos)
			return at
		}
	}
	msg := e.Msg
	switch {
	case strings.HasPrefix(msg, "got end of file") && !s.expression && s.endsInColon():
		msg = "a body, indented, is expected below this line"
	case strings.HasSuffix(msg, "want primary expression"):
		msg = "a value is missing here"
		if got, _, ok := strings.Cut(strings.TrimPrefix(e.Msg, "got "), ", want"); ok && got != "end of file" && got != "newline" {
			msg += ", before " + got
		}
	case strings.Contains(msg, "does not associate"):
		msg += ": comparisons cannot be chained, write a < b and b < c"
	case strings.HasPrefix(strings.TrimSpace(line), "print ") && !s.expression:
		msg = "print is a function: print(...)"
	}
	return errorAt(e.Pos, msg)
}

// endsInColon reports whether nothing but comments stands behind the colon of an if, for, while or def.
func (s source) endsInColon() bool {
	for _, line := range slices.Backward(strings.Split(s.text, "\n")) {
		code, _, _ := strings.Cut(line, "#")
		if code = strings.TrimSpace(code); code != "" {
			return strings.HasSuffix(code, ":")
		}
	}
	return false
}

// line is the text of the line of a position.
func (s source) line(pos syntax.Position) string {
	lines := strings.Split(s.text, "\n")
	if i := int(pos.Line) - s.firstLine; i >= 0 && i < len(lines) {
		return lines[i]
	}
	return ""
}

// columnOf is the column in the file of the first character of the position's line.
func (s source) columnOf(pos syntax.Position) int {
	if int(pos.Line) == s.firstLine {
		return max(s.firstCol, 1)
	}
	return 1
}
