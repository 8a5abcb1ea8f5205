package engine

import (
	"strings"

	"commsplit/hw"
)

// Step is one entry of the trace: a call that one or several processes made together.
type Step struct {
	Number int // 1, 2, ...
	Call   Call
	Comm   int      // id of the communicator acted on, or -1
	Ranks  Ranks    // world ranks that made the call
	Args   []Column // what each of them passed
	Made   []int    // ids of the communicators that came of it
	Where  []Place  // where it is written, by ranks; empty when unknown
	Err    *Error   // the call was erroneous, and every process raised this; nil otherwise
	Told   Ranks    // of an unguided MPI_Comm_split_type: who passed an info object, which tells the resource
}

// Column is one argument over the ranks of a step, in ascending order of world rank. Either Ints
// or Texts is set.
type Column struct {
	Name  string
	Ints  []int32
	Texts []string
}

// Place is a line of the program and the ranks that are there.
type Place struct {
	Ranks Ranks
	Site  Site
}

// Site is where the step is written: "demo.py:7", or several places with commas.
func (s *Step) Site() string { return joinPlaces(s.Where) }

func joinPlaces(places []Place) string {
	var parts []string
	for _, p := range places {
		if text := p.Site.String(); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// localStep is a call that a process made without waiting for others.
type localStep struct {
	call  Call
	comm  int
	site  Site
	names []argument

	binding *hw.Binding // of a process that binds itself anew
}

type argument struct {
	name   string
	number int32
	text   string
	isText bool
}

func intArg(name string, v int) argument { return argument{name: name, number: int32(v)} }
func textArg(name, v string) argument    { return argument{name: name, text: v, isText: true} }

// local notes a local call for the trace.
func (p *Process) local(call Call, c *Comm, args ...argument) {
	if !p.w.trace {
		return
	}
	id := -1
	if c != nil {
		id = c.core.info.ID
	}
	t := p.traffic()
	t.events = append(t.events, localStep{call: call, comm: id, site: p.site, names: args})
}

// takeLocalSteps moves the local calls of p into the trace. The same call by several ranks in one
// superstep is one step: the first ones are joined, the second ones, and so on.
func (w *World) takeLocalSteps(p *Process) {
	p.mail.earlier = len(p.mail.steps)
	if len(p.mail.events) == 0 {
		return
	}
	seen := map[callOn]int{}
	moved := -1
	for _, e := range p.mail.events {
		at := w.localStep(e, seen)
		for at <= moved { // what a process does once it has moved comes in later steps
			at = w.localStep(e, seen)
		}
		w.steps[at].add(p.rank, e.names)
		p.mail.steps = append(p.mail.steps, int32(at+1))
		if e.binding != nil {
			w.moves = append(w.moves, Move{at + 1, p.rank, e.binding})
			moved = at
		}
	}
	p.mail.events = p.mail.events[:0]
}

// localStep is the index of the step that a process' next call of this kind belongs to; seen counts
// those that it made in the superstep.
func (w *World) localStep(e localStep, seen map[callOn]int) int {
	k := callOn{e.call, e.comm, e.site, 0}
	seen[k]++
	k.count = seen[k]
	at, ok := w.localAt[k]
	if !ok {
		at = len(w.steps)
		w.steps = append(w.steps, Step{Number: at + 1, Call: e.call, Comm: e.comm, Where: []Place{{Site: e.site}}})
		w.localAt[k] = at
	}
	return at
}

// callOn identifies a local call within a superstep; count tells repeated ones apart.
type callOn struct {
	call  Call
	comm  int
	site  Site
	count int
}

func (s *Step) add(rank int32, args []argument) {
	s.Ranks.Append(rank)
	s.Where[0].Ranks.Append(rank)
	for i, a := range args {
		if i == len(s.Args) {
			s.Args = append(s.Args, Column{Name: a.name})
		}
		if a.isText {
			s.Args[i].Texts = append(s.Args[i].Texts, a.text)
		} else {
			s.Args[i].Ints = append(s.Args[i].Ints, a.number)
		}
	}
}

// record adds a finished operation to the trace.
func (w *World) record(op *operation) {
	members := op.members()
	order := op.core.ascending()
	s := Step{Number: len(w.steps) + 1, Call: op.call, Comm: op.core.info.ID, Where: op.places(w), Err: op.err}
	s.Ranks = RanksOf(members...)
	s.Args = op.columns(order)
	s.Told = op.told()
	op.origin = &Origin{Step: s.Number, Call: op.call, Comm: s.Comm}
	where := s.Site()
	for _, k := range op.made {
		s.Made = append(s.Made, k.info.ID)
		k.info.Where = where
		w.comms = append(w.comms, k.info)
	}
	w.steps = append(w.steps, s)
}

// ascending lists the ranks of the group by ascending world rank; nil when that is their order.
func (g *Group) ascending() []int32 {
	g.rankOf(0) // builds the index
	return g.base().byWorld
}

func reorder(column []int32, order []int32) []int32 {
	if order == nil {
		return column
	}
	out := make([]int32, len(order))
	for i, r := range order {
		out[i] = column[r]
	}
	return out
}

// columns are the arguments of the call in the order of the step's ranks.
func (op *operation) columns(order []int32) []Column {
	ints := func(name string, c []int32) Column { return Column{Name: name, Ints: reorder(c, order)} }
	switch op.call {
	case CallSplit:
		return []Column{ints("color", op.a), ints("key", op.b)}
	case CallSplitType:
		return op.splitTypeColumns(order)
	case CallMerge:
		return []Column{ints("high", op.a)}
	case CallIntercommCreate, CallIntercommCreateFromGroups:
		return op.halfColumns(order)
	case CallCreate:
		return []Column{op.groupTexts(order)}
	case CallCartCreate, CallCartSub, CallGraphCreate, CallDistGraphCreate, CallDistGraphCreateAdjacent:
		return op.topologyColumns(order)
	case CallCreateGroup, CallCreateFromGroup:
		return op.invitationColumns(order)
	case CallBcast, CallGather, CallScatter:
		return []Column{ints("root", op.a)}
	case CallReduce:
		return []Column{op.texts("op", order, op.opName), ints("root", op.a)}
	case CallAllreduce, CallScan, CallExscan:
		return []Column{op.texts("op", order, op.opName)}
	}
	return nil
}

// groupTexts writes each group that was passed once: processes mostly share them.
func (op *operation) groupTexts(order []int32) Column {
	known := map[*Group]string{}
	return op.texts("group", order, func(r int) string {
		g := op.x[r].(*Group).base()
		if _, ok := known[g]; !ok {
			known[g] = g.braces()
		}
		return known[g]
	})
}

func (op *operation) opName(r int) string { return op.x[r].(*payload).op.Name }

func (op *operation) splitTypeColumns(order []int32) []Column {
	list := []Column{
		op.texts("split_type", order, func(r int) string { return SplitType(op.a[r]).String() }),
		{Name: "key", Ints: reorder(op.b, order)},
	}
	guided := false
	for r := range op.x {
		guided = guided || op.guide(r) != guide{}
	}
	if guided {
		list = append(list, op.texts("info", order, func(r int) string {
			if g := op.guide(r); g.key != "" {
				return g.key + "=" + g.value
			}
			return ""
		}))
	}
	return list
}

// told lists the processes that an unguided split_type tells the resource, in the info object that they passed.
func (op *operation) told() Ranks {
	if op.call != CallSplitType {
		return nil
	}
	var list []int32
	for r, x := range op.x {
		if x != nil && SplitType(op.a[r]) == TypeHWUnguided {
			list = append(list, op.core.all[r])
		}
	}
	return RanksOf(list...)
}

func (op *operation) texts(name string, order []int32, f func(r int) string) Column {
	out := make([]string, len(op.a))
	for i := range out {
		r := i
		if order != nil {
			r = int(order[i])
		}
		out[i] = f(r)
	}
	return Column{Name: name, Texts: out}
}
