package machine

import (
	"strings"
	"time"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// statusParam and setParam describe the parameters of own calls as the table of calls does others.
func statusParam(name string) *calls.Param {
	return &calls.Param{Name: name, Type: "MPI_Status", Pointer: true, Array: name == "statuses"}
}

func setParam(name string) *calls.Param {
	types := map[string]string{"request": "MPI_Request", "message": "MPI_Message", "op": "MPI_Op", "datatype": "MPI_Datatype"}
	t := types[name]
	if t == "" {
		t = "int"
	}
	return &calls.Param{Name: name, Type: t, Pointer: true}
}

// ownCalls are the calls that move data, and those for which mpi4py has other words than C: arrays of requests, counts.
var ownCalls = ownTable()

func ownTable() map[string]*ownCall {
	table := map[string]*ownCall{"MPI_Probe": probing(""), "MPI_Iprobe": probing("!flag")}
	for _, p := range calls.All {
		if o := moving(p); o != nil {
			table[p.Name] = o
		}
	}
	add := func(signature string, run func(a *callArgs, f *frame) error) {
		words := strings.Fields(signature)
		table[words[0]] = &ownCall{params: words[1:], run: run}
	}
	add("MPI_Sendrecv buf_send count datatype dest tag buf_recv count2 datatype2 source tag2 comm status", func(a *callArgs, f *frame) error {
		return a.sendrecv(f, a.buffer(f, "buf_send", "datatype", 0, a.int(f, "count")),
			a.buffer(f, "buf_recv", "datatype2", 0, a.int(f, "count2")))
	})
	add("MPI_Sendrecv_replace buf count datatype dest tag source tag2 comm status", func(a *callArgs, f *frame) error {
		b := a.buffer(f, "buf", "datatype", 0, a.int(f, "count"))
		return a.sendrecv(f, b, b)
	})
	add("MPI_Get_count status datatype !count", getCount)
	add("MPI_Get_elements status datatype !count", getCount)
	add("MPI_Buffer_attach buf size", func(a *callArgs, f *frame) error {
		_, err := f.invoke(a.site, nil, "Attach_buffer", starlark.MakeInt(a.int(f, "size")))
		return err
	})
	add("MPI_Buffer_detach buf !size", func(a *callArgs, f *frame) error {
		v, err := f.invoke(a.site, nil, "Detach_buffer")
		if n, ok := v.(starlark.Int); ok {
			size, _ := n.Int64()
			a.set(f, "size", slot{i: size})
		}
		return err
	})
	add("MPI_Pack_size count datatype comm !size", func(a *callArgs, f *frame) error {
		a.set(f, "size", slot{i: int64(a.int(f, "count")) * a.datatype(f, "datatype").size()})
		return nil
	})
	for name, more := range map[string]string{"Startall": "", "Waitall": "statuses", "Testall": "!flag statuses", "Waitany": "!index status",
		"Testany": "!index !flag status", "Waitsome": "!outcount indices statuses", "Testsome": "!outcount indices statuses"} {
		add("MPI_"+name+" count requests "+more, func(a *callArgs, f *frame) error { return a.about(f, name) })
	}
	add("MPI_Wait !request status", func(a *callArgs, f *frame) error {
		_, err := a.request(f, "Wait")
		return err
	})
	add("MPI_Test !request !flag status", func(a *callArgs, f *frame) error {
		v, err := a.request(f, "Test")
		a.set(f, "flag", slot{i: truth(v == starlark.True)})
		return err
	})
	nothing := func(*callArgs, *frame) error { return nil }
	begins := func(a *callArgs, f *frame) error {
		f.begun = true
		a.set(f, "provided", slot{i: 3})
		return nil
	}
	add("MPI_Init argc argv", begins)
	add("MPI_Init_thread argc argv required !provided", begins)
	add("MPI_Finalize", func(a *callArgs, f *frame) error {
		f.over = true // what MPI does then happens where the run ends
		return nil
	})
	add("MPI_Initialized !flag", func(a *callArgs, f *frame) error { a.set(f, "flag", slot{i: truth(f.begun)}); return nil })
	add("MPI_Finalized !flag", func(a *callArgs, f *frame) error { a.set(f, "flag", slot{i: truth(f.over)}); return nil })
	add("MPI_Query_thread !provided", func(a *callArgs, f *frame) error { a.set(f, "provided", slot{i: 3}); return nil })
	add("MPI_Type_size datatype !size", func(a *callArgs, f *frame) error {
		a.set(f, "size", slot{i: a.datatype(f, "datatype").size()})
		return nil
	})
	add("MPI_Pcontrol level", nothing)
	return table
}

// probing is MPI_Probe and MPI_Iprobe.
func probing(flag string) *ownCall {
	return &ownCall{params: strings.Fields("source tag comm " + flag + " status"), run: func(a *callArgs, f *frame) error {
		name := "Probe"
		if flag != "" {
			name = "Iprobe"
		}
		v, err := f.invoke(a.site, a.value(f, "comm"), name, starlark.MakeInt(a.int(f, "source")), starlark.MakeInt(a.int(f, "tag")), a.status(f, "status"))
		a.set(f, "flag", slot{i: truth(v == starlark.True)})
		return err
	}}
}

func (a *callArgs) sendrecv(f *frame, send, recv *program.Buffer) error {
	return a.make(f, &program.Transfer{Call: engine.CallRecv, Comm: a.value(f, "comm"), Send: send, Recv: recv, Peer: a.int(f, "dest"),
		Tag: a.int(f, "tag"), Root: a.int(f, "source"), RecvTag: a.int(f, "tag2"), Status: a.status(f, "status")})
}

func getCount(a *callArgs, f *frame) error {
	s, ok := a.status(f, "status").(*program.Status)
	if !ok {
		wrong(a.at["status"], "%s: a status is needed", a.name)
	}
	d := a.datatype(f, "datatype")
	n, bytes := s.Count()
	if all := int64(n * bytes); d.size() > 0 && all%d.size() == 0 {
		a.set(f, "count", slot{i: all / d.size()})
		return nil
	}
	a.set(f, "count", slot{i: engine.Undefined})
	return nil
}

// about calls a function of MPI.Request about an array of requests, and sets what it tells: which have completed,
// or whether.
func (a *callArgs) about(f *frame, name string) error {
	class, err := f.r.MPI("Request")
	if err != nil {
		return err
	}
	args := []starlark.Value{a.list(f, map[string]int64{"count": int64(a.int(f, "count"))})}
	for status := range a.stats {
		args = append(args, a.status(f, status))
	}
	v, err := f.invoke(a.site, class, name, args...)
	if _, some := a.sets["outcount"]; some {
		a.setIndices(f, v)
		return err
	}
	flag := v
	if t, ok := v.(starlark.Tuple); ok { // of Testany
		v, flag = t[0], t[1]
	}
	a.setIndex(f, v)
	a.set(f, "flag", slot{i: truth(flag == starlark.True)})
	return err
}

// request calls a method of a request.
func (a *callArgs) request(f *frame, name string) (starlark.Value, error) {
	p := a.sets["request"]
	v := f.handleOf(p.get().value(f), p.t, a.at["!request"])
	return f.invoke(a.site, v, name, a.status(f, "status"))
}

// setIndex sets which request has completed. Fortran counts from 1.
func (a *callArgs) setIndex(f *frame, v starlark.Value) {
	n, ok := v.(starlark.Int)
	if !ok {
		return
	}
	i, _ := n.Int64()
	if a.c.fortran && i >= 0 {
		i++
	}
	a.set(f, "index", slot{i: i})
}

func (a *callArgs) setIndices(f *frame, v starlark.Value) {
	list, ok := v.(starlark.Indexable)
	if !ok {
		a.set(f, "outcount", slot{i: engine.Undefined})
		return
	}
	a.set(f, "outcount", slot{i: int64(list.Len())})
	r := a.refs["indices"](f)
	for k := range list.Len() {
		i, _ := starlark.AsInt32(list.Index(k))
		if a.c.fortran {
			i++
		}
		r.m.cells[r.check(a.at["indices"], int64(k))] = uint64(i)
	}
}

// call compiles a call: of the program's functions, of MPI, of C's or Fortran's own.
func (c *compiler) call(e *syntax.Call) expr {
	id, ok := e.Fn.(*syntax.Ident)
	if !ok {
		return c.indirect(e, c.expr(e.Fn))
	}
	if v := c.lookup(id.Name); v != nil {
		return c.indirect(e, c.variablePlace(v, id.Pos).get())
	}
	if fn := c.find(id.Name); fn != nil {
		return c.direct(e, fn)
	}
	name := id.Name
	if p := c.procedure(name); p != nil {
		name = p.Name
	} else if c.fortran {
		name = fortranName(name)
	}
	if o := ownCalls[name]; o != nil {
		return c.own(e, name, o)
	}
	if p := c.procedure(name); p != nil && !p.MovesData() {
		return c.mpiCall(e, p)
	}
	if own := functionsOfFortran[name]; own != nil && c.fortran {
		return own(c, e)
	}
	if x, ok := c.library(e, name); ok {
		return x
	}
	switch {
	case strings.HasPrefix(strings.ToUpper(name), "MPI_") && calls.AbsentC(name) != "":
		panic(syntax.Beyond(e.Pos, "%s", calls.AbsentC(name)))
	case strings.HasPrefix(strings.ToUpper(name), "MPI_"):
		panic(syntax.Beyond(e.Pos, "%s is not carried out here", name))
	}
	panic(syntax.Beyond(e.Pos, "the function %s is neither in the file nor known here", id.Name))
}

// fortranName is the name in C of a call of MPI that Fortran may write in any case, where the table has it not.
func fortranName(name string) string {
	for own := range ownCalls {
		if strings.EqualFold(own, name) {
			return own
		}
	}
	return name
}

// direct is a call of a function of the program.
func (c *compiler) direct(e *syntax.Call, fn *function) expr {
	if len(e.Args) != len(fn.tree.Params) {
		panic(syntax.Wrong(e.Pos, "%s takes %d arguments, not %d", fn.name, len(fn.tree.Params), len(e.Args)))
	}
	if fn.tree.Body == nil {
		panic(syntax.Beyond(e.Pos, "the function %s is declared, and not in the file", fn.name))
	}
	args := make([]expr, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.convert(c.expr(a), c.paramType(fn.tree.Params[i]), a.At())
	}
	return c.calling(e.Pos, fn.result, args, func(*frame) *function { return fn })
}

// paramType is the type of a parameter, without the lengths that the call computes.
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

// indirect is a call through a pointer to a function.
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

// moment is what time() gives: each run begins at the same moment, so that what a program does can be done again.
const moment = 1_700_000_000

// now is what MPI_Wtime and clock count, in seconds.
var began = time.Now()

func elapsed() float64 { return time.Since(began).Seconds() }
