package page

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// row is a line of the communicators by lineage: a communicator, or siblings that one call made. Rows are in the
// order of a tree in which all is open.
type row struct {
	Comms packed `json:"comms"`
	Depth int    `json:"depth"`
	Open  bool   `json:"open,omitempty"` // by default
	Size  word   `json:"size"`           // "6 ranks", "64 × 64 ranks"
	// Lanes are the members, arranged for several widths from the least on, but only where that changes the picture. An
	// intercommunicator has three lists: its two groups as seen from outside, from the left group, and from the right
	// group.
	Lanes [][]drawing `json:"lanes"`
}

// laneWidths are the columns for which lanes are arranged, and noneWidths those for ranks without a communicator.
var (
	laneWidths = []int{36, 48, 64, 90}
	noneWidths = []int{36, 64}
)

// laned is the lanes of a document, by the first and the last communicator of a row, and all that they depend on.
type laned struct {
	letter string
	lines  int // of cells of a lane
	of     map[[2]int][][]drawing
}

// mostMembers is the most members of all communicators together whose lanes have several lines.
const mostMembers = 1500

// lineage lists the communicators by lineage.
func (c *collector) lineage() {
	members := 0
	for _, x := range c.last.Snapshot.Comms {
		members += len(x.Group) + len(x.Remote)
	}
	c.lanes = laned{letter: strings.Repeat("A", c.letters()), lines: 4, of: map[[2]int][][]drawing{}}
	if members > mostMembers {
		c.lanes.lines = 1
	}
	if old := c.before.lanes; old.letter == c.lanes.letter && old.lines == c.lanes.lines {
		c.lanes.of = old.of
	}
	c.doc.Rows = []row{}
	unfold := render.InRoom(0)
	unfold.Every = true
	for _, k := range render.DescentOf(c.last.Snapshot).Rows(unfold) {
		ids := make([]int, len(k.Comms))
		for i, x := range k.Comms {
			ids[i] = x.ID
		}
		c.doc.Rows = append(c.doc.Rows, row{Comms: pack(ids), Depth: k.Depth, Open: k.Fold == render.Open, Size: c.word(lanes.SizeOf(k.Comms)), Lanes: c.lane(k.Comms)})
	}
}

// lane arranges the members of a row.
func (c *collector) lane(comms []*engine.CommInfo) [][]drawing {
	first := comms[0]
	key := [2]int{first.ID, comms[len(comms)-1].ID}
	if known, ok := c.lanes.of[key]; ok {
		return known
	}
	list := []*lanes.Lane{lanes.Bare(comms, c.lanes.letter, -1)}
	if len(comms) == 1 && len(first.Group) > 0 && len(first.Remote) > 0 {
		list = append(list, lanes.Bare(comms, c.lanes.letter, int(first.Group[0])), lanes.Bare(comms, c.lanes.letter, int(first.Remote[0])))
	}
	d := drawer{word: c.word, index: func(*hw.Object) int { return 0 }}
	out := make([][]drawing, len(list))
	for i, l := range list {
		out[i] = d.widths(laneWidths, func(width int) *scene.Scene {
			return l.Members(lanes.Look{Width: width, Rank: -1, Size: c.doc.Size, Room: lanes.Room{Tall: true, Rows: c.lanes.lines}})
		})
	}
	c.lanes.of[key] = out
	return out
}

// widths arranges something for several widths from the least on, but only where that changes the picture.
func (d drawer) widths(list []int, arrange func(width int) *scene.Scene) (out []drawing) {
	for _, width := range list {
		s := arrange(width)
		s.Width = used(s)
		if n := len(out); n == 0 || out[n-1].Width != s.Width || out[n-1].Height != s.Height {
			out = append(out, d.draw(s))
		}
	}
	return out
}

// lanesAt arranges the ranks that hold no communicator after step k, unless the variable is not set at all.
func (c *collector) lanesAt(k int, ids []int32) []drawing {
	if !slices.ContainsFunc(ids, func(id int32) bool { return id != render.Unset }) {
		return nil
	}
	v, s := *c.views[k], *c.views[k].Snapshot
	s.Waiting, v.Snapshot = nil, &s // a lock has those that wait
	return c.none(&v, &render.Handle{IDs: ids})
}

// none arranges the ranks without a communicator in a variable, and the ranks that wait, for several widths.
func (c *collector) none(v *render.View, h *render.Handle) []drawing {
	if picture.None(v, h, noneWidths[0]).Height == 0 {
		return nil
	}
	d := drawer{word: c.word}
	return d.widths(noneWidths, func(width int) *scene.Scene { return picture.None(v, h, width) })
}

// drawn converts a scene whose cells have content of their own.
func (c *collector) drawn(s *scene.Scene) drawing {
	s.Width = used(s)
	return drawer{own: true, word: c.word, index: func(o *hw.Object) int { return c.layout.number[o] }}.draw(s)
}

// used returns the columns that things of a scene take.
func used(s *scene.Scene) int {
	w := 1
	for i := range s.Things {
		w = max(w, s.Things[i].X+s.Things[i].W)
	}
	return w
}

// didWidth is the columns for which the picture of a call is arranged.
const didWidth = 44

// did arranges the picture of what the call of step k did; nil where there is nothing to see.
func (c *collector) did(k int) *drawing {
	v := c.views[k]
	parts := c.partings(k)
	if k > 0 {
		parts = append(parts[:len(parts):len(parts)], c.partings(k-1)...)
	}
	h, p := &render.Handle{IDs: c.nothing}, render.PartingOf(v.Snapshot, &render.Handle{IDs: c.nothing})
	made := v.Snapshot.Steps[k-1].Made
	for i, q := range render.Together(parts...) {
		if len(made) > 0 && i < len(v.Handles) && q.Find(made[0]) >= 0 {
			h, p = &v.Handles[i], q
		}
	}
	s := picture.Did(v, h, p, k, picture.WhyLook{Width: didWidth, Tight: true})
	if s.Height == 0 {
		return nil
	}
	out := c.drawn(s)
	return &out
}
