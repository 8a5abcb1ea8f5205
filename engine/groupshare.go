package engine

import (
	"fmt"
	"slices"
	"sync"
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

// ranged is groups that processes made of one group by a range, the newest last.
type ranged struct {
	mu   sync.Mutex
	list []rangedGroup
}

type rangedGroup struct {
	by RankRange
	g  *Group
}

// InclRange is Incl of the ranks first, first+stride, ..., last. Processes that name the same range of the
// same group share the result: in a large world each would make a list as long as the world otherwise.
func (g *Group) InclRange(t RankRange) (*Group, error) {
	if g == nil {
		return nil, g.fail(CallGroupIncl, ErrGroup, "the group is MPI_GROUP_NULL")
	}
	memory := &g.base().ranges
	memory.mu.Lock()
	defer memory.mu.Unlock()
	for _, known := range memory.list {
		if known.by == t && known.g != EmptyGroup {
			return known.g.of(g.session), nil
		}
	}
	var ranks []int
	for r := t.First; t.Stride > 0 && r <= t.Last || t.Stride < 0 && r >= t.Last; r += t.Stride {
		ranks = append(ranks, r)
		if r < 0 || r >= g.Size() {
			break // which is the error
		}
	}
	made, err := g.incl(CallGroupIncl, ranks)
	if err != nil {
		return nil, err
	}
	if len(memory.list) == rangeMemory {
		memory.list = slices.Delete(memory.list, 0, 1)
	}
	memory.list = append(memory.list, rangedGroup{t, made.base()})
	return made, nil
}
