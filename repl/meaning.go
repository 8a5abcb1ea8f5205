package repl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
	"commsplit/repl/lang"
	"commsplit/repl/program"
)

// A verb has one meaning: the statements of its text, in which {color} stands for an argument. .program and
// the exports write these statements with the arguments' texts filled in. Here they are carried out, on
// arguments that each rank has evaluated before: so a rank that is woken in a world of a million starts no
// interpreter, and a mistake in an argument is reported at its place in the line.

// meaning is the statements of a verb, made ready: steps that work on a stack of values. Steps are flat, as
// every call within a call would need more of the stack of each rank. Steps exist only for the parts of the
// dialect that verbs use: assignments to names of their own, calls with arguments by position, attributes,
// elements, "x != y", and "x if c else y".
type meaning []meaningStep

// meaningStep is one step. It takes its operands off the stack, and pushes its result.
type meaningStep struct {
	do    stepKind
	n     int            // a parameter, an element, how many arguments, or the step to go to
	name  string         // of an attribute, a predeclared name, or a name of the statements' own
	value starlark.Value // of a literal
}

type stepKind uint8

const (
	pushParam stepKind = iota
	pushName
	pushValue
	takeAttr
	takeElement
	callFunction
	compareUnequal
	goUnless // to step n, unless the value is true
	goTo
	assignName
	dropValue
)

// argPrefix begins the identifier that stands for an argument while a verb's text is read.
const argPrefix = "_"

// meaningOf reads the statements of a verb's text.
func meaningOf(v *Verb, lines []string) meaning {
	text := strings.Join(lines, "\n")
	for _, p := range v.Params {
		text = strings.ReplaceAll(text, "{"+p.Name+"}", argPrefix+p.Name)
	}
	f, err := syntax.LegacyFileOptions().Parse(v.Name, text+"\n", 0)
	if err != nil {
		panic("repl: the text of the verb " + v.Name + " is no program: " + err.Error())
	}
	var m meaning
	for i, stmt := range f.Stmts {
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			m.add(v, stmt.RHS)
			m = append(m, meaningStep{do: assignName, name: stmt.LHS.(*syntax.Ident).Name})
		case *syntax.ExprStmt:
			if m.add(v, stmt.X); i < len(f.Stmts)-1 {
				m = append(m, meaningStep{do: dropValue})
			}
		}
	}
	return m
}

// add appends the steps of an expression.
func (m *meaning) add(v *Verb, e syntax.Expr) {
	step := func(s meaningStep) { *m = append(*m, s) }
	switch e := e.(type) {
	case *syntax.Ident:
		if name, ok := strings.CutPrefix(e.Name, argPrefix); ok {
			step(meaningStep{do: pushParam, n: v.param(name)})
			return
		}
		step(meaningStep{do: pushName, name: e.Name})
	case *syntax.Literal:
		step(meaningStep{do: pushValue, value: starlark.String(e.Value.(string))})
	case *syntax.DotExpr:
		m.add(v, e.X)
		step(meaningStep{do: takeAttr, name: e.Name.Name})
	case *syntax.IndexExpr:
		m.add(v, e.X)
		step(meaningStep{do: takeElement, n: int(e.Y.(*syntax.Literal).Value.(int64))})
	case *syntax.BinaryExpr:
		m.add(v, e.X)
		m.add(v, e.Y)
		step(meaningStep{do: compareUnequal})
	case *syntax.CondExpr:
		m.add(v, e.Cond)
		unless := len(*m)
		step(meaningStep{do: goUnless})
		m.add(v, e.True)
		end := len(*m)
		step(meaningStep{do: goTo})
		(*m)[unless].n = len(*m)
		m.add(v, e.False)
		(*m)[end].n = len(*m)
	case *syntax.CallExpr:
		m.add(v, e.Fn)
		for _, a := range e.Args {
			m.add(v, a)
		}
		step(meaningStep{do: callFunction, n: len(e.Args)})
	default:
		panic(fmt.Sprintf("repl: the text of the verb %s has a %T", v.Name, e))
	}
}

// meaning is what the command does on a rank. groupObject: the rank passes a group object in place of a list
// of ranks, from which no group has to be made.
func (cmd *command) meaning(groupObject bool) meaning {
	k := 0
	if groupObject {
		k = 1
	}
	cmd.read[k].once.Do(func() { cmd.read[k].meaning = meaningOf(cmd.verb, cmd.text(groupObject)) })
	return cmd.read[k].meaning
}

// text is the verb's statements for the arguments that were given.
func (cmd *command) text(groupObject bool) []string {
	v := cmd.verb
	lines := v.text(func(param string) bool { k := v.param(param); return cmd.bound[k].Text != v.Params[k].Default })
	if groupObject {
		for i := range lines {
			lines[i] = groupItself.Replace(lines[i])
		}
	}
	return lines
}

// operand is a value on the stack, and the parameter that it was passed for; -1 for no parameter.
type operand struct {
	value starlark.Value
	param int
}

// operands is a stack as deep as any verb needs. A stack that could grow would lie on the heap, once a rank.
type operands struct {
	list [maxOperands]operand
	n    int
}

const maxOperands = program.MaxOperands

func (st *operands) push(v starlark.Value, param int) {
	st.list[st.n] = operand{v, param}
	st.n++
}

func (st *operands) pop() operand {
	st.n--
	return st.list[st.n]
}

// perform carries the command out on a rank, and returns the value of the last statement. Handles that the
// statements before it open, such as the group of a list of ranks, do not count as never freed: the line has
// no name for them.
func (i *issue) perform() (starlark.Value, error) {
	var st operands
	if err := i.walk(&st, nil, nil); err != nil {
		return nil, err
	}
	return st.pop().value, nil
}

// ready makes the last call of the command ready, on a goroutine that is not the rank's. d stays as it is when calls
// of MPI come before that, or when anything is wrong: then the rank carries the command out.
func (i *issue) ready(v *program.Evaluator, d *program.Ready) {
	if i.cmd.verb.tells == "" {
		var st operands
		_ = i.walk(&st, v, d) // the rank meets the same error
	}
}

// walk carries out the steps of the command, which leave their value on the stack. With ahead it makes no call of
// MPI, stops at the last call, and makes d that call.
func (i *issue) walk(st *operands, ahead *program.Evaluator, d *program.Ready) error {
	if i.cmd.verb.check != nil {
		if err := i.cmd.verb.check(i); err != nil {
			return err
		}
	}
	m := i.cmd.meaning(i.passesGroup())
	last := len(m) - 1
	i.rank.Unnoted(true)
	defer i.rank.Unnoted(false)
	for at := 0; at < len(m); at++ {
		if at == last {
			i.rank.Unnoted(false)
		}
		switch step := &m[at]; step.do {
		case callFunction:
			if ahead != nil && (at == last || !st.callsLocal(step.n)) {
				if at == last {
					st.ready(ahead, i.rank, step.n, d)
				}
				return nil
			}
			if err := i.callFunction(st, step.n, ahead); err != nil {
				return err
			}
		case goUnless:
			if !st.pop().value.Truth() {
				at = step.n - 1
			}
		case goTo:
			at = step.n - 1
		default:
			if err := i.take(st, step, ahead); err != nil {
				return err
			}
		}
	}
	return nil
}

// passed are the n values on top of the stack, in the storage of args.
func (st *operands) passed(n int, args *[maxOperands]starlark.Value) []starlark.Value {
	for k := range n {
		args[k] = st.list[st.n-n+k].value
	}
	return args[:n]
}

// callsLocal reports whether the function below the n values on top of the stack may be called ahead of the rank.
func (st *operands) callsLocal(n int) bool {
	var args [maxOperands]starlark.Value
	return program.IsLocal(st.list[st.n-n-1].value, st.passed(n, &args))
}

// ready makes the call of the function below the n values on top of the stack ready.
func (st *operands) ready(v *program.Evaluator, r *program.Rank, n int, d *program.Ready) {
	var args [maxOperands]starlark.Value
	v.Ready(r, st.list[st.n-n-1].value, st.passed(n, &args), d)
}

// take carries out a step that calls nothing and goes nowhere. ahead, if not nil, has storage for what the next call
// needs.
func (i *issue) take(st *operands, step *meaningStep, ahead *program.Evaluator) error {
	switch step.do {
	case pushParam:
		st.push(i.args[step.n], step.n)
	case pushValue:
		st.push(step.value, -1)
	case pushName:
		v := i.vars[step.name]
		switch {
		case v != nil:
		case ahead != nil:
			v = ahead.Value(i.rank, step.name, st.n)
		default:
			v = i.rank.Value(step.name)
		}
		st.push(v, -1)
	case takeAttr:
		of := st.pop().value
		v, err := i.attr(of, step.name, st.n, ahead)
		if err != nil {
			return err
		}
		st.push(v, -1)
	case takeElement:
		st.push(st.pop().value.(starlark.Indexable).Index(step.n), -1)
	case compareUnequal:
		y, x := st.pop(), st.pop()
		same, err := starlark.Equal(x.value, y.value)
		if err != nil {
			return err
		}
		st.push(starlark.Bool(!same), -1)
	case assignName:
		if i.vars == nil {
			i.vars = map[string]starlark.Value{}
		}
		i.vars[step.name] = st.pop().value
	case dropValue:
		st.pop()
	}
	return nil
}

// attr is an attribute of a value, for place k of the stack.
func (i *issue) attr(of starlark.Value, name string, k int, ahead *program.Evaluator) (starlark.Value, error) {
	if ahead != nil {
		return ahead.Attr(i.rank, of, name, k)
	}
	return i.rank.Attr(of, name)
}

// callFunction calls the function below the n values on top of the stack. ahead, if not nil, has storage for the
// arguments of a function that keeps no list of them.
func (i *issue) callFunction(st *operands, n int, ahead *program.Evaluator) error {
	from := st.n - n
	passed := st.list[from:st.n]
	var args []starlark.Value
	if ahead != nil {
		args = ahead.Args[:n]
	} else {
		args = make([]starlark.Value, n)
	}
	for k := range passed {
		args[k] = passed[k].value
	}
	v, err := i.rank.Apply(st.list[from-1].value, args...)
	if err != nil {
		return i.placed(err, passed)
	}
	st.n = from - 1
	st.push(v, -1)
	return nil
}

// passesGroup reports whether a group object is passed where a list of ranks would do.
func (i *issue) passesGroup() bool {
	for k, p := range i.cmd.verb.Params {
		if _, ok := program.GroupOf(i.args[k]); ok && p.Kind == GroupParam {
			i.cmd.groups.Store(true)
			return true
		}
	}
	return false
}

// placed puts an error of a function of programs at the argument of the line that the error is about. The
// function knows its values, but nothing of the line.
func (i *issue) placed(err error, passed []operand) error {
	var e *program.Error
	if !errors.As(err, &e) || e.Line > 0 {
		return err
	}
	if a := e.Argument; a != nil && a.Index < len(passed) && passed[a.Index].param >= 0 {
		return i.wrongArgument(passed[a.Index].param, a)
	}
	_, text, _ := strings.Cut(e.Message, ": ")
	if name, _, _ := strings.Cut(text, " "); i.cmd.verb.param(name) >= 0 {
		return i.wrong(name, "%s", text)
	}
	c := i.cmd.chunk
	return &program.Error{File: c.File, Line: c.Verb.Line, Col: c.Verb.Col, Message: e.Message}
}

// wrongArgument is the error of a function about its argument, as an error about a parameter of the verb.
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

// program is a chunk as statements of a program.
func (e entry) program() string {
	c := e.chunk
	switch {
	case c.Kind == lang.Meta:
		return ""
	case c.Kind == lang.Program && c.Foreign && c.Ranks.Text == "":
		return foreignProgram(c, e.hidden) + "\n"
	case c.Kind == lang.Program && c.Foreign:
		return indent("if "+ranksTest(c.Ranks.Text)+":", strings.Split(foreignProgram(c, e.hidden), "\n"))
	case c.Kind == lang.Program && c.Ranks.Text == "":
		return c.Text + "\n"
	case c.Kind == lang.Program:
		return indent("if "+ranksTest(c.Ranks.Text)+":", strings.Split(c.Body.Text, "\n"))
	}
	cmd, err := bind(c)
	if err != nil || cmd.verb.text == nil {
		return comment(c)
	}
	cmd.target = e.result
	cmd.groups.Store(e.groups)
	cmd.hidden = e.hidden
	return cmd.statements(e.bare)
}

// statements are the command as a program: guarded where not every rank makes the call. bare lists the ranks
// that keep no older value of the command's variable; it is empty when no rank keeps one.
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
	if (v.actsOnComm() || v.Call == engine.CallWait) && cmd.bound[0].Text != "world" {
		guards = append(guards, cmd.bound[0].Text+" != MPI.COMM_NULL")
	}
	if len(guards) == 0 {
		return strings.Join(lines, "\n") + "\n"
	}
	text := ""
	switch null := cmd.target + " = MPI.COMM_NULL"; {
	case v.Makes != MakesComm:
	case bare.Len() > 0:
		text = indent("if "+ranksTest(bare.String())+":", []string{null})
	default:
		text = null + "\n"
	}
	return text + indent("if "+strings.Join(guards, " and ")+":", lines)
}

func indent(head string, lines []string) string {
	return head + "\n    " + strings.Join(lines, "\n    ") + "\n"
}

// ranksTest is a condition that holds on the ranks "0-3,7" of the world.
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

func (cmd *command) commText() string {
	if cmd.verb.actsOnComm() {
		return cmd.bound[0].Text
	}
	return "world"
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

// writtenOut does so for a text of which the tree is at hand.
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

// longName is how a program writes a name that only commands know; "" for other names.
func longName(name, comm string) string {
	switch name {
	case "rank", "size", "remote_size":
		return comm + "." + name
	case "UNDEFINED":
		return "MPI.UNDEFINED"
	}
	if constants[name] != nil {
		return "MPI.COMM_TYPE_" + name
	}
	if slices.Contains(rankNames, name) {
		return "here." + name
	}
	return ""
}
