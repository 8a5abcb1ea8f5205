package python

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// refused are words that begin statements that Python has and this language does not, with what to do instead.
var refused = map[string]string{
	"class":    "classes are not supported: use functions, lists and dicts",
	"with":     "with is not supported: call the functions one after the other",
	"nonlocal": "nonlocal is not supported: return the value, or change a list or dict",
	"yield":    "generators are not supported: return a list",
	"async":    "async is not supported: every rank already runs on its own",
	"await":    "await is not supported: a call returns when it is complete",
	"@":        "decorators are not supported: call the function with the other function as argument",
	"load":     "load is not available: a program is one file",
}

// Modules are the modules that a program can import, besides MPI's own.
var Modules = []string{"numpy", "sys", "os", "time", "math", "random"}

// statement reads a statement, or a line of small ones.
func (p *parser) statement() []syntax.Stmt {
	t := p.now
	if t.kind == indent {
		fail(t.pos, "unexpected indentation")
	}
	if t.kind == name || t.raw == "@" {
		if why := refused[t.raw]; why != "" && !(t.raw == "load" && p.list[p.at+1].raw != "(") {
			beyond(t.pos, why)
		}
		switch t.raw {
		case "if":
			return one(p.ifStmt())
		case "for":
			return one(p.forStmt())
		case "while":
			return one(p.whileStmt())
		case "def":
			return one(p.defStmt())
		case "try":
			return one(p.tryStmt())
		}
	}
	list := p.small()
	for p.took(";") {
		if p.now.kind == newline {
			break
		}
		list = append(list, p.small()...)
	}
	if p.now.kind != newline {
		if t.kind == name && t.raw == "print" && len(list) == 1 {
			fail(t.pos, "print is a function: print(...)")
		}
		p.unexpected(lineEnd)
	}
	p.next()
	return list
}

func one(s syntax.Stmt) []syntax.Stmt { return []syntax.Stmt{s} }

// block reads what stands behind a colon.
func (p *parser) block() []syntax.Stmt {
	p.want(":")
	if p.now.kind != newline {
		return p.statement()
	}
	p.next()
	if p.now.kind != indent {
		if p.now.kind == end {
			fail(p.now.pos, "a body, indented, is expected below this line")
		}
		p.unexpected("a body, indented,")
	}
	p.next()
	var list []syntax.Stmt
	for p.now.kind != dedent && p.now.kind != end {
		list = append(list, p.statement()...)
	}
	p.next()
	if len(list) == 0 {
		list = one(&syntax.BranchStmt{Token: syntax.PASS, TokenPos: p.list[p.at-1].pos})
	}
	return list
}

func (p *parser) ifStmt() syntax.Stmt {
	s := &syntax.IfStmt{If: p.next().pos}
	s.Cond = p.test()
	s.True = p.block()
	switch t := p.now; {
	case p.is("elif"):
		s.ElsePos = t.pos
		s.False = one(p.ifStmt())
	case p.took("else"):
		s.ElsePos = t.pos
		s.False = p.block()
	}
	return s
}

func (p *parser) forStmt() syntax.Stmt {
	s := &syntax.ForStmt{For: p.next().pos}
	s.Vars = p.tuple(p.primary)
	p.want("in")
	s.X = p.tuple(p.test)
	s.Body = p.block()
	p.noElse()
	return s
}

func (p *parser) whileStmt() syntax.Stmt {
	s := &syntax.WhileStmt{While: p.next().pos}
	s.Cond = p.test()
	s.Body = p.block()
	p.noElse()
	return s
}

func (p *parser) noElse() {
	if p.is("else") {
		beyond(p.now.pos, "else of a loop is not supported: note in a variable whether the loop was left with break")
	}
}

func (p *parser) defStmt() syntax.Stmt {
	d := &syntax.DefStmt{Def: p.next().pos}
	d.Name = p.ident()
	d.Lparen = p.want("(").pos
	outer := p.globals
	p.globals = map[string]bool{}
	d.Params = p.params(")", true)
	d.Rparen = p.want(")").pos
	if p.took("->") {
		p.test()
	}
	d.Body = p.block()
	p.globals = outer
	return d
}

// small reads a statement that holds no other statements. One line may make several assignments.
func (p *parser) small() []syntax.Stmt {
	t := p.now
	if t.kind == name {
		switch t.raw {
		case "pass", "break", "continue":
			p.next()
			tok := map[string]syntax.Token{"pass": syntax.PASS, "break": syntax.BREAK, "continue": syntax.CONTINUE}[t.raw]
			return one(&syntax.BranchStmt{Token: tok, TokenPos: t.pos})
		case "return":
			p.next()
			r := &syntax.ReturnStmt{Return: t.pos}
			if !p.ended() {
				r.Result = p.tuple(p.test)
			}
			return one(r)
		case "import", "from":
			return p.imports()
		case "global":
			return p.global()
		case "del":
			return p.del()
		case "assert":
			return one(p.assert())
		case "raise":
			return one(p.raise())
		}
		if why := refused[t.raw]; why != "" && t.raw != "load" {
			beyond(t.pos, why)
		}
	}
	return p.assignment()
}

func (p *parser) global() []syntax.Stmt {
	pos := p.next().pos
	if p.globals == nil {
		fail(pos, "global is allowed only in functions: at the top level, all names are global")
	}
	for {
		p.globals[p.ident().Name] = true
		if !p.took(",") {
			return one(&syntax.BranchStmt{Token: syntax.PASS, TokenPos: pos})
		}
	}
}

// del reads del x[k], which removes an entry, and del x, which makes x None.
func (p *parser) del() []syntax.Stmt {
	p.next()
	var list []syntax.Stmt
	for {
		switch x := p.primary().(type) {
		case *syntax.Ident:
			none := &syntax.Ident{NamePos: x.NamePos, Name: "None"}
			none.NamePos.Col-- // no two identifiers stand at the same place
			list = append(list, &syntax.AssignStmt{OpPos: x.NamePos, Op: syntax.EQ, LHS: x, RHS: none})
		case *syntax.IndexExpr:
			list = append(list, &syntax.ExprStmt{X: Call(x.Lbrack, Delete, x.X, x.Y)})
		case *syntax.SliceExpr:
			list = append(list, &syntax.ExprStmt{X: Call(x.Lbrack, Delete, x.X, sliceKey(x))})
		default:
			beyond(syntax.Start(x), "del must name a variable or an entry")
		}
		if !p.took(",") {
			return list
		}
	}
}

func (p *parser) assert() syntax.Stmt {
	pos := p.next().pos
	cond := p.test()
	args := []syntax.Expr{}
	if p.took(",") {
		args = append(args, p.test())
	}
	return &syntax.IfStmt{If: pos, Cond: cond, True: one(&syntax.BranchStmt{Token: syntax.PASS, TokenPos: pos}), ElsePos: pos,
		False: one(&syntax.ExprStmt{X: Call(pos, Assert, args...)})}
}

func (p *parser) raise() syntax.Stmt {
	pos := p.next().pos
	if p.ended() {
		return &syntax.ExprStmt{X: Call(pos, Raise)}
	}
	x := p.test()
	if p.took("from") {
		p.test()
	}
	return &syntax.ExprStmt{X: Call(pos, Raise, x)}
}

var augmented = words("+= -= *= /= //= %= &= |= ^= <<= >>= **= @=")

// assignment reads an assignment, or an expression that is a statement.
func (p *parser) assignment() []syntax.Stmt {
	from := p.at
	x := p.tuple(p.test)
	t := p.now
	if t.kind != sign {
		return one(&syntax.ExprStmt{X: x})
	}
	switch {
	case t.raw == ":":
		p.next()
		p.test() // the type
		if !p.is("=") {
			return one(&syntax.BranchStmt{Token: syntax.PASS, TokenPos: t.pos})
		}
		t = p.now
	case augmented[t.raw]:
		p.next()
		return one(augment(x, t, p.tuple(p.test)))
	case t.raw != "=":
		return one(&syntax.ExprStmt{X: x})
	}
	targets := []syntax.Expr{x}
	var at []syntax.Position
	for p.is("=") {
		at = append(at, p.next().pos)
		targets = append(targets, p.tuple(p.test))
	}
	value := targets[len(targets)-1]
	targets = targets[:len(targets)-1]
	if len(targets) == 1 {
		return one(assign(targets[0], at[0], value))
	}
	// Each target gets the value of a name: of the value itself, or of the first target that is one; or a number or text.
	var list []syntax.Stmt
	again := copied(value)
	if slices.ContainsFunc(targets, unpacks) {
		again = nil // a name in such a target can be the value's
	}
	for i := 0; again == nil && i < len(targets); i++ {
		if again = copied(targets[i]); again != nil {
			list = one(assign(targets[i], at[i], value))
			targets, at = slices.Delete(targets, i, i+1), slices.Delete(at, i, i+1)
		}
	}
	if again == nil {
		beyond(p.list[from].pos, "in a chain of assignments, one target or the value must be a name")
	}
	for k, e := range targets {
		list = append(list, assign(e, at[k], copied(again)))
	}
	return list
}

// unpacks reports whether a target gives several names or elements their values.
func unpacks(target syntax.Expr) bool {
	switch target.(type) {
	case *syntax.TupleExpr, *syntax.ListExpr, *syntax.ParenExpr:
		return true
	}
	return false
}

// copied returns a second expression like a name or literal; nil for another expression.
func copied(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		again := *e
		return &again
	case *syntax.DotExpr: // a global name
		if of, ok := e.X.(*syntax.Ident); ok && of.Name == Scope {
			return Field(e.NamePos, e.Name.Name)
		}
	case *syntax.Literal:
		return e
	}
	return nil
}

// assign makes the assignment of a value to a target. The assignment to a slice, or by several subscripts, is a call.
func assign(x syntax.Expr, pos syntax.Position, value syntax.Expr) syntax.Stmt {
	switch x := x.(type) {
	case *syntax.SliceExpr:
		return &syntax.ExprStmt{X: Call(x.Lbrack, Assign, x.X, sliceKey(x), value)}
	case *syntax.CallExpr:
		if key := subscripts(x); key != nil {
			return &syntax.ExprStmt{X: Call(x.Lparen, Assign, key[0], key[1], value)}
		}
		fail(pos, "can't assign to a call")
	case *syntax.TupleExpr:
		assignable(x.List, pos)
	case *syntax.ListExpr:
		assignable(x.List, pos)
	}
	return &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: x, RHS: value}
}

func assignable(list []syntax.Expr, pos syntax.Position) {
	for _, e := range list {
		switch e.(type) {
		case *syntax.SliceExpr, *syntax.CallExpr:
			beyond(pos, "assign several slices one by one")
		}
	}
}

// subscripts returns the arguments of a call of Index; nil for other calls.
func subscripts(c *syntax.CallExpr) []syntax.Expr {
	if f, ok := c.Fn.(*syntax.DotExpr); ok && f.Name.Name == Index {
		if of, ok := f.X.(*syntax.Ident); ok && of.Name == Scope {
			return c.Args
		}
	}
	return nil
}

// augment makes x += y, which may change the object that x stands for.
func augment(x syntax.Expr, t token, y syntax.Expr) syntax.Stmt {
	op := StringAt(t.pos, strings.TrimSuffix(t.raw, "="))
	at := func(of, key syntax.Expr) syntax.Stmt {
		return &syntax.ExprStmt{X: Call(t.pos, AugmentAt, of, key, op, y)}
	}
	switch x := x.(type) {
	case *syntax.Ident:
		return &syntax.AssignStmt{OpPos: t.pos, Op: syntax.EQ, LHS: x, RHS: Call(t.pos, Augment, &syntax.Ident{NamePos: x.NamePos, Name: x.Name}, op, y)}
	case *syntax.DotExpr:
		if of, ok := x.X.(*syntax.Ident); ok {
			again := &syntax.DotExpr{X: &syntax.Ident{NamePos: of.NamePos, Name: of.Name}, Dot: x.Dot, NamePos: x.NamePos, Name: x.Name}
			return &syntax.AssignStmt{OpPos: t.pos, Op: syntax.EQ, LHS: x, RHS: Call(t.pos, Augment, again, op, y)}
		}
	case *syntax.IndexExpr:
		return at(x.X, x.Y)
	case *syntax.SliceExpr:
		return at(x.X, sliceKey(x))
	case *syntax.CallExpr:
		if key := subscripts(x); key != nil {
			return at(key[0], key[1])
		}
	}
	fail(t.pos, "'%s' is an illegal expression for augmented assignment", t.raw)
	return nil
}

// imports reads an import, which gives names to modules and to their contents. MPI is there without an import.
func (p *parser) imports() []syntax.Stmt {
	t := p.next()
	var list []syntax.Stmt
	if t.raw == "from" {
		list = p.importsFrom()
	} else {
		for {
			pos, path := p.path()
			id, renamed := p.alias(&syntax.Ident{NamePos: pos, Name: path[0]})
			bound := path
			if !renamed {
				bound = path[:1]
			}
			list = append(list, p.bind(pos, id, path, bound)...)
			if !p.took(",") {
				break
			}
		}
	}
	if list == nil {
		return one(&syntax.BranchStmt{Token: syntax.PASS, TokenPos: t.pos})
	}
	return list
}

// importsFrom reads what stands behind from.
func (p *parser) importsFrom() (list []syntax.Stmt) {
	pos, path := p.path()
	p.want("import")
	if p.is("*") && path[0] != "commsplit" {
		beyond(p.now.pos, "import * is not supported: name what the program needs")
	}
	if p.took("*") {
		return nil
	}
	open := p.took("(")
	for {
		id := p.ident()
		full := append(slices.Clone(path), id.Name)
		id, _ = p.alias(id)
		list = append(list, p.bind(pos, id, full, full)...)
		if !p.took(",") || open && p.is(")") {
			break
		}
	}
	if open {
		p.want(")")
	}
	return list
}

// alias reads the name that stands behind as; without as, it is the name that is imported.
func (p *parser) alias(imported *syntax.Ident) (id *syntax.Ident, renamed bool) {
	if p.took("as") {
		return p.ident(), true
	}
	return imported, false
}

// path reads the name of a module.
func (p *parser) path() (syntax.Position, []string) {
	if p.is(".") {
		beyond(p.now.pos, "a program is one file: it cannot import other files")
	}
	id := p.ident()
	path := []string{id.Name}
	for p.took(".") {
		path = append(path, p.ident().Name)
	}
	return id.NamePos, path
}

// Importable are the names that a program may import from the module commsplit, which are there anyway.
var Importable = []string{"world", "here", "expect", "expect_parts", "expect_error", "expect_no_leaks", "note", "ask", "bind"}

// bind makes the statement that gives a name what an import means; none where the name means that already. Where a module
// is missing, the import raises ImportError in a try statement; elsewhere the program is refused.
func (p *parser) bind(pos syntax.Position, id *syntax.Ident, path, bound []string) []syntax.Stmt {
	var value syntax.Expr
	switch {
	case path[0] == "__future__", path[0] == "commsplit" && len(path) == 2 && id.Name == path[1] && slices.Contains(Importable, id.Name):
		return nil
	case path[0] == "mpi4py":
		if len(bound) == 2 && bound[1] == "MPI" {
			if id.Name == "MPI" {
				return nil
			}
			value = &syntax.Ident{NamePos: pos, Name: "MPI"}
		}
	case !p.trying && path[0] == "commsplit" && len(path) == 2:
		fail(pos, "commsplit has no %s: a program can import %s", path[1], strings.Join(Importable, ", "))
	case !p.trying && !slices.Contains(Modules, path[0]):
		beyond(pos, fmt.Sprintf("there is no module %s: a program can import mpi4py, %s, and what it needs of commsplit", path[0], strings.Join(Modules, ", ")))
	}
	if value == nil {
		args := make([]syntax.Expr, len(bound))
		for i, word := range bound {
			args[i] = StringAt(pos, word)
		}
		value = Call(pos, Module, args...)
	}
	return one(&syntax.AssignStmt{OpPos: id.NamePos, Op: syntax.EQ, LHS: id, RHS: value})
}
