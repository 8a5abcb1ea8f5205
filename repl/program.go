package repl

import (
	"maps"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"go.starlark.net/syntax"
)

// Program returns the chunk as statements of a program.
func (e Entry) Program() string {
	c := e.Chunk
	switch {
	case c.Kind == lang.Meta:
		return ""
	case c.Whole:
		return "# " + c.File + " is a program of C, which ran as it is\n"
	case c.Kind == lang.Program && c.Foreign && c.Ranks.Text == "":
		return foreignProgram(c, e.Hidden) + "\n"
	case c.Kind == lang.Program && c.Foreign:
		return OnRanks(c.Ranks.Text, strings.Split(foreignProgram(c, e.Hidden), "\n"))
	case c.Kind == lang.Program && c.Ranks.Text == "":
		return c.Text + "\n"
	case c.Kind == lang.Program:
		return OnRanks(c.Ranks.Text, strings.Split(c.Body.Text, "\n"))
	}
	cmd, err := bind(c)
	if err != nil || len(cmd.verb.statements) == 0 {
		return c.Comment()
	}
	cmd.target = e.result
	cmd.groups.Store(e.groups)
	cmd.hidden = e.Hidden
	return cmd.statements(e.bare)
}

// Asks returns the place in an entry's command that uses a name of programs: an argument, or else the verb.
func (e Entry) Asks(name string) lang.Word {
	if cmd, err := bind(e.Chunk); err == nil {
		for _, a := range cmd.bound {
			if line, _ := program.UsedAt(writeOut(a.Text, cmd.commText(), e.Hidden), name); line > 0 {
				return a.Word
			}
		}
	}
	return e.Chunk.Verb
}

// statements returns the program of a chunk. In lines of C and Fortran, rank and size are those of MPI_COMM_WORLD until
// a line declares variables of these names; hidden lists such variables.
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

// foreignProgram returns the program of a line of C or Fortran, with names as programs write them.
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
