package machine

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// block compiles statements in a scope of their own.
func (c *compiler) block(b *syntax.Block) exec {
	var list []exec
	c.within(func() { list = c.stmts(b.List) })
	return sequence(list)
}

func (c *compiler) stmts(stmts []syntax.Stmt) []exec {
	var list []exec
	for _, s := range stmts {
		if x := c.stmt(s); x != nil {
			list = append(list, x)
		}
	}
	return list
}

func sequence(list []exec) exec {
	switch len(list) {
	case 0:
		return func(*frame) flow { return goesOn }
	case 1:
		return list[0]
	}
	return func(f *frame) flow {
		for _, x := range list {
			if how := x(f); how != goesOn {
				return how
			}
		}
		return goesOn
	}
}

func doing(do func(*frame)) exec {
	return func(f *frame) flow { do(f); return goesOn }
}

// lengths calls compile, and returns what computes the lengths of arrays in it, right before it runs.
func (c *compiler) lengths(compile func()) (before []exec) {
	entry := c.entry
	c.entry = &before
	compile()
	c.entry = entry
	return before
}

func (c *compiler) stmt(s syntax.Stmt) exec {
	switch s := s.(type) {
	case *syntax.Block:
		return c.block(s)
	case *syntax.Declare:
		return c.declaration(s)
	case *syntax.Do:
		var do func(*frame)
		before := c.lengths(func() {
			do = c.effect(s.X)
		})
		return sequence(append(before, doing(do)))
	case *syntax.If:
		is := c.truth(c.expr(s.Cond), s.Pos)
		then := c.stmt(s.Then)
		otherwise := exec(func(*frame) flow { return goesOn })
		if s.Else != nil {
			otherwise = c.stmt(s.Else)
		}
		return func(f *frame) flow {
			if is(f) {
				return then(f)
			}
			return otherwise(f)
		}
	case *syntax.Loop:
		return c.loop(s)
	case *syntax.Count:
		return c.count(s)
	case *syntax.Switch:
		return c.choice(s)
	case *syntax.Jump:
		return c.jump(s)
	case *syntax.Return:
		return c.returning(s)
	}
	panic(syntax.Wrong(s.At(), "this statement is not supported here"))
}

// effect compiles an expression whose value nobody uses.
func (c *compiler) effect(e syntax.Expr) func(*frame) {
	if s, ok := e.(*syntax.Step); ok {
		return c.step(s, false).effect()
	}
	return c.expr(e).effect()
}

func (c *compiler) declaration(s *syntax.Declare) exec {
	var list []exec
	for _, d := range s.Vars {
		if d.Static {
			c.permanent(d)
			continue
		}
		var init func(*frame)
		before := c.lengths(func() {
			if c.scopes[len(c.scopes)-1][d.Name] != nil {
				panic(syntax.Wrong(d.Pos, "%s is declared twice", d.Name))
			}
			v := &variable{Pos: d.Pos, name: d.Name, k: c.fn.size}
			c.fn.size++
			if d.Init != nil { // the value does not see the name, but sizeof may
				c.scopes[len(c.scopes)-1][d.Name] = v
			}
			c.settle(v, d)
			c.scopes[len(c.scopes)-1][d.Name] = v
			init = c.declare(v, d)
		})
		list = append(list, before...)
		if init != nil {
			list = append(list, doing(init))
		}
	}
	return sequence(list)
}

func (c *compiler) loop(s *syntax.Loop) exec {
	first := exec(func(*frame) flow { return goesOn })
	is, post := func(*frame) bool { return true }, func(*frame) {}
	var body exec
	c.within(func() {
		if s.Init != nil {
			first = c.stmt(s.Init)
		}
		if s.Cond != nil {
			is = c.truth(c.expr(s.Cond), s.Pos)
		}
		if s.Post != nil {
			post = c.effect(s.Post)
		}
		body = c.turned(s.Body, s.Label)
	})
	label, afterwards := s.Label, s.After
	return func(f *frame) flow {
		first(f)
		for afterwards || is(f) {
			f.step()
			if how, ends := f.ends(body(f), label); ends {
				return how
			}
			post(f)
			if afterwards && !is(f) {
				break
			}
		}
		return goesOn
	}
}

// turned compiles the body of a loop; a jump in it may name the loop's label.
func (c *compiler) turned(body syntax.Stmt, label string) exec {
	c.loops = append(c.loops, label)
	defer func() { c.loops = c.loops[:len(c.loops)-1] }()
	return c.stmt(body)
}

// ends reports whether a loop ends behind its body, and how the program goes on then.
func (f *frame) ends(how flow, label string) (flow, bool) {
	mine := f.label == "" || f.label == label
	switch {
	case how == goesOn:
		return how, false
	case how == returns || !mine:
		return how, true
	}
	f.label = ""
	return goesOn, how == breaks
}

func (c *compiler) jump(s *syntax.Jump) exec {
	if len(c.loops) == 0 {
		panic(syntax.Wrong(s.Pos, "there is no loop around this"))
	}
	if s.Label != "" && !slices.Contains(c.loops, s.Label) {
		panic(syntax.Wrong(s.Pos, "there is no loop %s around this", s.Label))
	}
	how := breaks
	if s.Next {
		how = continues
	}
	label := s.Label
	return func(f *frame) flow { f.label = label; return how }
}

func (c *compiler) returning(s *syntax.Return) exec {
	t := c.fn.result
	switch {
	case s.X == nil:
		return func(*frame) flow { return returns }
	case t == nil || t.kind == syntax.Void:
		do := c.expr(s.X).effect()
		return func(f *frame) flow { do(f); return returns }
	}
	x := c.convert(c.expr(s.X), t, s.Pos)
	return func(f *frame) flow { f.ret = x.value(f); return returns }
}

// choice compiles switch and select case.
func (c *compiler) choice(s *syntax.Switch) exec {
	x := c.trimmed(c.expr(s.X))
	if x.t.class() != ints && !(c.fortran && x.t.kind == syntax.Text) {
		panic(syntax.Wrong(s.Pos, "switch needs an integer"))
	}
	type branch struct {
		is   func(*frame, slot) bool
		body exec
	}
	var list []branch
	otherwise := -1
	if s.Falls { // break leaves it
		c.loops = append(c.loops, "")
		defer func() { c.loops = c.loops[:len(c.loops)-1] }()
	}
	c.within(func() {
		for i, k := range s.Cases {
			if len(k.Values) == 0 {
				otherwise = i
			}
			body := sequence(c.stmts(k.Body))
			list = append(list, branch{c.matches(x.t, k), body})
		}
	})
	falls := s.Falls
	return func(f *frame) flow {
		v := x.value(f)
		at := slices.IndexFunc(list, func(b branch) bool { return b.is(f, v) })
		if at < 0 {
			at = otherwise
		}
		for ; at >= 0 && at < len(list); at++ {
			how := list[at].body(f)
			switch {
			case falls && how == breaks:
				return goesOn
			case how != goesOn || !falls:
				return how
			}
		}
		return goesOn
	}
}

// matches returns a test whether a value is one of the values of a case.
func (c *compiler) matches(t *typ, k syntax.Case) func(*frame, slot) bool {
	var tests []func(*frame, slot) bool
	for _, e := range k.Values {
		if r, ok := e.(*syntax.Range); ok {
			low, high := number(longType, -1<<63), number(longType, 1<<63-1)
			if r.Low != nil {
				low = c.convert(c.expr(r.Low), longType, r.Pos)
			}
			if r.High != nil {
				high = c.convert(c.expr(r.High), longType, r.Pos)
			}
			tests = append(tests, func(f *frame, s slot) bool { return low.i(f) <= s.i && s.i <= high.i(f) })
			continue
		}
		x := c.convert(c.trimmed(c.expr(e)), t, e.At())
		tests = append(tests, func(f *frame, s slot) bool {
			v := x.value(f)
			return v.i == s.i && v.v == s.v
		})
	}
	return func(f *frame, s slot) bool {
		return slices.ContainsFunc(tests, func(is func(*frame, slot) bool) bool { return is(f, s) })
	}
}

// findBoxed finds the variables whose address a function takes: they lie in memory. A variable that a call of MPI only
// sets need not.
func (c *compiler) findBoxed(b *syntax.Block) {
	onlySet := map[syntax.Expr]bool{}
	syntax.Walk(b, func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.Call:
			f, named := e.Fn.(*syntax.Ident)
			for i, a := range e.Args {
				onlySet[a] = named && c.onlySets(f.Name, i)
				if v, plain := a.(*syntax.Ident); plain && c.fortran && strings.HasPrefix(f.Name, "mpi_") {
					c.boxed[v.Name] = true
				}
			}
		case *syntax.Unary:
			if v, plain := e.X.(*syntax.Ident); plain && e.Op == "&" && !onlySet[e] {
				c.boxed[v.Name] = true
			}
		}
		return true
	})
}
