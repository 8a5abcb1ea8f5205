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
	"commsplit/render/boxes"
	"commsplit/render/outline"
)

// Span is ranks that are neighbors in Ground.Order.
type Span = outline.Span

// Ground is hardware with the ranks of a world on it. Its Topology is nil in a world without hardware.
type Ground struct {
	*boxes.Board
	bindings []*hw.Binding
	use      *render.Use // made when an object is asked for first
}

// NewGround seats the ranks of a snapshot. before, if not nil, is taken again when it is of the same
// world.
func NewGround(s *engine.Snapshot, before *Ground) *Ground {
	if before != nil && before.fits(s) {
		return before
	}
	if s.Bindings == nil {
		bare := *s
		bare.Topology = nil
		s = &bare
	}
	return &Ground{Board: boxes.NewBoard(outline.Of(s, outline.NoDevices)), bindings: s.Bindings}
}

// SameWorld reports whether another ground has the same hardware and as many ranks, wherever they run.
func (g *Ground) SameWorld(o *Ground) bool {
	return g.Topology == o.Topology && len(g.At) == len(o.At)
}

func (g *Ground) fits(s *engine.Snapshot) bool {
	return (g.Topology == s.Topology || s.Bindings == nil) && len(g.At) == s.Size && slices.Equal(g.bindings, s.Bindings)
}

// Restricted tells which ranks are restricted to an object, so that a split by its type gives them
// the communicator of it, and which ones may use it and others of its type besides.
func (g *Ground) Restricted(o *hw.Object) (to, beyond []int32) {
	if g.use == nil {
		g.use = render.NewUse(g.Topology, g.bindings)
	}
	return g.use.Of(o)
}

// within lists the ranks that are restricted to an object, in no order. Those sit on what covers its PUs or below
// that; who may use all PUs of memory, Restricted has to tell.
func (g *Ground) within(o *hw.Object) []int32 {
	if n := g.NodeOf(o); n != nil && !n.Memory() {
		return g.Ranks(n.All)
	}
	to, _ := g.Restricted(o)
	return to
}

// Resource is the name of the resource type of an object, "" for none.
func (g *Ground) Resource(o *hw.Object) string { return render.ResourceOf(g.Topology, o) }

// Home is the object that a rank sits on: the innermost of those that cover the same PUs.
func (g *Ground) Home(rank int) *hw.Object {
	if n := g.Board.Home(rank); n != nil {
		return n.Objects[len(n.Objects)-1]
	}
	return nil
}
