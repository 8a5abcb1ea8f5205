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

// ownCalls has the calls that the table of calls cannot say in mpi4py's words: with datatypes and functions of the
// program, and those that begin and end MPI.
var ownCalls = map[string]func(*passed) error{
	"MPI_Sendrecv_replace": func(a *passed) error { return a.messages(engine.CallSendrecv, (*program.Buffer).Copy) },
	"MPI_Get_count":        getCount, "MPI_Get_elements": getCount,
	"MPI_Pack_size": func(a *passed) error {
		return a.gives("size", a.int("incount")*int(a.datatype("datatype").size()))
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
	"MPI_Dist_graph_neighbors": distNeighbors,
	"MPI_Type_contiguous":      contiguous, "MPI_Type_vector": vector, "MPI_Type_create_hvector": vector, "MPI_Type_indexed": indexed,
	"MPI_Type_create_indexed_block": indexed, "MPI_Type_create_hindexed": indexed, "MPI_Type_create_struct": indexed,
	"MPI_Type_create_subarray": subarray, "MPI_Type_create_resized": resized, "MPI_Type_commit": commit, "MPI_Type_free": freeType,
	"MPI_Type_get_extent": extentOf,
	"MPI_Type_dup":        func(a *passed) error { return a.of([]block{{0, 1, a.datatype("oldtype")}}, 0) },
	"MPI_Get_address": func(a *passed) error {
		return a.gives("address", int(a.f.address(a.slot("location").p)))
	},
}

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
