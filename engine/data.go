package engine

import (
	"fmt"
	"strconv"
)

// Op is a reduction operation for values of any type: an associative function of two values (§6.9.2). Names tell
// operations apart when processes must agree. An *Error that Combine returns is the error of the call.
type Op struct {
	Name    string
	Combine func(a, b any) (any, error)
}

// On an intercommunicator data goes from one group to the other (§6.2.3): a process gets what the
// processes of the remote group passed. Calls with a root have one root in one group, which passes
// Root, the others of that group ProcNull, and all of the other group pass its rank.

// Root is MPI_ROOT: what the root itself passes as root on an intercommunicator.
const Root = -4

// Barrier waits until all processes of c have called it (MPI_Barrier, §6.3).
func (c *Comm) Barrier() error {
	_, err := c.call(CallBarrier, 0, 0, nil)
	return err
}

// Bcast returns root's value on all processes (MPI_Bcast, §6.4); on an intercommunicator, in the
// group that root is not in, and nil in root's own, which receives nothing. All see the same Go value, which must
// not be modified: the function [Bcast] copies it. So do the functions of the other methods' names.
func (c *Comm) Bcast(value any, root int) (any, error) {
	op, err := c.rooted(CallBcast, value, nil, root)
	if err != nil || root < 0 {
		return nil, err
	}
	return op.values[op.root], nil
}

// Gather returns the values of all processes, by rank, at root and nil elsewhere (§6.5).
func (c *Comm) Gather(value any, root int) ([]any, error) {
	op, err := c.rooted(CallGather, value, nil, root)
	if err != nil || c.slot() != op.root {
		return nil, err
	}
	return c.theirs(op), nil
}

// Scatter returns the element of root's values that has the caller's rank (§6.6); on an
// intercommunicator, nil in the root's own group. root must pass one value per process: else
// MPI_ERR_ARG.
func (c *Comm) Scatter(values []any, root int) (any, error) {
	op, err := c.rooted(CallScatter, values, nil, root)
	if err != nil || root < 0 {
		return nil, err
	}
	return op.values[op.root].([]any)[c.rank], nil
}

// Allgather returns the values of all processes, by rank (§6.7).
func (c *Comm) Allgather(value any) ([]any, error) {
	op, err := c.call(CallAllgather, 0, 0, &payload{value: value})
	if err != nil {
		return nil, err
	}
	return c.theirs(op), nil
}

// Alltoall returns what each process passed for the caller (§6.8). Each must pass one value per
// process: else MPI_ERR_ARG.
func (c *Comm) Alltoall(values []any) ([]any, error) {
	op, err := c.call(CallAlltoall, 0, 0, &payload{value: values})
	if err != nil {
		return nil, err
	}
	theirs := c.theirs(op)
	mine := make([]any, len(theirs))
	for i, v := range theirs {
		mine[i] = v.([]any)[c.rank]
	}
	return mine, nil
}

// Reduce combines the values of all processes in rank order, at root; nil elsewhere (§6.9.1).
func (c *Comm) Reduce(value any, op Op, root int) (any, error) {
	o, err := c.rooted(CallReduce, value, &op, root)
	if err != nil || c.slot() != o.root {
		return nil, err
	}
	return last(c.theirs(o)), nil
}

// Allreduce combines the values of all processes in rank order (§6.9.6).
func (c *Comm) Allreduce(value any, op Op) (any, error) {
	o, err := c.call(CallAllreduce, 0, 0, &payload{value, &op})
	if err != nil {
		return nil, err
	}
	return last(c.theirs(o)), nil
}

// Iallreduce starts to combine the values of all processes in rank order (MPI_Iallreduce, §6.12.8). When its request is
// complete, Wait has the result. The value must not be changed before.
func (c *Comm) Iallreduce(value any, op Op) (*Request, error) {
	return c.start(CallIallreduce, &payload{value, &op})
}

func last(values []any) any { return values[len(values)-1] }

// Scan combines the values of ranks 0 to the caller's (§6.11.1). It is for intracommunicators.
func (c *Comm) Scan(value any, op Op) (any, error) {
	if err := c.needIntra(CallScan); err != nil {
		return nil, err
	}
	o, err := c.call(CallScan, 0, 0, &payload{value, &op})
	if err != nil {
		return nil, err
	}
	return o.values[c.rank], nil
}

// Exscan combines the values of the ranks below the caller's; nil on rank 0 (§6.11.2). It is for
// intracommunicators.
func (c *Comm) Exscan(value any, op Op) (any, error) {
	if err := c.needIntra(CallExscan); err != nil {
		return nil, err
	}
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
	if err := c.Check(call); err != nil {
		return nil, err
	}
	inter := c.core.remote != nil
	if n := len(c.peers().members); (root < 0 || root >= n) && !(inter && (root == Root || root == ProcNull)) {
		e := MistakeRoot.In(call, n-1).passingInt("root", root)
		if inter {
			e = e.saying("on an intercommunicator the root passes MPI_ROOT, the others of its group MPI_PROC_NULL, and the other group its rank, 0 to %d", n-1)
		}
		return nil, c.fail(e)
	}
	return c.call(call, int32(root), 0, &payload{value, op})
}

// theirs are the values of the processes that the caller gets data from, by rank.
func (c *Comm) theirs(op *operation) []any {
	n := len(c.core.group.members)
	if c.core.remote == nil || c.right {
		return op.values[:n]
	}
	return op.values[n:]
}

// finishData carries out a collective that moves values: it checks that the processes agree, and
// leaves what they passed, or the running reduction of each group, in op.values.
func (op *operation) finishData(*World) {
	if !op.call.Procedure().MovesData() {
		return
	}
	if op.err = op.agreeOnData(); op.err != nil {
		return
	}
	op.values = make([]any, len(op.x))
	for i := range op.x {
		op.values[i] = op.passed(i).value
	}
	n := len(op.core.group.members)
	if op.passed(0).op != nil {
		op.combine(0, n)
		op.combine(n, len(op.values))
	}
	switch op.call {
	case CallScatter:
		op.checkCounts(func(slot int) bool { return slot == int(op.root) })
	case CallAlltoall:
		op.checkCounts(func(int) bool { return true })
	case CallNeighborAllgather, CallNeighborAlltoall:
		op.checkNeighbors()
	}
}

// passed is what the process in a slot contributed to a call that moves data.
func (op *operation) passed(slot int) *payload {
	if r, started := op.x[slot].(*Request); started {
		return r.build.data
	}
	return op.x[slot].(*payload)
}

// combine replaces each value of the slots from first up to end by the reduction of all up to it.
func (op *operation) combine(first, end int) {
	f := op.passed(0).op
	for i := first + 1; i < end && op.err == nil; i++ {
		v, err := f.Combine(op.values[i-1], op.values[i])
		if own, ok := err.(*Error); ok {
			op.err = own.on(op.core)
			return
		}
		if err != nil {
			op.err = op.wrong(MistakeOpFailed, f.Name, i-1-first, i-first, err)
			return
		}
		op.values[i] = v
	}
}

// checkCounts holds the lists that processes passed against the number of processes that each is for. All of a group
// that passed another number are named.
func (op *operation) checkCounts(counts func(slot int) bool) {
	left := len(op.core.group.members)
	inLeft := func(slot int) bool { return op.core.remote == nil || slot < left }
	want := func(slot int) int {
		if op.core.remote != nil && inLeft(slot) {
			return len(op.core.remote.members)
		}
		return left
	}
	passed := func(slot int) int { return len(op.values[slot].([]any)) }
	for first := range op.values {
		if !counts(first) || passed(first) == want(first) {
			continue
		}
		of := "communicator"
		if op.core.remote != nil {
			of = "remote group"
		}
		op.err = op.wrong(MistakeValueCount, of, want(first), op.sidesOf(
			func(slot int) bool {
				return counts(slot) && inLeft(slot) == inLeft(first) && passed(slot) != want(slot)
			},
			func(slot int) string { return strconv.Itoa(passed(slot)) }))
		return
	}
}

func (op *operation) agreeOnData() *Error {
	for slot := range op.a {
		if f, g := op.passed(slot).op, op.passed(0).op; f != nil && f.Name != g.Name {
			return op.wrong(MistakeOpsDiffer, op.sides(op.opName))
		}
	}
	if op.core.remote != nil {
		return op.agreeOnInterRoot()
	}
	op.root = op.a[0]
	for _, root := range op.a {
		if root != op.root {
			return op.wrong(MistakeRootsDiffer, op.sides(op.rootName))
		}
	}
	return nil
}

// agreeOnInterRoot finds the root of a call on an intercommunicator.
func (op *operation) agreeOnInterRoot() *Error {
	if op.call.Procedure().Param("root") == nil {
		return nil
	}
	n := int32(len(op.core.group.members))
	op.root = -1
	for slot, root := range op.a {
		if root == Root && op.root < 0 {
			op.root = int32(slot)
		}
	}
	sideOf := func(slot int32) bool { return slot >= n }
	fits, rank := op.root >= 0, op.root
	if rank >= n {
		rank -= n
	}
	for slot, root := range op.a {
		slot := int32(slot)
		switch {
		case slot == op.root:
		case fits && sideOf(slot) == sideOf(op.root):
			fits = root == ProcNull
		case fits:
			fits = root == rank
		}
	}
	if fits {
		return nil
	}
	return op.wrong(MistakeRootsDiffer).saying(
		"on an intercommunicator one process passes MPI_ROOT, the others of its group MPI_PROC_NULL, and the other group its rank: %s", op.sides(op.rootName))
}

func (op *operation) rootName(slot int) string {
	switch op.a[slot] {
	case Root:
		return "MPI_ROOT"
	case ProcNull:
		return "MPI_PROC_NULL"
	}
	return fmt.Sprintf("root %d", op.a[slot])
}
