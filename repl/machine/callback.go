package machine

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// Functions of the program that MPI calls: operations, what copies and deletes attributes, and error handlers.

// opaque is a value of the program that has a name and no parts.
type opaque struct{ name string }

func (o opaque) String() string      { return o.name }
func (opaque) Type() string          { return "handle" }
func (opaque) Freeze()               {}
func (opaque) Truth() starlark.Bool  { return true }
func (opaque) Hash() (uint32, error) { return 0, nil }

// pointer is an attribute of a communicator: what a pointer of C points to.
type pointer struct {
	opaque
	ref
}

// nullFunctions are the names that stand for no function; dupFunctions those of the function that copies a value as it is.
var (
	nullFunctions = strings.Fields("NULL MPI_COMM_NULL_COPY_FN MPI_COMM_NULL_DELETE_FN MPI_NULL_COPY_FN MPI_NULL_DELETE_FN")
	dupFunctions  = strings.Fields("MPI_COMM_DUP_FN MPI_DUP_FN")
)

// functionArgument compiles an argument that is a function; its value is a *function, nil, or true for a dup function.
func (c *compiler) functionArgument(e syntax.Expr) expr {
	t := &typ{kind: syntax.Function}
	if id, ok := e.(*syntax.Ident); ok {
		switch name := c.ofMPI(id.Name); {
		case slices.Contains(nullFunctions, name):
			return expr{t: t, v: func(*frame) any { return nil }}
		case slices.Contains(dupFunctions, name):
			return expr{t: t, v: func(*frame) any { return true }}
		}
	}
	x := c.expr(e)
	if x.t.kind != syntax.Function {
		panic(syntax.Wrong(e.At(), "a function is expected here, not %s", described(x.t)))
	}
	return x
}

// attribute compiles the value of an attribute: what MPI_Comm_set_attr gets, or the variable that MPI_Comm_get_attr sets.
func (a *argument) attribute(c *compiler, e syntax.Expr, in bool) {
	if in {
		a.x = c.expr(e)
		a.read = func(q *passed) starlark.Value {
			if s := q.slot("value"); a.x.t.class() == refs {
				return &pointer{opaque{"pointer"}, s.p}
			} else {
				return toMPI(s, a.x.t)
			}
		}
		return
	}
	for cast, ok := e.(*syntax.Cast); ok; cast, ok = e.(*syntax.Cast) { // (void *) &p
		e = cast.X
	}
	var to place
	if u, ok := e.(*syntax.Unary); ok && u.Op == "&" {
		e = u.X
	} else if !c.fortran {
		e = &syntax.Unary{Pos: e.At(), Op: "*", X: e}
	}
	to = c.place(e)
	to.writable(a.at)
	a.write = func(q *passed, v starlark.Value) {
		n, isInt := v.(starlark.Int)
		p, _ := v.(*pointer)
		switch i, _ := n.Int64(); {
		case p != nil:
			to.set(q.f, slot{p: p.ref})
		case isInt && to.t.class() == refs: // of MPI itself
			to.set(q.f, slot{p: inMemory(intType, slot{i: i})})
		case isInt:
			to.set(q.f, slot{i: i})
		}
	}
}

// function returns the function that is an argument, and refuses one with another number of parameters than MPI passes.
func (a *passed) function(name string, params int) *function {
	fn, _ := a.slot(name).v.(*function)
	if fn != nil && len(fn.params) != params {
		wrong(a.args[name].at, "%s: MPI calls %s with %d arguments, but it takes %d", a.row.Name, fn.name, params, len(fn.params))
	}
	return fn
}

// callable returns a function of the program that MPI calls on the same rank. slots makes its arguments of mpi4py's; then, if
// not nil, makes the result. A failure in the function ends the call of MPI with it.
func (a *passed) callable(fn *function, slots func(args starlark.Tuple) []slot, then func([]slot) starlark.Value) starlark.Value {
	f := a.f
	return starlark.NewBuiltin(fn.name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (v starlark.Value, err error) {
		defer func() {
			if f.thrown = recover(); f.thrown != nil {
				err = errors.New("the function fails")
				if !f.over { // then the call of MPI ends with the same panic
					return
				}
				err = a.c.errorOf(f.thrown)
			}
		}()
		list := slots(args)
		if code := fn.call(f, fn.pos, list); code.i != 0 {
			return nil, fmt.Errorf("%s returned error code %d", fn.name, code.i)
		}
		if v = starlark.None; then != nil {
			v = then(list)
		}
		return v, nil
	})
}

func createKeyval(a *passed) error {
	if a.c.fortran && (a.function("comm_copy_attr_fn", 6) != nil || a.function("comm_delete_attr_fn", 4) != nil) {
		wrong(a.args["comm_copy_attr_fn"].at, "%s: functions of Fortran that copy or delete attributes are not supported here", a.row.Name)
	}
	extra := a.slot("extra_state")
	common := func(args starlark.Tuple) []slot { // comm, keyval, value
		s := slot{}
		if p, ok := args[2].(*pointer); ok {
			s.p = p.ref
		}
		return []slot{{v: args[0]}, a.c.fromMPI(args[1], intType), s}
	}
	var copied, deleted starlark.Value = starlark.None, starlark.None
	if a.slot("comm_copy_attr_fn").v == true {
		copied = starlark.True
	}
	if fn := a.function("comm_copy_attr_fn", 6); fn != nil {
		copied = a.callable(fn, func(args starlark.Tuple) []slot {
			s := common(args)
			return []slot{s[0], s[1], extra, s[2], {p: inMemory(voidPtr, slot{})}, {p: inMemory(intType, slot{})}}
		}, func(s []slot) starlark.Value {
			if s[5].p.m.cells[0] == 0 {
				return program.NotCopied()
			}
			to, _ := s[4].p.m.any[0].(ref)
			return &pointer{opaque{"pointer"}, to}
		})
	}
	if fn := a.function("comm_delete_attr_fn", 4); fn != nil {
		deleted = a.callable(fn, func(args starlark.Tuple) []slot { return append(common(args), extra) }, nil)
	}
	return a.ofComm("comm_keyval", "Create_keyval", copied, deleted)
}

// ofComm calls a function of MPI.Comm, and gives its result to a parameter.
func (a *passed) ofComm(to, name string, args ...starlark.Value) error {
	class, err := a.f.r.MPI("Comm")
	if err != nil {
		return err
	}
	v, err := a.invoke(class, name, args...)
	if err == nil {
		a.set(to, v)
	}
	return err
}

func createErrhandler(a *passed) error {
	fn, _ := a.slot("comm_errhandler_fn").v.(*function)
	if fn == nil || len(fn.params) != 2 {
		wrong(a.args["comm_errhandler_fn"].at, "%s: an error handler takes a communicator and an error code, by their addresses", a.row.Name)
	}
	return a.ofComm("errhandler", "Create_errhandler", a.callable(fn, func(args starlark.Tuple) []slot {
		return []slot{{p: inMemory(handleType("MPI_Comm"), slot{v: args[0]})}, {p: inMemory(intType, a.c.fromMPI(args[1], intType))}}
	}, nil))
}

// operation is an operation of the program.
type operation struct {
	opaque
	fn   *function
	of   *frame
	open *program.Open
}

func createOp(a *passed) error {
	fn := a.function("user_fn", 4)
	if fn == nil {
		wrong(a.args["user_fn"].at, "%s: a function is expected here", a.row.Name)
	}
	a.set("op", &operation{opaque{"operation of " + fn.name}, fn, a.f, a.f.r.Opened("operation", nil)})
	return nil
}

func freeOp(a *passed) error {
	own, ok := a.read("op").(*operation)
	if !ok {
		_, err := a.invoke(a.value("op"), "Free")
		return err
	}
	a.f.r.Opened("operation", own.open)
	null, err := a.f.r.MPI("OP_NULL")
	a.set("op", null)
	return err
}

// op returns the operation of a call that combines what processes send.
func (a *passed) op() starlark.Value {
	v := a.value("op")
	own, ok := v.(*operation)
	if !ok {
		return v
	}
	d, n := a.datatype("datatype"), 0
	var like *memory // of what is sent or received
	for _, name := range []string{"sendbuf", "recvbuf"} {
		if r := a.slot(name).p; r.m != nil && r.m != inPlace && !r.m.unset {
			like = r.m
		}
	}
	for _, name := range []string{"count", "recvcount"} {
		if a.args[name] != nil {
			n = a.int(name)
		}
	}
	if like == nil || d.kind == syntax.Void {
		return program.NewOp(own.name, func(_, _ []uint64) error { return errors.New("it needs a datatype with elements") })
	}
	return program.NewOp(own.name, func(in, inout []uint64) (err error) {
		n := max(n, len(in)/max(d.each, 1))
		defer func() {
			v := recover()
			if _, noRank := v.(runtime.Error); noRank {
				v = &fault{own.fn.pos, own.fn.name + " must only compute: it runs where MPI combines values"}
			}
			if err = a.c.errorOf(v); err != nil {
				err = errors.New(err.Error())
			}
		}()
		return a.combine(own, like, d, n, in, inout)
	})
}

// combine calls the operation with n datatypes in memory as the program's. MPI calls it on one of the ranks, whichever comes
// last: it runs on a process without a rank, which sees the global variables.
func (a *passed) combine(own *operation, like *memory, d *datatype, n int, in, inout []uint64) error {
	p := &process{globals: own.of.globals, args: own.of.args, random: seeded(1), begun: true}
	var both [2]ref
	var places []int
	for k, values := range [][]uint64{in, inout} {
		m := &memory{named: own.fn.params[k].name}
		each := int64(len(d.parts))
		if like.rec != nil {
			each = (d.extent + like.rec.bytes - 1) / like.rec.bytes * like.elem().width()
		} else if d.each > 0 {
			each = max(each, d.extent/like.elem().size())
		}
		m.shape(like.elem(), int(each)*n)
		places, _ = a.places(m, own.fn.pos, d, 0, n)
		for i, k := range places[:min(len(places), len(values))] {
			m.cells[k] = values[i]
		}
		both[k] = ref{m, 0}
	}
	size := inMemory(intType, slot{i: int64(n)})
	of := inMemory(handleType("MPI_Datatype"), slot{v: d})
	if a.c.fortran {
		of = inMemory(intType, slot{i: p.numberOf(d)})
	}
	own.fn.call(&frame{process: p}, own.fn.pos, []slot{{p: both[0]}, {p: both[1]}, {p: size}, {p: of}})
	for i, k := range places[:min(len(places), len(inout))] {
		inout[i] = both[1].m.cells[k]
	}
	return nil
}

// distNeighbors makes MPI_Dist_graph_neighbors.
func distNeighbors(a *passed) error {
	v, err := a.invoke(a.value("comm"), "Get_dist_neighbors")
	if err != nil {
		return err
	}
	t := v.(starlark.Tuple)
	cut := func(name, count string, v starlark.Value) {
		list := v.(starlark.Sliceable)
		a.set(name, list.Slice(0, max(0, min(a.int(count), list.Len())), 1))
	}
	cut("sources", "maxindegree", t[0])
	cut("destinations", "maxoutdegree", t[1])
	if w, ok := t[2].(starlark.Tuple); ok {
		cut("sourceweights", "maxindegree", w[0])
		cut("destweights", "maxoutdegree", w[1])
	}
	return nil
}
