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
		if _, isBool := v.(starlark.Bool); isBool {
			hint = ": use int(" + i.cmd.bound[i.cmd.verb.param(name)].Text + ")"
		}
		if _, isComm := program.CommOf(v); isComm {
			hint = i.cmd.unhide()
		}
		return 0, i.wrong(name, "%s must be an integer, not %s%s", name, described(v), hint)
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
		return "", i.wrong(name, "%s must be a string in quotes, not %s", name, described(v))
	}
	return s, nil
}

// communicator reads a parameter that must be a communicator, or COMM_NULL.
func (i *issue) communicator(name string) (*engine.Comm, error) {
	c, ok := program.CommOf(i.arg(name))
	if !ok {
		return nil, i.wrong(name, "%s must be a communicator, not %s", name, article(i.arg(name).Type()))
	}
	return c, nil
}

// info reads a parameter that must be an info object.
func (i *issue) info(name string) (*engine.Info, error) {
	info, ok := program.InfoOf(i.arg(name))
	if !ok {
		return nil, i.wrong(name, "%s must be an info object, such as MPI.Info.Create({...}), not %s", name, article(i.arg(name).Type()))
	}
	return info, nil
}

// group reads a parameter that is a group, or a list of ranks of the communicator.
func (i *issue) group(name string) (*engine.Group, error) { return i.groupFrom(name, i.comm.Group) }

// groupFrom is group with a list of ranks of the group that all gives.
func (i *issue) groupFrom(name string, all func() (*engine.Group, error)) (*engine.Group, error) {
	v := i.arg(name)
	if g, ok := program.GroupOf(v); ok {
		i.cmd.groups.Store(true)
		return g, nil
	}
	list, ok := v.(starlark.Iterable)
	if !ok {
		return nil, i.wrong(name, "%s must be a list of ranks such as [0, 1], or a group, not %s", name, described(v))
	}
	from, err := all()
	if err != nil {
		return nil, err
	}
	if v.Type() != "range" {
		return i.include(name, from, list)
	}
	k := rangeOf{from, v.String()}
	if g, ok := i.cmd.ranges.Load(k); ok {
		return g.(*engine.Group), nil
	}
	g, err := i.include(name, from, list)
	if err != nil {
		return nil, err
	}
	shared, _ := i.cmd.ranges.LoadOrStore(k, g)
	return shared.(*engine.Group), nil
}

// rangeOf is the ranks of a group that a range names: a value of two words that stands for as many as
// there are ranks. Those that pass the same one share its group, or a world would make a list for every
// rank that is as long as itself.
type rangeOf struct {
	from *engine.Group
	text string // "range(0, 8, 2)"
}

// include is the group of the ranks of from that list holds.
func (i *issue) include(name string, from *engine.Group, list starlark.Iterable) (*engine.Group, error) {
	var ranks []int
	it := list.Iterate()
	defer it.Done()
	for var_ := starlark.Value(nil); it.Next(&var_); {
		k, err := starlark.AsInt32(var_)
		if err != nil {
			return nil, i.wrong(name, "%s must be a list of ranks, but it holds %s", name, described(var_))
		}
		ranks = append(ranks, k)
	}
	g, err := from.Incl(ranks)
	if e, ok := err.(*engine.Error); ok && len(e.Ranks) == 0 {
		return nil, i.rank.P.Raise(e)
	}
	return g, err
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
