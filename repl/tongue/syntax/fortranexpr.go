package syntax

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// precedences lists the operators between two operands, those that bind least first, and where .not. stands.
var precedences = [][]string{{".eqv.", ".neqv."}, {".or."}, {".and."}, nil, // .not.
	{"==", "/=", "<", "<=", ">", ">=", ".eq.", ".ne.", ".lt.", ".le.", ".gt.", ".ge."}, {"//"}, {"+", "-"}, {"*", "/"}}

// inTree has the names of operators in the tree that differ from those in Fortran.
var inTree = map[string]string{".eqv.": "==", ".neqv.": "!=", ".or.": "||", ".and.": "&&", "/=": "!=", ".eq.": "==", ".ne.": "!=",
	".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">="}

func (p *fortran) expr() Expr { return p.level(0) }

func (p *fortran) level(k int) Expr {
	if k == len(precedences) {
		return p.power()
	}
	t, here := p.peek(), precedences[k]
	next := func() Expr { return p.level(k + 1) }
	switch {
	case here == nil && p.accept(".not."):
		return &Unary{t.Pos, "!", p.level(k)}
	case slices.Contains(here, "+") && (p.accept("-") || p.accept("+")):
		return p.operators(&Unary{t.Pos, t.text, next()}, here, next)
	}
	return p.operators(next(), here, next)
}

func (p *fortran) power() Expr {
	x := p.primary()
	if t := p.peek(); p.accept("**") {
		if s := p.peek(); p.accept("-") {
			return &Binary{t.Pos, "**", x, &Unary{s.Pos, "-", p.power()}}
		}
		return &Binary{t.Pos, "**", x, p.power()}
	}
	return x
}

func (p *fortran) own(at Pos, name string, args ...Expr) Expr {
	return &Call{Pos: at, Fn: &Ident{at, name}, Args: args}
}

func (p *fortran) primary() Expr {
	t := p.next()
	switch {
	case t.kind == number:
		return p.number(t)
	case t.kind == text:
		return &String{t.Pos, t.text}
	case t.is(".true."), t.is(".false."):
		return &Number{Pos: t.Pos, Type: &Type{Kind: Logical}, Int: map[string]int64{".true.": 1}[t.text]}
	case t.is("(/"), t.is("["):
		return p.constructor(t)
	case t.is("("):
		x := p.expr()
		p.want(")")
		return x
	case t.kind == name:
		return p.designator(t)
	}
	p.unexpected(t, "an expression is expected before")
	return nil
}

func (p *fortran) constructor(t token) Expr {
	l := &List{Pos: t.Pos}
	last := map[string]string{"(/": "/)", "[": "]"}[t.text]
	for {
		l.Items = append(l.Items, p.item())
		if !p.accept(",") {
			p.want(last)
			return l
		}
	}
}

func (p *fortran) number(t token) Expr {
	digits, kind, typed := strings.Cut(strings.ToLower(t.text), "_")
	size := int64(4)
	if typed {
		if n, err := strconv.ParseInt(kind, 10, 64); err == nil {
			size = n
		} else if size = p.kinds[kind]; size == 0 {
			panic(Wrong(t.Pos, "%s names no kind", kind))
		}
	}
	if !strings.ContainsAny(digits, ".ed") {
		v, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || size == 4 && v > 1<<31 {
			panic(Wrong(t.Pos, "%s is too large for an integer", t.text))
		}
		return &Number{Pos: t.Pos, Type: &Type{Kind: map[bool]Kind{true: Long, false: Int}[size == 8]}, Int: v}
	}
	v, err := strconv.ParseFloat(strings.Replace(digits, "d", "e", 1), 64)
	if err != nil {
		panic(Wrong(t.Pos, "%s is not a number", t.text))
	}
	k := Float
	if size == 8 || strings.Contains(digits, "d") {
		k = Double
	}
	return &Number{Pos: t.Pos, Type: &Type{Kind: k}, Real: v}
}

// designator reads an expression that begins with a name: a variable, an entry, a section, a part of a text, or a
// call.
func (p *fortran) designator(t token) Expr {
	if p.inlined(t) {
		return p.primary()
	}
	e := p.find(t.text)
	if e != nil && e == p.vars[t.text] && e.dims == nil && !e.dummy && e.t.Kind != Text && p.peek().is("(") && !p.lines {
		p.decls = slices.DeleteFunc(p.decls, func(v *Var) bool { return v.Name == t.text })
		delete(p.vars, t.text) // the declaration told the type of a function
		e = nil
	}
	if e == nil {
		if p.peek().is("(") {
			c := p.arguments(t)
			if p.lines {
				return c
			}
			return p.invoked(t, c.Args)
		}
		if k := p.kinds[t.text]; k != 0 {
			return &Number{Pos: t.Pos, Type: &Type{Kind: Int}, Int: k}
		}
		if e = p.undeclared(t); e == nil {
			return &Ident{t.Pos, t.text}
		}
	}
	x := p.whole(e, t.Pos)
	if e.dims != nil && p.peek().is("(") {
		x = p.entry(e, t.Pos)
	}
	if e.t.Kind == Text && p.peek().is("(") {
		if p.ranged(x) != nil {
			panic(Beyond(t.Pos, "parts of the elements of a character array are not supported here"))
		}
		r := p.subscript(nil, nil)
		if r.Low == nil {
			r.Low = p.int(1)
		}
		if r.High == nil {
			r.High = p.own(t.Pos, "len", x)
		}
		p.want(")")
		return p.own(t.Pos, "%part", x, r.Low, r.High)
	}
	for p.accept("%") {
		m := p.name()
		x = &Member{m.Pos, x, strings.ToUpper(m.text)}
	}
	return x
}

// subscript reads "(low:high:step", or the same behind a comma. The closing bracket is left.
func (p *fortran) subscript(low, high Expr) *Range {
	p.next()
	r := &Range{Pos: p.peek().Pos, Low: low, High: high}
	if !p.peek().is(":") {
		r.Low = p.expr()
	}
	if !p.accept(":") {
		r.High = nil
		return r
	}
	if r.Step = p.int(1); !p.peek().is(")") && !p.peek().is(",") && !p.peek().is(":") {
		r.High = p.expr()
	}
	if p.accept(":") {
		r.Step = p.expr()
	}
	return r
}

// entry reads an entry of an array, or a section of it.
func (p *fortran) entry(e *entity, at Pos) Expr {
	offset, each := p.int(0), p.int(1)
	var s *section
	wholes, ranges, before := 0, 0, true
	for k, d := range e.dims {
		last := p.plus(d.low, p.minus(d.n0(), p.int(1)))
		if p.peek().is(")") {
			break
		}
		r := p.subscript(d.low, last)
		if r.Step != nil {
			whole := r.Low == d.low && r.High == last
			if ranges++; ranges == 1 {
				s = &section{Pos: at, of: e, step: p.times(r.Step, each)}
				s.n = p.plus(p.minus(r.High, r.Low), p.int(1))
				if !isInt(r.Step, 1) {
					s.n = &Binary{at, "/", p.plus(p.minus(r.High, r.Low), r.Step), r.Step}
				} else if whole {
					s.n = d.n0()
				}
			} else if !before {
				panic(Beyond(at, "this section of an array is not supported here"))
			} else { // the ranges before are whole: the rows follow each other
				if !isInt(r.Step, 1) {
					panic(Beyond(at, "this section of an array is not supported here"))
				}
				s.n = p.times(s.n, p.plus(p.minus(r.High, r.Low), p.int(1)))
			}
			if whole {
				wholes++
			}
			before = before && whole && wholes == k+1
		}
		offset = p.plus(offset, p.times(each, p.minus(r.Low, d.low)))
		each = p.times(each, d.n0())
	}
	p.want(")")
	if wholes == len(e.dims) {
		return p.whole(e, at)
	}
	if s != nil {
		s.at = offset
		return s
	}
	return &Index{at, &Ident{at, e.name}, offset}
}

// n0 returns how many entries a dimension has. The last dimension of (*) has no number, and nobody asks for it.
func (d extent) n0() Expr {
	if d.n == nil {
		return &Number{Type: &Type{Kind: Int}}
	}
	return d.n
}

// arguments reads (a, b, name=c) behind the name of a procedure.
func (p *fortran) arguments(t token) *Call {
	c := &Call{Pos: t.Pos, Fn: &Ident{t.Pos, t.text}}
	p.want("(")
	p.calls = append(p.calls, t.text)
	for c.End = p.peek().Pos; !p.accept(")"); c.End = p.peek().Pos {
		if p.peek().kind == name && p.ahead(1).is("=") {
			if n := p.peek(); n.text != "kind" && n.text != "ierror" && n.text != "ierr" && n.text != "dim" && n.text != "shape" {
				panic(Beyond(n.Pos, "%s= among arguments is not supported here", n.text))
			}
			p.i += 2
		}
		c.Begins = append(c.Begins, p.peek().Pos)
		c.Args = append(c.Args, p.expr())
		p.comma()
	}
	p.calls = p.calls[:len(p.calls)-1]
	return c
}

// folds lists the intrinsic functions that compute one value from the entries of an array.
var folds = strings.Fields("sum product maxval minval any all count")

var elementals = strings.Fields("abs mod modulo min max sqrt sin cos tan asin acos atan atan2 exp log log10 sinh cosh tanh nint floor ceiling " +
	"trim len len_trim adjustl mpi_wtime mpi_wtick command_argument_count merge sign")

// specific has the names that Fortran 77 has for functions of one type, and the functions of later Fortran.
var specific = map[string]string{
	"alog": "log", "alog10": "log10", "dlog": "log", "dlog10": "log10", "dsqrt": "sqrt", "dexp": "exp", "dsin": "sin", "dcos": "cos", "dtan": "tan",
	"dasin": "asin", "dacos": "acos", "datan": "atan", "datan2": "atan2", "dsinh": "sinh", "dcosh": "cosh", "dtanh": "tanh", "dabs": "abs", "iabs": "abs", "amod": "mod",
	"dmod": "mod", "max0": "max", "min0": "min", "amax1": "max", "amin1": "min", "dmax1": "max", "dmin1": "min", "ifix": "int", "idint": "int",
	"dfloat": "dble", "sngl": "real", "idnint": "nint", "iargc": "command_argument_count",
}

// invoked returns the call of a function.
func (p *fortran) invoked(t token, args []Expr) Expr {
	if now := specific[t.text]; now != "" && p.dummys[t.text] == nil {
		t.text = now
	}
	one := func() Expr {
		if len(args) == 0 {
			panic(Wrong(t.Pos, "%s wants an argument", t.text))
		}
		return args[0]
	}
	call := &Call{Pos: t.Pos, Fn: &Ident{t.Pos, t.text}, Args: args}
	cast := func(size int64, kinds map[int64]Kind) Expr {
		x := one()
		if len(args) > 1 {
			size = p.kindOf(args[1])
		}
		return &Cast{t.Pos, &Type{Kind: kinds[size]}, x}
	}
	switch {
	case p.dummys[t.text] != nil:
	case t.text == "int":
		return cast(4, integerKinds)
	case t.text == "real" || t.text == "float":
		return cast(4, realKinds)
	case t.text == "dble":
		return cast(8, realKinds)
	case t.text == "size" || t.text == "lbound" || t.text == "ubound":
		return p.sizeOf(t, args)
	case t.text == "null":
		return call
	case t.text == "allocated" || t.text == "associated":
		if s, ok := one().(*section); ok {
			return &Binary{t.Pos, "!=", &Ident{t.Pos, s.of.name}, &Ident{t.Pos, "NULL"}}
		}
	case t.text == "kind" || strings.HasPrefix(t.text, "selected_"):
		return p.int(p.kindOf(call))
	case t.text == "storage_size":
		return p.bits(one())
	case t.text == "reshape":
		return p.reshaped(t, args)
	case slices.Contains(folds, t.text):
		s := p.ranged(one())
		if s == nil || len(args) > 1 {
			panic(Beyond(t.Pos, "%s of this is not supported here", t.text))
		}
		return p.own(t.Pos, "%"+t.text, p.implied(args[0], s))
	case slices.Contains(elementals, t.text):
		return call
	}
	p.pass(call)
	return call
}

// reshaped returns the entries of reshape(entries, shape), in their order, which is that of the array that gets them:
// column by column. It keeps the shape, to which that array must conform.
func (p *fortran) reshaped(t token, args []Expr) Expr {
	var x Expr
	if len(args) == 2 {
		x = args[0]
	}
	switch x.(type) {
	case *List, *section:
		if shape, ok := args[1].(*List); ok {
			p.shapes[x] = shape
		}
		return x
	}
	panic(Beyond(t.Pos, "reshape of this is not supported here"))
}

// bits returns how many bits an entry of an array, or another number, takes.
func (p *fortran) bits(x Expr) Expr {
	of := &Sizeof{Pos: x.At(), X: x}
	if s, ok := x.(*section); ok {
		of = &Sizeof{Pos: x.At(), Type: s.of.t}
	}
	if e := p.entityOf(x); e != nil && e.t.Kind == Text || of.Type != nil && of.Type.Kind == Text {
		panic(Beyond(x.At(), "storage_size of a text is not supported here"))
	}
	return &Cast{x.At(), &Type{Kind: Int}, p.times(p.int(8), of)}
}

func (p *fortran) sizeOf(t token, args []Expr) Expr {
	var s *section
	if len(args) > 0 {
		s, _ = args[0].(*section)
	}
	if s == nil {
		panic(Wrong(t.Pos, "%s wants an array", t.text))
	}
	n := s.n
	if s.whole && (len(args) > 1 || len(s.of.dims) == 1) {
		k := int64(1)
		if len(args) > 1 {
			x, ok := args[1].(*Number)
			if !ok {
				panic(Beyond(t.Pos, "a computed dimension is not supported here"))
			}
			k = x.Int
		}
		if k < 1 || k > int64(len(s.of.dims)) {
			panic(Wrong(t.Pos, "the array has %d dimensions", len(s.of.dims)))
		}
		d := s.of.dims[k-1]
		n = d.n0()
		if t.text != "size" {
			n = map[bool]Expr{true: d.low, false: p.minus(p.plus(d.low, n), p.int(1))}[t.text == "lbound"]
		}
	} else if t.text != "size" || len(args) > 1 {
		panic(Beyond(t.Pos, "%s of a section is not supported here", t.text))
	}
	return &Cast{t.Pos, &Type{Kind: Int}, n}
}

// ranged returns the first array in an expression that is computed entry by entry; nil: the expression has no such
// array.
func (p *fortran) ranged(e Expr) (s *section) {
	Walk(e, func(e Expr) bool {
		if x, ok := e.(*section); ok && s == nil {
			s = x
		}
		c, ok := e.(*Call)
		if ok {
			id, _ := c.Fn.(*Ident)
			return id != nil && slices.Contains(elementals, id.Name)
		}
		_, fold := e.(*Implied)
		return !fold
	})
	return s
}

// entryOf returns the i-th entry, from 0, of an expression with arrays.
func (p *fortran) entryOf(e Expr, i Expr) Expr {
	switch e := e.(type) {
	case *section:
		return &Index{e.Pos, &Ident{e.Pos, e.of.name}, p.plus(e.at, p.times(i, e.step))}
	case *Unary:
		return &Unary{e.Pos, e.Op, p.entryOf(e.X, i)}
	case *Binary:
		return &Binary{e.Pos, e.Op, p.entryOf(e.X, i), p.entryOf(e.Y, i)}
	case *Cast:
		return &Cast{e.Pos, e.Type, p.entryOf(e.X, i)}
	case *Call:
		if id, ok := e.Fn.(*Ident); ok && slices.Contains(elementals, id.Name) {
			c := &Call{Pos: e.Pos, Fn: e.Fn}
			for _, a := range e.Args {
				c.Args = append(c.Args, p.entryOf(a, i))
			}
			return c
		}
	}
	return e
}

// temporary declares a variable that the program does not see.
func (p *fortran) temporary(at Pos) *Ident {
	p.temps++
	id := &Ident{at, fmt.Sprintf("%%%d", p.temps)}
	p.decls = append(p.decls, &Var{Pos: at, Name: id.Name, Type: &Type{Kind: Long}})
	return id
}

// implied returns a loop over the entries of an expression with arrays.
func (p *fortran) implied(e Expr, s *section) Expr {
	i := p.temporary(e.At())
	return &Implied{Pos: e.At(), X: []Expr{p.entryOf(e, i)}, Var: i, Low: p.int(0), High: p.minus(s.n, p.int(1)), Step: p.int(1)}
}

// address returns where an array or a section begins, whose entries follow each other.
func (p *fortran) address(s *section) Expr {
	if !isInt(s.step, 1) {
		panic(Beyond(s.Pos, "a section whose entries do not follow each other, as an argument, is not supported here"))
	}
	return p.plus(&Ident{s.Pos, s.of.name}, s.at)
}

// pass turns the arguments of a call into those that the procedure takes: addresses.
func (p *fortran) pass(c *Call) {
	id := c.Fn.(*Ident)
	if strings.HasPrefix(id.Name, "mpi_") {
		for i, a := range c.Args {
			if s, ok := a.(*section); ok {
				c.Args[i] = p.address(s)
			} else if p.ranged(a) != nil {
				panic(Beyond(a.At(), "a computed array as an argument is not supported here"))
			}
		}
		return
	}
	p.later = append(p.later, func() {
		params, known := p.dummys[id.Name]
		if !known {
			return
		}
		if len(params) != len(c.Args) {
			panic(Wrong(c.Pos, "%s takes %d arguments, not %d", id.Name, len(params), len(c.Args)))
		}
		var args []Expr
		for i, a := range c.Args {
			args = append(args, p.passed(params[i], a)...)
		}
		c.Args = args
	})
}

// passed returns what a call passes for a parameter: an address, and the extents of an array that needs them.
func (p *fortran) passed(to *entity, a Expr) []Expr {
	s, isArray := a.(*section)
	switch {
	case to.dims == nil && p.ranged(a) != nil:
		panic(Wrong(a.At(), "%s is not an array, and this is one", to.name))
	case to.dims == nil:
		if u, ok := a.(*Unary); ok && u.Op == "*" {
			return []Expr{u.X}
		}
		return []Expr{&Unary{a.At(), "&", a}}
	case !isArray && p.ranged(a) != nil:
		panic(Beyond(a.At(), "a computed array as an argument is not supported here"))
	case !isArray && to.assumed:
		panic(Wrong(a.At(), "%s is an array, and this is none", to.name))
	case !isArray:
		return []Expr{&Unary{a.At(), "&", a}}
	}
	args := []Expr{p.address(s)}
	if !to.assumed {
		return args
	}
	switch {
	case s.whole && len(s.of.dims) == len(to.dims):
		for _, d := range s.of.dims {
			args = append(args, d.n0())
		}
	case len(to.dims) == 1 && !(s.whole && len(s.of.dims) > 1):
		args = append(args, s.n)
	default:
		panic(Beyond(a.At(), "this section as an argument is not supported here"))
	}
	return args
}
