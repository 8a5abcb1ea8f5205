package machine

import (
	"math"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// expr is an expression. The function of its type's class computes it.
type expr struct {
	t   *typ
	i   func(*frame) int64
	f   func(*frame) float64
	p   func(*frame) ref
	v   func(*frame) any
	do  func(*frame) // of a call without a value
	num *int64       // its value, where it is known
}

func number(t *typ, n int64) expr {
	return expr{t: t, num: &n, i: func(*frame) int64 { return n }}
}

func real(t *typ, x float64) expr { return expr{t: t, f: func(*frame) float64 { return x }} }

// ofSlot returns an expression of any type that run computes.
func ofSlot(t *typ, run func(*frame) slot) expr {
	x := expr{t: t}
	switch t.class() {
	case ints:
		x.i = func(f *frame) int64 { return run(f).i }
	case reals:
		x.f = func(f *frame) float64 { return run(f).f }
	case refs, records:
		x.p = func(f *frame) ref { return run(f).p }
	case values:
		x.v = func(f *frame) any { return run(f).v }
	default:
		x.do = func(f *frame) { run(f) }
	}
	return x
}

// value computes an expression of any class into a slot.
func (x expr) value(f *frame) slot {
	switch x.t.class() {
	case ints:
		return slot{set: true, i: x.i(f)}
	case reals:
		return slot{set: true, f: x.f(f)}
	case refs, records:
		return slot{set: true, p: x.p(f)}
	case values:
		return slot{set: true, v: x.v(f)}
	}
	if x.do != nil {
		x.do(f)
	}
	return slot{}
}

// effect returns a function that computes the expression and drops its value.
func (x expr) effect() func(*frame) {
	switch {
	case x.i != nil:
		return func(f *frame) { x.i(f) }
	case x.do != nil:
		return x.do
	}
	return func(f *frame) { x.value(f) }
}

func (c *compiler) expr(e syntax.Expr) expr {
	switch e := e.(type) {
	case *syntax.Number:
		if isReal(e.Type.Kind) {
			return real(&typ{kind: e.Type.Kind}, round(e.Type.Kind, e.Real))
		}
		return number(&typ{kind: e.Type.Kind}, e.Int)
	case *syntax.String:
		if c.fortran {
			return expr{t: textType, v: func(*frame) any { return e.Value }}
		}
		m := textMemory(e.Value)
		return expr{t: charPtr, p: func(*frame) ref { return ref{m, 0} }}
	case *syntax.Ident:
		return c.named(e)
	case *syntax.Unary:
		return c.unary(e)
	case *syntax.Binary:
		x := c.expr(e.X)
		return c.binary(e.Op, x, c.expr(e.Y), e.Pos)
	case *syntax.Assign:
		return c.assignment(e)
	case *syntax.Step:
		return c.step(e, true)
	case *syntax.Cond:
		return c.conditional(e)
	case *syntax.Call:
		return c.call(e)
	case *syntax.Index, *syntax.Member:
		return c.place(e).get()
	case *syntax.Cast:
		return c.cast(e)
	case *syntax.Sizeof:
		return c.sizeof(e)
	case *syntax.List:
		if c.fortran {
			return c.constructed(e)
		}
	}
	panic(syntax.Wrong(e.At(), "this is not an expression"))
}

// named compiles the name of a variable, a function or a constant.
func (c *compiler) named(e *syntax.Ident) expr {
	if v := c.lookup(e.Name); v != nil {
		if v.number != nil {
			return *v.number
		}
		return c.place(e).get()
	}
	if fn := c.funcs[e.Name]; fn != nil {
		return expr{t: &typ{kind: syntax.Function, elem: fn.result}, v: func(*frame) any { return fn }}
	}
	if n, ok := c.integer(e.Name); ok {
		return number(intType, n)
	}
	if x, ok := c.predefined(e); ok {
		return x
	}
	c.unknown(e.Pos, e.Name)
	return expr{}
}

// truth compiles the test whether an expression is not zero.
func (c *compiler) truth(x expr, at syntax.Pos) func(*frame) bool {
	switch x.t.class() {
	case ints:
		return func(f *frame) bool { return x.i(f) != 0 }
	case reals:
		return func(f *frame) bool { return x.f(f) != 0 }
	case refs:
		return func(f *frame) bool { return x.p(f).m != nil }
	}
	panic(syntax.Wrong(at, "a condition must be a number or a pointer, not %s", x.t))
}

// convert converts an expression to another type, as an assignment does.
func (c *compiler) convert(x expr, to *typ, at syntax.Pos) expr {
	from, into := x.t.class(), to.class()
	switch {
	case to.name == "bool" && x.t.name != "bool" && from <= refs:
		is := c.truth(x, at)
		return expr{t: to, i: func(f *frame) int64 { return syntax.Truth(is(f)) }}
	case into == ints && from == ints:
		if x.t.kind == to.kind || x.num != nil && wrap(to.kind, *x.num) == *x.num {
			return expr{t: to, i: x.i, num: x.num}
		}
		k, i := to.kind, x.i
		return expr{t: to, i: func(f *frame) int64 { return wrap(k, i(f)) }}
	case into == ints && from == reals:
		k, g := to.kind, x.f
		return expr{t: to, i: func(f *frame) int64 { return wrap(k, truncated(g(f))) }}
	case into == reals && from == ints:
		k, i := to.kind, x.i
		if x.t.kind == syntax.ULong {
			return expr{t: to, f: func(f *frame) float64 { return round(k, float64(uint64(i(f)))) }}
		}
		if x.num != nil {
			return real(to, round(k, float64(*x.num)))
		}
		return expr{t: to, f: func(f *frame) float64 { return round(k, float64(i(f))) }}
	case into == reals && from == reals:
		if to.kind == syntax.Double || x.t.kind == to.kind {
			return expr{t: to, f: x.f}
		}
		g := x.f
		return expr{t: to, f: func(f *frame) float64 { return float64(float32(g(f))) }}
	case into == refs && from == refs:
		return c.pointer(x, to, at)
	case into == records && x.t.rec == to.rec:
		return x
	case into == refs && x.num != nil && *x.num == 0:
		return expr{t: to, p: func(*frame) ref { return ref{} }}
	case into == ints && x.t.kind == syntax.Handle && c.fortran:
		return expr{t: to, i: func(f *frame) int64 { return f.numberOf(x.v(f)) }}
	case to.kind == syntax.Handle && from == ints && c.fortran:
		return expr{t: to, v: func(f *frame) any { return f.numbered(x.i(f), at) }}
	case into == values && from == values:
		if x.t.kind == to.kind && (x.t.name == to.name || x.t.name == "" || to.name == "") {
			return expr{t: to, v: x.v}
		}
	case into == none:
		return expr{t: to, do: x.effect()}
	}
	panic(syntax.Wrong(at, "%s is expected here, not %s", described(to), described(x.t)))
}

func described(t *typ) string {
	switch t.class() {
	case none:
		return "nothing"
	case refs:
		return "a pointer (" + t.String() + ")"
	case ints, reals:
		return "a number (" + t.String() + ")"
	}
	return t.String()
}

// truncated returns a number without its fraction, as C converts it.
func truncated(x float64) int64 {
	if math.IsNaN(x) || x >= 1<<63 || x < -1<<63 {
		return math.MinInt64
	}
	return int64(x)
}

// pointer converts a pointer. Memory that has no type yet gets one here.
func (c *compiler) pointer(x expr, to *typ, at syntax.Pos) expr {
	p, elem := x.p, to.elem
	if elem.kind == syntax.Void || elem.kind == syntax.Function {
		return expr{t: to, p: p}
	}
	base := elem.base()
	if x.t.elem.base().kind == base.kind && x.t.elem.base().rec == base.rec {
		return expr{t: to, p: p}
	}
	if x.t.elem.kind != syntax.Void && x.t.elem.base().rec == nil && base.rec == nil && !(isNumber(base.kind) && isNumber(x.t.elem.base().kind) && base.size() == x.t.elem.base().size()) {
		panic(syntax.Beyond(at, "using memory of %s as memory of %s is not supported here", x.t.elem, to.elem))
	}
	return expr{t: to, p: func(f *frame) ref {
		r := p(f)
		return r.as(base, at)
	}}
}

// as returns the pointer into memory of a type. Memory that has no type yet gets this one.
func (r ref) as(t *typ, at syntax.Pos) ref {
	switch {
	case r.m == nil || r.m.kind == t.kind && r.m.rec == t.rec:
	case r.m.kind == syntax.Void:
		r.off /= int(t.size()) / int(t.width())
		r.m.shape(t, int(r.m.bytes/t.size()*t.width()))
	default:
		for i, p := range t.partsAt(0) {
			kind := r.m.kind
			if r.m.rec != nil {
				kind = r.m.rec.parts[(r.off+i)%len(r.m.rec.parts)].kind
			}
			if !alike(kind, p.kind) {
				wrong(at, "memory of %s is used as memory of %s here", kindNames[kind], t)
			}
		}
	}
	return r
}

// alike reports whether a cell of one kind may be used as one of the other kind: both differ only in the sign.
func alike(a, b syntax.Kind) bool {
	return a == b || isNumber(a) && isNumber(b) && isReal(a) == isReal(b) && (&typ{kind: a}).size() == (&typ{kind: b}).size()
}

func (c *compiler) unary(e *syntax.Unary) expr {
	switch e.Op {
	case "&":
		return c.address(e)
	case "*":
		return c.place(e).get()
	case "!":
		is := c.truth(c.expr(e.X), e.Pos)
		return expr{t: c.boolean(), i: func(f *frame) int64 { return syntax.Truth(!is(f)) }}
	}
	return c.signed(e)
}

// signed compiles -, + and ~ of a number.
func (c *compiler) signed(e *syntax.Unary) expr {
	x := c.expr(e.X)
	t := x.t
	switch {
	case t.class() == reals && e.Op != "~":
		if e.Op == "+" {
			return x
		}
		return expr{t: t, f: func(f *frame) float64 { return -x.f(f) }}
	case t.class() != ints:
		panic(syntax.Wrong(e.Pos, "%s needs a number", e.Op))
	}
	t = usual(t, intType)
	x = c.convert(x, t, e.Pos)
	switch {
	case e.Op == "+":
		return x
	case e.Op == "~":
		return expr{t: t, i: func(f *frame) int64 { return wrap(t.kind, ^x.i(f)) }}
	case x.num != nil:
		return number(t, wrap(t.kind, -*x.num))
	}
	return expr{t: t, i: func(f *frame) int64 { return wrap(t.kind, -x.i(f)) }}
}

// address compiles &x.
func (c *compiler) address(e *syntax.Unary) expr {
	if id, ok := e.X.(*syntax.Ident); ok && c.lookup(id.Name) == nil && c.funcs[id.Name] != nil {
		return c.expr(e.X)
	}
	if c.fortran && !c.isPlace(e.X) {
		return c.kept(c.expr(e.X))
	}
	p := c.place(e.X)
	if p.addr == nil {
		panic(syntax.Wrong(e.Pos, "the address of this cannot be taken"))
	}
	return expr{t: pointerTo(p.t), p: p.addr}
}

func (c *compiler) conditional(e *syntax.Cond) expr {
	is := c.truth(c.expr(e.If), e.Pos)
	yes, no := c.expr(e.Yes), c.expr(e.No)
	t := yes.t
	switch {
	case yes.t.class() <= reals && no.t.class() <= reals && yes.t.class() != none && no.t.class() != none:
		t = usual(yes.t, no.t)
	case yes.num != nil && *yes.num == 0:
		t = no.t
	case t.isArray():
		t = pointerTo(t.elem)
	}
	yes, no = c.convert(yes, t, e.Pos), c.convert(no, t, e.Pos)
	return ofSlot(t, func(f *frame) slot {
		if is(f) {
			return yes.value(f)
		}
		return no.value(f)
	})
}

func (c *compiler) cast(e *syntax.Cast) expr {
	if l, ok := e.X.(*syntax.List); ok { // (int[]){0, 2}
		d := &syntax.Var{Pos: e.Pos, Type: e.Type, Init: l}
		v := c.local(d)
		c.settle(v, d)
		init := c.declare(v, d)
		if v.t.wide() {
			return expr{t: v.t, p: func(f *frame) ref { init(f); return v.at(f).p }}
		}
	}
	x, t := c.expr(e.X), c.typ(e.Type, e.Pos)
	if t.class() == ints && x.t.class() == refs {
		return c.convert(expr{t: longType, i: func(f *frame) int64 { return f.address(x.p(f)) }}, t, e.Pos)
	}
	if x.num != nil && t.class() == ints && t.name != "bool" {
		return number(t, wrap(t.kind, *x.num))
	}
	return c.convert(x, t, e.Pos)
}

func (c *compiler) sizeof(e *syntax.Sizeof) expr {
	t := c.typeOf(e)
	if e.Field != "" {
		if t.rec == nil {
			panic(syntax.Wrong(e.Pos, "offsetof needs a structure, not %s", t))
		}
		return number(sizeType, t.field(e.Pos, e.Field).at)
	}
	size, width := t.base().size(), t.width()
	if n, ok := t.fixed(); ok {
		return number(sizeType, n/width*size)
	}
	return expr{t: sizeType, i: func(f *frame) int64 { return t.cells(f) / width * size }}
}

func (c *compiler) typeOf(e *syntax.Sizeof) *typ {
	if e.Type != nil {
		return c.typ(e.Type, e.Pos)
	}
	if s, ok := e.X.(*syntax.String); ok {
		return &typ{kind: syntax.Array, elem: charType, n: int64(len(s.Value)) + 1}
	}
	return c.expr(e.X).t
}

// same reports whether two handles are the same.
func same(a, b any) bool {
	x, ok := a.(starlark.Value)
	y, too := b.(starlark.Value)
	if ok && too {
		equal, err := starlark.Equal(x, y)
		return err == nil && equal
	}
	return a == b
}
