package source

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
)

// isWritten reports whether programs have statements for a call: those that make communicators or give them up, move data
// or wait for all.
func isWritten(op engine.Call) bool {
	switch op {
	case engine.CallBarrier, engine.CallSend, engine.CallIsend, engine.CallRecv, engine.CallWait, engine.CallSetName, engine.CallHWInfo:
		return true
	}
	p := op.Procedure()
	neighbors := strings.HasPrefix(p.Section, "8.") && p.MovesData()
	return op.MakesComm() || p.Ends("MPI_Comm") != nil || op.Collective() && p.MovesData() && !neighbors
}

// statement writes a call as the table has it, each argument by its kind, and behind it what its objects need. What does
// not block is waited for at once, and a persistent request is freed: a receive comes later, and one integer is delivered without it.
func (g *generator) statement(c *call) {
	p := c.op.Procedure()
	switch c.op {
	case engine.CallSetName:
		g.setName(c)
		return
	case engine.CallWait: // for a message: the program takes it here
		p = engine.CallRecv.Procedure()
	}
	args := make([]string, len(p.Params))
	for _, objects := range []bool{true, false} { // these come first, with the lines that make them
		for i, q := range p.Params {
			if objects == (q.Type == "MPI_Group" || q.Type == "MPI_Info") {
				args[i] = g.argument(c, p, q)
			}
		}
	}
	g.call(p.Name, args...)
	switch {
	case c.op.Starts() != engine.CallNone:
		g.call("MPI_Request_free", g.lang.out("request"))
	case p.Gives("MPI_Request") != nil:
		g.call("MPI_Wait", g.lang.out("request"), "MPI_STATUS_IGNORE")
	}
	for _, write := range g.after {
		write()
	}
	g.after = nil
}

// argument writes what the ranks pass for a parameter. Objects that it needs are made in lines before the call.
func (g *generator) argument(c *call, p *calls.Procedure, q calls.Param) string {
	switch q.Type {
	case "MPI_Comm":
		switch {
		case q.Inout:
			return g.lang.out(c.from)
		case !q.In:
			return g.lang.out(c.made)
		case p.Party == calls.TwoCommunicators:
			return g.side(c, q.Name)
		}
		return c.from
	case "MPI_Group":
		return g.groups(c, q.Name)
	case "MPI_Info":
		return g.info(c, q)
	case "MPI_Errhandler":
		return "MPI_ERRORS_ARE_FATAL"
	case "MPI_Request":
		return g.lang.out("request")
	case "MPI_Status":
		return "MPI_STATUS_IGNORE"
	case "MPI_Datatype":
		return g.lang.integer
	case "MPI_Op":
		return g.reduction(c)
	case "void":
		return g.buffer(p, q)
	case "char":
		text, _ := c.texts(q.Name)
		return g.lang.quoted(text.values[0])
	}
	if q.Array {
		return g.list(q.Name, g.entries(c, q))
	}
	if of := p.Counted(q.Name); of != nil {
		return strconv.Itoa(len(g.entries(c, *of)))
	}
	return g.scalar(c, p, q)
}

// scalar writes an argument that is a number or a truth.
func (g *generator) scalar(c *call, p *calls.Procedure, q calls.Param) string {
	switch {
	case strings.HasSuffix(q.Name, "count"):
		return "1"
	case q.Name == "reorder":
		text, _ := c.texts(q.Name)
		return g.lang.logical(len(text.values) > 0 && text.values[0] == "true")
	case q.Logical:
		return g.named(c, q.Name, func(v int32) string { return g.lang.logical(v != 0) })
	case q.Name == "split_type":
		kinds, _ := c.texts(q.Name)
		return g.choice(kinds)
	case q.Name == "root":
		return g.named(c, q.Name, rootName)
	case q.Name == "source":
		return g.wild(c, q.Name, engine.AnySource, "MPI_ANY_SOURCE")
	case q.Name == "tag" && p.Param("source") != nil:
		return g.wild(c, q.Name, engine.AnyTag, "MPI_ANY_TAG")
	}
	return g.of(c, q.Name)
}

// of writes an argument that is a number on each rank, 0 where the trace has none.
func (g *generator) of(c *call, name string) string {
	if b, ok := c.ints(name); ok {
		return g.number(name, b)
	}
	return "0"
}

// named writes an argument whose numbers have names.
func (g *generator) named(c *call, name string, called func(v int32) string) string {
	b, _ := c.ints(name)
	return g.choice(mapped(b, called))
}

// rootName writes a root: on intercommunicators it has names.
func rootName(v int32) string {
	switch v {
	case engine.Root:
		return "MPI_ROOT"
	case engine.ProcNull:
		return "MPI_PROC_NULL"
	}
	return strconv.Itoa(int(v))
}

// wild writes an argument with one value that has a name: libraries have their own numbers for it. What was
// received has none; what waits may.
func (g *generator) wild(c *call, name string, any int32, named string) string {
	if b, _ := c.ints(name); !slices.Contains(b.values, any) {
		return g.of(c, name)
	}
	return g.named(c, name, func(v int32) string {
		if v == any {
			return named
		}
		return strconv.Itoa(int(v))
	})
}

// info makes an info object, where a rank passed one that guides.
func (g *generator) info(c *call, q calls.Param) string {
	guides, _ := c.texts("info")
	hints := unique(guides.values)
	if !q.In { // the call makes one, which nobody needs
		g.after = append(g.after, func() { g.call("MPI_Info_free", g.lang.out("info")) })
		return g.lang.out("info")
	}
	if len(hints) == 0 || len(hints) == 1 && hints[0] == "" {
		return "MPI_INFO_NULL"
	}
	g.call("MPI_Info_create", g.lang.out("info"))
	who := guides.who()
	for _, hint := range hints {
		if key, value, ok := strings.Cut(hint, "="); ok {
			g.only(who[hint], len(hints) > 1, g.lang.call("MPI_Info_set", "info", g.lang.quoted(key), g.lang.quoted(value)))
		}
	}
	g.after = append(g.after, func() { g.call("MPI_Info_free", g.lang.out("info")) })
	return "info"
}

// only writes a statement for some ranks, where others do something else.
func (g *generator) only(ranks []int, some bool, statement string) {
	if some {
		statement = "if (" + g.condition(ranks) + ") " + statement
	}
	g.line(statement)
}

// entries lists those of a list "(2,3)", as the language writes them.
func (g *generator) entries(c *call, q calls.Param) []string {
	if of, _ := c.texts(q.Name); len(of.values) == 0 { // counts and displacements: one integer for each process
		list := slices.Repeat([]string{"1"}, c.steps[0].Ranks.Len())
		for i := range list {
			if strings.HasSuffix(q.Name, "displs") {
				list[i] = strconv.Itoa(i)
			}
		}
		return list
	}
	text, _ := c.texts(q.Name)
	list := fields(text.values[0])
	for i := range list {
		if q.Logical {
			list[i] = g.lang.logical(list[i] == "true")
		}
	}
	return list
}

// fields are the entries of a list "(2,3)".
func fields(text string) []string {
	text = strings.Trim(text, "()")
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func (g *generator) setName(c *call) {
	names, _ := c.texts("comm_name")
	who, all := names.who(), unique(names.values)
	for _, name := range all {
		g.only(who[name], len(all) > 1, g.lang.call("MPI_Comm_set_name", c.from, g.lang.quoted(name)))
	}
}

// buffer names what is sent or received: one integer, or one for each process.
func (g *generator) buffer(p *calls.Procedure, q calls.Param) string {
	sends := q.In || q.Inout
	name := map[bool]string{true: "number", false: "result"}[sends]
	many := []engine.Call{engine.CallGather, engine.CallAllgather, engine.CallAlltoall}
	if sends {
		many = []engine.Call{engine.CallScatter, engine.CallAlltoall, engine.CallReduceScatter, engine.CallReduceScatterBlock}
	}
	switch {
	case slices.Contains(many, engine.CallOf(p).Plain()):
		return name + "s"
	case g.lang.fortran:
		return name
	}
	return g.lang.out(name)
}

// reduction is the operation of a reduction: the sum where a script has one of its own.
func (g *generator) reduction(c *call) string {
	ops, _ := c.texts("op")
	switch op := ops.values[0]; op {
	case "MPI_MAX", "MPI_MIN", "MPI_SUM", "MPI_PROD", "MPI_LAND", "MPI_LOR", "MPI_BAND", "MPI_BOR":
		return op
	}
	return "MPI_SUM"
}
