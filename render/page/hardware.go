package page

import (
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/outline"
)

// classes are the CSS classes of objects, as in other pictures.
var classes = map[hw.Type]string{
	hw.Package: "package", hw.Die: "die", hw.Core: "core", hw.NUMANode: "memory", hw.MemCache: "memory",
}

// layout is the boxes of the hardware: nodes of its outline, and rows of siblings in closed boxes.
type layout struct {
	topology *hw.Topology
	heads    []*hw.Object       // the first object of each box; nil for several siblings
	box      map[*hw.Object]int // of all objects that are drawn, and of objects inside leaves
}

// mostBoxes is the most boxes that are open at first.
const mostBoxes = 320

// hardware lists the boxes, and where the ranks run after each step.
func (c *collector) hardware() {
	s := c.last.Snapshot
	c.ground = make([]int, c.Last+1)
	if s.Topology == nil || s.Bindings == nil {
		return
	}
	c.boxes(s.Topology)
	for k, v := range c.views {
		switch {
		case k < len(c.before.views) && slices.Equal(v.Snapshot.Bindings, c.before.views[k].Snapshot.Bindings):
			c.ground[k] = c.before.ground[k]
			c.doc.Grounds = c.before.doc.Grounds[: c.ground[k]+1 : c.ground[k]+1]
		case k > 0 && slices.Equal(v.Snapshot.Bindings, c.views[k-1].Snapshot.Bindings):
			c.ground[k] = c.ground[k-1]
		default:
			c.ground[k] = len(c.doc.Grounds)
			c.doc.Grounds = append(c.doc.Grounds, c.groundOf(c.layout, v.Snapshot, k))
		}
	}
}

// boxes adds the boxes of all hardware to the document.
func (c *collector) boxes(t *hw.Topology) {
	if old := c.before.layout; old != nil && old.topology == t {
		c.layout, c.doc.Objects, c.doc.Depth = old, c.before.doc.Objects, c.before.doc.Depth
		return
	}
	o := outline.New(t, outline.NoDevices)
	c.doc.Depth = o.Depth(mostBoxes)
	c.layout = &layout{topology: t, box: map[*hw.Object]int{}}
	var path []int // the boxes around the current line, by depth
	for _, line := range o.Unfold(func(*outline.Line) bool { return true }) {
		parent := -1
		if path = path[:line.Depth]; line.Depth > 0 {
			parent = path[line.Depth-1]
		}
		path = append(path, len(c.doc.Objects))
		c.box(c.layout, o, &line, parent)
	}
}

// box adds the box of a line to the document.
func (c *collector) box(l *layout, o *outline.Outline, line *outline.Line, parent int) {
	at, first := len(c.doc.Objects), line.Nodes[0]
	x := object{Parent: parent, Class: "plain", Bar: first.Memory()}
	if len(line.Nodes) > 1 {
		x.Fold, x.Label = true, []word{c.word(o.Range(line.Nodes))}
		c.doc.Objects, l.heads = append(c.doc.Objects, x), append(l.heads, nil)
		return
	}
	x.Leaf = first.Leaf()
	for _, d := range first.Objects {
		l.box[d] = at
		x.Label = append(x.Label, c.word(outline.Name(l.topology, d)))
		if class := classes[d.Type]; class != "" {
			x.Class = class
		}
	}
	c.doc.Objects, l.heads = append(c.doc.Objects, x), append(l.heads, first.First())
	if x.Leaf {
		for d := range first.Objects[len(first.Objects)-1].All() {
			l.box[d] = at
		}
	}
}

// groundOf returns where the ranks run from step k on.
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
	use := render.NewUse(l.topology, s.Bindings)
	for _, o := range l.heads {
		if o == nil {
			g.Users, g.Said, g.Worse = append(g.Users, pack[int32](nil)), append(g.Said, []word{}), append(g.Worse, 0)
			continue
		}
		to, beyond := use.Of(o)
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
