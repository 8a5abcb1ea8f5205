package engine

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Groups of different handles may be one set of processes: those that the members of a
// communicator get from it differ only in the session of each member. They share what is found out
// about the members.

// base is the group of the same members that belongs to no session.
func (g *Group) base() *Group {
	if g.shared != nil {
		return g.shared
	}
	return g
}

// of is g as a group that derives from session s, which may be nil.
func (g *Group) of(s *Session) *Group {
	if s == nil {
		return g
	}
	return &Group{members: g.members, session: s, shared: g.base()}
}

// derived is a group made from others, of session s.
func derived(members []int32, s *Session) *Group {
	if len(members) == 0 {
		return EmptyGroup
	}
	return (&Group{members: members}).of(s)
}

// same reports whether two groups have the same members in the same order.
func (g *Group) same(h *Group) bool {
	return g.base() == h.base() || slices.Equal(g.members, h.members)
}

// sessionOf is the session that what is made of both groups derives from.
func sessionOf(g, h *Group) *Session {
	if g.session != nil {
		return g.session
	}
	return h.session
}

// operands checks the groups of an operation that makes a group. Objects that derive from different
// sessions, or from a session and the World Model, shall not be intermixed in one procedure call
// (§11.3); MPI_GROUP_EMPTY belongs to neither.
func operands(call Call, g, h *Group) error {
	if err := inquiry(call, g, h); err != nil {
		return err
	}
	if g.session != h.session && g.Size() > 0 && h.Size() > 0 {
		return g.mixed(call, h)
	}
	return nil
}

// inquiry checks the groups of a call that only compares them. Here a group of a session may stand
// beside one of the World Model: to find out who is who harms nobody.
func inquiry(call Call, g, h *Group) error {
	if g == nil || h == nil {
		return g.fail(call, ErrGroup, "a group is MPI_GROUP_NULL")
	}
	if g.session != nil && h.session != nil && g.session != h.session {
		return g.mixed(call, h)
	}
	return nil
}

func (g *Group) mixed(call Call, h *Group) error {
	owner := g
	if g.session == nil {
		owner = h
	}
	return owner.fail(call, ErrSession, "objects of different sessions, or of a session and the World Model, must not be mixed in one call [§11.3]: %s derives from %s, %s from %s",
		g.braces(), g.session.origin(), h.braces(), h.session.origin())
}

// origin names what objects derive from: "session 2", "the World Model".
func (s *Session) origin() string {
	if s == nil {
		return "the World Model"
	}
	return fmt.Sprintf("session %d", s.number)
}

// derivation tells from which session a communicator derives in each process: the processes that
// made the first communicator of its line from a group, and the session of each one's group.
type derivation struct {
	group    *Group
	sessions []*Session // by rank in group
}

// of is the session of process p; nil when p has none, or when d is nil.
func (d *derivation) of(p *Process) *Session {
	if d == nil {
		return nil
	}
	if r := d.group.rankOf(p.rank); r != Undefined {
		return d.sessions[r]
	}
	return nil
}

// checkSession holds the session that a group derives from against that of the communicator.
func (c *Comm) checkSession(call Call, g *Group) error {
	mine := c.core.sessions.of(c.p)
	if g.session == mine || g.Size() == 0 {
		return nil
	}
	return c.fail(ErrSession, call, fmt.Sprintf("objects of different sessions, or of a session and the World Model, must not be mixed in one call [§11.3]: the communicator derives from %s, the group from %s",
		mine.origin(), g.session.origin()), "")
}

// rangeMemory is how many of the groups that ranges name a group remembers.
const rangeMemory = 4

// ranged is groups that processes made of one group by a range, the newest last. It is read without waiting:
// in a large world all processes come at once.
type ranged struct {
	mu   sync.Mutex // of writers
	list atomic.Pointer[[]rangedGroup]
}

type rangedGroup struct {
	by RankRange
	g  *Group
}

// find is the group that a range made before; nil when none is remembered.
func (r *ranged) find(by RankRange) *Group {
	if list := r.list.Load(); list != nil {
		for i := range *list {
			if (*list)[i].by == by {
				return (*list)[i].g
			}
		}
	}
	return nil
}

// keep remembers a group, and forgets the oldest where there are many.
func (r *ranged) keep(by RankRange, g *Group) {
	var list []rangedGroup
	if old := r.list.Load(); old != nil {
		list = (*old)[max(0, len(*old)-rangeMemory+1):]
	}
	list = append(slices.Clone(list), rangedGroup{by, g})
	r.list.Store(&list)
}

// InclRange is Incl of the ranks first, first+stride, ..., last. Processes that name the same range of the
// same group share the result: in a large world each would make a list as long as the world otherwise.
func (g *Group) InclRange(by RankRange) (*Group, error) {
	if g == nil {
		return nil, g.fail(CallGroupIncl, ErrGroup, "the group is MPI_GROUP_NULL")
	}
	memory := &g.base().ranges
	if known := memory.find(by); known != nil {
		return known.of(g.session), nil
	}
	memory.mu.Lock()
	defer memory.mu.Unlock()
	if known := memory.find(by); known != nil {
		return known.of(g.session), nil
	}
	made, err := g.inclRange(by)
	if err == nil && made.Size() > 0 {
		memory.keep(by, made.base())
	}
	return made, err
}

func (g *Group) inclRange(by RankRange) (*Group, error) {
	var ranks []int
	for r := by.First; by.Stride > 0 && r <= by.Last || by.Stride < 0 && r >= by.Last; r += by.Stride {
		ranks = append(ranks, r)
		if r < 0 || r >= g.Size() {
			break // which is the error
		}
	}
	return g.incl(CallGroupIncl, ranks)
}
