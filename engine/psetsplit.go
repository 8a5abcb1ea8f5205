package engine

import "fmt"

// finishPsetSplit carries out MPI_COMM_TYPE_RESOURCE_GUIDED by mpi_pset_name (§7.4.2): the processes
// of the communicator that are in the set which they name form a communicator. Different sets may
// be named in one call: all processes that are both in the communicator and in a named set must give
// the same key and value, while what the others give does not matter. A set is valid in the session
// that the communicator derives from; without one, as for unknown sets and processes that are not
// in the set they name, the result is MPI_COMM_NULL.
func (op *operation) finishPsetSplit(w *World) {
	color := filled(len(op.a), Undefined)
	if op.core.sessions != nil {
		named := op.namedPsets(w)
		if text := op.agreeOnPsets(w, named); text != "" {
			op.err = op.wrong(ErrArg, text)
			return
		}
		op.psetColors(w, named, color)
	}
	parts := op.partition(w, color, op.b)
	for i := range parts {
		r := op.core.slotOf(parts[i].group.members[0])
		parts[i].pset = psetSelf
		if k := int(color[r]); k < len(w.psets) {
			parts[i].pset = w.psets[k].Name
		}
	}
	w.make(op, parts)
}

// noPset stands for a process that names no known set, takesNoPart for one that passed
// MPI_UNDEFINED: it agrees with all.
const (
	noPset      = -1
	takesNoPart = -2
)

// namedPsets is the index of the set that each process names.
func (op *operation) namedPsets(w *World) []int {
	byName := map[string]int{}
	named := make([]int, len(op.a))
	for r := range named {
		g := op.guide(r)
		i, ok := byName[g.value]
		switch {
		case op.a[r] == Undefined:
			i = takesNoPart
		case g.key != KeyPsetName:
			i = noPset
		case !ok:
			i = w.findPset(g.value)
			byName[g.value] = i
		}
		named[r] = i
	}
	return named
}

// agreeOnPsets holds what the members of each named set gave against each other; text names the
// sides when they differ.
func (op *operation) agreeOnPsets(w *World, named []int) (text string) {
	checked := map[int]bool{}
	for _, i := range named {
		if i < 0 || checked[i] || w.psets[i].isSelf() {
			continue
		}
		checked[i] = true
		first := -1
		for _, m := range w.psets[i].group.members {
			r := op.core.slotOf(m)
			if r == Undefined || named[r] == takesNoPart {
				continue
			}
			if first < 0 {
				first = r
			}
			if named[r] != named[first] || named[r] == noPset && op.guide(r) != op.guide(first) {
				return op.clashingPsets(w, i, named)
			}
		}
	}
	return ""
}

// clashingPsets says what the members of set i gave.
func (op *operation) clashingPsets(w *World, i int, named []int) string {
	members := make([]bool, len(named))
	for r, m := range op.core.all {
		members[r] = w.psets[i].has(m) && named[r] != takesNoPart
	}
	return fmt.Sprintf("all processes of the communicator that are in the process set %q must give the same info key and value: %s",
		w.psets[i].Name, op.sidesOf(func(r int) bool { return members[r] }, func(r int) string { return op.guide(r).String() }))
}

// psetColors colors the processes that are in the set they name: by the set's index, or, since
// mpi://SELF is another set in every process, beyond all of these by their rank.
func (op *operation) psetColors(w *World, named []int, color []int32) {
	for r, i := range named {
		switch {
		case i < 0 || !w.psets[i].has(op.core.all[r]):
		case w.psets[i].isSelf():
			color[r] = int32(len(w.psets) + r)
		default:
			color[r] = int32(i)
		}
	}
}
