package engine

import (
	"fmt"
	"slices"
)

// Create makes a communicator of group g (MPI_Comm_create, §7.4.2). It is collective over c; g must
// be a subgroup of c's group. Processes may pass different groups if these are disjoint, but all
// members of a group must pass that very group, in the same order; a process that is not in the
// group it passes gets nil. Otherwise: MPI_ERR_GROUP on every process, naming the sides. In MPI-1.1
// and 2.1 all processes must pass the same group. Of an intercommunicator, each side passes a
// subgroup of its own group, all of a side the same, and the two groups form a new one; when either
// is empty everybody gets nil.
func (c *Comm) Create(g *Group) (*Comm, error) {
	if err := c.check(CallCreate); err != nil {
		return nil, err
	}
	if g == nil {
		return nil, c.fail(ErrGroup, CallCreate, nullGroup, "")
	}
	if err := c.lacksInter(CallCreate); err != nil {
		return nil, err
	}
	if err := c.checkSession(CallCreate, g); err != nil {
		return nil, err
	}
	d, _, err := c.construct(CallCreate, 0, 0, g)
	return d, err
}

const nullGroup = "the group is MPI_GROUP_NULL; for no communicator pass MPI_GROUP_EMPTY"

func (op *operation) finishCreate(w *World) {
	distinct, which := op.distinctGroups()
	if op.core.remote != nil {
		op.createInter(w, distinct, which)
		return
	}
	if op.err = op.checkGroups(w, distinct, which); op.err != nil {
		return
	}
	part, newRank := op.grouping()
	var parts []slice
	for i, g := range distinct {
		if g.Size() == 0 {
			continue
		}
		for rank, m := range g.members {
			r := op.core.slotOf(m)
			if int(which[r]) == i {
				part[r], newRank[r] = int32(len(parts)), int32(rank)
			}
		}
		parts = append(parts, alone(g))
	}
	w.make(op, parts)
}

// distinctGroups lists the different groups that were passed, in rank order of who passed each
// first, and which of them each process passed.
func (op *operation) distinctGroups() (distinct []*Group, which []int32) {
	which = make([]int32, len(op.a))
	byPointer := map[*Group]int32{}
	bySize := map[[3]int32][]int32{} // size, first and last member: few candidates to compare
	for r, x := range op.x {
		g := x.(*Group).base()
		i, ok := byPointer[g]
		if !ok {
			i = -1
			k := [3]int32{int32(len(g.members))}
			if n := len(g.members); n > 0 {
				k[1], k[2] = g.members[0], g.members[n-1]
			}
			for _, j := range bySize[k] {
				if slices.Equal(distinct[j].members, g.members) {
					i = j
				}
			}
			if i < 0 {
				i = int32(len(distinct))
				distinct = append(distinct, g)
				bySize[k] = append(bySize[k], i)
			}
			byPointer[g] = i
		}
		which[r] = i
	}
	return distinct, which
}

// checkGroups holds the groups against the rules of MPI_Comm_create.
func (op *operation) checkGroups(w *World, distinct []*Group, which []int32) *Error {
	e := op.wrong(ErrGroup, "")
	if w.std < 22 && len(distinct) > 1 {
		e.Text = fmt.Sprintf("MPI-%s wants the same group on all processes (several disjoint groups came with MPI-2.2): %s; %s",
			w.std, op.side(distinct[0], which, 0), op.side(distinct[1], which, 1))
		return e
	}
	for i, g := range distinct {
		for _, m := range g.members {
			r := op.core.slotOf(m)
			if r == Undefined {
				e.Text = fmt.Sprintf("the group must be a subgroup of the communicator's, but world rank %d is not in it: %s", m, op.side(g, which, int32(i)))
				return e
			}
			if which[r] != int32(i) {
				e.Text = fmt.Sprintf("all members of a group must pass that group, the same members in the same order: %s, which has %s in it; %s",
					op.side(g, which, int32(i)), Ranks{{m, m}}.Noun(), op.side(distinct[which[r]], which, which[r]))
				return e
			}
		}
	}
	return nil
}

// createInter makes an intercommunicator of one subgroup of each side.
func (op *operation) createInter(w *World, distinct []*Group, which []int32) {
	n := len(op.core.group.members)
	sides := [2]*Group{distinct[which[0]], distinct[which[n]]}
	for side, all := range []*Group{op.core.group, op.core.remote} {
		if op.err = op.checkSide(sides[side], all, distinct, which); op.err != nil {
			return
		}
	}
	part, newRank := op.grouping()
	if sides[0].Size() == 0 || sides[1].Size() == 0 {
		return
	}
	for slot, m := range op.core.all {
		if r := sides[min(slot/n, 1)].rankOf(m); r != Undefined {
			part[slot], newRank[slot] = 0, int32(r)
		}
	}
	w.make(op, []slice{between(sides[0], sides[1])})
}

// checkSide holds what the processes of one side passed against the rules: all the same group, g,
// and a subgroup of all, that side's group.
func (op *operation) checkSide(g, all *Group, distinct []*Group, which []int32) *Error {
	mine := which[op.core.slotOf(all.members[0])]
	for _, m := range all.members {
		if other := which[op.core.slotOf(m)]; other != mine {
			return op.wrong(ErrGroup, fmt.Sprintf("all processes of the same local group must pass the same group, the same members in the same order: %s; %s",
				op.side(distinct[mine], which, mine), op.side(distinct[other], which, other)))
		}
	}
	if m, ok := g.outside(all); ok {
		return op.wrong(ErrGroup, fmt.Sprintf("the group must be a subgroup of the local group %s, but world rank %d is not in it: %s",
			all.braces(), m, op.side(g, which, mine)))
	}
	return nil
}

// braces is the group as a set in order: "{0,2,4}", or MPI_GROUP_EMPTY. Long ones are cut.
func (g *Group) braces() string {
	if len(g.members) == 0 {
		return "MPI_GROUP_EMPTY"
	}
	const most = 12
	text := "{"
	for i, m := range g.members {
		if i == most {
			text += fmt.Sprintf(",... %d in all", len(g.members))
			break
		}
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(m)
	}
	return text + "}"
}
