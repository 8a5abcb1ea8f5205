package machine

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// Program is a program that ranks can run, made of one file.
type Program struct {
	file    string
	args    []string
	main    *function
	init    []exec // of global variables
	globals []*variable
	handles []string // variables of the main program that hold handles
}

// variable is a variable or parameter.
type variable struct {
	syntax.Pos
	name   string
	t      *typ
	k      int // its slot
	global bool
	boxed  bool  // it lies in memory, because the program takes its address
	number *expr // its value, where it is a constant that is known
	shown  bool  // it is the session's variable, too
}

func (v *variable) at(f *frame) *slot {
	if v.global {
		return &f.globals[v.k]
	}
	return &f.slots[v.k]
}

// function is a function of the program.
type function struct {
	name   string
	pos    syntax.Pos
	tree   *syntax.Func
	params []*variable
	result *typ
	size   int // slots
	body   exec
	entry  []exec // what computes the lengths of its parameters
}

// exec carries a statement out.
type exec func(*frame) flow

// flow is how a statement ends.
type flow uint8

const (
	goesOn flow = iota
	breaks
	continues
	returns
)

// compiler makes a Program of a tree.
type compiler struct {
	*Program
	fortran bool
	funcs   map[string]*function
	records map[*syntax.Type]*typ
	scopes  []map[string]*variable
	fn      *function
	boxed   map[string]bool // names whose address the function takes
	loops   []string        // labels of the loops around the statement
	entry   *[]exec         // gets what computes lengths
}

// New compiles the text of a file of C or Fortran. args are the program's arguments. The error about a program that is
// wrong, or uses more than is supported, is a *program.Error.
func New(file, text string, args []string) (p *Program, err error) {
	name := file
	if tongue.Comment(file) == "" {
		name = "prog" + tongue.Program(text)
	}
	read, fortran := syntax.C, tongue.Comment(name) == "!"
	if fortran {
		read = syntax.Fortran
	}
	if fixedForm.MatchString(name) {
		text = syntax.Free(text)
	}
	tree, err := read(text)
	if err == nil {
		err = syntax.Catch(func() { p = compile(file, name, tree, args) })
	}
	var e *syntax.Error
	if errors.As(err, &e) {
		text := e.Message
		if c := tongue.Find(e.Call, fortran); c != nil {
			text += "; prototype: " + c.Signature
		}
		if e.Beyond {
			text += ": run it under a real MPI, and see it here: commsplit record -- mpirun -n 4 " + name
		}
		return nil, &program.Error{File: file, Line: e.Line, Col: e.Col, Message: text}
	}
	return p, err
}

// fixedForm matches the names of files of Fortran in fixed form.
var fixedForm = regexp.MustCompile(`(?i)\.(f|for|f77)$`)

// Code returns the program as a chunk of a session runs it.
func (c *Program) Code() *program.Code { return program.Native(c.run, c.handles) }

func compile(file, name string, tree *syntax.Program, args []string) *Program {
	c := &compiler{Program: &Program{file: file, args: append([]string{"./" + strings.TrimSuffix(name, filepath.Ext(name))}, args...)},
		fortran: tree.Fortran, funcs: map[string]*function{}, records: map[*syntax.Type]*typ{}, scopes: []map[string]*variable{{}}, fn: &function{}}
	c.entry = &c.init
	c.declareFuncs(tree.Funcs)
	for _, g := range tree.Globals {
		c.permanent(g)
	}
	c.main = c.funcs["main"]
	if c.main == nil || c.main.tree.Body == nil {
		what := "the function main is missing"
		if tree.Fortran {
			what = "the main program is missing: program NAME ... end program"
		}
		panic(syntax.Wrong(syntax.Pos{Line: 1, Col: 1}, "%s", what))
	}
	for _, f := range tree.Funcs {
		if f.Body != nil {
			c.function(c.funcs[f.Name])
		}
	}
	return c.Program
}

func (c *compiler) declareFuncs(list []*syntax.Func) {
	for _, f := range list {
		if old := c.funcs[f.Name]; old != nil && (f.Body == nil || old.tree.Body != nil) {
			if f.Body != nil {
				panic(syntax.Wrong(f.Pos, "%s is defined twice", f.Name))
			}
			continue
		}
		fn := &function{name: f.Name, pos: f.Pos, tree: f}
		if f.Result != nil {
			fn.result = c.typ(f.Result, f.Pos)
		}
		c.funcs[f.Name] = fn
	}
}

// permanent declares a variable that keeps its value: one outside functions, or a static one of a function.
func (c *compiler) permanent(d *syntax.Var) {
	v := &variable{Pos: d.Pos, name: d.Name, k: len(c.globals), global: true}
	c.globals = append(c.globals, v)
	if old := c.scopes[len(c.scopes)-1][d.Name]; old != nil && d.Init == nil { // extern, or declared again
		return
	}
	c.settle(v, d)
	c.scopes[len(c.scopes)-1][d.Name] = v
	if init := c.declare(v, d); init != nil {
		c.init = append(c.init, doing(init))
	}
}

// settle gives a variable its type. The initial value may tell the length of an array.
func (c *compiler) settle(v *variable, d *syntax.Var) {
	t := d.Type
	if t.Kind == syntax.Array && t.Len == nil && d.Init != nil {
		n := 0
		switch init := d.Init.(type) {
		case *syntax.List:
			n = len(init.Items)
			if elem := c.typ(t.Elem, d.Pos); n > 0 && elem.isArray() {
				if _, braces := init.Items[0].(*syntax.List); !braces {
					each, _ := elem.fixed()
					n = (n + int(each) - 1) / max(int(each), 1)
				}
			}
		case *syntax.String:
			n = len(init.Value) + 1
		}
		copied := *t
		copied.Len = &syntax.Number{Type: &syntax.Type{Kind: syntax.Int}, Int: int64(n)}
		t = &copied
	}
	v.t = c.typ(t, d.Pos)
	if v.t.kind == syntax.Void {
		panic(syntax.Wrong(d.Pos, "%s cannot be void", d.Name))
	}
	v.boxed = !v.t.wide() && (v.global || c.boxed[d.Name]) && v.t.class() != none && !v.t.isStatus()
	v.shown = v.t.kind == syntax.Handle && v.t.name == "MPI_Comm" && (c.fn.name == "main" || c.fortran && v.global)
	if v.shown && !slices.Contains(c.handles, v.name) {
		c.handles = append(c.handles, v.name)
	}
	if d.Constant && d.Init != nil && v.t.class() == ints {
		if x, ok := c.constant(d.Init); ok {
			n := number(v.t, wrap(v.t.kind, x))
			v.number = &n
		}
	}
}

// typ returns a type with its lengths. A length that the program computes gets a variable.
func (c *compiler) typ(t *syntax.Type, at syntax.Pos) *typ {
	switch t.Kind {
	case syntax.Pointer:
		return pointerTo(c.typ(t.Elem, at))
	case syntax.Function:
		return &typ{kind: syntax.Function, elem: c.typ(t.Elem, at)}
	case syntax.Handle:
		return handleType(t.Name)
	case syntax.Record:
		return c.record(t, at)
	case syntax.Array:
		a := &typ{kind: syntax.Array, elem: c.typ(t.Elem, at)}
		if t.Len == nil {
			panic(syntax.Wrong(at, "the number of entries of the array is missing"))
		}
		if n, ok := c.constant(t.Len); ok {
			if n < 0 {
				panic(syntax.Wrong(at, "an array cannot have %d entries", n))
			}
			a.n = n
			return a
		}
		n := c.convert(c.expr(t.Len), longType, at)
		a.n, a.slot = -1, c.hidden(longType)
		v := a.slot
		*c.entry = append(*c.entry, doing(func(f *frame) { v.at(f).i = n.i(f) }))
		return a
	}
	of := &typ{kind: t.Kind, name: t.Name}
	if t.Kind == syntax.Text && t.Len != nil {
		of.n, _ = c.constant(t.Len) // 0: computed
	}
	return of
}

// hidden makes a variable without a name.
func (c *compiler) hidden(t *typ) *variable {
	v := &variable{t: t}
	if len(c.scopes) == 1 {
		v.global, v.k = true, len(c.globals)
		c.globals = append(c.globals, v)
		return v
	}
	v.k = c.fn.size
	c.fn.size++
	return v
}

// cells returns how many cells a value of the type has in memory.
func (t *typ) cells(f *frame) int64 {
	n := t.width()
	for ; t.kind == syntax.Array; t = t.elem {
		if t.slot != nil {
			n *= t.slot.at(f).i
		} else {
			n *= t.n
		}
	}
	return n
}

// fixed returns how many cells a value of the type has in memory; false if the program computes a length.
func (t *typ) fixed() (int64, bool) {
	n := t.width()
	for ; t.kind == syntax.Array; t = t.elem {
		if t.slot != nil {
			return 0, false
		}
		n *= t.n
	}
	return n, true
}

// constant returns the value of an expression of known integers; false for another expression.
func (c *compiler) constant(e syntax.Expr) (int64, bool) {
	return syntax.Constant(e, func(e syntax.Expr) (int64, bool) {
		switch e := e.(type) {
		case *syntax.Ident:
			if v := c.lookup(e.Name); v != nil {
				if v.number != nil && v.number.num != nil {
					return *v.number.num, true
				}
				return 0, false
			}
			return c.integer(e.Name)
		case *syntax.Cast:
			if e.Type.Kind <= syntax.ULong {
				n, ok := c.constant(e.X)
				return wrap(e.Type.Kind, n), ok
			}
		case *syntax.Sizeof:
			if e.Type != nil && e.Type.Kind != syntax.Array {
				return *c.sizeof(e).num, true
			}
		}
		return 0, false
	})
}

func (c *compiler) lookup(name string) *variable {
	for _, s := range slices.Backward(c.scopes) {
		if v := s[name]; v != nil {
			return v
		}
	}
	return nil
}

// within calls f in a new scope.
func (c *compiler) within(f func()) {
	c.scopes = append(c.scopes, map[string]*variable{})
	f()
	c.scopes = c.scopes[:len(c.scopes)-1]
}

// local makes a variable of the function.
func (c *compiler) local(d *syntax.Var) *variable {
	v := &variable{Pos: d.Pos, name: d.Name, k: c.fn.size}
	c.fn.size++
	c.scopes[len(c.scopes)-1][d.Name] = v
	return v
}

// function compiles the body of a function.
func (c *compiler) function(fn *function) {
	before, boxed, entry := c.fn, c.boxed, c.entry
	c.fn, c.boxed, c.entry = fn, map[string]bool{}, &fn.entry
	c.findBoxed(fn.tree.Body)
	c.within(func() {
		for _, d := range fn.tree.Params {
			v := c.local(d)
			c.settle(v, d)
			fn.params = append(fn.params, v)
		}
		fn.body = c.block(fn.tree.Body)
	})
	c.fn, c.boxed, c.entry = before, boxed, entry
}

// call calls the function with computed arguments.
func (fn *function) call(f *frame, at syntax.Pos, args []slot) slot {
	if f.depth++; f.depth > mostDepth {
		wrong(at, "more than %d nested calls: a recursion needs a case that ends it", mostDepth)
	}
	f.step()
	g := &frame{process: f.process, slots: make([]slot, fn.size)}
	for i, v := range fn.params {
		a := args[i]
		if v.boxed || v.t.rec != nil { // a structure is passed as a copy
			a = slot{p: inMemory(v.t, a)}
		}
		a.set = true
		g.slots[v.k] = a
	}
	for _, e := range fn.entry {
		e(g)
	}
	fn.body(g)
	f.depth--
	return g.ret
}

// mainArgs returns argc and argv.
func (c *Program) mainArgs() []slot {
	if len(c.main.params) == 0 {
		return nil
	}
	argv := &memory{kind: syntax.Pointer, any: make([]any, len(c.args)+1), named: "argv"}
	for i, a := range c.args {
		argv.any[i] = ref{textMemory(a), 0}
	}
	return []slot{{i: int64(len(c.args))}, {p: ref{argv, 0}}, {}}[:min(len(c.main.params), 3)]
}

// textMemory returns memory with a text of C and its null character.
func textMemory(s string) *memory {
	m := &memory{kind: syntax.Char, cells: make([]uint64, len(s)+1), named: "the text"}
	for i := range len(s) {
		m.cells[i] = uint64(int64(int8(s[i])))
	}
	return m
}

// unknown reports a name that nothing declares.
func (c *compiler) unknown(at syntax.Pos, name string) {
	var names []string
	for _, s := range c.scopes {
		for n := range s {
			names = append(names, n)
		}
	}
	for n := range c.funcs {
		names = append(names, n)
	}
	slices.Sort(names)
	hint := ""
	if near := spell.Nearest(name, names); near != "" {
		hint = "; did you mean " + near + "?"
	}
	panic(syntax.Wrong(at, "%s is not declared%s", name, hint))
}
