package engine

import "slices"

// A call is complete when all its processes have contributed, finished when it has its results, and then its processes
// are released: they run on.

// operation is one collective call on one communicator: it gathers the contributions, and then has the results until
// every process has read them. Columns are indexed by the rank in the communicator; in an intercommunicator by slot:
// the left group, then the right one.
type operation struct {
	core    *core
	call    Call
	number  int32   // it is the n-th operation on the communicator
	right   bool    // the processes become the right group of an intercommunicator
	parent2 int     // id of the communicator on which the right group called; 0: both groups called on the same, or on none
	arrived int32   // contributions so far
	a, b    []int32 // the two integer arguments: color and key, root, ...
	x       []any   // the other argument; nil when no process passed one

	err     *Error // the call is erroneous: every process raises it
	made    []*core
	part    []int32 // index into made, -1 for MPI_COMM_NULL
	newRank []int32 // rank in the communicator made
	handles []Comm  // one per process, so that results are one allocation
	values  []any   // result of a data operation
	root    int32   // slot of its root
	line    *core   // see makeLine
	origin  *Origin // of the MPI_COMM_NULL that processes get; nil without a trace
}

// meetCollective adds a contribution to its call, which is behind the nonblocking calls that the process has under way
// on the communicator. It ignores a contribution to another call than the one that other processes make: they wait for
// each other forever, and the diagnosis of the deadlock names both calls.
func (w *World) meetCollective(p *Process) {
	c := &p.current
	k, position := c.comm.core, 0
	if c.behind {
		position = p.ahead(k)
	}
	if op := k.at(w, position, c.call); op.call == c.call {
		op.add(w, c.comm.slot(), c.a, c.b, c.x)
	}
}

// at returns the operation that stands at a position of the line of k, counted from the pending one. The first
// contribution to an operation makes it.
func (k *core) at(w *World, position int, call Call) *operation {
	if position == 0 {
		if k.pending == nil {
			k.pending = w.newOperation(k, call)
		}
		return k.pending
	}
	if position > len(k.later) {
		k.later = append(k.later, w.newOperation(k, call))
	}
	return k.later[position-1]
}

// add adds what the process in a slot contributes to the operation, which may make it complete.
func (op *operation) add(w *World, slot, a, b int32, x any) {
	op.a[slot], op.b[slot] = a, b
	if x != nil {
		if op.x == nil {
			op.x = make([]any, len(op.a))
		}
		op.x[slot] = x
	}
	if op.arrived++; int(op.arrived) == len(op.a) {
		w.ready = append(w.ready, op)
	}
}

// newOperation begins to gather a call. In a world without a trace, it reuses the storage of the operation before the
// last: all processes have read its results, or they could not have contributed to the last operation, whose results
// may still be read.
func (w *World) newOperation(k *core, call Call) *operation {
	n := len(k.all)
	old := k.spare
	k.begun++
	if old == nil || w.trace {
		return &operation{core: k, call: call, number: k.begun, a: make([]int32, n), b: make([]int32, n)}
	}
	k.spare = nil
	return &operation{core: k, call: call, number: k.begun, a: old.a, b: old.b, part: old.part, newRank: old.newRank}
}

// advance makes the next operation of the line the pending one. All processes have contributed to op.
func (k *core) advance(op *operation) {
	k.spare, k.done = k.done, op
	if len(k.later) == 0 {
		k.pending = nil
		return
	}
	k.pending = k.later[0]
	k.later = k.later[1:]
}

// grouping returns the part and newRank columns, ready to be filled.
func (op *operation) grouping() (part, newRank []int32) {
	n := len(op.a)
	if op.part == nil {
		op.part, op.newRank = make([]int32, n), make([]int32, n)
	}
	for i := range op.part {
		op.part[i] = -1
	}
	return op.part, op.newRank
}

// finish computes the results, writes the trace, and lets the processes go on.
func (op *operation) finish(w *World) {
	op.core.advance(op)
	switch c := op.call; {
	case c.Duplicates():
		op.finishDup(w)
	case c == CallSplit:
		w.make(op, op.partition(w, op.a, op.b))
	case c == CallSplitType:
		op.finishSplitType(w)
	case c == CallCreate:
		op.finishCreate(w)
	case c == CallMerge:
		op.finishMerge(w)
	case c == CallCreateGroup, c == CallCreateFromGroup:
		op.finishGroupCall(w)
	case c.MakesTopology():
		op.finishVirtual(w)
	case c == CallFree, c == CallDisconnect:
		op.finishFree(w)
	default:
		op.finishData(w)
	}
	if w.trace {
		w.addStep(op)
	}
	if op.call.Nonblocking() {
		op.deliverStarted()
		return
	}
	op.release(w)
}

// release lets the processes go on.
func (op *operation) release(w *World) {
	for _, m := range op.core.all {
		w.release(m)
	}
}

// call makes a collective call on c and waits for its end. It returns the finished operation, or
// the error that c's error handler let through.
func (c *Comm) call(call Call, a, b int32, x any) (*operation, error) {
	if err := c.Check(call); err != nil {
		return nil, err
	}
	p := c.p
	p.block(post{comm: c, call: call, a: a, b: b, x: x, behind: c.ext != nil && c.ext.outstanding > 0})
	op := c.core.done
	p.passed(op)
	if op.err != nil {
		return nil, c.raise(op.errorFor(c.slot()))
	}
	return op, nil
}

// passed notes that the process has come to the step of an operation that has ended, whatever others
// ended with it.
func (p *Process) passed(op *operation) {
	if op.origin != nil {
		p.behind = int32(op.origin.Step)
	}
}

// newcomm describes a communicator that an operation makes.
type newcomm struct {
	group    *Group
	remote   *Group // the right group of an intercommunicator
	resource string
	instance int32
	pset     string
}

// alone describes a communicator that no hardware resource stands for.
func alone(g *Group) newcomm { return newcomm{group: g, instance: -1} }

// between describes an intercommunicator of two groups; with right nil, an intracommunicator.
func between(left, right *Group) newcomm { return newcomm{group: left, remote: right, instance: -1} }

// construct makes a collective call that gives each process a new communicator or COMM_NULL.
func (c *Comm) construct(call Call, a, b int32, x any) (*Comm, error) {
	op, err := c.call(call, a, b, x)
	if err != nil {
		return nil, err
	}
	return c.take(op), nil
}

// take returns the process' handle of the communicator that an operation on c made; nil for MPI_COMM_NULL. The handle
// inherits the error handler of c, and nothing else (§7.4.2, §9.3).
func (c *Comm) take(op *operation) *Comm {
	slot := c.slot()
	part := op.part[slot]
	if part < 0 {
		c.p.origin = op.origin
		return nil
	}
	h := &op.handles[slot]
	*h = Comm{core: op.made[part], p: c.p, rank: op.newRank[slot]}
	h.right = h.core.remote != nil && (c.right || op.right)
	if c.ext != nil && c.ext.errhandler != nil {
		h.extras().errhandler = c.ext.errhandler
	}
	if h.core.sessions != nil {
		h.adopt()
	}
	return h
}

// slot returns the index of the process in the columns of an operation on c: the left group comes first.
func (c *Comm) slot() int32 {
	if c.right {
		return c.rank + int32(len(c.core.group.members))
	}
	return c.rank
}

// lacksInter raises an error when c is an intercommunicator and this version of the standard has the call only for
// intracommunicators.
func (c *Comm) lacksInter(call Call) error {
	if c.core.remote == nil || c.p.w.std >= 20 {
		return nil
	}
	return c.fail(MistakeIntercommStd.In(call, call, c.p.w.std).before22(c.p.w.std))
}

// make makes the communicators of an operation, with ids in order. They are disjoint and share one context id; the
// right groups of intercommunicators share another.
func (w *World) make(op *operation, parts []newcomm) {
	if len(parts) == 0 {
		return
	}
	var lefts, rights []*Group
	for _, p := range parts {
		lefts = append(lefts, p.group)
		if p.remote != nil {
			rights = append(rights, p.remote)
		}
	}
	right := 0
	left, ok := w.contexts.agree(lefts)
	if !ok {
		op.err = w.noContext(op, lefts)
		return
	}
	if rights != nil {
		if right, ok = w.contexts.agree(rights); !ok {
			op.err = w.noContext(op, rights)
			for _, g := range lefts {
				w.contexts.free(g.members, left)
			}
			return
		}
	}
	cores := make([]core, len(parts))
	infos := make([]CommInfo, len(parts))
	op.made = make([]*core, len(parts))
	if !op.call.Nonblocking() { // processes already hold the handles of a nonblocking call
		op.handles = make([]Comm, len(op.a))
	}
	for i, p := range parts {
		k := &cores[i]
		infos[i] = CommInfo{ID: w.nextID, Context: left, Context2: right, Op: op.call, Parent: op.core.info.ID, Parent2: op.parent2,
			Group: p.group.members, Resource: p.resource, Instance: int(p.instance), Pset: p.pset, Step: len(w.steps) + 1}
		k.info, k.group = &infos[i], p.group
		k.all, k.surroundings, k.sessions = p.group.members, op.surroundings(), op.core.sessions
		if p.remote != nil {
			k.all = slices.Concat(p.group.members, p.remote.members)
			k.remote, infos[i].Remote = p.remote, p.remote.members
		}
		k.low = slices.Min(k.all)
		op.made[i] = k
		w.nextID++
	}
}

// surroundings tells which predefined attributes the communicators have that the operation makes: a duplicate has those
// of its parent (§7.4.2), a communicator made from a group alone has MPI_TAG_UB (§9.1.2), all others have none.
func (op *operation) surroundings() surroundings {
	switch {
	case op.call.Duplicates():
		return op.core.surroundings
	case op.call == CallCreateFromGroup, op.call == CallIntercommCreateFromGroups:
		return inSessionsModel
	}
	return noSurroundings
}
