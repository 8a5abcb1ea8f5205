package engine

import "fmt"

// finishData carries out a collective that moves values: it checks that the processes agree, and
// leaves what they passed, or the running reduction of each group, in op.values.
func (op *operation) finishData(*World) {
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
	n := len(op.core.group.members)
	switch op.call {
	case CallScatter:
		op.checkCount(int(op.root))
	case CallAlltoall:
		for slot := range op.values {
			op.checkCount(slot)
		}
	case CallReduce, CallAllreduce, CallScan, CallExscan:
		op.combine(0, n)
		op.combine(n, len(op.values))
	}
}

// combine replaces each value of the slots from first up to end by the reduction of all up to it.
func (op *operation) combine(first, end int) {
	f := op.x[0].(*payload).op
	for i := first + 1; i < end && op.err == nil; i++ {
		v, err := f.Combine(op.values[i-1], op.values[i])
		if err != nil {
			op.err = op.wrong(ErrOp, fmt.Sprintf("%s cannot combine the values of ranks 0-%d and %d: %v", f.Name, i-1-first, i-first, err))
			return
		}
		op.values[i] = v
	}
}

// checkCount holds the list that a process passed against the number of processes that it is for.
func (op *operation) checkCount(slot int) {
	left := len(op.core.group.members)
	want, rank, of := left, slot, "communicator"
	if op.core.remote != nil {
		of = "remote group"
		if slot < left {
			want = len(op.core.remote.members)
		} else {
			rank -= left
		}
	}
	if n := len(op.values[slot].([]any)); n != want {
		op.err = op.wrong(ErrArg, fmt.Sprintf("one value per process is needed: the %s has %d, but %s passes %d", of, want, op.who(rank, slot), n))
	}
}

// who is "rank 3", with the world's rank when that is another.
func (op *operation) who(rank, slot int) string {
	if world := op.core.all[slot]; int(world) != rank {
		return fmt.Sprintf("rank %d (world rank %d)", rank, world)
	}
	return fmt.Sprintf("rank %d", rank)
}

func (op *operation) agreeOnData() *Error {
	for slot := range op.a {
		if f, g := op.x[slot].(*payload).op, op.x[0].(*payload).op; f != nil && f.Name != g.Name {
			return op.wrong(ErrOp, "all processes must name the same operation: "+op.sides(op.opName))
		}
	}
	if op.core.remote != nil {
		return op.agreeOnInterRoot()
	}
	op.root = op.a[0]
	for _, root := range op.a {
		if root != op.root {
			return op.wrong(ErrRoot, "all processes must name the same root: "+op.sides(op.rootName))
		}
	}
	return nil
}

// agreeOnInterRoot finds the root of a call on an intercommunicator.
func (op *operation) agreeOnInterRoot() *Error {
	switch op.call {
	case CallBcast, CallGather, CallScatter, CallReduce:
	default:
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
	return op.wrong(ErrRoot, "on an intercommunicator one process passes MPI_ROOT, the others of its group MPI_PROC_NULL, and the other group its rank: "+op.sides(op.rootName))
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

func (op *operation) wrong(class Class, text string) *Error {
	return &Error{Class: class, Call: op.call, Comm: op.core.info.ID, Text: text, Rule: op.call.Rule()}
}
