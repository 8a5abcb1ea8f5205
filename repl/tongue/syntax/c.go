package syntax

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// parser reads the words of a file or of lines.
type parser struct {
	src     string // of Fortran, whose words are in small letters
	lines   bool   // they are lines of a session, and no file
	list    []token
	i       int
	depth   int              // of blocks
	calls   []string         // whose arguments are read
	types   map[string]*Type // names of types, by typedef
	program *Program
}

// C reads a file of C.
func C(src string) (*Program, error) {
	list, err := preprocess(src)
	if err != nil {
		return nil, err
	}
	p := &parser{list: list, types: typesOfC(), program: &Program{}}
	return p.program, Catch(func() {
		for p.peek().kind != end {
			p.external()
		}
	})
}

func (p *parser) peek() token { return p.list[p.i] }

func (p *parser) ahead(n int) token { return p.list[min(p.i+n, len(p.list)-1)] }

func (p *parser) next() token {
	t := p.list[p.i]
	if t.kind != end {
		p.i++
	}
	return t
}

func (p *parser) accept(text string) bool {
	if p.peek().is(text) {
		p.i++
		return true
	}
	return false
}

func (p *parser) word(text string) bool {
	if t := p.peek(); t.kind == name && t.text == text {
		p.i++
		return true
	}
	return false
}

func (p *parser) want(text string) token {
	t := p.peek()
	if !p.accept(text) {
		p.unexpected(t, text+" is expected before")
	}
	return t
}

func (p *parser) unexpected(t token, what string) {
	if missing, _, ok := strings.Cut(what, " is expected"); ok && p.lines && t.kind == end {
		p.ended(t.Pos, missing+" is missing")
	}
	if t.kind == sign && strings.Contains(")]}", t.text) && !p.closes(t) {
		panic(Wrong(t.Pos, "%s closes nothing: no %s before it is open", t.text, opening[t.text]))
	}
	shown := t.text
	if p.src != "" && t.kind == name {
		line := strings.Split(p.src, "\n")[t.Line-1]
		shown = line[t.Col-1:][:len(t.text)]
	}
	switch t.kind {
	case end:
		shown = "the end of the file"
	case text:
		shown = strconv.Quote(t.text)
	case break_:
		shown = "the end of the line"
	}
	e := Wrong(t.Pos, "%s %s", what, shown)
	if n := len(p.calls); n > 0 {
		e.Call = p.calls[n-1]
	}
	panic(e)
}

var opening = map[string]string{")": "(", "]": "[", "}": "{"}

// closes reports whether a bracket is open that the word closes.
func (p *parser) closes(t token) bool {
	n := 0
	for _, before := range p.list[:slices.IndexFunc(p.list, func(o token) bool { return o == t })] {
		switch {
		case before.is(t.text):
			n--
		case before.is(opening[t.text]):
			n++
		}
	}
	return n > 0
}

// comma reads the comma behind an argument of a call; the closing bracket is left.
func (p *parser) comma() {
	if t := p.peek(); !p.accept(",") && !t.is(")") {
		if t.kind == end {
			p.want(")")
		}
		p.unexpected(t, "a comma or ) is expected before")
	}
}

// ended reports that the text ends too early.
func (p *parser) ended(at Pos, message string) {
	panic(&Error{Pos: at, Message: message, Ended: true})
}

func (p *parser) name() token {
	t := p.next()
	if t.kind != name {
		p.unexpected(t, "a name is expected, not")
	}
	return t
}

// basic has the kinds of C's types by their words.
var basic = map[string]Kind{
	"void": Void, "char": Char, "short": Short, "int": Int, "long": Long, "float": Float, "double": Double, "bool": Int, "_Bool": Int,
	"size_t": ULong, "ssize_t": Long, "MPI_Aint": Long, "MPI_Count": Long, "MPI_Offset": Long, "MPI_Fint": Int, "time_t": Long,
	"clock_t": Long, "int8_t": Char, "int16_t": Short, "int32_t": Int, "int64_t": Long, "uint8_t": UChar, "uint16_t": UShort, "uint32_t": UInt,
	"uint64_t": ULong, "intptr_t": Long, "unsigned": UInt, "signed": Int,
}

var handles = strings.Fields("MPI_Comm MPI_Group MPI_Info MPI_Session MPI_Request MPI_Message MPI_Status MPI_Errhandler MPI_Op MPI_Datatype")

// notTypes has words of C with which something begins that is not supported.
var notTypes = map[string]string{
	"union": "a union", "FILE": "a file", "class": "a class of C++", "template": "a template of C++",
	"namespace": "a namespace of C++", "using": "a namespace of C++", "goto": "goto", "MPI_File": "a file of MPI", "MPI_Win": "a window",
	"complex": "a complex number", "_Complex": "a complex number", "std": "C++",
}

// beginsType reports whether a declaration or a cast may begin with a word.
func (p *parser) beginsType(t token) bool {
	behind := p.ahead(1)
	if behind == t { // it is not the next word
		behind = p.ahead(2)
	}
	if t.kind != name || t.text == "class" && behind.kind != name { // a variable of C
		return false
	}
	_, isBasic := basic[t.text]
	return isBasic || p.types[t.text] != nil || slices.Contains(handles, t.text) || notTypes[t.text] != "" ||
		slices.Contains([]string{"const", "constexpr", "static", "register", "inline", "enum", "typedef", "restrict", "extern", "volatile", "struct"}, t.text)
}

// base reads the words of a type, up to the first name that has it.
func (p *parser) base() (t *Type, static, constant bool) {
	var words []string
	for {
		w := p.peek()
		switch {
		case w.kind == name && notTypes[w.text] != "" && !(w.text == "class" && (t != nil || len(words) > 0)): // int class is of C
			panic(Beyond(w.Pos, "%s is not supported here", notTypes[w.text]))
		case p.word("const"), p.word("constexpr"):
			constant = true
		case p.word("static"):
			static = true
		case p.word("register"), p.word("inline"), p.word("restrict"), p.word("extern"), p.word("volatile"):
		case w.kind == name && w.text == "enum" && t == nil:
			t = p.enum()
		case w.kind == name && w.text == "struct" && t == nil:
			t = p.record()
		case w.kind == name && basic[w.text] != Void && t == nil, w.kind == name && w.text == "void" && t == nil:
			words = append(words, p.next().text)
		case w.kind == name && len(words) == 0 && t == nil && slices.Contains(handles, w.text):
			t = &Type{Kind: Handle, Name: p.next().text}
		case w.kind == name && len(words) == 0 && t == nil && p.types[w.text] != nil:
			t = p.types[p.next().text]
		default:
			if t == nil {
				t = p.combined(w, words)
			}
			return t, static, constant
		}
	}
}

// combined returns the type that words make together, such as "unsigned long int".
func (p *parser) combined(at token, words []string) *Type {
	if len(words) == 0 {
		p.unexpected(at, "a type is expected before")
	}
	k := Int
	for _, w := range words {
		if w != "int" && w != "unsigned" && w != "signed" && basic[w] != k {
			k = basic[w]
		}
	}
	if slices.Contains(words, "long") && slices.Contains(words, "double") {
		k = Double
	}
	if slices.Contains(words, "unsigned") && k <= Long && (k-Char)%2 == 0 {
		k++
	}
	t := &Type{Kind: k}
	if slices.Contains(words, "bool") || slices.Contains(words, "_Bool") {
		t.Name = "bool"
	}
	return t
}

// enum reads an enumeration, whose names are constants.
func (p *parser) enum() *Type {
	p.next()
	if p.peek().kind == name {
		p.types["enum "+p.next().text] = &Type{Kind: Int}
	}
	t := &Type{Kind: Int}
	if !p.accept("{") {
		return t
	}
	var before Expr = &Number{Type: t, Int: -1}
	p.listed("}", func() {
		n := p.name()
		v := &Var{Pos: n.Pos, Name: n.text, Type: t, Constant: true}
		if p.accept("=") {
			v.Init = p.assignment()
		} else {
			v.Init = &Binary{n.Pos, "+", before, &Number{Pos: n.Pos, Type: t, Int: 1}}
		}
		before = &Ident{n.Pos, n.text}
		p.program.Globals = append(p.program.Globals, v)
	})
	return t
}

// listed reads what stands between commas, up to a closing sign. A comma may stand before it.
func (p *parser) listed(closing string, one func()) {
	for !p.accept(closing) {
		if one(); !p.accept(",") && !p.peek().is(closing) {
			p.want(closing)
		}
	}
}

// typesOfC has the structures of the system's headers, and MPI's types of functions.
func typesOfC() map[string]*Type {
	record := func(tag string, fields ...string) *Type {
		t := &Type{Kind: Record, Name: tag}
		for _, f := range fields {
			t.Fields = append(t.Fields, &Var{Name: f, Type: &Type{Kind: Long}})
		}
		return t
	}
	types := map[string]*Type{"struct timeval": record("timeval", "tv_sec", "tv_usec"), "struct timespec": record("timespec", "tv_sec", "tv_nsec"),
		"struct timezone": record("timezone", "tz_minuteswest", "tz_dsttime")}
	for n := range strings.FieldsSeq("MPI_User_function MPI_Comm_copy_attr_function MPI_Comm_delete_attr_function " +
		"MPI_Comm_errhandler_function MPI_Comm_errhandler_fn MPI_Copy_function MPI_Delete_function MPI_Handler_function") {
		types[n] = &Type{Kind: Function, Elem: &Type{Kind: Int}}
	}
	return types
}

// record reads a structure, or the name of one.
func (p *parser) record() *Type {
	at := p.next()
	if p.lines {
		panic(Beyond(at.Pos, "a structure is not supported here"))
	}
	t := &Type{Kind: Record}
	if p.peek().kind == name {
		t.Name = p.next().text
		if old := p.types["struct "+t.Name]; old != nil && (old.Fields == nil || !p.peek().is("{")) {
			t = old
		}
		p.types["struct "+t.Name] = t
	}
	if !p.accept("{") {
		return t
	}
	for !p.accept("}") {
		of, _, _ := p.base()
		p.listed(";", func() {
			n, of := p.declarator(of)
			if n.text == "" || p.peek().is(":") {
				p.unexpected(p.peek(), "a field with a name, and ; behind it, is expected before")
			}
			t.Fields = append(t.Fields, &Var{Pos: n.Pos, Name: n.text, Type: of})
		})
	}
	return t
}

// declarator reads "*name[4]" behind a type. The name may be missing for a parameter, and is in a cast.
func (p *parser) declarator(t *Type) (token, *Type) {
	for p.accept("*") {
		if t.Kind != Function { // a pointer to a function and the function itself are one
			t = &Type{Kind: Pointer, Elem: t}
		}
		for p.word("const") || p.word("restrict") {
		}
	}
	var n token
	if p.peek().is("(") && p.ahead(1).is("*") && (p.ahead(2).kind == name && p.ahead(3).is(")") || p.ahead(2).is(")")) { // (*f)(int)
		p.i += 2
		if p.peek().kind == name {
			n = p.next()
		}
		p.want(")")
		if p.peek().is("[") {
			panic(Beyond(p.peek().Pos, "a pointer to arrays is not supported here"))
		}
		p.want("(")
		p.parameters()
		return n, &Type{Kind: Function, Elem: t}
	}
	if p.peek().kind == name {
		n = p.next()
	}
	return n, p.lengths(t)
}

func (p *parser) lengths(t *Type) *Type {
	if !p.accept("[") {
		return t
	}
	a := &Type{Kind: Array}
	if !p.peek().is("]") {
		a.Len = p.assignment()
	}
	p.want("]")
	a.Elem = p.lengths(t)
	return a
}

// parameters reads the parameters of a function, behind the opening bracket.
func (p *parser) parameters() []*Var {
	var list []*Var
	if p.peek().text == "void" && p.ahead(1).is(")") {
		p.i += 2
		return nil
	}
	if t, n := p.peek(), p.ahead(1); t.kind == name && !p.beginsType(t) && (n.is(",") || n.is(")")) {
		return p.old()
	}
	for !p.accept(")") {
		if len(list) > 0 {
			p.want(",")
		}
		if len(list) > 0 && p.accept("...") { // of an error handler, which gets none there
			p.want(")")
			break
		}
		t, _, _ := p.base()
		n, t := p.declarator(t)
		list = append(list, &Var{Pos: n.Pos, Name: n.text, Type: asParameter(t)})
	}
	return list
}

// asParameter returns the type of a parameter that is declared with a type.
func asParameter(t *Type) *Type {
	if t.Kind == Array {
		return &Type{Kind: Pointer, Elem: t.Elem}
	}
	return t
}

// old reads the names of parameters and, behind the bracket, their declarations, as C had them before C23: f(a, b) int a;
// char *b; { }. What nothing declares is an int.
func (p *parser) old() (list []*Var) {
	for more := true; more; more = p.accept(",") {
		n := p.name()
		list = append(list, &Var{Pos: n.Pos, Name: n.text, Type: &Type{Kind: Int}})
	}
	p.want(")")
	for t := p.peek(); t.kind == name; t = p.peek() {
		for _, d := range p.declaration(false).Vars {
			i := slices.IndexFunc(list, func(v *Var) bool { return v.Name == d.Name })
			if i < 0 {
				panic(Wrong(d.Pos, "%s is not a parameter", d.Name))
			}
			list[i].Type = asParameter(d.Type)
		}
	}
	return list
}

// external reads a function or global variables.
func (p *parser) external() {
	if p.accept(";") {
		return
	}
	first := p.peek()
	if !p.beginsType(first) {
		if first.kind == name && p.ahead(1).is("(") { // main() of old
			p.list = slices.Insert(p.list, p.i, token{kind: name, text: "int", Pos: first.Pos})
		} else {
			p.unexpected(first, "a declaration or a function is expected, not")
		}
	}
	p.program.Globals = append(p.program.Globals, p.declaration(true).Vars...)
}

// function reads a function behind its name and opening bracket, and reports whether it has a body.
func (p *parser) function(n token, result *Type, outside bool) bool {
	f := &Func{Pos: n.Pos, Name: n.text, Result: result, Params: p.parameters()}
	if outside {
		if p.peek().is("{") {
			f.Body = p.block()
		} else if !p.peek().is(";") && !p.peek().is(",") {
			p.unexpected(p.peek(), "{ is expected before")
		}
		p.program.Funcs = append(p.program.Funcs, f)
	}
	return f.Body != nil
}

func (p *parser) block() *Block {
	b := &Block{Pos: p.want("{").Pos}
	p.depth++
	defer func() { p.depth-- }()
	for !p.accept("}") {
		if p.peek().kind == end {
			p.ended(b.Pos, "{ is not closed")
		}
		b.List = append(b.List, p.statement())
	}
	return b
}

var reserved = strings.Fields("break case continue default do else for goto if return sizeof switch while")

// declaration reads variables up to the semicolon; outside functions also a function.
func (p *parser) declaration(outside bool) *Declare {
	d := &Declare{Pos: p.peek().Pos}
	if p.word("typedef") {
		t, _, _ := p.base()
		for {
			n, of := p.declarator(t)
			p.types[n.text] = of
			if !p.accept(",") {
				break
			}
		}
		p.want(";")
		return d
	}
	t, static, constant := p.base()
	for more := false; !p.ends(); more = true {
		if t := p.peek(); more && !p.accept(",") {
			if t.kind == end {
				p.want(";")
			}
			p.unexpected(t, "; or , is expected before")
		}
		n, full := p.declarator(t)
		if n.text == "" {
			p.unexpected(p.peek(), "a name is expected behind "+p.list[p.i-1].text+", not")
		}
		if slices.Contains(reserved, n.text) {
			panic(Wrong(n.Pos, "%s is a word of C, which a variable cannot have as its name", n.text))
		}
		if p.peek().is("(") && full.Kind != Function {
			switch p.next(); {
			case p.lines:
				panic(Beyond(d.Pos, "functions are not allowed here"))
			case p.function(n, full, outside):
				return d
			}
			continue
		}
		v := &Var{Pos: n.Pos, Name: n.text, Type: full, Static: static, Constant: constant}
		if p.accept("=") {
			v.Init = p.initial()
		}
		d.Vars = append(d.Vars, v)
	}
	return d
}

// initial reads the initial value behind the = of a declaration.
func (p *parser) initial() Expr {
	if !p.peek().is("{") {
		return p.assignment()
	}
	l := &List{Pos: p.next().Pos}
	p.listed("}", func() {
		if t := p.peek(); t.is("[") {
			panic(Beyond(t.Pos, "values for chosen entries are not supported here"))
		}
		if p.accept(".") {
			l.Names = append(l.Names, p.name().text)
			p.want("=")
		}
		l.Items = append(l.Items, p.initial())
	})
	return l
}

func (p *parser) statement() Stmt {
	t := p.peek()
	switch {
	case t.is("{"):
		return p.block()
	case p.accept(";"):
		return &Block{Pos: t.Pos}
	case t.kind == name && p.ahead(1).is(":") && !slices.Contains([]string{"default", "case", "std"}, t.text):
		panic(Beyond(t.Pos, "a label is not supported here"))
	case t.kind == name && p.beginsType(t):
		return p.declaration(false)
	case t.kind == name:
		if s := p.keyword(t); s != nil {
			return s
		}
		if p.ahead(1).kind == name {
			panic(Beyond(t.Pos, "the type %s is unknown", t.text))
		}
	}
	x := p.expression()
	if !p.ends() {
		p.want(";")
	}
	return &Do{t.Pos, x}
}

// ends reads the semicolon of a statement, which the last statement of lines may lack; false: it is missing.
func (p *parser) ends() bool {
	return p.accept(";") || p.lines && p.depth == 0 && p.peek().kind == end
}

// condition reads an expression in brackets.
func (p *parser) condition() Expr {
	if t := p.peek(); !p.accept("(") {
		p.unexpected(t, "a condition stands in brackets: ( is expected before")
	}
	x := p.expression()
	p.want(")")
	return x
}

// keyword reads a statement that begins with a word of C; nil for other statements.
func (p *parser) keyword(t token) Stmt {
	switch t.text {
	case "if":
		p.next()
		s := &If{Pos: t.Pos, Cond: p.condition(), Then: p.statement()}
		if p.word("else") {
			s.Else = p.statement()
		}
		return s
	case "while":
		p.next()
		return &Loop{Pos: t.Pos, Cond: p.condition(), Body: p.statement()}
	case "do":
		p.next()
		s := &Loop{Pos: t.Pos, Body: p.statement(), After: true}
		if !p.word("while") {
			p.unexpected(p.peek(), "while is expected before")
		}
		s.Cond = p.condition()
		p.want(";")
		return s
	case "for":
		return p.loop(p.next())
	case "switch":
		return p.choice(p.next())
	case "break", "continue":
		p.next()
		p.want(";")
		return &Jump{Pos: t.Pos, Next: t.text == "continue"}
	case "return":
		s := &Return{Pos: p.next().Pos}
		if !p.peek().is(";") {
			s.X = p.expression()
		}
		p.want(";")
		return s
	case "else":
		panic(Wrong(t.Pos, "else belongs to no if"))
	case "case", "default":
		panic(Wrong(t.Pos, "%s belongs to no switch", t.text))
	case "then":
		panic(Wrong(t.Pos, "then is a word of Fortran: in C a statement follows the condition, or { and statements"))
	}
	return nil
}

func (p *parser) loop(t token) Stmt {
	s := &Loop{Pos: t.Pos}
	p.want("(")
	switch {
	case p.accept(";"):
	case p.beginsType(p.peek()):
		s.Init = p.declaration(false)
	default:
		x := p.expression()
		s.Init = &Do{x.At(), x}
		p.want(";")
	}
	if !p.peek().is(";") {
		s.Cond = p.expression()
	}
	if t := p.peek(); !p.accept(";") {
		if t.kind == end {
			p.want(";")
		}
		p.unexpected(t, "for has three parts, as in for (int i = 0; i < 4; i++): ; is expected before")
	}
	if !p.peek().is(")") {
		s.Post = p.expression()
	}
	p.want(")")
	s.Body = p.statement()
	return &Block{t.Pos, []Stmt{s}}
}

func (p *parser) choice(t token) Stmt {
	s := &Switch{Pos: t.Pos, X: p.condition(), Falls: true}
	p.want("{")
	for !p.accept("}") {
		c := Case{Pos: p.peek().Pos}
		switch w := p.next(); w.text {
		case "case":
			c.Values = []Expr{p.conditional()}
		case "default":
		default:
			p.unexpected(w, "case is expected before")
		}
		p.want(":")
		for t := p.peek(); !t.is("}") && t.text != "case" && t.text != "default"; t = p.peek() {
			c.Body = append(c.Body, p.statement())
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// expression reads an expression, commas included.
func (p *parser) expression() Expr {
	x := p.assignment()
	for p.peek().is(",") {
		at := p.next()
		x = &Binary{at.Pos, ",", x, p.assignment()}
	}
	return x
}

func (p *parser) assignment() Expr {
	x := p.conditional()
	t := p.peek()
	if t.kind == sign && strings.HasSuffix(t.text, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, t.text) {
		p.next()
		return &Assign{t.Pos, strings.TrimSuffix(t.text, "="), x, p.assignment()}
	}
	return x
}

func (p *parser) conditional() Expr {
	x := p.binary(0)
	if t := p.peek(); p.accept("?") {
		yes := p.expression()
		p.want(":")
		return &Cond{t.Pos, x, yes, p.conditional()}
	}
	return x
}

// levels lists C's binary operators, those that bind least first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (p *parser) binary(level int) Expr {
	if level == len(levels) {
		return p.unary()
	}
	next := func() Expr { return p.binary(level + 1) }
	return p.operators(next(), levels[level], next)
}

// operators reads the operators of a level behind their first operand. next reads each further operand.
func (p *parser) operators(x Expr, level []string, next func() Expr) Expr {
	for t := p.peek(); t.kind == sign && slices.Contains(level, t.text); t = p.peek() {
		p.next()
		x = &Binary{t.Pos, cmp.Or(inTree[t.text], t.text), x, next()}
	}
	return x
}

func (p *parser) unary() Expr {
	t := p.peek()
	switch {
	case t.is("-"), t.is("+"), t.is("!"), t.is("~"), t.is("&"), t.is("*"):
		p.next()
		return &Unary{t.Pos, t.text, p.unary()}
	case t.is("++"), t.is("--"):
		p.next()
		return &Step{Pos: t.Pos, By: map[string]int64{"++": 1, "--": -1}[t.text], X: p.unary()}
	case t.kind == name && t.text == "sizeof":
		p.next()
		if p.peek().is("(") && p.beginsType(p.ahead(1)) {
			p.next()
			s := &Sizeof{Pos: t.Pos, Type: p.typeName()}
			p.want(")")
			return s
		}
		return &Sizeof{Pos: t.Pos, X: p.unary()}
	case t.is("(") && p.beginsType(p.ahead(1)):
		p.next()
		of := p.typeName()
		p.want(")")
		if p.peek().is("{") {
			l := p.initial()
			return &Cast{t.Pos, of, l}
		}
		return &Cast{t.Pos, of, p.unary()}
	}
	return p.postfix(p.primary())
}

func (p *parser) typeName() *Type {
	t, _, _ := p.base()
	_, t = p.declarator(t)
	return t
}

func (p *parser) primary() Expr {
	t := p.next()
	switch {
	case t.kind == name:
		if what := notTypes[t.text]; what != "" && t.text != "class" {
			panic(Beyond(t.Pos, "%s is not supported here", what))
		}
		return &Ident{t.Pos, t.text}
	case t.kind == number:
		return p.number(t)
	case t.kind == char:
		if len(t.text) != 1 {
			panic(Wrong(t.Pos, "one character stands between single quotes: a text has double quotes"))
		}
		return &Number{Pos: t.Pos, Type: &Type{Kind: Int}, Int: int64(int8(t.text[0]))}
	case t.kind == text:
		s := &String{t.Pos, t.text}
		for p.peek().kind == text || p.peek().kind == name && strings.HasPrefix(p.peek().text, "PRI") {
			if n := p.next(); n.kind == name {
				s.Value += strings.ToLower(strings.TrimPrefix(n.text, "PRI"))[:1]
			} else {
				s.Value += n.text
			}
		}
		return s
	case t.is("("):
		x := p.expression()
		p.want(")")
		return x
	}
	p.unexpected(t, "an expression is expected before")
	return nil
}

func (p *parser) number(t token) Expr {
	text := strings.ToLower(t.text)
	hex := strings.HasPrefix(text, "0x")
	if !hex && strings.ContainsAny(text, ".e") {
		k := Double
		if strings.HasSuffix(text, "f") {
			k = Float
		}
		v, err := strconv.ParseFloat(strings.TrimRight(text, "fl"), 64)
		if err != nil && v == 0 {
			panic(Wrong(t.Pos, "%s is not a number", t.text))
		}
		return &Number{Pos: t.Pos, Type: &Type{Kind: k}, Real: v}
	}
	digits := strings.TrimRight(text, "ul")
	suffix := text[len(digits):]
	v, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		panic(Wrong(t.Pos, "%s is not a number", t.text))
	}
	k := Int
	if strings.Contains(suffix, "l") || v > 1<<31-1 {
		k = Long
	}
	if strings.Contains(suffix, "u") {
		k++
	}
	return &Number{Pos: t.Pos, Type: &Type{Kind: k}, Int: int64(v)}
}

func (p *parser) postfix(x Expr) Expr {
	for {
		t := p.peek()
		switch {
		case p.accept("["):
			x = &Index{t.Pos, x, p.expression()}
			p.want("]")
		case p.accept("("):
			x = p.called(x)
		case p.accept("."), p.accept("->"):
			x = &Member{t.Pos, x, p.name().text}
		case t.is("++"), t.is("--"):
			p.next()
			x = &Step{Pos: t.Pos, By: map[string]int64{"++": 1, "--": -1}[t.text], Post: true, X: x}
		default:
			return x
		}
	}
}

// called reads what stands behind the opening bracket of a call.
func (p *parser) called(fn Expr) Expr {
	p.calls = append(p.calls, named(fn))
	defer func() { p.calls = p.calls[:len(p.calls)-1] }()
	if named(fn) == "offsetof" {
		s := &Sizeof{Pos: fn.At(), Type: p.typeName()}
		p.want(",")
		s.Field = p.name().text
		p.want(")")
		return s
	}
	c := &Call{Pos: fn.At(), Fn: fn}
	for c.End = p.peek().Pos; !p.accept(")"); c.End = p.peek().Pos {
		if len(c.Args) > 0 {
			p.comma()
		}
		if p.beginsType(p.peek()) { // of a macro such as va_arg, or sizeof without its word
			p.unexpected(p.peek(), "an expression is expected before")
		}
		c.Begins = append(c.Begins, p.peek().Pos)
		c.Args = append(c.Args, p.assignment())
	}
	return c
}

// named returns the name of a called function; "" for a function without a name.
func named(x Expr) string {
	if id, ok := x.(*Ident); ok {
		return id.Name
	}
	return ""
}
