package machine

import (
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// datatype is a basic datatype of MPI.
type datatype struct {
	name string
	kind syntax.Kind // of the elements of memory
	elem program.Elem
	each int // elements of memory that one of it has
}

// datatypes are the basic datatypes by their names without "MPI_", those of C first, then those of Fortran.
var datatypes = datatypeTable()

func datatypeTable() map[string]*datatype {
	table := map[string]*datatype{}
	for _, d := range []struct {
		names string
		kind  syntax.Kind
		elem  program.Elem
		each  int
	}{
		{"CHAR SIGNED_CHAR INT8_T CHARACTER", syntax.Char, program.Char, 1},
		{"UNSIGNED_CHAR UINT8_T", syntax.UChar, program.Uint8, 1},
		{"BYTE PACKED", syntax.Void, program.Char, 1},
		{"SHORT INT16_T INTEGER2", syntax.Short, program.Int16, 1}, {"UNSIGNED_SHORT UINT16_T", syntax.UShort, program.Uint16, 1},
		{"INT INT32_T INTEGER INTEGER4", syntax.Int, program.Int32, 1},
		{"C_BOOL LOGICAL", syntax.Logical, program.Int32, 1},
		{"UNSIGNED UINT32_T", syntax.UInt, program.Uint32, 1},
		{"LONG LONG_LONG LONG_LONG_INT INT64_T AINT OFFSET COUNT INTEGER8", syntax.Long, program.Int64, 1},
		{"UNSIGNED_LONG UNSIGNED_LONG_LONG UINT64_T", syntax.ULong, program.Uint64, 1},
		{"FLOAT REAL REAL4", syntax.Float, program.Float32, 1},
		{"DOUBLE DOUBLE_PRECISION REAL8", syntax.Double, program.Float64, 1},
		{"2INT 2INTEGER", syntax.Int, program.Int32, 2}, {"2REAL", syntax.Float, program.Float32, 2},
		{"2DOUBLE_PRECISION", syntax.Double, program.Float64, 2},
	} {
		for name := range strings.FieldsSeq(d.names) {
			table[name] = &datatype{"MPI_" + name, d.kind, d.elem, d.each}
		}
	}
	return table
}

func (d *datatype) size() int64 { return int64(d.each) * (&typ{kind: d.kind}).size() }

// callArgs is the arguments of a call of MPI that has no words in the table of calls, or that moves data.
type callArgs struct {
	c     *compiler
	e     *syntax.Call
	name  string
	site  *engine.Site
	at    map[string]syntax.Pos
	exprs map[string]expr
	refs  map[string]func(*frame) ref
	sets  map[string]place
	stats map[string]func(*frame, map[string]int64) starlark.Value
	list  func(*frame, map[string]int64) starlark.Value // of requests
}

// ownCall is such a call: its parameters, and what makes the call. A parameter is buf... for memory, ...s for an array of
// integers, !... for what the call sets, status or statuses, requests, and else an integer or a handle.
type ownCall struct {
	params []string
	run    func(a *callArgs, f *frame) error
	shown  string // how C declares it; "" where the parameters say so
}

// own compiles an own call.
func (c *compiler) own(e *syntax.Call, name string, o *ownCall) expr {
	params := o.params
	if c.fortran && len(params) > 0 && params[0] == "argc" {
		params = params[2:]
	}
	o = &ownCall{params, o.run, o.shown}
	args := c.withoutError(e, len(o.params))
	if len(args) != len(o.params) {
		shown := o.shown
		if shown == "" {
			shown = strings.NewReplacer("!", "", "buf_", "").Replace(strings.Join(o.params, ", "))
		}
		panic(syntax.Wrong(e.Pos, "%s takes %d arguments, not %d: %s", name, len(o.params), len(args), shown))
	}
	a := &callArgs{c: c, e: e, name: name, site: c.site(e.Pos), at: map[string]syntax.Pos{}, exprs: map[string]expr{},
		refs: map[string]func(*frame) ref{}, sets: map[string]place{}, stats: map[string]func(*frame, map[string]int64) starlark.Value{}}
	for i, p := range o.params[:min(len(args), len(o.params))] {
		a.at[p] = args[i].At()
		switch {
		case p == "argc" || p == "argv": // MPI changes nothing there
		case strings.HasPrefix(p, "buf"):
			a.refs[p] = c.memoryOf(args[i])
		case p == "status" || p == "statuses":
			a.stats[p] = c.statusArgument(args[i], *statusParam(p))
		case p[0] == '!':
			if !isNull(args[i]) {
				a.sets[p[1:]] = c.target(args[i], *setParam(p[1:]))
			}
		case p == "requests":
			a.list = c.handleList(args[i], calls.Param{Name: p, Length: "count"})
		case p == "counts" || p == "counts2" || p == "displs" || p == "displs2" || p == "indices":
			a.refs[p] = c.arrayOf(args[i])
		default:
			a.exprs[p] = c.handleArgument(c.expr(args[i]), p, args[i].At())
		}
	}
	return c.coded(e, len(params), func(f *frame) error {
		f.at(a.site)
		return o.run(a, f)
	})
}

// memoryOf is the memory that a call sends from or receives into.
func (c *compiler) memoryOf(e syntax.Expr) func(*frame) ref {
	x := c.expr(e)
	if c.fortran && x.t.class() != refs {
		x = c.address(&syntax.Unary{Pos: e.At(), Op: "&", X: e})
	}
	if x.t.class() != refs {
		panic(syntax.Wrong(e.At(), "a buffer is an array or the address of a variable, and this is %s", described(x.t)))
	}
	return x.p
}

// int is an argument that is an integer.
func (a *callArgs) int(f *frame, name string) int {
	x := a.exprs[name]
	if x.t.class() != ints {
		panic(syntax.Wrong(a.at[name], "%s must be an integer, and this is %s", name, described(x.t)))
	}
	return int(x.i(f))
}

// handle is an argument that is a handle.
func (a *callArgs) handle(f *frame, name string) any {
	x := a.exprs[name]
	if x.t.class() != values {
		wrong(a.at[name], "%s must be a handle, and this is %s", name, described(x.t))
	}
	return x.v(f)
}

func (a *callArgs) value(f *frame, name string) starlark.Value {
	v, ok := a.handle(f, name).(starlark.Value)
	if !ok {
		wrong(a.at[name], "%s has no value that MPI knows", name)
	}
	return v
}

func (a *callArgs) datatype(f *frame, name string) *datatype {
	d, ok := a.handle(f, name).(*datatype)
	if !ok {
		wrong(a.at[name], "%s must be a datatype", name)
	}
	return d
}

func (a *callArgs) set(f *frame, name string, s slot) {
	if p, ok := a.sets[name]; ok {
		p.set(f, s)
	}
}

// status is the status that the call fills; None for none.
func (a *callArgs) status(f *frame, name string) starlark.Value {
	return a.stats[name](f, nil)
}

// buffer is n elements of a datatype from where memory begins, d elements further.
func (a *callArgs) buffer(f *frame, name, datatype string, from, n int) *program.Buffer {
	return a.bufferAt(a.refs[name](f), name, a.datatype(f, datatype), from, n)
}

func (a *callArgs) bufferAt(r ref, name string, d *datatype, from, n int) *program.Buffer {
	at := a.at[name]
	if n < 0 {
		wrong(at, "%s: a count of %d is negative", a.name, n)
	}
	if r.m == nil {
		if n > 0 {
			wrong(at, "%s: the buffer is NULL here, and the count is %d", a.name, n)
		}
		return program.Over(d.elem, nil)
	}
	kind, elem, n, from := d.kind, d.elem, n*d.each, from*d.each
	if d.kind == syntax.Void && r.m.kind != syntax.Void { // bytes of whatever it is
		size := int((&typ{kind: r.m.kind}).size())
		if n%size != 0 || !isNumber(r.m.kind) {
			wrong(at, "%s: %d bytes are not a whole number of elements of %s", a.name, n, kindNames[r.m.kind])
		}
		kind, elem, n, from = r.m.kind, elems[r.m.kind], n/size, from/size
	}
	if kind == syntax.Void {
		kind = syntax.Char
	}
	switch {
	case r.m.freed:
		wrong(at, "%s: the memory was freed", a.name)
	case r.m.kind == syntax.Void:
		r = r.as(&typ{kind: kind}, at)
	case !isNumber(r.m.kind) || isReal(r.m.kind) != isReal(kind) || (&typ{kind: r.m.kind}).size() != (&typ{kind: kind}).size():
		wrong(at, "%s: the buffer has elements of %s, and the datatype is %s", a.name, kindNames[r.m.kind], d.name)
	}
	begin := r.off + from
	if begin < 0 || begin+n > r.m.len() {
		named := r.m.named
		if named == "" {
			named = "the buffer"
		}
		wrong(at, "%s: %d elements from entry %d on are more than %s has: %d", a.name, n, begin, named, r.m.len())
	}
	b, _ := program.Over(elem, r.m.cells).View(begin, n)
	return b
}

// elems are the types of buffers by the kinds of elements.
var elems = map[syntax.Kind]program.Elem{syntax.Char: program.Char, syntax.UChar: program.Uint8, syntax.Short: program.Int16,
	syntax.UShort: program.Uint16, syntax.Int: program.Int32, syntax.Logical: program.Int32, syntax.UInt: program.Uint32,
	syntax.Long: program.Int64, syntax.ULong: program.Uint64, syntax.Float: program.Float32, syntax.Double: program.Float64}

// ints reads n entries of an array.
func (a *callArgs) ints(f *frame, name string, n int) []int {
	r := a.refs[name](f)
	list := make([]int, n)
	for i := range list {
		list[i] = int(int64(r.m.cells[r.check(a.at[name], int64(i))]))
	}
	return list
}

// parts are parts of memory, one for each process: counts[i] elements from displs[i] on, or equally many. The parameters
// end in which, "" or "2".
func (a *callArgs) parts(f *frame, buf, which string, n int) []*program.Buffer {
	d, r := a.datatype(f, "datatype"+which), a.refs[buf](f)
	sizes, from := make([]int, n), make([]int, n)
	if a.refs["counts"+which] != nil {
		sizes, from = a.ints(f, "counts"+which, n), a.ints(f, "displs"+which, n)
	} else {
		for i := range n {
			sizes[i] = a.int(f, "count"+which)
			from[i] = i * sizes[i]
		}
	}
	list := make([]*program.Buffer, n)
	for i := range list {
		list[i] = a.bufferAt(r, buf, d, from[i], sizes[i])
	}
	return list
}

// inPlace reports whether a buffer is MPI_IN_PLACE.
func (a *callArgs) inPlace(f *frame, buf string) bool { return a.refs[buf](f).m == inPlace }

// on is the communicator of the call, and how many processes it gets data from.
func (a *callArgs) on(f *frame) (comm starlark.Value, c *engine.Comm, peers int) {
	comm = a.value(f, "comm")
	c, ok := program.CommOf(comm)
	if !ok {
		wrong(a.at["comm"], "comm must be a communicator")
	}
	if c.IsNull() || c.Pending() || c.Info() == nil {
		return comm, c, 0
	}
	if c.Kind() == engine.Inter {
		n, err := c.RemoteSize()
		if err != nil {
			panic(failed{err})
		}
		return comm, c, n
	}
	return comm, c, c.Size()
}

// isRoot reports whether the process is the root of a call.
func isRoot(c *engine.Comm, root int) bool {
	if c.IsNull() || c.Info() == nil {
		return false
	}
	if c.Kind() == engine.Inter {
		return root == engine.Root
	}
	return c.Rank() == root
}

// make makes the transfer, and gives its request to the program.
func (a *callArgs) make(f *frame, t *program.Transfer) error {
	v, err := t.Run(f.r)
	if err == nil && v != starlark.None {
		a.set(f, "request", slot{v: v})
	}
	return err
}

// namesOf are what own calls name the parameters of the table.
var namesOf = map[string]string{"buffer": "buf", "sendbuf": "buf_send", "recvbuf": "buf_recv", "sendcount": "count", "recvcount": "count2",
	"sendtype": "datatype", "recvtype": "datatype2", "sendcounts": "counts", "recvcounts": "counts2", "sdispls": "displs", "rdispls": "displs2",
	"request": "!request"}

// moving is a call that moves data, as its row of the table declares it; nil where the row is of another kind.
func moving(p *calls.Procedure) *ownCall {
	call := engine.CallOf(p)
	local := p.Party == calls.Local
	if call == engine.CallNone || !p.MovesData() || p.Param("message") != nil || strings.HasPrefix(p.Name, "MPI_Neighbor") {
		return nil
	}
	o := &ownCall{shown: p.Signature, run: func(a *callArgs, f *frame) error { return a.collect(f, call) }}
	switch {
	case local && p.Param("dest") != nil:
		o.run = func(a *callArgs, f *frame) error {
			return a.make(f, &program.Transfer{Call: call, Comm: a.value(f, "comm"), Peer: a.int(f, "dest"), Tag: a.int(f, "tag"),
				Send: a.buffer(f, "buf", "datatype", 0, a.int(f, "count"))})
		}
	case local:
		o.run = func(a *callArgs, f *frame) error {
			t := &program.Transfer{Call: call, Comm: a.value(f, "comm"), Root: a.int(f, "source"), RecvTag: a.int(f, "tag"),
				Recv: a.buffer(f, "buf", "datatype", 0, a.int(f, "count"))}
			if a.stats["status"] != nil {
				t.Status = a.status(f, "status")
			}
			return a.make(f, t)
		}
	}
	for _, q := range p.Params {
		name := q.Name
		if own, ok := namesOf[name]; ok {
			name = own
		}
		if name == "displs" && p.Param("recvcounts") != nil { // of MPI_Gatherv
			name = "displs2"
		}
		o.params = append(o.params, name)
	}
	return o
}

// collect makes a collective call that moves data.
func (a *callArgs) collect(f *frame, call engine.Call) error {
	comm, c, n := a.on(f)
	t := &program.Transfer{Call: call, Comm: comm}
	row, plain := call.Procedure(), call.Plain()
	gets, gives := true, true // whether the process has an array for all, and one of its own
	if row.Param("root") != nil {
		t.Root = a.int(f, "root")
		gets = isRoot(c, t.Root)
		gives = t.Root != engine.ProcNull && (t.Root != engine.Root || plain == engine.CallBcast || plain == engine.CallScatter)
	}
	if row.Param("op") != nil {
		t.Op = a.value(f, "op")
	}
	switch plain {
	case engine.CallBcast:
		t.Recv = a.buffer(f, "buf", "datatype", 0, a.int(f, "count"))
		if gets {
			t.Send = t.Recv
		}
	case engine.CallGather, engine.CallAllgather:
		if gets {
			t.Recvs = a.parts(f, "buf_recv", "2", n)
		}
		switch {
		case !gives:
			t.Send = program.Over(program.Int32, nil)
		case a.inPlace(f, "buf_send") && gets:
			t.Send = t.Recvs[c.Rank()]
		default:
			t.Send = a.buffer(f, "buf_send", "datatype", 0, a.int(f, "count"))
		}
	case engine.CallScatter:
		if gets {
			t.Sends = a.parts(f, "buf_send", "", n)
		}
		switch {
		case t.Root == engine.Root || !gives:
		case a.inPlace(f, "buf_recv") && gets:
			t.Recv = t.Sends[c.Rank()]
		default:
			t.Recv = a.buffer(f, "buf_recv", "datatype2", 0, a.int(f, "count2"))
		}
	case engine.CallAlltoall:
		t.Recvs = a.parts(f, "buf_recv", "2", n)
		if t.Sends = t.Recvs; !a.inPlace(f, "buf_send") {
			t.Sends = a.parts(f, "buf_send", "", n)
		}
	default:
		a.reduce(f, t, c, n, gets, gives)
	}
	return a.make(f, t)
}

// reduce gives a reduction its buffers.
func (a *callArgs) reduce(f *frame, t *program.Transfer, c *engine.Comm, n int, gets, gives bool) {
	all, got := 0, 0 // elements that are combined, and that the process gets
	switch t.Call.Plain() {
	case engine.CallReduceScatterBlock:
		got = a.int(f, "count2")
		all, t.First, t.Part = n*got, c.Rank()*got, got
	case engine.CallReduceScatter:
		for i, k := range a.ints(f, "counts2", n) {
			if i == c.Rank() {
				got, t.First, t.Part = k, all, k
			}
			all += k
		}
	default:
		got = a.int(f, "count")
		all = got
	}
	if gets {
		t.Recv = a.buffer(f, "buf_recv", "datatype", 0, got)
	}
	switch {
	case !gives:
		t.Send = program.Over(a.datatype(f, "datatype").elem, make([]uint64, all))
	case a.inPlace(f, "buf_send") && gets:
		t.Send = a.buffer(f, "buf_recv", "datatype", 0, all)
	default:
		t.Send = a.buffer(f, "buf_send", "datatype", 0, all)
	}
}
