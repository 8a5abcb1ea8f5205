package tongue

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	tree "codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// Speaker translates statements of programs to C or to Fortran 2008.
type Speaker struct {
	Fortran bool

	// Kind is the type in C of a variable that the statements use and did not make: "MPI_Comm", "int", or "" for
	// one that C has not.
	Kind func(name string) string

	// Parameters are those of a method of mpi4py, with their defaults: "color=0"; nil where it has none.
	Parameters func(method string) []string

	lines    []string
	head     []string // declarations of Fortran, which come first
	indent   int
	declared map[string]string // types of the variables that the statements have declared so far
	sizes    map[string]int    // entries of the arrays that the statements declared
	whole    map[string]bool   // variables that cannot be negative
	known    map[string]string // what calls gave that ask about a communicator: "half.rank" is half_rank
}

// cannot refuses a statement that has no translation.
func cannot(format string, args ...any) { panic(tree.Wrong(tree.Pos{}, format, args...)) }

// Say translates a program, a statement a line.
func (s *Speaker) Say(program string) (lines []string, err error) {
	f, err := syntax.LegacyFileOptions().Parse("", program, 0)
	if err != nil {
		return nil, err
	}
	s.declared, s.sizes, s.whole = map[string]string{}, map[string]int{}, map[string]bool{}
	s.lines, s.head, s.known = nil, nil, map[string]string{}
	err = tree.Catch(func() {
		for _, stmt := range f.Stmts {
			s.statement(stmt)
		}
		lines = append(s.head, s.lines...)
	})
	return lines, err
}

func (s *Speaker) line(text string) {
	s.lines = append(s.lines, strings.Repeat("    ", s.indent)+text)
}

// do writes a statement that is not a block.
func (s *Speaker) do(text string) { s.line(text + s.in(";", "")) }

// in returns the first text for C, and the second for Fortran.
func (s *Speaker) in(c, fortran string) string {
	if s.Fortran {
		return fortran
	}
	return c
}

func (s *Speaker) statement(stmt syntax.Stmt) {
	switch stmt := stmt.(type) {
	case *syntax.ExprStmt:
		call, ok := stmt.X.(*syntax.CallExpr)
		if !ok {
			cannot("an expression without an assignment has no translation to C")
		}
		if id, ok := call.Fn.(*syntax.Ident); ok {
			if slices.Contains([]string{"expect", "expect_parts", "expect_error", "note", "ask", "print", "bind"}, id.Name) {
				return
			}
		}
		s.call(nil, call)
	case *syntax.AssignStmt:
		s.assign(stmt)
	case *syntax.IfStmt:
		s.branch(stmt)
	case *syntax.BranchStmt:
		if stmt.Token != syntax.PASS {
			cannot("loops cannot be translated")
		}
	default:
		cannot("only calls, assignments and if can be translated to C and Fortran")
	}
}

func (s *Speaker) branch(stmt *syntax.IfStmt) {
	s.line("if (" + s.expr(stmt.Cond).holds(s) + ") " + s.in("{", "then"))
	known := s.known
	block := func(list []syntax.Stmt) {
		s.indent++
		s.known = maps.Clone(known)
		for _, inner := range list {
			s.statement(inner)
		}
		s.known = known
		s.indent--
	}
	block(stmt.True)
	if len(stmt.False) > 0 {
		s.line(s.in("} else {", "else"))
		block(stmt.False)
	}
	s.line(s.in("}", "end if"))
}

func (s *Speaker) assign(stmt *syntax.AssignStmt) {
	if stmt.Op != syntax.EQ {
		cannot("%s has no translation", stmt.Op)
	}
	left := []syntax.Expr{unparen(stmt.LHS)}
	if t, ok := left[0].(*syntax.TupleExpr); ok {
		left = t.List
	}
	var targets []string
	for _, x := range left {
		id, ok := x.(*syntax.Ident)
		if !ok {
			cannot("only a variable can get a result")
		}
		targets = append(targets, id.Name)
	}
	rhs := unparen(stmt.RHS)
	if c, ok := rhs.(*syntax.CallExpr); ok && s.call(targets, c) {
		return
	}
	if call := getter(rhs); call != nil {
		s.call(targets, call)
		return
	}
	if len(targets) > 1 {
		cannot("a pair has no translation")
	}
	v := s.expr(rhs)
	if v.kind == "int[]" {
		s.array(targets[0], v.length, v.text)
		return
	}
	name := targets[0]
	s.whole[name] = v.whole && (s.indent == 0 || s.whole[name])
	if !s.Fortran && s.undeclared(name) && v.kind != "char[]" {
		s.declared[name], name = v.kind, v.kind+" "+name
	}
	s.declare(name, v.kind)
	s.forget(targets[0])
	s.do(name + " = " + v.numeric(s))
}

// array declares an array of n entries and sets them, which C does in one line. values is "" for an array without values.
func (s *Speaker) array(name string, n int, values string) {
	list, written := strings.CutPrefix(values, s.in("(int[]){", "["))
	switch {
	case s.declared[name] != "":
		cannot("an array can get its entries only in its declaration")
	case values != "" && !written && !s.Fortran:
		cannot("C cannot copy an array in a declaration")
	}
	s.declared[name], s.sizes[name] = "int[]", n
	switch {
	case s.Fortran:
		s.head = append(s.head, fmt.Sprintf("integer :: %s(%d)", name, n))
		if values != "" {
			s.do(name + " = " + values)
		}
	case values == "":
		s.do(fmt.Sprintf("int %s[%d]", name, n))
	default:
		s.do("int " + name + "[] = {" + list)
	}
}

// forget drops what is known of a variable that gets another value.
func (s *Speaker) forget(name string) {
	maps.DeleteFunc(s.known, func(k, _ string) bool { return strings.HasPrefix(k, name+".") })
}

// property has mpi4py's properties with the calls that return them.
var property = map[string]string{"group": "Get_group", "name": "Get_name", "info": "Get_info", "remote_group": "Get_remote_group",
	"topology": "Get_topology"}

// getter returns the call for a property; nil for another expression.
func getter(e syntax.Expr) *syntax.CallExpr {
	d, ok := e.(*syntax.DotExpr)
	if !ok || property[d.Name.Name] == "" {
		return nil
	}
	return &syntax.CallExpr{Fn: &syntax.DotExpr{X: d.X, Name: &syntax.Ident{Name: property[d.Name.Name]}}}
}

// declare declares a variable: in C right here, in Fortran at the head.
func (s *Speaker) declare(name, kind string) {
	if !s.undeclared(name) || strings.Contains(name, " ") {
		return
	}
	s.declared[name] = kind
	of, array := strings.CutSuffix(kind, "[]")
	switch {
	case s.Fortran:
		s.head = append(s.head, fortranKind(kind)+" :: "+name)
	case array:
		s.do(of + " " + name + "[MPI_MAX_OBJECT_NAME]")
	default:
		s.do(kind + " " + name)
	}
}

func (s *Speaker) undeclared(name string) bool {
	return s.declared[name] == "" && (s.Kind(name) == "" || s.indent == 0)
}

func fortranKind(kind string) string {
	switch {
	case strings.HasPrefix(kind, "MPI_"):
		return "type(" + kind + ")"
	case kind == "char[]":
		return "character(MPI_MAX_OBJECT_NAME)"
	}
	return "integer"
}

// numeric returns the expression as a number. In Fortran a logical value must be converted.
func (v value) numeric(s *Speaker) string {
	if v.truth && s.Fortran {
		return "merge(1, 0, " + v.text + ")"
	}
	return v.text
}

// holds returns the expression as a condition.
func (v value) holds(s *Speaker) string {
	if !v.truth && s.Fortran {
		return v.in(sum) + " /= 0"
	}
	return v.text
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

func (s *Speaker) expr(e syntax.Expr) value {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return s.expr(e.X)
	case *syntax.Ident:
		return s.name(e.Name)
	case *syntax.Literal:
		return s.literal(e)
	case *syntax.UnaryExpr:
		v := s.expr(e.X)
		switch e.Op {
		case syntax.MINUS:
			return value{text: "-" + v.in(sign), level: sign, kind: "int"}
		case syntax.NOT:
			return value{text: s.in("!", ".not. ") + v.in(sign), level: sign, truth: true, kind: "int"}
		}
	case *syntax.BinaryExpr:
		return s.binary(e)
	case *syntax.CondExpr:
		c, a, b := s.expr(e.Cond), s.expr(e.True), s.expr(e.False)
		v := value{level: ternary, whole: a.whole && b.whole, kind: a.kind}
		if v.text = c.in(disjunction) + " ? " + a.in(disjunction) + " : " + b.in(ternary); s.Fortran {
			v.text, v.level = "merge("+a.numeric(s)+", "+b.numeric(s)+", "+c.holds(s)+")", atom
		}
		return v
	case *syntax.DotExpr:
		return s.dotted(e)
	case *syntax.ListExpr:
		return s.listOf(e.List)
	case *syntax.TupleExpr:
		return s.listOf(e.List)
	case *syntax.CallExpr:
		return s.nested(e)
	case *syntax.SliceExpr:
		if n, ok := e.Hi.(*syntax.Literal); ok && e.Lo == nil && e.Step == nil {
			v := s.expr(e.X)
			count, _ := n.Value.(int64)
			v.listed, v.length = true, int(count)
			return v
		}
	}
	cannot("an argument cannot be translated: only numbers, names and operators can")
	return value{}
}

func (s *Speaker) literal(e *syntax.Literal) value {
	switch v := e.Value.(type) {
	case int64:
		return value{text: fmt.Sprint(v), level: atom, whole: true, kind: "int"}
	case string:
		text := s.in(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v), strings.ReplaceAll(v, `"`, `""`))
		return value{text: `"` + text + `"`, level: atom, kind: "char[]"}
	}
	cannot("%s is not an integer, and MPI takes integers", e.Raw)
	return value{}
}

func (s *Speaker) name(name string) value {
	v := value{text: name, level: atom, kind: "int"}
	switch name {
	case "world":
		v.text, v.kind = "MPI_COMM_WORLD", "MPI_Comm"
	case "True":
		v.text, v.truth = s.in("1", ".true."), s.Fortran
	case "False":
		v.text, v.truth = s.in("0", ".false."), s.Fortran
	case "None":
		v.text = "MPI_INFO_NULL"
	default:
		if k := s.kind(name); k != "" {
			v.kind = k
		}
		v.length, v.listed = s.sizes[name]
		v.whole = s.whole[name]
	}
	return v
}

func (s *Speaker) kind(name string) string {
	if k := s.declared[name]; k != "" {
		return k
	}
	return s.Kind(name)
}

func (s *Speaker) listOf(items []syntax.Expr) value {
	var texts []string
	rows := 0 // entries of each element that is a list, too
	for _, x := range items {
		e := s.expr(x)
		if e.kind == "int[]" {
			rows = e.length
			texts = append(texts, strings.Trim(strings.TrimPrefix(e.text, "(int[])"), "[]"))
			continue
		}
		texts = append(texts, e.numeric(s))
	}
	if rows > 0 {
		text := fmt.Sprintf("(int[][%d]){%s}", rows, strings.Join(texts, ", "))
		if s.Fortran {
			text = fmt.Sprintf("reshape([%s], [%d, %d])", strings.Join(texts, ", "), rows, len(items))
		}
		return value{text: text, level: atom, kind: "int[][]", listed: true, length: len(items)}
	}
	text := s.in("(int[]){", "[") + strings.Join(texts, ", ") + s.in("}", "]")
	return value{text: text, level: atom, kind: "int[]", listed: true, length: len(items)}
}

// dotted translates a constant of MPI, or the rank or size of a communicator.
func (s *Speaker) dotted(e *syntax.DotExpr) value {
	if id, ok := e.X.(*syntax.Ident); ok && id.Name == "MPI" {
		v := value{text: "MPI_" + e.Name.Name, level: atom, kind: "int"}
		v.kind = cmp.Or(HandleOf(e.Name.Name), v.kind)
		return v
	} else if ok && id.Name == "here" {
		cannot("here.%s asks where a rank runs; no call of MPI returns that", e.Name.Name)
	}
	what := e.Name.Name
	if call := getter(e); call != nil {
		return s.nested(call)
	}
	if what != "rank" && what != "size" && what != "remote_size" {
		cannot(".%s has no translation", what)
	}
	on := s.expr(e.X)
	if on.kind != "MPI_Comm" && on.kind != "MPI_Group" {
		cannot(".%s has no translation", what)
	}
	v := value{level: atom, whole: true, kind: "int"}
	if v.text = s.known[on.text+"."+what]; v.text != "" {
		return v
	}
	v.text = what
	if on.text != "MPI_COMM_WORLD" {
		v.text = on.text + "_" + what
	}
	s.known[on.text+"."+what] = v.text
	s.declare(v.text, "int")
	s.write(on.kind+"_"+what, []string{on.text, s.result(v.text)})
	return v
}

// result returns an argument that gets a result.
func (s *Speaker) result(name string) string { return s.in("&", "") + name }

// write writes a call.
func (s *Speaker) write(name string, args []string) {
	s.do(s.in("", "call ") + name + "(" + strings.Join(args, ", ") + ")")
}

// inC has the operators of programs that C writes in another way, and inFortran those of C that Fortran does.
var (
	inC       = map[syntax.Token]string{syntax.AND: "&&", syntax.OR: "||"}
	inFortran = map[string]string{"&&": ".and.", "||": ".or.", "!=": "/="}
)

func (s *Speaker) binary(e *syntax.BinaryExpr) value {
	a, b := s.expr(e.X), s.expr(e.Y)
	v := value{kind: "int", whole: a.whole && b.whole && e.Op != syntax.MINUS}
	switch e.Op {
	case syntax.PERCENT, syntax.SLASHSLASH:
		return s.division(e.Op == syntax.PERCENT, a, b)
	}
	op := cmp.Or(inC[e.Op], e.Op.String())
	level, ok := levels[op]
	if ofBits := bitOr <= level && level <= shift; !ok || e.Op == syntax.SLASH || ofBits && s.Fortran {
		cannot("the operator %s has no translation", e.Op)
	}
	text := s.in(op, cmp.Or(inFortran[op], op))
	v.level, v.truth = level, level <= conjunction || level == comparing
	switch {
	case level <= conjunction && s.Fortran:
		v.text = value{text: a.holds(s), level: comparing}.in(level) + " " + text + " " + value{text: b.holds(s), level: comparing}.in(level)
	case level == comparing: // which binds more tightly than bits in C, and less tightly in a program
		v.text = a.in(shift) + " " + text + " " + b.in(shift)
	case level <= conjunction:
		v.text = a.in(level+1) + " " + text + " " + b.in(level+1)
	default:
		v.text = value{text: a.numeric(s), level: a.level}.in(level) + " " + text + " " + value{text: b.numeric(s), level: b.level}.in(level+1)
	}
	return v
}

// division translates Python's division, which rounds down. Where nothing is negative, C's and Fortran's are the
// same.
func (s *Speaker) division(rest bool, a, b value) value {
	v := value{level: product, whole: b.whole, kind: "int"}
	switch {
	case s.Fortran && rest:
		v.text, v.level = fmt.Sprintf("%s(%s, %s)", map[bool]string{true: "mod", false: "modulo"}[a.whole && b.whole], a.numeric(s), b.text), atom
	case a.whole && b.whole && rest:
		v.text = a.in(product) + " % " + b.in(sign)
	case a.whole && b.whole:
		v.text = a.in(product) + " / " + b.in(sign)
	case rest:
		v.text = fmt.Sprintf("(%s %% %s + %s) %% %s", a.in(product), b.in(sign), b.in(product), b.in(sign))
	case s.Fortran:
		v.text, v.whole = fmt.Sprintf("(%s - modulo(%s, %s)) / %s", a.in(sum), a.text, b.text, b.in(sign)), false
	default:
		v.text, v.whole = fmt.Sprintf("(%s - (%s %% %s + %s) %% %s) / %s", a.in(sum), a.in(product), b.in(sign), b.in(product), b.in(sign), b.in(sign)), false
	}
	return v
}

// nested translates a call inside an expression: the call is written before the statement, and its result gets a
// name.
func (s *Speaker) nested(e *syntax.CallExpr) value {
	if id, ok := e.Fn.(*syntax.Ident); ok {
		if (id.Name == "int" || id.Name == "bool") && len(e.Args) == 1 {
			return s.expr(e.Args[0])
		}
		cannot("the function %s has no translation", id.Name)
	}
	m := s.match(e)
	if m == nil {
		cannot("this call has no translation to C")
	}
	out := results(m.call)
	if len(out) == 0 {
		cannot("%s has no result", m.call.Name)
	}
	name := s.fresh(m.call.Params[out[0]].Name)
	s.call([]string{name}, e)
	return value{text: name, level: atom, kind: m.call.Params[out[0]].Type}
}

func (s *Speaker) fresh(name string) string {
	for n, k := name, 2; ; k++ {
		if s.kind(n) == "" {
			return n
		}
		n = fmt.Sprintf("%s%d", name, k)
	}
}

// Command returns the command that a statement of a program means, as a person types it; "" for none. word returns an
// expression as one argument of a line.
func (s *Speaker) Command(program string, word func(string) string) string {
	const name = "statement" // tells the statement's own expressions from defaults
	f, err := syntax.LegacyFileOptions().Parse(name, program, 0)
	if err != nil || len(f.Stmts) != 1 {
		return ""
	}
	target, e := "", syntax.Expr(nil)
	switch stmt := f.Stmts[0].(type) {
	case *syntax.AssignStmt:
		id, ok := stmt.LHS.(*syntax.Ident)
		if !ok {
			return ""
		}
		target, e = id.Name+" = ", stmt.RHS
	case *syntax.ExprStmt:
		e = stmt.X
	}
	call, ok := e.(*syntax.CallExpr)
	if !ok {
		return ""
	}
	m := s.match(call)
	if m == nil || m.call.Command == "" {
		return ""
	}
	args := map[string]argument{}
	for param, x := range m.args {
		text := written(x) // of a default, which has no place in the program
		from, to := x.Span()
		if from.Filename() == name && from.Line == 1 && to.Line == 1 && int(to.Col) <= len(program)+1 && from.Col > 0 && to.Col > from.Col {
			text = program[from.Col-1 : to.Col-1]
		}
		args[param] = argument{value: value{text: text, level: atom}}
	}
	cmd := commandOf(m.call, args)
	text := target + cmd.Verb
	for _, a := range cmd.Args {
		if text += " "; a.Name != "" {
			text += a.Name + "="
		}
		text += word(a.Text)
	}
	return text
}

// written returns a default as a program writes it.
func written(e syntax.Expr) string {
	if l, ok := e.(*syntax.Literal); ok {
		return l.Raw
	}
	return dottedName(e)
}
