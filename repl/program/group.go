package program

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// Group is a group as programs see it: a handle, which Free makes GROUP_NULL.
type Group struct {
	plainValue
	r *Rank
	g *engine.Group // nil: GROUP_NULL

	open   *Open
	copies *copies // nil while there is one handle
}

var groupClass = newClass("Group", isA[*Group], rows("Group", map[string]any{
	"size":                     getter(groupSize),
	"rank":                     getter(groupRank),
	"Incl":                     groupIncl,
	"Excl":                     of1((*engine.Group).Excl),
	"Range_incl":               of1((*engine.Group).RangeIncl),
	"Range_excl":               of1((*engine.Group).RangeExcl),
	"Union":                    of1((*engine.Group).Union),
	"Intersection":             of1((*engine.Group).Intersection),
	"Difference":               of1((*engine.Group).Difference),
	"Compare":                  of1((*engine.Group).Compare),
	"Translate_ranks":          groupTranslate,
	"Create_from_session_pset": of1((*engine.Session).Group),
	"Free":                     groupFree,
	"free":                     freeing(groupFree),
	"Dup":                      groupDup,
}))

// String returns "<Group [2, 0]>": the world ranks in rank order.
func (v *Group) String() string {
	switch {
	case v.copies.stale(v):
		return "<Group, freed>"
	case v.g == nil:
		return "<Group MPI_GROUP_NULL>"
	}
	const most = 16
	if n := v.g.Size(); n > most {
		return fmt.Sprintf("<Group of %d processes>", n)
	}
	return "<Group " + listText(v.g.WorldRanks()) + ">"
}

// Type is mpi4py's name of the type.
func (v *Group) Type() string         { return "Group" }
func (v *Group) Truth() starlark.Bool { return v.g != nil }

func (v *Group) Attr(name string) (starlark.Value, error) { return groupClass.attr(v.r, v, name) }
func (v *Group) AttrNames() []string                      { return groupClass.listed(v.r) }

// CompareSameType compares handles: two groups with the same members may differ.
func (v *Group) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, v.g == other.(*Group).g, "groups")
}

func (c *call) onGroup() *engine.Group { return c.self.(*Group).g }

// nullGroup returns the error of a call on GROUP_NULL, for the calls that the engine does not check.
func nullGroup(call engine.Call) error {
	return engine.MistakeGroupNull.In(call)
}

func groupSize(_ *Rank, v starlark.Value) (starlark.Value, error) {
	g := v.(*Group).g
	if g == nil {
		return nil, nullGroup(engine.CallGroupSize)
	}
	return starlark.MakeInt(g.Size()), nil
}

func groupRank(r *Rank, v starlark.Value) (starlark.Value, error) {
	g := v.(*Group).g
	if g == nil || r == nil {
		return nil, nullGroup(engine.CallGroup)
	}
	return starlark.MakeInt(g.Rank(r.P)), nil
}

// groupIncl gives a range to the engine as a range, however many ranks it has; other arguments as a list.
func groupIncl(c *call) (starlark.Value, error) {
	seq, ok := c.args[0].(starlark.Indexable)
	if !ok || c.args[0].Type() != "range" || seq.Len() < 2 {
		return of1((*engine.Group).Incl)(c)
	}
	var ends [3]int
	for i, at := range []int{0, 1, seq.Len() - 1} {
		n, err := asInt(seq.Index(at))
		if err != nil {
			return nil, c.argumentError(0, err, true)
		}
		ends[i] = n
	}
	g, err := c.onGroup().InclRange(engine.RankRange{First: ends[0], Last: ends[2], Stride: ends[1] - ends[0]})
	return ended(c, g, err)
}

// triplets reads a sequence of triplets.
func (c *call) triplets(i int) (list []engine.RankRange, err error) {
	seq, ok := c.args[i].(starlark.Iterable)
	if !ok {
		return nil, c.wrong(i, "a list of triplets (first, last, stride)")
	}
	for v := range starlark.Elements(seq) {
		t, err := triplet(v)
		if err != nil {
			return nil, fmt.Errorf("%s: an element of ranks %w", c.fn.name, err)
		}
		list = append(list, t)
	}
	return list, nil
}

func triplet(v starlark.Value) (t engine.RankRange, err error) {
	seq, ok := v.(starlark.Indexable)
	if _, isText := v.(starlark.String); !ok || isText || seq.Len() != 3 {
		return t, fmt.Errorf("must be a triplet (first, last, stride), not %s", describe(v))
	}
	for i, field := range []*int{&t.First, &t.Last, &t.Stride} {
		if *field, err = asInt(seq.Index(i)); err != nil {
			return t, err
		}
	}
	return t, nil
}

func groupTranslate(c *call) (starlark.Value, error) {
	g := c.onGroup()
	if g == nil {
		return nil, nullGroup(engine.CallGroupTranslate)
	}
	ranks, err := c.ranksOf(g)
	if err != nil {
		return nil, err
	}
	h, err := c.groupOrWorld(1)
	if err != nil {
		return nil, err
	}
	list, err := g.TranslateRanks(ranks, h)
	return ended(c, list, err)
}

// ranksOf returns the ranks of g that the first argument lists, all ranks if it is None.
func (c *call) ranksOf(g *engine.Group) ([]int, error) {
	if c.args[0] != starlark.None {
		return c.integers(0)
	}
	list := make([]int, g.Size())
	for i := range list {
		list[i] = i
	}
	return list, nil
}

// groupOrWorld reads a group; None is the group of the world.
func (c *call) groupOrWorld(i int) (*engine.Group, error) {
	if c.args[i] == starlark.None {
		return c.r.P.World().Group()
	}
	return c.group(i)
}

// groupDup makes a copy by a union with the empty group: MPI has no call that duplicates a group.
func groupDup(c *call) (starlark.Value, error) {
	g, err := c.onGroup().Union(engine.EmptyGroup)
	return ended(c, g, err)
}

func groupFree(c *call) (starlark.Value, error) {
	if c.onGroup() == nil {
		return nil, nullGroup(engine.CallGroupFree)
	}
	v := c.self.(*Group)
	v.open.closed()
	v.copies.ended(v, c.r)
	v.g, v.open = nil, nil
	return starlark.None, nil
}

// GroupOf returns the group that v holds, nil for GROUP_NULL; ok tells whether v is a group.
func GroupOf(v starlark.Value) (g *engine.Group, ok bool) {
	h, ok := v.(*Group)
	if !ok {
		return nil, false
	}
	return h.g, true
}

// newGroup returns a new handle of a group, which the program should free unless the group is predefined.
func (r *Rank) newGroup(g *engine.Group) *Group {
	v := &Group{r: r, g: g}
	if g != engine.EmptyGroup {
		v.open = r.opened("group")
	}
	return v
}
