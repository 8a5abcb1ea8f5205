package figure

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/spell"
	"commsplit/render"
	"commsplit/render/outline"
	"commsplit/render/paint"
)

// Levels draws all communicators that the variables hold around the hardware, as Figure 7.3 of MPI-5.0 does: solid
// lines are hardware, dashed lines are communicators, P0 to P11 are processes. A communicator stands around the
// object, or the objects side by side, on which its processes and no others run; communicators without such a
// place are named below the picture. Levels returns an error when the world has no hardware.
func Levels(w io.Writer, v *render.View, theme Theme) error {
	s := v.Snapshot
	if s.Topology == nil || s.Bindings == nil {
		return fmt.Errorf("this world was made without hardware, around which communicators could be drawn")
	}
	o := outline.Of(s, outline.NoDevices)
	lines, rest := o.Fit(mostTiles, nil)
	f := framer{outline: o, paper: &tile{kids: []*tile{tilesOf(o, processes, lines)}}}
	f.paper.kids[0].leaveOut(rest)
	f.all(v)
	for _, c := range f.counted {
		c.tile.text += ", " + spell.Plural(c.n, "communicator") + " of " + c.name
	}
	root := f.paper.kids[0]
	root.fit()
	d := &drawing{}
	title := "Communicators on " + s.Topology.Name
	room := max(root.w, leastWide)
	wide, y := d.head(title, room)
	y += margin + padding
	root.draw(d, margin, y)
	y += root.h + lineHigh
	for _, note := range f.notes() {
		for _, line := range fillLines(note, smallSize, room) {
			d.text(margin, y+14, "quiet small", line)
			wide, y = max(wide, textWide(line, smallSize)), y+lineHigh
		}
	}
	return d.writeTo(w, max(wide, root.w)+2*margin, y+margin, title, strings.Join(f.said, " "), theme)
}

// processes returns badges of ranks as the standard writes them, "P0", or a badge with their number.
func processes(ranks []int32, single bool, most int) []badge {
	if !single || len(ranks) > most {
		count := spell.Plural(len(ranks), "process")
		if len(ranks) > 1 {
			count = strconv.Itoa(len(ranks)) + " processes"
		}
		return []badge{{text: count, part: -1, title: render.RankNoun(ranks, 60)}}
	}
	list := make([]badge, len(ranks))
	for i, r := range ranks {
		list[i] = badge{text: "P" + strconv.Itoa(int(r)), part: -1, title: "world rank " + strconv.Itoa(int(r))}
	}
	return list
}

// framer puts frames of communicators around tiles.
type framer struct {
	outline *outline.Outline
	paper   *tile    // around the root
	said    []string // in words: the ranks of each communicator
	lost    []string // the communicators without a place
	counted []counted
}

// counted is how many communicators of a variable are in a tile that represents several objects.
type counted struct {
	tile *tile
	name string
	n    int
}

// level is a communicator and the variable that holds it.
type level struct {
	name string
	slot int // of the color that all communicators of the variable have; paint.NoSlot for the world
	comm *engine.CommInfo
}

// all puts frames around the ranks of the world and of the communicators that variables hold: larger communicators
// first; of equally large ones, the older first.
func (f *framer) all(v *render.View) {
	s := v.Snapshot
	list := []level{{"MPI_COMM_WORLD", paint.NoSlot, s.Comm(0)}}
	seen := map[int]bool{0: true, engine.SelfID: true}
	slot := 0
	for i := range v.Handles {
		h := &v.Handles[i]
		before := len(list)
		for _, id := range h.IDs {
			if c := s.Comm(int(id)); c != nil && !seen[c.ID] {
				seen[c.ID] = true
				list = append(list, level{h.Name + "#" + strconv.Itoa(c.ID), slot % paint.Slots, c})
			}
		}
		if len(list) > before {
			slot++
		}
	}
	slices.SortStableFunc(list, func(a, b level) int {
		return cmp.Or(cmp.Compare(len(b.comm.Group), len(a.comm.Group)), cmp.Compare(a.comm.ID, b.comm.ID))
	})
	for _, l := range list {
		span, ok := f.span(l.comm)
		if !ok || !f.frame(f.paper, span, f.object(s, l.comm), l) {
			f.lost = append(f.lost, l.name)
		}
		f.said = append(f.said, l.name+" is "+spell.Plural(len(l.comm.Group), "rank")+", world "+render.OrderList(l.comm.Group, 60)+".")
	}
}

// span returns where the ranks of a communicator are in the order of the outline; ok is false where other ranks
// are among them.
func (f *framer) span(c *engine.CommInfo) (span outline.Span, ok bool) {
	if c.Remote != nil || len(c.Group) == 0 {
		return span, false
	}
	at := make([]int32, len(c.Group))
	for i, r := range c.Group {
		at[i] = f.outline.At[r]
	}
	span = outline.Span{Lo: slices.Min(at), Hi: slices.Max(at) + 1}
	return span, span.Len() == len(at)
}

// object returns the hardware object that a communicator made by a split by hardware represents; nil for other
// communicators.
func (f *framer) object(s *engine.Snapshot, c *engine.CommInfo) *hw.Object {
	for _, r := range s.Topology.Resources() {
		if r.URI == c.Resource && c.Instance >= 0 && c.Instance < len(r.Instances) {
			return r.Instances[c.Instance]
		}
	}
	return nil
}

// frame puts a frame for a communicator around the tile in t that has exactly its ranks, or around several tiles
// side by side. Of nested tiles with the same ranks it takes the tile of object, or else the outermost tile. It
// reports whether there is such a tile.
func (f *framer) frame(t *tile, span outline.Span, object *hw.Object, l level) bool {
	for i, k := range t.kids {
		switch {
		case k.span == span && (k.frame > 0 || k.inner(span, object)):
			return f.frame(k, span, object, l)
		case k.span == span:
			if t.frame == mostFrames && t.span == span {
				t.label = append(t.label, l.name)
				return true
			}
			t.kids[i] = framed(t.kids[i:i+1], l, span)
			if t.span == span {
				t.kids[i].frame = t.frame + 1
			}
			return true
		case k.span.Lo <= span.Lo && span.Hi <= k.span.Hi && k.folded:
			return f.count(k, l)
		case k.span.Lo <= span.Lo && span.Hi <= k.span.Hi:
			return f.frame(k, span, object, l)
		case k.span.Lo == span.Lo && k.span.Len() > 0:
			for j := i + 1; j < len(t.kids); j++ {
				if t.kids[j].span.Hi == span.Hi {
					t.kids = slices.Replace(t.kids, i, j+1, framed(slices.Clone(t.kids[i:j+1]), l, span))
					return true
				}
			}
		}
	}
	return false
}

// mostFrames is the most frames around one tile; further communicators are named on the innermost frame.
const mostFrames = 3

// framed returns a dashed frame around tiles.
func framed(kids []*tile, l level, span outline.Span) *tile {
	class := "frame dash"
	if l.slot >= 0 {
		class += " s" + strconv.Itoa(l.slot)
	}
	shape := int32(-1)
	for _, k := range kids {
		shape = shape*31 + k.shape // equal frames get the same layout
	}
	return &tile{class: class, label: []string{l.name}, kids: slices.Clone(kids), span: span, shape: shape, frame: 1}
}

// inner reports whether a tile inside t, other than t itself, has that span and represents that object.
func (t *tile) inner(span outline.Span, object *hw.Object) bool {
	if object == nil || slices.Contains(t.of, object) {
		return false
	}
	return slices.ContainsFunc(t.kids, func(k *tile) bool {
		return k.span == span && (slices.Contains(k.of, object) || k.inner(span, object))
	})
}

// count counts a communicator for its variable in a tile that represents several objects.
func (f *framer) count(t *tile, l level) bool {
	name := variableOf(l.name)
	for i := range f.counted {
		if c := &f.counted[i]; c.tile == t && c.name == name {
			c.n++
			return true
		}
	}
	f.counted = append(f.counted, counted{t, name, 1})
	return true
}

// notes returns the sentences below the picture.
func (f *framer) notes() []string {
	list := []string{"Solid lines are hardware, dashed lines are communicators, P0 is the process with rank 0 in MPI_COMM_WORLD."}
	if n := len(f.lost); n > 0 {
		const most = 8
		names := strings.Join(f.lost[:min(n, most)], ", ")
		if n > most {
			names += ", ... " + strconv.Itoa(n) + " in all"
		}
		list = append(list, "Not drawn, because no part of the hardware has their processes and no others: "+names+".")
	}
	return list
}
