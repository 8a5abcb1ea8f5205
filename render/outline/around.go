package outline

import (
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
)

// Border is a frame around parts of the hardware that is not hardware itself.
type Border struct {
	Names []string // of the communicators whose ranks are those inside
	Slot  int      // of the color of the first
}

// mostBorders is the most borders around one node; further communicators are named on the innermost.
const mostBorders = 3

// Bordered returns a copy of the outline that takes borders.
func (o *Outline) Bordered() *Outline {
	c := *o
	c.Root = o.Root.copied()
	return &c
}

func (n *Node) copied() *Node {
	c := *n
	c.Kids = make([]*Node, len(n.Kids))
	for i, k := range n.Kids {
		c.Kids[i] = k.copied()
	}
	return &c
}

// Border puts a border around the node that has exactly some ranks, or around several side by side. Of nested nodes with
// the same ranks it takes the node of the object, or the outermost if object is nil. Larger borders must be put before
// smaller ones. It reports whether there is such a place.
func (o *Outline) Border(span Span, object *hw.Object, name string, slot int) bool {
	top := &Node{Kids: []*Node{o.Root}, All: Span{-1, -1}}
	ok := o.border(top, span, object, name, slot)
	o.Root = top.Kids[0]
	return ok
}

func (o *Outline) border(n *Node, span Span, object *hw.Object, name string, slot int) bool {
	for i, k := range n.Kids {
		switch {
		case k.Memory() || k.Device != "":
		case k.All == span && (k.Around != nil || k.inner(span, object)):
			if k.Around != nil && k.depth >= mostBorders {
				k.Around.Names = append(k.Around.Names, name)
				return true
			}
			return o.border(k, span, object, name, slot)
		case k.All == span:
			o.surround(n, i, i+1, span, name, slot)
			return true
		case k.All.Lo <= span.Lo && span.Hi <= k.All.Hi:
			return o.border(k, span, object, name, slot)
		case k.All.Lo == span.Lo && k.All.Len() > 0:
			for j := i + 1; j < len(n.Kids); j++ {
				if n.Kids[j].All.Hi == span.Hi {
					o.surround(n, i, j+1, span, name, slot)
					return true
				}
			}
		}
	}
	return false
}

// surround puts a border around some kids of a node.
func (o *Outline) surround(n *Node, from, to int, span Span, name string, slot int) {
	frame := &Node{Around: &Border{[]string{name}, slot}, Objects: []*hw.Object{{Type: hw.Group, Subtype: "communicator"}},
		Kids: slices.Clone(n.Kids[from:to]), Own: Span{span.Lo, span.Lo}, All: span, index: o.nodes, depth: 1}
	if n.Around != nil && n.All == span {
		frame.depth = n.depth + 1
	}
	o.nodes++
	n.Kids = slices.Replace(n.Kids, from, to, frame)
}

// inner reports whether a node inside n, other than n itself, has that span and is that object's.
func (n *Node) inner(span Span, object *hw.Object) bool {
	if object == nil || slices.Contains(n.Objects, object) {
		return false
	}
	return slices.ContainsFunc(n.Kids, func(k *Node) bool {
		return k.All == span && (slices.Contains(k.Objects, object) || k.inner(span, object))
	})
}
