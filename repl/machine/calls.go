package machine

import (
	"strings"
	"time"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// ownCalls has the calls that differ from mpi4py's: with arrays of requests, with counts, and those that begin and
// end MPI.
var ownCalls = map[string]func(*passed) error{
	"MPI_Probe": probing("Probe"), "MPI_Iprobe": probing("Iprobe"),
	"MPI_Sendrecv": func(a *passed) error {
		return a.sendrecv(a.buffer("sendbuf", "sendtype", 0, a.int("sendcount")), a.buffer("recvbuf", "recvtype", 0, a.int("recvcount")))
	},
	"MPI_Sendrecv_replace": func(a *passed) error {
		b := a.buffer("buf", "datatype", 0, a.int("count"))
		return a.sendrecv(b.Copy(), b)
	},
	"MPI_Get_count": getCount, "MPI_Get_elements": getCount,
	"MPI_Test_cancelled": func(a *passed) error {
		v, err := a.invoke(a.read("status"), "Is_cancelled")
		a.set("flag", v)
		return err
	},
	"MPI_Buffer_attach": func(a *passed) error {
		_, err := a.invoke(nil, "Attach_buffer", starlark.MakeInt(a.int("size")))
		return err
	},
	"MPI_Buffer_detach": func(a *passed) error {
		v, err := a.invoke(nil, "Detach_buffer")
		if err == nil {
			a.set("size", v)
		}
		return err
	},
	"MPI_Pack_size": func(a *passed) error {
		return a.gives("size", a.int("incount")*int(a.datatype("datatype").size()))
	},
	"MPI_Startall": about, "MPI_Waitall": about, "MPI_Testall": about, "MPI_Waitany": about, "MPI_Testany": about,
	"MPI_Waitsome": about, "MPI_Testsome": about,
	"MPI_Wait": func(a *passed) error {
		_, err := a.invoke(a.read("request"), "Wait", a.read("status"))
		return err
	},
	"MPI_Test": func(a *passed) error {
		v, err := a.invoke(a.read("request"), "Test", a.read("status"))
		a.set("flag", starlark.Bool(v == starlark.True))
		return err
	},
	"MPI_Init": begins, "MPI_Init_thread": begins,
	"MPI_Finalize": func(a *passed) error {
		a.f.over = true // what MPI does then happens where the run ends
		return nil
	},
	"MPI_Initialized":  func(a *passed) error { return a.gives("flag", int(syntax.Truth(a.f.begun))) },
	"MPI_Finalized":    func(a *passed) error { return a.gives("flag", int(syntax.Truth(a.f.over))) },
	"MPI_Query_thread": func(a *passed) error { return a.gives("provided", threadMultiple) },
	"MPI_Type_size":    func(a *passed) error { return a.gives("size", int(a.datatype("datatype").size())) },
	"MPI_Pcontrol":     func(*passed) error { return nil },
	"MPI_Op_create":    createOp, "MPI_Op_free": freeOp, "MPI_Comm_create_errhandler": createErrhandler,
	"MPI_Comm_create_keyval":   createKeyval,
	"MPI_Comm_free_keyval":     func(a *passed) error { return a.ofComm("comm_keyval", "Free_keyval", a.read("comm_keyval")) },
	"MPI_Dist_graph_neighbors": distNeighbors,
	"MPI_Type_contiguous":      contiguous, "MPI_Type_vector": vector, "MPI_Type_create_hvector": vector, "MPI_Type_indexed": indexed,
	"MPI_Type_create_indexed_block": indexed, "MPI_Type_create_hindexed": indexed, "MPI_Type_create_struct": indexed,
	"MPI_Type_create_subarray": subarray, "MPI_Type_create_resized": resized, "MPI_Type_commit": commit, "MPI_Type_free": freeType,
	"MPI_Type_get_extent": extentOf,
	"MPI_Get_library_version": func(a *passed) error {
		v, err := a.invoke(nil, "Get_library_version")
		if text, ok := starlark.AsString(v); ok {
			a.set("version", v)
			return a.gives("resultlen", len(text))
		}
		return err
	},
	"MPI_Type_dup": func(a *passed) error { return a.of([]block{{0, 1, a.datatype("oldtype")}}, 0) },
	"MPI_Get_address": func(a *passed) error {
		return a.gives("address", int(a.f.address(a.slot("location").p)))
	},
}

// declared lists the procedures that whole programs call and that the table of calls lacks.
var declared = calls.Declared("MPI_Init(int *argc, char ***argv)", "MPI_Init_thread(int *argc, char ***argv, int required, int *provided)",
	"MPI_Initialized(int *flag)", "MPI_Finalized(int *flag)", "MPI_Query_thread(int *provided)", "MPI_Pcontrol(int level)",
	"MPI_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op)", "MPI_Type_size(MPI_Datatype datatype, int *size)", "MPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size)",
	"MPI_Get_count(in MPI_Status *status, MPI_Datatype datatype, int *count)",
	"MPI_Get_elements(in MPI_Status *status, MPI_Datatype datatype, int *count)",
	"MPI_Test_cancelled(in MPI_Status *status, int *flag)",
	"MPI_Sendrecv_replace(inout void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, "+
		"MPI_Comm comm, MPI_Status *status)",
	"MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)",
	"MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype)",
	"MPI_Type_indexed(int count, const int array_of_blocklengths[count], const int array_of_displacements[count], MPI_Datatype oldtype, MPI_Datatype *newtype)",
	"MPI_Type_create_indexed_block(int count, int blocklength, const int array_of_displacements[count], MPI_Datatype oldtype, MPI_Datatype *newtype)",
	"MPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)",
	"MPI_Type_create_hindexed(int count, const int array_of_blocklengths[count], const MPI_Aint array_of_displacements[count], MPI_Datatype oldtype, MPI_Datatype *newtype)",
	"MPI_Type_create_struct(int count, const int array_of_blocklengths[count], const MPI_Aint array_of_displacements[count], "+
		"const MPI_Datatype array_of_types[count], MPI_Datatype *newtype)",
	"MPI_Get_library_version(char version[], int *resultlen)",
	"MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)", "MPI_Get_address(const void *location, MPI_Aint *address)",
	"MPI_Type_create_subarray(int ndims, const int array_of_sizes[ndims], const int array_of_subsizes[ndims], const int array_of_starts[ndims], "+
		"int order, MPI_Datatype oldtype, MPI_Datatype *newtype)",
	"MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype)",
	"MPI_Type_commit(inout MPI_Datatype *datatype)", "MPI_Type_free(inout MPI_Datatype *datatype)",
	"MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)")

// threadMultiple is MPI_THREAD_MULTIPLE of MPI.h.
const threadMultiple = 3

func (a *passed) gives(name string, n int) error {
	a.set(name, starlark.MakeInt(n))
	return nil
}

func begins(a *passed) error {
	a.f.begun = true
	return a.gives("provided", threadMultiple)
}

func probing(name string) func(*passed) error {
	return func(a *passed) error {
		v, err := a.invoke(a.value("comm"), name, a.read("source"), a.read("tag"), a.read("status"))
		a.set("flag", starlark.Bool(v == starlark.True))
		return err
	}
}

func (a *passed) sendrecv(send, recv *program.Buffer) error {
	_, err := (&program.Transfer{Call: engine.CallSendrecv, Comm: a.value("comm"), Send: send, Recv: recv, Peer: a.int("dest"),
		Tag: a.int("sendtag"), Root: a.int("source"), RecvTag: a.int("recvtag"), Status: a.read("status")}).Run(a.f.r)
	return err
}

func getCount(a *passed) error {
	s, ok := a.read("status").(*program.Status)
	if !ok {
		wrong(a.args["status"].at, "%s: a status is needed", a.row.Name)
	}
	n, bytes := s.Count()
	if all, size := n*bytes, int(a.datatype("datatype").size()); size > 0 && all%size == 0 {
		return a.gives("count", all/size)
	}
	return a.gives("count", engine.Undefined)
}

// about calls a function of MPI.Request with an array of requests, and sets the results: which requests have
// completed, or whether all have.
func about(a *passed) error {
	class, err := a.f.r.MPI("Request")
	if err != nil {
		return err
	}
	args := []starlark.Value{a.read("requests")}
	for _, status := range []string{"status", "statuses"} {
		if a.args[status] != nil {
			args = append(args, a.read(status))
		}
	}
	v, err := a.invoke(class, strings.TrimPrefix(a.row.Name, "MPI_"), args...)
	if a.args["outcount"] != nil {
		a.setIndices(v)
		return err
	}
	flag := v
	if t, ok := v.(starlark.Tuple); ok { // of Testany
		v, flag = t[0], t[1]
	}
	if n, ok := v.(starlark.Int); ok {
		a.set("index", a.index(n))
	}
	a.set("flag", starlark.Bool(flag == starlark.True))
	return err
}

// index returns the number of the request that has completed. Fortran counts from 1.
func (a *passed) index(n starlark.Int) starlark.Value {
	if a.c.fortran && n.Sign() >= 0 {
		return n.Add(starlark.MakeInt(1))
	}
	return n
}

func (a *passed) setIndices(v starlark.Value) {
	list, ok := v.(starlark.Indexable)
	if !ok {
		a.set("outcount", starlark.MakeInt(engine.Undefined))
		return
	}
	a.set("outcount", starlark.MakeInt(list.Len()))
	var indices []starlark.Value
	for k := range list.Len() {
		indices = append(indices, a.index(list.Index(k).(starlark.Int)))
	}
	a.set("indices", starlark.NewList(indices))
}

// call compiles a call of a function of the program, of MPI, or of the library of C or Fortran.
func (c *compiler) call(e *syntax.Call) expr {
	id, ok := e.Fn.(*syntax.Ident)
	if !ok {
		return c.indirect(e, c.expr(e.Fn))
	}
	if v := c.lookup(id.Name); v != nil {
		return c.indirect(e, c.variablePlace(v, id.Pos).get())
	}
	fn, name := c.funcs[id.Name], id.Name
	if fn != nil && fn.tree.Body != nil {
		return c.direct(e, fn)
	}
	if p := c.procedure(name); p != nil {
		return c.mpiCall(e, p)
	}
	if own := functionsOfFortran[name]; own != nil && c.fortran {
		return own(c, e)
	}
	if x, ok := c.library(e, name); ok {
		return x
	}
	if fn != nil { // declared
		return c.direct(e, fn)
	}
	if now := removed[strings.ToUpper(name)]; now != "" {
		panic(syntax.Wrong(e.Pos, "%s was removed in MPI-3.0: call %s", name, c.ofMPI(now)))
	}
	if strings.HasPrefix(strings.ToUpper(name), "MPI_") {
		if text := calls.AbsentC(name); text != "" {
			panic(syntax.Beyond(e.Pos, "%s", text))
		}
		if near := tongue.Nearest(name); near != "" {
			panic(syntax.Wrong(e.Pos, "%s is not a known call; did you mean %s?", name, near))
		}
		panic(syntax.Beyond(e.Pos, "%s is not supported here", name))
	}
	panic(syntax.Beyond(e.Pos, "the function %s is unknown: it is not in the file", id.Name))
}

// removed tells which procedure replaces one that MPI-3.0 removed (MPI-5.0, chapter 17), by its name in capitals.
var removed = map[string]string{
	"MPI_TYPE_EXTENT": "MPI_Type_get_extent", "MPI_TYPE_LB": "MPI_Type_get_extent", "MPI_TYPE_UB": "MPI_Type_get_extent",
	"MPI_TYPE_STRUCT": "MPI_Type_create_struct", "MPI_TYPE_HVECTOR": "MPI_Type_create_hvector",
	"MPI_TYPE_HINDEXED": "MPI_Type_create_hindexed", "MPI_ADDRESS": "MPI_Get_address",
	"MPI_ERRHANDLER_SET": "MPI_Comm_set_errhandler", "MPI_ERRHANDLER_GET": "MPI_Comm_get_errhandler",
	"MPI_ERRHANDLER_CREATE": "MPI_Comm_create_errhandler",
}

// deprecated has the procedures of MPI-1 that MPI-2.0 gave another name, by their names in capitals.
var deprecated = map[string]string{
	"MPI_KEYVAL_CREATE": "MPI_Comm_create_keyval", "MPI_KEYVAL_FREE": "MPI_Comm_free_keyval", "MPI_ATTR_PUT": "MPI_Comm_set_attr",
	"MPI_ATTR_GET": "MPI_Comm_get_attr", "MPI_ATTR_DELETE": "MPI_Comm_delete_attr",
}

// direct compiles a call of a function of the program.
func (c *compiler) direct(e *syntax.Call, fn *function) expr {
	if len(e.Args) != len(fn.tree.Params) {
		panic(syntax.Wrong(e.Pos, "%s takes %d arguments, not %d", fn.name, len(fn.tree.Params), len(e.Args)))
	}
	if fn.tree.Body == nil {
		panic(syntax.Beyond(e.Pos, "the function %s is declared, but its body is not in the file", fn.name))
	}
	args := make([]expr, len(e.Args))
	for i, a := range e.Args {
		t := c.paramType(fn.tree.Params[i])
		if u, ok := a.(*syntax.Unary); ok && c.fortran && u.Op == "&" && t.elem.kind == syntax.Int && !c.isPlace(u.X) {
			args[i] = c.kept(c.convert(c.expr(u.X), intType, a.At())) // MPI_REAL, too
			continue
		}
		args[i] = c.convert(c.expr(a), t, a.At())
	}
	return c.calling(e.Pos, fn.result, args, func(*frame) *function { return fn })
}

// paramType returns the type of a parameter, without the lengths that only the call computes.
func (c *compiler) paramType(p *syntax.Var) *typ {
	if p.Type.Kind == syntax.Pointer && p.Type.Elem.Kind == syntax.Array {
		t := p.Type.Elem
		for t.Kind == syntax.Array {
			t = t.Elem
		}
		return pointerTo(c.typ(t, p.Pos))
	}
	return c.typ(p.Type, p.Pos)
}

// indirect compiles a call through a pointer to a function.
func (c *compiler) indirect(e *syntax.Call, x expr) expr {
	if x.t.kind != syntax.Function {
		panic(syntax.Wrong(e.Pos, "this is not a function, but %s", described(x.t)))
	}
	args := make([]expr, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.expr(a)
	}
	return c.calling(e.Pos, x.t.elem, args, func(f *frame) *function { return x.v(f).(*function) })
}

func (c *compiler) calling(at syntax.Pos, t *typ, args []expr, which func(*frame) *function) expr {
	if t == nil {
		t = voidType
	}
	return ofSlot(t, func(f *frame) slot {
		fn := which(f)
		ret := fn.call(f, at, valuesOf(f, args))
		if t.kind != syntax.Void && !ret.set && fn.name != "main" {
			return slot{}
		}
		return ret
	})
}

// moment is the result of time(): each run begins at the same moment, so that a program can be run again with the
// same results.
const moment = 1_700_000_000

// began is when MPI_Wtime and clock begin to count.
var began = time.Now()

func elapsed() float64 { return time.Since(began).Seconds() }
