package page

import (
	"slices"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/render"
	"commsplit/render/outline"
)

// classes are the colors of objects, as in the other pictures.
var classes = map[hw.Type]string{
	hw.Package: "package", hw.Die: "die", hw.Core: "core", hw.NUMANode: "memory", hw.MemCache: "memory",
}

// layout is the boxes of the hardware: chains of objects that cover the same PUs.
type layout struct {
	topology *hw.Topology
	heads    []*hw.Object       // the first object of each box
	box      map[*hw.Object]int // of all objects that are drawn, and of those inside of leaves
}

// hardware lists the boxes, and where the ranks run at which time.
func (c *collector) hardware() {
	s := c.last.Snapshot
	c.ground = make([]int, c.Last+1)
	if s.Topology == nil || s.Bindings == nil {
		return
	}
	l := &layout{topology: s.Topology, box: map[*hw.Object]int{}}
	c.box(l, s.Topology.Root, -1)
	for k, v := range c.views {
		if k > 0 && slices.Equal(v.Snapshot.Bindings, c.views[k-1].Snapshot.Bindings) {
			c.ground[k] = c.ground[k-1]
			continue
		}
		c.ground[k] = len(c.doc.Grounds)
		c.doc.Grounds = append(c.doc.Grounds, c.groundOf(l, v.Snapshot, k))
	}
}

// box adds the box of an object and those in it, memory first.
func (c *collector) box(l *layout, o *hw.Object, parent int) {
	at := len(c.doc.Objects)
	chain := outline.Chain(o)
	x := object{Parent: parent, Class: "plain", Kind: c.word(outline.Kind(l.topology, o)), Index: o.LogicalIndex}
	x.Bar = o.Type == hw.NUMANode || o.Type == hw.MemCache
	for _, d := range chain {
		l.box[d] = at
		x.Label = append(x.Label, c.word(outline.Name(l.topology, d)))
		if class := classes[d.Type]; class != "" {
			x.Class = class
		}
		x.Leaf = x.Leaf || d.Type == hw.Core || len(d.Children) == 0 && len(d.Memory) == 0
	}
	c.doc.Objects = append(c.doc.Objects, x)
	l.heads = append(l.heads, o)
	final := chain[len(chain)-1]
	if x.Leaf {
		for d := range final.All() {
			l.box[d] = at
		}
		return
	}
	for _, d := range slices.Concat(final.Memory, final.Children) {
		c.box(l, d, at)
	}
}

// groundOf is where the ranks run from step k on.
func (c *collector) groundOf(l *layout, s *engine.Snapshot, k int) ground {
	g := ground{From: k}
	where := make([]word, s.Size)
	seats := outline.Seats(s)
	for o := range l.topology.Root.All() {
		for _, at := range seats[o] {
			g.Seats = append(g.Seats, seat{Object: l.box[o], PUs: c.word(at.PUs), Ranks: pack(at.Ranks)})
			for _, r := range at.Ranks {
				where[r] = c.word(render.Where(s, int(r), o))
			}
		}
	}
	g.Where = pack(where)
	for _, o := range l.heads {
		to, beyond := render.Users(l.topology, s.Bindings, o)
		t := render.Object(l.topology, o, to, beyond, width)
		said := []word{c.word(t.Label), c.word(t.Also)}
		resource := render.NoResource
		if uri := render.ResourceOf(l.topology, o); uri != "" {
			resource = "resource type " + uri
		}
		for _, text := range []string{t.Kind, t.To, resource} {
			if text != "" {
				said = append(said, c.word(text))
			}
		}
		g.Users, g.Said, g.Worse = append(g.Users, pack(to)), append(g.Said, said), append(g.Worse, c.word(t.Beyond))
	}
	return g
}
