package engine

import "sync/atomic"

// operation is one collective call on one communicator while its contributions come in, and its
// results until every process has read them. Columns are indexed by the rank in the communicator.
type operation struct {
	core    *core
	call    Call
	arrived atomic.Int32
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

// gather adds a contribution to the call that its communicator is gathering, and returns that call.
// Shards do it side by side, each for its own ranks, before the conductor looks. A call of another
// name on the same communicator does not count: those ranks wait for each other for ever, and the
// deadlock names both sides.
func (w *World) gather(c *post) *operation {
	op := c.comm.core.gathering(w, c.call)
	if op.call != c.call {
		return nil
	}
	r := c.comm.rank
	op.a[r], op.b[r] = c.a, c.b
	return op
}

// meetCollective adds a contribution that has more than two integers.
func (w *World) meetCollective(c *post) {
	op := w.gather(c)
	if op == nil {
		return
	}
	if op.x == nil {
		op.x = make([]any, len(op.a))
	}
	op.x[c.comm.rank] = c.x
	if op.count(1) {
		w.ready = append(w.ready, op)
	}
}

// count notes that n more processes contributed, and reports whether these were the last.
func (op *operation) count(n int32) bool { return op.arrived.Add(n) == int32(len(op.a)) }

// gathering is the operation that k gathers; the first contribution starts it.
func (k *core) gathering(w *World, call Call) *operation {
	if op := k.pending.Load(); op != nil {
		return op
	}
	k.starting.Lock()
	defer k.starting.Unlock()
	if op := k.pending.Load(); op != nil {
		return op
	}
	op := w.newOperation(k, call)
	k.pending.Store(op)
	return op
}

// newOperation starts gathering. When nothing keeps a trace, the storage of the operation before
// the last one serves again: all processes have read its results, or they could not have
// contributed to the last one. The last one's may still be read.
func (w *World) newOperation(k *core, call Call) *operation {
	n := len(k.group.members)
	old := k.spare
	if old == nil || w.trace {
		return &operation{core: k, call: call, a: make([]int32, n), b: make([]int32, n)}
	}
	return &operation{core: k, call: call, a: old.a, b: old.b, part: old.part, newRank: old.newRank}
}

// settle ends the gathering: the next contribution to the communicator starts another operation.
func (op *operation) settle() {
	k := op.core
	k.spare, k.done = k.done, op
	k.pending.Store(nil)
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
	op.settle()
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
