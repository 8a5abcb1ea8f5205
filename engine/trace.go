package engine

import (
	"cmp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// Step is one entry of the trace: a call of one process, or of several together.
type Step struct {
	Number int // 1, 2, ...
	Call   Call
	Comm   int      // id of the communicator acted on, or -1
	Comm2  int      // of MPI_Intercomm_create: id of the communicator on which the right group called, if another; else 0
	Ranks  Ranks    // world ranks that made the call
	Args   []Column // the arguments of each
	Made   []int    // ids of the new communicators
	Where  []Place  // lines of the call in the program; empty when unknown
	Err    *Error   // the error that every process raised; nil for none
	Told   Ranks    // of an unguided MPI_Comm_split_type: ranks that passed an info object, which got the resource
}

// Column is one argument over the ranks of a step, in ascending order of world rank. Either Ints
// or Texts is set.
type Column struct {
	Name  string
	Ints  []int32
	Texts []string
}

// Place is a line of the program with the ranks that are there.
type Place struct {
	Ranks Ranks
	Site  Site
}

// Site returns where the call stands in the program: "demo.py:7", or several places with commas.
func (s *Step) Site() string { return sites(s.Where) }

func sites(places []Place) string {
	var parts []string
	for _, p := range places {
		if text := p.Site.String(); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// localStep is a call that a process made by itself.
type localStep struct {
	call  Call
	comm  int
	site  Site
	names []argument

	binding *hw.Binding // of Process.Bind
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

// takeLocalSteps moves the local calls of p into the trace. The same call by several ranks in one superstep is one
// step: their first calls are joined, their second ones, and so on.
func (w *World) takeLocalSteps(p *Process) {
	p.mail.earlier = len(p.mail.steps)
	if len(p.mail.events) == 0 {
		return
	}
	seen := map[callOn]int{}
	moved := -1
	for _, e := range p.mail.events {
		at := w.localStep(e, seen)
		for at <= moved { // after a process has moved, its calls come in later steps
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

// localStep returns the index of the step to which a process' next call of this kind belongs. seen counts the calls of
// each kind that the process made in the superstep.
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

// callOn identifies a local call within a superstep; count numbers repeated ones.
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

// addStep adds a finished operation to the trace.
func (w *World) addStep(op *operation) {
	k := op.core
	order := k.ascending()
	if k.set == nil {
		k.set = slices.Clip(RanksOf(k.all...))
	}
	s := Step{Number: len(w.steps) + 1, Call: op.call, Comm: k.info.ID, Comm2: op.parent2, Ranks: k.set, Err: op.err}
	if op.call.Nonblocking() {
		op.begun(&s, order)
	} else {
		s.Where, s.Args = w.places(k.all, s.Ranks), op.columns(order)
	}
	if op.call == CallSplitType {
		s.Told = op.told()
	}
	op.origin = &Origin{Step: s.Number, Call: op.call, Comm: s.Comm}
	where := sites(s.Where)
	for _, made := range op.made {
		s.Made = append(s.Made, made.info.ID)
		made.info.Where = where
		w.comms = append(w.comms, made.info)
	}
	w.steps = append(w.steps, s)
}

// begun completes the step of a nonblocking operation: its processes made the call before. Where persistent requests
// started the operation, the step names the call that made these.
func (op *operation) begun(s *Step, order []int32) {
	s.Where = placesBy(op.core.all, s.Ranks, func(slot int) Site { return op.x[slot].(*Request).site })
	if r := op.x[0].(*Request); r.of != nil {
		s.Call, s.Args = CallStart, []Column{op.texts("request", order, func(int) string { return r.of.call.String() })}
	} else {
		s.Args = op.columns(order)
	}
}

// ascending lists the slots by ascending world rank; nil when the slots have that order already.
func (k *core) ascending() []int32 {
	if slices.IsSorted(k.all) {
		return nil
	}
	g := k.group
	if k.remote != nil {
		g = &Group{members: k.all}
	}
	g.rankOf(0) // builds the index
	return g.byWorld
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

// columns returns the arguments of the call in the order of the step's ranks.
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
	case CallCreateGroup, CallCreateFromGroup:
		return op.invitationColumns(order)
	}
	if op.call.MakesTopology() {
		return op.topologyColumns(order)
	}
	var list []Column
	if row := op.call.Procedure(); row.MovesData() {
		if row.Param("op") != nil {
			list = append(list, op.texts("op", order, op.opName))
		}
		if row.Param("root") != nil {
			list = append(list, ints("root", op.a))
		}
	}
	return list
}

// groupTexts writes the group that each process passed. Mostly processes share a group: it writes each only once.
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

func (op *operation) opName(r int) string { return op.passed(r).op.Name }

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

// told lists the processes of an unguided split_type that passed an info object, which gets the name of the resource.
func (op *operation) told() Ranks {
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

// Side has the processes of a step that called on one communicator.
type Side struct {
	Comm  int // id; -1 for none
	Ranks Ranks
}

// Sides returns who made a call on which communicator: one side, or two for MPI_Intercomm_create, the left group first.
func (s *Snapshot) Sides(step *Step) []Side {
	if step.Comm2 == 0 {
		return []Side{{step.Comm, step.Ranks}}
	}
	mine := RanksOf(step.Ranks.First()) // the lowest rank is in the left group; MPI_COMM_SELF has no other
	if left := s.Comm(step.Comm); left != nil {
		mine = RanksOf(left.Group...)
	}
	return []Side{{step.Comm, mine}, {step.Comm2, step.Ranks.minus(mine)}}
}

// News has what one superstep added to the trace of a world. It is never changed later.
type News struct {
	Steps  []Step
	Comms  []*CommInfo // made by the steps
	Output []Line      // in order of the steps: Line.Step tells how many came before
	Forgot int         // how many new lines before these are forgotten, after a flood of output
	Moves  []Move
	Raised []Raised // in order: Raised.At tells how many steps and lines came before
}

// progress tells how much of the trace was told.
type progress struct{ steps, comms, lines, moves, raised int }

// tellNews calls Config.News with what is new since its last call. MPI_COMM_WORLD is no news.
func (w *World) tellNews() {
	now := progress{len(w.steps), len(w.comms), w.spoken, len(w.moves), len(w.raised)}
	from := w.told
	from.comms = max(from.comms, 1)
	w.told = now
	if !w.trace || now == from {
		return
	}
	forgot := max(w.forgot-from.lines, 0)
	w.news(&News{
		Steps: w.steps[from.steps:now.steps:now.steps], Comms: w.comms[from.comms:now.comms:now.comms],
		Output: slices.Clip(w.lines[from.lines+forgot-w.forgot:]), Forgot: forgot, Moves: w.moves[from.moves:now.moves:now.moves], Raised: w.raised[from.raised:now.raised:now.raised],
	})
}

// Frees reports whether the step freed or disconnected its communicator.
func (s *Step) Frees() bool { return (s.Call == CallFree || s.Call == CallDisconnect) && s.Err == nil }

// places returns where these processes are. all is the set of members.
func (w *World) places(members []int32, all Ranks) []Place {
	return placesBy(members, all, func(i int) Site { return w.procs[members[i]].site })
}

// placesBy returns the places of processes, in order of their lowest rank.
func placesBy(members []int32, all Ranks, site func(i int) Site) []Place {
	first := site(0)
	same := true
	for i := range members {
		if site(i) != first {
			same = false
			break
		}
	}
	if same {
		if first == (Site{}) {
			return nil
		}
		return []Place{{all, first}}
	}
	bySite := map[Site][]int32{}
	for i, m := range members {
		bySite[site(i)] = append(bySite[site(i)], m)
	}
	var list []Place
	for s, who := range bySite {
		list = append(list, Place{RanksOf(who...), s})
	}
	slices.SortFunc(list, func(a, b Place) int { return cmp.Compare(a.Ranks.First(), b.Ranks.First()) })
	return list
}

// Origin tells which constructor returned an MPI_COMM_NULL. A nil handle has no memory of its own, so the process keeps
// its Origin, which never changes and may be shared.
type Origin struct {
	Step  int     // number of the trace step that returned it; 0: the call was local and made no step
	Call  Call    // the constructor
	Comm  int     // id of the communicator acted on, or -1
	Group []int32 // of a local call: the world ranks of the group passed, in rank order
}

// Origin returns the origin of the latest MPI_COMM_NULL of this process, and forgets it, so that it is not taken for
// the origin of another result. It is nil when no constructor returned MPI_COMM_NULL since the last call of Origin, and
// in a world without a trace.
func (p *Process) Origin() *Origin {
	o := p.origin
	p.origin = nil
	return o
}

// returnNull notes that a constructor returns MPI_COMM_NULL at once, since the process is not in the group that it
// passed. comm is nil for a constructor without a communicator.
func (p *Process) returnNull(call Call, comm *Comm, g *Group) {
	if !p.w.trace {
		return
	}
	p.origin = &Origin{Call: call, Comm: -1, Group: g.members}
	if comm != nil {
		p.origin.Comm = comm.core.info.ID
	}
}
