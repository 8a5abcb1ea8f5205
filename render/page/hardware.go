package page

import (
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/boxes"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Room is the columns and lines of an area.
type Room struct {
	Columns int `json:"columns"`
	Lines   int `json:"lines"`
}

// Around returns the areas that a page needs if its pane of the hardware has so much room: for one picture, and for
// two, side by side or one above the other. Sizes that no window has become the nearest possible sizes.
func (r Room) Around() []Room {
	r.Columns, r.Lines = min(max(r.Columns, 24), 300), min(max(r.Lines, 8), 150)
	return []Room{r, {r.Columns/2 - 1, r.Lines}, {r.Columns, r.Lines/2 - 1}}
}

// rooms are the areas for which the page of a session that has ended has its hardware arranged: of a phone, of a
// part of a screen, and of a whole screen. The page draws the arrangement that fits its window best, as large as
// there is room.
var rooms = []Room{{52, 26}, {60, 16}, {84, 20}, {120, 26}}

// alone is the area for a part of the hardware that shows alone.
var alone = Room{56, 20}

// layout is the objects of the hardware.
type layout struct {
	topology *hw.Topology
	heads    []*hw.Object       // that are drawn, in the order of their numbers
	number   map[*hw.Object]int // also of what is drawn together with one of them, or as a part of it
}

// ground is the places of ranks from a step on.
type ground struct {
	From  int      `json:"from"`
	Where packed   `json:"where"` // by rank: the place as a word
	Users []packed `json:"users"` // by object: the ranks restricted to it
	Said  [][]word `json:"said"`  // by object: its name, other objects that are drawn with it, and further sentences
	Worse []word   `json:"worse"` // by object: a warning
}

// drawn is the hardware with its ranks, arranged.
type drawn struct {
	Rooms []drawing       `json:"rooms"`
	Alone map[int]drawing `json:"alone,omitempty"` // by object: those that have no room for all of their ranks and parts in one of Rooms

	text int // columns of the longest text of a cell
}

// hardware lists the objects, and the places of ranks after each step.
func (c *collector) hardware() {
	s := c.last.Snapshot
	c.ground = make([]int, c.Last+1)
	if s.Topology == nil || s.Bindings == nil {
		return
	}
	if c.layout = c.before.layout; c.layout == nil || c.layout.topology != s.Topology {
		c.layout = layoutOf(s.Topology)
	}
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

func layoutOf(t *hw.Topology) *layout {
	l := &layout{topology: t, number: map[*hw.Object]int{}}
	var add func(n *outline.Node)
	add = func(n *outline.Node) {
		at := len(l.heads)
		l.heads = append(l.heads, n.First())
		for _, o := range n.Objects {
			l.number[o] = at
		}
		if n.Leaf {
			for o := range n.Objects[len(n.Objects)-1].All() {
				l.number[o] = at
			}
			return
		}
		for _, k := range n.Kids() {
			add(k)
		}
	}
	add(outline.New(t, outline.NoDevices).Root)
	return l
}

// groundOf returns the places of ranks from step k on.
func (c *collector) groundOf(l *layout, s *engine.Snapshot, k int) ground {
	g := ground{From: k}
	where := make([]word, s.Size)
	o := outline.Of(s, outline.NoDevices)
	for _, r := range o.Order {
		where[r] = c.word(render.Where(s, int(r), o.On(int(r))))
	}
	g.Where = pack(where)
	use := render.NewUse(l.topology, s.Bindings)
	for _, o := range l.heads {
		to, beyond := use.Of(o)
		t := render.Object(l.topology, o, to, beyond, width)
		said := []word{c.word(t.Label), c.word(t.Also)}
		resource := render.NoResource
		if uri := render.ResourceOf(l.topology, o); uri != "" {
			resource = "resource type " + uri
		}
		for _, text := range append(t.Facts, t.To, resource) {
			if text != "" {
				said = append(said, c.word(text))
			}
		}
		g.Users, g.Said, g.Worse = append(g.Users, pack(to)), append(g.Said, said), append(g.Worse, c.word(t.Beyond))
	}
	return g
}

// arrange arranges the hardware with its ranks, on each ground.
func (c *collector) arrange() {
	text := c.widest()
	for k, v := range c.views {
		at := c.ground[k]
		known := k < len(c.before.views) && c.before.ground[k] == at && at < len(c.before.doc.Drawn) &&
			slices.Equal(c.before.views[k].Snapshot.Bindings, v.Snapshot.Bindings)
		switch {
		case at < len(c.doc.Drawn):
		case known && c.before.doc.Drawn[at].text == text && slices.Equal(c.before.Rooms, c.Rooms):
			c.doc.Drawn = append(c.doc.Drawn, c.before.doc.Drawn[at])
		default:
			c.doc.Drawn = append(c.doc.Drawn, c.arranged(v.Snapshot, text))
		}
	}
}

// widest returns the columns of the longest text of a rank, over all steps and variables.
func (c *collector) widest() int {
	letters, most, prime, stuck := c.letters(), 1, 0, 0
	for _, x := range c.last.Snapshot.Comms {
		most = max(most, len(x.Group), len(x.Remote))
		if x.Remote != nil {
			prime = 1
		}
	}
	if c.doc.Stuck != nil || len(c.doc.Locks) > 0 {
		stuck = 1
	}
	wide := len(strconv.Itoa(c.doc.Size - 1))
	if letters > 0 {
		wide = max(wide, letters+prime+len(strconv.Itoa(most-1)))
	}
	return wide + stuck
}

// letters returns the columns of the longest letters of a communicator, 0 for none, and writes all letters into the
// document.
func (c *collector) letters() int {
	most := 0
	for i := range c.letterings.list {
		n := 0
		for ids := c.letterings.list[i].IDs; len(ids) > 0; ids = ids[3:] {
			n += int(ids[2])
		}
		most = max(most, n)
	}
	for len(c.doc.Names) < most {
		c.doc.Names = append(c.doc.Names, render.Letter(len(c.doc.Names)))
	}
	if most == 0 {
		return 0
	}
	return len(c.doc.Names[most-1])
}

// arranged arranges the hardware with its ranks. Their texts have so many columns.
func (c *collector) arranged(s *engine.Snapshot, text int) drawn {
	board := boxes.NewBoard(outline.Of(s, outline.NoDevices))
	blank := func(int32) paint.Cell { return paint.Cell{Slot: paint.NoSlot} }
	out := drawn{Alone: map[int]drawing{}, text: text}
	d := drawer{
		word:  c.word,
		index: func(o *hw.Object) int { return c.layout.number[o] },
		ranks: func(o *hw.Object) packed { return pack(slices.Sorted(slices.Values(board.Ranks(board.NodeOf(o).All)))) },
	}
	var draw func(root *outline.Node, in Room) drawing
	draw = func(root *outline.Node, in Room) drawing {
		plan := board.Plan(root, boxes.Size{Width: in.Columns, Height: in.Lines, Text: text, Fill: boxes.High})
		picture := plan.Scene(0, plan.Height, &boxes.Look{Cell: blank, Share: blank})
		for _, n := range hiding(board, picture) {
			at := c.layout.number[n.First()]
			if _, known := out.Alone[at]; n != plan.Root && !known {
				out.Alone[at] = drawing{} // so that nothing asks for it twice
				out.Alone[at] = draw(n, c.aloneIn())
			}
		}
		return d.draw(picture)
	}
	for _, in := range c.areas() {
		out.Rooms = append(out.Rooms, draw(nil, in))
	}
	return out
}

// aloneIn returns the area for a part that shows alone.
func (c *collector) aloneIn() Room {
	if len(c.Rooms) > 0 {
		return c.Rooms[0]
	}
	return alone
}

// areas returns the areas for which the hardware is arranged.
func (c *collector) areas() []Room {
	if len(c.Rooms) > 0 {
		return c.Rooms
	}
	return rooms
}

// hiding returns the nodes that have parts which a scene does not show.
func hiding(b *boxes.Board, s *scene.Scene) []*outline.Node {
	shown := map[*outline.Node]bool{}
	var list []*outline.Node
	for i := range s.Things {
		if t := &s.Things[i]; t.Kind == scene.Area && t.Of.Object != nil {
			n := b.NodeOf(t.Of.Object)
			shown[n], list = true, append(list, n)
		}
	}
	return slices.DeleteFunc(list, func(n *outline.Node) bool {
		return n.Leaf || !slices.ContainsFunc(n.Kids(), func(k *outline.Node) bool { return !shown[k] && !k.Memory && !k.Leaf })
	})
}
