package program

import (
	"iter"
	"slices"
	"sync"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/python"
)

// Code is a compiled piece of program, the same for all ranks.
type Code struct {
	Assigns []Assigned    // at the top level, in order of their first place in the text
	Begin   int           // its first line
	Places  []engine.Site // for each of its lines, where another program made the calls that the line makes again; empty: the line itself is the place
	program func() (*starlark.Program, error)
	steps   []step            // the same program; nil when the interpreter runs it whole
	native  func(*Rank) error // in place of a program of Starlark
}

// Assigned is a name that a piece of program assigns, and where it does so first.
type Assigned struct {
	Name      string
	Line, Col int
}

// Compile compiles statements whose first line is line firstLine of file. known tells which names
// are variables of the session; nil: none. A mistake is a *Error at its place in the file.
func Compile(file, text string, firstLine int, known func(name string) bool) (*Code, error) {
	parse := func() (*syntax.File, error) { return python.Parse(file, text, firstLine, 1) }
	f, err := parse()
	if err != nil {
		return nil, explain(err, nil, known)
	}
	assigns, bound := boundNames(f)
	b, err := build(f, parse, bound, known)
	if err != nil {
		return nil, err
	}
	c := &Code{Assigns: assigns, program: b.program, steps: b.steps()}
	if c.steps == nil {
		_, err = c.program()
	}
	return c, err
}

// built is a parsed text with known names, and its compiled form for the interpreter, which is made on demand.
type built struct {
	tree     *syntax.File // as it was written
	names    []string     // of the free identifiers
	parse    func() (*syntax.File, error)
	rewriter func() rewriter
	program  func() (*starlark.Program, error) // for the interpreter, which few commands need
}

// build resolves the names of a parsed text, which binds the bound names. What is compiled for the interpreter is parsed
// again, because a tree is rewritten for that, and the resolver may see a tree only once.
func build(f *syntax.File, parse func() (*syntax.File, error), bound map[string]bool, known func(string) bool) (*built, error) {
	defined := func(name string) bool {
		return name == scopeName || bound[name] || predeclared.attrs[name] != nil || guards[name] != nil || known != nil && known(name) || isException(name)
	}
	if err := resolve.File(f, defined, starlark.Universe.Has); err != nil {
		return nil, explain(err, bound, known)
	}
	b := &built{tree: f, parse: parse}
	for id := range freeIdents(f) {
		b.names = append(b.names, id.Name)
	}
	slices.Sort(b.names)
	b.names = slices.Compact(b.names)
	b.rewriter = sync.OnceValue(func() rewriter {
		rw := rewriter{free: map[identAt]bool{}, framed: framedIdents(f), arrays: usesArrays(f), truths: truthsOf(f)}
		for id := range freeIdents(f) {
			rw.free[identAtOf(id.NamePos)] = true
		}
		return rw
	})
	b.program = sync.OnceValues(func() (*starlark.Program, error) {
		fresh, err := parse()
		if err != nil {
			return nil, err
		}
		return b.compile(fresh, fresh.Stmts)
	})
	return b, nil
}

// compile rewrites and compiles statements of a fresh tree f.
func (b *built) compile(f *syntax.File, list []syntax.Stmt) (*starlark.Program, error) {
	own := &syntax.File{Path: f.Path, Stmts: b.rewriter().stmts(list), Options: python.Options}
	return starlark.FileProgram(own, func(name string) bool { return name == scopeName })
}

// boundNames collects the names that a text assigns at the top level, at any depth of control flow: in the order in which
// they first stand there, and as a set.
func boundNames(f *syntax.File) (list []Assigned, bound map[string]bool) {
	bound = map[string]bool{}
	var target func(list ...syntax.Expr)
	target = func(exprs ...syntax.Expr) {
		for _, e := range exprs {
			switch e := e.(type) {
			case *syntax.Ident:
				if !bound[e.Name] {
					bound[e.Name] = true
					list = append(list, Assigned{e.Name, int(e.NamePos.Line), int(e.NamePos.Col)})
				}
			case *syntax.ParenExpr:
				target(e.X)
			case *syntax.TupleExpr:
				target(e.List...)
			case *syntax.ListExpr:
				target(e.List...)
			}
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch s := n.(type) {
		case *syntax.AssignStmt:
			target(s.LHS)
		case *syntax.DefStmt:
			target(s.Name)
			return false
		case *syntax.ForStmt:
			target(s.Vars)
		}
		return true
	})
	return list, bound
}

// inside lists the statements that stand in a statement: in its branches or its loop, not in a function.
func inside(s syntax.Stmt) []syntax.Stmt {
	switch s := s.(type) {
	case *syntax.IfStmt:
		return slices.Concat(s.True, s.False)
	case *syntax.ForStmt:
		return s.Body
	case *syntax.WhileStmt:
		return s.Body
	}
	return nil
}

// identAt is the place of an identifier. No two identifiers stand at the same place.
type identAt struct{ line, col int32 }

func identAtOf(p syntax.Position) identAt { return identAt{p.Line, p.Col} }

// freeIdents yields the identifiers of a resolved tree that are neither local nor Starlark's own.
func freeIdents(f *syntax.File) iter.Seq[*syntax.Ident] {
	return func(yield func(*syntax.Ident) bool) {
		more := true
		syntax.Walk(f, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.Ident); ok && more && id.Name != scopeName {
				b, ok := id.Binding.(*resolve.Binding)
				more = !(ok && (b.Scope == resolve.Global || b.Scope == resolve.Predeclared)) || yield(id)
			}
			return more
		})
	}
}

// rewriter turns the free identifiers of a tree into fields of the scope, lets each function begin by asking
// how deep its call lies inside other calls, and puts guards where a step may take any amount of memory.
type rewriter struct {
	free   map[identAt]bool
	framed map[identAt]identAt
	arrays bool
	truths map[string]bool
	def    string // the function that it is in, "" for none
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

// publish makes the statement that stores a top-level function into the scope. The definition itself has to bind an
// identifier, so the function's name exists twice, as a field and as an identifier; nothing reads the identifier.
func publish(d *syntax.DefStmt) syntax.Stmt {
	pos := d.Name.NamePos
	return &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: python.Field(pos, d.Name.Name),
		RHS: &syntax.Ident{NamePos: pos, Name: d.Name.Name}}
}

// tell makes the statement that tells the scope which value a local variable of a function gets from a call: it may be
// a communicator.
func (rw rewriter) tell(a *syntax.AssignStmt) []syntax.Stmt {
	id, local := a.LHS.(*syntax.Ident)
	if _, call := a.RHS.(*syntax.CallExpr); !local || !call || a.Op != syntax.EQ {
		return nil
	}
	pos := id.NamePos
	return []syntax.Stmt{&syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: python.Field(pos, localName(rw.def, id.Name)),
		RHS: &syntax.Ident{NamePos: pos, Name: id.Name}}}
}

func (rw rewriter) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		rw.in(&s.LHS, &s.RHS)
	case *syntax.DefStmt:
		rw.params(s.Params)
		rw.def = s.Name.Name
		begin := append(rw.framing(s), &syntax.ExprStmt{X: python.Field(s.Name.NamePos, depthName)})
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
			return python.Field(e.NamePos, e.Name)
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
			return python.Call(e.Dot, methodName, e.X, python.StringAt(e.NamePos, e.Name.Name))
		}
	case *syntax.IndexExpr:
		rw.in(&e.X, &e.Y)
	case *syntax.SliceExpr:
		rw.in(&e.X, &e.Lo, &e.Hi, &e.Step)
	case *syntax.UnaryExpr:
		rw.in(&e.X)
	case *syntax.BinaryExpr:
		truth := isTruth(e.X, rw.truths) || isTruth(e.Y, rw.truths)
		rw.in(&e.X, &e.Y)
		if python.Compares[e.Op] && (rw.arrays || truth) {
			return python.Call(e.OpPos, python.Chain, e.X, python.StringAt(e.OpPos, e.Op.String()), e.Y)
		}
		if name := guardOf(e.Op, e.X, e.Y); name != "" {
			return python.Call(e.OpPos, name, e.X, e.Y)
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
		e.Body = &syntax.CondExpr{If: e.Lambda, Cond: python.Field(e.Lambda, depthName), True: e.Body, ElsePos: e.Lambda,
			False: python.Field(e.Lambda, depthName)}
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

// truthsOf returns the variables that a text gives True or False, which Python compares with numbers as 1 and 0.
func truthsOf(f *syntax.File) map[string]bool {
	names := map[string]bool{}
	syntax.Walk(f, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.AssignStmt); ok && a.Op == syntax.EQ {
			if id, ok := a.LHS.(*syntax.Ident); ok && isTruth(a.RHS, names) {
				names[id.Name] = true
			}
		}
		return true
	})
	return names
}

// isTruth reports whether an expression may be True or False, judged by its form: a comparison, a variable of truths,
// or an element of a list of them.
func isTruth(e syntax.Expr, names map[string]bool) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return isTruth(e.X, names)
	case *syntax.Ident:
		return e.Name == "True" || e.Name == "False" || names[e.Name]
	case *syntax.UnaryExpr:
		return e.Op == syntax.NOT
	case *syntax.BinaryExpr:
		return python.Compares[e.Op] || e.Op == syntax.IN || e.Op == syntax.NOT_IN ||
			(e.Op == syntax.AND || e.Op == syntax.OR) && (isTruth(e.X, names) || isTruth(e.Y, names))
	case *syntax.CondExpr:
		return isTruth(e.True, names) || isTruth(e.False, names)
	case *syntax.IndexExpr:
		return isTruth(e.X, names)
	case *syntax.ListExpr:
		return slices.ContainsFunc(e.List, func(x syntax.Expr) bool { return isTruth(x, names) })
	case *syntax.TupleExpr:
		return slices.ContainsFunc(e.List, func(x syntax.Expr) bool { return isTruth(x, names) })
	}
	return false
}

// guardOf names the guard of an operation. It is "" where one operand is a literal, and the result takes little more
// memory than the other operand.
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

// literalOf returns the value of an operand that is a literal, ignoring signs; nil for other operands.
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

// guardArguments guards f(*x), which takes all elements of x.
func guardArguments(e *syntax.CallExpr) {
	for _, a := range e.Args {
		if u, ok := a.(*syntax.UnaryExpr); ok && u.Op == syntax.STAR {
			u.X = python.Call(u.OpPos, "list", u.X)
		}
	}
}
