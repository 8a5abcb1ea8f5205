package syntax

import (
	"regexp"
	"slices"
	"strings"
)

// statements reads statements up to end, else, case or contains.
func (p *fortran) statements() []Stmt {
	var list []Stmt
	for p.blank(); ; p.blank() {
		t := p.peek()
		if p.isEnd() || t.kind == name && !p.ahead(1).is("=") && (slices.Contains([]string{"else", "elseif", "contains"}, t.text) ||
			t.text == "case") {
			return list
		}
		read := p.statement
		if t.kind == number {
			read = p.labelled
		}
		if s := read(); s != nil {
			list = append(list, s)
		}
		if p.closed != "" {
			return list
		}
		p.ends()
	}
}

// body reads statements as a block.
func (p *fortran) body() Stmt {
	at := p.peek().Pos
	return &Block{at, p.statements()}
}

// statement reads a statement, but not the end of its line.
func (p *fortran) statement() Stmt {
	t := p.peek()
	if !p.begun && t.kind == name && p.defines() {
		return nil
	}
	p.begun = true
	if t.kind != name || p.ahead(1).is("=") || p.find(t.text) != nil && !p.ahead(1).is(":") {
		return p.assignment()
	}
	label := ""
	if p.ahead(1).is(":") {
		label = p.next().text
		p.next()
		t = p.peek()
	}
	p.next()
	switch t.text {
	case "if":
		return p.condition(t)
	case "do":
		return p.loop(t, label)
	case "exit", "cycle":
		j := &Jump{Pos: t.Pos, Next: t.text == "cycle"}
		if p.peek().kind == name {
			j.Label = p.next().text
		}
		return j
	case "select", "selectcase":
		return p.choice(t)
	case "call":
		return p.calling()
	case "return":
		if p.holds != "" {
			return &Return{t.Pos, &Ident{t.Pos, p.holds}}
		}
		return &Return{Pos: t.Pos}
	case "continue":
		return nil
	case "stop", "error":
		return p.stop(t)
	case "print":
		var format Expr
		switch n := p.peek(); {
		case p.accept("*"):
		case n.kind == number:
			format = p.format(p.next())
		default:
			format = p.expr()
		}
		p.accept(",")
		return p.printing(t.Pos, nil, format, true)
	case "write":
		return p.write(t)
	case "allocate", "deallocate":
		return p.allocation(t)
	case "read":
		return p.read(t)
	case "open", "close", "inquire", "rewind", "goto", "go", "where", "forall", "associate", "block", "nullify", "entry":
		panic(Beyond(t.Pos, "%s is not supported here", t.text))
	}
	if n := p.peek(); p.lines && !n.is("=") && !n.is("(") {
		panic(Beyond(t.Pos, "%s is not allowed here", t.text))
	}
	p.i--
	return p.assignment()
}

func (p *fortran) assignment() Stmt {
	at := p.peek().Pos
	x := p.designator(p.name())
	if p.accept("=>") {
		return p.pointed(at, x)
	}
	p.want("=")
	return p.assign(at, x, p.expr())
}

// assign returns the statement x = y, also for arrays.
func (p *fortran) assign(at Pos, x, y Expr) Stmt {
	if s, ok := x.(*section); ok && s.whole {
		return p.conforming(at, s.of.dims, y, p.assignAny(at, x, y))
	}
	return p.assignAny(at, x, y)
}

// conforming returns a statement that assigns y to an array with these dimensions, and that refuses the result of a
// reshape to another shape.
func (p *fortran) conforming(at Pos, dims []extent, y Expr, assigns Stmt) Stmt {
	shape := p.shapes[y]
	if shape == nil {
		return assigns
	}
	if len(shape.Items) != len(dims) {
		panic(Wrong(at, "the numbers of dimensions differ: reshape makes %d, and the array has %d", len(shape.Items), len(dims)))
	}
	for k, d := range dims {
		assigns = p.whereEqual(at, d.n, shape.Items[k], assigns)
	}
	return assigns
}

// assignAny returns the statement x = y for any shape of y.
func (p *fortran) assignAny(at Pos, x, y Expr) Stmt {
	if p.lines {
		return let(at, x, y)
	}
	if c, ok := x.(*Call); ok {
		if id := c.Fn.(*Ident); id.Name != "%part" {
			panic(Wrong(at, "%s is not declared as an array", id.Name))
		}
		panic(Beyond(at, "a part of a text that is assigned is not supported here"))
	}
	s, isArray := x.(*section)
	from := p.ranged(y)
	switch {
	case !isArray && from != nil:
		panic(Wrong(at, "an array cannot be assigned to what is none"))
	case !isArray:
		return &Do{at, p.set(at, x, y)}
	}
	if l, ok := y.(*List); ok && looped(l) {
		return p.assignLoops(at, s, l)
	} else if ok {
		b := &Block{Pos: at}
		for i, v := range l.Items {
			b.List = append(b.List, &Do{at, p.set(at, p.entryOf(s, p.int(int64(i))), v)})
		}
		return p.whereEqual(at, s.n, p.int(int64(len(l.Items))), b)
	}
	if p.overlaps(s, y) {
		panic(Beyond(at, "an array that is computed from other entries of its own is not supported here"))
	}
	i := p.temporary(at)
	loop := &Count{Pos: at, Var: i, Low: p.int(0), High: p.minus(s.n, p.int(1)), Step: p.int(1)}
	if from == nil { // the value is computed once, unless it is a number that is written there
		loop.Body = &Do{at, p.set(at, p.entryOf(s, i), y)}
		return loop
	}
	loop.Body = &Do{at, p.set(at, p.entryOf(s, i), p.entryOf(y, i))}
	return p.whereEqual(at, s.n, from.n, loop)
}

// let returns the statement x = y.
func let(at Pos, x, y Expr) Stmt { return &Do{at, &Assign{at, "", x, y}} }

// whereEqual returns a statement that assigns entries to n entries, and refuses another number of them.
func (p *fortran) whereEqual(at Pos, n, entries Expr, assigns Stmt) Stmt {
	return &If{at, &Binary{at, "==", n, entries}, assigns, &Do{at, p.own(at, "%differ", n, entries)}}
}

// assignLoops assigns the values of an array constructor with loops.
func (p *fortran) assignLoops(at Pos, s *section, l *List) Stmt {
	k := p.temporary(at)
	next := func(x Expr) Stmt {
		return &Block{at, []Stmt{&Do{at, p.set(at, p.entryOf(s, k), x)}, &Do{at, &Assign{at, "+", k, p.int(1)}}}}
	}
	var assigned func(items []Expr) []Stmt
	assigned = func(items []Expr) (list []Stmt) {
		for _, x := range items {
			if i, ok := x.(*Implied); ok {
				list = append(list, &Count{Pos: at, Var: i.Var, Low: i.Low, High: i.High, Step: i.Step, Body: &Block{at, assigned(i.X)}})
			} else {
				list = append(list, next(x))
			}
		}
		return list
	}
	b := &Block{at, append([]Stmt{let(at, k, p.int(0))}, assigned(l.Items)...)}
	b.List = append(b.List, p.whereEqual(at, s.n, k, &Block{Pos: at}))
	return b
}

// pointed returns the statement x => y of an array.
func (p *fortran) pointed(at Pos, x Expr) Stmt {
	to, ok := x.(*section)
	y := p.expr()
	if c, isCall := y.(*Call); isCall && ok && to.of.alloc && named(c.Fn) == "null" {
		return let(at, &Ident{at, to.of.name}, &Ident{at, "NULL"})
	}
	from, isArray := y.(*section)
	if !ok || !isArray || !to.of.alloc || !to.whole || !from.whole && len(to.of.dims) > 1 || from.whole && len(from.of.dims) != len(to.of.dims) {
		panic(Beyond(at, "a pointer to this is not supported here"))
	}
	b := &Block{Pos: at}
	for k, d := range to.of.dims {
		bounds := extent{n: from.n, low: p.int(1)}
		if from.whole {
			bounds = from.of.dims[k]
		}
		b.List = append(b.List, let(at, d.n, bounds.n0()), let(at, d.low, bounds.low))
	}
	b.List = append(b.List, let(at, &Ident{at, to.of.name}, p.address(from)))
	return b
}

// drawn reads the argument of random_number.
func (p *fortran) drawn(t token) Stmt {
	c := p.arguments(t)
	if len(c.Args) != 1 {
		panic(Wrong(t.Pos, "random_number takes one argument"))
	}
	return p.assign(t.Pos, c.Args[0], p.own(t.Pos, "%random"))
}

// overlaps reports whether an expression reads other entries of the array than the one that is set.
func (p *fortran) overlaps(s *section, y Expr) (found bool) {
	Walk(y, func(e Expr) bool {
		switch e := e.(type) {
		case *section:
			found = found || e.of == s.of && !(e.whole && s.whole)
		case *Ident:
			found = found || e.Name == s.of.name
		}
		return true
	})
	return found
}

// set returns x = y for x that is not an array. A text is padded to the length of its variable.
func (p *fortran) set(at Pos, x, y Expr) Expr {
	if e := p.entityOf(x); e != nil && e.t.Kind == Text {
		n := e.t.Len
		if n == nil {
			n = p.own(at, "len", x)
		}
		y = p.own(at, "%pad", y, n)
	}
	return &Assign{at, "", x, y}
}

// entityOf returns the variable of a place; nil for none.
func (p *fortran) entityOf(x Expr) *entity {
	if id := Root(x); id != nil {
		return p.find(id.Name)
	}
	return nil
}

func (p *fortran) condition(t token) Stmt {
	p.want("(")
	s := &If{Pos: t.Pos, Cond: p.expr()}
	p.want(")")
	if !p.word("then") {
		if s.Then = p.statement(); s.Then == nil {
			s.Then = &Block{Pos: t.Pos}
		}
		return s
	}
	p.ends()
	s.Then = p.body()
	e := p.peek()
	switch {
	case p.word("elseif"), e.text == "else" && p.ahead(1).text == "if":
		if e.text == "else" {
			p.i += 2
		}
		s.Else = p.condition(e)
		return s
	case p.word("else"):
		p.skipLine()
		s.Else = p.body()
	}
	p.closing("if")
	return s
}

// closing reads "end if" and the like, but not the end of its line.
func (p *fortran) closing(construct string) {
	p.endOf(construct)
	for p.i > 0 && p.list[p.i-1].kind == break_ {
		p.i--
	}
}

func (p *fortran) loop(t token, label string) Stmt {
	switch {
	case p.word("while"):
		p.want("(")
		l := &Loop{Pos: t.Pos, Label: label, Cond: p.expr()}
		p.want(")")
		p.ends()
		l.Body = p.body()
		p.closing("do")
		return l
	case p.peek().kind == break_:
		l := &Loop{Pos: t.Pos, Label: label, Body: p.body()}
		p.closing("do")
		return l
	}
	last := p.peek()
	if last.kind == number {
		p.next()
		p.accept(",")
	}
	if p.peek().text == "concurrent" && p.ahead(1).is("(") {
		return p.concurrent(t, label)
	}
	c := &Count{Pos: t.Pos, Label: label, Var: p.designator(p.name()), Step: p.int(1)}
	p.want("=")
	c.Low = p.expr()
	p.want(",")
	c.High = p.expr()
	if p.accept(",") {
		c.Step = p.expr()
	}
	if last.kind == number {
		c.Body = p.upTo(last)
		return c
	}
	p.ends()
	c.Body = p.body()
	p.closing("do")
	return c
}

// concurrent reads do concurrent (i = low:high:step, j = ...), whose turns run in their order here.
func (p *fortran) concurrent(t token, label string) Stmt {
	p.i += 2
	var outer, inner *Count
	for !p.accept(")") {
		v := p.name()
		c := &Count{Pos: t.Pos, Label: label, Var: p.designator(v), Step: p.int(1)}
		if !p.peek().is("=") {
			p.unexpected(p.peek(), "do concurrent (i = low:high) is supported without a mask: = is expected before")
		}
		r := p.subscript(nil, nil)
		if r.Step == nil || r.High == nil {
			p.unexpected(p.peek(), "do concurrent (i = low:high): : is expected before")
		}
		c.Low, c.High, c.Step = r.Low, r.High, r.Step
		if inner != nil {
			inner.Body = c
		} else {
			outer = c
		}
		inner = c
		p.accept(",")
	}
	p.ends()
	inner.Body = p.body()
	p.closing("do")
	return outer
}

func (p *fortran) choice(t token) Stmt {
	if t.text == "select" && !p.word("case") {
		panic(Beyond(t.Pos, "select %s is not supported here", p.peek().text))
	}
	p.want("(")
	s := &Switch{Pos: t.Pos, X: p.expr()}
	p.want(")")
	p.ends()
	for p.word("case") {
		k := Case{Pos: p.peek().Pos}
		if !p.word("default") {
			for p.peek().is("(") || p.peek().is(",") {
				r := p.subscript(nil, nil)
				if r.Step != nil {
					k.Values = append(k.Values, r)
				} else {
					k.Values = append(k.Values, r.Low)
				}
			}
			p.want(")")
		}
		p.ends()
		k.Body = p.statements()
		s.Cases = append(s.Cases, k)
	}
	p.closing("select")
	return s
}

func (p *fortran) calling() Stmt {
	t := p.name()
	switch {
	case p.lines:
	case t.text == "random_number":
		return p.drawn(t)
	case t.text == "getarg":
		t.text = "get_command_argument"
	case t.text == "random_seed": // each run draws the same numbers
		if p.peek().is("(") {
			if p.ahead(1).text == "size" {
				p.i += 3
				x := p.expr()
				p.want(")")
				return p.assign(t.Pos, x, p.int(8))
			}
			p.skip()
		}
		return nil
	}
	c := &Call{Pos: t.Pos, Fn: &Ident{t.Pos, t.text}, End: p.peek().Pos}
	if !p.peek().ends() {
		c = p.arguments(t)
	}
	if t.text != "flush" && !p.lines {
		p.pass(c)
	}
	return &Do{t.Pos, c}
}

// stop reads stop and error stop, with a number or a text.
func (p *fortran) stop(t token) Stmt {
	code := p.int(0)
	if t.text == "error" {
		code = p.int(1)
		if !p.word("stop") {
			p.unexpected(p.peek(), "stop is expected before")
		}
	}
	if p.peek().ends() {
		return &Do{t.Pos, p.own(t.Pos, "exit", code)}
	}
	x := p.expr()
	if _, isText := x.(*String); !isText {
		return &Do{t.Pos, p.own(t.Pos, "exit", x)}
	}
	return &Block{t.Pos, []Stmt{&Do{t.Pos, p.own(t.Pos, "%line", x, p.int(1))}, &Do{t.Pos, p.own(t.Pos, "exit", code)}}}
}

// control is what stands in brackets behind write or read.
type control struct {
	text, format Expr // text: the variable that is written or read; nil: standard output or input
	part         bool // advance="no"
	status       Expr // the variable of iostat
}

// control reads (unit, format, advance="no", iostat=n). units are the numbers of standard output or input.
func (p *fortran) control(t token, units ...int64) (c control) {
	p.want("(")
	listed := false
	for k := 0; !p.accept(")"); k++ {
		what := []string{"unit", "fmt"}[min(k, 1)]
		if p.peek().kind == name && p.ahead(1).is("=") {
			what = p.next().text
			p.next()
		}
		at := p.peek()
		if p.accept("*") {
			listed = listed || what == "fmt"
		} else if what == "fmt" && at.kind == number {
			c.format = p.format(p.next())
		} else {
			x := p.expr()
			name, _ := x.(*Ident)
			switch s, _ := x.(*String); {
			case what == "unit" && (slices.ContainsFunc(units, func(n int64) bool { return isInt(x, n) }) || name != nil && p.units[name.Name]):
			case what == "unit" && p.entityOf(x) != nil && p.entityOf(x).t.Kind == Text:
				c.text = x
			case what == "fmt":
				c.format = x
			case what == "advance" && s != nil:
				c.part = strings.EqualFold(s.Value, "no")
			case what == "iostat":
				c.status = x
			default:
				panic(Beyond(at.Pos, "%s= to a file, or of another kind, is not supported here", what))
			}
		}
		p.accept(",")
	}
	if !listed && c.format == nil {
		panic(Beyond(t.Pos, "%s without a format is not supported here", t.text))
	}
	return c
}

// write reads write(unit, format, advance="no") items.
func (p *fortran) write(t token) Stmt {
	c := p.control(t, 6, 0)
	s := p.printing(t.Pos, c.text, c.format, !c.part)
	if c.status == nil {
		return s
	}
	return &Block{t.Pos, []Stmt{s, &Do{t.Pos, p.set(t.Pos, c.status, p.int(0))}}}
}

// read reads read(unit, format, iostat=n) items, and read *, items.
func (p *fortran) read(t token) Stmt {
	var c control
	if p.accept("*") {
		p.accept(",")
	} else {
		c = p.control(t, 5)
	}
	if s, ok := c.format.(*String); c.part || c.format != nil && !(ok && wholeLine.MatchString(s.Value)) {
		panic(Beyond(t.Pos, "read with a format other than * and (A) is not supported here"))
	}
	kept := p.int(0)
	if c.status != nil {
		kept = p.int(1)
	}
	begin := p.own(t.Pos, "%reads", kept)
	if c.text != nil {
		begin = p.own(t.Pos, "%reads", kept, c.text)
	}
	b := &Block{t.Pos, []Stmt{&Do{t.Pos, begin}}}
	for !p.peek().ends() {
		if b.List = append(b.List, p.reads(p.item(), c.format != nil)); !p.accept(",") {
			break
		}
	}
	done := p.own(t.Pos, "%readdone")
	if c.status != nil {
		done = p.set(t.Pos, c.status, done)
	}
	b.List = append(b.List, &Do{t.Pos, done})
	return b
}

// wholeLine matches the formats that read a line.
var wholeLine = regexp.MustCompile(`(?i)^ *\( *a *\d* *\) *$`)

// reads returns the statement that gives an item of read its value.
func (p *fortran) reads(x Expr, line bool) Stmt {
	at := x.At()
	if l, ok := x.(*Implied); ok {
		b := &Block{Pos: at}
		for _, x := range l.X {
			b.List = append(b.List, p.reads(x, line))
		}
		return &Count{Pos: at, Var: l.Var, Low: l.Low, High: l.High, Step: l.Step, Body: b}
	}
	e := p.entityOf(x)
	switch {
	case e == nil || e.constant:
		panic(Wrong(at, "read wants variables"))
	case line && e.t.Kind != Text:
		panic(Beyond(at, "format A for what is not a text is not supported here"))
	case line:
		return &Do{at, p.set(at, x, p.own(at, "%record"))}
	case e.t.Kind == Text:
		return &Do{at, p.set(at, x, p.own(at, "%item", &String{at, ""}))}
	}
	return &Do{at, p.set(at, x, p.own(at, "%item", &Number{Pos: at, Type: e.t}))}
}

// printing reads the items of print or write, and returns the call that shows them.
func (p *fortran) printing(at Pos, into, format Expr, line bool) Stmt {
	var items []Expr
	for !p.peek().ends() {
		x := p.item()
		if l, ok := x.(*List); ok { // an array constructor
			items = append(items, l.Items...)
		} else {
			items = append(items, x)
		}
		if !p.accept(",") {
			break
		}
	}
	shown := p.own(at, "%list", items...)
	if format != nil {
		shown = p.own(at, "%format", append([]Expr{format}, items...)...)
	}
	if into != nil {
		return &Do{at, p.set(at, into, shown)}
	}
	n := p.int(0)
	if line {
		n = p.int(1)
	}
	return &Do{at, p.own(at, "%line", shown, n)}
}

// item reads an expression, an array, or (a(i), i = low, high).
func (p *fortran) item() Expr {
	if t := p.peek(); t.is("(") {
		from := p.i
		p.next()
		l := &Implied{Pos: t.Pos, X: []Expr{p.item()}, Step: p.int(1)}
		for p.accept(",") {
			if p.peek().kind == name && p.ahead(1).is("=") {
				l.Var, _ = p.designator(p.name()).(*Ident)
				if l.Var == nil {
					panic(Beyond(t.Pos, "an argument as the variable of this loop is not supported here"))
				}
				p.next()
				l.Low = p.expr()
				p.want(",")
				l.High = p.expr()
				if p.accept(",") {
					l.Step = p.expr()
				}
				p.want(")")
				return l
			}
			l.X = append(l.X, p.item())
		}
		p.i = from
	}
	x := p.expr()
	if s := p.ranged(x); s != nil {
		return p.implied(x, s)
	}
	return x
}

// allocation reads allocate and deallocate.
func (p *fortran) allocation(t token) Stmt {
	p.want("(")
	b := &Block{Pos: t.Pos}
	for {
		n := p.name()
		if p.accept("=") {
			if n.text != "stat" {
				panic(Beyond(n.Pos, "%s= is not supported here", n.text))
			}
			b.List = append(b.List, &Do{n.Pos, p.set(n.Pos, p.expr(), p.int(0))}) // without memory the program ends
			p.want(")")
			return b
		}
		e := p.find(n.text)
		if e == nil || !e.alloc {
			panic(Wrong(n.Pos, "%s is not declared as allocatable", n.text))
		}
		array := &Ident{n.Pos, n.text}
		if t.text == "deallocate" {
			b.List = append(b.List, &Do{n.Pos, p.own(n.Pos, "free", array)}, let(n.Pos, array, &Ident{n.Pos, "NULL"}))
		} else {
			dims := p.extents()
			if len(dims) != len(e.dims) {
				panic(Wrong(n.Pos, "%s has %d dimensions, not %d", n.text, len(e.dims), len(dims)))
			}
			for k, d := range dims {
				b.List = append(b.List, let(n.Pos, e.dims[k].n, d.n), let(n.Pos, e.dims[k].low, d.low))
			}
			bytes := &Binary{n.Pos, "*", e.length(p), &Sizeof{Pos: n.Pos, Type: e.t}}
			b.List = append(b.List, let(n.Pos, array, p.own(n.Pos, "malloc", bytes)))
		}
		if !p.accept(",") {
			p.want(")")
			return b
		}
	}
}
