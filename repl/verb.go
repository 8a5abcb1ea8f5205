package repl

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// Verb is one command of the language. The table Verbs is the only definition of the verbs: the prompt,
// completion, .help, the one-shot commands and the manual all read it.
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

	// text returns the statements that the verb means; the last statement is an expression, the verb's result.
	// {name} stands for the argument of that name; given reports whether an argument differs from its
	// default. Nil: the session itself carries out the verb.
	text func(given func(param string) bool) []string

	check func(*issue) error          // refuses arguments that do not go together; nil: all arguments do
	tells string                      // the parameter whose value the console prints; "": it prints the result
	show  func(starlark.Value) string // writes a value for the console; nil: as programs print it
}

// Param is a parameter of a verb.
type Param struct {
	Name    string
	Kind    ParamKind
	Default string // expression; "": the argument must be given
	Help    string
}

// ParamKind says what an argument may be, for completion and for checking.
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
func (v *Verb) Signature() string {
	parts := []string{v.Name}
	for _, p := range v.Params {
		if p.Default == "" {
			parts = append(parts, p.Name)
		} else {
			parts = append(parts, p.Name+"="+p.Default)
		}
	}
	return strings.Join(parts, " ")
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

// Verbs is the table of all verbs, in the order of the help.
var Verbs = slices.Concat(constructors, interVerbs, handleVerbs, []*Verb{rebinding}, checkVerbs)

// FindVerb finds a verb by name, with "-" or "_"; nil when there is none.
func FindVerb(name string) *Verb {
	name = strings.ReplaceAll(name, "-", "_")
	if i := slices.IndexFunc(Verbs, func(v *Verb) bool { return v.Name == name }); i >= 0 {
		return Verbs[i]
	}
	return nil
}

func IsVerb(word string) bool { return FindVerb(word) != nil }

func VerbNames() []string {
	names := make([]string, len(Verbs))
	for i, v := range Verbs {
		names[i] = v.Name
	}
	return names
}

// lines makes the text function of a verb whose statements are the same for all arguments.
func lines(text ...string) func(func(string) bool) []string {
	return func(func(string) bool) []string { return slices.Clone(text) }
}
