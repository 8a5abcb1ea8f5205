package machine

import (
	"cmp"
	"math"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// after returns an expression that first does something.
func after(first func(*frame), y expr) expr {
	if y.i != nil {
		return expr{t: y.t, i: func(f *frame) int64 { first(f); return y.i(f) }}
	}
	return ofSlot(y.t, func(f *frame) slot { first(f); return y.value(f) })
}

// binary compiles an operator between two expressions.
func (c *compiler) binary(op string, x, y expr, at syntax.Pos) expr {
	a, b := x.t.class(), y.t.class()
	switch {
	case op == ",":
		return after(x.effect(), y)
	case op == "//" && x.t.kind == syntax.Text && y.t.kind == syntax.Text:
		return expr{t: textType, v: func(f *frame) any { return x.v(f).(string) + y.v(f).(string) }}
	case op == "&&" || op == "||":
		return c.logic(op, x, y, at)
	case (a == ints || a == reals) && (b == ints || b == reals):
		return c.numbers(op, x, y, at)
	case a == refs || b == refs:
		return c.pointers(op, x, y, at)
	case c.fortran && a == ints && y.t.kind == syntax.Handle:
		return c.numbers(op, x, c.convert(y, intType, at), at)
	case c.fortran && b == ints && x.t.kind == syntax.Handle:
		return c.numbers(op, c.convert(x, intType, at), y, at)
	case a == values && b == values && (op == "==" || op == "!="):
		x, y = c.trimmed(x), c.trimmed(y)
		yes := op == "=="
		return expr{t: c.boolean(), i: func(f *frame) int64 { return syntax.Truth(same(x.v(f), y.v(f)) == yes) }}
	}
	panic(syntax.Wrong(at, "%s cannot combine %s and %s", op, described(x.t), described(y.t)))
}

// boolean returns the type of comparisons.
func (c *compiler) boolean() *typ {
	if c.fortran {
		return truthType
	}
	return intType
}

func (c *compiler) logic(op string, x, y expr, at syntax.Pos) expr {
	l, r := c.truth(x, at), c.truth(y, at)
	if op == "&&" {
		return expr{t: c.boolean(), i: func(f *frame) int64 { return syntax.Truth(l(f) && r(f)) }}
	}
	return expr{t: c.boolean(), i: func(f *frame) int64 { return syntax.Truth(l(f) || r(f)) }}
}

// numbers compiles an operator between two numbers, in the type that C takes for them.
func (c *compiler) numbers(op string, x, y expr, at syntax.Pos) expr {
	if op == "**" {
		return c.power(x, y, at)
	}
	t := usual(x.t, y.t)
	if op == "<<" || op == ">>" {
		t = usual(x.t, intType)
		y = c.convert(y, longType, at)
	} else {
		y = c.convert(y, t, at)
	}
	x = c.convert(x, t, at)
	if isReal(t.kind) {
		return c.realNumbers(op, t, x.f, y.f, at)
	}
	if x.num != nil && y.num != nil && syntax.Integers[op] != nil && !((op == "/" || op == "%") && *y.num == 0) {
		return number(t, wrap(t.kind, syntax.Integers[op](*x.num, *y.num)))
	}
	return c.integers(op, t, x.i, y.i, at)
}

func (c *compiler) realNumbers(op string, t *typ, x, y func(*frame) float64, at syntax.Pos) expr {
	k := t.kind
	switch op {
	case "+":
		return expr{t: t, f: func(f *frame) float64 { return round(k, x(f)+y(f)) }}
	case "-":
		return expr{t: t, f: func(f *frame) float64 { return round(k, x(f)-y(f)) }}
	case "*":
		return expr{t: t, f: func(f *frame) float64 { return round(k, x(f)*y(f)) }}
	case "/":
		return expr{t: t, f: func(f *frame) float64 { return round(k, x(f)/y(f)) }}
	}
	if x, ok := compared(c.boolean(), op, x, y); ok {
		return x
	}
	panic(syntax.Wrong(at, "%s needs integers", op))
}

// compared compiles a comparison; ok is false for another operator.
func compared[N cmp.Ordered](b *typ, op string, x, y func(*frame) N) (e expr, ok bool) {
	switch op {
	case "==":
		return expr{t: b, i: func(f *frame) int64 { return syntax.Truth(x(f) == y(f)) }}, true
	case "!=":
		return expr{t: b, i: func(f *frame) int64 { return syntax.Truth(x(f) != y(f)) }}, true
	case "<":
		return expr{t: b, i: func(f *frame) int64 { return syntax.Truth(x(f) < y(f)) }}, true
	case "<=":
		return expr{t: b, i: func(f *frame) int64 { return syntax.Truth(x(f) <= y(f)) }}, true
	case ">":
		return expr{t: b, i: func(f *frame) int64 { return syntax.Truth(x(f) > y(f)) }}, true
	case ">=":
		return expr{t: b, i: func(f *frame) int64 { return syntax.Truth(x(f) >= y(f)) }}, true
	}
	return e, false
}

// integers compiles an operator between two integers of a type: a result that does not fit loses its high bits, and /
// drops the fraction.
func (c *compiler) integers(op string, t *typ, x, y func(*frame) int64, at syntax.Pos) expr {
	k := t.kind
	switch op {
	case "+":
		return expr{t: t, i: func(f *frame) int64 { return wrap(k, x(f)+y(f)) }}
	case "-":
		return expr{t: t, i: func(f *frame) int64 { return wrap(k, x(f)-y(f)) }}
	case "*":
		return expr{t: t, i: func(f *frame) int64 { return wrap(k, x(f)*y(f)) }}
	case "/", "%":
		return c.division(op, t, x, y, at)
	case "<<", ">>", "&", "|", "^":
		if k == syntax.ULong && op == ">>" {
			return expr{t: t, i: func(f *frame) int64 { return int64(uint64(x(f)) >> (y(f) & 63)) }}
		}
		of := syntax.Integers[op]
		return expr{t: t, i: func(f *frame) int64 { return wrap(k, of(x(f), y(f))) }}
	}
	e, ok := compared(c.boolean(), op, x, y)
	if k == syntax.ULong {
		unsigned := func(of func(*frame) int64) func(*frame) uint64 {
			return func(f *frame) uint64 { return uint64(of(f)) }
		}
		e, ok = compared(c.boolean(), op, unsigned(x), unsigned(y))
	}
	if !ok {
		panic(syntax.Wrong(at, "%s is not an operator here", op))
	}
	return e
}

func (c *compiler) division(op string, t *typ, x, y func(*frame) int64, at syntax.Pos) expr {
	by := func(f *frame) int64 {
		n := y(f)
		if n == 0 {
			wrong(at, "division by zero")
		}
		return n
	}
	k := t.kind
	switch {
	case k == syntax.ULong && op == "/":
		return expr{t: t, i: func(f *frame) int64 { a := x(f); return int64(uint64(a) / uint64(by(f))) }}
	case k == syntax.ULong:
		return expr{t: t, i: func(f *frame) int64 { a := x(f); return int64(uint64(a) % uint64(by(f))) }}
	case op == "/":
		return expr{t: t, i: func(f *frame) int64 { a := x(f); return wrap(k, a/by(f)) }}
	}
	return expr{t: t, i: func(f *frame) int64 { a := x(f); return a % by(f) }}
}

// power compiles Fortran's **.
func (c *compiler) power(x, y expr, at syntax.Pos) expr {
	if x.t.class() == ints && y.t.class() == ints {
		t := usual(x.t, y.t)
		return expr{t: t, i: func(f *frame) int64 {
			b, n := x.i(f), y.i(f)
			if n < 0 {
				if b == 0 {
					wrong(at, "division by zero")
				}
				return map[int64]int64{1: 1, -1: 1 - 2*(-n&1)}[b]
			}
			r := int64(1)
			for ; n > 0; n-- {
				r = wrap(t.kind, r*b)
				if b == 1 || b == 0 {
					return b
				}
			}
			return r
		}}
	}
	t := usual(x.t, y.t)
	if y.t.class() == ints {
		t = x.t
	}
	x, y = c.convert(x, t, at), c.convert(y, t, at)
	return expr{t: t, f: func(f *frame) float64 { return round(t.kind, math.Pow(x.f(f), y.f(f))) }}
}

// pointers compiles an operator between pointers: p + n, p - q, and comparisons.
func (c *compiler) pointers(op string, x, y expr, at syntax.Pos) expr {
	if x.t.class() == ints && op == "+" {
		x, y = y, x
	}
	switch {
	case x.t.class() == refs && y.t.class() == ints && (op == "+" || op == "-"):
		return c.moved(x, y, op == "-")
	case (op == "==" || op == "!=") && (x.t.class() == ints || y.t.class() == ints):
		x, y = c.convert(x, voidPtr, at), c.convert(y, voidPtr, at)
	case x.t.class() != refs || y.t.class() != refs:
		panic(syntax.Wrong(at, "%s cannot combine %s and %s", op, described(x.t), described(y.t)))
	}
	p, q := x.p, y.p
	switch op {
	case "==":
		return expr{t: c.boolean(), i: func(f *frame) int64 { return syntax.Truth(p(f) == q(f)) }}
	case "!=":
		return expr{t: c.boolean(), i: func(f *frame) int64 { return syntax.Truth(p(f) != q(f)) }}
	case "-":
		size := x.t.elem
		return expr{t: longType, i: func(f *frame) int64 {
			a, b := p(f), q(f)
			if a.m != b.m {
				wrong(at, "pointers into two different arrays cannot be subtracted")
			}
			return int64(a.off-b.off) / max(size.cells(f), 1)
		}}
	case "<", ">", "<=", ">=":
		return c.integers(op, longType, func(f *frame) int64 { return int64(p(f).off) }, func(f *frame) int64 { return int64(q(f).off) }, at)
	}
	panic(syntax.Wrong(at, "%s cannot be used with pointers", op))
}

// moved compiles p + n and p - n: n elements of the type that p points to.
func (c *compiler) moved(x, n expr, back bool) expr {
	p, i, elem := x.p, n.i, x.t.elem
	by := int64(1)
	if back {
		by = -1
	}
	to := x.t
	if x.t.isArray() {
		to = pointerTo(elem)
	}
	if !elem.wide() {
		return expr{t: to, p: func(f *frame) ref {
			r := p(f)
			r.off += int(by * i(f))
			return r
		}}
	}
	return expr{t: to, p: func(f *frame) ref {
		r := p(f)
		r.off += int(by * i(f) * elem.cells(f))
		return r
	}}
}
