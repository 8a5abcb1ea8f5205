package program

import (
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// options is the dialect: Python's top-level control flow, while, sets and recursion, which takeTurn
// keeps from exhausting the memory.
var options = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

// Code is a compiled piece of program, the same for all ranks.
type Code struct {
	Assigns []string // names that it assigns at the top level, in order of their first place in the text
	program *starlark.Program
}

// Compile compiles statements whose first line is line firstLine of file. known tells which names
// are variables of the session; nil: none. A mistake is a *Error at its place in the file.
func Compile(file, text string, firstLine int, known func(name string) bool) (*Code, error) {
	portion := syntax.FilePortion{Content: []byte(blankImports(text)), FirstLine: int32(firstLine), FirstCol: 1}
	parse := func() (*syntax.File, error) { return options.Parse(file, portion, 0) }
	program, _, err := build(parse, known)
	if err != nil {
		return nil, explain(err, source{text: text, firstLine: firstLine}, known)
	}
	first, err := parse()
	if err != nil {
		return nil, err
	}
	return &Code{boundNames(first.Stmts), program}, nil
}

// build parses twice, because the resolver may see a tree only once: the first tree tells which
// identifiers are free, the second is rewritten and compiled. It returns the free names as well.
func build(parse func() (*syntax.File, error), known func(string) bool) (*starlark.Program, []string, error) {
	first, err := parse()
	if err != nil {
		return nil, nil, err
	}
	bound := map[string]bool{}
	for _, name := range boundNames(first.Stmts) {
		bound[name] = true
	}
	defined := func(name string) bool {
		return bound[name] || predeclared.attrs[name] != nil || isGuarded(name) || name == sessionName || known != nil && known(name)
	}
	if err := resolve.File(first, defined, starlark.Universe.Has); err != nil {
		return nil, nil, &unresolved{err.(resolve.ErrorList), bound}
	}
	if err := checkLoads(first); err != nil {
		return nil, nil, err
	}
	free, names := freeIdents(first)
	second, err := parse()
	if err != nil {
		return nil, nil, err
	}
	rw := rewriter{free: free}
	second.Stmts = rw.stmts(second.Stmts)
	program, err := starlark.FileProgram(second, func(name string) bool { return name == sessionName })
	return program, names, err
}

// unresolved is what the resolver found wrong, and the names that the text itself assigns.
type unresolved struct {
	resolve.ErrorList
	bound map[string]bool
}

// parsed is the tree of a program.
func parsed(text string) (*syntax.File, error) { return options.Parse("", blankImports(text), 0) }

// Uses tells which of the predeclared names a program uses, all if it cannot be read.
func Uses(text string, names []string) []string {
	f, err := resolved(text)
	if err != nil {
		return names
	}
	_, used := freeIdents(f)
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !slices.Contains(used, n) })
}

// UsedAt is where a program uses a predeclared name first, both from 1; 0 for nowhere.
func UsedAt(text, name string) (line, col int) {
	f, err := resolved(text)
	if err != nil {
		return 0, 0
	}
	free, _ := freeIdents(f)
	syntax.Walk(f, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok && line == 0 && id.Name == name && free[placeOf(id.NamePos)] {
			line, col = int(id.NamePos.Line), int(id.NamePos.Col)
		}
		return line == 0
	})
	return line, col
}

// resolved reads a program and finds what its names mean.
func resolved(text string) (*syntax.File, error) {
	f, err := parsed(text)
	if err == nil {
		err = resolve.File(f, func(string) bool { return true }, starlark.Universe.Has)
	}
	return f, err
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

// boundNames collects what the statements assign at the top level, at any depth of control flow, in
// the order of the first place of each name.
func boundNames(stmts []syntax.Stmt) []string {
	var bound []string
	known := map[string]bool{}
	var target func(e syntax.Expr)
	target = func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Ident:
			if !known[e.Name] {
				known[e.Name] = true
				bound = append(bound, e.Name)
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
