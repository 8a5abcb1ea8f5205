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
	"size":                     gives(groupSize),
	"rank":                     gives((*Group).rank),
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
	"Free":                     do0((*Group).free),
	"free":                     freeing(do0((*Group).free)),
	"Dup":                      of0(groupDup),
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

// Type returns mpi4py's name of the type.
func (v *Group) Type() string         { return "Group" }
func (v *Group) Truth() starlark.Bool { return v.g != nil }

func (v *Group) Attr(name string) (starlark.Value, error) { return groupClass.attr(v.r, v, name) }
func (v *Group) AttrNames() []string                      { return groupClass.listed(v.r) }

// CompareSameType compares handles: two groups with the same members may differ.
func (v *Group) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, v.g == other.(*Group).g, "groups")
}

func (c *call) onGroup() *engine.Group { return c.self.(*Group).g }

func groupSize(g *engine.Group) (int, error) {
	if g == nil {
		return 0, engine.MistakeGroupNull.In(engine.CallGroupSize)
	}
	return g.Size(), nil
}

func (v *Group) rank() (int, error) {
	if v.g == nil || v.r == nil {
		return 0, engine.MistakeGroupNull.In(engine.CallGroup)
	}
	return v.g.Rank(v.r.P), nil
}

// groupIncl passes a range to the engine as a range, however many ranks it has, and other arguments as a list.
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

// triplet converts a list of three integers.
func triplet(v starlark.Value) (t engine.RankRange, err error) {
	seq, ok := v.(starlark.Indexable)
	if _, isText := v.(starlark.String); !ok || isText || seq.Len() != 3 {
		return t, &ArgumentError{Must: "be a triplet (first, last, stride)", Value: v}
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
		return nil, engine.MistakeGroupNull.In(engine.CallGroupTranslate)
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

// ranksOf reads the first argument as ranks of g; None stands for all ranks.
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
func groupDup(g *engine.Group) (*engine.Group, error) { return g.Union(engine.EmptyGroup) }

func (v *Group) free() error {
	if v.g == nil {
		return engine.MistakeGroupNull.In(engine.CallGroupFree)
	}
	v.open.closed()
	v.copies.ended(v, v.r)
	v.g, v.open = nil, nil
	return nil
}

// GroupOf returns the group that v holds, nil for GROUP_NULL; ok tells whether v is a group.
func GroupOf(v starlark.Value) (g *engine.Group, ok bool) {
	g, ok = objectOf(v).(*engine.Group)
	return g, ok
}

// newGroup returns a new handle of a group, which the program should free unless the group is predefined.
func (r *Rank) newGroup(g *engine.Group) *Group {
	v := &Group{r: r, g: g}
	if g != engine.EmptyGroup {
		v.open = r.opened("group")
	}
	return v
}

// Session is an MPI session as programs see it: a handle, which Finalize makes SESSION_NULL.
type Session struct {
	plainValue
	r *Rank
	s *engine.Session // nil: SESSION_NULL

	open *Open
}

var sessionClass = newClass("Session", isA[*Session], rows("Session", map[string]any{
	"Init":              of2((*engine.Process).SessionInit),
	"Finalize":          do0((*Session).finalize),
	"free":              freeing(do0((*Session).finalize)),
	"Get_num_psets":     of1(func(s *engine.Session, _ noHints) (int, error) { return s.NumPsets() }),
	"Get_nth_pset":      of2(func(s *engine.Session, n int, _ noHints) (string, error) { return s.NthPset(n) }),
	"Get_pset_info":     of1((*engine.Session).PsetInfo),
	"Get_info":          of0((*engine.Session).Info),
	"Create_errhandler": createSessionErrhandler,
	"Set_errhandler":    do1((*engine.Session).SetErrhandler),
	"Get_errhandler":    of0((*engine.Session).Errhandler),
	"Call_errhandler":   callErrhandler[*engine.Session],
	"Create_group":      of1((*engine.Session).Group),
}))

// String returns "<Session>", or "<Session MPI_SESSION_NULL>".
func (v *Session) String() string {
	if v.s.IsNull() {
		return "<Session MPI_SESSION_NULL>"
	}
	return "<Session>"
}

// Type returns mpi4py's name of the type.
func (v *Session) Type() string         { return "Session" }
func (v *Session) Truth() starlark.Bool { return starlark.Bool(!v.s.IsNull()) }

func (v *Session) Attr(name string) (starlark.Value, error) { return sessionClass.attr(v.r, v, name) }
func (v *Session) AttrNames() []string                      { return sessionClass.listed(v.r) }

// CompareSameType compares handles.
func (v *Session) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	w := other.(*Session)
	return sameHandle(op, v.s == w.s || v.s.IsNull() && w.s.IsNull(), "sessions")
}

// noHints is the info object of a call that has no hints: it may hold any pairs, but must not be freed.
type noHints struct{}

func (c *call) noHints(i int) error {
	info, err := c.info(i)
	if err != nil || info == nil || !info.IsNull() {
		return err
	}
	return engine.MistakeInfoFreed.In(c.fn.call)
}

func (v *Session) finalize() error {
	err := v.s.Finalize()
	if err == nil {
		v.open.closed()
		v.r.wary = true
	}
	return err
}

// getSubdomainNames accepts both variants of the proposal: (comm, info) and (info).
func getSubdomainNames(c *call) (starlark.Value, error) {
	if info, ok := c.args[0].(*Info); ok && c.args[1] == starlark.None {
		n, err := c.r.P.HWSubdomainNames(info.info)
		return ended(c, n, err)
	}
	comm, err := c.comm(0)
	if err != nil {
		return nil, fmt.Errorf("%w; %s takes (comm, info) or (info)", err, c.fn.name)
	}
	info, err := c.info(1)
	if err != nil {
		return nil, err
	}
	n, err := comm.HWSubdomainNames(info)
	return ended(c, n, err)
}
