package engine

import (
	"fmt"
	"slices"
)

// Create makes a communicator of group g (MPI_Comm_create, §7.4.2). It is collective over c; g must
// be a subgroup of c's group. Processes may pass different groups if these are disjoint, but all
// members of a group must pass that very group, in the same order; a process that is not in the
// group it passes gets nil. Otherwise: MPI_ERR_GROUP on every process, naming the sides. In MPI-1.1
// and 2.1 all processes must pass the same group.
func (c *Comm) Create(g *Group) (*Comm, error) {
	if err := c.check(CallCreate); err != nil {
		return nil, err
	}
	if g == nil {
		return nil, c.fail(ErrGroup, CallCreate, "the group is MPI_GROUP_NULL; for no communicator pass MPI_GROUP_EMPTY", "")
	}
	d, _, err := c.construct(CallCreate, 0, 0, g)
	return d, err
}

func (op *operation) finishCreate(w *World) {
	distinct, which := op.distinctGroups()
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
			r := op.core.group.rankOf(m)
			if int(which[r]) == i {
				part[r], newRank[r] = int32(len(parts)), int32(rank)
			}
		}
		parts = append(parts, slice{group: g, instance: -1})
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
		g := x.(*Group)
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
	e := &Error{Class: ErrGroup, Call: CallCreate, Comm: op.core.info.ID, Rule: CallCreate.Rule()}
	if w.std < 22 && len(distinct) > 1 {
		e.Text = fmt.Sprintf("MPI-%s wants the same group on all processes (several disjoint groups came with MPI-2.2): %s; %s",
			w.std, op.side(distinct[0], which, 0), op.side(distinct[1], which, 1))
		return e
	}
	for i, g := range distinct {
		for _, m := range g.members {
			r := op.core.group.rankOf(m)
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

// side says who passed a group: "ranks 0-3 pass {0,1,2,3}". Members are world ranks.
func (op *operation) side(g *Group, which []int32, i int32) string {
	var who []int32
	for r, k := range which {
		if k == i {
			who = append(who, op.core.group.members[r])
		}
	}
	verb := "pass"
	if len(who) == 1 {
		verb = "passes"
	}
	return fmt.Sprintf("%s %s %s", RanksOf(who...).Noun(), verb, g.braces())
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
