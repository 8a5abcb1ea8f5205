package machine

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// A call of MPI that moves no data is what the table of calls says in mpi4py's words: its parameters are read from the
// program, and its results are written to the places that the program passes.

// special are names that stand for an argument, not for a value of MPI.
var special = map[string]*typ{
	"MPI_STATUS_IGNORE": voidPtr, "MPI_STATUSES_IGNORE": voidPtr, "MPI_ERRCODES_IGNORE": voidPtr, "MPI_BOTTOM": voidPtr,
	"MPI_UNWEIGHTED": voidPtr, "NULL": voidPtr, "MPI_ARGV_NULL": voidPtr,
}

// inPlace is what MPI_IN_PLACE points to.
var inPlace = &memory{named: "MPI_IN_PLACE"}

// integersOfMPI are the names of Fortran's modules that mpi4py has not, and MPI_SUCCESS.
var integersOfMPI = map[string]int64{"SUCCESS": 0, "INTEGER_KIND": 4, "ADDRESS_KIND": 8, "OFFSET_KIND": 8, "COUNT_KIND": 8,
	"STATUS_SIZE": statusSize, "SOURCE": 1, "TAG": 2, "ERROR": 3}

// integer is the value of a name of C, Fortran or MPI that stands for an integer.
func (c *compiler) integer(name string) (int64, bool) {
	if n, ok := integersOfC[name]; ok && !c.fortran {
		return n, true
	}
	rest, ok := strings.CutPrefix(c.ofMPI(name), "MPI_")
	if !ok {
		return 0, false
	}
	if n, ok := integersOfMPI[rest]; ok && (c.fortran || rest == "SUCCESS") {
		return n, true
	}
	v, ok := program.Constant(rest)
	n, isInt := v.(starlark.Int)
	if !ok || !isInt {
		return 0, false
	}
	i, _ := n.Int64()
	return i, true
}

// ofMPI is a name as C writes it, which Fortran may write in small letters.
func (c *compiler) ofMPI(name string) string {
	if c.fortran {
		return strings.ToUpper(name)
	}
	return name
}

// handleNames says of which type the names of MPI are that stand for handles.
var handleNames = []struct{ begin, name string }{
	{"COMM_", "MPI_Comm"}, {"GROUP_", "MPI_Group"}, {"INFO_", "MPI_Info"}, {"REQUEST_", "MPI_Request"}, {"SESSION_", "MPI_Session"},
	{"MESSAGE_", "MPI_Message"}, {"ERRHANDLER_", "MPI_Errhandler"}, {"ERRORS_", "MPI_Errhandler"}, {"OP_", "MPI_Op"},
}

// predefined is a handle, datatype or operation of MPI, or another name that C or Fortran has.
func (c *compiler) predefined(e *syntax.Ident) (expr, bool) {
	name := c.ofMPI(e.Name)
	if t, ok := special[name]; ok {
		return expr{t: t, p: func(*frame) ref { return ref{} }}, true
	}
	if name == "MPI_IN_PLACE" {
		return expr{t: voidPtr, p: func(*frame) ref { return ref{inPlace, 0} }}, true
	}
	if name == "stdout" || name == "stderr" {
		return expr{t: &typ{kind: syntax.Handle, name: "FILE"}, v: func(*frame) any { return name }}, true
	}
	if x, ok := realsOfC[name]; ok && !c.fortran {
		return real(doubleType, x), true
	}
	rest, ok := strings.CutPrefix(name, "MPI_")
	if !ok {
		return expr{}, false
	}
	if d := datatypes[rest]; d != nil {
		return expr{t: handleType("MPI_Datatype"), v: func(*frame) any { return d }}, true
	}
	if !program.Has(rest) {
		return expr{}, false
	}
	t := handleType("MPI_Op")
	for _, h := range handleNames {
		if strings.HasPrefix(rest, h.begin) {
			t = handleType(h.name)
		}
	}
	return expr{t: t, v: func(f *frame) any {
		v, err := f.r.MPI(rest)
		if err != nil {
			panic(failed{err})
		}
		return v
	}}, true
}

// procedure finds a procedure of MPI by its name; nil for none.
func (c *compiler) procedure(name string) *calls.Procedure {
	i := slices.IndexFunc(calls.All, func(p *calls.Procedure) bool {
		return p.Name == name || c.fortran && strings.EqualFold(p.Name, name)
	})
	if i < 0 {
		return nil
	}
	return calls.All[i]
}

// onlySets reports whether a call of MPI does no more with its k-th argument than to give it a value.
func (c *compiler) onlySets(name string, k int) bool {
	if local := ownCalls[name]; local != nil {
		return k < len(local.params) && !strings.HasPrefix(local.params[k], "buf")
	}
	p := c.procedure(name)
	return p != nil && k < len(p.Params) && p.Params[k].Type != "void" && (!p.Params[k].Array || p.Params[k].Type == "MPI_Request")
}

// passed is an argument of a call of MPI: what reads it, or what it sets.
type passed struct {
	param calls.Param
	read  func(*frame, map[string]int64) starlark.Value
	write func(*frame, starlark.Value, map[string]int64)
	whole *expr // an integer, which other parameters may count by
}

// mpiCall is a call of MPI without data.
func (c *compiler) mpiCall(e *syntax.Call, p *calls.Procedure) expr {
	if len(p.Statement) == 0 {
		panic(syntax.Beyond(e.Pos, "%s is not carried out here", p.Name))
	}
	args := c.arguments(e, p)
	var list []passed
	for i, param := range p.Params {
		list = append(list, c.passed(e, args[i], param))
	}
	left, right, sets := strings.Cut(p.Statement[0], " = ")
	if !sets {
		left, right = "", left
	}
	var params []string
	for _, a := range list {
		if a.read != nil {
			params = append(params, a.param.Name)
		}
	}
	routine, err := program.CompileRoutine(right, params)
	if err != nil {
		panic(syntax.Beyond(e.Pos, "%s is not carried out here", p.Name))
	}
	results := hole.FindAllStringSubmatch(left, -1)
	site := c.site(e.Pos)
	return c.coded(e, len(p.Params), func(f *frame) error {
		f.at(site)
		counts := map[string]int64{}
		for _, a := range list {
			if a.whole != nil {
				counts[a.param.Name] = a.whole.i(f)
			}
		}
		values := make([]starlark.Value, 0, len(params)+8)
		for _, a := range list {
			if a.read != nil {
				values = append(values, a.read(f, counts))
			}
		}
		if strings.HasSuffix(p.Name, "_set_errhandler") {
			f.handles = true
		}
		v, err := routine.Run(f.r, values)
		if err != nil {
			return err
		}
		for k, r := range results {
			got := v
			if t, ok := v.(starlark.Tuple); ok && len(results) > 1 {
				got = t[k]
			}
			for _, a := range list {
				if a.param.Name == r[1] && a.write != nil {
					a.write(f, got, counts)
				}
			}
			c.lengthsOf(f, list, p, r[1], got)
		}
		return nil
	})
}

var hole = regexp.MustCompile(`\{(\w+)\}`)

// lengthsOf sets what else a call tells about a result: the length of a text, whether there is a value.
func (c *compiler) lengthsOf(f *frame, list []passed, p *calls.Procedure, name string, got starlark.Value) {
	for _, s := range p.Statement[1:] {
		if !strings.Contains(s, "{"+name+"}") {
			continue
		}
		target := hole.FindStringSubmatch(s)[1]
		n := int64(0)
		switch {
		case strings.Contains(s, "!= None"):
			n = truth(got != starlark.None)
		case got != starlark.None:
			text, _ := starlark.AsString(got)
			n = int64(len(text)) + truth(strings.Contains(s, "+ 1"))
		}
		for _, a := range list {
			if a.param.Name == target && a.write != nil {
				a.write(f, starlark.MakeInt64(n), nil)
			}
		}
	}
}

// coded is a call that gives an error code in C, and in Fortran sets the argument ierror, where there is one.
func (c *compiler) coded(e *syntax.Call, n int, run func(*frame) error) expr {
	report := c.errorArgument(e, n)
	code := func(f *frame) int64 {
		f.fills = nil
		err := run(f)
		class, returned := program.Ends(err)
		if err == nil || returned && f.handles {
			for _, fill := range f.fills {
				fill()
			}
			report(f, int64(class))
			return int64(class)
		}
		var placed *program.Error
		if errors.As(err, &placed) && placed.Line == 0 {
			wrong(e.Pos, "%s", placed.Message)
		}
		panic(failed{err})
	}
	return expr{t: intType, i: code}
}

// arguments are those of a call in the order of its parameters. In Fortran, ierror follows, and mpi_f08 lets it away.
func (c *compiler) arguments(e *syntax.Call, p *calls.Procedure) []syntax.Expr {
	args := c.withoutError(e, len(p.Params))
	if len(args) != len(p.Params) {
		panic(syntax.Wrong(e.Pos, "%s takes %d arguments, not %d: %s", p.Name, len(p.Params), len(args), p.Signature))
	}
	return args
}

// passed compiles an argument.
func (c *compiler) passed(e *syntax.Call, a syntax.Expr, p calls.Param) passed {
	is := passed{param: p}
	at := a.At()
	out := p.Pointer && !p.In
	switch {
	case p.Type == "MPI_Status":
		is.read = c.statusArgument(a, p)
	case strings.HasSuffix(p.Type, "_function") || p.Type == "void" && !p.Pointer:
		panic(syntax.Beyond(at, "functions that MPI calls back are not carried out here"))
	case p.Type == "char" && p.Array && !p.In:
		x := c.expr(a)
		is.write = func(f *frame, v starlark.Value, _ map[string]int64) {
			text, _ := starlark.AsString(v)
			c.storeText(f, x, a, text)
		}
		if c.fortran {
			target := c.place(a)
			is.write = func(f *frame, v starlark.Value, _ map[string]int64) {
				text, _ := starlark.AsString(v)
				target.set(f, slot{v: text})
			}
		}
	case p.Type == "char" && p.Array:
		x := c.expr(a)
		is.read = func(f *frame, _ map[string]int64) starlark.Value { return starlark.String(c.textOf(f, x, at)) }
	case p.Array && isHandle(p.Type):
		is.read = c.handleList(a, p)
	case p.Array:
		c.numberList(&is, a, p)
	case out && !p.Inout:
		target := c.target(a, p)
		is.write = func(f *frame, v starlark.Value, _ map[string]int64) { target.set(f, c.fromMPI(v, target.t)) }
	case out:
		target := c.target(a, p)
		get := target.get()
		is.read = func(f *frame, _ map[string]int64) starlark.Value { return f.argument(get.value(f), target.t, p, at) }
	default:
		t := intType
		if isHandle(p.Type) {
			t = handleType(p.Type)
		} else if p.Type != "int" {
			t = longType
		}
		x := c.expr(a)
		if c.fortran && p.Logical {
			t = truthType
		}
		if c.fortran && t.class() == ints && x.t.class() == ints {
			t = x.t
		}
		y := c.convert(x, t, at)
		is.read = func(f *frame, _ map[string]int64) starlark.Value { return toMPI(y.value(f), t) }
		if t.class() == ints {
			is.whole = &y
		}
	}
	return is
}

func isHandle(t string) bool {
	return strings.HasPrefix(t, "MPI_") && t != "MPI_Aint" && t != "MPI_Count" && t != "MPI_Fint"
}

// toMPI is a value of the program as one of a call.
func toMPI(s slot, t *typ) starlark.Value {
	switch t.class() {
	case ints:
		return starlark.MakeInt64(s.i)
	case reals:
		return starlark.Float(s.f)
	}
	if v, ok := s.v.(starlark.Value); ok {
		return v
	}
	return starlark.None
}

// fromMPI is a result of a call as a value of a type.
func (c *compiler) fromMPI(v starlark.Value, t *typ) slot {
	switch v := v.(type) {
	case starlark.Int:
		n, _ := v.Int64()
		return slot{i: n}
	case starlark.Bool:
		return slot{i: truth(bool(v))}
	case starlark.String:
		if t.kind == syntax.Text {
			return slot{v: string(v)}
		}
	case starlark.Float:
		return slot{f: float64(v)}
	}
	return slot{v: v}
}

// target is what a call sets: &x, or what a pointer points to; in Fortran, a variable.
func (c *compiler) target(a syntax.Expr, p calls.Param) place {
	var to place
	u, ok := a.(*syntax.Unary)
	switch {
	case c.fortran:
		to = c.place(a)
	case ok && u.Op == "&":
		to = c.place(u.X)
	default:
		x := c.expr(a)
		if x.t.class() != refs || x.num != nil {
			panic(syntax.Wrong(a.At(), "%s is set by the call: write &NAME", p.Name))
		}
		to = c.pointed(x, number(longType, 0), a.At())
	}
	to.writable(a.At())
	if c.fortran && isHandle(p.Type) && to.t.kind == syntax.Int {
		if id, ok := a.(*syntax.Ident); ok && p.Type == "MPI_Comm" && c.lookup(id.Name).global {
			to.shows = id.Name
			if !slices.Contains(c.handles, id.Name) {
				c.handles = append(c.handles, id.Name)
			}
		}
		return to
	}
	if isHandle(p.Type) != (to.t.kind == syntax.Handle) || isHandle(p.Type) && to.t.name != p.Type && !(c.fortran && to.t.name == "") {
		panic(syntax.Wrong(a.At(), "%s is a %s, and this is %s", p.Name, p.Type, described(to.t)))
	}
	return to
}

// statusArgument reads a status, or an array of them.
func (c *compiler) statusArgument(a syntax.Expr, p calls.Param) func(*frame, map[string]int64) starlark.Value {
	if id, ok := a.(*syntax.Ident); ok && strings.HasPrefix(c.ofMPI(id.Name), "MPI_STATUS") || isNull(a) {
		return func(*frame, map[string]int64) starlark.Value { return starlark.None }
	}
	if u, ok := a.(*syntax.Unary); ok && u.Op == "&" && !p.Array {
		if y := c.place(u.X); y.v != nil && y.v.isStatus() {
			g := y.get()
			return func(f *frame, _ map[string]int64) starlark.Value { return g.v(f).(starlark.Value) }
		}
	}
	x := c.expr(a)
	if c.fortran && x.t.class() == values && x.t.name == "MPI_Status" {
		return func(f *frame, _ map[string]int64) starlark.Value { return x.v(f).(starlark.Value) }
	}
	if c.fortran && x.t.class() == refs && x.t.elem.base().kind == syntax.Int {
		return c.statusInIntegers(x, a.At(), p)
	}
	if x.t.class() != refs {
		panic(syntax.Wrong(a.At(), "%s is a status: pass its address, or MPI_STATUS_IGNORE", p.Name))
	}
	at := a.At()
	return func(f *frame, _ map[string]int64) starlark.Value {
		r := x.p(f)
		if r.m == nil {
			return starlark.None
		}
		if r.m.kind == syntax.Void { // of malloc
			r = r.as(&typ{kind: syntax.Handle, name: "MPI_Status"}, at)
		}
		for k, v := range r.m.any {
			if v == nil {
				r.m.any[k] = f.newStatus()
			}
		}
		if !p.Array {
			return r.m.any[r.check(at, 0)].(starlark.Value)
		}
		var list []starlark.Value
		for _, v := range r.m.any[min(r.off, len(r.m.any)):] {
			list = append(list, v.(starlark.Value))
		}
		return starlark.NewList(list)
	}
}

func isNull(a syntax.Expr) bool {
	id, ok := a.(*syntax.Ident)
	return ok && id.Name == "NULL"
}

// newStatus is a status that tells of nothing yet.
func (p *process) newStatus() any {
	v, err := p.r.Call(nil, "Status")
	if err != nil {
		panic(failed{err})
	}
	return v
}

// handleList reads an array of handles.
func (c *compiler) handleList(a syntax.Expr, p calls.Param) func(*frame, map[string]int64) starlark.Value {
	pointer := c.arrayOf(a)
	at := a.At()
	return func(f *frame, counts map[string]int64) starlark.Value {
		n := counts[p.Length]
		r := pointer(f)
		list := make([]starlark.Value, n)
		for i := range n {
			v, ok := f.entry(r, at, i).(starlark.Value)
			if !ok {
				wrong(at, "entry %d of %s has no value yet: no call has set it", i, p.Name)
			}
			list[i] = v
		}
		return starlark.NewList(list)
	}
}

// arrayOf is where an array of a call begins.
func (c *compiler) arrayOf(a syntax.Expr) func(*frame) ref {
	x := c.expr(a)
	if x.t.class() != refs {
		panic(syntax.Wrong(a.At(), "an array is expected here, and this is %s", described(x.t)))
	}
	return x.p
}

// numberList reads or sets an array of integers.
func (c *compiler) numberList(is *passed, a syntax.Expr, p calls.Param) {
	if id, ok := a.(*syntax.Ident); ok && strings.HasSuffix(c.ofMPI(id.Name), "UNWEIGHTED") {
		is.read = func(*frame, map[string]int64) starlark.Value { return starlark.None }
		return
	}
	pointer, at := c.arrayOf(a), a.At()
	each := int64(1)
	if p.Triples {
		each = 3
	}
	if p.In || p.Inout {
		is.read = func(f *frame, counts map[string]int64) starlark.Value {
			r := pointer(f)
			n := counts[p.Length]
			if _, ok := counts[p.Length]; !ok {
				n = int64(r.rest()) / each // a formula: as many as there are
			}
			list := make([]starlark.Value, n)
			for i := range n {
				if each == 1 {
					list[i] = starlark.MakeInt64(int64(r.m.cells[r.check(at, i)]))
					continue
				}
				triple := make(starlark.Tuple, 3)
				for k := range triple {
					triple[k] = starlark.MakeInt64(int64(r.m.cells[r.check(at, 3*i+int64(k))]))
				}
				list[i] = triple
			}
			return starlark.NewList(list)
		}
	}
	if p.In {
		return
	}
	is.write = func(f *frame, v starlark.Value, _ map[string]int64) {
		list, ok := v.(starlark.Indexable)
		if !ok {
			return
		}
		r := pointer(f)
		for i := range list.Len() {
			r.m.cells[r.check(at, int64(i))] = uint64(c.fromMPI(list.Index(i), intType).i)
		}
	}
}

// rest is how many elements there are from the pointer on.
func (r ref) rest() int {
	if r.m == nil {
		return 0
	}
	return r.m.len() - r.off
}

// invoke calls a method of a value, or a function of MPI.
func (p *process) invoke(site *engine.Site, of any, name string, args ...starlark.Value) (starlark.Value, error) {
	p.at(site)
	on, _ := of.(starlark.Value)
	return p.r.Call(on, name, args...)
}
