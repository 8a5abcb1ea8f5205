package program

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/repl/python"
)

// expr computes the value of an expression without the interpreter. It calls nothing and changes nothing, so whoever
// gets an error may let the interpreter compute the whole statement again, and say what is wrong and where.
type expr func(x *frame) (starlark.Value, error)

// frame has the values of the names of an expression.
type frame struct {
	r      *Rank
	locals func(name string) starlark.Value // names that the line has before variables; nil: none
	slots  []starlark.Value                 // the arguments of a routine, and what its calls returned
}

// errInterpret says that only the interpreter can compute an expression.
var errInterpret = errors.New("the interpreter has to compute this")

// compiler makes expressions that need no interpreter. The zero compiler is for programs.
type compiler struct {
	routine *Routine // gets the calls; nil: an expression with calls is left to the interpreter
}

// expr compiles an expression; nil where it needs the interpreter.
func (c *compiler) expr(e syntax.Expr) expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return c.expr(e.X)
	case *syntax.Literal:
		return literalExpr(e)
	case *syntax.Ident:
		return c.name(e.Name)
	case *syntax.DotExpr:
		return c.attribute(e)
	case *syntax.CallExpr:
		return c.call(e)
	case *syntax.UnaryExpr:
		return c.unary(e)
	case *syntax.BinaryExpr:
		return c.binary(e)
	case *syntax.CondExpr:
		return c.conditional(e)
	case *syntax.IndexExpr:
		return c.index(e)
	case *syntax.ListExpr:
		return elements(c.exprs(e.List), func(list []starlark.Value) starlark.Value { return starlark.NewList(list) })
	case *syntax.TupleExpr:
		return elements(c.exprs(e.List), func(list []starlark.Value) starlark.Value { return starlark.Tuple(list) })
	}
	return nil
}

// exprs compiles a list of expressions; nil where one needs the interpreter.
func (c *compiler) exprs(list []syntax.Expr) []expr {
	all := make([]expr, len(list))
	for i, e := range list {
		if all[i] = c.expr(e); all[i] == nil {
			return nil
		}
	}
	return all
}

func literalExpr(e *syntax.Literal) expr {
	var constant starlark.Value
	switch v := e.Value.(type) {
	case int64:
		constant = starlark.MakeInt64(v)
	case float64:
		constant = starlark.Float(v)
	case string:
		constant = starlark.String(v)
	default:
		return nil
	}
	return func(*frame) (starlark.Value, error) { return constant, nil }
}

// name compiles a name: of the routine, of the line, of a variable, or of Starlark.
func (c *compiler) name(name string) expr {
	if c.routine != nil && c.routine.names[name] != nil {
		return c.routine.names[name]
	}
	var constant starlark.Value
	switch name {
	case "True", "False", "None":
		constant = starlark.Universe[name]
	}
	if c.routine != nil && constant == nil {
		return nil
	}
	return func(x *frame) (starlark.Value, error) {
		switch v := x.named(name); {
		case v != nil:
			return v, nil
		case constant == nil:
			return nil, errInterpret
		}
		return constant, nil
	}
}

// named returns the value that a name has in the line or as a variable, also of world; nil for other names.
func (x *frame) named(name string) starlark.Value {
	if x.locals != nil {
		if v := x.locals(name); v != nil {
			return v
		}
	}
	if v := x.r.Vars.Get(name); v != nil {
		return v
	}
	if name == "world" {
		return &x.r.world
	}
	return nil
}

// attribute compiles an attribute that needs no call: what MPI and here have, which is the same whenever a program
// asks, and rank and size of a communicator. In a routine, other attributes are calls.
func (c *compiler) attribute(e *syntax.DotExpr) expr {
	if of, ok := e.X.(*syntax.Ident); ok && classOf(of) != nil {
		return attributeOfClass(of.Name, classOf(of).attrs[e.Name.Name])
	}
	name := e.Name.Name
	switch of := c.expr(e.X); {
	case name == "rank" || name == "size":
		return commNumber(of, name)
	case c.routine != nil && of != nil:
		return c.routine.add(invocation{recv: of, name: name, read: true})
	}
	return nil
}

// classOf returns the class that MPI, here, MPI.Info and so on stand for; nil for other expressions.
func classOf(e syntax.Expr) *class {
	in, name := predeclared, ""
	switch e := e.(type) {
	case *syntax.Ident:
		name = e.Name
	case *syntax.DotExpr:
		in, name = classOf(e.X), e.Name.Name
	}
	if in == nil || in.attrs[name] == nil {
		return nil
	}
	return in.attrs[name].inside
}

// attributeOfClass compiles an attribute of MPI or here. A variable may hide these names.
func attributeOfClass(of string, a *attribute) expr {
	if a == nil || a.value == nil && a.name != "COMM_WORLD" && a.class != hereClass {
		return nil
	}
	return func(x *frame) (starlark.Value, error) {
		switch err := a.exists(x.r.P.Std()); {
		case err != nil:
			return nil, err
		case x.named(of) != nil:
			return nil, errInterpret
		case a.value != nil:
			return x.r.own(a.value), nil
		}
		return a.get(x.r, nil)
	}
}

// commNumber compiles the rank or the size of a communicator. Where reading it does more, the interpreter has to.
func commNumber(of expr, name string) expr {
	if of == nil {
		return nil
	}
	return func(x *frame) (starlark.Value, error) {
		v, err := of(x)
		c, ok := v.(*Comm)
		switch {
		case err != nil:
			return nil, err
		case !ok || c.c.IsNull() || c.c.Pending() || c.rank().wary:
			return nil, fmt.Errorf("%s: only the interpreter can read its %s", describe(v), name)
		case name == "rank":
			return starlark.MakeInt(c.c.Rank()), nil
		}
		return starlark.MakeInt(c.c.Size()), nil
	}
}

// call compiles a call in a routine.
func (c *compiler) call(e *syntax.CallExpr) expr {
	if c.routine == nil {
		return c.numberCall(e)
	}
	n := invocation{given: e.Args}
	switch fn := e.Fn.(type) {
	case *syntax.Ident:
		n.fn = predeclared.attrs[fn.Name]
	case *syntax.DotExpr:
		if class := classOf(fn.X); class != nil {
			n.fn = class.attrs[fn.Name.Name]
		} else {
			n.recv, n.name, n.method = c.expr(fn.X), fn.Name.Name, methodToReady(fn.Name.Name, len(e.Args))
		}
	}
	if n.args = c.exprs(e.Args); n.args == nil || n.recv == nil && (n.fn == nil || n.fn.run == nil) {
		return nil
	}
	return c.routine.add(n)
}

// numberCall compiles comm.Get_rank() and comm.Get_size(); nil for other calls.
func (c *compiler) numberCall(e *syntax.CallExpr) expr {
	if dot, ok := e.Fn.(*syntax.DotExpr); ok && len(e.Args) == 0 {
		switch dot.Name.Name {
		case "Get_rank":
			return commNumber(c.expr(dot.X), "rank")
		case "Get_size":
			return commNumber(c.expr(dot.X), "size")
		}
	}
	return nil
}

func (c *compiler) unary(e *syntax.UnaryExpr) expr {
	if e.X == nil || e.Op == syntax.STAR || e.Op == syntax.STARSTAR {
		return nil
	}
	of := c.expr(e.X)
	if of == nil {
		return nil
	}
	return func(x *frame) (starlark.Value, error) {
		v, err := of(x)
		if err != nil {
			return nil, err
		}
		if e.Op == syntax.NOT {
			return !v.Truth(), nil
		}
		return starlark.Unary(e.Op, v)
	}
}

func (c *compiler) binary(e *syntax.BinaryExpr) expr {
	var left, right expr
	if left = c.expr(e.X); e.Op == syntax.AND || e.Op == syntax.OR {
		right = c.branch(e.Y)
	} else {
		right = c.expr(e.Y)
	}
	if left == nil || right == nil || e.Op == syntax.EQ {
		return nil
	}
	return func(x *frame) (starlark.Value, error) {
		v, err := left(x)
		switch {
		case err != nil:
			return nil, err
		case e.Op == syntax.AND && !bool(v.Truth()), e.Op == syntax.OR && bool(v.Truth()):
			return v, nil
		}
		w, err := right(x)
		if err != nil || e.Op == syntax.AND || e.Op == syntax.OR {
			return w, err
		}
		return x.r.operate(e.Op, v, w)
	}
}

// branch compiles an expression that is not always computed: it must call nothing.
func (c *compiler) branch(e syntax.Expr) expr {
	if c.routine == nil {
		return c.expr(e)
	}
	before := len(c.routine.calls)
	x := c.expr(e)
	if len(c.routine.calls) > before {
		return nil
	}
	return x
}

func (c *compiler) conditional(e *syntax.CondExpr) expr {
	cond, yes, no := c.expr(e.Cond), c.branch(e.True), c.branch(e.False)
	if cond == nil || yes == nil || no == nil {
		return nil
	}
	return func(x *frame) (starlark.Value, error) {
		v, err := cond(x)
		switch {
		case err != nil:
			return nil, err
		case bool(v.Truth()):
			return yes(x)
		}
		return no(x)
	}
}

// index compiles an element of a list or tuple. If the list is written out, as in [0,0,1,1][rank], only the element is
// computed: the interpreter would make the list on each rank.
func (c *compiler) index(e *syntax.IndexExpr) expr {
	at, of := c.expr(e.Y), c.expr(e.X)
	if at == nil || of == nil {
		return nil
	}
	if list, ok := e.X.(*syntax.ListExpr); ok && !slices.ContainsFunc(list.List, isComputed) {
		all := c.exprs(list.List)
		return func(x *frame) (starlark.Value, error) {
			i, err := place(x, at, len(all))
			if err != nil {
				return nil, err
			}
			return all[i](x)
		}
	}
	return func(x *frame) (starlark.Value, error) {
		v, err := of(x)
		if err != nil {
			return nil, err
		}
		list, ok := v.(starlark.Indexable)
		if !ok {
			return nil, fmt.Errorf("%s has no elements", describe(v))
		}
		i, err := place(x, at, list.Len())
		if err != nil {
			return nil, err
		}
		return list.Index(i), nil
	}
}

// isComputed reports whether an element of a list is more than a name or a number.
func isComputed(e syntax.Expr) bool {
	if u, ok := e.(*syntax.UnaryExpr); ok && u.Op == syntax.MINUS {
		e = u.X
	}
	switch e.(type) {
	case *syntax.Ident, *syntax.Literal:
		return false
	}
	return true
}

// place computes an index of a list of n elements.
func place(x *frame, at expr, n int) (int, error) {
	v, err := at(x)
	if err != nil {
		return 0, err
	}
	if i, err := starlark.AsInt32(v); err == nil && i >= 0 && i < n {
		return i, nil
	}
	return 0, fmt.Errorf("of %d elements there is no %s", n, describe(v))
}

// elements compiles a list or tuple of expressions.
func elements(all []expr, of func([]starlark.Value) starlark.Value) expr {
	if all == nil {
		return nil
	}
	return func(x *frame) (starlark.Value, error) {
		list := make([]starlark.Value, len(all))
		for i, e := range all {
			v, err := e(x)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return of(list), nil
	}
}

// Fragment is an expression as it stands in a line of a session.
type Fragment struct {
	Text      string
	Line, Col int // of its first character, both from 1
}

// Exprs is the expressions of one command, compiled once for all ranks.
type Exprs struct {
	list     []syntax.Expr
	compiled []expr                            // compute them without the interpreter; nil: some need it
	program  func() (*starlark.Program, error) // computes all of them
	Names    []string                          // in order, that the expressions take from the session
}

// CompileExprs compiles expressions of file. known tells which names the session gives them,
// whether variables or locals. A mistake is a *Error at its place in the file.
func CompileExprs(file string, list []Fragment, known func(string) bool) (*Exprs, error) {
	if len(list) == 0 {
		return &Exprs{}, nil
	}
	parse := func() (*syntax.TupleExpr, error) {
		tuple := &syntax.TupleExpr{}
		for _, f := range list {
			e, err := python.ParseExpr(file, f.Text, f.Line, f.Col)
			if err != nil {
				return nil, explain(err, nil, known)
			}
			tuple.List = append(tuple.List, e)
		}
		return tuple, nil
	}
	tuple, err := parse()
	if err != nil {
		return nil, err
	}
	f := &syntax.File{Path: file, Stmts: []syntax.Stmt{&syntax.ExprStmt{X: tuple}}, Options: python.Options}
	b, err := build(f, func() (*syntax.File, error) {
		fresh, err := parse()
		// Frames take the name of the file from where the first statement stands: here before
		// all columns, where no name of the text is.
		start := syntax.MakePosition(&file, int32(list[0].Line), 0)
		store := &syntax.AssignStmt{Op: syntax.EQ, LHS: python.Field(start, resultName), RHS: fresh}
		return &syntax.File{Path: file, Stmts: []syntax.Stmt{store}, Options: python.Options}, err
	}, nil, known)
	if err != nil {
		return nil, err
	}
	return &Exprs{
		list: tuple.List, compiled: new(compiler).exprs(tuple.List), program: b.program,
		Names: slices.DeleteFunc(b.names, func(n string) bool { return known == nil || !known(n) }),
	}, nil
}

// mayCall reports whether an expression can run code of MPI: it has a call, or an attribute, which may be a property.
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

// Evaluator computes expressions and makes calls ready, for one rank after the other. Different goroutines may do so
// for different idle ranks, each with an Evaluator of its own.
type Evaluator struct {
	own   bool         // the rank itself evaluates, and may call anything
	in    *interpreter // for idle ranks
	frame frame
}

// Evaluator returns an Evaluator with which the rank computes its own expressions.
func (r *Rank) Evaluator() *Evaluator { return &Evaluator{own: true} }

// ErrOwn says that only the rank itself may compute expressions, as they may call MPI.
var ErrOwn = errors.New("the rank itself has to compute this")

// Eval computes the expressions of e, in order, on rank r, and appends their values. A name for which locals has a value
// hides the variable of that name; locals may be nil. Eval fails like Run, and with ErrOwn for expressions that only the
// rank itself may compute.
func (v *Evaluator) Eval(r *Rank, e *Exprs, locals func(name string) starlark.Value, values []starlark.Value) ([]starlark.Value, error) {
	if e.list == nil {
		return values, nil
	}
	defer r.endTurn()
	v.frame = frame{r: r, locals: locals}
	all, computed := values, e.compiled != nil
	for i := 0; computed && i < len(e.compiled); i++ {
		value, err := e.compiled[i](&v.frame)
		all, computed = append(all, value), err == nil
	}
	if computed {
		return all, nil
	}
	in := v.in
	switch {
	case v.own:
		in = r.interpreter()
	case slices.ContainsFunc(e.list, mayCall):
		return nil, ErrOwn
	case r.stopped.Load():
		return nil, errStopped
	case in == nil:
		v.in = newInterpreter(r)
		in = v.in
	}
	in.scope.r, in.scope.locals = r, locals
	defer func() { in.scope.locals, in.scope.result = nil, nil }()
	p, err := e.program()
	if err == nil {
		_, err = p.Init(&in.thread, in.env)
	}
	if err != nil {
		return nil, r.failure(err)
	}
	return append(values, in.scope.result.(starlark.Tuple)...), nil
}
