package engine

import (
	"math"
	"slices"
)

// slice is one communicator that an operation makes.
type slice struct {
	group    *Group
	remote   *Group // the right group of an intercommunicator
	resource string
	instance int32
	pset     string
}

// alone is a communicator that no hardware resource stands for.
func alone(g *Group) slice { return slice{group: g, instance: -1} }

// between is an intercommunicator of two groups; without a right one, an intracommunicator.
func between(left, right *Group) slice { return slice{group: left, remote: right, instance: -1} }

// construct makes a collective call that gives each process a new communicator or COMM_NULL.
func (c *Comm) construct(call Call, a, b int32, x any) (*Comm, *operation, error) {
	op, err := c.call(call, a, b, x)
	if err != nil {
		return nil, nil, err
	}
	return c.take(op), op, nil
}

// take is the process' handle of what an operation on c made; nil for COMM_NULL. It inherits the
// error handler of c, and nothing else (§7.4.2, §9.3).
func (c *Comm) take(op *operation) *Comm {
	slot := c.slot()
	part := op.part[slot]
	if part < 0 {
		c.p.origin = op.origin
		return nil
	}
	h := &op.handles[slot]
	*h = Comm{core: op.made[part], p: c.p, rank: op.newRank[slot]}
	h.right = h.core.remote != nil && (c.right || op.right)
	if c.ext != nil && c.ext.errhandler != nil {
		h.extras().errhandler = c.ext.errhandler
	}
	return h
}

// make turns the parts of an operation into communicators: one context id for all of them, since
// they are disjoint, and ids in order. Intercommunicators take a second one for their right groups.
func (w *World) make(op *operation, parts []slice) {
	if len(parts) == 0 {
		return
	}
	lefts, rights := groupsOf(parts)
	left, right := 0, 0
	if left, op.err = w.agreeOnContext(op, lefts); op.err != nil {
		return
	}
	if rights != nil {
		if right, op.err = w.agreeOnContext(op, rights); op.err != nil {
			for _, g := range lefts {
				w.contexts.free(g.members, left)
			}
			return
		}
	}
	cores := make([]core, len(parts))
	infos := make([]CommInfo, len(parts))
	op.made = make([]*core, len(parts))
	if !op.call.nonblocking() { // whose handles are there before
		op.handles = make([]Comm, len(op.a))
	}
	for i, p := range parts {
		k := &cores[i]
		infos[i] = CommInfo{ID: w.nextID, Context: left, Context2: right, Op: op.call, Parent: op.core.info.ID,
			Group: p.group.members, Resource: p.resource, Instance: int(p.instance), Pset: p.pset, Step: len(w.steps) + 1}
		k.info, k.group = &infos[i], p.group.base()
		k.all, k.surroundings, k.sessions = p.group.members, op.surroundings(), op.core.sessions
		if p.remote != nil {
			k.all = slices.Concat(p.group.members, p.remote.members)
			k.remote, infos[i].Remote = p.remote.base(), p.remote.members
		}
		k.low = lowest(k.all)
		op.made[i] = k
		w.nextID++
	}
}

// groupsOf separates the left and the right groups of the parts of one operation, which are all
// intercommunicators or all not.
func groupsOf(parts []slice) (lefts, rights []*Group) {
	for _, p := range parts {
		lefts = append(lefts, p.group)
		if p.remote != nil {
			rights = append(rights, p.remote)
		}
	}
	return lefts, rights
}

func lowest(ranks []int32) int32 {
	low := int32(math.MaxInt32)
	for _, r := range ranks {
		low = min(low, r)
	}
	return low
}
