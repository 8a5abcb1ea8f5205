package render

import "math"

// slideRatio is the width of a slide by its height.
const slideRatio = 1.6

// ratios are the shapes of rows of siblings that are tried.
var ratios = []float64{0.5, 0.7, 1, 1.3, slideRatio, 2, 2.6, 3.5}

// fit finds the places of a tile and of all in it: those that make the whole small, and about as wide
// as a slide.
func (t *tile) fit() {
	try := func(ratio float64) (cost float64) {
		m := measurer{ratio, map[[3]int32]int{}}
		m.measure(t)
		t.spread(t.w)
		w, h := float64(t.w), float64(t.h)
		return math.Log2(w*h) + math.Abs(math.Log2(w/h/slideRatio))
	}
	least, best := math.Inf(1), slideRatio
	for _, ratio := range ratios {
		if cost := try(ratio); cost < least-0.01 {
			least, best = cost, ratio
		}
	}
	try(best)
}

// measurer finds sizes. rows says how many kids equal hardware has in a row.
type measurer struct {
	ratio float64
	rows  map[[3]int32]int
}

// room is the width inside of a tile.
func (t *tile) room() int { return t.w - 2*svgPad }

// headHigh is the height of the label and the badges.
func (t *tile) headHigh() int {
	high := len(t.label) * svgLine
	for _, s := range t.seats {
		_, rows := badgeRows(s.badges, t.room(), func(*badge, int, int) {})
		if high += rows + badgeGap; s.on != "" {
			high += svgLine
		}
	}
	return high
}

// headWide is the least width of the label and the badges.
func (t *tile) headWide() int {
	wide := 0
	if t.text != "" {
		wide = foldedWide
	} else {
		for _, text := range t.label {
			wide = max(wide, svgWide(text, svgFont))
		}
	}
	for _, s := range t.seats {
		row, _ := badgeRows(s.badges[:min(len(s.badges), badgeAcross)], unbounded, func(*badge, int, int) {})
		wide = max(wide, row, svgWide(s.on, svgFont))
	}
	return wide
}

// foldedWide is the least width for the label of several objects, in pixels.
const foldedWide = 190

// measure finds the least width of the tile, and how its kids stand.
func (m *measurer) measure(t *tile) {
	wide := t.headWide()
	for _, b := range t.bars {
		m.measure(b)
		wide = max(wide, b.w)
	}
	for _, k := range t.kids {
		m.measure(k)
	}
	if t.bar() {
		wide += 2 * svgPad
	}
	t.w = wide + 2*svgPad
	t.fill()
	t.blocks = blocksOf(t.kids)
	grids := 0
	for i := range t.blocks {
		if !t.blocks[i].kids[0].folded {
			grids++
		}
	}
	above := t.headHigh() + len(t.bars)*barHigh + 2*svgPad
	for i := range t.blocks {
		b := &t.blocks[i]
		alike := [3]int32{t.shape, b.kids[0].shape, int32(len(b.kids))}
		if m.rows[alike] == 0 {
			m.rows[alike] = b.best(above, float64(grids)*m.ratio)
		}
		b.set(m.rows[alike])
		wide = max(wide, b.width())
	}
	t.w = wide + 2*t.pad()
}

// fill cuts the label of several objects into lines.
func (t *tile) fill() {
	if t.text != "" {
		t.label = svgFill(t.text, svgFont, t.room())
	}
}

// barHigh is about the height of a bar of memory.
const barHigh = 40

// pad is between a tile and its kids.
func (t *tile) pad() int {
	if t.bar() {
		return 0
	}
	return svgPad
}

// least is about the height of a tile that is as wide as need be.
func (t *tile) least() int {
	high := t.headHigh() + 2*t.pad()
	for _, b := range t.bars {
		high += svgGap + b.least()
	}
	for i := range t.blocks {
		for _, h := range t.blocks[i].high {
			high += svgGap + h
		}
	}
	if t.bar() {
		high += svgPad
	}
	return high
}

// spread makes the tile as wide as there is room, and finds its height.
func (t *tile) spread(wide int) {
	t.w = wide
	t.fill()
	room := t.w - 2*t.pad()
	t.h = t.headHigh() + 2*t.pad()
	if t.bar() {
		t.h += svgPad
	}
	for _, b := range t.bars {
		b.spread(room)
		t.h += svgGap + b.h
	}
	for i := range t.blocks {
		t.h += svgGap + t.blocks[i].spread(room)
	}
}
