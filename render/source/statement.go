package source

import (
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
)

// statements write a call, by what it is; a call without one is left out.
var statements map[engine.Call]func(g *generator, c *call)

func init() { // some of them look up others' variables
	statements = map[engine.Call]func(g *generator, c *call){
		engine.CallDup:                       plainMaker,
		engine.CallDupWithInfo:               func(g *generator, c *call) { g.maker(c, "MPI_INFO_NULL") },
		engine.CallIdup:                      (*generator).idup,
		engine.CallIdupWithInfo:              (*generator).idup,
		engine.CallSplit:                     (*generator).split,
		engine.CallSplitType:                 (*generator).splitType,
		engine.CallCreate:                    (*generator).create,
		engine.CallCreateGroup:               (*generator).create,
		engine.CallCreateFromGroup:           (*generator).create,
		engine.CallIntercommCreate:           (*generator).intercomm,
		engine.CallIntercommCreateFromGroups: (*generator).intercommFromGroups,
		engine.CallMerge:                     (*generator).merge,
		engine.CallCartCreate:                (*generator).cart,
		engine.CallCartSub:                   (*generator).cartSub,
		engine.CallFree:                      func(g *generator, c *call) { g.call("MPI_Comm_free", g.lang.out(c.from)) },
		engine.CallDisconnect:                func(g *generator, c *call) { g.call("MPI_Comm_disconnect", g.lang.out(c.from)) },
		engine.CallBarrier:                   func(g *generator, c *call) { g.call("MPI_Barrier", c.from) },
		engine.CallBcast:                     (*generator).rooted,
		engine.CallGather:                    (*generator).rooted,
		engine.CallScatter:                   (*generator).rooted,
		engine.CallReduce:                    (*generator).rooted,
		engine.CallAllgather:                 (*generator).everybody,
		engine.CallAlltoall:                  (*generator).everybody,
		engine.CallAllreduce:                 (*generator).everybody,
		engine.CallScan:                      (*generator).everybody,
		engine.CallExscan:                    (*generator).everybody,
		engine.CallSend:                      (*generator).send,
		engine.CallIsend:                     (*generator).send,
		engine.CallRecv:                      (*generator).receive,
		engine.CallWait:                      (*generator).receive,
		engine.CallSetName:                   (*generator).setName,
		engine.CallHWInfo:                    (*generator).hwInfo,
	}
}

func (g *generator) statement(c *call) { statements[c.op](g, c) }

// maker writes a constructor with what comes between its communicator and its result.
func (g *generator) maker(c *call, args ...string) {
	args = append(append([]string{c.from}, args...), g.lang.out(c.made))
	g.call(c.op.String(), args...)
}

func plainMaker(g *generator, c *call) { g.maker(c) }

// of is an argument that is a number on each rank, 0 where the trace has none.
func (g *generator) of(c *call, name string) string {
	if b, ok := c.ints(name); ok {
		return g.number(name, b)
	}
	return "0"
}

func (g *generator) split(c *call) { g.maker(c, g.of(c, "color"), g.of(c, "key")) }

func (g *generator) idup(c *call) {
	args := []string{c.from}
	if c.op == engine.CallIdupWithInfo {
		args = append(args, "MPI_INFO_NULL")
	}
	g.call(c.op.String(), append(args, g.lang.out(c.made), g.lang.out("request"))...)
	g.call("MPI_Wait", g.lang.out("request"), "MPI_STATUS_IGNORE")
}

// splitType passes an info object where a rank passed one that guides.
func (g *generator) splitType(c *call) {
	kinds, _ := c.texts("split_type")
	kind := g.choice(kinds)
	info := "MPI_INFO_NULL"
	guides, _ := c.texts("info")
	if hints := unique(guides.values); len(hints) > 1 || len(hints) == 1 && hints[0] != "" {
		info = "info"
		g.call("MPI_Info_create", g.lang.out("info"))
		who := map[string][]int{}
		for i, r := range guides.ranks {
			who[guides.values[i]] = append(who[guides.values[i]], r)
		}
		for _, hint := range hints {
			key, value, ok := strings.Cut(hint, "=")
			if !ok {
				continue
			}
			set := g.lang.call("MPI_Info_set", "info", g.lang.quoted(key), g.lang.quoted(value))
			if len(hints) > 1 {
				set = "if (" + g.condition(who[hint]) + ") " + set
			}
			g.line(set)
		}
	}
	g.maker(c, kind, g.of(c, "key"), info)
	if info == "info" {
		g.call("MPI_Info_free", g.lang.out("info"))
	}
}

func (g *generator) merge(c *call) {
	b, _ := c.ints("high")
	flags := byRank[string]{ranks: b.ranks}
	for _, v := range b.values {
		flags.values = append(flags.values, g.lang.logical(v != 0))
	}
	g.maker(c, g.choice(flags))
}

// intercomm passes each side's own communicator.
func (g *generator) intercomm(c *call) {
	local, peer := byRank[string]{}, byRank[string]{}
	peers, _ := c.ints("peer_comm")
	for i, r := range peers.ranks {
		local.add(r, g.localComm(c, int32(r)))
		peer.add(r, g.plan.names[int(peers.values[i])])
	}
	g.call(c.op.String(), g.choice(local), g.of(c, "local_leader"), g.choice(peer), g.of(c, "remote_leader"), g.of(c, "tag"), g.lang.out(c.made))
}

func (g *generator) intercommFromGroups(c *call) {
	g.sessionGroups(c, "group", func(k *engine.CommInfo, right bool) []int32 {
		if right {
			return k.Remote
		}
		return k.Group
	})
	g.sessionGroups(c, "remote_group", func(k *engine.CommInfo, right bool) []int32 {
		if right {
			return k.Group
		}
		return k.Remote
	})
	tags, _ := c.texts("stringtag")
	g.call(c.op.String(), "group", g.of(c, "local_leader"), "remote_group", g.of(c, "remote_leader"), g.lang.quoted(tags.values[0]),
		"MPI_INFO_NULL", "MPI_ERRORS_ARE_FATAL", g.lang.out(c.made))
	g.freeGroup("group", true)
	g.freeGroup("remote_group", true)
}

func (g *generator) cart(c *call) {
	dims, _ := c.texts("dims")
	periods, _ := c.texts("periods")
	reorder, _ := c.texts("reorder")
	list, flags := fields(dims.values[0]), g.logicals(fields(periods.values[0]))
	reordered := len(reorder.values) > 0 && reorder.values[0] == "true"
	g.maker(c, strconv.Itoa(len(list)), g.list("dims", list), g.logicalList("periods", flags), g.lang.logical(reordered))
}

func (g *generator) cartSub(c *call) {
	remain, _ := c.texts("remain_dims")
	g.maker(c, g.logicalList("remain_dims", g.logicals(fields(remain.values[0]))))
}

// fields are the entries of a list "(2,3)".
func fields(text string) []string {
	text = strings.Trim(text, "()")
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func (g *generator) logicals(list []string) []string {
	for i, text := range list {
		list[i] = g.lang.logical(text == "true")
	}
	return list
}

func (g *generator) setName(c *call) {
	names, _ := c.texts("comm_name")
	who := map[string][]int{}
	for i, r := range names.ranks {
		who[names.values[i]] = append(who[names.values[i]], r)
	}
	all := unique(names.values)
	for _, name := range all {
		set := g.lang.call("MPI_Comm_set_name", c.from, g.lang.quoted(name))
		if len(all) > 1 {
			set = "if (" + g.condition(who[name]) + ") " + set
		}
		g.line(set)
	}
}

func (g *generator) hwInfo(*call) {
	g.call("MPI_Get_hw_resource_info", g.lang.out("info"))
	g.call("MPI_Info_free", g.lang.out("info"))
}

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
			list.values = append(list.values, strconv.Itoa(int(v)))
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
		text := strconv.Itoa(int(v))
		if v == any {
			text = named
		}
		list.values = append(list.values, text)
	}
	return g.choice(list)
}
