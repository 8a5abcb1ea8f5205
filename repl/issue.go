package repl

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/program"
)

// issue is one rank's execution of a command.
type issue struct {
	rank *program.Rank
	comm *engine.Comm // what it acts on; nil for verbs without a communicator
	args []starlark.Value
	cmd  *command
	vars map[string]starlark.Value // what the verb's statements assign
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

// described is a value for an error message: "a float 0.5", or "None".
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
