package program

import (
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/repl/python"
)

// identAt is the place of an identifier. No two identifiers stand at the same place.
type identAt struct{ line, col int32 }

func identAtOf(p syntax.Position) identAt { return identAt{p.Line, p.Col} }

// freeIdents finds the identifiers of a resolved tree that are neither local nor Starlark's own,
// and their names in order.
func freeIdents(f *syntax.File) (map[identAt]bool, []string) {
	free := map[identAt]bool{}
	var names []string
	syntax.Walk(f, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || id.Name == scopeName {
			return true
		}
		b, ok := id.Binding.(*resolve.Binding)
		if ok && (b.Scope == resolve.Global || b.Scope == resolve.Predeclared) {
			free[identAtOf(id.NamePos)] = true
			names = append(names, id.Name)
		}
		return true
	})
	slices.Sort(names)
	return free, slices.Compact(names)
}

// rewriter turns the free identifiers of a tree into fields of the scope, lets each function begin by asking
// how deep its call lies inside other calls, and puts guards where a step may take any amount of memory.
type rewriter struct {
	*built
	def string // the function that it is in, "" for none
}

// stmts rewrites a list of statements. For nil it returns nil, because a nil list means that an if has no else.
func (rw rewriter) stmts(list []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range list {
		if a, ok := python.TryOf(s); ok {
			out = append(out, rw.attempt(a, syntax.Start(s))...)
			continue
		}
		rw.stmt(s)
		out = append(out, s)
		if a, ok := s.(*syntax.AssignStmt); ok && rw.def != "" {
			out = append(out, rw.tell(a)...)
		}
		if d, ok := s.(*syntax.DefStmt); ok && rw.free[identAtOf(d.Name.NamePos)] {
			out = append(out, publish(d))
		} else if ok {
			out = append(out, rw.frameName(d.Name)...)
		}
	}
	return out
}

// publish stores a top-level function into the scope. The definition itself has to bind an identifier, so the
// function's name exists twice, as a field and as an identifier; nothing reads the identifier.
func publish(d *syntax.DefStmt) syntax.Stmt {
	pos := d.Name.NamePos
	return &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: field(pos, d.Name.Name),
		RHS: &syntax.Ident{NamePos: pos, Name: d.Name.Name}}
}

// tell shows the scope the value that a local variable of a function gets from a call: it may be a communicator.
func (rw rewriter) tell(a *syntax.AssignStmt) []syntax.Stmt {
	id, local := a.LHS.(*syntax.Ident)
	if _, call := a.RHS.(*syntax.CallExpr); !local || !call || a.Op != syntax.EQ {
		return nil
	}
	pos := id.NamePos
	return []syntax.Stmt{&syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: field(pos, localName(rw.def, id.Name)),
		RHS: &syntax.Ident{NamePos: pos, Name: id.Name}}}
}

// field is the expression SCOPE.name, every part of which stands at pos.
func field(pos syntax.Position, name string) *syntax.DotExpr { return python.Field(pos, name) }

func (rw rewriter) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		rw.in(&s.LHS, &s.RHS)
	case *syntax.DefStmt:
		rw.params(s.Params)
		rw.def = s.Name.Name
		begin := append(rw.framing(s), &syntax.ExprStmt{X: field(s.Name.NamePos, depthName)})
		s.Body = append(begin, rw.stmts(s.Body)...)
	case *syntax.ExprStmt:
		rw.in(&s.X)
	case *syntax.IfStmt:
		rw.in(&s.Cond)
		s.True, s.False = rw.stmts(s.True), rw.stmts(s.False)
	case *syntax.ForStmt:
		rw.in(&s.Vars, &s.X)
		s.Body = rw.stmts(s.Body)
	case *syntax.WhileStmt:
		rw.in(&s.Cond)
		s.Body = rw.stmts(s.Body)
	case *syntax.ReturnStmt:
		rw.in(&s.Result)
	}
}

// in rewrites the expressions in place; a nil expression stays.
func (rw rewriter) in(exprs ...*syntax.Expr) {
	for _, e := range exprs {
		if *e != nil {
			*e = rw.expr(*e)
		}
	}
}

// params rewrites the defaults of parameters.
func (rw rewriter) params(list []syntax.Expr) {
	for _, p := range list {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			rw.in(&b.Y)
		}
	}
}

func (rw rewriter) list(exprs []syntax.Expr) {
	for i := range exprs {
		rw.in(&exprs[i])
	}
}

// expr rewrites the expressions inside e, and returns e or the expression that replaces e.
func (rw rewriter) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		if e.Name == scopeName {
			return e // which may stand where a name of the text stands
		}
		if rw.free[identAtOf(e.NamePos)] {
			return field(e.NamePos, e.Name)
		}
		if at, ok := rw.framed[identAtOf(e.NamePos)]; ok {
			return frameField(at, e)
		}
	case *syntax.ParenExpr:
		rw.in(&e.X)
	case *syntax.CallExpr:
		rw.in(&e.Fn)
		rw.list(e.Args)
		guardArguments(e)
	case *syntax.DotExpr:
		rw.in(&e.X)
		if guardedMethods[e.Name.Name] != nil || pythonMethods[e.Name.Name] != nil || e.Name.Name == "format" {
			name := &syntax.Literal{Token: syntax.STRING, TokenPos: e.NamePos, Raw: e.Name.Name, Value: e.Name.Name}
			return guardCall(e.Dot, methodName, e.X, name)
		}
	case *syntax.IndexExpr:
		rw.in(&e.X, &e.Y)
	case *syntax.SliceExpr:
		rw.in(&e.X, &e.Lo, &e.Hi, &e.Step)
	case *syntax.UnaryExpr:
		rw.in(&e.X)
	case *syntax.BinaryExpr:
		rw.in(&e.X, &e.Y)
		if python.Compares[e.Op] && rw.arrays {
			op := &syntax.Literal{Token: syntax.STRING, TokenPos: e.OpPos, Raw: e.Op.String(), Value: e.Op.String()}
			return guardCall(e.OpPos, python.Chain, e.X, op, e.Y)
		}
		if name := guardOf(e.Op, e.X, e.Y); name != "" {
			return guardCall(e.OpPos, name, e.X, e.Y)
		}
	case *syntax.CondExpr:
		rw.in(&e.Cond, &e.True, &e.False)
	case *syntax.ListExpr:
		rw.list(e.List)
	case *syntax.TupleExpr:
		rw.list(e.List)
	case *syntax.DictExpr:
		rw.list(e.List)
	case *syntax.DictEntry:
		rw.in(&e.Key, &e.Value)
	case *syntax.LambdaExpr:
		rw.params(e.Params)
		rw.in(&e.Body)
		e.Body = &syntax.CondExpr{If: e.Lambda, Cond: field(e.Lambda, depthName), True: e.Body, ElsePos: e.Lambda,
			False: field(e.Lambda, depthName)}
	case *syntax.Comprehension:
		rw.comprehension(e)
	}
	return e
}

func (rw rewriter) comprehension(e *syntax.Comprehension) {
	rw.in(&e.Body)
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			rw.in(&c.Vars, &c.X)
		case *syntax.IfClause:
			rw.in(&c.Cond)
		}
	}
}

// usesArrays reports whether a text names numpy, so that its comparisons may be of arrays.
func usesArrays(f *syntax.File) bool {
	found := false
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			found = found || n.Name == "np" || n.Name == "numpy"
		case *syntax.Literal:
			found = found || n.Value == "numpy"
		}
		return !found
	})
	return found
}

// guardCall is a call of a guard, at pos.
func guardCall(pos syntax.Position, name string, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: field(pos, name), Lparen: pos, Args: args, Rparen: pos}
}

// guardOf is the guard of an operation; "" for an operation that needs none: where one operand is a literal, and the
// result takes little more memory than the other operand.
func guardOf(op syntax.Token, x, y syntax.Expr) string {
	const mostTimes = 16
	one, other := literalOf(x), literalOf(y)
	switch op {
	case syntax.STAR:
		n, isInt := one.(int64)
		m, areInt := other.(int64)
		if (!isInt || n > mostTimes) && (!areInt || m > mostTimes) {
			return timesName
		}
	case syntax.PLUS:
		if one == nil && other == nil {
			return plusName
		}
	case syntax.PERCENT:
		if _, text := one.(string); text || !isNumber(one) && !isNumber(other) {
			return formatName
		}
	}
	return ""
}

// literalOf is the value of an operand that is a literal, where a sign does not count; nil for other operands.
func literalOf(e syntax.Expr) any {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return literalOf(e.X)
	case *syntax.UnaryExpr:
		return literalOf(e.X)
	case *syntax.Literal:
		return e.Value
	}
	return nil
}

// isNumber reports whether the value of a literal is a number.
func isNumber(v any) bool {
	_, isText := v.(string)
	return v != nil && !isText
}

// guardArguments lets f(*x) take the elements of x under guard.
func guardArguments(e *syntax.CallExpr) {
	for _, a := range e.Args {
		if u, ok := a.(*syntax.UnaryExpr); ok && u.Op == syntax.STAR {
			u.X = guardCall(u.OpPos, "list", u.X)
		}
	}
}
