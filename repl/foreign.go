package repl

import (
	"maps"
	"slices"

	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/repl/lang"
)

// statements is the program of a chunk. In lines of C and Fortran rank and size are those of MPI_COMM_WORLD, until a
// line declares variables of these names; hidden lists such variables.
func statements(s *Session, c *lang.Chunk) (text string, hidden []string) {
	if !c.Foreign {
		return c.Statements(), nil
	}
	for _, name := range slices.Concat(rankNames, slices.Sorted(maps.Keys(s.scope))) {
		if s.declares(name) {
			hidden = append(hidden, name)
		}
	}
	return foreignProgram(c, hidden), hidden
}

// foreignProgram is the program of a line of C or Fortran, in which names are written as programs write them.
func foreignProgram(c *lang.Chunk, hidden []string) string {
	f, err := syntax.LegacyFileOptions().Parse("", c.Body.Text, 0)
	if err != nil {
		return c.Body.Text
	}
	hidden = slices.Clone(hidden)
	syntax.Walk(f, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.AssignStmt); ok {
			hidden = append(hidden, assignedIn(a.LHS)...)
		}
		return true
	})
	return writtenOut(c.Body.Text, f, "world", hidden)
}

// assignedIn lists the variables that the left side of an assignment sets.
func assignedIn(e syntax.Expr) []string {
	switch e := e.(type) {
	case *syntax.Ident:
		return []string{e.Name}
	case *syntax.ParenExpr:
		return assignedIn(e.X)
	case *syntax.TupleExpr:
		var list []string
		for _, x := range e.List {
			list = append(list, assignedIn(x)...)
		}
		return list
	}
	return nil
}

// atBody puts an error about the program that a line of C or Fortran means at the beginning of that line: columns are
// those of the program.
func atBody(err *lang.Error, c *lang.Chunk) *lang.Error {
	if c.Foreign && c.Kind == lang.Program {
		err.Line, err.Col, err.Source = c.Body.Line, c.Body.Col, c.LineText(c.Body.Line)
	}
	return err
}
