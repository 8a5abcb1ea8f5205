package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Group is an ordered set of processes (§7.2.1): the position of a process is its rank. Groups are immutable, and
// processes may share them; nil is MPI_GROUP_NULL. Ranks in errors are ranks in the group.
type Group struct {
	members []int32 // world ranks in rank order
	once    sync.Once
	byWorld []int32 // ranks in the group, sorted by world rank; nil when members is sorted

	within atomic.Pointer[Group] // a group that is known to hold all members
	ranges ranged                // groups that processes made of this group with InclRange

	session *Session // the session from which the group derives; nil: the World Model
	shared  *Group   // see base; nil: this group itself
}

// EmptyGroup is MPI_GROUP_EMPTY.
var EmptyGroup = &Group{}

// Size returns the number of processes (MPI_Group_size, §7.3.1); 0 for nil.
func (g *Group) Size() int {
	if g == nil {
		return 0
	}
	return len(g.members)
}

// WorldRanks lists the members' world ranks in rank order. The slice must not be modified.
func (g *Group) WorldRanks() []int32 {
	if g == nil {
		return nil
	}
	return g.members
}

// Rank returns the rank of p in g, or Undefined when g is nil or does not have p (MPI_Group_rank, §7.3.1).
func (g *Group) Rank(p *Process) int {
	if g == nil {
		return Undefined
	}
	return g.rankOf(p.rank)
}

// rankOf returns the rank in g of a world rank, or Undefined. It searches an index, which the first call builds.
func (g *Group) rankOf(world int32) int {
	g = g.base()
	g.once.Do(func() {
		if !slices.IsSorted(g.members) {
			g.byWorld = make([]int32, len(g.members))
			for i := range g.byWorld {
				g.byWorld[i] = int32(i)
			}
			slices.SortFunc(g.byWorld, func(a, b int32) int { return cmp.Compare(g.members[a], g.members[b]) })
		}
	})
	if g.byWorld == nil {
		if i, ok := slices.BinarySearch(g.members, world); ok {
			return i
		}
		return Undefined
	}
	i, ok := slices.BinarySearchFunc(g.byWorld, world, func(r, world int32) int { return cmp.Compare(g.members[r], world) })
	if !ok {
		return Undefined
	}
	return int(g.byWorld[i])
}

func (g *Group) has(world int32) bool { return g.rankOf(world) != Undefined }

// outside returns a member of g that is not in h; ok is false when there is none. g remembers that h holds all its
// members, so that processes that share g compare them only once.
func (g *Group) outside(h *Group) (world int32, ok bool) {
	g, h = g.base(), h.base()
	if g == h || g.within.Load() == h {
		return 0, false
	}
	for _, m := range g.members {
		if !h.has(m) {
			return m, true
		}
	}
	g.within.Store(h)
	return 0, false
}

// fail raises an error of a call on g at the error handler of the session from which g derives (§9.3). Without a
// session no process raises the error, and fail only returns it.
func (g *Group) fail(e *Error) error {
	if g == nil || g.session == nil {
		return e
	}
	return g.session.raise(e)
}

// Check returns an error of a call on g when g is nil, or when the session from which g derives was finalized: then no
// call may be made on g any more, not even to free it (§11.3.1).
func (g *Group) Check(call Call) error {
	switch {
	case g == nil:
		return MistakeGroupNull.In(call)
	case g.session.ended():
		return g.fail(MistakeGroupFinalized.In(call, g.session.number).under(CallSessionFinalize))
	}
	return nil
}

// pick checks that ranks are ranks of g, each named once, and returns them as a set.
func (g *Group) pick(call Call, ranks []int) (seen marks, err error) {
	if err := g.Check(call); err != nil {
		return seen, err
	}
	seen = newMarks(len(ranks), len(g.members))
	for _, r := range ranks {
		if r < 0 || r >= len(g.members) {
			e := MistakeGroupRank.In(call, r, len(g.members)-1)
			if len(g.members) == 0 {
				e = e.saying("rank %d is not in the group, which is empty", r)
			}
			return seen, g.fail(e)
		}
		if seen.mark(r) {
			return seen, g.fail(MistakeRankTwice.In(call, r))
		}
	}
	return seen, nil
}

// Incl returns the group of the named ranks of g, in the order named (MPI_Group_incl, §7.3.2). A rank that is out of
// range or named twice: MPI_ERR_RANK.
func (g *Group) Incl(ranks []int) (*Group, error) { return g.incl(CallGroupIncl, ranks) }

func (g *Group) incl(call Call, ranks []int) (*Group, error) {
	if _, err := g.pick(call, ranks); err != nil {
		return nil, err
	}
	members := make([]int32, len(ranks))
	for i, r := range ranks {
		members[i] = g.members[r]
	}
	return derived(members, g.session), nil
}

// Excl returns g without the named ranks, in the order of g (MPI_Group_excl, §7.3.2).
func (g *Group) Excl(ranks []int) (*Group, error) { return g.excl(CallGroupExcl, ranks) }

func (g *Group) excl(call Call, ranks []int) (*Group, error) {
	out, err := g.pick(call, ranks)
	if err != nil {
		return nil, err
	}
	i := -1
	return g.filter(func(int32) bool { i++; return !out.has(i) }), nil
}

// filter returns the group of the members for which keep, called in rank order, returns true.
func (g *Group) filter(keep func(world int32) bool) *Group {
	var members []int32
	for _, m := range g.members {
		if keep(m) {
			members = append(members, m)
		}
	}
	return derived(members, g.session)
}

// Union returns all members of g, then the members of h that are not in g, in the order of h (§7.3.2).
func (g *Group) Union(h *Group) (*Group, error) {
	if err := operands(CallGroupUnion, g, h); err != nil {
		return nil, err
	}
	rest := h.filter(func(m int32) bool { return !g.has(m) })
	if rest.Size() == 0 {
		return g, nil
	}
	return derived(slices.Concat(g.members, rest.members), cmp.Or(g.session, h.session)), nil
}

// Intersection returns the members of g that are also in h, in the order of g (§7.3.2).
func (g *Group) Intersection(h *Group) (*Group, error) {
	if err := operands(CallGroupIntersection, g, h); err != nil {
		return nil, err
	}
	return g.filter(h.has), nil
}

// Difference returns the members of g that are not in h, in the order of g (§7.3.2).
func (g *Group) Difference(h *Group) (*Group, error) {
	if err := operands(CallGroupDifference, g, h); err != nil {
		return nil, err
	}
	return g.filter(func(m int32) bool { return !h.has(m) }), nil
}

// TranslateRanks returns, for each named rank of g, the rank in h of the same process, or Undefined
// (MPI_Group_translate_ranks, §7.3.1).
func (g *Group) TranslateRanks(ranks []int, h *Group) ([]int, error) {
	if err := inquiry(CallGroupTranslate, g, h); err != nil {
		return nil, err
	}
	out := make([]int, len(ranks))
	for i, r := range ranks {
		if r == ProcNull {
			out[i] = ProcNull
			continue
		}
		if r < 0 || r >= len(g.members) {
			return nil, g.fail(MistakeGroupRank.In(CallGroupTranslate).saying("rank %d is not in the first group, which has %d ranks", r, len(g.members)))
		}
		out[i] = h.rankOf(g.members[r])
	}
	return out, nil
}

// RankRange is a triplet (first, last, stride) of MPI_Group_range_incl.
type RankRange struct{ First, Last, Stride int }

// ranks lists first, first+stride, ..., never beyond last. It stops at a rank that a group of this size does not have.
func (t RankRange) ranks(size int) (list []int) {
	for r := t.First; t.Stride > 0 && r <= t.Last || t.Stride < 0 && r >= t.Last; r += t.Stride {
		if list = append(list, r); r < 0 || r >= size {
			break
		}
	}
	return list
}

// expand lists the ranks of the triplets. A stride of 0: MPI_ERR_ARG.
func (g *Group) expand(call Call, ranges []RankRange) ([]int, error) {
	var ranks []int
	for _, t := range ranges {
		if t.Stride == 0 {
			return nil, g.fail(MistakeRangeStride.In(call, t.First, t.Last))
		}
		ranks = append(ranks, t.ranks(len(g.members))...)
		if err := g.bounds(call, t); err != nil {
			return nil, err
		}
	}
	return ranks, nil
}

// bounds checks that every rank that the triplet computes is a rank of g.
func (g *Group) bounds(call Call, t RankRange) error {
	if (t.Stride > 0) != (t.Last >= t.First) && t.Last != t.First {
		return g.fail(MistakeRangeEmpty.In(call, t.First, t.Last, t.Stride))
	}
	steps := (t.Last - t.First) / t.Stride
	for _, r := range []int{t.First, t.First + steps*t.Stride} {
		if r < 0 || r >= g.Size() {
			return g.fail(MistakeGroupRank.In(call).saying("rank %d of the range (%d, %d, %d) is not in the group, which has %d ranks", r, t.First, t.Last, t.Stride, g.Size()))
		}
	}
	return nil
}

// RangeIncl returns the group of the ranks of g that the triplets compute (MPI_Group_range_incl, §7.3.2).
func (g *Group) RangeIncl(ranges []RankRange) (*Group, error) {
	return g.ofRanges(CallGroupRangeIncl, ranges, g.incl)
}

// RangeExcl returns g without the ranks that the triplets compute (MPI_Group_range_excl, §7.3.2).
func (g *Group) RangeExcl(ranges []RankRange) (*Group, error) {
	return g.ofRanges(CallGroupRangeExcl, ranges, g.excl)
}

func (g *Group) ofRanges(call Call, ranges []RankRange, of func(Call, []int) (*Group, error)) (*Group, error) {
	if err := g.Check(call); err != nil {
		return nil, err
	}
	ranks, err := g.expand(call, ranges)
	if err != nil {
		return nil, err
	}
	return of(call, ranks)
}

// When each member of a communicator asks for its group, the groups differ only in the session of the member. Such
// groups share what the engine finds out about the members.

// base returns the group of the same members that keeps, for all such groups, what the engine finds out about the
// members. It belongs to no session.
func (g *Group) base() *Group {
	if g.shared != nil {
		return g.shared
	}
	return g
}

// of returns g as a group that derives from session s, which may be nil.
func (g *Group) of(s *Session) *Group {
	if s == nil {
		return g
	}
	return &Group{members: g.members, session: s, shared: g.base()}
}

// derived returns a group with these members that derives from session s, which may be nil.
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

// operands checks the two groups of a call that makes a group of them. Objects that derive from different sessions, or
// from a session and the World Model, must not be mixed in one procedure call (§11.3); MPI_GROUP_EMPTY derives from
// neither.
func operands(call Call, g, h *Group) error {
	if err := inquiry(call, g, h); err != nil {
		return err
	}
	if g.session != h.session && g.Size() > 0 && h.Size() > 0 {
		return g.mixed(call, h)
	}
	return nil
}

// inquiry checks the two groups of a call that only compares them. Such a call may mix a session with the World Model:
// that harms nobody.
func inquiry(call Call, g, h *Group) error {
	if g == nil || h == nil {
		return g.fail(MistakeGroupNull.In(call).saying("a group is MPI_GROUP_NULL"))
	}
	for _, of := range []*Group{g, h} {
		if err := of.Check(call); err != nil {
			return err
		}
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
	return owner.fail(MistakeSessionsMixed.In(call, g.braces(), g.session.origin(), h.braces(), h.session.origin()))
}

// origin names the session, "session 2"; for nil, "the World Model".
func (s *Session) origin() string {
	if s == nil {
		return "the World Model"
	}
	return fmt.Sprintf("session %d", s.number)
}

// derivation tells, for each process of a communicator, from which session the communicator derives there. group has
// the processes of the first communicator of the line, which was made from groups.
type derivation struct {
	group    *Group
	sessions []*Session // by rank in group
}

// of returns the session of process p; nil when p has none, and when d is nil.
func (d *derivation) of(p *Process) *Session {
	if d == nil {
		return nil
	}
	if r := d.group.rankOf(p.rank); r != Undefined {
		return d.sessions[r]
	}
	return nil
}

// checkSession raises an error when group g derives from another session than the communicator.
func (c *Comm) checkSession(call Call, g *Group) error {
	mine := c.session()
	if g.session == mine || g.Size() == 0 {
		return nil
	}
	return c.fail(MistakeSessionsMixed.In(call, "the communicator", mine.origin(), "the group", g.session.origin()))
}

// rangeMemory is how many groups made by ranges a group remembers.
const rangeMemory = 4

// ranged remembers groups that processes made of a group by a range, the newest last. It is read without a lock, since
// in a large world all processes come at once.
type ranged struct {
	mu   sync.Mutex // of writers
	list atomic.Pointer[[]rangedGroup]
}

type rangedGroup struct {
	by RankRange
	g  *Group
}

// find returns the group that a range made before; nil when none is remembered.
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

// keep remembers a group, and forgets the oldest one beyond rangeMemory.
func (r *ranged) keep(by RankRange, g *Group) {
	var list []rangedGroup
	if old := r.list.Load(); old != nil {
		list = (*old)[max(0, len(*old)-rangeMemory+1):]
	}
	list = append(slices.Clone(list), rangedGroup{by, g})
	r.list.Store(&list)
}

// InclRange returns the group of the ranks first, first+stride, ..., last of g. Processes that name the same range of
// the same group share the result: else each process of a large world would make a list as long as the world.
func (g *Group) InclRange(by RankRange) (*Group, error) {
	if err := g.Check(CallGroupIncl); err != nil {
		return nil, err
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
	made, err := g.incl(CallGroupIncl, by.ranks(len(g.members)))
	if err == nil && made.Size() > 0 {
		memory.keep(by, made.base())
	}
	return made, err
}
