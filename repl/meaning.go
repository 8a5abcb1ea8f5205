package repl

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// A verb has one meaning: the statements of its text, in which {color} stands for an argument. .program and the exports
// write these statements with the texts of the arguments. Here a program.Routine carries them out on arguments that each
// rank has evaluated before: a rank that is woken in a world of a million starts no interpreter, and a mistake in an
// argument is reported at its place in the line.

// routine returns the verb's statements, compiled. Where the rank passes a group object in place of a list of ranks, no
// group has to be made.
func (i *issue) routine() *program.Routine {
	cmd, k := i.cmd, 0
	for at, p := range cmd.verb.Params {
		if p.Kind != GroupParam {
			continue
		}
		if _, ok := program.GroupOf(i.args[at]); ok {
			cmd.groups.Store(true)
			k = 1
			break
		}
	}
	cmd.means[k].once.Do(func() {
		p, err := program.CompileRoutine(strings.Join(cmd.text(k == 1), "\n"), cmd.verb.paramNames())
		if err != nil {
			panic("repl: the text of the verb " + cmd.verb.Name + ": " + err.Error())
		}
		cmd.means[k].routine = p
	})
	return cmd.means[k].routine
}

// text returns the verb's statements for the given arguments, with groupObject those for a group object.
func (cmd *command) text(groupObject bool) []string {
	given := func(param string) bool {
		k := cmd.verb.Index(param)
		return cmd.bound[k].Text != cmd.verb.Params[k].Default
	}
	var lines []string
	for _, s := range cmd.verb.statements {
		switch {
		case s.when != "" && !s.holds(given):
		case groupObject:
			lines = append(lines, groupItself.Replace(s.text))
		default:
			lines = append(lines, s.text)
		}
	}
	return lines
}

// perform carries the command out on a rank, and returns the value of the last statement.
func (i *issue) perform() (starlark.Value, error) {
	v, err := i.routine().Run(i.rank, i.args)
	return v, i.placed(err)
}

// placed puts an error of a function of programs at the argument of the line that the error is about. The
// function knows its values, but nothing of the line.
func (i *issue) placed(err error) error {
	var e *program.Error
	if !errors.As(err, &e) || e.Line > 0 {
		return err
	}
	if a := e.Argument; a != nil && a.Given >= 0 {
		return i.wrongArgument(a.Given, a)
	}
	_, text, _ := strings.Cut(e.Message, ": ")
	if name, _, _ := strings.Cut(text, " "); i.cmd.verb.Index(name) >= 0 {
		return i.wrong(name, "%s", text)
	}
	return i.cmd.errorAt(i.cmd.chunk.Verb, e.Message)
}

// wrongArgument turns the error of a function about its argument into an error about a parameter of the verb.
func (i *issue) wrongArgument(k int, a *program.ArgumentError) error {
	p, text := i.cmd.verb.Params[k], i.cmd.bound[k].Text
	what := p.Name
	if a.Element {
		what = "an element of " + what
	}
	hint := strings.ReplaceAll(a.Hint, "MPI.UNDEFINED", "UNDEFINED")
	if _, isFloat := a.Value.(starlark.Float); isFloat {
		hint = wholeDivision(text)
	}
	if _, isComm := program.CommOf(a.Value); isComm {
		hint = i.cmd.unhide()
	}
	must := a.Must
	if i.cmd.verb.TakesText(p.Name) {
		must += " in quotes"
	}
	if p.Kind == GroupParam && !a.Element {
		must += " such as [0, 1]"
	}
	found := described(a.Value)
	if n, ok := a.Value.(starlark.Int); ok {
		found = n.String()
	}
	return i.wrong(p.Name, "%s must %s, not %s%s", what, must, found, hint)
}

// statements writes the command as a program, with a test in front where not every rank makes the call. bare lists the
// ranks that keep no older value of the command's variable; it is empty when no rank keeps one.
func (cmd *command) statements(bare engine.Ranks) string {
	v := cmd.verb
	lines := cmd.text(cmd.groups.Load())
	for i := range lines {
		lines[i] = cmd.fill(lines[i])
	}
	last := len(lines) - 1
	if cmd.target != "" {
		lines[last] = cmd.target + " = " + lines[last]
	}
	var guards []string
	if r := cmd.chunk.Ranks.Text; r != "" {
		guards = append(guards, ranksTest(r))
	}
	if (v.actsOn(CommParam) || v.Call == engine.CallWait) && cmd.bound[0].Text != "world" {
		guards = append(guards, cmd.bound[0].Text+" != MPI.COMM_NULL")
	}
	if len(guards) == 0 {
		return strings.Join(lines, "\n") + "\n"
	}
	text := ""
	switch null := cmd.target + " = MPI.COMM_NULL"; {
	case v.Makes != MakesComm:
	case bare.Len() > 0:
		text = OnRanks(bare.String(), []string{null})
	default:
		text = null + "\n"
	}
	return text + indent("if "+strings.Join(guards, " and ")+":", lines)
}

// fill replaces {param} by the argument's text, in which rank, size and so on are written out.
func (cmd *command) fill(line string) string {
	var pairs []string
	for k, p := range cmd.verb.Params {
		text := cmd.bound[k].Text
		if k > 0 || p.Kind != CommParam {
			text = writeOut(text, cmd.commText(), cmd.hidden)
		}
		pairs = append(pairs, "{"+p.Name+"}", text)
	}
	return strings.NewReplacer(pairs...).Replace(line)
}

// writeOut replaces the names that only commands know by the names that programs write. Attributes, names of
// keyword arguments, and names that a variable hides stay as they are.
func writeOut(expr, comm string, hidden []string) string {
	parsed, err := syntax.LegacyFileOptions().ParseExpr("", expr, 0)
	if err != nil {
		return expr
	}
	return writtenOut(expr, parsed, comm, hidden)
}

// writtenOut does as writeOut for an expression that is parsed already.
func writtenOut(expr string, parsed syntax.Node, comm string, hidden []string) string {
	other := map[*syntax.Ident]bool{}
	var found []*syntax.Ident
	syntax.Walk(parsed, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			other[n.Name] = true
		case *syntax.CallExpr:
			for _, a := range n.Args {
				if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
					other[b.X.(*syntax.Ident)] = true
				}
			}
		case *syntax.Ident:
			if !other[n] && !slices.Contains(hidden, n.Name) && longName(n.Name, comm) != "" {
				found = append(found, n)
			}
		}
		return true
	})
	slices.SortFunc(found, func(a, b *syntax.Ident) int {
		return cmp.Or(cmp.Compare(a.NamePos.Line, b.NamePos.Line), cmp.Compare(a.NamePos.Col, b.NamePos.Col))
	})
	lines := strings.Split(expr, "\n")
	for _, id := range slices.Backward(found) {
		line := []rune(lines[id.NamePos.Line-1])
		at := int(id.NamePos.Col) - 1
		end := at + utf8.RuneCountInString(id.Name)
		lines[id.NamePos.Line-1] = string(line[:at]) + longName(id.Name, comm) + string(line[end:])
	}
	return strings.Join(lines, "\n")
}

// OnRanks writes statements that only the ranks "0-3,7" of the world carry out.
func OnRanks(ranks string, lines []string) string { return indent("if "+ranksTest(ranks)+":", lines) }

func indent(head string, lines []string) string {
	return head + "\n    " + strings.Join(lines, "\n    ") + "\n"
}

// ranksTest returns a condition that holds on the ranks "0-3,7" of the world.
func ranksTest(ranks string) string {
	r, err := engine.ParseRanks(ranks, engine.MaxSize)
	if err != nil {
		return "False"
	}
	var parts []string
	for _, e := range r {
		if e.Lo == e.Hi {
			parts = append(parts, fmt.Sprintf("world.rank == %d", e.Lo))
		} else {
			parts = append(parts, fmt.Sprintf("(%d <= world.rank and world.rank <= %d)", e.Lo, e.Hi))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, " or ") + ")"
}

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
