package program

import (
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
)

// options is the dialect: control flow at the top level as in Python, while, sets, and recursion, whose depth
// the scope bounds.
var options = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

// Code is a compiled piece of program, the same for all ranks.
type Code struct {
	Assigns []Assigned    // at the top level, in order of their first place in the text
	Begin   int           // its first line
	Places  []engine.Site // for each of its lines, where another program made the calls that the line makes again; empty: the line itself is the place
	program *starlark.Program
	truths  []engine.Site // where it compares numbers with True or False
	steps   []step        // the same program; nil when the interpreter runs it whole
}

// Assigned is a name that a piece of program assigns, and where it does so first.
type Assigned struct {
	Name      string
	Line, Col int
}

// Compile compiles statements whose first line is line firstLine of file. known tells which names
// are variables of the session; nil: none. A mistake is a *Error at its place in the file.
func Compile(file, text string, firstLine int, known func(name string) bool) (*Code, error) {
	portion := syntax.FilePortion{Content: []byte(blankImports(text)), FirstLine: int32(firstLine), FirstCol: 1}
	parse := func() (*syntax.File, error) { return options.Parse(file, portion, 0) }
	program, free, names, err := build(parse, known)
	if err != nil {
		return nil, explain(err, source{text: text, firstLine: firstLine}, known)
	}
	first, err := parse()
	if err != nil {
		return nil, err
	}
	c := &Code{Assigns: boundNames(first.Stmts), program: program, truths: comparedTruths(first)}
	c.steps = stepsOf(file, parse, free, names)
	return c, nil
}

// comparedTruths finds where the periods of a grid, which are 1 and 0 as in mpi4py, are compared with True and False.
// Python takes these for equal; this language does not.
func comparedTruths(f *syntax.File) []engine.Site {
	var list []engine.Site
	syntax.Walk(f, func(n syntax.Node) bool {
		b, ok := n.(*syntax.BinaryExpr)
		if !ok || b.Op != syntax.EQL && b.Op != syntax.NEQ {
			return true
		}
		if isPeriods(b.X) && hasTruth(b.Y) || isPeriods(b.Y) && hasTruth(b.X) {
			list = append(list, engine.Site{File: b.OpPos.Filename(), Line: b.OpPos.Line})
		}
		return true
	})
	return list
}

// isPeriods reports whether an expression is grid.periods, or an element of it.
func isPeriods(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.DotExpr:
		return e.Name.Name == "periods"
	case *syntax.IndexExpr:
		return isPeriods(e.X)
	case *syntax.CallExpr: // list(grid.periods)
		return len(e.Args) == 1 && isPeriods(e.Args[0])
	}
	return false
}

func hasTruth(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Ident:
		return e.Name == "True" || e.Name == "False"
	case *syntax.ListExpr:
		return slices.ContainsFunc(e.List, hasTruth)
	case *syntax.TupleExpr:
		return slices.ContainsFunc(e.List, hasTruth)
	}
	return false
}

// build parses twice, because the resolver may see a tree only once: the first tree tells which
// identifiers are free, the second is rewritten and compiled. It returns the free identifiers and their names as well.
func build(parse func() (*syntax.File, error), known func(string) bool) (*starlark.Program, map[identAt]bool, []string, error) {
	first, err := parse()
	if err != nil {
		return nil, nil, nil, err
	}
	bound := map[string]bool{}
	for _, a := range boundNames(first.Stmts) {
		bound[a.Name] = true
	}
	defined := func(name string) bool {
		return bound[name] || predeclared.attrs[name] != nil || isGuarded(name) || name == scopeName || known != nil && known(name)
	}
	if err := resolve.File(first, defined, starlark.Universe.Has); err != nil {
		return nil, nil, nil, &unresolved{err.(resolve.ErrorList), bound}
	}
	if err := checkLoads(first); err != nil {
		return nil, nil, nil, err
	}
	free, names := freeIdents(first)
	second, err := parse()
	if err != nil {
		return nil, nil, nil, err
	}
	rw := rewriter{free: free}
	second.Stmts = rw.stmts(second.Stmts)
	program, err := starlark.FileProgram(second, func(name string) bool { return name == scopeName })
	return program, free, names, err
}

// unresolved is the errors of the resolver, and the names that the text itself assigns.
type unresolved struct {
	resolve.ErrorList
	bound map[string]bool
}

func checkLoads(f *syntax.File) error {
	var at *syntax.LoadStmt
	syntax.Walk(f, func(n syntax.Node) bool {
		if l, ok := n.(*syntax.LoadStmt); ok && at == nil {
			at = l
		}
		return true
	})
	if at != nil {
		return syntax.Error{Pos: at.Load, Msg: "load is not available: a program is one file"}
	}
	return nil
}

// boundNames collects the names that the statements assign at the top level, at any depth of control flow, in
// the order in which they first stand there.
func boundNames(stmts []syntax.Stmt) []Assigned {
	var bound []Assigned
	known := map[string]bool{}
	var target func(e syntax.Expr)
	target = func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Ident:
			if !known[e.Name] {
				known[e.Name] = true
				bound = append(bound, Assigned{e.Name, int(e.NamePos.Line), int(e.NamePos.Col)})
			}
		case *syntax.ParenExpr:
			target(e.X)
		case *syntax.TupleExpr:
			each(e.List, target)
		case *syntax.ListExpr:
			each(e.List, target)
		}
	}
	var walk func(s syntax.Stmt)
	walk = func(s syntax.Stmt) {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			target(s.LHS)
		case *syntax.DefStmt:
			target(s.Name)
		case *syntax.ForStmt:
			target(s.Vars)
			each(s.Body, walk)
		case *syntax.WhileStmt:
			each(s.Body, walk)
		case *syntax.IfStmt:
			each(s.True, walk)
			each(s.False, walk)
		}
	}
	each(stmts, walk)
	return bound
}

func each[T any](list []T, f func(T)) {
	for _, x := range list {
		f(x)
	}
}

// Fragment is an expression as it stands in a line of a session.
type Fragment struct {
	Text      string
	Line, Col int // of its first character, both from 1
}

// Exprs is the expressions of one command, compiled once for all ranks.
type Exprs struct {
	program *starlark.Program // computes all of them
	names   []string
	calls   bool              // some expression may call something
	plain   []plainExpr       // one an expression
	rest    *starlark.Program // computes those that are not plain; nil when there are none
	quick   bool              // there are expressions of integers, and none that only the interpreter can compute
}

// plainExpr is an expression that needs no computing: a literal or a name. Most arguments are plain, and to look
// one up costs far less than to start a program.
type plainExpr struct {
	value starlark.Value // of a literal
	name  string         // of a variable
	ints  integers       // of an expression of integers, which is not plain
}

func (e plainExpr) is() bool { return e.value != nil || e.name != "" }

// CompileExprs compiles expressions of file. known tells which names the session gives them,
// whether variables or locals. A mistake is a *Error at its place in the file.
func CompileExprs(file string, list []Fragment, known func(string) bool) (*Exprs, error) {
	if len(list) == 0 {
		return &Exprs{}, nil
	}
	var current Fragment
	calls := false
	parse := func(skip []plainExpr, found *[]plainExpr) func() (*syntax.File, error) {
		return func() (*syntax.File, error) {
			tuple := &syntax.TupleExpr{}
			if found != nil {
				*found = nil // build may parse more than once
			}
			for i := range list {
				current = list[i]
				portion := syntax.FilePortion{Content: []byte(current.Text), FirstLine: int32(current.Line), FirstCol: int32(current.Col)}
				e, err := options.ParseExpr(file, portion, 0)
				if err != nil {
					return nil, err
				}
				if found != nil {
					*found = append(*found, plainOf(e))
					calls = calls || mayCall(e)
				}
				if skip == nil || !skip[i].is() {
					tuple.List = append(tuple.List, e)
				}
			}
			// Frames take the name of the file from where the first statement stands: here before
			// all columns, where no name of the text is.
			start := syntax.MakePosition(&file, int32(list[0].Line), 0)
			store := &syntax.AssignStmt{Op: syntax.EQ, LHS: field(start, resultName), RHS: tuple}
			return &syntax.File{Path: file, Stmts: []syntax.Stmt{store}, Options: options}, nil
		}
	}
	e := &Exprs{}
	var err error
	if e.program, _, e.names, err = build(parse(nil, &e.plain), known); err == nil && slices.ContainsFunc(e.plain, func(p plainExpr) bool { return !p.is() }) {
		e.rest, _, _, err = build(parse(e.plain, nil), known)
	}
	if err != nil {
		src := source{text: current.Text, firstLine: current.Line, firstCol: current.Col, expression: true}
		return nil, explain(err, src, known)
	}
	e.calls = calls
	e.quick = e.rest != nil && !slices.ContainsFunc(e.plain, func(p plainExpr) bool { return !p.is() && p.ints == nil })
	e.names = slices.DeleteFunc(e.names, func(n string) bool { return known == nil || !known(n) })
	return e, nil
}

// Calls reports whether computing the expressions may call a function, which may be one of MPI. Expressions that
// call nothing can be computed by any goroutine while their rank is idle.
func (e *Exprs) Calls() bool { return e.calls }

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

// plainOf is a parsed expression as a plain one; the zero plainExpr for an expression that has to be computed.
func plainOf(e syntax.Expr) plainExpr {
	switch e := e.(type) {
	case *syntax.Ident:
		return plainExpr{name: e.Name}
	case *syntax.Literal:
		switch v := e.Value.(type) {
		case int64:
			return plainExpr{value: starlark.MakeInt64(v)}
		case string:
			return plainExpr{value: starlark.String(v)}
		}
	}
	return plainExpr{ints: integersOf(e)}
}

// Names lists, in order, the names that the expressions take from the session: the free names that known
// confirmed.
func (e *Exprs) Names() []string { return e.names }
