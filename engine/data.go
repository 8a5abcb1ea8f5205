package engine

import "fmt"

// Op is a reduction operation: an associative function of two values (§6.9.2). Names tell
// operations apart when processes must agree.
type Op struct {
	Name    string
	Combine func(a, b any) (any, error)
}

// Barrier waits until all processes of c have called it (MPI_Barrier, §6.3).
func (c *Comm) Barrier() error {
	_, err := c.call(CallBarrier, 0, 0, nil)
	return err
}

// Bcast returns root's value on all processes (MPI_Bcast, §6.4). All see the same Go value: it
// must not be modified.
func (c *Comm) Bcast(value any, root int) (any, error) {
	op, err := c.rooted(CallBcast, value, nil, root)
	if err != nil {
		return nil, err
	}
	return op.values[root], nil
}

// Gather returns the values of all processes, by rank, at root and nil elsewhere (§6.5).
func (c *Comm) Gather(value any, root int) ([]any, error) {
	op, err := c.rooted(CallGather, value, nil, root)
	if err != nil || int(c.rank) != root {
		return nil, err
	}
	return op.values, nil
}

// Scatter returns the element of root's values that has the caller's rank (§6.6). root must pass
// one value per process: else MPI_ERR_ARG.
func (c *Comm) Scatter(values []any, root int) (any, error) {
	op, err := c.rooted(CallScatter, values, nil, root)
	if err != nil {
		return nil, err
	}
	return op.values[root].([]any)[c.rank], nil
}

// Allgather returns the values of all processes, by rank (§6.7).
func (c *Comm) Allgather(value any) ([]any, error) {
	op, err := c.call(CallAllgather, 0, 0, &payload{value: value})
	if err != nil {
		return nil, err
	}
	return op.values, nil
}

// Alltoall returns what each process passed for the caller (§6.8). Each must pass one value per
// process: else MPI_ERR_ARG.
func (c *Comm) Alltoall(values []any) ([]any, error) {
	op, err := c.call(CallAlltoall, 0, 0, &payload{value: values})
	if err != nil {
		return nil, err
	}
	mine := make([]any, len(op.values))
	for i, v := range op.values {
		mine[i] = v.([]any)[c.rank]
	}
	return mine, nil
}

// Reduce combines the values of all processes in rank order, at root; nil elsewhere (§6.9.1).
func (c *Comm) Reduce(value any, op Op, root int) (any, error) {
	o, err := c.rooted(CallReduce, value, &op, root)
	if err != nil || int(c.rank) != root {
		return nil, err
	}
	return o.values[0], nil
}

// Allreduce combines the values of all processes in rank order (§6.9.6).
func (c *Comm) Allreduce(value any, op Op) (any, error) {
	o, err := c.call(CallAllreduce, 0, 0, &payload{value, &op})
	if err != nil {
		return nil, err
	}
	return o.values[0], nil
}

// Scan combines the values of ranks 0 to the caller's (§6.11.1).
func (c *Comm) Scan(value any, op Op) (any, error) {
	o, err := c.call(CallScan, 0, 0, &payload{value, &op})
	if err != nil {
		return nil, err
	}
	return o.values[c.rank], nil
}

// Exscan combines the values of the ranks below the caller's; nil on rank 0 (§6.11.2).
func (c *Comm) Exscan(value any, op Op) (any, error) {
	o, err := c.call(CallExscan, 0, 0, &payload{value, &op})
	if err != nil || c.rank == 0 {
		return nil, err
	}
	return o.values[c.rank-1], nil
}

// payload is a value and, for reductions, how to combine it.
type payload struct {
	value any
	op    *Op
}

func (c *Comm) rooted(call Call, value any, op *Op, root int) (*operation, error) {
	if err := c.check(call); err != nil {
		return nil, err
	}
	if n := len(c.core.group.members); root < 0 || root >= n {
		return nil, c.fail(ErrRoot, call, fmt.Sprintf("the root must be a rank of the communicator, 0 to %d", n-1), fmt.Sprintf("root %d", root))
	}
	return c.call(call, int32(root), 0, &payload{value, op})
}

// finishData carries out a collective that moves values: it checks that the processes agree, and
// leaves what they passed, or the running reduction, in op.values.
func (op *operation) finishData(w *World) {
	if op.call == CallBarrier {
		return
	}
	if op.err = op.agreeOnData(); op.err != nil {
		return
	}
	op.values = make([]any, len(op.x))
	for i, x := range op.x {
		op.values[i] = x.(*payload).value
	}
	switch op.call {
	case CallScatter:
		op.checkCount(int(op.a[0]))
	case CallAlltoall:
		for r := range op.values {
			op.checkCount(r)
		}
	case CallReduce, CallAllreduce:
		op.combine()
		op.values = op.values[len(op.values)-1:]
	case CallScan, CallExscan:
		op.combine()
	}
}

// combine replaces each value by the reduction of all up to it.
func (op *operation) combine() {
	f := op.x[0].(*payload).op
	for i := 1; i < len(op.values); i++ {
		v, err := f.Combine(op.values[i-1], op.values[i])
		if err != nil {
			op.err = op.wrong(ErrOp, fmt.Sprintf("%s cannot combine the values of ranks 0-%d and %d: %v", f.Name, i-1, i, err))
			return
		}
		op.values[i] = v
	}
}

// checkCount holds the list that a process passed against the size of the communicator.
func (op *operation) checkCount(rank int) {
	if n := len(op.values[rank].([]any)); n != len(op.a) {
		op.err = op.wrong(ErrArg, fmt.Sprintf("one value per process is needed: the communicator has %d, but its rank %d passes %d", len(op.a), rank, n))
	}
}

func (op *operation) agreeOnData() *Error {
	for r := range op.a {
		if op.a[r] != op.a[0] {
			return op.wrong(ErrRoot, "all processes must name the same root: "+op.sides(func(r int) string { return fmt.Sprintf("root %d", op.a[r]) }))
		}
		if f, g := op.x[r].(*payload).op, op.x[0].(*payload).op; f != nil && f.Name != g.Name {
			return op.wrong(ErrOp, "all processes must name the same operation: "+op.sides(func(r int) string { return op.x[r].(*payload).op.Name }))
		}
	}
	return nil
}

func (op *operation) wrong(class Class, text string) *Error {
	return &Error{Class: class, Call: op.call, Comm: op.core.info.ID, Text: text, Rule: op.call.Rule()}
}
