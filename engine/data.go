package engine

import (
	"fmt"
	"strconv"
)

// Op is a reduction operation for values of any type: an associative function of two values (§6.9.5). Processes pass
// the same operation when the names are equal. If Combine returns an *Error, the call fails with it.
type Op struct {
	Name    string
	Combine func(a, b any) (any, error)
}

// On an intercommunicator data goes from one group to the other (§6.2.3): a process gets what the processes of the
// remote group passed. In a call with a root, the root passes Root, the others of its group pass ProcNull, and the
// processes of the other group pass the rank of the root.

// Root is MPI_ROOT, which the root itself passes as root on an intercommunicator.
const Root = -4

// Barrier waits until all processes of c have called it (MPI_Barrier, §6.3).
func (c *Comm) Barrier() error {
	_, err := c.call(CallBarrier, 0, 0, nil)
	return err
}

// Data has what a process passes to a collective call that moves data: a value, or a list of values, one for each
// process; how values are combined; and the root.
type Data struct {
	Value any
	Op    *Op
	Root  int
}

// Collect makes the collective call of that name, which moves data (§6). It returns a value, a list of values by rank
// ([]any) for calls that gather, or nil where the process gets nothing. All processes see the same Go values, which
// must not be modified.
func (c *Comm) Collect(call Call, d Data) (any, error) {
	if err := c.checkData(call, d); err != nil {
		return nil, err
	}
	op, err := c.call(call, int32(d.Root), 0, &payload{d.Value, d.Op})
	if err != nil {
		return nil, err
	}
	return c.result(op), nil
}

// Start starts a nonblocking collective call that moves data (§6.12). Wait on its request returns what the blocking
// call returns. The value must not be changed before. Nonblocking and blocking calls do not match each other; processes
// must start the calls of a communicator in the same order.
func (c *Comm) Start(call Call, d Data) (*Request, error) {
	if err := c.checkData(call, d); err != nil {
		return nil, err
	}
	return c.start(call, d.Root, &payload{d.Value, d.Op})
}

// checkData checks what a process passes, apart from what others pass.
func (c *Comm) checkData(call Call, d Data) error {
	if err := c.Check(call); err != nil {
		return err
	}
	switch call.Plain() {
	case CallScan, CallExscan:
		return c.needIntra(call)
	case CallNeighborAllgather, CallNeighborAlltoall:
		_, err := c.neighborhood(call)
		return err
	}
	if call.Procedure().Param("root") == nil {
		return nil
	}
	inter := c.core.remote != nil
	if n := len(c.peers().members); (d.Root < 0 || d.Root >= n) && !(inter && (d.Root == Root || d.Root == ProcNull)) {
		e := MistakeRoot.In(call, n-1).passingInt("root", d.Root)
		if inter {
			e = e.saying("on an intercommunicator the root passes MPI_ROOT, the other ranks of its group pass MPI_PROC_NULL, and the other group passes the rank of the root, 0 to %d", n-1)
		}
		return c.fail(e)
	}
	return nil
}

// result returns the value that the process gets from a collective call that moves data.
func (c *Comm) result(op *operation) any {
	switch op.call.Plain() {
	case CallBcast:
		if op.a[c.slot()] >= 0 {
			return op.values[op.root]
		}
	case CallScatter:
		if op.a[c.slot()] >= 0 {
			return op.values[op.root].([]any)[c.rank]
		}
	case CallGather:
		if c.slot() == op.root {
			return c.theirs(op)
		}
	case CallAllgather:
		return c.theirs(op)
	case CallAlltoall:
		theirs := c.theirs(op)
		mine := make([]any, len(theirs))
		for i, v := range theirs {
			mine[i] = v.([]any)[c.rank]
		}
		return mine
	case CallNeighborAllgather:
		return c.fromSources(func(_, source int) any { return op.values[source] })
	case CallNeighborAlltoall:
		g := c.core.info.virtual.(neighborhood)
		return c.fromSources(func(i, source int) any { return op.values[source].([]any)[g.slot(int(c.rank), i)] })
	case CallReduce:
		if c.slot() == op.root {
			return last(c.theirs(op))
		}
	case CallScan:
		return op.values[c.rank]
	case CallExscan:
		if c.rank > 0 {
			return op.values[c.rank-1]
		}
	default: // the whole reduction, everywhere
		return last(c.theirs(op))
	}
	return nil
}

// listed returns the result of a call that gathers as a list.
func listed(v any, err error) ([]any, error) {
	list, _ := v.([]any)
	return list, err
}

// Bcast returns root's value on all processes (MPI_Bcast, §6.4). On an intercommunicator, the processes of the other
// group get the value, and those of root's own group nil.
func (c *Comm) Bcast(value any, root int) (any, error) {
	return c.Collect(CallBcast, Data{Value: value, Root: root})
}

// Gather returns the values of all processes, by rank, at root and nil elsewhere (§6.5).
func (c *Comm) Gather(value any, root int) ([]any, error) {
	return listed(c.Collect(CallGather, Data{Value: value, Root: root}))
}

// Scatter returns the element of root's values that has the caller's rank (§6.6); on an intercommunicator, nil in
// root's own group. root must pass one value for each process: else MPI_ERR_ARG.
func (c *Comm) Scatter(values []any, root int) (any, error) {
	return c.Collect(CallScatter, Data{Value: values, Root: root})
}

// Allgather returns the values of all processes, by rank (§6.7).
func (c *Comm) Allgather(value any) ([]any, error) {
	return listed(c.Collect(CallAllgather, Data{Value: value}))
}

// Alltoall returns, by rank, the values that all processes passed for the caller (§6.8). Each must pass one value for
// each process: else MPI_ERR_ARG.
func (c *Comm) Alltoall(values []any) ([]any, error) {
	return listed(c.Collect(CallAlltoall, Data{Value: values}))
}

// Reduce combines the values of all processes in rank order, at root; nil elsewhere (§6.9.1).
func (c *Comm) Reduce(value any, op Op, root int) (any, error) {
	return c.Collect(CallReduce, Data{Value: value, Op: &op, Root: root})
}

// Allreduce combines the values of all processes in rank order (§6.9.6).
func (c *Comm) Allreduce(value any, op Op) (any, error) {
	return c.Collect(CallAllreduce, Data{Value: value, Op: &op})
}

// Iallreduce starts to combine the values of all processes in rank order (MPI_Iallreduce, §6.12.8).
func (c *Comm) Iallreduce(value any, op Op) (*Request, error) {
	return c.Start(CallIallreduce, Data{Value: value, Op: &op})
}

func last(values []any) any { return values[len(values)-1] }

// Scan combines the values of ranks 0 to the caller's (§6.11.1). It is for intracommunicators.
func (c *Comm) Scan(value any, op Op) (any, error) {
	return c.Collect(CallScan, Data{Value: value, Op: &op})
}

// Exscan combines the values of the ranks below the caller's; nil on rank 0 (§6.11.2). It is for
// intracommunicators.
func (c *Comm) Exscan(value any, op Op) (any, error) {
	return c.Collect(CallExscan, Data{Value: value, Op: &op})
}

// payload is what a process contributes to a call that moves data: a value and, for a reduction, the operation.
type payload struct {
	value any
	op    *Op
}

// theirs returns, by rank, the values of the processes from which the caller gets data.
func (c *Comm) theirs(op *operation) []any {
	n := len(c.core.group.members)
	if c.core.remote == nil || c.right {
		return op.values[:n]
	}
	return op.values[n:]
}

// finishData carries out a collective call that moves values: it checks that the processes agree, and leaves the values
// that they passed, or the running reduction of each group, in op.values.
func (op *operation) finishData(*World) {
	moves, makes := op.call.Procedure().MovesData(), op.call.Starts() != CallNone
	if moves {
		op.err = op.agreeOnData()
	}
	if makes && op.err == nil {
		op.makeLine()
	}
	if !moves || makes || op.err != nil {
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
	switch op.call.Plain() {
	case CallScatter:
		op.checkCounts(func(slot int) bool { return slot == int(op.root) })
	case CallAlltoall:
		op.checkCounts(func(int) bool { return true })
	case CallNeighborAllgather, CallNeighborAlltoall:
		op.checkNeighbors()
	}
}

// passed returns the value that the process in a slot contributed to a call that moves data.
func (op *operation) passed(slot int) *payload {
	if r, started := op.x[slot].(*Request); started {
		return r.build.data
	}
	return op.x[slot].(*payload)
}

// combine replaces each value of the slots from first up to end by the reduction of the values from first to it.
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

// checkCounts compares the length of each list that a process passed with the number of processes to which its elements
// go. The error names all processes of a group that passed a wrong number.
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
		"on an intercommunicator the root passes MPI_ROOT, the other ranks of its group pass MPI_PROC_NULL, and the other group passes the rank of the root: %s", op.sides(op.rootName))
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
