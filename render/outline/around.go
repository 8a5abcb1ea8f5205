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

// Border puts a border around the node that has exactly some ranks, or around several side by side. Of nested nodes with
// the same ranks it takes the node of the object, or the outermost if object is nil. Larger borders must be put before
// smaller ones. It reports whether there is such a place.
func (o *Outline) Border(span Span, object *hw.Object, name string, slot int) bool {
	top := &Node{Form: &Form{Below: []*Form{o.Root.Form}}, All: Span{-1, -1}}
	top.kids.Store(&[]*Node{o.Root})
	ok := o.border(top, span, object, name, slot)
	o.Root = top.Kids()[0]
	return ok
}

func (o *Outline) border(n *Node, span Span, object *hw.Object, name string, slot int) bool {
	kids := n.Kids()
	for i, k := range kids {
		switch {
		case k.Memory || k.Device != "":
		case k.All == span && (k.Around != nil || k.inner(span, object)):
			if k.Around != nil && k.depth >= mostBorders {
				k.Around.Names = append(k.Around.Names, name)
				return true
			}
			return o.within(k, span, object, name, slot)
		case k.All == span:
			o.surround(n, i, i+1, span, name, slot)
			return true
		case k.All.Lo <= span.Lo && span.Hi <= k.All.Hi:
			return o.within(k, span, object, name, slot)
		case k.All.Lo == span.Lo && k.All.Len() > 0:
			for j := i + 1; j < len(kids); j++ {
				if kids[j].All.Hi == span.Hi {
					o.surround(n, i, j+1, span, name, slot)
					return true
				}
			}
		}
	}
	return false
}

// within puts a border around nodes in n, which thereby gets another form.
func (o *Outline) within(n *Node, span Span, object *hw.Object, name string, slot int) bool {
	if !o.border(n, span, object, name, slot) {
		return false
	}
	n.Form = o.formOf(&Form{Like: n.Objects, Below: formsOf(n.Kids())})
	return true
}

func formsOf(nodes []*Node) []*Form {
	list := make([]*Form, len(nodes))
	for i, n := range nodes {
		list[i] = n.Form
	}
	return list
}

// surround puts a border around some kids of a node.
func (o *Outline) surround(n *Node, from, to int, span Span, name string, slot int) {
	inside := slices.Clone(n.Kids()[from:to])
	frame := &Node{Around: &Border{[]string{name}, slot}, Objects: []*hw.Object{{Type: hw.Group, Subtype: "communicator"}},
		Own: Span{span.Lo, span.Lo}, All: span, Core: inside[0].Core, o: o, index: o.nodes, depth: 1}
	frame.Form = o.formOf(&Form{Like: frame.Objects, Below: formsOf(inside)})
	frame.kids.Store(&inside)
	if n.Around != nil && n.All == span {
		frame.depth = n.depth + 1
	}
	o.nodes++
	kids := slices.Replace(slices.Clone(n.Kids()), from, to, frame)
	n.kids.Store(&kids)
}

// inner reports whether a node inside n, other than n itself, has that span and is that object's.
func (n *Node) inner(span Span, object *hw.Object) bool {
	if object == nil || slices.Contains(n.Objects, object) {
		return false
	}
	return slices.ContainsFunc(n.Kids(), func(k *Node) bool {
		return k.All == span && (slices.Contains(k.Objects, object) || k.inner(span, object))
	})
}
