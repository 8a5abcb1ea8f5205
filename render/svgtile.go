package render

import (
	"slices"

	"commsplit/hw"
)

// tile is a box of the picture of hardware, in lstopo's way: memory as a bar above the processors that
// it belongs to, a cache as a bar without a box around what it covers.
type tile struct {
	class  string
	label  []string
	text   string // the label of a tile that stands for several objects, filled when its width is known
	seats  []seatRow
	bars   []*tile // memory
	kids   []*tile
	cache  bool
	folded bool    // stands for several objects
	shape  int32   // of the hardware: equal hardware is laid out alike
	w, h   int     // at least, then as drawn
	blocks []block // of kids
}

// seatRow is ranks that sit in one place.
type seatRow struct {
	on     string // "on PUs 4-5:", "" for the whole object
	badges []badge
}

// tileColors are the types that have a color; hwloc leaves the others white.
var tileColors = map[hw.Type]string{
	hw.Package: "package", hw.Die: "die", hw.Core: "core", hw.NUMANode: "memory", hw.MemCache: "memory",
}

// tileClass is the color of objects in one box: that of the innermost one that has a color.
func tileClass(chain []*hw.Object) string {
	for _, o := range slices.Backward(chain) {
		if class := tileColors[o.Type]; class != "" {
			return class
		}
	}
	return "plain"
}

// nest cuts the objects of one line into those that share a box, each around the next: a machine is
// white around its only package, and that is green around its only core.
func nest(chain []*hw.Object) [][]*hw.Object {
	const around, packaged, inside = 0, 1, 2
	kind := func(o *hw.Object, before int) int {
		switch {
		case o.Type == hw.Package || o.Type == hw.Die:
			return packaged
		case o.Type == hw.Machine || o.Type == hw.Level || o.Type == hw.Group:
			return before
		}
		return inside
	}
	var list [][]*hw.Object
	last := around
	for i, o := range chain {
		if k := kind(o, last); i == 0 || k != last {
			last, list = k, append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], o)
	}
	return list
}

// tiler makes tiles.
type tiler struct {
	labeler labeler
	parts   *parts
	path    []*tile // the tiles that the present line is in
}

// tilesOf makes tiles of the lines of a folded outline.
func tilesOf(l labeler, p *parts, lines []entry) *tile {
	m := tiler{labeler: l, parts: p}
	for _, e := range lines {
		m.add(e)
	}
	return m.path[0]
}

func (m *tiler) add(e entry) {
	outer, inner := m.tiles(e)
	switch {
	case e.depth == 0:
	case inner.class == "memory":
		above := m.path[e.depth]
		above.bars = append(above.bars, outer)
	default:
		above := m.path[e.depth]
		above.kids = append(above.kids, outer)
	}
	if e.depth == 0 {
		m.path = []*tile{outer}
	}
	m.path = append(m.path[:e.depth+1], inner)
}

// tiles are the box of a line, and the one inside of it that holds what is below; often the same.
func (m *tiler) tiles(e entry) (outer, inner *tile) {
	first := e.nodes[0]
	if first.device != "" {
		t := &tile{class: "plain", label: []string{m.labeler.entryLabel(e)}, shape: first.shape}
		return t, t
	}
	chain := nest(first.chain)
	if len(e.nodes) > 1 || e.closed {
		t := &tile{folded: len(e.nodes) > 1, text: m.labeler.entryLabel(e), class: tileClass(chain[0]), shape: first.shape}
		m.seat(t, e)
		return t, t
	}
	for i, objects := range slices.Backward(chain) {
		t := &tile{class: tileClass(objects), shape: first.shape}
		for _, o := range objects {
			t.label = append(t.label, m.labeler.label(o))
		}
		if i == len(chain)-1 {
			t.cache = len(first.chain) == 1 && objects[0].Type.IsCache()
			m.seat(t, e)
			inner = t
		} else {
			t.kids = []*tile{outer}
		}
		outer = t
	}
	return outer, inner
}

// seat puts badges of the ranks of a line on its tile.
func (m *tiler) seat(t *tile, e entry) {
	most := maxCells
	if len(m.parts.of) > manyRanks && !t.folded {
		most = fewBadges
	}
	for _, s := range e.sittings() {
		on := ""
		if s.pus != "" {
			on = shorten("on PUs "+s.pus) + ":"
		}
		t.seats = append(t.seats, seatRow{on, m.parts.badgesOf(s.ranks, !t.folded && !e.closed, most)})
	}
}

// bar reports whether the tile is drawn as a bar above its kids, which no box surrounds.
func (t *tile) bar() bool { return t.cache && len(t.kids) > 0 }

// draw draws the tile and what is in it.
func (t *tile) draw(d *drawing, x, y int) {
	class := "box " + t.class
	high := t.h
	if t.bar() {
		high = t.headHigh() + svgPad
	}
	if t.folded {
		d.rect(x+4, y-4, t.w, high, 3, class)
	}
	d.rect(x, y, t.w, high, 3, class)
	left, top := x+svgPad, y+svgPad
	if t.bar() {
		top = y + svgPad/2
	}
	for _, text := range t.label {
		d.text(left, top+svgFont, "", text)
		top += svgLine
	}
	for _, s := range t.seats {
		if s.on != "" {
			d.text(left, top+svgFont, "", s.on)
			top += svgLine
		}
		_, high := badgeRows(s.badges, t.room(), func(b *badge, dx, dy int) { d.badge(b, left+dx, top+badgeGap+dy) })
		top += high + badgeGap
	}
	if t.bar() {
		left, top = x, top+svgPad/2
	}
	for _, b := range t.bars {
		b.draw(d, left, top+svgGap)
		top += svgGap + b.h
	}
	for _, k := range t.blocks {
		top = k.draw(d, left, top+svgGap)
	}
}
