package render

import (
	"math"
	"slices"

	"commsplit/hw"
)

// tile is a box of the picture of hardware, in lstopo's way: memory as a bar above the processors that
// it belongs to, a cache as a bar without a box around what it covers.
type tile struct {
	class  string
	label  []string
	badges []badge
	bars   []*tile // memory
	kids   []*tile
	cache  bool
	folded bool // stands for several objects
	w, h   int
	at     [][2]int // where the kids are, from where they begin
	shape  int32    // of the hardware: equal hardware is laid out alike
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

// tilesOf makes tiles of the lines of a folded outline.
func tilesOf(l labeler, p *parts, lines []entry) *tile {
	var root *tile
	var path []*tile // the tiles that the present line is in
	for _, e := range lines {
		first := e.nodes[0]
		t := &tile{folded: len(e.nodes) > 1, class: tileClass(first.chain), shape: first.shape}
		t.cache = len(first.chain) == 1 && first.chain[0].Type.IsCache()
		switch {
		case t.folded || e.closed:
			t.label = fillText(l.entryLabel(e), 24)
		default:
			for _, o := range first.chain {
				t.label = append(t.label, l.label(o))
			}
		}
		most := maxCells
		if len(p.of) > manyRanks && !t.folded {
			most = fewBadges
		}
		for _, s := range e.sittings() {
			if s.pus != "" {
				t.label = append(t.label, "on PUs "+s.pus+":")
			}
			t.badges = append(t.badges, p.badgesOf(s.ranks, !t.folded && !e.closed, most)...)
		}
		path = append(path[:e.depth], t)
		switch {
		case e.depth == 0:
			root = t
		case t.class == "memory":
			path[e.depth-1].bars = append(path[e.depth-1].bars, t)
		default:
			path[e.depth-1].kids = append(path[e.depth-1].kids, t)
		}
	}
	return root
}

func (t *tile) pad() int {
	if t.cache && len(t.kids) > 0 {
		return 0
	}
	return svgPad
}

// headHigh is the height of the label and the badges.
func (t *tile) headHigh() int {
	_, high := badgeRows(t.badges, badgeAcross, func(*badge, int, int) {})
	high += len(t.label) * svgLine
	if len(t.badges) > 0 {
		high += badgeGap
	}
	return high
}

// layout finds the size of the tile and the places of those in it. rows says how many kids equal
// hardware has in a row.
func (t *tile) layout(rows map[[2]int32]int) {
	wide, _ := badgeRows(t.badges, badgeAcross, func(*badge, int, int) {})
	for _, text := range t.label {
		wide = max(wide, svgWide(text, svgFont))
	}
	high := t.headHigh()
	if t.cache && len(t.kids) > 0 {
		wide, high = wide+2*svgPad, high+svgPad
	}
	for _, b := range t.bars {
		b.layout(rows)
		wide, high = max(wide, b.w), high+svgGap+b.h
	}
	for _, k := range t.kids {
		k.layout(rows)
	}
	if len(t.kids) > 0 {
		alike := [2]int32{t.shape, int32(len(t.kids))}
		if rows[alike] == 0 {
			rows[alike] = t.across()
		}
		w, h := t.pack(rows[alike], wide)
		wide, high = max(wide, w), high+svgGap+h
	}
	t.w, t.h = wide+2*t.pad(), high+2*t.pad()
}

// slideRatio is the width of a slide by its height.
const slideRatio = 1.6

// across is how many kids a row has so that the whole is about as wide as a slide.
func (t *tile) across() int {
	best, n := math.Inf(1), 1
	for k := 1; k <= len(t.kids); k++ {
		w, h := t.grid(k)
		sum := func(list []int) float64 {
			all := -svgGap
			for _, x := range list {
				all += x + svgGap
			}
			return float64(all)
		}
		if off := math.Abs(math.Log(sum(w) / sum(h) / slideRatio)); off < best {
			best, n = off, k
		}
	}
	return n
}

// grid is the widths of the columns and the heights of the rows, with so many kids in a row.
func (t *tile) grid(across int) (w, h []int) {
	w, h = make([]int, across), make([]int, (len(t.kids)+across-1)/across)
	for i, k := range t.kids {
		w[i%across], h[i/across] = max(w[i%across], k.w), max(h[i/across], k.h)
	}
	return w, h
}

// pack gives the kids their places; each fills its column and row. The only column is as wide as
// there is room.
func (t *tile) pack(across, room int) (wide, high int) {
	w, h := t.grid(across)
	if across == 1 {
		w[0] = max(w[0], room)
	}
	t.at = nil
	y := 0
	for i, k := range t.kids {
		if i%across == 0 {
			if i > 0 {
				y += h[i/across-1] + svgGap
			}
			wide = 0
		}
		t.at = append(t.at, [2]int{wide, y})
		k.w, k.h = w[i%across], h[i/across]
		wide += k.w + svgGap
	}
	wide = -svgGap
	for _, x := range w {
		wide += x + svgGap
	}
	return wide, y + h[len(h)-1]
}

// draw draws the tile and what is in it.
func (t *tile) draw(d *drawing, x, y int) {
	class := "box " + t.class
	bar := t.cache && len(t.kids) > 0
	high := t.h
	if bar {
		high = t.headHigh() + svgPad
	}
	if t.folded {
		d.rect(x+4, y-4, t.w, high, 3, class)
	}
	d.rect(x, y, t.w, high, 3, class)
	left, top := x+svgPad, y+svgPad
	if bar {
		top = y + svgPad/2
	}
	for _, text := range t.label {
		d.text(left, top+svgFont, "", text)
		top += svgLine
	}
	_, badges := badgeRows(t.badges, badgeAcross, func(b *badge, dx, dy int) { d.badge(b, left+dx, top+badgeGap+dy) })
	if badges > 0 {
		top += badges + badgeGap
	}
	if bar {
		left, top = x, top+svgPad/2
	}
	for _, b := range t.bars {
		b.w = t.w - 2*t.pad()
		b.draw(d, left, top+svgGap)
		top += svgGap + b.h
	}
	for i, k := range t.kids {
		k.draw(d, left+t.at[i][0], top+svgGap+t.at[i][1])
	}
}
