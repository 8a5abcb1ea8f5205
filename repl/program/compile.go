package program

import (
	"slices"

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
	program *starlark.Program
	truths  []engine.Site     // where it compares numbers with True or False
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
	b, err := build(parse, known)
	if err != nil {
		return nil, explain(err, known)
	}
	return &Code{Assigns: boundNames(b.tree.Stmts), program: b.program, truths: comparedTruths(b.tree), steps: b.steps()}, nil
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

// built is a text that was compiled.
type built struct {
	program *starlark.Program
	tree    *syntax.File // as it was written
	free    map[identAt]bool
	names   []string // of the free identifiers
	parse   func() (*syntax.File, error)
	framed  map[identAt]identAt // identifiers that are fields of the frame of a function, which stands there: see attempt.go
	arrays  bool                // it may compare arrays
}

// build parses twice, because the resolver may see a tree only once: the first tree tells which
// identifiers are free, the second is rewritten and compiled.
func build(parse func() (*syntax.File, error), known func(string) bool) (*built, error) {
	first, err := parse()
	if err != nil {
		return nil, err
	}
	bound := map[string]bool{}
	for _, a := range boundNames(first.Stmts) {
		bound[a.Name] = true
	}
	defined := func(name string) bool {
		return bound[name] || predeclared.attrs[name] != nil || guards[name] != nil || isException(name) || name == scopeName || known != nil && known(name)
	}
	if err := resolve.File(first, defined, starlark.Universe.Has); err != nil {
		return nil, &unresolved{err.(resolve.ErrorList), bound}
	}
	b := &built{tree: first, parse: parse, framed: framedIdents(first), arrays: usesArrays(first)}
	b.free, b.names = freeIdents(first)
	second, err := parse()
	if err != nil {
		return nil, err
	}
	b.program, err = b.compile(second, second.Stmts)
	return b, err
}

// compile rewrites and compiles statements of a fresh tree f.
func (b *built) compile(f *syntax.File, list []syntax.Stmt) (*starlark.Program, error) {
	own := &syntax.File{Path: f.Path, Stmts: rewriter{built: b}.stmts(list), Options: python.Options}
	return starlark.FileProgram(own, func(name string) bool { return name == scopeName })
}

// unresolved is the errors of the resolver, and the names that the text itself assigns.
type unresolved struct {
	resolve.ErrorList
	bound map[string]bool
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
