package machine

import (
	"math"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// place is where a value is: a variable, an entry of an array, or what a pointer points to.
type place struct {
	t     *typ
	at    syntax.Pos
	v     *variable          // one that does not lie in memory
	addr  func(f *frame) ref // of what lies in memory: where it begins
	shows string             // the variable of the session that it is, too; "": none
	only  *expr              // what can only be read: status.MPI_SOURCE
}

// get reads the place.
func (p place) get() expr {
	switch {
	case p.only != nil:
		return *p.only
	case p.v != nil:
		return p.v.get(p.at)
	case p.t.wide():
		return expr{t: p.t, p: p.addr}
	}
	return loaded(p.t, p.at, p.addr)
}

// get reads a variable that does not lie in memory.
func (v *variable) get(at syntax.Pos) expr {
	x := expr{t: v.t}
	slotOf := func(f *frame) *slot {
		s := &f.slots[v.k]
		if !s.set {
			wrong(at, "%s has no value yet", v.name)
		}
		return s
	}
	if v.global {
		slotOf = func(f *frame) *slot { return &f.globals[v.k] }
	}
	switch v.t.class() {
	case ints:
		x.i = func(f *frame) int64 { return slotOf(f).i }
	case reals:
		x.f = func(f *frame) float64 { return slotOf(f).f }
	case refs:
		x.p = func(f *frame) ref { return slotOf(f).p }
	default:
		x.v = func(f *frame) any { return slotOf(f).v }
	}
	return x
}

// loaded reads memory.
func loaded(t *typ, at syntax.Pos, addr func(*frame) ref) expr {
	x := expr{t: t}
	switch t.class() {
	case ints:
		x.i = func(f *frame) int64 { r := addr(f); return int64(r.m.cells[r.off]) }
	case reals:
		x.f = func(f *frame) float64 { r := addr(f); return math.Float64frombits(r.m.cells[r.off]) }
	case refs:
		x.p = func(f *frame) ref { r := addr(f); to, _ := r.m.any[r.off].(ref); return to }
	case values:
		x.v = func(f *frame) any {
			r := addr(f)
			v := r.m.any[r.off]
			switch {
			case v == nil && t.kind == syntax.Text:
				return ""
			case v == nil:
				wrong(at, "this %s has no value yet", t)
			}
			return v
		}
	default:
		panic(syntax.Wrong(at, "a pointer to void cannot be dereferenced: its target has no type"))
	}
	return x
}

// put writes an element of memory.
func (m *memory) put(k int, t *typ, s slot) {
	switch t.class() {
	case ints:
		m.cells[k] = uint64(s.i)
	case reals:
		m.cells[k] = math.Float64bits(s.f)
	case refs:
		m.any[k] = s.p
	case records:
		copyCells(syntax.Pos{}, ref{m, k}, s.p, int(t.width()))
	default:
		m.any[k] = s.v
	}
}

// set gives the place a value of its type. The value is computed before the address of the place.
func (p place) set(f *frame, s slot) {
	s.set = true
	if s.v != nil && p.t.class() == ints { // a handle that Fortran keeps as an integer
		s.i = f.numberOf(s.v)
	}
	switch {
	case p.v != nil:
		*p.v.at(f) = s
		if p.v.shown {
			if v, ok := s.v.(starlark.Value); ok {
				f.r.Assign(p.v.name, v, program.Now)
			}
		}
	default:
		r := p.addr(f)
		r.m.put(r.off, p.t, s)
		if v, ok := s.v.(starlark.Value); ok && p.shows != "" {
			f.r.Assign(p.shows, v, program.Now)
		}
	}
}

// place compiles an expression that can be assigned, or whose address can be taken.
func (c *compiler) place(e syntax.Expr) place {
	switch e := e.(type) {
	case *syntax.Ident:
		v := c.lookup(e.Name)
		if v == nil {
			c.unknown(e.Pos, e.Name)
		}
		return c.variablePlace(v, e.Pos)
	case *syntax.Index:
		return c.index(e)
	case *syntax.Unary:
		if e.Op == "*" {
			x := c.expr(e.X)
			if x.t.kind == syntax.Function { // *f of a pointer to a function
				return place{t: x.t, at: e.Pos, only: &x}
			}
			return c.pointed(x, number(longType, 0), e.Pos)
		}
	case *syntax.Member:
		return c.member(e)
	case *syntax.Cast:
		x := c.expr(e)
		return place{t: x.t, at: e.Pos, only: &x}
	}
	panic(syntax.Wrong(e.At(), "this has no address and cannot be assigned"))
}

func (c *compiler) variablePlace(v *variable, at syntax.Pos) place {
	p := place{t: v.t, at: at}
	switch {
	case v.t.wide():
		p.addr = func(f *frame) ref { return v.at(f).p }
	case v.number != nil:
		p.only = v.number
	case v.boxed:
		if v.shown {
			p.shows = v.name
		}
		p.addr = func(f *frame) ref {
			r := v.at(f).p
			if r.m == nil {
				wrong(at, "%s has no value yet", v.name)
			}
			return r
		}
	default:
		p.v = v
	}
	return p
}

// index compiles x[i].
func (c *compiler) index(e *syntax.Index) place {
	x, i := c.expr(e.X), c.expr(e.I)
	if x.t.class() == ints {
		x, i = i, x
	}
	if x.t.class() != refs || i.t.class() != ints {
		panic(syntax.Wrong(e.Pos, "[ ] must follow an array or a pointer, and contain an integer"))
	}
	return c.pointed(x, i, e.Pos)
}

// pointed compiles the i-th element behind a pointer. The element may be an array itself.
func (c *compiler) pointed(x, i expr, at syntax.Pos) place {
	if x.t.class() != refs {
		panic(syntax.Wrong(at, "only a pointer can be dereferenced, not %s", described(x.t)))
	}
	t := x.t.elem
	ptr, n := x.p, i.i
	if t.wide() {
		return place{t: t, at: at, addr: func(f *frame) ref {
			r := ptr(f)
			if t.rec != nil {
				r = r.as(t, at)
			}
			r.off += int(n(f) * t.cells(f))
			return r
		}}
	}
	return place{t: t, at: at, addr: func(f *frame) ref {
		r := ptr(f)
		if r.m != nil && r.m.kind != t.kind {
			r = r.as(t, at)
		}
		r.off = r.check(at, n(f))
		return r
	}}
}

// member compiles a field of a structure, or a member of a status, such as status.MPI_SOURCE.
func (c *compiler) member(e *syntax.Member) place {
	x := c.expr(e.X)
	if x.t.class() == refs && (x.t.elem.kind == syntax.Handle || x.t.elem.kind == syntax.Record) {
		x = c.pointed(x, number(longType, 0), e.Pos).get()
	}
	if x.t.rec != nil {
		return c.fieldOf(x.t, x.p, e)
	}
	name := map[string]string{"MPI_SOURCE": "source", "MPI_TAG": "tag", "MPI_ERROR": "error"}[e.Name]
	if !x.t.isStatus() || name == "" {
		panic(syntax.Wrong(e.Pos, "%s has no field %s", described(x.t), e.Name))
	}
	got := expr{t: intType, i: func(f *frame) int64 { return attribute(x.v(f), name) }}
	return place{t: intType, at: e.Pos, only: &got}
}

// attribute returns an attribute of a value that is an integer.
func attribute(of any, name string) int64 {
	v, err := of.(starlark.HasAttrs).Attr(name)
	if err != nil {
		panic(failed{err})
	}
	n, _ := starlark.AsInt32(v)
	return int64(n)
}

// fixed returns a place whose address is computed only once, by prepare. Then it may be read and set.
func (c *compiler) fixed(p place) (prepare func(*frame), fixed place) {
	if p.v != nil || p.addr == nil {
		return func(*frame) {}, p
	}
	h, addr := c.hidden(voidPtr), p.addr
	p.addr = func(f *frame) ref { return h.at(f).p }
	return func(f *frame) { h.at(f).p = addr(f) }, p
}

// writable refuses a place that cannot be assigned.
func (p place) writable(at syntax.Pos) {
	switch {
	case p.only != nil:
		panic(syntax.Wrong(at, "this cannot be assigned"))
	case p.t.isArray():
		panic(syntax.Wrong(at, "a whole array cannot be assigned"))
	}
}

// assignment compiles x = y and x op= y, whose value is the assigned one.
func (c *compiler) assignment(e *syntax.Assign) expr {
	p := c.place(e.X)
	p.writable(e.Pos)
	if e.Op == "" {
		return c.assigned(p, c.expr(e.Y), e.Pos)
	}
	prepare, p := c.fixed(p)
	x := c.assigned(p, c.binary(e.Op, p.get(), c.expr(e.Y), e.Pos), e.Pos)
	return after(prepare, x)
}

// assigned compiles the assignment of y to a place; its value is the assigned one.
func (c *compiler) assigned(p place, y expr, at syntax.Pos) expr {
	y = c.convert(y, p.t, at)
	x := expr{t: p.t}
	switch v := p.v; p.t.class() {
	case ints:
		g := y.i
		if v != nil && !v.global {
			x.i = func(f *frame) int64 {
				n := g(f)
				s := &f.slots[v.k]
				s.i, s.set = n, true
				return n
			}
			break
		}
		x.i = func(f *frame) int64 { n := g(f); p.set(f, slot{i: n}); return n }
	case reals:
		g := y.f
		x.f = func(f *frame) float64 { n := g(f); p.set(f, slot{f: n}); return n }
	case refs:
		g := y.p
		x.p = func(f *frame) ref { n := g(f); p.set(f, slot{p: n}); return n }
	case values:
		g := y.v
		x.v = func(f *frame) any {
			n := g(f)
			if v, ok := n.(starlark.Value); ok {
				n = f.r.Copy(v)
			}
			p.set(f, slot{v: n})
			return n
		}
	case records:
		n := int(p.t.width())
		x.p = func(f *frame) ref {
			from, to := y.p(f), p.addr(f)
			copyCells(at, to, from, n)
			return to
		}
	default:
		panic(syntax.Wrong(at, "nothing can be assigned to this"))
	}
	return x
}

// step compiles x++ and the like. kept tells that the value is used.
func (c *compiler) step(e *syntax.Step, kept bool) expr {
	p := c.place(e.X)
	p.writable(e.Pos)
	prepare, p := c.fixed(p)
	old := p.get()
	next := c.assigned(p, c.binary("+", old, number(intType, e.By), e.Pos), e.Pos)
	if !e.Post || !kept {
		return after(prepare, next)
	}
	return ofSlot(p.t, func(f *frame) slot {
		prepare(f)
		n := old.value(f)
		next.value(f)
		return n
	})
}

// declare returns a function that makes a variable and gives it its initial value; nil: nothing has to be done.
func (c *compiler) declare(v *variable, d *syntax.Var) func(*frame) {
	switch {
	case v.number != nil:
		return nil
	case v.t.wide():
		return c.declareEntries(v, d)
	}
	p := c.variablePlace(v, d.Pos)
	var init func(*frame)
	if d.Init != nil {
		if l, ok := d.Init.(*syntax.List); ok && len(l.Items) == 1 {
			d.Init = l.Items[0]
		}
		init = c.assigned(p, c.expr(d.Init), d.Pos).effect()
	}
	return func(f *frame) {
		switch {
		case v.boxed:
			v.at(f).p = ref{f.newMemory(d.Pos, v.t, 1), 0}
		case v.t.isStatus():
			*v.at(f) = slot{set: true, v: f.newStatus()}
		default:
			*v.at(f) = slot{}
		}
		if init != nil {
			init(f)
		}
	}
}

// declareEntries returns a function that makes an array of C.
func (c *compiler) declareEntries(v *variable, d *syntax.Var) func(*frame) {
	t, base := v.t, v.t.base()
	l := &initialEntries{c: c}
	if d.Init != nil {
		l.fill(t, d.Init, 0)
	}
	first := int(syntax.Truth(c.fortran))
	// Memory of a fixed array is made once for a call: what a loop declares again is set to its values again.
	return func(f *frame) {
		m := f.newMemory(d.Pos, base, t.cells(f))
		m.named, m.first = v.name, first
		v.at(f).p = ref{m, 0}
		if base.isStatus() {
			f.fillStatuses(m)
		}
		for _, e := range l.list {
			m.put(int(e.at), e.x.t, e.x.value(f))
		}
	}
}

// initialEntries has the values that a declaration gives the entries of an array or structure.
type initialEntries struct {
	c    *compiler
	list []initialEntry
}

// initialEntry is the value of an entry, and its place in memory.
type initialEntry struct {
	at int64
	x  expr
}

func (l *initialEntries) add(at int64, x expr) { l.list = append(l.list, initialEntry{at, x}) }

// fill adds the values of an entry, or of what lies in it, which begins at a place in memory.
func (l *initialEntries) fill(t *typ, e syntax.Expr, at int64) {
	list, isList := e.(*syntax.List)
	text, isText := e.(*syntax.String)
	switch {
	case isText && t.isArray() && t.elem.kind == syntax.Char:
		for i := range len(text.Value) {
			l.add(at+int64(i), number(charType, int64(int8(text.Value[i]))))
		}
	case isList && t.wide():
		if rest := l.fillAll(t, list, list.Items, at); len(rest) > 0 {
			n, _ := t.fixed()
			panic(syntax.Wrong(list.Pos, "%d values are given for %d entries", len(list.Items), n))
		}
	case isList && len(list.Items) == 1:
		l.fill(t, list.Items[0], at)
	case t.isArray():
		panic(syntax.Wrong(e.At(), "write the values of an array in braces"))
	default:
		l.add(at, l.c.convert(l.c.expr(e), t, e.At()))
	}
}

// fillAll gives the entries or fields of t the items of a list, and returns the items that are left. An array or structure in t
// takes items of the same list where it has no braces of its own.
func (l *initialEntries) fillAll(t *typ, list *syntax.List, items []syntax.Expr, at int64) []syntax.Expr {
	one := func(of *typ, at int64) {
		_, isList := items[0].(*syntax.List)
		_, isText := items[0].(*syntax.String)
		if !of.wide() || isList || isText && of.isArray() && of.elem.kind == syntax.Char || of.rec != nil && l.c.expr(items[0]).t.rec == of.rec {
			l.fill(of, items[0], at)
			items = items[1:]
			return
		}
		items = l.fillAll(of, list, items, at)
	}
	if t.rec != nil && list.Names != nil && len(items) == len(list.Names) {
		for _, name := range list.Names {
			f := t.field(list.Pos, name)
			one(f.t, at+int64(f.cell))
		}
		return items
	}
	if t.rec != nil {
		for _, f := range t.rec.fields {
			if len(items) > 0 {
				one(f.t, at+int64(f.cell))
			}
		}
		return items
	}
	by, _ := t.elem.fixed()
	for i := int64(0); len(items) > 0 && (i < t.n || t.n < 0); i++ {
		one(t.elem, at+i*by)
	}
	return items
}
