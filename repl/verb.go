package repl

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/program"
)

// Verb is one command of the language. The table of verbs is the only place that defines them: the
// prompt, completion, .help, the one-shot commands and the manual all read it.
type Verb struct {
	Name    string // with "_"; the command line writes "-"
	Params  []Param
	Makes   Result
	Call    engine.Call // the MPI call that it makes; CallNone for verbs of the session
	Short   string      // one line
	Long    string      // a paragraph
	Example string      // a line that works on a fresh world of 8 ranks
	OneShot bool        // also a command of the command line

	// run carries the verb out on one rank and returns what its variable becomes.
	run func(*issue) (starlark.Value, error)

	// program writes the statements that mean the same in a program; the last is an expression,
	// the verb's result. {name} stands for an argument's text.
	program func(given func(param string) bool) []string
}

// Param is a parameter of a verb.
type Param struct {
	Name    string
	Kind    ParamKind
	Default string // expression; "" means that it must be given
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
	InfoParam
	PartsParam
	FuncParam
	HandleParam // a variable that holds communicators; COMM_NULL is welcome
)

// Result is what a verb makes.
type Result int

// The kinds of result.
const (
	MakesNothing Result = iota
	MakesComm
	MakesInfo
	MakesValue
)

// Signature is "split comm color key=0".
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
	k := v.param(name)
	return k >= 0 && (v.Params[k].Kind == TextParam || v.Params[k].Kind == ResourceParam)
}

// Line is the command with the given arguments, as they come from a shell. That took the quotes of
// strings away: resource="hwloc://Core" came as resource=hwloc://Core.
func (v *Verb) Line(args []string) string {
	words := []string{v.Name}
	for _, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if ok && v.TakesText(name) && !strings.HasPrefix(value, `"`) && !strings.HasPrefix(value, "'") {
			a = name + "=" + strconv.Quote(value)
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// actsOnComm reports whether the first argument is a communicator that ranks must hold to take
// part.
func (v *Verb) actsOnComm() bool { return len(v.Params) > 0 && v.Params[0].Kind == CommParam }

// issue is one rank's execution of a command.
type issue struct {
	rank *program.Rank
	comm *engine.Comm // what it acts on; nil for verbs without a communicator
	args []starlark.Value
	cmd  *command
}

// arg is the value of a parameter by name.
func (i *issue) arg(name string) starlark.Value {
	for k, p := range i.cmd.verb.Params {
		if p.Name == name {
			return i.args[k]
		}
	}
	panic("repl: verb " + i.cmd.verb.Name + " has no parameter " + name)
}

// wrong is an error about an argument, at its place in the line.
func (i *issue) wrong(name, format string, args ...any) error {
	for k, p := range i.cmd.verb.Params {
		if p.Name == name {
			w := i.cmd.bound[k]
			return &program.Error{File: i.cmd.chunk.File, Line: w.Line, Col: w.Col, Message: fmt.Sprintf(format, args...)}
		}
	}
	panic("repl: verb " + i.cmd.verb.Name + " has no parameter " + name)
}

// integer reads a parameter that must be an int of MPI's size.
func (i *issue) integer(name string) (int, error) {
	v := i.arg(name)
	n, ok := v.(starlark.Int)
	if !ok {
		hint := ""
		if _, isFloat := v.(starlark.Float); isFloat {
			hint = wholeDivision(i.cmd.bound[i.cmd.verb.param(name)].Text)
		}
		return 0, i.wrong(name, "%s must be an integer, not %s %s%s", name, article(v.Type()), v, hint)
	}
	k, err := starlark.AsInt32(n)
	if err != nil {
		return 0, i.wrong(name, "%s must fit an int of 32 bits, not %s", name, v)
	}
	return k, nil
}

// wholeDivision proposes // for an expression that divides with /.
func wholeDivision(expr string) string {
	const mark = "\x00"
	whole := strings.ReplaceAll(strings.ReplaceAll(expr, "//", mark), "/", "//")
	whole = strings.ReplaceAll(whole, mark, "//")
	if whole == expr {
		return ""
	}
	return ": / makes a float, use " + whole
}

// text reads a parameter that must be a string.
func (i *issue) text(name string) (string, error) {
	v := i.arg(name)
	s, ok := starlark.AsString(v)
	if !ok {
		return "", i.wrong(name, "%s must be a string in quotes, not %s %s", name, article(v.Type()), v)
	}
	return s, nil
}

// group reads a parameter that is a group, or a list of ranks of the communicator.
func (i *issue) group(name string) (*engine.Group, error) {
	v := i.arg(name)
	if g, ok := program.GroupOf(v); ok {
		i.cmd.groups.Store(true)
		return g, nil
	}
	list, ok := v.(starlark.Iterable)
	if !ok {
		return nil, i.wrong(name, "%s must be a list of ranks such as [0, 1], or a group, not %s %s", name, article(v.Type()), v)
	}
	var ranks []int
	it := list.Iterate()
	defer it.Done()
	for var_ := starlark.Value(nil); it.Next(&var_); {
		k, err := starlark.AsInt32(var_)
		if err != nil {
			return nil, i.wrong(name, "%s must be a list of ranks, but it holds %s %s", name, article(var_.Type()), var_)
		}
		ranks = append(ranks, k)
	}
	all, err := i.comm.Group()
	if err != nil {
		return nil, err
	}
	g, err := all.Incl(ranks)
	if e, ok := err.(*engine.Error); ok {
		return nil, i.rank.P.Raise(e)
	}
	return g, err
}

func article(word string) string {
	if strings.ContainsAny(word[:1], "aeiou") {
		return "an " + word
	}
	return "a " + word
}
