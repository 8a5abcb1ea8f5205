package syntax

import (
	"fmt"
	"slices"
	"strings"
)

// A program of Fortran becomes the tree that a program of C has: an array lies in one row, column by column, and
// its entry is counted from 0; an argument is passed by its address; the variables of the main program are global.
// So package machine carries both languages out.

// entity is a variable that Fortran declares.
type entity struct {
	name     string
	t        *Type // of an entry
	dims     []extent
	dummy    bool // an argument: its name is that of a pointer
	alloc    bool
	constant bool
	assumed  bool // its extents come with the call
}

// extent is a dimension: its lower bound, and its number of entries.
type extent struct{ low, n Expr }

// section is an array, or a part of it, in an expression: n entries, the first at place at, each step behind the one
// before.
type section struct {
	Pos
	of          *entity
	at, step, n Expr
	whole       bool
}

// scope has the variables of a program unit.
type scope struct {
	vars  map[string]*entity
	host  *scope
	decls []*Var
	first []Stmt // what is done before the statements
	unit  *Func
	holds string // the variable with the result of a function

	begun   bool              // a statement that does something has been read
	inline  map[string]*macro // functions that are one expression: f(x) = 4 / (1 + x * x)
	letters map[byte]*Type    // of names that nothing declares; nil: as the host has them. Empty: implicit none
	params  []string          // names of the arguments
	commons []inCommon
	open    []string // labels at which loops end
	closed  string   // the label that ends a loop, just read
}

func (s *scope) find(name string) *entity {
	for ; s != nil; s = s.host {
		if e := s.vars[name]; e != nil {
			return e
		}
	}
	return nil
}

// fortran reads a file of Fortran.
type fortran struct {
	parser
	*scope
	kinds        map[string]int64 // names of kinds
	units        map[string]bool  // names of output units
	dummys       map[string][]*entity
	external     map[string]bool // names of procedures
	shared       map[string]*Var // in common, by block and number
	common       []*Var          // the same, in their order
	later        []func()        // passes arguments, when all procedures are known
	module       *scope          // of the modules of the file
	modules      []string
	begin        []Stmt // gives variables of modules their values
	temps        int
	shapes       map[Expr]*List // of the results of reshape, where the shape is written there
	inlinedWords int            // that functions of one expression have given
}

// Fortran reads a file of Fortran in free form.
func Fortran(src string) (*Program, error) {
	list, err := wordsOfFortran(src)
	if err != nil {
		return nil, err
	}
	p := newFortran(src, list)
	return p.program, Catch(func() {
		for p.blank(); p.peek().kind != end; p.blank() {
			p.unitOf(p.module)
		}
		p.program.Globals = append(p.program.Globals, p.common...)
		for _, f := range p.later {
			f()
		}
	})
}

func newFortran(src string, list []token) *fortran {
	return &fortran{parser: parser{src: src, list: list, program: &Program{Fortran: true}}, dummys: map[string][]*entity{}, shared: map[string]*Var{}, external: map[string]bool{},
		units:  map[string]bool{"output_unit": true, "error_unit": true, "input_unit": true},
		shapes: map[Expr]*List{},
		kinds: map[string]int64{"real64": 8, "real32": 4, "int64": 8, "int32": 4, "c_double": 8, "c_float": 4, "c_int": 4,
			"mpi_address_kind": 8, "mpi_offset_kind": 8, "mpi_count_kind": 8, "mpi_integer_kind": 4}}
}

// wordsOfFortran cuts a text into words: names in small letters, lines that go on joined.
func wordsOfFortran(src string) ([]token, error) {
	s := &scanner{src: src, line: 1, fortran: true}
	var list []token
	for {
		t, err := s.next(true)
		if err != nil {
			return nil, err
		}
		n := len(list)
		switch {
		case t.is("#"):
			return nil, Beyond(t.Pos, "a line of the preprocessor is not supported here")
		case t.is(";"):
			t.kind = break_
		case t.kind == name:
			t.text = strings.ToLower(t.text)
		}
		if n > 0 && list[n-1].is("&") { // the line goes on
			if t.kind == break_ {
				continue
			}
			if list = list[:n-1]; t.is("&") {
				continue
			}
		}
		if list = append(list, t); t.kind == end {
			return list, nil
		}
	}
}

func (p *fortran) blank() {
	for p.peek().kind == break_ {
		p.i++
	}
}

// skip passes over the words up to the end of the line.
func (p *fortran) skip() {
	for !p.peek().ends() {
		p.i++
	}
}

// ends reads the end of the line, and refuses anything else.
func (p *fortran) ends() {
	if t := p.peek(); !t.ends() {
		p.unexpected(t, "the end of the line is expected, not")
	}
	p.blank()
}

func (p *fortran) skipLine() {
	p.skip()
	p.blank()
}

// unitOf reads the main program or a procedure.
func (p *fortran) unitOf(host *scope) {
	outer := p.scope
	f := &Func{Pos: p.peek().Pos}
	p.scope = &scope{vars: map[string]*entity{}, host: host, unit: f}
	defer func() { p.scope = outer }()
	if p.moduleOf() {
		return
	}
	p.params = p.heading(f)
	p.ends()
	for p.declaration() {
	}
	p.share()
	body := p.statements()
	p.contained()
	p.endOf("program", "subroutine", "function")
	p.finish(f, body)
}

// contained reads contains and the procedures behind it.
func (p *fortran) contained() {
	if !p.word("contains") {
		return
	}
	p.ends()
	for !p.isEnd() {
		p.unitOf(p.scope)
	}
}

// moduleOf reads a module, whose variables are global, and whose names all units behind it see; false: the unit is none.
func (p *fortran) moduleOf() bool {
	if t := p.peek(); t.text != "module" || p.ahead(1).kind != name || p.ahead(1).text == "procedure" {
		return false
	}
	p.next()
	p.modules = append(p.modules, p.next().text)
	p.unit.Name = "main" // its variables keep their values
	p.ends()
	for p.declaration() {
	}
	p.program.Globals = append(p.program.Globals, p.decls...)
	p.decls = nil
	p.begin = append(p.begin, p.first...)
	p.contained()
	p.endOf("module", "", "")
	p.module = p.scope
	return true
}

// heading reads the statement that begins a unit, and returns the names of its arguments.
func (p *fortran) heading(f *Func) (params []string) {
	for p.word("recursive") || p.word("pure") || p.word("elemental") {
	}
	var result *Type
	if t := p.peek(); t.kind == name && p.isType() && !p.ahead(1).is("::") {
		result = p.typeOf()
	}
	switch t := p.next(); {
	case t.kind == name && t.text == "program":
		p.name()
		f.Name, f.Result = "main", &Type{Kind: Int}
	case t.kind == name && (t.text == "subroutine" || t.text == "function"):
		f.Pos, f.Name, f.Result = t.Pos, p.name().text, &Type{Kind: Void}
		if f.Name == "main" {
			panic(Beyond(t.Pos, "a procedure called main is not supported here"))
		}
		if p.accept("(") {
			for !p.accept(")") {
				params = append(params, p.name().text)
				p.accept(",")
			}
		}
		if t.text == "function" {
			p.resultOf(f, result)
		}
	case t.kind == name && slices.Contains([]string{"submodule", "block", "use"}, t.text):
		panic(Beyond(t.Pos, "a %s is not supported here", t.text))
	default:
		p.unexpected(t, "program, subroutine or function is expected, not")
	}
	return params
}

// resultOf reads the name of the variable with a function's result, and declares it where its type is known.
func (p *fortran) resultOf(f *Func, t *Type) {
	p.holds = f.Name
	if p.word("result") {
		p.want("(")
		p.holds = p.name().text
		p.want(")")
	}
	if t != nil {
		p.vars[p.holds] = &entity{name: p.holds, t: t}
		p.decls = append(p.decls, &Var{Pos: f.Pos, Name: p.holds, Type: t})
	}
}

// finish adds a unit to the program as a function.
func (p *fortran) finish(f *Func, body []Stmt) {
	if f.Name == "main" {
		p.program.Globals = append(p.program.Globals, p.decls...)
		p.decls = nil
		p.first = slices.Concat(p.begin, p.first)
	}
	var dummies []*entity
	for _, n := range p.params {
		e := p.vars[n]
		if e == nil {
			e = p.undeclared(token{kind: name, text: n, Pos: f.Pos})
		}
		if e == nil {
			panic(Wrong(f.Pos, "the argument %s of %s is not declared", n, f.Name))
		}
		dummies = append(dummies, e)
		f.Params = append(f.Params, &Var{Pos: f.Pos, Name: n, Type: &Type{Kind: Pointer, Elem: e.t}})
		for k := range e.dims {
			if e.assumed {
				f.Params = append(f.Params, &Var{Pos: f.Pos, Name: extentName(n, k), Type: &Type{Kind: Long}})
			}
		}
	}
	if p.holds != "" {
		e := p.vars[p.holds]
		if e == nil || e.dims != nil {
			panic(Beyond(f.Pos, "the function %s without a type, or with an array as its result, is not supported here", f.Name))
		}
		f.Result = e.t
		body = append(body, &Return{Pos: f.Pos, X: &Ident{f.Pos, p.holds}})
	}
	var list []Stmt
	for _, d := range p.decls {
		list = append(list, &Declare{d.Pos, []*Var{d}})
	}
	f.Body = &Block{f.Pos, slices.Concat(list, p.first, body)}
	p.dummys[f.Name] = dummies
	p.program.Funcs = append(p.program.Funcs, f)
}

func extentName(array string, k int) string { return fmt.Sprintf("%s%%%d", array, k) }

func (p *fortran) isEnd() bool {
	t := p.peek()
	return t.kind == end || t.kind == name && strings.HasPrefix(t.text, "end") && !p.ahead(1).is("=") && !p.ahead(1).is("(")
}

// endOf reads "end do", "enddo" or "end", for one of the constructs.
func (p *fortran) endOf(constructs ...string) {
	if t := p.peek(); t.kind == end {
		p.ended(t.Pos, "end "+constructs[0]+" is missing")
	}
	t := p.name()
	word := strings.TrimPrefix(t.text, "end")
	if word == t.text {
		p.unexpected(t, "end "+constructs[0]+" is expected before")
	}
	if n := p.peek(); word == "" && n.kind == name {
		word = p.next().text
	}
	if !slices.Contains(constructs, word) && !(word == "" && len(constructs) == 3) {
		panic(Wrong(t.Pos, "end %s is expected here, not end %s", constructs[0], word))
	}
	if p.peek().kind == name {
		p.next()
	}
	p.ends()
}

func (p *fortran) isType() bool {
	switch t := p.peek(); t.text {
	case "integer", "real", "logical", "character", "complex", "double":
		return t.kind == name && !p.ahead(1).is("=")
	case "type":
		return t.kind == name && p.ahead(1).is("(")
	}
	return false
}

// typeOf reads a type.
func (p *fortran) typeOf() *Type {
	switch t := p.next(); t.text {
	case "double":
		if !p.word("precision") {
			p.unexpected(p.peek(), "precision is expected before")
		}
		return &Type{Kind: Double}
	case "integer":
		return &Type{Kind: integerKinds[p.kind()]}
	case "real":
		return &Type{Kind: realKinds[p.kind()]}
	case "logical":
		p.kind()
		return &Type{Kind: Logical}
	case "character":
		return &Type{Kind: Text, Len: p.length()}
	case "type":
		p.want("(")
		n := p.name()
		p.want(")")
		for _, h := range handles {
			if strings.EqualFold(h, n.text) {
				return &Type{Kind: Handle, Name: h}
			}
		}
		for _, h := range []string{"MPI_File", "MPI_Win"} {
			if strings.EqualFold(h, n.text) {
				panic(Beyond(n.Pos, "%s is not supported here", notTypes[h]))
			}
		}
		panic(Beyond(n.Pos, "a derived type is not supported here"))
	default:
		panic(Beyond(t.Pos, "%s is not supported here", t.text))
	}
}

// integerKinds and realKinds have the kinds of numbers by their size in bytes.
var (
	integerKinds = map[int64]Kind{1: Char, 2: Short, 4: Int, 8: Long}
	realKinds    = map[int64]Kind{1: Float, 2: Float, 4: Float, 8: Double}
)

// kind reads (8), (kind=dp) or *8, and returns 4 where there is none.
func (p *fortran) kind() int64 {
	if p.accept("*") {
		return p.kindOf(p.expr())
	}
	if n := p.ahead(1); p.letters != nil && len(n.text) == 1 && (p.ahead(2).is("-") || p.ahead(2).is(",") || p.ahead(2).is(")")) && n.kind == name && p.kinds[n.text] == 0 {
		return 4 // implicit integer (i-n)
	}
	if !p.accept("(") {
		return 4
	}
	if p.ahead(1).is("=") {
		p.i += 2
	}
	k := p.kindOf(p.expr())
	p.want(")")
	return k
}

func (p *fortran) kindOf(e Expr) int64 {
	switch e := e.(type) {
	case *Number:
		if e.Int == 1 || e.Int == 2 || e.Int == 4 || e.Int == 8 {
			return e.Int
		}
	case *Ident:
		if k := p.kinds[e.Name]; k != 0 {
			return k
		}
	case *Call:
		if id, ok := e.Fn.(*Ident); ok && len(e.Args) > 0 {
			if k := p.selected(id.Name, e.Args); k != 0 {
				return k
			}
		}
	}
	panic(Beyond(e.At(), "this kind is not supported here"))
}

// selectable lists the kinds of a function, smallest first: how many digits and which exponent each kind has.
var selectable = map[string][]struct{ kind, digits, exponent int64 }{
	"selected_int_kind":  {{1, 2, 0}, {2, 4, 0}, {4, 9, 0}, {8, 18, 0}},
	"selected_real_kind": {{4, 6, 37}, {8, 15, 307}},
}

// selected returns the kind that kind, selected_int_kind or selected_real_kind tells; 0 for one that is unknown here.
func (p *fortran) selected(function string, args []Expr) int64 {
	if function == "kind" {
		return p.kindIn(args[0])
	}
	var asked [2]int64
	for i, a := range args[:min(len(args), 2)] {
		n, ok := a.(*Number)
		if !ok {
			return 0
		}
		asked[i] = n.Int
	}
	for _, k := range selectable[function] {
		if asked[0] <= k.digits && asked[1] <= k.exponent {
			return k.kind
		}
	}
	return 0
}

// kindIn returns the kind of a number, a variable or an array; 0 for that of another expression.
func (p *fortran) kindIn(x Expr) int64 {
	var t *Type
	switch x := x.(type) {
	case *Number:
		t = x.Type
	case *section:
		t = x.of.t
	default:
		if e := p.entityOf(x); e != nil {
			t = e.t
		}
	}
	if t == nil {
		return 0
	}
	return map[Kind]int64{Char: 1, Text: 1, Short: 2, Int: 4, Logical: 4, Float: 4, Long: 8, Double: 8}[t.Kind]
}

// length reads (len=n), (n) or *n of a text; nil: the caller decides.
func (p *fortran) length() Expr {
	star := p.accept("*")
	if !p.accept("(") {
		if star {
			return p.primary()
		}
		return &Number{Pos: p.peek().Pos, Type: &Type{Kind: Int}, Int: 1}
	}
	if p.word("len") {
		p.want("=")
	}
	if p.accept("*") || p.accept(":") {
		p.want(")")
		return nil
	}
	n := p.expr()
	p.want(")")
	return n
}

// declaration reads a line before the statements; false: there is none.
func (p *fortran) declaration() bool {
	t := p.peek()
	switch {
	case t.kind == name && t.text == "implicit":
		p.implicitly()
		p.ends()
		return true
	case t.kind == name && (t.text == "parameter" && p.ahead(1).is("(") || t.text == "data" && p.ahead(1).kind == name):
		if t.text == "data" {
			p.data()
		} else {
			p.constants()
		}
		p.ends()
		return true
	case t.kind == name && slices.Contains([]string{"use", "include", "external", "intrinsic", "public", "private"}, t.text) && !p.ahead(1).is("="):
		switch next := p.ahead(1).text; {
		case t.text == "use":
			p.uses()
		case t.text == "external":
			for i := 1; !p.ahead(i).ends(); i++ {
				p.external[p.ahead(i).text] = true
			}
		case t.text == "include" && !strings.EqualFold(next, "mpif.h"):
			panic(Beyond(t.Pos, "%s cannot be included: only one file is read", next))
		}
		p.skipLine()
		return true
	case t.kind == name && t.text == "common" && !p.ahead(1).is("="):
		p.inCommons()
		p.ends()
		return true
	case t.kind == name && !p.ahead(1).is("=") &&
		slices.Contains([]string{"interface", "dimension", "namelist", "save", "equivalence", "procedure", "generic"}, t.text):
		panic(Beyond(t.Pos, "the statement %s is not supported here", t.text))
	case t.kind == name && t.text == "type" && !p.ahead(1).is("("):
		panic(Beyond(t.Pos, "a derived type is not supported here"))
	case !p.isType():
		return false
	}
	d := declared{t: p.typeOf()}
	p.attributes(&d)
	for {
		if t := p.peek(); t.kind != name {
			p.unexpected(t, "a name is expected behind "+p.list[p.i-1].text+", not")
		}
		n := p.name()
		dims := d.dims
		if p.peek().is("(") {
			dims = p.extents()
		}
		if t := p.peek(); t.is("=") && !d.colons {
			panic(Wrong(t.Pos, "a declaration with a value has :: before its names, as in integer :: a = 3"))
		}
		p.declare(n, d, dims)
		if !p.accept(",") {
			break
		}
	}
	p.ends()
	return true
}

func (p *fortran) uses() {
	n := p.ahead(1)
	for i := 1; !p.ahead(i).ends(); i++ { // use, intrinsic :: x
		if p.ahead(i).is("::") {
			n = p.ahead(i + 1)
			break
		}
	}
	if slices.Contains(p.modules, n.text) {
		return
	}
	switch n.text {
	case "mpi", "mpi_f08", "iso_fortran_env", "iso_c_binding", "omp_lib":
		for i := 2; !p.ahead(i).ends(); i++ { // dp => REAL64
			if p.ahead(i).is("=>") {
				from, to := p.ahead(i+1).text, p.ahead(i-1).text
				p.kinds[to] = p.kinds[from]
				p.units[to] = p.units[from]
			}
		}
		return
	}
	panic(Beyond(n.Pos, "the module %s is unknown: only one file with a program is read", n.text))
}

// declared is what a declaration says before its names.
type declared struct {
	t                       *Type
	dims                    []extent
	alloc, constant, static bool
	colons                  bool // :: stands before the names
}

func (p *fortran) attributes(d *declared) {
	for p.accept(",") {
		switch a := p.name(); a.text {
		case "parameter":
			d.constant = true
		case "allocatable", "pointer":
			d.alloc = true
		case "save":
			d.static = true
		case "dimension":
			d.dims = p.extents()
		case "intent":
			p.want("(")
			for !p.accept(")") {
				p.name()
			}
		case "asynchronous", "target", "value", "contiguous", "public", "private":
			if a.text == "value" {
				panic(Beyond(a.Pos, "value is not supported here"))
			}
		default:
			panic(Beyond(a.Pos, "%s is not supported here", a.text))
		}
	}
	d.colons = p.accept("::")
}

// extents reads (n, low:high, :, *). An extent without n comes with the call, or with allocate.
func (p *fortran) extents() []extent {
	p.want("(")
	var list []extent
	for {
		x := extent{low: p.int(1)}
		switch {
		case p.accept(":"), p.accept("*"):
		default:
			x.n = p.expr()
			if p.lines {
				if from := x.n; p.accept(":") {
					x.n = &Range{Pos: from.At(), Low: from, High: p.expr()}
				}
			} else if p.accept(":") {
				x.low = x.n
				if x.n = nil; !p.peek().is(",") && !p.peek().is(")") {
					x.n = p.plus(p.minus(p.expr(), x.low), p.int(1))
				}
			}
		}
		list = append(list, x)
		if !p.accept(",") {
			p.want(")")
			return list
		}
	}
}

func (p *fortran) declare(n token, d declared, dims []extent) {
	if p.lines {
		p.declareLine(n, d.t, dims)
		return
	}
	if p.vars[n.text] != nil {
		panic(Wrong(n.Pos, "%s is declared twice", n.text))
	}
	e := &entity{name: n.text, t: d.t, dims: slices.Clone(dims), dummy: slices.Contains(p.params, n.text), alloc: d.alloc, constant: d.constant}
	if p.accept("*") {
		e.t = &Type{Kind: Text, Len: p.primary()}
	}
	p.vars[n.text] = e
	if e.dummy {
		p.declareArgument(e, n)
		return
	}
	v := &Var{Pos: n.Pos, Name: n.text, Type: e.t, Constant: d.constant, Static: d.static && p.unit.Name != "main"}
	switch {
	case d.alloc:
		p.declareAllocatable(e, v)
	case dims != nil:
		for _, x := range dims {
			if x.n == nil {
				panic(Wrong(n.Pos, "how many entries %s has is missing", n.text))
			}
		}
		v.Type = &Type{Kind: Array, Elem: e.t, Len: e.length(p)}
	}
	p.decls = append(p.decls, v)
	if p.accept("=") {
		p.initialize(e, v)
	}
}

// declareArgument declares an argument. Where the number of entries is missing, the extents come with the call.
func (p *fortran) declareArgument(e *entity, n token) {
	e.assumed = slices.ContainsFunc(e.dims, func(d extent) bool { return d.n == nil })
	for k := range e.dims {
		if e.assumed {
			e.dims[k].n = &Ident{n.Pos, extentName(n.text, k)}
		}
	}
	if e.alloc {
		panic(Beyond(n.Pos, "an allocatable argument is not supported here"))
	}
}

// declareAllocatable declares an array that allocate makes, with variables for its extents and lower bounds.
func (p *fortran) declareAllocatable(e *entity, v *Var) {
	v.Type = &Type{Kind: Pointer, Elem: e.t}
	if len(e.dims) == 0 {
		panic(Beyond(v.Pos, "an allocatable variable that is not an array is not supported here"))
	}
	bound := func(name string) Expr {
		p.decls = append(p.decls, &Var{Pos: v.Pos, Name: name, Type: &Type{Kind: Long}, Init: p.int(0)})
		return &Ident{v.Pos, name}
	}
	for k := range e.dims {
		e.dims[k] = extent{n: bound(extentName(v.Name, k)), low: bound("low%" + extentName(v.Name, k))}
	}
}

// initialize reads the initial value of a variable.
func (p *fortran) initialize(e *entity, v *Var) {
	if p.accept(">") {
		panic(Beyond(v.Pos, "a pointer is not supported here"))
	}
	at := p.peek().Pos
	init := p.expr()
	if e.constant && e.dims == nil {
		p.constantKind(v.Name, init)
	}
	_, list := init.(*List)
	switch {
	case e.dims != nil && list && !looped(init), e.dims == nil && e.t.Kind != Text:
		p.conforming(at, e.dims, init, nil)
		v.Init = init
		v.Static = v.Static || p.unit.Name != "main" && !e.constant
	case p.unit.Name == "main" || e.constant:
		p.first = append(p.first, p.assign(at, p.whole(e, at), init))
	default:
		panic(Beyond(at, "this initial value in a procedure is not supported here"))
	}
}

// declareLine declares a variable of lines. The last dimension of an array becomes the outermost one.
func (p *fortran) declareLine(n token, t *Type, dims []extent) {
	for _, d := range dims {
		t = &Type{Kind: Array, Elem: t, Len: d.n}
	}
	v := &Var{Pos: n.Pos, Name: n.text, Type: t}
	if p.accept("=") {
		v.Init = p.expr()
	}
	p.decls = append(p.decls, v)
}

// constantKind keeps the value of a constant that may stand for a kind.
func (p *fortran) constantKind(n string, init Expr) {
	defer func() { recover() }() // it names none
	p.kinds[n] = p.kindOf(init)
}

// whole returns a variable, or all of an array, as an expression.
func (p *fortran) whole(e *entity, at Pos) Expr {
	if e.dims == nil {
		if e.dummy {
			return &Unary{at, "*", &Ident{at, e.name}}
		}
		return &Ident{at, e.name}
	}
	return &section{Pos: at, of: e, at: p.int(0), step: p.int(1), n: e.length(p), whole: true}
}

// length returns how many entries an array has.
func (e *entity) length(p *fortran) Expr {
	n := e.dims[0].n
	for _, d := range e.dims[1:] {
		n = p.times(n, d.n)
	}
	return n
}

func (p *fortran) int(n int64) Expr {
	return &Number{Pos: p.peek().Pos, Type: &Type{Kind: Int}, Int: n}
}

func isInt(e Expr, n int64) bool {
	x, ok := e.(*Number)
	return ok && x.Type.Kind == Int && x.Int == n
}

func (p *fortran) plus(a, b Expr) Expr {
	if isInt(b, 0) {
		return a
	}
	if isInt(a, 0) {
		return b
	}
	return &Binary{a.At(), "+", a, b}
}

func (p *fortran) minus(a, b Expr) Expr {
	x, isX := a.(*Number)
	y, isY := b.(*Number)
	if isX && isY && x.Type.Kind == Int {
		return &Number{Pos: x.Pos, Type: x.Type, Int: x.Int - y.Int}
	}
	if isInt(b, 0) {
		return a
	}
	return &Binary{a.At(), "-", a, b}
}

func (p *fortran) times(a, b Expr) Expr {
	if isInt(a, 1) {
		return b
	}
	if isInt(b, 1) {
		return a
	}
	return &Binary{a.At(), "*", a, b}
}

// looped reports whether an array constructor has a loop.
func looped(e Expr) bool {
	l, ok := e.(*List)
	return ok && slices.ContainsFunc(l.Items, func(x Expr) bool { _, is := x.(*Implied); return is })
}
