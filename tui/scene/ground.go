// Package scene holds all that can be seen in a moment of a session: the hardware with its ranks, the
// communicators by descent, the ranks' places in every variable, and which ranks a selection lights
// up. It does not draw and knows no keys.
//
// The model: a Ground is the hardware with ranks on it, and lasts as long as the world. A Moment is
// the session after a step of its trace, on a Ground. Rows are the lines that a pane may show; they are
// made only where a person unfolded them, so that a hundred thousand ranks cost no more than a screen of them.
// All ranks that sit below an object are neighbors in one list, so that a row knows its ranks by two
// numbers, and counts the lit ones among them by a subtraction.
package scene

import (
	"slices"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/render"
	"commsplit/render/outline"
)

// Span is the ranks from Lo up to Hi, without Hi, of Ground.Order.
type Span struct{ Lo, Hi int32 }

// Len is the number of ranks.
func (s Span) Len() int { return int(s.Hi - s.Lo) }

// Ground is hardware with the ranks of a world on it.
type Ground struct {
	Topology *hw.Topology // nil: the world has no hardware
	Order    []int32      // world ranks, those on an object first, then those below it
	At       []int32      // by world rank: its index in Order

	bindings []*hw.Binding
	seats    map[*hw.Object][]outline.Seat
	own      map[*hw.Object]Span // on the object itself
	below    map[*hw.Object]Span // on it and below
	crowd    int                 // most ranks on one core or other leaf
}

// NewGround seats the ranks of a snapshot. before, if not nil, is taken again when it is of the same
// world.
func NewGround(s *engine.Snapshot, before *Ground) *Ground {
	if before != nil && before.fits(s) {
		return before
	}
	g := &Ground{Topology: s.Topology, bindings: s.Bindings, At: make([]int32, s.Size)}
	if g.Topology == nil || s.Bindings == nil {
		g.Topology = nil
		for r := range s.Size {
			g.Order = append(g.Order, int32(r))
			g.At[r] = int32(r)
		}
		return g
	}
	g.seats = outline.Seats(s)
	g.Order = make([]int32, 0, s.Size)
	g.own, g.below = map[*hw.Object]Span{}, map[*hw.Object]Span{}
	g.seat(g.Topology.Root)
	for i, r := range g.Order {
		g.At[r] = int32(i)
	}
	return g
}

// SameWorld reports whether another ground has the same hardware and as many ranks, wherever they run.
func (g *Ground) SameWorld(o *Ground) bool {
	return g.Topology == o.Topology && len(g.At) == len(o.At)
}

func (g *Ground) fits(s *engine.Snapshot) bool {
	return g.Topology == s.Topology && len(g.At) == s.Size && slices.Equal(g.bindings, s.Bindings)
}

func (g *Ground) seat(o *hw.Object) {
	lo := int32(len(g.Order))
	for _, s := range g.seats[o] {
		g.Order = append(g.Order, s.Ranks...)
	}
	g.own[o] = Span{lo, int32(len(g.Order))}
	for _, c := range o.Children {
		g.seat(c)
	}
	g.below[o] = Span{lo, int32(len(g.Order))}
	if isLeaf(o) {
		g.crowd = max(g.crowd, g.below[o].Len())
	}
}

// Ranks are those of a span.
func (g *Ground) Ranks(s Span) []int32 { return g.Order[s.Lo:s.Hi] }

// Restricted tells which ranks are restricted to an object, so that a split by its type gives them
// the communicator of it, and which ones may use it and others of its type besides.
func (g *Ground) Restricted(o *hw.Object) (to, beyond []int32) {
	return render.Users(g.Topology, g.bindings, o)
}

// Resource is the name of the resource type of an object, "" for none.
func (g *Ground) Resource(o *hw.Object) string { return render.ResourceOf(g.Topology, o) }

// Home is the object that a rank sits on.
func (g *Ground) Home(rank int) *hw.Object {
	if g.Topology == nil {
		return nil
	}
	at := g.At[rank]
	o := g.Topology.Root
	for {
		i := slices.IndexFunc(o.Children, func(c *hw.Object) bool { s := g.below[c]; return s.Lo <= at && at < s.Hi })
		if i < 0 {
			return o
		}
		o = o.Children[i]
	}
}

// isLeaf reports whether an object is drawn as one cell: a core with what it holds, or what has
// nothing below.
func isLeaf(o *hw.Object) bool {
	for _, c := range outline.Chain(o) {
		if c.Type == hw.Core || len(c.Children) == 0 && len(c.Memory) == 0 {
			return true
		}
	}
	return false
}
