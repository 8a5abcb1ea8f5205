package engine

import (
	"fmt"
	"slices"
)

// TagUB is the largest tag (the predefined attribute MPI_TAG_UB).
const TagUB = 1<<31 - 1

// CreateGroup makes a communicator of group g (MPI_Comm_create_group, §7.4.2). Only the members of
// g call it; calls with different tags may be under way at the same time. A process that is not in
// g gets nil at once. All members must pass the same members in the same order: else MPI_ERR_GROUP.
func (c *Comm) CreateGroup(g *Group, tag int) (*Comm, error) {
	if err := c.check(CallCreateGroup); err != nil {
		return nil, err
	}
	if g == nil {
		return nil, c.fail(ErrGroup, CallCreateGroup, "the group is MPI_GROUP_NULL; for no communicator pass MPI_GROUP_EMPTY", "")
	}
	if tag < 0 || tag > TagUB {
		return nil, c.fail(ErrTag, CallCreateGroup, fmt.Sprintf("a tag lies between 0 and MPI_TAG_UB (%d), and is no wildcard", TagUB), fmt.Sprintf("tag %d", tag))
	}
	if m, ok := g.outside(c.core.group); ok {
		return nil, c.fail(ErrGroup, CallCreateGroup, fmt.Sprintf("the group must be a subgroup of the communicator's, but world rank %d is not in it", m), "group "+g.braces())
	}
	if !g.has(c.p.rank) {
		return nil, nil // a local call
	}
	c.p.block(post{comm: c, call: CallCreateGroup, a: int32(tag), x: g})
	switch r := c.p.reply.(type) {
	case *operation:
		rank := int32(g.rankOf(c.p.rank))
		h := &r.handles[rank]
		*h = Comm{core: r.made[0], p: c.p, rank: rank}
		if c.ext != nil && c.ext.errhandler != nil {
			h.extras().errhandler = c.ext.errhandler
		}
		return h, nil
	default:
		err := *r.(*Error)
		return nil, c.raise(&err)
	}
}

// groupCall is one MPI_Comm_create_group that not all members have made yet.
type groupCall struct {
	group   *Group
	tag     int32
	waiting []int32 // world ranks, in order of arrival
}

// meetCreateGroup adds a contribution to the call of the same communicator, tag and group.
func (w *World) meetCreateGroup(p *Process) {
	c := &p.current
	k, g := c.comm.core, c.x.(*Group)
	i := k.groupCall(g, c.a)
	if i < 0 {
		i = len(k.partial)
		k.partial = append(k.partial, &groupCall{group: g, tag: c.a})
	}
	gc := k.partial[i]
	gc.waiting = append(gc.waiting, p.rank)
	if len(gc.waiting) == len(g.members) {
		k.partial = slices.Delete(k.partial, i, i+1)
		w.ready = append(w.ready, w.groupOperation(k, gc))
	}
}

// groupCall is the index of the incomplete call with the given arguments, or -1.
func (k *core) groupCall(g *Group, tag int32) int {
	return slices.IndexFunc(k.partial, func(gc *groupCall) bool {
		return gc.tag == tag && (gc.group == g || slices.Equal(gc.group.members, g.members))
	})
}

// groupOperation is the complete call as an operation over the group alone.
func (w *World) groupOperation(k *core, gc *groupCall) *operation {
	n := len(gc.group.members)
	over := &core{info: k.info, group: gc.group, low: lowest(gc.group.members)}
	return &operation{core: over, call: CallCreateGroup, a: filled(n, gc.tag), b: make([]int32, n)}
}

func filled(n int, v int32) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = v
	}
	return s
}

func (op *operation) finishCreateGroup(w *World) {
	w.make(op, []slice{{group: op.core.group, instance: -1}})
	for _, m := range op.members() {
		if op.err != nil {
			w.procs[m].reply = op.err
		} else {
			w.procs[m].reply = op
		}
	}
}

// clashingGroups finds members of one group that wait in MPI_Comm_create_group with the same tag
// but another group than their partner's: that call can never be completed.
func (w *World) clashingGroups() *Error {
	seen := map[*core]bool{}
	for i := range w.procs {
		p := &w.procs[i]
		if p.state != blocked || p.current.call != CallCreateGroup {
			continue
		}
		k := p.current.comm.core
		if seen[k] {
			continue
		}
		seen[k] = true
		for i, a := range k.partial {
			for _, b := range k.partial[i+1:] {
				if p, q := a.partner(b), b.partner(a); a.tag == b.tag && p >= 0 && q >= 0 {
					return w.groupClash(k, min(p, q), max(p, q))
				}
			}
		}
	}
	return nil
}

// partner is the lowest rank that waits in the call and is in the other call's group, or -1.
func (gc *groupCall) partner(other *groupCall) int32 {
	found := int32(-1)
	for _, r := range gc.waiting {
		if (found < 0 || r < found) && other.group.has(r) {
			found = r
		}
	}
	return found
}

func (w *World) groupClash(k *core, p, q int32) *Error {
	passed := func(r int32) string {
		return fmt.Sprintf("rank %d passes %s", r, w.procs[r].current.x.(*Group).braces())
	}
	return &Error{Class: ErrGroup, Call: CallCreateGroup, Comm: k.info.ID, Rule: CallCreateGroup.Rule(),
		Ranks: RanksOf(p, q), Where: joinPlaces(w.places([]int32{p, q})),
		Text: "all members of a group must pass that group, the same members in the same order: " +
			passed(p) + "; " + passed(q)}
}
