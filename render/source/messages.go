package source

import (
	"slices"

	"commsplit/engine"
)

// buffer names what is sent or received: one integer, or one for each process.
func (g *generator) buffer(name string, many bool) string {
	if many || g.lang.fortran {
		return name
	}
	return g.lang.out(name)
}

// root is the argument of the same name, which has names of its own on intercommunicators.
func (g *generator) root(c *call) string {
	b, _ := c.ints("root")
	list := byRank[string]{ranks: b.ranks}
	for _, v := range b.values {
		switch {
		case v == engine.Root:
			list.values = append(list.values, "MPI_ROOT")
		case v == engine.ProcNull:
			list.values = append(list.values, "MPI_PROC_NULL")
		default:
			list.values = append(list.values, itoa(int(v)))
		}
	}
	return g.choice(list)
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

func (g *generator) integer() string {
	if g.lang.fortran {
		return "MPI_INTEGER"
	}
	return "MPI_INT"
}

func (g *generator) rooted(c *call) {
	name, kind, root := c.op.String(), g.integer(), g.root(c)
	switch c.op {
	case engine.CallBcast:
		g.call(name, g.buffer("number", false), "1", kind, root, c.from)
	case engine.CallGather:
		g.call(name, g.buffer("number", false), "1", kind, g.buffer("results", true), "1", kind, root, c.from)
	case engine.CallScatter:
		g.call(name, g.buffer("numbers", true), "1", kind, g.buffer("result", false), "1", kind, root, c.from)
	case engine.CallReduce:
		g.call(name, g.buffer("number", false), g.buffer("result", false), "1", kind, g.reduction(c), root, c.from)
	}
}

func (g *generator) everybody(c *call) {
	name, kind := c.op.String(), g.integer()
	switch c.op {
	case engine.CallAllgather:
		g.call(name, g.buffer("number", false), "1", kind, g.buffer("results", true), "1", kind, c.from)
	case engine.CallAlltoall:
		g.call(name, g.buffer("numbers", true), "1", kind, g.buffer("results", true), "1", kind, c.from)
	default:
		g.call(name, g.buffer("number", false), g.buffer("result", false), "1", kind, g.reduction(c), c.from)
	}
}

// send waits at once for what does not block: the receive comes later, and one integer is delivered
// without it.
func (g *generator) send(c *call) {
	args := []string{g.buffer("number", false), "1", g.integer(), g.of(c, "dest"), g.of(c, "tag"), c.from}
	if c.op == engine.CallSend {
		g.call("MPI_Send", args...)
		return
	}
	g.call("MPI_Isend", append(args, g.lang.out("request"))...)
	g.call("MPI_Wait", g.lang.out("request"), "MPI_STATUS_IGNORE")
}

// receive takes the message that the script got, also where it waited for a request.
func (g *generator) receive(c *call) {
	g.call("MPI_Recv", g.buffer("result", false), "1", g.integer(), g.wild(c, "source", engine.AnySource, "MPI_ANY_SOURCE"),
		g.wild(c, "tag", engine.AnyTag, "MPI_ANY_TAG"), c.from, "MPI_STATUS_IGNORE")
}

// wild is an argument with one value that has a name: libraries have their own numbers for it. What was
// received has none; what waits may.
func (g *generator) wild(c *call, name string, any int32, named string) string {
	b, _ := c.ints(name)
	if !slices.Contains(b.values, any) {
		return g.of(c, name)
	}
	list := byRank[string]{ranks: b.ranks}
	for _, v := range b.values {
		text := itoa(int(v))
		if v == any {
			text = named
		}
		list.values = append(list.values, text)
	}
	return g.choice(list)
}
