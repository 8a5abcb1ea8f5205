package engine

import "fmt"

// TagUB is the largest tag (the predefined attribute MPI_TAG_UB).
const TagUB = 1<<31 - 1

// CreateGroup makes a communicator of group g (MPI_Comm_create_group, §7.4.2). Only the members of
// g call it; calls with different tags may be under way at the same time. A process that is not in
// g gets nil at once. All members must pass the same members in the same order: else MPI_ERR_GROUP.
func (c *Comm) CreateGroup(g *Group, tag int) (*Comm, error) {
	if err := c.needIntra(CallCreateGroup); err != nil {
		return nil, err
	}
	if g == nil {
		return nil, c.fail(ErrGroup, CallCreateGroup, nullGroup, "")
	}
	if err := c.checkTag(CallCreateGroup, tag); err != nil {
		return nil, err
	}
	if err := c.checkSession(CallCreateGroup, g); err != nil {
		return nil, err
	}
	if m, ok := g.outside(c.core.group); ok {
		return nil, c.fail(ErrGroup, CallCreateGroup, fmt.Sprintf("the group must be a subgroup of the communicator's, but world rank %d is not in it", m), "group "+g.braces())
	}
	if !g.has(c.p.rank) {
		c.p.returnNull(CallCreateGroup, c, g)
		return nil, nil // a local call
	}
	op, failed := c.p.meetOver(post{comm: c, call: CallCreateGroup, a: int32(tag), x: g})
	if failed != nil {
		return nil, c.raise(failed)
	}
	h := op.madeOver(c.p)
	if c.ext != nil && c.ext.errhandler != nil {
		h.extras().errhandler = c.ext.errhandler
	}
	return h, nil
}
