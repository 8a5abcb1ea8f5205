package program

import (
	"errors"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/repl/python"
)

// Fragment is an expression as it stands in a line of a session.
type Fragment struct {
	Text      string
	Line, Col int // of its first character, both from 1
}

// Exprs is the expressions of one command, compiled once for all ranks.
type Exprs struct {
	program  *starlark.Program // computes all of them
	compiled []expr            // compute them without the interpreter; nil: some need it
	names    []string
	calls    bool // the program may call something
}

// CompileExprs compiles expressions of file. known tells which names the session gives them,
// whether variables or locals. A mistake is a *Error at its place in the file.
func CompileExprs(file string, list []Fragment, known func(string) bool) (*Exprs, error) {
	if len(list) == 0 {
		return &Exprs{}, nil
	}
	b, err := build(func() (*syntax.File, error) {
		tuple := &syntax.TupleExpr{}
		for _, f := range list {
			e, err := python.ParseExpr(file, f.Text, f.Line, f.Col)
			if err != nil {
				return nil, err
			}
			tuple.List = append(tuple.List, e)
		}
		// Frames take the name of the file from where the first statement stands: here before
		// all columns, where no name of the text is.
		start := syntax.MakePosition(&file, int32(list[0].Line), 0)
		store := &syntax.AssignStmt{Op: syntax.EQ, LHS: field(start, resultName), RHS: tuple}
		return &syntax.File{Path: file, Stmts: []syntax.Stmt{store}, Options: python.Options}, nil
	}, known)
	if err != nil {
		return nil, explain(err, known)
	}
	tuple := b.tree.Stmts[0].(*syntax.AssignStmt).RHS.(*syntax.TupleExpr)
	return &Exprs{
		program: b.program, compiled: new(compiler).exprs(tuple.List), calls: slices.ContainsFunc(tuple.List, mayCall),
		names: slices.DeleteFunc(b.names, func(n string) bool { return known == nil || !known(n) }),
	}, nil
}

// mayCall reports whether an expression can run code of MPI: by a call, or by an attribute, which may be a
// property.
func mayCall(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CallExpr, *syntax.DotExpr, *syntax.LambdaExpr, *syntax.Comprehension:
			found = true
		}
		return !found
	})
	return found
}

// Names lists, in order, the names that the expressions take from the session: the free names that known
// confirmed.
func (e *Exprs) Names() []string { return e.names }

// Eval computes the expressions of e, in order. A name for which locals has a value hides the variable of that
// name; locals may be nil. Eval fails like Run.
func (r *Rank) Eval(e *Exprs, locals func(name string) starlark.Value) ([]starlark.Value, error) {
	return (&Evaluator{own: true}).Eval(r, e, locals, nil)
}

// Evaluator computes expressions and makes calls ready, for ranks one after the other. Different goroutines may do so
// for different idle ranks, each with an Evaluator of its own.
type Evaluator struct {
	own   bool         // the rank itself evaluates, and may call anything
	in    *interpreter // for idle ranks
	frame frame
}

// Evaluator is the one with which the rank computes its own expressions.
func (r *Rank) Evaluator() *Evaluator { return &Evaluator{own: true} }

// ErrOwn says that only the rank itself may compute expressions: they may call MPI.
var ErrOwn = errors.New("the rank itself has to compute this")

// Eval is the Eval of r, which appends to values. ErrOwn is its error for expressions that only the rank itself may
// compute.
func (v *Evaluator) Eval(r *Rank, e *Exprs, locals func(name string) starlark.Value, values []starlark.Value) ([]starlark.Value, error) {
	if e.program == nil {
		return values, nil
	}
	defer r.endTurn()
	if all, ok := v.compute(r, e, locals, values); ok {
		return all, nil
	}
	in := v.in
	switch {
	case v.own:
		in = r.interpreter()
	case e.calls:
		return nil, ErrOwn
	case r.stopped.Load():
		return nil, errStopped
	case in == nil:
		v.in = newInterpreter(r)
		in = v.in
	}
	in.scope.r, in.scope.locals = r, locals
	defer func() { in.scope.locals, in.scope.result = nil, nil }()
	if _, err := e.program.Init(&in.thread, in.env); err != nil {
		return nil, r.failure(err)
	}
	return append(values, in.scope.result.(starlark.Tuple)...), nil
}

// compute appends the values of the expressions. It is false when the interpreter has to compute them, or to say what
// is wrong.
func (v *Evaluator) compute(r *Rank, e *Exprs, locals func(name string) starlark.Value, values []starlark.Value) ([]starlark.Value, bool) {
	if e.compiled == nil {
		return nil, false
	}
	v.frame = frame{r: r, locals: locals}
	for _, x := range e.compiled {
		value, err := x(&v.frame)
		if err != nil {
			return nil, false
		}
		values = append(values, value)
	}
	return values, true
}
