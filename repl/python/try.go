package python

import "go.starlark.net/syntax"

// A try statement becomes an IfStmt, so that Starlark finds the names that its parts bind and use. Its condition is a
// call of Try, and its else an IfStmt for each part.

// Attempt is a try statement.
type Attempt struct {
	Body     []syntax.Stmt
	Handlers []Handler
	Else     []syntax.Stmt // nil: none
	Finally  []syntax.Stmt // nil: none
}

// Handler is an except clause.
type Handler struct {
	Pos   syntax.Position
	Class syntax.Expr // nil: any
	Body  []syntax.Stmt
}

func (p *parser) tryStmt() syntax.Stmt {
	pos := p.next().pos
	outer := p.trying
	p.trying = true
	defer func() { p.trying = outer }()
	s := &syntax.IfStmt{If: pos, True: p.block(), ElsePos: pos}
	var classes []syntax.Expr
	part := func(what string, at syntax.Position, body []syntax.Stmt) {
		s.False = append(s.False, &syntax.IfStmt{If: at, Cond: StringAt(at, what), True: body})
	}
	for p.is("except") {
		at := p.next().pos
		var class syntax.Expr = &syntax.Ident{NamePos: at, Name: "None"}
		var body []syntax.Stmt
		if !p.is(":") {
			class = p.test()
			if p.took("as") {
				id := p.ident()
				var to syntax.Expr = id
				if p.globals[id.Name] {
					to = Field(id.NamePos, id.Name)
				}
				body = one(&syntax.AssignStmt{OpPos: id.NamePos, Op: syntax.EQ, LHS: to, RHS: Field(id.NamePos, Caught)})
			}
		}
		classes = append(classes, class)
		part("except", at, append(body, p.block()...))
	}
	if at := p.now.pos; len(classes) > 0 && p.took("else") {
		part("else", at, p.block())
	}
	if at := p.now.pos; p.took("finally") {
		part("finally", at, p.block())
	}
	if s.False == nil {
		p.unexpected("except")
	}
	s.Cond = Call(pos, Try, classes...)
	return s
}

// TryOf takes a try statement apart; ok is false for another statement.
func TryOf(s syntax.Stmt) (a Attempt, ok bool) {
	f, isIf := s.(*syntax.IfStmt)
	if !isIf {
		return a, false
	}
	c, isCall := f.Cond.(*syntax.CallExpr)
	if !isCall {
		return a, false
	}
	if d, isDot := c.Fn.(*syntax.DotExpr); !isDot || d.Name.Name != Try {
		return a, false
	}
	a.Body = f.True
	for _, x := range f.False {
		part := x.(*syntax.IfStmt)
		switch part.Cond.(*syntax.Literal).Value {
		case "except":
			h := Handler{Pos: part.If, Body: part.True, Class: c.Args[len(a.Handlers)]}
			if isConstant(h.Class) {
				h.Class = nil
			}
			a.Handlers = append(a.Handlers, h)
		case "else":
			a.Else = part.True
		case "finally":
			a.Finally = part.True
		}
	}
	return a, true
}
