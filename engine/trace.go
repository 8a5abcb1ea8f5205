package engine

import (
	"cmp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// Step is one entry of the trace: a call that one or several processes made together.
type Step struct {
	Number int // 1, 2, ...
	Call   Call
	Comm   int      // id of the communicator acted on, or -1
	Comm2  int      // that of the right group, of MPI_Intercomm_create, whose groups call on one each; else 0
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

// addStep adds a finished operation to the trace.
func (w *World) addStep(op *operation) {
	order := op.core.ascending()
	s := Step{Number: len(w.steps) + 1, Call: op.call, Comm: op.core.info.ID, Ranks: op.core.ranks(), Err: op.err}
	s.Where = op.places(w, s.Ranks)
	if made := op.restarted(); made != CallNone {
		s.Call, s.Args = CallStart, []Column{op.texts("request", order, func(int) string { return made.String() })}
	} else {
		s.Args = op.columns(order)
	}
	if op.call == CallSplitType {
		s.Told = op.told()
	}
	s.Comm2 = op.parent2
	op.origin = &Origin{Step: s.Number, Call: op.call, Comm: s.Comm}
	where := s.Site()
	for _, k := range op.made {
		s.Made = append(s.Made, k.info.ID)
		k.info.Where = where
		w.comms = append(w.comms, k.info)
	}
	w.steps = append(w.steps, s)
}

// restarted is the call that made the persistent requests whose operation this is; CallNone for other operations.
func (op *operation) restarted() Call {
	if op.x != nil {
		if r, ok := op.x[0].(*Request); ok && r.of != nil {
			return r.of.call
		}
	}
	return CallNone
}

// ranks are the processes of the communicator as a set, which all of its steps share.
func (k *core) ranks() Ranks {
	if k.set == nil {
		k.set = slices.Clip(RanksOf(k.all...))
	}
	return k.set
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

// told lists the processes that an unguided split_type tells the resource, in the info object that they passed.
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

// Side is processes of a step and the communicator on which they called.
type Side struct {
	Comm  int // id; -1 for none
	Ranks Ranks
}

// Sides tells who made a call on which communicator: one row, or two of MPI_Intercomm_create, the left group first.
func (s *Snapshot) Sides(step *Step) []Side {
	if step.Comm2 == 0 {
		return []Side{{step.Comm, step.Ranks}}
	}
	mine := RanksOf(step.Ranks.First()) // of MPI_COMM_SELF, the only one; the left group has the lowest rank
	if left := s.Comm(step.Comm); left != nil {
		mine = RanksOf(left.Group...)
	}
	return []Side{{step.Comm, mine}, {step.Comm2, step.Ranks.minus(mine)}}
}

// News is what one superstep added to the trace of a world. What it holds is never changed later.
type News struct {
	Steps  []Step
	Comms  []*CommInfo // that the steps made
	Output []Line      // in order of the steps: each knows how many came before it
	Forgot int         // lines before these that are no news any more: a flood keeps its last part
	Moves  []Move
	Raised []Raised // in order: each knows how many steps and lines came before it
}

// progress is how much of the trace was told.
type progress struct{ steps, comms, lines, moves, raised int }

// tellNews tells what is new since it was called last. MPI_COMM_WORLD is no news.
func (w *World) tellNews() {
	now := progress{len(w.steps), len(w.comms), w.spoken, len(w.moves), len(w.raised)}
	from := w.told
	from.comms = max(from.comms, 1)
	w.told = now
	if !w.trace || now == from {
		return
	}
	output, forgot := w.linesSince(from.lines)
	w.news(&News{
		Steps: w.steps[from.steps:now.steps:now.steps], Comms: w.comms[from.comms:now.comms:now.comms],
		Output: output, Forgot: forgot, Moves: w.moves[from.moves:now.moves:now.moves], Raised: w.raised[from.raised:now.raised:now.raised],
	})
}

// forgotten returns how many lines of output the trace had before the lines that it keeps.
func (w *World) forgotten() int {
	if !w.trace {
		return 0
	}
	return w.spoken - len(w.lines)
}

// linesSince lists what was printed after the first n lines, and returns how many of these lines are forgotten.
func (w *World) linesSince(n int) (list []Line, forgot int) {
	forgot = max(w.forgotten()-n, 0)
	return slices.Clip(w.lines[n+forgot-w.forgotten():]), forgot
}

// Snapshot is an immutable view of a world up to one step of its trace: all that pictures and
// documents are made from.
type Snapshot struct {
	Size     int
	Topology *hw.Topology  // nil when the world has none
	Bindings []*hw.Binding // where each rank runs then; nil when the world has none
	Std      Std
	Steps    []Step      // steps 1 to the snapshot's
	Comms    []*CommInfo // in order of id; MPI_COMM_WORLD first
	Output   []Line      // the latest ones
	Forgot   int         // lines before these: a flood keeps its last part
	Raised   []Raised    // errors, caught ones too: see Errors
	Waiting  []Wait      // blocked ranks; only in a snapshot of the present

	started []*hw.Binding // where the ranks ran at the beginning
	moves   []Move        // those of each rank in order
}

// Snapshot returns the present state of a world with a trace. The world must be quiet.
func (w *World) Snapshot() *Snapshot {
	now := w.started
	if len(w.moves) > 0 {
		now = slices.Clone(w.bindings)
	}
	return &Snapshot{
		Size: w.size, Topology: w.topology, Bindings: now, Std: w.std,
		started: w.started, moves: slices.Clip(w.moves),
		Steps: slices.Clip(w.steps), Comms: slices.Clip(w.comms), Output: slices.Clip(w.lines), Forgot: w.forgotten(),
		Raised:  slices.Clip(w.raised),
		Waiting: w.waits(),
	}
}

// At returns the state after the given step, 0 being the beginning.
func (s *Snapshot) At(step int) *Snapshot {
	if step >= len(s.Steps) {
		return s
	}
	past := *s
	past.Bindings, past.moves = s.BindingsAt(step), movesUntil(s.moves, step)
	past.Steps = s.Steps[:step:step]
	past.Comms = s.Comms[:countFunc(s.Comms, func(c *CommInfo) bool { return c.Step <= step })]
	past.Output = s.Output[:countFunc(s.Output, func(l Line) bool { return l.Step <= step })]
	past.Raised = s.Raised[:countFunc(s.Raised, func(r Raised) bool { return r.Step <= step })]
	past.Waiting = nil
	return &past
}

// countFunc counts the leading elements for which f holds.
func countFunc[T any](list []T, f func(T) bool) int {
	if i := slices.IndexFunc(list, func(e T) bool { return !f(e) }); i >= 0 {
		return i
	}
	return len(list)
}

// Comm finds a communicator by id; nil when there is none.
func (s *Snapshot) Comm(id int) *CommInfo {
	i, ok := slices.BinarySearchFunc(s.Comms, id, func(c *CommInfo, id int) int { return c.ID - id })
	if !ok {
		return nil
	}
	return s.Comms[i]
}

// Fates has the names of communicators, and which of them were freed, up to a step of the trace.
type Fates struct {
	Names  map[int]string // by id: the predefined ones, and what the lowest rank set last
	Freed  map[int]bool
	setter map[int]int // by id: the rank that set the name
}

// NewFates is the beginning of a trace.
func NewFates() *Fates {
	return &Fates{
		Names: map[int]string{0: predefinedName(0), SelfID: predefinedName(SelfID)},
		Freed: map[int]bool{}, setter: map[int]int{},
	}
}

// Follow takes the next step into account. It reports whether that step named its communicator, and whether it freed
// it.
func (f *Fates) Follow(s *Step) (named, freed bool) {
	switch {
	case s.Frees():
		f.Freed[s.Comm] = true
		return false, true
	case s.Call == CallSetName:
		low := s.Ranks.First()
		if by, ok := f.setter[s.Comm]; !ok || low <= by {
			f.setter[s.Comm], f.Names[s.Comm] = low, s.Args[0].Texts[0]
			return true, false
		}
	}
	return false, false
}

// Fates tells what became of communicators.
func (s *Snapshot) Fates() *Fates { return s.FatesSince(0) }

// FatesSince tells which communicators were named or freed in the steps after a step. Those made earlier count only if
// these steps name or free them.
func (s *Snapshot) FatesSince(step int) *Fates {
	f := NewFates()
	for i := min(step, len(s.Steps)); i < len(s.Steps); i++ {
		f.Follow(&s.Steps[i])
	}
	return f
}

// Freed lists the ids of the communicators that were freed.
func (s *Snapshot) Freed() map[int]bool { return s.Fates().Freed }

// Names gives the names of communicators: the predefined ones, and what the lowest rank set last.
func (s *Snapshot) Names() map[int]string { return s.Fates().Names }

// Freed is a communicator that a step of the trace freed.
type Freed struct {
	Step int
	Comm *CommInfo
}

// FreedSince lists the communicators that steps after the given one freed. The world must be quiet.
func (w *World) FreedSince(step int) []Freed {
	var list []Freed
	for i := range w.steps[step:] {
		if s := &w.steps[step+i]; s.Frees() {
			at, _ := slices.BinarySearchFunc(w.comms, s.Comm, func(c *CommInfo, id int) int { return c.ID - id })
			list = append(list, Freed{s.Number, w.comms[at]})
		}
	}
	return list
}

// Frees reports whether the step gave its communicator up.
func (s *Step) Frees() bool { return s.Call.frees() && s.Err == nil }

// places tells where the call was made: where its processes, which are all, are, or were when it is nonblocking.
func (op *operation) places(w *World, all Ranks) []Place {
	if !op.call.Nonblocking() {
		return w.places(op.members(), all)
	}
	return placesBy(op.members(), all, func(slot int) Site { return op.x[slot].(*Request).site })
}

// places tells where processes are that wait in a call. all is the set of members.
func (w *World) places(members []int32, all Ranks) []Place {
	return placesBy(members, all, func(i int) Site { return w.procs[members[i]].site })
}

// placesBy joins the processes that are at one place, in order of their lowest rank.
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

// Origin is the constructor that returned an MPI_COMM_NULL. A nil handle has no memory of its own, so the process
// keeps its Origin, which is never changed and may be shared.
type Origin struct {
	Step  int     // number of the trace step that returned it; 0: the call was local and made no step
	Call  Call    // the constructor
	Comm  int     // id of the communicator acted on, or -1
	Group []int32 // of a local call: the world ranks of the group passed, in rank order
}

// Origin tells which constructor gave this process its latest MPI_COMM_NULL, and forgets it, so that
// nothing else is taken for its result. It is nil when none did since Origin was called last, or when
// the world keeps no trace.
func (p *Process) Origin() *Origin {
	o := p.origin
	p.origin = nil
	return o
}

// returnNull notes that a local call returns MPI_COMM_NULL: the process is not in the group that it
// passed, so it meets nobody. comm is nil for a constructor without a communicator.
func (p *Process) returnNull(call Call, comm *Comm, g *Group) {
	if !p.w.trace {
		return
	}
	p.origin = &Origin{Call: call, Comm: -1, Group: g.members}
	if comm != nil {
		p.origin.Comm = comm.core.info.ID
	}
}
