package python

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// Scope is the name of the object whose fields are the functions that the text cannot write.
const Scope = "(session)"

// The functions that a tree calls, fields of Scope.
const (
	Power     = "(**)"         // x, y: x ** y
	Chain     = "(chain)"      // x, "<", y, "<=", z: a chain of comparisons
	Index     = "(index)"      // x, key: x[key], where key is a slice or a tuple
	Assign    = "(assign)"     // x, key, value: x[key] = value
	Slice     = "(slice)"      // low, high, step
	Augment   = "(augment)"    // x, "+", y: what x += y assigns
	AugmentAt = "(augment at)" // x, key, "+", y: x[key] += y
	Text      = "(text)"       // the parts of an f-string: texts
	Format    = "(format)"     // value, conversion, spec: a part of an f-string
	Raise     = "(raise)"      // an exception, or nothing
	Assert    = "(assert)"     // of a condition that does not hold: a text
	Delete    = "(delete)"     // x, key: del x[key]
	Module    = "(module)"     // name, attributes...: what an import binds
	Try       = "(try)"        // the condition of an IfStmt that is a try statement: see TryOf
	Caught    = "(caught)"     // the exception that is being handled
)

// Field makes the expression Scope.name, every part of which stands at pos.
func Field(pos syntax.Position, name string) *syntax.DotExpr {
	return &syntax.DotExpr{X: &syntax.Ident{NamePos: pos, Name: Scope}, Dot: pos, NamePos: pos, Name: &syntax.Ident{NamePos: pos, Name: name}}
}

// Call makes a call of a field of Scope, at pos.
func Call(pos syntax.Position, name string, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: Field(pos, name), Lparen: pos, Args: args, Rparen: pos}
}

// StringAt makes a string literal at pos.
func StringAt(pos syntax.Position, s string) *syntax.Literal {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: s, Value: s}
}

var keywords = words("and as assert async await break class continue def del elif else except finally for from global if " +
	"import in is lambda load nonlocal not or pass raise return try while with yield")

// words returns the set of the words of a text.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// parser reads tokens.
type parser struct {
	list    []token
	at      int             // the index of now
	now     token           // the next token
	globals map[string]bool // names that the function declares to be global; nil outside functions
	single  bool            // one expression, not statements
	trying  bool            // in a try statement, also in its handlers
}

// next returns the next token and goes behind it.
func (p *parser) next() token {
	t := p.now
	if t.kind != end {
		p.at++
		p.now = p.list[p.at]
	}
	return t
}

// is reports whether the next token is the operator or keyword.
func (p *parser) is(word string) bool {
	return p.now.raw == word && (p.now.kind == sign || p.now.kind == name && keywords[word])
}

// took skips the operator or keyword if it comes next, and reports whether it did.
func (p *parser) took(word string) bool {
	is := p.is(word)
	if is {
		p.next()
	}
	return is
}

func (p *parser) want(word string) token {
	if !p.is(word) {
		if strings.Contains(")]}", word) {
			word = "a comma or " + word
		}
		p.unexpected(word)
	}
	return p.next()
}

// unexpected ends the reading at the next token.
func (p *parser) unexpected(want string) {
	t := p.now
	if t.kind == name && (t.raw == "yield" || t.raw == "await") {
		beyond(t.pos, refused[t.raw])
	}
	var before token
	if p.at > 0 {
		before = p.list[p.at-1]
	}
	switch twice := before.raw + t.raw; {
	case t.kind == name && t.raw == "mod":
		fail(t.pos, "the remainder is written %%, as in rank %% 2")
	case ofC[twice] != "":
		fail(before.pos, "%s is C: write %s", twice, ofC[twice])
	case want == value && (t.raw == "else" || t.raw == "elif"):
		fail(t.pos, "%s stands without the if that it continues", t.raw)
	case want == value && before.raw == "+" && p.at > 1 && p.list[p.at-2].raw == "+":
		fail(p.list[p.at-2].pos, "++ is C: write += 1")
	case want == value && t.what() == lineEnd:
		fail(t.pos, "a value is missing here")
	case want == lineEnd && t.raw != "" && strings.Contains(")]}", t.raw):
		fail(t.pos, "the bracket %s closes nothing", t.raw)
	case t.what() == lineEnd:
		fail(t.pos, "%s is missing at the end of the line", want)
	case want == lineEnd:
		fail(t.pos, "the line should end before %s", t.what())
	}
	fail(t.pos, "%s is expected before %s", want, t.what())
}

// These words name in messages anything that can be an operand, and where a line or an expression ends.
const (
	value   = "a value"
	lineEnd = "the end of the line"
)

// ofC has operators of C, and what takes their place.
var ofC = map[string]string{"&&": "and", "||": "or", "?": "A if CONDITION else B", "!": "not"}

// ident reads a name that is not a keyword.
func (p *parser) ident() *syntax.Ident {
	t := p.now
	if t.kind != name || keywords[t.raw] {
		p.unexpected("a name")
	}
	p.next()
	return &syntax.Ident{NamePos: t.pos, Name: t.raw}
}

// tuple reads an item, or several between commas: a tuple without parentheses.
func (p *parser) tuple(item func() syntax.Expr) syntax.Expr {
	first := item()
	if !p.is(",") {
		return first
	}
	list := []syntax.Expr{first}
	for p.took(",") && !p.ended() {
		list = append(list, item())
	}
	return &syntax.TupleExpr{List: list}
}

// ended reports whether no expression can begin here.
func (p *parser) ended() bool {
	t := p.now
	switch t.kind {
	case end, newline, dedent, indent:
		return true
	case sign:
		return strings.Contains(") ] } = : ;", t.raw) || strings.HasSuffix(t.raw, "=")
	case name:
		return t.raw == "in" || t.raw == "for" || t.raw == "if"
	}
	return false
}

// test reads an expression; a star in front of it is refused.
func (p *parser) test() syntax.Expr {
	switch {
	case p.is("lambda"):
		return p.lambda()
	case p.is("*") && !p.single:
		beyond(p.now.pos, "* is allowed only in calls: write the elements, or use slices")
	}
	x := p.binary(0)
	if p.is(":=") {
		beyond(p.now.pos, "there is no := operator: assign in a line of its own")
	}
	if !p.is("if") {
		return x
	}
	e := &syntax.CondExpr{If: p.next().pos, True: x}
	e.Cond = p.binary(0)
	e.ElsePos = p.want("else").pos
	e.False = p.test()
	return e
}

func (p *parser) lambda() syntax.Expr {
	l := &syntax.LambdaExpr{Lambda: p.next().pos}
	l.Params = p.params(":", false)
	p.want(":")
	l.Body = p.test()
	return l
}

// params reads parameters up to the token that ends them.
func (p *parser) params(close string, typed bool) []syntax.Expr {
	var list []syntax.Expr
	for !p.is(close) {
		switch {
		case p.is("/"):
			p.next()
		case p.is("*") || p.is("**"):
			t := p.next()
			u := &syntax.UnaryExpr{OpPos: t.pos, Op: stars[t.raw]}
			if !p.is(",") {
				u.X = p.ident()
			}
			list = append(list, u)
		default:
			var e syntax.Expr = p.ident()
			if typed && p.took(":") {
				p.test()
			}
			if p.is("=") {
				pos := p.next().pos
				e = &syntax.BinaryExpr{X: e, OpPos: pos, Op: syntax.EQ, Y: p.test()}
			}
			list = append(list, e)
		}
		if !p.took(",") {
			break
		}
	}
	return list
}

var comparisons = map[string]syntax.Token{"<": syntax.LT, ">": syntax.GT, "<=": syntax.LE, ">=": syntax.GE, "==": syntax.EQL, "!=": syntax.NEQ,
	"in": syntax.IN, "not in": syntax.NOT_IN, "is": syntax.EQL, "is not": syntax.NEQ}

// comparison reads comparisons. A chain of several becomes one call, which computes all operands; so these must only
// look things up.
func (p *parser) comparison() syntax.Expr {
	x := p.binary(sums)
	if comparisons[p.now.raw] == 0 {
		return x
	}
	op := p.next()
	y := p.binary(sums)
	if strings.HasPrefix(op.raw, "is") && !isConstant(x) && !isConstant(y) {
		beyond(op.pos, "is can compare only with None, True and False here: use == or !=")
	}
	if comparisons[p.now.raw] == 0 {
		return &syntax.BinaryExpr{X: x, OpPos: op.pos, Op: comparisons[op.raw], Y: y}
	}
	args := []syntax.Expr{x, StringAt(op.pos, op.raw), y}
	const unsupported = "this chain of comparisons is not supported: write a < b and b < c"
	for comparisons[p.now.raw] != 0 {
		next := p.next()
		if strings.HasPrefix(next.raw, "is") || strings.Contains(next.raw, "in") || !computes(y) {
			beyond(next.pos, unsupported)
		}
		y = p.binary(sums)
		args = append(args, StringAt(next.pos, next.raw), y)
	}
	if !computes(y) {
		beyond(op.pos, unsupported)
	}
	return Call(op.pos, Chain, args...)
}

// isConstant reports whether an expression is None, True or False, of which there is one each.
func isConstant(e syntax.Expr) bool {
	id, ok := e.(*syntax.Ident)
	return ok && (id.Name == "None" || id.Name == "True" || id.Name == "False")
}

// computes reports whether an expression only looks something up, or computes with numbers.
func computes(e syntax.Expr) bool {
	only := true
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n.(type) {
		case nil, *syntax.Ident, *syntax.Literal, *syntax.ParenExpr, *syntax.UnaryExpr, *syntax.DotExpr, *syntax.IndexExpr, *syntax.BinaryExpr:
		default:
			only = false
		}
		return only
	})
	return only
}

// levels are the binary operators, those that bind least first. Between "and" and "|" stand "not" and comparisons.
var levels = []map[string]syntax.Token{
	{"or": syntax.OR}, {"and": syntax.AND}, nil,
	{"|": syntax.PIPE}, {"^": syntax.CIRCUMFLEX}, {"&": syntax.AMP}, {"<<": syntax.LTLT, ">>": syntax.GTGT},
	{"+": syntax.PLUS, "-": syntax.MINUS}, {"*": syntax.STAR, "/": syntax.SLASH, "//": syntax.SLASHSLASH, "%": syntax.PERCENT, "@": syntax.ILLEGAL},
}

// prefixes are the operators in front of an operand. They, and **, bind more than those of all levels.
var prefixes = map[string]syntax.Token{"+": syntax.PLUS, "-": syntax.MINUS, "~": syntax.TILDE}

// sums is the level of the operands of comparisons.
const sums = 3

// binary reads an expression of the operators of a level, and of those that bind more.
func (p *parser) binary(level int) syntax.Expr {
	switch {
	case level == sums-1 && p.is("not"):
		return &syntax.UnaryExpr{OpPos: p.next().pos, Op: syntax.NOT, X: p.binary(level)}
	case level == sums-1:
		return p.comparison()
	case level == len(levels):
		if op := prefixes[p.now.raw]; op != 0 {
			return &syntax.UnaryExpr{OpPos: p.next().pos, Op: op, X: p.binary(level)}
		}
		x := p.primary()
		if p.is("**") {
			pos := p.next().pos
			return Call(pos, Power, x, p.binary(level))
		}
		return x
	}
	x := p.binary(level + 1)
	for {
		op, ok := levels[level][p.now.raw]
		if !ok {
			return x
		}
		pos := p.next().pos
		if op == syntax.ILLEGAL {
			beyond(pos, "there is no @ operator")
		}
		x = &syntax.BinaryExpr{X: x, OpPos: pos, Op: op, Y: p.binary(level + 1)}
	}
}

// primary reads an operand with what stands behind it: calls, subscripts, attributes.
func (p *parser) primary() syntax.Expr {
	x := p.operand()
	for {
		t := p.now
		switch {
		case p.took("."):
			n := p.now
			if n.kind != name {
				p.unexpected("a name")
			}
			p.next()
			x = &syntax.DotExpr{X: x, Dot: t.pos, NamePos: n.pos, Name: &syntax.Ident{NamePos: n.pos, Name: n.raw}}
		case p.took("("):
			c := &syntax.CallExpr{Fn: x, Lparen: t.pos}
			c.Args = p.arguments()
			c.Rparen = p.want(")").pos
			x = c
		case p.took("["):
			x = p.subscript(x, t.pos)
		default:
			return x
		}
	}
}

// stars are the signs in front of parameters and arguments that stand for several.
var stars = map[string]syntax.Token{"*": syntax.STAR, "**": syntax.STARSTAR}

// arguments reads the arguments of a call. A generator becomes a list.
func (p *parser) arguments() []syntax.Expr {
	var list []syntax.Expr
	for !p.is(")") {
		t := p.now
		switch {
		case p.is("*") || p.is("**"):
			p.next()
			list = append(list, &syntax.UnaryExpr{OpPos: t.pos, Op: stars[t.raw], X: p.test()})
		case t.kind == name && p.list[p.at+1].raw == "=" && p.list[p.at+1].kind == sign:
			id := p.ident()
			pos := p.next().pos
			named := &syntax.BinaryExpr{X: id, OpPos: pos, Op: syntax.EQ, Y: p.test()}
			at := len(list)
			if at > 0 && isStar(list[at-1]) { // Starlark has *x behind name=value
				at--
			}
			list = slices.Insert(list, at, syntax.Expr(named))
		default:
			e := p.test()
			if p.is("for") {
				e = p.comprehension(e, t.pos, false)
			}
			list = append(list, e)
		}
		if !p.took(",") {
			break
		}
	}
	return list
}

// isStar reports whether an argument is *x.
func isStar(e syntax.Expr) bool {
	u, ok := e.(*syntax.UnaryExpr)
	return ok && u.Op == syntax.STAR
}

// subscript reads what stands in brackets behind x.
func (p *parser) subscript(x syntax.Expr, pos syntax.Position) syntax.Expr {
	var list []syntax.Expr
	comma := false
	for !p.is("]") {
		list = append(list, p.key())
		if !p.took(",") {
			break
		}
		comma = true
	}
	closing := p.want("]").pos
	if len(list) == 0 {
		fail(closing, "a value is expected before ]")
	}
	if len(list) == 1 && !comma {
		switch k := list[0].(type) {
		case *syntax.SliceExpr:
			k.X, k.Lbrack, k.Rbrack = x, pos, closing
			return k
		case *syntax.BinaryExpr:
			if Compares[k.Op] && !p.single {
				return Call(pos, Index, x, k) // the elements of an array for which the comparison holds
			}
		}
		return &syntax.IndexExpr{X: x, Lbrack: pos, Y: list[0], Rbrack: closing}
	}
	for i, e := range list {
		if s, ok := e.(*syntax.SliceExpr); ok {
			list[i] = sliceKey(s)
		}
	}
	return Call(pos, Index, x, &syntax.TupleExpr{Lparen: pos, List: list, Rparen: closing})
}

// key reads an index, or a slice.
func (p *parser) key() syntax.Expr {
	if p.is("...") && p.at > 0 && p.list[p.at-1].raw == "[" && p.list[p.at+1].raw == "]" {
		return &syntax.SliceExpr{Lbrack: p.next().pos} // all of it
	}
	if p.is("...") {
		beyond(p.now.pos, "... is not supported in an index: write each dimension as :")
	}
	at := p.now.pos
	var part [3]syntax.Expr
	k := 0
	for {
		if !p.is(":") && !p.is(",") && !p.is("]") {
			part[k] = p.test()
		}
		if k == 2 || !p.took(":") {
			break
		}
		k++
	}
	switch {
	case k > 0:
		return &syntax.SliceExpr{Lbrack: at, Lo: part[0], Hi: part[1], Step: part[2]}
	case part[0] == nil:
		p.unexpected(value)
	}
	return part[0]
}

// Compares are the comparisons that arrays make element by element.
var Compares = map[syntax.Token]bool{syntax.EQL: true, syntax.NEQ: true, syntax.LT: true, syntax.GT: true, syntax.LE: true, syntax.GE: true}

// sliceKey makes the key of a subscript with a colon.
func sliceKey(s *syntax.SliceExpr) syntax.Expr {
	or := func(e syntax.Expr) syntax.Expr {
		if e == nil {
			return &syntax.Ident{NamePos: s.Lbrack, Name: "None"}
		}
		return e
	}
	return Call(s.Lbrack, Slice, or(s.Lo), or(s.Hi), or(s.Step))
}

// operand reads a name, a literal, or what stands in brackets.
func (p *parser) operand() syntax.Expr {
	t := p.now
	switch t.kind {
	case name:
		if keywords[t.raw] {
			p.unexpected(value)
		}
		p.next()
		if p.globals[t.raw] {
			return Field(t.pos, t.raw)
		}
		return &syntax.Ident{NamePos: t.pos, Name: t.raw}
	case number:
		p.next()
		tok := syntax.INT
		if _, ok := t.value.(float64); ok {
			tok = syntax.FLOAT
		}
		return &syntax.Literal{Token: tok, TokenPos: t.pos, Raw: t.raw, Value: t.value}
	case text:
		return p.strings()
	case sign:
		switch t.raw {
		case "(":
			return p.parenthesized()
		case "[":
			return p.display()
		case "{":
			return p.braces()
		case "...":
			beyond(t.pos, "there is no ... value: write pass")
		}
	}
	p.unexpected(value)
	return nil
}

func (p *parser) parenthesized() syntax.Expr {
	open := p.next().pos
	if p.is(")") {
		return &syntax.TupleExpr{Lparen: open, Rparen: p.next().pos}
	}
	x := p.tuple(p.test)
	if p.is("for") {
		x = p.comprehension(x, open, false)
	}
	closing := p.want(")").pos
	if t, ok := x.(*syntax.TupleExpr); ok && !t.Lparen.IsValid() {
		t.Lparen, t.Rparen = open, closing
		return t
	}
	return &syntax.ParenExpr{Lparen: open, X: x, Rparen: closing}
}

func (p *parser) display() syntax.Expr {
	open := p.next().pos
	l := &syntax.ListExpr{Lbrack: open}
	for !p.is("]") {
		e := p.test()
		if p.is("for") && len(l.List) == 0 {
			c := p.comprehension(e, open, false).(*syntax.Comprehension)
			c.Rbrack = p.want("]").pos
			return c
		}
		l.List = append(l.List, e)
		if !p.took(",") {
			break
		}
	}
	l.Rbrack = p.want("]").pos
	return l
}

// braces reads a dict or a set. A set is a call of set.
func (p *parser) braces() syntax.Expr {
	open := p.next().pos
	d := &syntax.DictExpr{Lbrace: open}
	var set []syntax.Expr
	var made syntax.Expr
	for made == nil && !p.is("}") {
		if p.is("**") {
			beyond(p.now.pos, "** is not supported in a dict: use the method update")
		}
		key := p.test()
		if p.is(":") && set == nil {
			e := &syntax.DictEntry{Key: key, Colon: p.next().pos}
			e.Value = p.test()
			if p.is("for") && len(d.List) == 0 {
				made = p.comprehension(e, open, true)
				break
			}
			d.List = append(d.List, e)
		} else {
			if len(d.List) > 0 {
				p.want(":")
			}
			if p.is("for") && set == nil {
				made = setOf(open, p.comprehension(key, open, false))
				break
			}
			set = append(set, key)
		}
		if !p.took(",") {
			break
		}
	}
	closing := p.want("}").pos
	switch c := made.(type) {
	case *syntax.Comprehension:
		c.Rbrack = closing
		return c
	case nil:
	default:
		return c
	}
	if set != nil {
		return setOf(open, &syntax.ListExpr{Lbrack: open, List: set, Rbrack: closing})
	}
	d.Rbrace = closing
	return d
}

func setOf(pos syntax.Position, e syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: "set"}, Lparen: pos, Args: []syntax.Expr{e}, Rparen: pos}
}

// comprehension reads the clauses behind the body.
func (p *parser) comprehension(body syntax.Expr, open syntax.Position, curly bool) syntax.Expr {
	c := &syntax.Comprehension{Curly: curly, Lbrack: open, Body: body, Rbrack: open}
	for {
		switch t := p.now; {
		case p.took("for"):
			f := &syntax.ForClause{For: t.pos}
			f.Vars = p.tuple(p.primary)
			f.In = p.want("in").pos
			f.X = p.binary(0)
			c.Clauses = append(c.Clauses, f)
		case p.took("if"):
			c.Clauses = append(c.Clauses, &syntax.IfClause{If: t.pos, Cond: p.binary(0)})
		default:
			c.Rbrack = t.pos
			return c
		}
	}
}
