package repl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// Verb is one command of the language, as language.txt defines it.
type Verb struct {
	Name    string // with "_"; the command line writes "-"
	Params  []Param
	Makes   Result
	Call    engine.Call // the MPI call that it makes; CallNone for verbs of the session
	Short   string      // one line
	Long    string      // a paragraph
	Example string      // a line that works on 8 ranks after half = split world color=rank%2 and the line After
	After   string      // a line that the example builds on; "" for none
	OneShot bool        // also a command of the command line

	statements []statement // what the verb means; none: the session itself carries out the verb
	checks     bool        // it narrates, asks or expects

	check func(*issue) error // refuses arguments that do not go together; nil: all arguments do
	tells string             // the parameter whose value the console prints; "": it prints the result
}

// Param is a parameter of a verb.
type Param struct {
	Name    string
	Kind    ParamKind
	Default string // expression; "": the argument must be given
	Help    string
}

// ParamKind is which arguments a parameter takes, for completion and for checking.
type ParamKind int

// The kinds of parameter.
const (
	AnyValue ParamKind = iota
	CommParam
	IntParam
	TextParam
	GroupParam // a list of ranks, or a group
	TypeParam  // a split type
	ResourceParam
	PsetParam
	InfoParam
	PartsParam
	FuncParam
	HandleParam // a variable that holds communicators or COMM_NULL
	RanksParam  // world ranks as a list: 0-3,7
	CPUSetParam // PUs as a list: 0-1+8
)

// Result is the kind of a verb's result.
type Result int

// The kinds of result.
const (
	MakesNothing Result = iota
	MakesComm
	MakesInfo
	MakesValue
)

// Signature returns "split comm color key=0".
func (v *Verb) Signature() string { return strings.Join(v.Words(), " ") }

// Words returns the name, and each parameter with its default.
func (v *Verb) Words() []string {
	words := []string{v.Name}
	for _, p := range v.Params {
		if p.Default == "" {
			words = append(words, p.Name)
		} else {
			words = append(words, p.Name+"="+p.Default)
		}
	}
	return words
}

// TakesText reports whether the parameter of that name is a string.
func (v *Verb) TakesText(name string) bool {
	k := v.Index(name)
	return k >= 0 && slices.Contains([]ParamKind{TextParam, ResourceParam, PsetParam}, v.Params[k].Kind)
}

// Line writes the command with the given arguments of a shell. The shell has removed the quotes of
// strings: resource="hwloc://Core" comes as resource=hwloc://Core, and one argument of the shell may
// have blanks.
func (v *Verb) Line(args []string) string {
	words := []string{v.Name}
	for _, a := range args {
		name, value, ok := strings.Cut(a, "=")
		switch {
		case ok && v.TakesText(name) && !strings.HasPrefix(value, `"`) && !strings.HasPrefix(value, "'"):
			a = name + "=" + strconv.Quote(value)
		case lang.IsURI(a):
			a = strconv.Quote(a)
		case lang.OneWord(a):
		case ok && v.Index(name) >= 0:
			a = name + "=(" + value + ")"
		default:
			a = "(" + a + ")"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// actsOnComm reports whether the first argument is a communicator that ranks must hold to take part in the call.
func (v *Verb) actsOnComm() bool { return len(v.Params) > 0 && v.Params[0].Kind == CommParam }

// Index returns the index of the parameter of that name; -1 for none.
func (v *Verb) Index(name string) int {
	for k, p := range v.Params {
		if p.Name == name {
			return k
		}
	}
	return -1
}

func (v *Verb) paramNames() []string {
	names := make([]string, len(v.Params))
	for i, p := range v.Params {
		names[i] = p.Name
	}
	return names
}

// listed returns an argument as a program writes it: a list of numbers, such as 0-3,7 or 0-1+8, gets
// quotes; any other argument is an expression and stays as it is.
func (p Param) listed(a lang.Arg) lang.Arg {
	isList := a.Text != "" && strings.Trim(a.Text, "0123456789,+-") == ""
	if isList && (p.Kind == RanksParam || p.Kind == CPUSetParam) {
		a.Text = strconv.Quote(a.Text)
	}
	return a
}

// namesRanks reports whether the verb's first argument names the ranks that the verb is about.
func (v *Verb) namesRanks() bool { return len(v.Params) > 0 && v.Params[0].Kind == RanksParam }

// statement is a statement of a verb, and the arguments that must or must not be given for it.
type statement struct{ when, text string }

// text returns the statements that the verb means; given reports whether an argument differs from its default.
func (v *Verb) text(given func(param string) bool) []string {
	var list []string
	for _, s := range v.statements {
		if s.when == "" || s.holds(given) {
			list = append(list, s.text)
		}
	}
	return list
}

// holds reports whether each word of the condition holds: "a", "!b" or "c|d".
func (s statement) holds(given func(param string) bool) bool {
	for word := range strings.FieldsSeq(s.when) {
		if !slices.ContainsFunc(strings.Split(word, "|"), func(name string) bool {
			plain, not := strings.CutPrefix(name, "!")
			return given(plain) != not
		}) {
			return false
		}
	}
	return true
}

// issue is one rank's execution of a command.
type issue struct {
	rank   *program.Rank
	comm   *engine.Comm // the communicator that the verb acts on; nil for a verb without one
	args   []starlark.Value
	cmd    *command
	locals func(string) starlark.Value
}

// arg returns the value of a parameter by name.
func (i *issue) arg(name string) starlark.Value { return i.args[i.cmd.verb.Index(name)] }

// wrong returns an error about an argument, at its place in the line.
func (i *issue) wrong(name, format string, args ...any) error {
	return i.cmd.errorAt(i.cmd.bound[i.cmd.verb.Index(name)].Word, fmt.Sprintf(format, args...))
}

// described returns a value for an error message: "a float 0.5", or "None".
func described(v starlark.Value) string {
	if v == starlark.None {
		return "None"
	}
	return article(v.Type()) + " " + v.String()
}

func article(word string) string {
	if strings.ContainsAny(word[:1], "aeiouAEIOU") {
		return "an " + word
	}
	return "a " + word
}

// wholeDivision returns a hint to write // in an expression that divides with /; "" for other expressions.
func wholeDivision(expr string) string {
	const mark = "\x00"
	whole := strings.ReplaceAll(strings.ReplaceAll(expr, "//", mark), "/", "//")
	whole = strings.ReplaceAll(whole, mark, "//")
	if whole == expr {
		return ""
	}
	return ": / gives a float, use " + whole
}

// command is a command chunk made ready: its arguments bound to the verb's parameters and compiled
// once for all ranks.
type command struct {
	chunk  *lang.Chunk
	at     engine.Site // where it stands
	verb   *Verb
	target string     // variable that gets the result; "" for none
	bound  []lang.Arg // by parameter; defaults stand at the verb
	given  []bool     // by parameter: written in the line
	comm   *program.Exprs
	args   *program.Exprs
	hidden []string    // names in args that a variable hides
	groups atomic.Bool // some rank passes a group object in place of a list of ranks
	means  [2]struct { // what the verb does, for a list of ranks and for a group object
		once    sync.Once
		routine *program.Routine
	}
}

// constants are the names that arguments may use for MPI_COMM_TYPE_SHARED and so on.
var constants = map[string]starlark.Value{
	"SHARED":          starlark.MakeInt(int(engine.TypeShared)),
	"HW_GUIDED":       starlark.MakeInt(int(engine.TypeHWGuided)),
	"HW_UNGUIDED":     starlark.MakeInt(int(engine.TypeHWUnguided)),
	"RESOURCE_GUIDED": starlark.MakeInt(int(engine.TypeResourceGuided)),
	"HW_SUBDOMAIN":    starlark.MakeInt(int(engine.TypeHWSubdomain)),
	"UNDEFINED":       starlark.MakeInt(engine.Undefined),
}

// rankNames are the names that differ from rank to rank.
var rankNames = append([]string{"rank", "size", "remote_size"}, program.HereNames()...)

// IsNumber reports whether a name in a command is a number that differs from rank to rank.
func IsNumber(name string) bool { return slices.Contains(rankNames, name) }

func isLocal(name string) bool {
	return constants[name] != nil || IsNumber(name)
}

// longName returns how a program writes a name that only commands know; "" for other names.
func longName(name, comm string) string {
	switch name {
	case "rank", "size", "remote_size":
		return comm + "." + name
	case "UNDEFINED":
		return "MPI.UNDEFINED"
	}
	if constants[name] != nil {
		return "MPI.COMM_TYPE_" + name
	}
	if slices.Contains(rankNames, name) {
		return "here." + name
	}
	return ""
}
