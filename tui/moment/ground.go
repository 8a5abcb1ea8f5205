// Package moment holds everything that can be seen in a moment of a session: the hardware with its ranks, the
// communicators by lineage, the ranks' places in every variable, and which ranks a selection lights up. It does
// not draw and knows no keys.
//
// The model: a Ground is the hardware with ranks on it, and lasts until ranks move. A Moment is the session
// after a step of its trace, on a Ground. Rows are the lines that a pane may show; they are made only where a
// person unfolded them, so that a hundred thousand ranks cost no more than a screen of ranks. All ranks below an
// object are neighbors in one list, so that a row stores its ranks as two numbers, and counts the lit ranks among
// them by a subtraction.
package moment

import (
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/boxes"
	"codeberg.org/commsplit/commsplit/render/outline"
)

// Span is a range of Ground.Order: ranks that are neighbors there.
type Span = outline.Span

// Ground is hardware with the ranks of a world on it. Its Topology is nil in a world without hardware.
type Ground struct {
	*boxes.Board
	bindings []*hw.Binding
	use      *render.Use // made when the ranks of an object are first asked for
}

// NewGround returns the ground of a snapshot: before, unless before is nil or has other hardware or bindings.
func NewGround(s *engine.Snapshot, before *Ground) *Ground {
	if before != nil && (before.Topology == s.Topology || s.Bindings == nil) && len(before.At) == s.Size && slices.Equal(before.bindings, s.Bindings) {
		return before
	}
	return &Ground{Board: boxes.NewBoard(outline.Of(s, outline.NoDevices)), bindings: s.Bindings}
}

// SameWorld reports whether another ground has the same hardware and as many ranks, with the same or other
// bindings.
func (g *Ground) SameWorld(o *Ground) bool {
	return g.Topology == o.Topology && len(g.At) == len(o.At)
}

// Restricted returns the ranks that are restricted to an object, so that a split by the object's type gives them
// the object's communicator; and the ranks that may use this object and others of its type.
func (g *Ground) Restricted(o *hw.Object) (to, beyond []int32) {
	if g.use == nil {
		g.use = render.NewUse(g.Topology, g.bindings)
	}
	return g.use.Of(o)
}

// within lists the ranks that are restricted to an object, in no order. For objects other than memory, these are
// the ranks bound to the object's node or below it; for memory, Restricted finds them.
func (g *Ground) within(o *hw.Object) []int32 {
	if n := g.NodeOf(o); n != nil && !n.Memory {
		return g.Ranks(n.All)
	}
	to, _ := g.Restricted(o)
	return to
}

// Resource returns the URI of an object's resource type, "" for none.
func (g *Ground) Resource(o *hw.Object) string { return render.ResourceOf(g.Topology, o) }

// Home returns the object that a rank is bound to: the innermost of those with the same PUs; nil without hardware.
func (g *Ground) Home(rank int) *hw.Object {
	if g.Topology == nil {
		return nil
	}
	return g.On(rank)
}
