package repl

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/repl/program"
)

// A verb has one meaning: the statements of its text, in which {color} stands for an argument. With the
// arguments' texts filled in they are what .program and the exports write. Here they are carried out, on
// arguments that each rank has evaluated before: a rank that is woken in a world of a million starts no
// interpreter, and a mistake in an argument is told at its place in the line.

// meaning is the statements of a verb, read. Of the dialect there is in them what verbs need: assignments
// to names of their own, calls with arguments by position, attributes, elements, and "x if c else y".
type meaning []syntax.Stmt

// argPrefix begins what stands for an argument in a meaning.
const argPrefix = "_"

// meaningOf reads the statements of a verb's text.
func meaningOf(v *Verb, lines []string) meaning {
	text := strings.Join(lines, "\n")
	for _, p := range v.Params {
		text = strings.ReplaceAll(text, "{"+p.Name+"}", argPrefix+p.Name)
	}
	f, err := syntax.LegacyFileOptions().Parse(v.Name, text+"\n", 0)
	if err != nil {
		panic("repl: the text of the verb " + v.Name + " is no program: " + err.Error())
	}
	return f.Stmts
}

// meaning is what the command does on a rank. Where the rank passes a group object for a list of ranks,
// it is not made a group again.
func (cmd *command) meaning(groupObject bool) meaning {
	k := 0
	if groupObject {
		k = 1
	}
	cmd.read[k].once.Do(func() { cmd.read[k].meaning = meaningOf(cmd.verb, cmd.text(groupObject)) })
	return cmd.read[k].meaning
}

// text is the verb's statements for the arguments that were given.
func (cmd *command) text(groupObject bool) []string {
	v := cmd.verb
	lines := v.text(func(param string) bool { k := v.param(param); return cmd.bound[k].Text != v.Params[k].Default })
	if groupObject {
		for i := range lines {
			lines[i] = groupItself.Replace(lines[i])
		}
	}
	return lines
}

// perform carries the command out on a rank. What it comes to is the last statement's value. Handles that
// are opened on the way to it, such as the group of a list of ranks, do not count as never freed: the line
// has no name for them.
func (i *issue) perform() (starlark.Value, error) {
	if i.cmd.verb.check != nil {
		if err := i.cmd.verb.check(i); err != nil {
			return nil, err
		}
	}
	list := i.cmd.meaning(i.passesGroup())
	last := len(list) - 1
	for _, stmt := range list[:last] {
		if err := i.rank.Unnoted(func() error { return i.execute(stmt) }); err != nil {
			return nil, err
		}
	}
	result := list[last].(*syntax.ExprStmt).X
	c, ok := result.(*syntax.CallExpr)
	if !ok {
		return i.eval(result)
	}
	var fn starlark.Value
	var args []starlark.Value
	err := i.rank.Unnoted(func() (err error) {
		fn, args, err = i.callee(c)
		return err
	})
	if err != nil {
		return nil, err
	}
	v, err := i.rank.Apply(fn, args...)
	return v, i.placed(err, c.Args)
}

// execute carries out a statement before the last.
func (i *issue) execute(stmt syntax.Stmt) error {
	assign, ok := stmt.(*syntax.AssignStmt)
	if !ok {
		_, err := i.eval(stmt.(*syntax.ExprStmt).X)
		return err
	}
	v, err := i.eval(assign.RHS)
	if err == nil {
		if i.vars == nil {
			i.vars = map[string]starlark.Value{}
		}
		i.vars[assign.LHS.(*syntax.Ident).Name] = v
	}
	return err
}

// passesGroup reports whether a group object is passed where a list of ranks would do.
func (i *issue) passesGroup() bool {
	for k, p := range i.cmd.verb.Params {
		if _, ok := program.GroupOf(i.args[k]); ok && p.Kind == GroupParam {
			i.cmd.groups.Store(true)
			return true
		}
	}
	return false
}

// eval computes an expression of a meaning.
func (i *issue) eval(e syntax.Expr) (starlark.Value, error) {
	switch e := e.(type) {
	case *syntax.Ident:
		if k := i.param(e); k >= 0 {
			return i.args[k], nil
		}
		if v := i.vars[e.Name]; v != nil {
			return v, nil
		}
		return i.rank.Value(e.Name), nil
	case *syntax.Literal:
		switch v := e.Value.(type) {
		case int64:
			return starlark.MakeInt64(v), nil
		case string:
			return starlark.String(v), nil
		}
	case *syntax.DotExpr:
		of, err := i.eval(e.X)
		if err != nil {
			return nil, err
		}
		return i.rank.Attr(of, e.Name.Name)
	case *syntax.IndexExpr:
		return i.element(e)
	case *syntax.CondExpr:
		branch, err := i.branch(e)
		if err != nil {
			return nil, err
		}
		return i.eval(branch)
	case *syntax.BinaryExpr:
		return i.unequal(e)
	case *syntax.CallExpr:
		return i.call(e)
	}
	panic(fmt.Sprintf("repl: the verb %s has a %T", i.cmd.verb.Name, e))
}

// param is the parameter that an expression is; -1 when it is none.
func (i *issue) param(e syntax.Expr) int {
	if id, ok := e.(*syntax.Ident); ok {
		if name, ok := strings.CutPrefix(id.Name, argPrefix); ok {
			return i.cmd.verb.param(name)
		}
	}
	return -1
}

func (i *issue) element(e *syntax.IndexExpr) (starlark.Value, error) {
	of, err := i.eval(e.X)
	if err != nil {
		return nil, err
	}
	at, err := i.eval(e.Y)
	if err != nil {
		return nil, err
	}
	k, err := starlark.AsInt32(at)
	if list, ok := of.(starlark.Indexable); ok && err == nil && k < list.Len() {
		return list.Index(k), nil
	}
	return nil, fmt.Errorf("%s has no element %s", article(of.Type()), at)
}

// branch is which of both expressions of "x if c else y" counts.
func (i *issue) branch(e *syntax.CondExpr) (syntax.Expr, error) {
	cond, err := i.eval(e.Cond)
	if err != nil {
		return nil, err
	}
	if cond.Truth() {
		return e.True, nil
	}
	return e.False, nil
}

func (i *issue) unequal(e *syntax.BinaryExpr) (starlark.Value, error) {
	x, err := i.eval(e.X)
	if err != nil {
		return nil, err
	}
	y, err := i.eval(e.Y)
	if err != nil {
		return nil, err
	}
	same, err := starlark.Equal(x, y)
	return starlark.Bool(!same), err
}

func (i *issue) call(e *syntax.CallExpr) (starlark.Value, error) {
	fn, args, err := i.callee(e)
	if err != nil {
		return nil, err
	}
	v, err := i.rank.Apply(fn, args...)
	return v, i.placed(err, e.Args)
}

// callee computes what a call calls, and the arguments.
func (i *issue) callee(e *syntax.CallExpr) (fn starlark.Value, args []starlark.Value, err error) {
	if fn, err = i.eval(e.Fn); err != nil {
		return nil, nil, err
	}
	args = make([]starlark.Value, len(e.Args))
	for k, a := range e.Args {
		if args[k], err = i.eval(a); err != nil {
			return nil, nil, err
		}
	}
	return fn, args, nil
}

// placed says where in the line an error is that a function of programs found in its arguments, which
// were written so in the verb's text. The function knows nothing of the line.
func (i *issue) placed(err error, written []syntax.Expr) error {
	var e *program.Error
	if !errors.As(err, &e) || e.Line > 0 {
		return err
	}
	if a := e.Argument; a != nil && a.Index < len(written) {
		arg := written[a.Index]
		if cond, ok := arg.(*syntax.CondExpr); ok {
			arg, _ = i.branch(cond) // as it was when the call was made
		}
		if k := i.param(arg); k >= 0 {
			return i.wrongArgument(k, a)
		}
	}
	_, text, _ := strings.Cut(e.Message, ": ")
	if name, _, _ := strings.Cut(text, " "); i.cmd.verb.param(name) >= 0 {
		return i.wrong(name, "%s", text)
	}
	c := i.cmd.chunk
	return &program.Error{File: c.File, Line: c.Verb.Line, Col: c.Verb.Col, Message: e.Message}
}

// wrongArgument is the error of a function about what a parameter of the verb was given.
func (i *issue) wrongArgument(k int, a *program.ArgumentError) error {
	p, text := i.cmd.verb.Params[k], i.cmd.bound[k].Text
	what := p.Name
	if a.Element {
		what = "an element of " + what
	}
	hint := strings.ReplaceAll(a.Hint, "MPI.UNDEFINED", "UNDEFINED")
	if _, isFloat := a.Value.(starlark.Float); isFloat {
		hint = wholeDivision(text)
	}
	if _, isComm := program.CommOf(a.Value); isComm {
		hint = i.cmd.unhide()
	}
	must := a.Must
	if i.cmd.verb.TakesText(p.Name) {
		must += " in quotes"
	}
	found := described(a.Value)
	if n, ok := a.Value.(starlark.Int); ok {
		found = n.String()
	}
	return i.wrong(p.Name, "%s must %s, not %s%s", what, must, found, hint)
}
