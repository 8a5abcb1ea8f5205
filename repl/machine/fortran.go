package machine

import (
	"math"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// Constructs of Fortran that C lacks: the counting loop, handles that are integers, statuses that are arrays of
// integers, and the error as the last argument of a call.

// count compiles do i = low, high, step. The number of turns is computed before the first turn.
func (c *compiler) count(s *syntax.Count) exec {
	turns := c.turns(s.Var, s.Low, s.High, s.Step, s.Pos)
	body, label := c.turned(s.Body, s.Label), s.Label
	return func(f *frame) flow {
		end := goesOn
		turns(f, func() bool {
			how, ends := f.ends(body(f), label)
			if ends {
				end = how
			}
			return !ends
		})
		return end
	}
}

// turns makes a loop that counts. The loop ends when its body returns false. Behind the last turn, the variable is
// one step further.
func (c *compiler) turns(variable, from, to, by syntax.Expr, at syntax.Pos) func(f *frame, body func() bool) {
	v := c.place(variable)
	v.writable(at)
	if v.t.class() != ints {
		panic(syntax.Wrong(at, "the variable of a loop must be an integer"))
	}
	low, high, step := c.convert(c.expr(from), longType, at), c.convert(c.expr(to), longType, at), c.convert(c.expr(by), longType, at)
	return func(f *frame, body func() bool) {
		i, by := low.i(f), step.i(f)
		if by == 0 {
			wrong(at, "the step of a loop must not be 0")
		}
		for n := (high.i(f) - i + by) / by; n > 0; n-- {
			v.set(f, slot{i: i})
			f.step()
			if !body() {
				return
			}
			i += by
		}
		v.set(f, slot{i: i})
	}
}

// numberOf returns the integer that stands for a handle.
func (p *process) numberOf(v any) int64 {
	for i, k := range p.known {
		if same(k, v) {
			return int64(i + 1)
		}
	}
	p.known = append(p.known, v)
	return int64(len(p.known))
}

// numbered returns the handle that an integer stands for.
func (p *process) numbered(n int64, at syntax.Pos) any {
	if n < 1 || n > int64(len(p.known)) {
		wrong(at, "%d is not a handle: no MPI call returned it", n)
	}
	return p.known[n-1]
}

// argument returns a value of the program as a call takes it, for a parameter that is a handle or an integer.
func (p *process) argument(s slot, t *typ, param calls.Param, at syntax.Pos) starlark.Value {
	if isHandle(param.Type) && t.class() == ints {
		s, t = slot{v: p.numbered(s.i, at)}, handleType(param.Type)
	}
	return toMPI(s, t)
}

// entry returns a handle in an array of handles, or in one of integers.
func (p *process) entry(r ref, at syntax.Pos, i int64) any {
	k := r.check(at, i)
	if r.m.kind == syntax.Int {
		return p.numbered(int64(r.m.cells[k]), at)
	}
	return r.m.any[k]
}

// errorArgument returns a function that sets ierror, where a call has it behind n arguments.
func (c *compiler) errorArgument(e *syntax.Call, n int) func(*frame, int64) {
	if !c.fortran || len(e.Args) != n+1 {
		return func(*frame, int64) {}
	}
	p := c.place(e.Args[n])
	p.writable(e.Pos)
	if p.t.class() != ints && p.t.class() != reals { // a real is one that is not declared, and ignored
		panic(syntax.Wrong(e.Args[n].At(), "ierror must be an integer, not %s", described(p.t)))
	}
	return func(f *frame, class int64) { p.set(f, slot{i: class, f: float64(class)}) }
}

// statusSize is how many integers a status has: source, tag, error, and the number of the status itself.
const statusSize = 6

// statusesInIntegers returns the status that an array of integers is, or all such statuses from there on.
func (f *frame) statusesInIntegers(r ref, at syntax.Pos, all bool) (list []starlark.Value) {
	r.check(at, statusSize-1)
	n := 1
	if all {
		n = r.rest() / statusSize
	}
	for k := range n {
		cells := r.m.cells[r.off+k*statusSize : r.off+(k+1)*statusSize]
		if n := int(cells[3]); n < 1 || n > len(f.known) {
			f.known = append(f.known, f.newStatus())
			cells[3] = uint64(len(f.known))
		}
		v := f.known[cells[3]-1].(starlark.Value)
		f.fills = append(f.fills, func() {
			for i, name := range []string{"source", "tag", "error"} {
				cells[i] = uint64(attribute(v, name))
			}
		})
		list = append(list, v)
	}
	return list
}

// isPlace reports whether an expression has an address.
func (c *compiler) isPlace(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Ident:
		v := c.lookup(e.Name)
		return v != nil && v.number == nil
	case *syntax.Index, *syntax.Member:
		return true
	case *syntax.Unary:
		return e.Op == "*"
	}
	return false
}

// kept compiles the address of a value that is not a variable.
func (c *compiler) kept(x expr) expr {
	return expr{t: pointerTo(x.t), p: func(f *frame) ref { return inMemory(x.t, x.value(f)) }}
}

// constructed compiles an array constructor that is an argument: its address.
func (c *compiler) constructed(l *syntax.List) expr {
	var list []expr
	for _, item := range l.Items {
		if _, loop := item.(*syntax.Implied); loop {
			panic(syntax.Beyond(item.At(), "a loop in an array constructor that is an argument is not supported here"))
		}
		list = append(list, c.expr(item))
		if list[0].t.kind != list[len(list)-1].t.kind {
			panic(syntax.Wrong(item.At(), "the entries of an array constructor must have one type"))
		}
	}
	if len(list) == 0 {
		panic(syntax.Beyond(l.Pos, "an empty array constructor is not supported here"))
	}
	t := list[0].t
	return expr{t: pointerTo(t), p: func(f *frame) ref {
		r := inMemory(t, valuesOf(f, list)...)
		r.m.first = 1
		return r
	}}
}

// trimmed returns a text without the blanks at its end, which comparisons leave out.
func (c *compiler) trimmed(x expr) expr {
	if x.t.kind != syntax.Text {
		return x
	}
	return expr{t: textType, v: func(f *frame) any { return strings.TrimRight(x.v(f).(string), " ") }}
}

var functionsOfFortran map[string]compiled

func init() { functionsOfFortran = fortranTable() } // the table refers to what looks into it

// valuesOf compiles the arguments of a call, and refuses fewer than least and more than most.
func (c *compiler) valuesOf(e *syntax.Call, least, most int) []expr {
	if n := len(e.Args); n < least || n > most {
		panic(syntax.Wrong(e.Pos, "%s does not take %d arguments", e.Fn.(*syntax.Ident).Name, n))
	}
	var list []expr
	for _, a := range e.Args {
		list = append(list, c.expr(a))
	}
	return list
}

func fortranTable() map[string]compiled {
	text := func(n int, run func(g *given, s string) string) compiled { // s is the first argument
		return func(c *compiler, e *syntax.Call) expr {
			args := c.valuesOf(e, n, n)
			if args[0].t.kind != syntax.Text {
				panic(syntax.Wrong(e.Pos, "a character value is expected here, not %s", described(args[0].t)))
			}
			return expr{t: textType, v: func(f *frame) any {
				g := &given{f, e.Pos, valuesOf(f, args)}
				return run(g, g.args[0].v.(string))
			}}
		}
	}
	length := func(trim bool) compiled {
		return func(c *compiler, e *syntax.Call) expr {
			x := c.convert(c.valuesOf(e, 1, 1)[0], textType, e.Pos)
			if trim {
				x = c.trimmed(x)
			}
			return expr{t: intType, i: func(f *frame) int64 { return int64(len(x.v(f).(string))) }}
		}
	}
	rounded := func(by func(float64) float64) compiled {
		return func(c *compiler, e *syntax.Call) expr {
			x := c.convert(c.valuesOf(e, 1, 1)[0], doubleType, e.Pos)
			return expr{t: intType, i: func(f *frame) int64 { return wrap(syntax.Int, truncated(by(x.f(f)))) }}
		}
	}
	table := map[string]compiled{
		"trim":    text(1, func(_ *given, s string) string { return strings.TrimRight(s, " ") }),
		"adjustl": text(1, func(_ *given, s string) string { return padded(strings.TrimLeft(s, " "), len(s)) }),
		"%pad":    text(2, func(g *given, s string) string { return padded(s, int(g.int(1))) }),
		"%part": text(3, func(g *given, s string) string {
			low, high := g.int(1), g.int(2)
			if low > high {
				return ""
			}
			if low < 1 || high > int64(len(s)) {
				wrong(g.at, "the text has %d characters: there is no part from %d to %d", len(s), low, high)
			}
			return s[low-1 : high]
		}),
		"len": length(false), "len_trim": length(true),
		"nint": rounded(math.Round), "floor": rounded(math.Floor), "ceiling": rounded(math.Ceil),
		"flush": ignored, "%reads": reads, "%item": readItem, "%record": readRecord, "%readdone": readDone, "%list": listing, "%format": formatting,
		"%line": func(c *compiler, e *syntax.Call) expr {
			a := c.valuesOf(e, 2, 2)
			return expr{t: voidType, do: func(f *frame) {
				text, more := strings.CutSuffix(a[0].v(f).(string), string(rune(goingOn)))
				f.print(text)
				if a[1].i(f) != 0 && !more {
					f.print("\n")
				}
			}}
		},
		"%differ": func(c *compiler, e *syntax.Call) expr {
			a := c.valuesOf(e, 2, 2)
			return expr{t: voidType, do: func(f *frame) {
				wrong(e.Pos, "%d entries are assigned to %d", a[1].i(f), a[0].i(f))
			}}
		},
		"mod": remainder, "modulo": modulo, "abs": absolute,
		"max":  extreme(func(a, b slot) bool { return a.i > b.i || a.f > b.f }),
		"min":  extreme(func(a, b slot) bool { return a.i < b.i || a.f < b.f }),
		"%sum": folding(0), "%product": folding(1), "%maxval": folding(2), "%minval": folding(3), "%count": folding(4), "%any": folding(5),
		"%all": folding(6),
		"command_argument_count": func(*compiler, *syntax.Call) expr {
			return expr{t: intType, i: func(f *frame) int64 { return int64(len(f.args) - 1) }}
		},
		"get_command_argument": commandArgument,
		"%random": computing("", doubleType, func(g *given) slot {
			if g.drawn == 0 { // each rank draws its own numbers
				g.drawn = uint64(g.r.P.Rank()+1) * 0x9e3779b97f4a7c15 >> 16
			}
			return slot{f: float64(g.draw()) / (1 << 48)}
		}),
	}
	for name, of := range mathOne { // of the kind of the argument
		if table[name] != nil || name == "round" {
			continue
		}
		table[name] = func(c *compiler, e *syntax.Call) expr {
			x := c.valuesOf(e, 1, 1)[0]
			if x.t.class() != reals {
				panic(syntax.Wrong(e.Pos, "%s needs a real, not %s", name, described(x.t)))
			}
			return expr{t: x.t, f: func(f *frame) float64 { return round(x.t.kind, of(x.f(f))) }}
		}
	}
	return table
}

// remainder compiles mod, whose result has the sign of the first argument.
func remainder(c *compiler, e *syntax.Call) expr {
	a := c.valuesOf(e, 2, 2)
	t := usual(a[0].t, a[1].t)
	if wantNumber(e.Pos, t); t.class() == ints {
		return c.numbers("%", a[0], a[1], e.Pos)
	}
	x, y := c.convert(a[0], t, e.Pos), c.convert(a[1], t, e.Pos)
	return expr{t: t, f: func(f *frame) float64 { return round(t.kind, math.Mod(x.f(f), y.f(f))) }}
}

// modulo compiles modulo, whose result has the sign of the second argument.
func modulo(c *compiler, e *syntax.Call) expr {
	rest, p := remainder(c, e), c.expr(e.Args[1])
	p = c.convert(p, rest.t, e.Pos)
	return ofSlot(rest.t, func(f *frame) slot {
		r, by := rest.value(f), p.value(f)
		if r.i != 0 && (r.i < 0) != (by.i < 0) || r.f != 0 && (r.f < 0) != (by.f < 0) {
			r.i, r.f = r.i+by.i, r.f+by.f
		}
		return r
	})
}

// absolute compiles abs.
func absolute(c *compiler, e *syntax.Call) expr {
	x := c.valuesOf(e, 1, 1)[0]
	if wantNumber(e.Pos, x.t); x.t.class() == reals {
		return expr{t: x.t, f: func(f *frame) float64 { return math.Abs(x.f(f)) }}
	}
	x = c.convert(x, usual(x.t, intType), e.Pos)
	return expr{t: x.t, i: func(f *frame) int64 { n := x.i(f); return wrap(x.t.kind, max(n, -n)) }}
}

// commandArgument compiles get_command_argument, which sets a variable to an argument of the program.
func commandArgument(c *compiler, e *syntax.Call) expr {
	k := c.args(e, "lx")[0]
	to := c.place(e.Args[1])
	return expr{t: voidType, do: func(f *frame) {
		v, n := "", int(k.i(f))
		if n >= 0 && n < len(f.args) {
			v = f.args[n]
		}
		to.set(f, slot{v: v})
	}}
}

func padded(s string, n int) string {
	return s[:min(len(s), n)] + strings.Repeat(" ", max(n-len(s), 0))
}

// wantNumber refuses a type that is not a number.
func wantNumber(at syntax.Pos, t *typ) {
	if t.class() != reals && t.class() != ints {
		panic(syntax.Wrong(at, "numbers are expected here, not %s", described(t)))
	}
}

// extreme compiles max and min.
func extreme(wins func(a, b slot) bool) compiled {
	return func(c *compiler, e *syntax.Call) expr {
		list := c.valuesOf(e, 2, 100)
		t := list[0].t
		for _, x := range list {
			t = usual(t, x.t)
		}
		wantNumber(e.Pos, t)
		for i := range list {
			list[i] = c.convert(list[i], t, e.Pos)
		}
		return ofSlot(t, func(f *frame) slot {
			best := list[0].value(f)
			for _, x := range list[1:] {
				if v := x.value(f); wins(v, best) {
					best = v
				}
			}
			return best
		})
	}
}

// each calls one for each entry of an array, or in each turn of a loop in a list.
func (c *compiler) each(l *syntax.Implied, one func(*frame)) func(*frame) {
	turns := c.turns(l.Var, l.Low, l.High, l.Step, l.Pos)
	return func(f *frame) {
		turns(f, func() bool { one(f); return true })
	}
}

// folding compiles sum, product, maxval, minval, count, any and all.
func folding(which int) compiled {
	return func(c *compiler, e *syntax.Call) expr {
		l := e.Args[0].(*syntax.Implied)
		x := c.expr(l.X[0])
		t := x.t
		wantNumber(e.Pos, t)
		if which == 4 {
			t = intType
		}
		h := c.hidden(t)
		k := t.kind
		add := func(n int64, f float64, was *slot) {
			first := !was.set
			was.set = true
			switch {
			case which == 0:
				was.i, was.f = wrap(k, was.i+n), round(k, was.f+f)
			case which == 1:
				was.i, was.f = wrap(k, was.i*n), round(k, was.f*f)
			case which == 2 && (first || n > was.i || f > was.f), which == 3 && (first || n < was.i || f < was.f):
				was.i, was.f = n, f
			case which == 4:
				was.i += syntax.Truth(n != 0)
			case which == 5:
				was.i |= n
			case which == 6:
				was.i &= n
			}
		}
		turn := c.each(l, func(f *frame) { v := x.value(f); add(v.i, v.f, h.at(f)) })
		run := func(f *frame) slot {
			*h.at(f) = slot{i: syntax.Truth(which == 1 || which == 6), f: float64(syntax.Truth(which == 1))}
			turn(f)
			return *h.at(f)
		}
		return ofSlot(t, run)
	}
}
