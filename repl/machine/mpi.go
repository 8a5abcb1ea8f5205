package machine

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// A call of MPI that moves no data is what the table of calls says in mpi4py's words: its parameters are read from the
// program, and its results are written to the places that the program passes.

// nulls lists names that stand for an argument, not for a value of MPI.
var nulls = strings.Fields("MPI_STATUS_IGNORE MPI_STATUSES_IGNORE MPI_ERRCODES_IGNORE MPI_BOTTOM MPI_UNWEIGHTED NULL MPI_ARGV_NULL")

// inPlace is the memory that MPI_IN_PLACE points to.
var inPlace = &memory{named: "MPI_IN_PLACE"}

// integersOfMPI has the integers of Fortran's modules that mpi4py lacks, and MPI_SUCCESS.
var integersOfMPI = map[string]int64{"SUCCESS": 0, "INTEGER_KIND": 4, "ADDRESS_KIND": 8, "OFFSET_KIND": 8, "COUNT_KIND": 8,
	"STATUS_SIZE": statusSize, "SOURCE": 1, "TAG": 2, "ERROR": 3, "ORDER_C": 56, "ORDER_FORTRAN": 57}

// integer returns the value of a name of C, Fortran or MPI that stands for an integer; false for another name.
func (c *compiler) integer(name string) (int64, bool) {
	if n, ok := integersOfC[name]; ok && !c.fortran {
		return n, true
	}
	rest, ok := strings.CutPrefix(c.ofMPI(name), "MPI_")
	if !ok {
		return 0, false
	}
	if n, ok := integersOfMPI[rest]; ok && (c.fortran || rest == "SUCCESS" || strings.HasPrefix(rest, "ORDER_")) {
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

// ofMPI returns a name of MPI as C writes it; Fortran may write it in small letters.
func (c *compiler) ofMPI(name string) string {
	if c.fortran {
		return strings.ToUpper(name)
	}
	return name
}

// predefined compiles the name of a handle, datatype or operation of MPI, and other names of C; false for an unknown
// name.
func (c *compiler) predefined(e *syntax.Ident) (expr, bool) {
	name := c.ofMPI(e.Name)
	if slices.Contains(nulls, name) {
		return expr{t: voidPtr, p: func(*frame) ref { return ref{} }}, true
	}
	if name == "MPI_IN_PLACE" {
		return expr{t: voidPtr, p: func(*frame) ref { return ref{inPlace, 0} }}, true
	}
	if of := map[string]string{"stdout": "FILE", "stderr": "FILE", "stdin": "stdin"}[name]; of != "" {
		return expr{t: handleType(of), v: func(*frame) any { return name }}, true
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
	t := handleType(cmp.Or(tongue.HandleOf(rest), "MPI_Op"))
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
	if now := deprecated[strings.ToUpper(name)]; now != "" {
		name = now
	}
	return calls.Named(calls.InPrograms, name, c.fortran)
}

// onlySets reports whether a call of MPI only sets its k-th argument.
func (c *compiler) onlySets(name string, k int) bool {
	p := c.procedure(name)
	return p != nil && k < len(p.Params) && p.Params[k].Type != "void" && !p.Params[k].Array
}

// mpiCall is a call of MPI in the text, with its arguments by the names of the parameters.
type mpiCall struct {
	c    *compiler
	row  *calls.Procedure
	site *engine.Site
	args map[string]*argument
}

// argument is an argument of a call of MPI.
type argument struct {
	at    syntax.Pos
	x     expr                          // what the program passes; of an array or a buffer, where it begins
	read  func(*passed) starlark.Value  // x as mpi4py has it; nil: nothing is read
	write func(*passed, starlark.Value) // gives it a value; nil: nothing is set
}

// passed is a running call of MPI. An argument is computed when the call first needs it, and only once.
type passed struct {
	*mpiCall
	f    *frame
	seen map[string]slot
}

func (a *passed) slot(name string) slot {
	s, ok := a.seen[name]
	if !ok {
		s = a.args[name].x.value(a.f)
		a.seen[name] = s
	}
	return s
}

func (a *passed) int(name string) int { return int(a.slot(name).i) }

func (a *passed) value(name string) starlark.Value {
	v, ok := a.slot(name).v.(starlark.Value)
	if !ok {
		wrong(a.args[name].at, "%s has no valid value", name)
	}
	return v
}

// read returns an argument as mpi4py has it.
func (a *passed) read(name string) starlark.Value { return a.args[name].read(a) }

// set gives a value to the argument of a parameter, if the call sets it.
func (a *passed) set(name string, v starlark.Value) {
	if to := a.args[name]; to != nil && to.write != nil {
		to.write(a, v)
	}
}

// invoke calls a method of a value, or a function of MPI where of is nil.
func (a *passed) invoke(of starlark.Value, name string, args ...starlark.Value) (starlark.Value, error) {
	return a.f.r.Call(of, name, args...)
}

// mpiCall compiles a call of MPI.
func (c *compiler) mpiCall(e *syntax.Call, p *calls.Procedure) expr {
	run := c.carriedOut(p)
	if run == nil {
		panic(syntax.Beyond(e.Pos, "%s is not supported here", p.Name))
	}
	params, args := p.Params, e.Args
	if c.fortran && p.Param("argv") != nil {
		params = params[2:]
	}
	if c.fortran && len(args) == len(params)+1 { // ierror, which mpi_f08 lets away
		args = args[:len(params)]
	}
	if len(args) != len(params) {
		panic(syntax.Wrong(e.Pos, "%s takes %d arguments, not %d: %s", p.Name, len(params), len(args), p.Signature))
	}
	m := &mpiCall{c, p, &engine.Site{File: c.file, Line: int32(e.Pos.Line)}, map[string]*argument{}}
	for i, q := range params {
		m.args[q.Name] = c.argument(args[i], q, p)
	}
	return c.coded(e, len(params), func(f *frame) error {
		if f.r == nil {
			wrong(e.Pos, "%s is called in an operation, which must only compute", p.Name)
		}
		f.r.At(m.site)
		f.inTime(p.Name, e.Pos)
		a := &passed{m, f, map[string]slot{}}
		for _, q := range params {
			if q.Type == "MPI_Datatype" && !q.Array && (q.In || q.Inout) && a.datatype(q.Name) == datatypes["DATATYPE_NULL"] {
				if engine.CallOf(p) == engine.CallNone {
					wrong(m.args[q.Name].at, "%s: the datatype is MPI_DATATYPE_NULL", p.Name)
				}
				return f.r.P.Raise(engine.MistakeDatatypeNull.In(engine.CallOf(p)))
			}
		}
		return run(a)
	})
}

// anytime matches the calls that a program may make before MPI_Init and after MPI_Finalize (MPI-5.0 §11.4.1), and those
// that check it themselves.
var anytime = regexp.MustCompile(`^MPI_(Init|Init_thread|Initialized|Finalized|Get_version|Get_library_version|Info_.*|Session_.*|.*_errhandler|Error_.*|Pcontrol)$`)

// inTime refuses a call before MPI_Init or after MPI_Finalize, unless the program uses sessions.
func (f *frame) inTime(name string, at syntax.Pos) {
	if f.sessions = f.sessions || name == "MPI_Session_init"; f.sessions || f.begun && !f.over || anytime.MatchString(name) {
		return
	}
	if !f.begun {
		wrong(at, "%s is called before MPI_Init: MPI is not initialized yet", name)
	}
	wrong(at, "%s is called after MPI_Finalize, which must be the last call of MPI", name)
}

// carriedOut returns the function that makes a call: its own function, a Transfer of data, or mpi4py's words for it
// in the table of calls; nil for none.
func (c *compiler) carriedOut(p *calls.Procedure) func(*passed) error {
	if run := ownCalls[p.Name]; run != nil {
		return run
	}
	if p.MovesData() {
		return moving(p)
	}
	list := p.Statement
	if p.Program != nil {
		list = p.Program
	}
	if list == nil {
		return nil
	}
	results, call := tongue.Parts(list[0])
	var params []string
	for _, q := range p.Params {
		if strings.Contains(call, "{"+q.Name+"}") {
			params = append(params, q.Name)
		}
	}
	routine, err := program.CompileRoutine(call, params)
	if err != nil {
		return nil
	}
	return func(a *passed) error {
		values := make([]starlark.Value, 0, len(params)+8)
		for _, name := range params {
			values = append(values, a.read(name))
		}
		if strings.HasSuffix(p.Name, "_set_errhandler") {
			a.f.handles = true
		}
		v, err := routine.Run(a.f.r, values)
		if err != nil {
			return err
		}
		for k, r := range results {
			got := v
			if t, ok := v.(starlark.Tuple); ok && len(results) > 1 {
				got = t[k]
			}
			a.set(r, got)
			a.setLengths(r, got)
		}
		return nil
	}
}

// setLengths sets what else a call tells about a result: the length of a text, or whether there is a value.
func (a *passed) setLengths(name string, got starlark.Value) {
	for _, s := range a.row.Statement[min(1, len(a.row.Statement)):] {
		if !strings.Contains(s, "{"+name+"}") {
			continue
		}
		n := int64(0)
		switch {
		case strings.Contains(s, "!= None"):
			n = syntax.Truth(got != starlark.None)
		case got != starlark.None:
			text, _ := starlark.AsString(got)
			n = int64(len(text)) + syntax.Truth(strings.Contains(s, "+ 1"))
		}
		target, _, _ := strings.Cut(s, " = ")
		a.set(strings.Trim(target, "{}"), starlark.MakeInt64(n))
	}
}

// coded compiles a call whose value is an error code in C, and which sets the argument ierror in Fortran.
func (c *compiler) coded(e *syntax.Call, n int, run func(*frame) error) expr {
	report := c.errorArgument(e, n)
	code := func(f *frame) int64 {
		f.fills = nil
		err := run(f)
		if thrown := f.thrown; thrown != nil { // in a function that the call of MPI called
			f.thrown = nil
			panic(thrown)
		}
		class, returned := program.Ends(err)
		if err == nil || returned && f.handles {
			for _, fill := range f.fills {
				fill()
			}
			for _, w := range f.texts {
				w.fill()
			}
			f.texts = slices.DeleteFunc(f.texts, func(w received) bool { return w.by == nil || !bool(w.by.Truth()) })
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

// argument compiles an argument of a call.
func (c *compiler) argument(e syntax.Expr, p calls.Param, of *calls.Procedure) *argument {
	a := &argument{at: e.At()}
	switch {
	case p.Name == "argc" || p.Name == "argv": // MPI changes nothing there
	case p.Type == "MPI_Status":
		status := c.statusArgument(e, p)
		a.read = func(q *passed) starlark.Value { return status(q.f) }
	case strings.HasSuffix(p.Type, "_function"):
		a.x = c.functionArgument(e)
	case p.Name == "value" && strings.HasSuffix(of.Name, "_attr"):
		a.attribute(c, e, p.In)
	case p.Type == "void" && (of.MovesData() || of.Statement == nil):
		a.x = c.memoryOf(e)
		if of.Party != calls.Local {
			c.perhapsUnset(&a.x, e)
		}
	case p.Type == "char" && p.Array && !p.In:
		store := c.textTarget(e)
		a.write = func(q *passed, v starlark.Value) {
			text, _ := starlark.AsString(v)
			store(q.f, text)
		}
	case p.Type == "char" && p.Array:
		x := c.expr(e)
		a.read = func(q *passed) starlark.Value { return starlark.String(c.textOf(q.f, x, a.at)) }
	case p.Array && isHandle(p.Type):
		a.x = c.arrayOf(e)
		a.read = func(q *passed) starlark.Value { return q.handles(p) }
	case p.Array:
		c.numberList(a, e, p)
	case p.Pointer && (!p.In || isHandle(p.Type)):
		target := c.target(e, p)
		if p.In || p.Inout {
			a.x = target.get()
			a.read = func(q *passed) starlark.Value { return q.f.argument(q.slot(p.Name), target.t, p, a.at) }
		}
		if !p.In {
			a.write = func(q *passed, v starlark.Value) { target.set(q.f, c.result(v, target.t, p)) }
		}
	default:
		t := intType
		x := c.expr(e)
		switch {
		case isHandle(p.Type):
			t = handleType(p.Type)
		case c.fortran && x.t.class() == ints && !p.Logical:
			t = x.t
		case c.fortran && p.Logical:
			t = truthType
		case p.Type != "int":
			t = longType
		}
		a.x = c.convert(x, t, a.at)
		a.read = func(q *passed) starlark.Value { return toMPI(q.slot(p.Name), t) }
	}
	return a
}

// textTarget returns a function that stores a text which a call gives: in memory, and in Fortran in a variable.
func (c *compiler) textTarget(e syntax.Expr) func(f *frame, text string) {
	if c.fortran {
		target := c.place(e)
		return func(f *frame, text string) { target.set(f, slot{v: padded(text, max(int(target.t.n), len(text)))}) }
	}
	x := c.expr(e)
	return func(f *frame, text string) { x.p(f).as(charType, e.At()).store(e.At(), text) }
}

func isHandle(t string) bool {
	return strings.HasPrefix(t, "MPI_") && t != "MPI_Aint" && t != "MPI_Count" && t != "MPI_Fint"
}

// toMPI returns a value of the program as a call takes it.
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

// fromMPI returns a result of a call as a value of a type.
func (c *compiler) fromMPI(v starlark.Value, t *typ) slot {
	switch v := v.(type) {
	case starlark.Int:
		n, _ := v.Int64()
		return slot{i: n}
	case starlark.Bool:
		return slot{i: syntax.Truth(bool(v))}
	case starlark.String:
		if t.kind == syntax.Text {
			return slot{v: string(v)}
		}
	case starlark.Float:
		return slot{f: float64(v)}
	}
	return slot{v: v}
}

// result returns what a call gives for a parameter as a value of a type.
func (c *compiler) result(v starlark.Value, t *typ, p calls.Param) slot {
	s := c.fromMPI(v, t)
	if p.Place && c.fortran && s.i >= 0 {
		s.i++
	}
	return s
}

// target compiles the place that a call sets: &x, or what a pointer points to; in Fortran, a variable.
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
			panic(syntax.Wrong(a.At(), "the call sets %s: write &NAME", p.Name))
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
		panic(syntax.Wrong(a.At(), "%s must be a %s, not %s", p.Name, p.Type, described(to.t)))
	}
	return to
}

// statusArgument compiles an argument that is a status, or an array of statuses.
func (c *compiler) statusArgument(a syntax.Expr, p calls.Param) func(*frame) starlark.Value {
	if id, ok := a.(*syntax.Ident); ok && strings.HasPrefix(c.ofMPI(id.Name), "MPI_STATUS") || isNull(a) {
		return func(*frame) starlark.Value { return starlark.None }
	}
	all := c.statuses(a, p)
	return func(f *frame) starlark.Value {
		list := all(f)
		switch {
		case list == nil:
			return starlark.None
		case p.Array:
			return starlark.NewList(list)
		}
		return list[0]
	}
}

// statuses compiles an argument to the statuses that begin where it points; nil for NULL.
func (c *compiler) statuses(a syntax.Expr, p calls.Param) func(*frame) []starlark.Value {
	variable := func(x expr) func(*frame) []starlark.Value {
		return func(f *frame) []starlark.Value { return []starlark.Value{x.v(f).(starlark.Value)} }
	}
	if u, ok := a.(*syntax.Unary); ok && u.Op == "&" {
		if y := c.place(u.X); y.v != nil && y.v.t.isStatus() {
			return variable(y.get())
		}
	}
	if _, entry := a.(*syntax.Index); entry && c.fortran { // stats(1, i)
		a = &syntax.Unary{Pos: a.At(), Op: "&", X: a}
	}
	x, at := c.expr(a), a.At()
	switch {
	case c.fortran && x.t.class() == refs && x.t.elem.isStatus():
		return variable(c.pointed(x, number(longType, 0), at).get())
	case c.fortran && x.t.isStatus():
		return variable(x)
	case x.t.class() != refs && c.fortran:
		panic(syntax.Wrong(at, "%s is a status: declare it as integer :: %s(MPI_STATUS_SIZE)", p.Name, p.Name))
	case x.t.class() != refs:
		panic(syntax.Wrong(at, "%s is a status: pass the address of a status, or MPI_STATUS_IGNORE", p.Name))
	case c.fortran && x.t.elem.base().kind == syntax.Int:
		return func(f *frame) []starlark.Value { return f.statusesInIntegers(x.p(f), at, p.Array) }
	}
	return func(f *frame) []starlark.Value { return f.statusesAt(x.p(f), at, p.Array) }
}

// statusesAt returns the status that a pointer points to, or all statuses from there on; nil for NULL.
func (p *process) statusesAt(r ref, at syntax.Pos, all bool) (list []starlark.Value) {
	if r.m == nil {
		return nil
	}
	if r.m.kind == syntax.Void { // of malloc
		r = r.as(handleType("MPI_Status"), at)
	}
	n := 1
	if all {
		n = max(0, r.rest())
	}
	for k := range n {
		entry := &r.m.any[r.check(at, int64(k))]
		if *entry == nil {
			*entry = p.newStatus()
		}
		list = append(list, (*entry).(starlark.Value))
	}
	return list
}

// fillStatuses makes the statuses that are missing in memory of statuses.
func (p *process) fillStatuses(m *memory) {
	for k, v := range m.any {
		if v == nil {
			m.any[k] = p.newStatus()
		}
	}
}

func isNull(a syntax.Expr) bool {
	id, ok := a.(*syntax.Ident)
	return ok && id.Name == "NULL"
}

// newStatus makes an empty status.
func (p *process) newStatus() any {
	v, err := p.r.Call(nil, "Status")
	if err != nil {
		panic(failed{err})
	}
	return v
}

// handles reads an array of handles.
func (a *passed) handles(p calls.Param) starlark.Value {
	r, at := a.slot(p.Name).p, a.args[p.Name].at
	list := make([]starlark.Value, a.notNegative(p.Name, a.int(p.Length)))
	for i := range list {
		v, ok := a.f.entry(r, at, int64(i)).(starlark.Value)
		if !ok {
			wrong(at, "entry %d of %s has no value yet: no call has set it", i, p.Name)
		}
		list[i] = v
	}
	return starlark.NewList(list)
}

// entries returns how many entries of an array of numbers the call reads: the array may have more.
func (a *passed) entries(p calls.Param, each int) int {
	if a.args[p.Length] != nil {
		return a.int(p.Length)
	}
	if array, count, ok := p.Last(); ok {
		n := a.int(count)
		if n < 1 {
			return 0
		}
		return max(0, a.ints(array, n)[n-1])
	}
	if array, ok := p.Summed(); ok {
		sum := 0
		for _, n := range a.ints(array, a.int(a.row.Param(array).Length)) {
			sum += n
		}
		return max(0, sum)
	}
	if c, ok := program.CommOf(a.read("comm")); ok && p.Length == calls.OfDims && c.Info() != nil {
		dims, _, _ := c.Info().Grid(0)
		return len(dims)
	}
	return a.slot(p.Name).p.rest() / each
}

// arrayOf compiles the address of an array that a call takes.
func (c *compiler) arrayOf(a syntax.Expr) expr {
	x := c.expr(a)
	if x.t.class() != refs {
		panic(syntax.Wrong(a.At(), "an array is expected here, not %s", described(x.t)))
	}
	return x
}

// numberList compiles an argument that is an array of integers, which the call reads or sets.
func (c *compiler) numberList(a *argument, e syntax.Expr, p calls.Param) {
	if id, ok := e.(*syntax.Ident); ok && strings.HasSuffix(c.ofMPI(id.Name), "UNWEIGHTED") {
		a.read = func(*passed) starlark.Value { return starlark.None }
		return
	}
	a.x = c.arrayOf(e)
	if p.In || p.Inout {
		a.read = func(q *passed) starlark.Value {
			each := 1
			if p.Triples {
				each = 3
			}
			var list []starlark.Value
			for numbers := range slices.Chunk(q.ints(p.Name, q.entries(p, each)*each), each) {
				var entry starlark.Tuple
				for _, k := range numbers {
					entry = append(entry, starlark.MakeInt(k))
				}
				if p.Triples {
					list = append(list, entry)
				} else {
					list = append(list, entry[0])
				}
			}
			return starlark.NewList(list)
		}
	}
	if p.In {
		return
	}
	a.write = func(q *passed, v starlark.Value) {
		list, ok := v.(starlark.Indexable)
		n := engine.Undefined
		if ok {
			n = list.Len()
		}
		q.set(p.Length, starlark.MakeInt(n)) // if the call sets it
		r := q.slot(p.Name).p
		for i := range max(n, 0) {
			r.m.cells[r.check(a.at, int64(i))] = uint64(c.result(list.Index(i), intType, p).i)
		}
	}
}

// ints reads n entries of an array.
func (a *passed) ints(name string, n int) []int {
	r, at := a.slot(name).p, a.args[name].at
	list := make([]int, a.notNegative(name, n))
	for i := range list {
		list[i] = int(int64(r.m.cells[r.check(at, int64(i))]))
	}
	return list
}

// notNegative returns the count for the entries of a parameter, and refuses a negative one.
func (a *passed) notNegative(name string, count int) int {
	if count < 0 {
		wrong(a.args[name].at, "%s: a count of %d is negative", a.row.Name, count)
	}
	return count
}

// rest returns how many elements there are from the pointer on.
func (r ref) rest() int {
	if r.m == nil {
		return 0
	}
	return r.m.len() - r.off
}
