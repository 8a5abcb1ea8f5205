package program

import (
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Fragment is an expression as it stands in a line of a session.
type Fragment struct {
	Text      string
	Line, Col int // of its first character, both from 1
}

// Exprs is the expressions of one command, compiled once for all ranks.
type Exprs struct {
	program *starlark.Program
	names   []string
}

// CompileExprs compiles expressions of file. known tells which names the session gives them,
// whether variables or locals. A mistake is a *Error at its place in the file.
func CompileExprs(file string, list []Fragment, known func(string) bool) (*Exprs, error) {
	if len(list) == 0 {
		return &Exprs{}, nil
	}
	var current Fragment
	parse := func() (*syntax.File, error) {
		tuple := &syntax.TupleExpr{}
		for _, current = range list {
			portion := syntax.FilePortion{Content: []byte(current.Text), FirstLine: int32(current.Line), FirstCol: int32(current.Col)}
			e, err := options.ParseExpr(file, portion, 0)
			if err != nil {
				return nil, err
			}
			tuple.List = append(tuple.List, e)
		}
		store := &syntax.AssignStmt{Op: syntax.EQ, LHS: field(syntax.Position{}, resultName), RHS: tuple}
		return &syntax.File{Path: file, Stmts: []syntax.Stmt{store}, Options: options}, nil
	}
	program, names, err := build(parse, known)
	if err != nil {
		src := source{text: current.Text, firstLine: current.Line, firstCol: current.Col, expression: true}
		return nil, explain(err, src, known)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return known == nil || !known(n) })
	return &Exprs{program, names}, nil
}

// Names lists the names that the expressions take from the session, in order: those that known
// confirmed.
func (e *Exprs) Names() []string { return e.names }
