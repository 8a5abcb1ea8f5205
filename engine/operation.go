package engine

// operation is one collective call on one communicator while its contributions come in, and its
// results until every process has read them. Columns are indexed by the rank in the communicator.
type operation struct {
	core    *core
	call    Call
	arrived int
	a, b    []int32 // the two integer arguments: color and key, root, ...
	x       []any   // the other argument; nil when no process passed one

	err     *Error // the call is erroneous: every process raises it
	made    []*core
	part    []int32 // index into made, -1 for COMM_NULL
	newRank []int32 // rank in that communicator
	handles []Comm  // one per process, so that results are one allocation
	values  []any   // result of a data operation
}

// members are the world ranks of the processes that take part.
func (op *operation) members() []int32 { return op.core.group.members }

// low is the lowest world rank that takes part.
func (op *operation) low() int32 { return op.core.low }

// meetCollective adds a contribution to the call that its communicator is gathering. A call of
// another name on the same communicator does not count: those ranks wait for each other for ever,
// and the deadlock names both sides.
func (w *World) meetCollective(c *post) {
	k := c.comm.core
	op := k.pending
	if op == nil {
		op = w.newOperation(k, c.call)
		k.pending = op
	}
	if op.call != c.call {
		return
	}
	r := c.comm.rank
	op.a[r], op.b[r] = c.a, c.b
	if c.x != nil {
		if op.x == nil {
			op.x = make([]any, len(op.a))
		}
		op.x[r] = c.x
	}
	op.arrived++
	if op.arrived == len(op.a) {
		k.pending = nil
		k.done = op
		w.ready = append(w.ready, op)
	}
}

// newOperation starts gathering. When nothing keeps a trace, the storage of the communicator's
// previous operation serves again: its results were read before this superstep began.
func (w *World) newOperation(k *core, call Call) *operation {
	n := len(k.group.members)
	op := k.done
	if op == nil || w.trace {
		op = &operation{core: k, a: make([]int32, n), b: make([]int32, n)}
	}
	*op = operation{core: k, a: op.a, b: op.b, part: op.part, newRank: op.newRank}
	op.call = call
	return op
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

// finish carries the operation out.
func (op *operation) finish(w *World) {
	switch op.call {
	case CallDup:
		op.finishDup(w)
	case CallSplit:
		op.finishSplit(w)
	case CallSplitType:
		op.finishSplitType(w)
	case CallCreate:
		op.finishCreate(w)
	case CallCreateGroup:
		op.finishCreateGroup(w)
	case CallFree:
		op.finishFree(w)
	default:
		op.finishData(w)
	}
	if w.trace {
		w.record(op)
	}
}

// call makes a collective call on c and waits for its end. It returns the finished operation, or
// the error that c's error handler let through.
func (c *Comm) call(call Call, a, b int32, x any) (*operation, error) {
	if err := c.check(call); err != nil {
		return nil, err
	}
	c.p.block(post{comm: c, call: call, a: a, b: b, x: x})
	op := c.core.done
	if op.err != nil {
		err := *op.err
		return nil, c.raise(&err)
	}
	return op, nil
}

// construct makes a collective call that gives each process a new communicator or COMM_NULL.
func (c *Comm) construct(call Call, a, b int32, x any) (*Comm, *operation, error) {
	op, err := c.call(call, a, b, x)
	if err != nil {
		return nil, nil, err
	}
	part := op.part[c.rank]
	if part < 0 {
		return nil, op, nil
	}
	h := &op.handles[c.rank]
	*h = Comm{core: op.made[part], p: c.p, rank: op.newRank[c.rank]}
	if c.ext != nil && c.ext.errhandler != nil {
		h.extras().errhandler = c.ext.errhandler
	}
	return h, op, nil
}
