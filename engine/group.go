package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Group is an ordered set of processes (§7.2.1): position is rank. Groups are immutable and may be
// shared by processes; nil is MPI_GROUP_NULL. Ranks in errors are ranks in the group.
type Group struct {
	members []int32 // world ranks in rank order
	once    sync.Once
	byWorld []int32 // ranks in the group, sorted by world rank; nil when members ascends

	within atomic.Pointer[Group] // a group that is known to hold all members
	ranges ranged                // what processes made of it by a range

	session *Session // that the group derives from; nil: the World Model
	shared  *Group   // of the same members, which keeps what is found out about them; nil: this one
}

// EmptyGroup is MPI_GROUP_EMPTY.
var EmptyGroup = &Group{}

// Size is the number of processes (MPI_Group_size, §7.3.1); 0 for nil.
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

// Rank is the rank of p in g, or Undefined (MPI_Group_rank, §7.3.1); Undefined for nil.
func (g *Group) Rank(p *Process) int {
	if g == nil {
		return Undefined
	}
	return g.rankOf(p.rank)
}

// rankOf finds a world rank in O(1) or O(log n). The index is built when first asked for.
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

// outside finds a member of g that is not in h. Processes that share g look at its members once.
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

// fail is an error of a call on g. It goes to the error handler of the session that g derives from
// (§9.3); without one, nobody has raised it yet.
func (g *Group) fail(call Call, class Class, format string, args ...any) error {
	e := &Error{Class: class, Call: call, Comm: -1, Text: fmt.Sprintf(format, args...), Rule: call.Rule()}
	if g == nil || g.session == nil {
		return e
	}
	return g.session.raise(e)
}

// pick checks a list of ranks of g: in range, and none twice.
func (g *Group) pick(call Call, ranks []int) error {
	if g == nil {
		return g.fail(call, ErrGroup, "the group is MPI_GROUP_NULL")
	}
	seen := newMarks(len(ranks), len(g.members))
	for _, r := range ranks {
		if r < 0 || r >= len(g.members) {
			if len(g.members) == 0 {
				return g.fail(call, ErrRank, "rank %d is not in the group, which is empty", r)
			}
			return g.fail(call, ErrRank, "rank %d is not in the group, which has ranks 0-%d", r, len(g.members)-1)
		}
		if seen.mark(r) {
			return g.fail(call, ErrRank, "rank %d is named twice: the ranks must be distinct", r)
		}
	}
	return nil
}

// Incl is the group of the named ranks of g, in the order named (MPI_Group_incl, §7.3.2). A rank
// out of range or named twice: MPI_ERR_RANK.
func (g *Group) Incl(ranks []int) (*Group, error) { return g.incl(CallGroupIncl, ranks) }

func (g *Group) incl(call Call, ranks []int) (*Group, error) {
	if err := g.pick(call, ranks); err != nil {
		return nil, err
	}
	members := make([]int32, len(ranks))
	for i, r := range ranks {
		members[i] = g.members[r]
	}
	return derived(members, g.session), nil
}

// Excl is g without the named ranks, in the order of g (MPI_Group_excl, §7.3.2).
func (g *Group) Excl(ranks []int) (*Group, error) { return g.excl(CallGroupExcl, ranks) }

func (g *Group) excl(call Call, ranks []int) (*Group, error) {
	if err := g.pick(call, ranks); err != nil {
		return nil, err
	}
	out := newMarks(len(ranks), len(g.members))
	for _, r := range ranks {
		out.mark(r)
	}
	i := -1
	return g.filter(func(int32) bool { i++; return !out.has(i) }), nil
}

// filter keeps the members for which keep, called in rank order, says so.
func (g *Group) filter(keep func(world int32) bool) *Group {
	var members []int32
	for _, m := range g.members {
		if keep(m) {
			members = append(members, m)
		}
	}
	return derived(members, g.session)
}

// Union is all of g, then those of h that are not in g, in the order of h (§7.3.2).
func (g *Group) Union(h *Group) (*Group, error) {
	if err := operands(CallGroupUnion, g, h); err != nil {
		return nil, err
	}
	rest := h.filter(func(m int32) bool { return !g.has(m) })
	if rest.Size() == 0 {
		return g, nil
	}
	return derived(slices.Concat(g.members, rest.members), sessionOf(g, h)), nil
}

// Intersection is the members of g that are also in h, in the order of g (§7.3.2).
func (g *Group) Intersection(h *Group) (*Group, error) {
	if err := operands(CallGroupIntersection, g, h); err != nil {
		return nil, err
	}
	return g.filter(h.has), nil
}

// Difference is the members of g that are not in h, in the order of g (§7.3.2).
func (g *Group) Difference(h *Group) (*Group, error) {
	if err := operands(CallGroupDifference, g, h); err != nil {
		return nil, err
	}
	return g.filter(func(m int32) bool { return !h.has(m) }), nil
}

// TranslateRanks gives, for each rank of g named, the rank in h of the same process, or Undefined
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
			return nil, g.fail(CallGroupTranslate, ErrRank, "rank %d is not in the first group, which has %d ranks", r, len(g.members))
		}
		out[i] = h.rankOf(g.members[r])
	}
	return out, nil
}
