package recording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
)

// arguments is a statement whose arguments are to be written.
type arguments struct {
	s     *scripting
	st    *statement
	world []int32    // who takes part
	own   []int32    // the rank of each in what it calls on
	of    []*meeting // the meeting of each
}

// forms writes a call as a command and as an expression of a program, both without the variable that takes the
// result. Without a command the expression is the statement; without an expression it cannot be in a loop.
var forms = map[engine.Call]func(*arguments) (command, program string){
	engine.CallDup:   func(a *arguments) (string, string) { return "dup " + a.comm(), a.comm1() + ".Dup()" },
	engine.CallSplit: (*arguments).split, engine.CallSplitType: (*arguments).splitType,
	engine.CallCreate: (*arguments).create, engine.CallCreateGroup: (*arguments).createGroup,
	engine.CallCreateFromGroup: (*arguments).createFromGroup,
	engine.CallCartCreate:      (*arguments).cart, engine.CallCartSub: (*arguments).cartSub,
	engine.CallGraphCreate: (*arguments).graph, engine.CallDistGraphCreate: (*arguments).distGraph,
	engine.CallDistGraphCreateAdjacent: (*arguments).adjacent,
	engine.CallIntercommCreate:         (*arguments).intercomm, engine.CallMerge: (*arguments).merge,
	engine.CallIntercommCreateFromGroups: (*arguments).fromGroups,
	engine.CallFree:                      func(a *arguments) (string, string) { return "free " + a.comm(), a.comm1() + ".Free()" },
	engine.CallDisconnect:                func(a *arguments) (string, string) { return "disconnect " + a.comm(), a.comm1() + ".Disconnect()" },
}

// comm is what the call is made on, for a command; comm1 the same for a program.
func (a *arguments) comm() string { return a.s.held(a.st.meetings[0].parent) }

func (a *arguments) comm1() string {
	if c := a.comm(); c != "world" {
		return c
	}
	return "MPI.COMM_WORLD"
}

// calls are the calls of those who take part; nil for a process that told nothing of it.
func (a *arguments) calls() []*call {
	var list []*call
	for _, m := range a.st.meetings {
		for _, c := range m.callers {
			list = append(list, a.s.callOf(c))
		}
		if !m.blocked {
			for range m.absent {
				list = append(list, nil)
			}
		}
	}
	return list
}

// each is the expression of an argument, from what text says for each call.
func (a *arguments) each(text func(c *call, i int) string) string {
	v := &values{own: a.own, world: a.world}
	for i, c := range a.calls() {
		v.texts = append(v.texts, text(c, i))
	}
	return v.expression()
}

// alike is each, where a process that told nothing is taken to pass what others pass.
func (a *arguments) alike(text func(c *call) string) string {
	return a.each(func(c *call, i int) string {
		if c == nil {
			c = a.s.callOf(a.of[i].callers[0])
		}
		return text(c)
	})
}

// number is an argument that is a number.
func (a *arguments) number(name, otherwise string) string {
	return a.alike(func(c *call) string {
		if n, ok := c.number(name); ok {
			return numberText(n)
		}
		return otherwise
	})
}

// truth is an argument that is true or false.
func (a *arguments) truth(name string) string {
	return a.alike(func(c *call) string {
		if n, ok := c.number(name); ok && n != 0 {
			return "True"
		}
		return "False"
	})
}

// child is the communicator that a process got of its meeting, with its rank; nil for none.
func child(m *meeting, world int32) (c *comm, rank int) {
	for _, c := range m.children {
		if i := slices.Index(c.members, world); i >= 0 {
			return c, i
		}
		if i := slices.Index(c.remote, world); i >= 0 {
			return c, i
		}
	}
	return nil, 0
}

func (a *arguments) split() (string, string) {
	if !a.st.blocked && slices.ContainsFunc(a.st.meetings, func(m *meeting) bool { return len(m.absent) > 0 }) {
		return a.asSplit() // who told nothing has a place that others tell, and no key
	}
	color := a.each(func(c *call, _ int) string {
		if c == nil {
			return undefined
		}
		if n, ok := c.number("color"); ok {
			return numberText(n)
		}
		return undefined
	})
	key := a.number("key", "0")
	command := "split " + a.comm() + " color=" + color
	if key != "0" {
		command += " key=" + key
	}
	return command, a.comm1() + ".Split(" + color + ", " + key + ")"
}

// types are the split types of the standard, as the recorder and the language write them.
var types = map[string]string{
	"shared": "SHARED", "hw_guided": "HW_GUIDED", "hw_unguided": "HW_UNGUIDED", "resource_guided": "RESOURCE_GUIDED", "undefined": undefined,
}

func (a *arguments) splitType() (string, string) {
	odd := ""
	kind := a.alike(func(c *call) string {
		word, _ := c.arg("type")
		if types[word] == "" && odd == "" {
			odd = word
		}
		return types[word]
	})
	if odd != "" {
		a.s.note("%s with %s, a type of the library, is replayed as the MPI_Comm_split that gives the same", a.st.op.name, odd)
		return a.asSplit()
	}
	key := a.number("key", "0")
	info := func(name string) string {
		return a.alike(func(c *call) string {
			value, _ := c.arg(name)
			return strconv.Quote(unquoted(value))
		})
	}
	command := "split_type " + a.comm() + " " + kind
	if key != "0" {
		command += " key=" + key
	}
	resource, pset := info(engine.KeyHWResourceType), info(engine.KeyPsetName)
	guided := strings.Contains(kind, "GUIDED") && kind != "HW_UNGUIDED"
	if guided && resource != `""` {
		command += " resource=" + resource
	}
	if guided && pset != `""` {
		command += " pset=" + pset
	}
	if kind != "SHARED" {
		return command, ""
	}
	return command, a.comm1() + ".Split_type(MPI.COMM_TYPE_SHARED, " + key + ")"
}

// asSplit is a split that gives what the library gave.
func (a *arguments) asSplit() (string, string) {
	var colors, keys []string
	for i, w := range a.world {
		m := a.of[i]
		c, rank := child(m, w)
		color := undefined
		if c != nil {
			color = strconv.Itoa(slices.Index(m.children, c))
		}
		colors, keys = append(colors, color), append(keys, strconv.Itoa(rank))
	}
	color := (&values{colors, a.own, a.world}).expression()
	key := (&values{keys, a.own, a.world}).expression()
	return "split " + a.comm() + " color=" + color + " key=" + key, a.comm1() + ".Split(" + color + ", " + key + ")"
}

// group is the group that each process passed, as ranks of a list of processes.
func (a *arguments) group(name string, in func(m *meeting) []int32) string {
	at := map[*meeting]map[int32]int{}
	known := map[string]string{} // by group in world ranks: most processes pass the same
	return a.each(func(c *call, i int) string {
		m := a.of[i]
		var g []int32
		if c != nil {
			g, _ = a.s.Processes[a.world[i]].passed(c, name)
		} else {
			g = a.passedBy(m, name, a.world[i])
		}
		key := fmt.Sprintf("%p%v", m, g)
		if text, ok := known[key]; ok {
			return text
		}
		if at[m] == nil {
			at[m] = map[int32]int{}
			for k, w := range in(m) {
				at[m][w] = k
			}
		}
		words := make([]string, len(g))
		for k, w := range g {
			words[k] = strconv.Itoa(at[m][w])
		}
		known[key] = "[" + strings.Join(words, ",") + "]"
		return known[key]
	})
}

// passedBy is the group with a process in it that others passed; nil when nobody did.
func (a *arguments) passedBy(m *meeting, name string, world int32) []int32 {
	for _, c := range m.callers {
		if g, _ := a.s.Processes[c.rank].passed(a.s.callOf(c), name); slices.Contains(g, world) {
			return g
		}
	}
	return nil
}

func ofParent(m *meeting) []int32 { return m.parent.members }

func (a *arguments) create() (string, string) {
	group := a.group("group", ofParent)
	return "create " + a.comm() + " group=" + group, a.comm1() + ".Create(" + a.comm1() + ".group.Incl(" + group + "))"
}

func (a *arguments) createGroup() (string, string) {
	command := "create_group " + a.comm() + " group=" + a.group("group", ofParent)
	if tag := a.number("tag", "0"); tag != "0" {
		command += " tag=" + tag
	}
	return command, ""
}

// everyone is the members of MPI_COMM_WORLD, by rank.
func (a *arguments) everyone(*meeting) []int32 { return a.s.comms[0].members }

func (a *arguments) text(name string) string {
	return a.alike(func(c *call) string {
		value, _ := c.arg(name)
		return strconv.Quote(unquoted(value))
	})
}

func (a *arguments) createFromGroup() (string, string) {
	return "create_from_group group=" + a.group("group", a.everyone) + " tag=" + a.text("stringtag"), ""
}

func (a *arguments) fromGroups() (string, string) {
	c := a.calls()[0]
	if c == nil {
		return "", ""
	}
	p := a.s.Processes[a.world[0]]
	side := func(name string) string {
		g, _ := p.passed(c, name)
		words := make([]string, len(g))
		for i, w := range g {
			words[i] = strconv.Itoa(int(w))
		}
		return "[" + strings.Join(words, ",") + "]"
	}
	left, _ := c.arg("leader")
	right, _ := c.arg("remoteleader")
	return fmt.Sprintf("intercomm_create_from_groups left=%s right=%s left_leader=%s right_leader=%s tag=%s",
		side("group"), side("remotegroup"), left, right, a.text("stringtag")), ""
}

// numbers is an argument that is a list of numbers; ok is false when some process passed none that the recorder kept.
func (a *arguments) numbers(name string, write func([]int32) string) (text string, ok bool) {
	ok = true
	known := a.st.meetings[0].callers[0] // all processes pass the same, as far as nobody says otherwise
	text = a.each(func(c *call, _ int) string {
		if c == nil {
			c = a.s.callOf(known)
		}
		value, _ := c.arg(name)
		items, is := list(value)
		ok = ok && is
		return write(items)
	})
	return text, ok
}

func asNumbers(list []int32) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(int(n))
	}
	return "[" + strings.Join(words, ",") + "]"
}

func asTruths(list []int32) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = "False"
		if n != 0 {
			words[i] = "True"
		}
	}
	return "[" + strings.Join(words, ",") + "]"
}

// lacking is what a call becomes whose arguments are not known.
func (a *arguments) lacking() (string, string) {
	a.s.note("%s, whose arguments are not all recorded, is replayed as the MPI_Comm_split that gives the same", a.st.op.name)
	return a.asSplit()
}

func (a *arguments) cart() (string, string) {
	dims, ok1 := a.numbers("dims", asNumbers)
	periods, ok2 := a.numbers("periods", asTruths)
	if !ok1 || !ok2 {
		return a.lacking()
	}
	return "cart " + a.comm() + " dims=" + dims + " periods=" + periods, a.comm1() + ".Create_cart(" + dims + ", " + periods + ")"
}

func (a *arguments) cartSub() (string, string) {
	remain, ok := a.numbers("remain", asTruths)
	if !ok {
		return a.lacking()
	}
	return "", a.comm1() + ".Sub(" + remain + ")"
}

func (a *arguments) graph() (string, string) {
	index, ok1 := a.numbers("index", asNumbers)
	edges, ok2 := a.numbers("edges", asNumbers)
	if !ok1 || !ok2 {
		return a.lacking()
	}
	return "", a.comm1() + ".Create_graph(" + index + ", " + edges + ")"
}

// incomplete reports whether a process that takes part told nothing: its edges are not known.
func (a *arguments) incomplete() bool { return slices.Contains(a.calls(), nil) }

func (a *arguments) distGraph() (string, string) {
	if a.incomplete() {
		return a.lacking()
	}
	sources, ok1 := a.numbers("sources", asNumbers)
	degrees, ok2 := a.numbers("degrees", asNumbers)
	destinations, ok3 := a.numbers("destinations", asNumbers)
	if !ok1 || !ok2 || !ok3 {
		return a.lacking()
	}
	return "", a.comm1() + ".Create_dist_graph(" + sources + ", " + degrees + ", " + destinations + ")"
}

func (a *arguments) adjacent() (string, string) {
	if a.incomplete() {
		return a.lacking()
	}
	sources, ok1 := a.numbers("sources", asNumbers)
	destinations, ok2 := a.numbers("destinations", asNumbers)
	if !ok1 || !ok2 {
		return a.lacking()
	}
	return "", a.comm1() + ".Create_dist_graph_adjacent(" + sources + ", " + destinations + ")"
}

func (a *arguments) intercomm() (string, string) {
	peer := "world"
	for i, c := range a.calls() {
		if c == nil {
			continue
		}
		at, _ := c.number("leader")
		id, ok := c.number("peer")
		if k := a.s.Processes[a.world[i]].comms[id]; ok && at == a.own[i] && k != nil {
			peer = a.s.held(k)
			break
		}
	}
	command := "intercomm_create " + a.comm() + " remote_leader=" + a.number("remoteleader", "0")
	if leader := a.number("leader", "0"); leader != "0" {
		command += " local_leader=" + leader
	}
	if peer != "world" {
		command += " peer=" + peer
	}
	if tag := a.number("tag", "0"); tag != "0" {
		command += " tag=" + tag
	}
	return command, ""
}

func (a *arguments) merge() (string, string) {
	high := a.truth("high")
	return "merge " + a.comm() + " high=" + high, a.comm1() + ".Merge(" + high + ")"
}

// named is MPI_Comm_set_name.
func (a *arguments) named() (string, string) {
	name := a.text("name")
	return "name " + a.comm() + " " + name, a.comm1() + ".Set_name(" + name + ")"
}
