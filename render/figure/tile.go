package figure

import (
	"math"
	"slices"

	"commsplit/hw"
	"commsplit/render/outline"
	"commsplit/render/paint"
)

// tile is a box of the picture of hardware, as lstopo draws it: memory is a bar above its processors, a cache is a
// bar that has no box around the hardware below it.
type tile struct {
	class  string
	label  []string
	text   string // the label of a tile that stands for several objects, filled when its width is known
	seats  []seatRow
	bars   []*tile // memory
	kids   []*tile
	cache  bool
	folded bool         // stands for several objects
	frame  int          // of a communicator: the number of its frame around the same ranks, from outside; 0: hardware
	shape  int32        // of the hardware: equal hardware gets the same layout
	span   outline.Span // the ranks in it
	of     []*hw.Object // the objects that the tile stands for
	w, h   int          // the least size; after spread, the size as drawn
	blocks []block      // of kids
	across int          // badges that must have room in a row; 0: badgeAcross
}

// seatRow is a row of badges: ranks in one place.
type seatRow struct {
	on     string // "on PUs 4-5:", "" for the whole object
	badges []badge
}

// tileColors maps types to classes with a color; hwloc leaves other types white.
var tileColors = map[hw.Type]string{
	hw.Package: "package", hw.Die: "die", hw.Core: "core", hw.NUMANode: "memory", hw.MemCache: "memory",
}

// tileClass returns the class of objects that share a box: that of the innermost object with a color.
func tileClass(chain []*hw.Object) string {
	for _, o := range slices.Backward(chain) {
		if class := tileColors[o.Type]; class != "" {
			return class
		}
	}
	return "plain"
}

// nest divides the objects of a line into groups that share a box, each box around the next: a machine is white
// around its only package, and the package is green around its only core.
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

// longestText is the most columns of a list of PUs on a tile.
const longestText = 40

// tiler makes tiles.
type tiler struct {
	outline *outline.Outline
	badges  func(ranks []int32, single bool, most int) []badge
	path    []*tile // the tiles around the current line, by depth
}

// tilesOf makes tiles of the lines of a folded outline, with badges for the ranks.
func tilesOf(o *outline.Outline, badges func(ranks []int32, single bool, most int) []badge, lines []outline.Line) *tile {
	m := tiler{outline: o, badges: badges}
	for i := range lines {
		m.add(&lines[i])
	}
	return m.path[0]
}

func (m *tiler) add(l *outline.Line) {
	outer, inner := m.tiles(l)
	switch {
	case l.Depth == 0:
	case inner.class == "memory":
		above := m.path[l.Depth]
		above.bars = append(above.bars, outer)
	default:
		above := m.path[l.Depth]
		above.kids = append(above.kids, outer)
	}
	if l.Depth == 0 {
		m.path = []*tile{outer}
	}
	m.path = append(m.path[:l.Depth+1], inner)
}

// tiles returns the box of a line, and the box inside it that holds the lines below; often both are the same.
func (m *tiler) tiles(l *outline.Line) (outer, inner *tile) {
	first := l.Nodes[0]
	if first.Device != "" {
		t := &tile{class: "plain", label: []string{m.outline.Label(l)}, shape: first.Shape}
		return t, t
	}
	chain := nest(first.Objects)
	if len(l.Nodes) > 1 || l.Closed {
		t := &tile{folded: len(l.Nodes) > 1, text: m.outline.Label(l), class: tileClass(chain[0]), shape: first.Shape, span: l.All(), of: first.Objects}
		m.seat(t, l)
		return t, t
	}
	for i, objects := range slices.Backward(chain) {
		t := &tile{class: tileClass(objects), shape: first.Shape, span: l.All(), of: objects}
		for _, o := range objects {
			t.label = append(t.label, outline.Name(m.outline.Topology, o))
		}
		if i == len(chain)-1 {
			t.cache = len(first.Objects) == 1 && objects[0].Type.IsCache()
			m.seat(t, l)
			inner = t
		} else {
			t.kids = []*tile{outer}
		}
		outer = t
	}
	return outer, inner
}

// seat puts badges of the ranks of a line on its tile.
func (m *tiler) seat(t *tile, l *outline.Line) {
	most := mostBadges
	if len(m.outline.At) > manyRanks && !t.folded {
		most = fewBadges
	}
	for _, s := range m.outline.Seats(l) {
		on := ""
		if s.PUs != "" {
			on = paint.Cut("on PUs "+s.PUs, longestText) + ":"
		}
		t.seats = append(t.seats, seatRow{on, m.badges(s.Ranks, !t.folded && !l.Closed, most)})
	}
}

// bar reports whether the tile is drawn as a bar above its kids, without a box around them.
func (t *tile) bar() bool { return t.cache && len(t.kids) > 0 }

// draw draws the tile and everything in it.
func (t *tile) draw(d *drawing, x, y int) {
	class := "box " + t.class
	high := t.h
	if t.bar() {
		high = t.headHigh() + padding
	}
	if t.folded {
		d.rect(x+4, y-4, t.w, high, 3, class)
	}
	d.rect(x, y, t.w, high, 3, class)
	left, top := x+padding, y+padding
	if t.bar() {
		top = y + padding/2
	}
	for _, text := range t.label {
		d.text(left, top+fontSize, "", text)
		top += lineHigh
	}
	for _, s := range t.seats {
		if s.on != "" {
			d.text(left, top+fontSize, "", s.on)
			top += lineHigh
		}
		_, high := badgeRows(s.badges, t.room(), func(b *badge, dx, dy int) { d.badge(b, left+dx, top+badgeGap+dy) })
		top += high + badgeGap
	}
	if t.bar() {
		left, top = x, top+padding/2
	}
	for _, b := range t.bars {
		b.draw(d, left, top+spacing)
		top += spacing + b.h
	}
	for _, k := range t.blocks {
		top = k.draw(d, left, top+spacing)
	}
}

// block is kids of a tile in a grid: siblings with equal hardware, or a single kid that stands for several objects
// and fills a row.
type block struct {
	kids []*tile
	wide []int // of the columns, at least
	high []int // of the rows
	room int   // for all columns
}

// emptyCost weighs the share of empty places in a grid; a grid that is twice as wide as it should be costs 1.
const emptyCost = 4

// blocksOf puts kids into blocks. Runs of kids with equal hardware become a block each, unless a run has a single
// kid: then all kids between folded ones become a block. A folded kid is always a block alone.
func blocksOf(kids []*tile) []block {
	var list []block
	for i, k := range kids {
		if i == 0 || k.folded || kids[i-1].folded || k.shape != kids[i-1].shape {
			list = append(list, block{})
		}
		b := &list[len(list)-1]
		b.kids = append(b.kids, k)
	}
	runs, single := 0, false
	for _, b := range list {
		if !b.kids[0].folded {
			runs, single = runs+1, single || len(b.kids) == 1
		}
	}
	if runs < 2 || !single {
		return list
	}
	var mixed []block
	for i, b := range list {
		if i == 0 || b.kids[0].folded || list[i-1].kids[0].folded {
			mixed = append(mixed, block{})
		}
		m := &mixed[len(mixed)-1]
		m.kids = append(m.kids, b.kids...)
	}
	return mixed
}

// best returns how many kids a row of the block gets, so that the block with the height above has about the given
// ratio of width to height, and few places are empty.
func (b *block) best(above int, ratio float64) int {
	least, n := math.Inf(1), 1
	for k := 1; k <= len(b.kids); k++ {
		b.set(k)
		high := above
		for _, h := range b.high {
			high += h + spacing
		}
		empty := float64(len(b.high)*k-len(b.kids)) / float64(len(b.high)*k)
		off := math.Abs(math.Log2(float64(b.width())/float64(high)/ratio)) + emptyCost*empty
		if off < least {
			least, n = off, k
		}
	}
	return n
}

// set makes a grid with across kids in a row.
func (b *block) set(across int) {
	b.wide, b.high = make([]int, across), make([]int, (len(b.kids)+across-1)/across)
	alike := true
	for i, k := range b.kids {
		b.wide[i%across] = max(b.wide[i%across], k.w)
		b.high[i/across] = max(b.high[i/across], k.least())
		alike = alike && k.shape == b.kids[0].shape
	}
	for i := range b.wide {
		if alike {
			b.wide[i] = slices.Max(b.wide)
		}
	}
	b.room = b.width()
}

func (b *block) width() int {
	all := -spacing
	for _, w := range b.wide {
		all += w + spacing
	}
	return all
}

// spread shares room among the columns, and returns the height of all rows.
func (b *block) spread(room int) (high int) {
	b.room = room
	clear(b.high)
	for i, k := range b.kids {
		k.spread(b.left(i%len(b.wide)+1) - b.left(i%len(b.wide)) - spacing)
		b.high[i/len(b.wide)] = max(b.high[i/len(b.wide)], k.h)
	}
	for i, k := range b.kids {
		k.h = b.high[i/len(b.wide)]
	}
	for i, h := range b.high {
		if high += h; i > 0 {
			high += spacing
		}
	}
	return high
}

// left returns the x at which a column begins.
func (b *block) left(column int) int {
	x := column * (b.room - b.width()) / len(b.wide)
	for _, w := range b.wide[:column] {
		x += w + spacing
	}
	return x
}

// draw draws the kids from x and y on, and returns the y where they end.
func (b *block) draw(d *drawing, x, y int) int {
	for i := range b.high {
		for k, kid := range b.kids[i*len(b.wide) : min((i+1)*len(b.wide), len(b.kids))] {
			kid.draw(d, x+b.left(k), y)
		}
		y += b.high[i] + spacing
	}
	return y - spacing
}

// slideRatio is the ratio of a slide's width to its height.
const slideRatio = 1.6

// ratios are the ratios of width to height that fit tries for rows of siblings.
var ratios = []float64{0.5, 0.7, 1, 1.3, slideRatio, 2, 2.6, 3.5}

// fit lays out a tile and everything in it. It takes the layout that is small and about as wide as a slide.
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

// measurer finds sizes. rows holds how many kids stand in a row, so that equal hardware gets equal rows.
type measurer struct {
	ratio float64
	rows  map[[3]int32]int
}

// room returns the width inside a tile.
func (t *tile) room() int { return t.w - 2*padding }

// headHigh returns the height of the label and the badges.
func (t *tile) headHigh() int {
	high := len(t.label) * lineHigh
	for _, s := range t.seats {
		_, rows := badgeRows(s.badges, t.room(), func(*badge, int, int) {})
		if high += rows + badgeGap; s.on != "" {
			high += lineHigh
		}
	}
	return high
}

// headWide returns the least width of the label and the badges.
func (t *tile) headWide() int {
	wide := 0
	if t.text != "" {
		wide = foldedWide
	} else {
		for _, text := range t.label {
			wide = max(wide, textWide(text, fontSize))
		}
	}
	for _, s := range t.seats {
		row, _ := badgeRows(s.badges[:min(len(s.badges), max(badgeAcross, t.across))], outline.Unlimited, func(*badge, int, int) {})
		wide = max(wide, row, textWide(s.on, fontSize))
	}
	return wide
}

// foldedWide is the least width for the label of several objects, in pixels.
const foldedWide = 190

// measure finds the least width of the tile, and the grids of its kids.
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
		wide += 2 * padding
	}
	t.w = wide + 2*padding
	t.fill()
	t.blocks = blocksOf(t.kids)
	grids := 0
	for i := range t.blocks {
		if !t.blocks[i].kids[0].folded {
			grids++
		}
	}
	above := t.headHigh() + len(t.bars)*barHigh + 2*padding
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

// fill breaks the label of several objects into lines.
func (t *tile) fill() {
	if t.text != "" {
		t.label = fillLines(t.text, fontSize, t.room())
	}
}

// barHigh is the approximate height of a bar of memory.
const barHigh = 40

// pad returns the space between a tile's edge and its kids.
func (t *tile) pad() int {
	if t.bar() {
		return 0
	}
	return padding
}

// least returns the approximate height of a tile at its least width.
func (t *tile) least() int {
	high := t.headHigh() + 2*t.pad()
	for _, b := range t.bars {
		high += spacing + b.least()
	}
	for i := range t.blocks {
		for _, h := range t.blocks[i].high {
			high += spacing + h
		}
	}
	if t.bar() {
		high += padding
	}
	return high
}

// spread makes the tile wide pixels wide, and finds its height.
func (t *tile) spread(wide int) {
	t.w = wide
	t.fill()
	room := t.w - 2*t.pad()
	t.h = t.headHigh() + 2*t.pad()
	if t.bar() {
		t.h += padding
	}
	for _, b := range t.bars {
		b.spread(room)
		t.h += spacing + b.h
	}
	for i := range t.blocks {
		t.h += spacing + t.blocks[i].spread(room)
	}
}
