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

// at returns the operation that stands at a position of the line of k. The first contribution to an operation makes it.
// In a world without a trace, the operation reuses the storage of the operation before the last: all processes have read
// its results, or they could not have contributed to the last operation, whose results may still be read.
func (k *core) at(w *World, position int, call Call) *operation {
	if position < len(k.line) {
		return k.line[position]
	}
	k.begun++
	op := &operation{core: k, call: call, number: k.begun}
	if old := k.spare; old != nil && !w.trace {
		op.a, op.b, op.part, op.newRank = old.a, old.b, old.part, old.newRank
		k.spare = nil
	} else {
		op.a, op.b = make([]int32, len(k.all)), make([]int32, len(k.all))
	}
	k.line = append(k.line, op)
	return op
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

// advance takes op out of the line, where it is the first: all processes have contributed to it. An operation over a
// group stands in no line.
func (k *core) advance(op *operation) {
	k.spare, k.done = k.done, op
	if len(k.line) > 1 {
		k.line[0] = nil
		k.line = k.line[1:]
		return
	}
	k.line = k.line[:0]
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
		op.partition(w, op.a, op.b)
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
	if op.origin != nil {
		p.behind = int32(op.origin.Step) // whatever others ended with it
	}
	if op.err != nil {
		return nil, c.raise(op.errorFor(c.slot()))
	}
	return op, nil
}

// construct makes a collective call that gives each process a new communicator or MPI_COMM_NULL. The handle of the
// communicator inherits the error handler of c, and nothing else (§7.4.2, §9.3).
func (c *Comm) construct(call Call, a, b int32, x any) (*Comm, error) {
	op, err := c.call(call, a, b, x)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	part := op.part[slot]
	if part < 0 {
		c.p.origin = op.origin
		return nil, nil
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
	return h, nil
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

// make makes a communicator of each group or, with rights, an intercommunicator of each two groups, with ids in order.
// The communicators are disjoint and share one context id; the right groups share another.
func (w *World) make(op *operation, lefts, rights []*Group) {
	if len(lefts) == 0 {
		return
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
	cores := make([]core, len(lefts))
	infos := make([]CommInfo, len(lefts))
	op.made = make([]*core, len(lefts))
	if !op.call.Nonblocking() { // processes already hold the handles of a nonblocking call
		op.handles = make([]Comm, len(op.a))
	}
	for i, g := range lefts {
		k := &cores[i]
		infos[i] = CommInfo{ID: w.nextID, Context: left, Context2: right, Op: op.call, Parent: op.core.info.ID, Parent2: op.parent2,
			Group: g.members, Instance: -1, Step: len(w.steps) + 1}
		k.info, k.group, k.all, k.sessions = &infos[i], g, g.members, op.core.sessions
		if rights != nil {
			k.remote, infos[i].Remote = rights[i], rights[i].members
			k.all = slices.Concat(g.members, rights[i].members)
		}
		if infos[i].Parent < 0 { // made from a group alone: it has MPI_TAG_UB (§9.1.2)
			k.surroundings = inSessionsModel
		}
		k.low = slices.Min(k.all)
		op.made[i] = k
		w.nextID++
	}
}
