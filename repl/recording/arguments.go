package recording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw/job/recorder"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// arguments is a statement whose arguments are being written.
type arguments struct {
	s     *scripting
	st    *statement
	world []int32    // who takes part
	own   []int32    // the rank of each in what it calls on
	of    []*meeting // the meeting of each
	calls []*call    // of each; nil for a process that told nothing of it
}

// argumentsOf finds who takes part in a statement.
func (s *scripting) argumentsOf(st *statement) *arguments {
	a := &arguments{s: s, st: st}
	for _, m := range st.meetings {
		place := map[int32]int32{}
		if m.parent != nil {
			for _, group := range [][]int32{m.parent.members, m.parent.remote} {
				for i, w := range group {
					place[w] = int32(i)
				}
			}
		}
		if m.other != nil {
			for i, w := range m.other.members {
				place[w] = int32(i)
			}
		}
		add := func(w int32, c *call) {
			own, ok := place[w]
			if !ok {
				own = w
			}
			a.world, a.own, a.of, a.calls = append(a.world, w), append(a.own, own), append(a.of, m), append(a.calls, c)
		}
		for _, c := range m.callers {
			add(c.rank, s.callOf(c))
		}
		if !m.blocked {
			for _, w := range m.absent {
				add(w, nil)
			}
		}
	}
	return a
}

// commands has the commands of calls that have none in the table of calls, or another one.
var commands = map[engine.Call]string{
	engine.CallCartCreate:      "cart {comm_old} dims={dims} periods={periods}",
	engine.CallCreateFromGroup: "create_from_group group={group} tag={stringtag}",
	engine.CallSetName:         "name {comm} {comm_name}",
}

// write returns a call as a command, and as an expression of a program, both without the variable for the result.
// Without a command the expression is the statement; without an expression the call cannot be in a loop.
func (a *arguments) write() (command, program string) {
	p := a.st.op.Procedure
	switch a.st.op.call {
	case engine.CallSplitType:
		return a.splitType()
	case engine.CallIntercommCreateFromGroups:
		return a.fromGroups(), ""
	case engine.CallSplit:
		if !a.st.blocked && slices.ContainsFunc(a.st.meetings, func(m *meeting) bool { return len(m.absent) > 0 }) {
			return a.asSplit() // who told nothing has a place that others tell, and no key
		}
	case engine.CallDistGraphCreate, engine.CallDistGraphCreateAdjacent:
		if slices.Contains(a.calls, nil) { // the edges of a process are not known
			return a.lacking()
		}
	case engine.CallDup: // hints are not recorded
		p = a.st.op.call.Procedure()
	}
	texts := map[string]string{}
	for i := range p.Params {
		q := &p.Params[i]
		text, ok := a.argument(p, q)
		if !ok {
			return a.lacking()
		}
		texts[q.Name] = text
	}
	if command = p.Command; commands[a.st.op.call] != "" {
		command = commands[a.st.op.call]
	}
	if p.Party == calls.Communicator || p.Party == calls.Local {
		program = a.program(p, texts)
	}
	return filledCommand(command, texts), program
}

// filledCommand puts arguments into a command, and leaves out arguments with their usual values.
func filledCommand(command string, texts map[string]string) string {
	var words []string
	for _, word := range strings.Fields(command) {
		name, of, named := strings.Cut(word, "=")
		if text := texts[strings.Trim(of, "{}")]; !named || text != calls.Usual[name] {
			words = append(words, tongue.Filled(word, func(name string) string { return texts[name] }))
		}
	}
	return strings.Join(words, " ")
}

// program puts arguments into the statement of a call. The arguments that are not recorded come last and are left
// out; so is reorder, because the recording has the resulting ranks.
func (a *arguments) program(p *calls.Procedure, texts map[string]string) string {
	_, statement := tongue.Parts(p.Statement[0])
	function, list, _ := strings.Cut(strings.TrimSuffix(statement, ")"), "(")
	var passed []string
	for _, name := range tongue.Holes(list) {
		switch q := p.Param(name); {
		case q.Type == "MPI_Group":
			passed = append(passed, a.comm1()+".group.Incl("+texts[q.Name]+")")
		case recorder.Has(q.Name) && q.Type != "MPI_Info" && q.Name != "reorder":
			passed = append(passed, texts[q.Name])
		}
	}
	_, method, _ := strings.Cut(function, ".")
	return a.comm1() + "." + method + "(" + strings.Join(passed, ", ") + ")"
}

// argument returns what the processes passed for a parameter; ok is false where some process did not record it.
func (a *arguments) argument(p *calls.Procedure, q *calls.Param) (text string, ok bool) {
	name := recorder.Name(q.Name)
	switch {
	case q == p.Takes("MPI_Comm"), q == p.Ends("MPI_Comm"):
		return a.comm(), true
	case !q.In, q.Type == "MPI_Info", q.Type == "MPI_Errhandler", !recorder.Has(q.Name), p.Counted(q.Name) != nil:
		return "", true
	case q.Type == "MPI_Comm":
		return a.peer(), true
	case q.Type == "MPI_Group" && p.Takes("MPI_Comm") != nil:
		return a.group(name, func(m *meeting) []int32 { return m.parent.members }), true
	case q.Type == "MPI_Group":
		return a.group(name, a.everyone), true
	case q.Type == "char":
		return a.text(name), true
	case q.Array:
		return a.list(name, q.Logical)
	case q.Logical:
		return a.truth(name), true
	case q.Name == "color":
		return a.color(), true
	}
	return a.number(name), true
}

// comm returns the variable with the communicator of the call, for a command; comm1 returns it for a program.
func (a *arguments) comm() string { return a.s.held(a.st.meetings[0].parent) }

func (a *arguments) comm1() string {
	if c := a.comm(); c != "world" {
		return c
	}
	return "MPI.COMM_WORLD"
}

// each returns the expression of an argument that text returns for each call.
func (a *arguments) each(text func(c *call, i int) string) string {
	texts := make([]string, len(a.calls))
	for i, c := range a.calls {
		texts[i] = text(c, i)
	}
	return expression(texts, a.own, a.world)
}

// alike writes an argument as each does, and assumes that a process without a record passes the same as the others.
func (a *arguments) alike(text func(c *call) string) string {
	return a.each(func(c *call, i int) string {
		if c == nil {
			c = a.s.callOf(a.of[i].callers[0])
		}
		return text(c)
	})
}

// number returns an argument that is a number. It is 0 where it is not recorded.
func (a *arguments) number(name string) string {
	return a.alike(func(c *call) string {
		n, ok := c.number(name)
		if !ok {
			n = 0
		}
		return numberText(n)
	})
}

// color returns the color of a split. Processes without a record have none.
func (a *arguments) color() string {
	return a.each(func(c *call, _ int) string {
		if c != nil {
			if n, ok := c.number("color"); ok {
				return numberText(n)
			}
		}
		return undefined
	})
}

// truth returns an argument that is true or false.
func (a *arguments) truth(name string) string {
	return a.alike(func(c *call) string {
		n, ok := c.number(name)
		return truthText(ok && n != 0)
	})
}

func truthText(v bool) string {
	if v {
		return "True"
	}
	return "False"
}

// text returns an argument that is a text.
func (a *arguments) text(name string) string {
	return a.alike(func(c *call) string {
		value, _ := c.arg(name)
		return strconv.Quote(unquoted(value))
	})
}

// list returns an argument that is a list of numbers or truths; ok is false where the recorder did not keep some
// process's list.
func (a *arguments) list(name string, logical bool) (text string, ok bool) {
	ok = true
	known := a.st.meetings[0].callers[0] // all processes pass the same, as far as nobody says otherwise
	text = a.each(func(c *call, _ int) string {
		if c == nil {
			c = a.s.callOf(known)
		}
		value, _ := c.arg(name)
		items, is := list(value)
		ok = ok && is
		return listText(items, func(n int32) string {
			if logical {
				return truthText(n != 0)
			}
			return strconv.Itoa(int(n))
		})
	})
	return text, ok
}

// listText writes a list of a program.
func listText(list []int32, text func(n int32) string) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = text(n)
	}
	return "[" + strings.Join(words, ",") + "]"
}

// peer returns the peer communicator, which the leader names.
func (a *arguments) peer() string {
	for i, c := range a.calls {
		if c == nil {
			continue
		}
		at, _ := c.number("leader")
		id, ok := c.number("peer")
		if k := a.s.Processes[a.world[i]].comms[id]; ok && at == a.own[i] && k != nil {
			return a.s.held(k)
		}
	}
	return "world"
}

// group returns the groups that processes passed, as ranks in a list of processes.
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
		known[key] = listText(g, func(w int32) string { return strconv.Itoa(at[m][w]) })
		return known[key]
	})
}

// passedBy returns the group with a process that others passed; nil where nobody did.
func (a *arguments) passedBy(m *meeting, name string, world int32) []int32 {
	for _, c := range m.callers {
		if g, _ := a.s.Processes[c.rank].passed(a.s.callOf(c), name); slices.Contains(g, world) {
			return g
		}
	}
	return nil
}

// everyone lists the members of MPI_COMM_WORLD, by rank.
func (a *arguments) everyone(*meeting) []int32 { return a.s.comms[0].members }

// fromGroups returns the command of an intercommunicator from two groups, as the first process passed them. The other
// side passes them the other way round.
func (a *arguments) fromGroups() string {
	c := a.calls[0]
	if c == nil {
		return ""
	}
	side := func(name string) string {
		g, _ := a.s.Processes[a.world[0]].passed(c, name)
		return listText(g, func(w int32) string { return strconv.Itoa(int(w)) })
	}
	left, _ := c.arg("leader")
	right, _ := c.arg("remoteleader")
	return fmt.Sprintf("intercomm_create_from_groups left=%s right=%s left_leader=%s right_leader=%s tag=%s",
		side("group"), side("remotegroup"), left, right, a.text("stringtag"))
}

// child returns the communicator that a process got in a meeting, and its rank there; nil for none.
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

// types has the split types of the standard by the recorder's words, as programs write them.
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
		a.s.note("%s with %s, a type of the library, is replayed as the MPI_Comm_split that gives the same", a.st.op.Name, odd)
		return a.asSplit()
	}
	key := a.number("key")
	command := "split_type " + a.comm() + " " + kind
	if key != "0" {
		command += " key=" + key
	}
	resource, pset := a.text(engine.KeyHWResourceType), a.text(engine.KeyPsetName)
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

// asSplit returns a split with the same result as the call in the run.
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
	color, key := expression(colors, a.own, a.world), expression(keys, a.own, a.world)
	return "split " + a.comm() + " color=" + color + " key=" + key, a.comm1() + ".Split(" + color + ", " + key + ")"
}

// lacking replaces a call whose arguments are not all known by a split.
func (a *arguments) lacking() (string, string) {
	a.s.note("%s, whose arguments are not all recorded, is replayed as the MPI_Comm_split that gives the same", a.st.op.Name)
	return a.asSplit()
}
