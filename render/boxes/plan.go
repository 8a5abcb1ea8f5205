package boxes

import (
	"math"
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Size is the area and the text that a plan is made for.
type Size struct {
	Width, Height int // of the area; what does not fit in height makes the plan longer
	Text          int // columns of the longest text of a cell
	Fill          Fill
}

// Fill is how cells use lines that are left over.
type Fill uint8

// The ways to use lines that are left over.
const (
	Low   Fill = iota // the lines stay empty
	High              // cells get higher
	Large             // cells get as large as there is room for, and so do their letters
)

// Plan holds where everything lies in an area.
type Plan struct {
	Height int // lines
	Root   *outline.Node

	board *Board
	size  Size
	mode  mode
	wide  int // columns of a cell
	limit int // lines beyond which a block need not be complete
	top   *block
	stops []int // lines where a name or a row of cells begins

	brevity map[hw.Type]int                 // how briefly nodes are named
	labels  map[hw.Type]int                 // columns of the names of strips and tiles
	rooms   map[int32]*room                 // by kind: the most that a node has
	near    map[int]map[*hw.Object][]string // by host and object: see nearTo
	narrow  map[alike]int                   // width of the narrowest block of each kind: no block of the kind may be wider
}

// style is how a node is drawn.
type style uint8

const (
	framed style = iota // a frame with its name, around the nodes below
	headed              // its name on a line, and the nodes below on the next lines
	strip               // its name, and beside it all cells below
	tile                // its name, and how many ranks of which communicator it has
)

// mode is how much room a plan gives to cells and frames.
type mode struct {
	frames int   // levels from the outermost on that have frames
	hosts  style // framed as other nodes, or strips
	pad    int   // blanks in a cell
	gap    int   // columns between cells
	high   int   // lines of a cell
	margin int   // columns between a frame and its content
	dense  bool
	tiles  bool // what would be strips are tiles
	scale  int  // of big letters; 0: letters are of the terminal's size
}

// The modes of cells, from the roomiest on.
var (
	large  = mode{pad: 4, gap: 1, high: 3, margin: 1}
	double = mode{pad: 2, gap: 1, high: 2, margin: 1}
	single = mode{pad: 2, gap: 1, high: 1}
	snug   = mode{pad: 0, gap: 1, high: 1}
	dense  = mode{high: 1, dense: true}

	bars = mode{high: 1, dense: true, tiles: true}

	largeTight  = mode{pad: 4, gap: 1, high: 3}
	doubleTight = mode{pad: 2, gap: 1, high: 2}
)

// manyHosts is the number of hosts from which on each host is a row.
const manyHosts = 16

// block is a node with its place. Coordinates become those of the whole plan at the end, by place.
type block struct {
	style      style
	node       *outline.Node
	x, y, w, h int
	label      int // columns of a strip's name
	kids       []*block
	columns    int   // of the grid of the kids
	below      int   // lines above the grid
	gap        int   // columns between two kids
	edge       int   // columns of the frame on each side
	flow       *flow // nil: no cells
}

// flow is cells in rows of equal length.
type flow struct {
	x, y, w   int
	n, perRow int
	group     int // after so many cells of a row there is a wider gap; 0: nowhere
	deep      bool
	slots     []slot // nil: not asked for yet
}

// Plan fits the nodes below root into an area; if root is nil, it fits the whole board.
func (b *Board) Plan(root *outline.Node, s Size) *Plan {
	if root == nil {
		root = b.Root
	}
	p := &Plan{Root: root, board: b, size: s, labels: map[hw.Type]int{}, rooms: map[int32]*room{}, near: map[int]map[*hw.Object][]string{}}
	if root == nil {
		p.flat()
		return p
	}
	list := b.modes(root)
	if s.Fill == Large {
		list = slices.Concat(b.posters(root, s), list)
	}
	for i, m := range list {
		p.mode, p.wide = m, m.cell(s.Text)
		limit, last := s.Height, i == len(list)-1
		if last {
			limit = math.MaxInt
		}
		if p.top = p.layEqual(root, limit); p.top != nil && p.top.h <= s.Height || last {
			break
		}
	}
	switch {
	case p.top == nil:
	case p.mode.tiles:
		p.heighten(root, mostTile)
	case !p.mode.dense && s.Fill > Low:
		p.heighten(root, p.mostHigh())
	}
	if p.top == nil { // narrower than any frame
		p.mode.hosts, p.mode.frames, p.wide = strip, 0, 1
		p.top = &block{style: headed, node: root, w: s.Width, h: 1}
	}
	p.widen()
	p.place(p.top, 0, 0)
	p.stretch()
	p.shorten()
	p.Height = p.top.h
	p.findStops()
	return p
}

// mostTile is the most lines of a tile.
const mostTile = 4

// heighten gives tiles, or cells, as many lines as the area has, up to most, unless that makes them narrower.
func (p *Plan) heighten(root *outline.Node, most int) {
	for p.mode.high < most {
		p.mode.high++
		next := p.layEqual(root, p.size.Height)
		if next == nil || next.h > p.size.Height || innermost(next) < innermost(p.top) {
			p.mode.high--
			return
		}
		p.top = next
	}
}

// innermost returns the columns of the first block that has no blocks in it.
func innermost(b *block) int {
	for b.style != tile && len(b.kids) > 0 {
		b = b.kids[0]
	}
	return b.w
}

func (m mode) cell(text int) int {
	switch {
	case m.dense:
		return 1
	case m.scale > 0:
		columns, _ := paint.BigSize(max(text, 1), m.scale)
		return columns + m.pad
	}
	return max(text, 1) + m.pad
}

// modes returns the ways to draw the nodes below a node; those that show most come first.
func (b *Board) modes(root *outline.Node) []mode {
	var list []mode
	hosts := hostsBelow(root.Form)
	if hosts < manyHosts {
		for frames := int(b.of(root).level); frames >= 0; frames-- {
			for _, m := range []mode{large, largeTight, double, doubleTight, single, snug} {
				m.frames = frames
				list = append(list, m)
			}
		}
		m := dense
		for _, m.frames = range []int{1, 0} {
			list = append(list, m)
		}
	}
	if hosts > 1 {
		frames := []int{0}
		if slices.ContainsFunc(root.Below, aboveHosts) {
			frames = []int{1, 0} // racks have frames
		}
		for _, m := range []mode{large, double, single, snug, dense, bars} {
			m.hosts = strip
			for _, m.frames = range frames {
				list = append(list, m)
			}
		}
		return list
	}
	m := bars
	for m.frames = int(b.of(root).level) - 1; m.frames >= 0; m.frames-- {
		list = append(list, m)
	}
	return list
}

// hostsBelow counts the hosts in a node; what is no level above hosts counts as one.
func hostsBelow(f *outline.Form) int {
	if !aboveHosts(f) {
		return 1
	}
	sum := 0
	for _, k := range f.Below {
		sum += hostsBelow(k)
	}
	return sum
}

func (p *Plan) styleOf(n *outline.Node, depth int) style {
	switch {
	case p.mode.hosts != framed && isHost(n.Form) && depth > 0 && p.mode.tiles:
		return tile
	case p.mode.hosts != framed && isHost(n.Form) && depth > 0:
		return strip
	case p.depth(n) < p.mode.frames, p.mode.hosts != framed && aboveHosts(n.Form) && p.mode.frames > 0:
		return framed
	case depth == 0, aboveHosts(n.Form):
		return headed
	case p.mode.tiles:
		return tile
	}
	return strip
}

// depth returns how many levels of frames are above the frame of a node. All nodes of a kind have the same depth,
// so that they are drawn equally wherever they are; so have nodes beside each other, so that all of them have
// frames or none has.
func (p *Plan) depth(n *outline.Node) int {
	f := p.board.of(n)
	return int(p.board.of(p.Root).level - max(f.level, f.beside))
}

// most returns the most that a node of a node's kind has.
func (p *Plan) most(n *outline.Node) *room {
	kind := p.board.of(n).kind
	if p.rooms[kind] == nil {
		p.rooms[kind] = p.board.most(kind)
	}
	return p.rooms[kind]
}

// parts returns the nodes below n that get their own blocks, how many cells of n are outside those blocks, and the
// most such cells that a node of its kind has.
func (p *Plan) parts(n *outline.Node) (blocks []*outline.Node, cells, most int) {
	if n.Leaf {
		return nil, p.board.cells(n), p.most(n).cells
	}
	cells, most = p.board.own(n), p.most(n).own
	for _, k := range n.OtherKids() {
		switch {
		case k.Leaf && (p.board.crowd < 2 || p.depth(k) > p.mode.frames || p.mode.hosts != framed):
			cells, most = cells+p.board.cells(k), p.most(n).cells
		default:
			blocks = append(blocks, k)
		}
	}
	return blocks, cells, most
}

// leastFrame is the fewest columns of a frame, mostName the most columns that a short name needs on a frame,
// leastBar the fewest columns of a tile's bar, and mostLabel the most columns of a strip's name.
const (
	leastFrame = 11
	mostName   = 8
	leastBar   = 6
	mostLabel  = 18
)

// lay makes the block of a node at a width; nil when the width is too small. Coordinates are relative to the
// block.
func (p *Plan) lay(n *outline.Node, depth, w, label int) *block {
	b := &block{style: p.styleOf(n, depth), node: n, w: w, label: label}
	if most, ok := p.narrow[p.alike(b)]; ok {
		w = min(w, most)
		b.w = w
	}
	switch b.style {
	case tile:
		if w < label+leastBar {
			return nil
		}
		b.h = p.mode.high
		return b
	case strip:
		b.flow = p.flowOf(p.most(n).deep, p.group(n), w-label-1)
		if b.flow == nil {
			return nil
		}
		b.flow.x, b.flow.deep = label+1, true
		b.h = p.high(b.flow)
		b.flow.n = p.board.cells(n)
		return b
	}
	if b.style == framed {
		b.edge = 1 + p.mode.margin
	}
	inner := w - 2*b.edge
	if inner < p.wide || w < leastFrame || b.style == framed && w < min(paint.Width(p.briefly(n)), mostName)+aroundName {
		return nil
	}
	parts, cells, most := p.parts(n)
	b.h = 1
	if most > 0 {
		if b.flow = p.flowOf(most, 0, inner); b.flow == nil {
			return nil
		}
		b.flow.x, b.flow.y = b.edge, b.h
		b.h += p.high(b.flow)
		b.flow.n = cells
	}
	if len(parts) > 0 && !p.grid(b, parts, depth+1, inner) {
		return nil
	}
	if b.style == framed {
		b.h++
	}
	return b
}

// grid puts blocks for parts into b, in as many columns as make b lowest. Hosts that are a row each get as few
// columns as the height allows.
func (p *Plan) grid(b *block, parts []*outline.Node, depth, w int) bool {
	label, gap := 0, 1
	for _, n := range parts {
		if p.styleOf(n, depth) >= strip {
			label, gap = max(label, p.labelWidth(core(n).Type)), 2
		}
	}
	// The largest node stands for all while the number of columns is chosen.
	example := slices.MaxFunc(parts, func(a, c *outline.Node) int { return p.board.cells(a) - p.board.cells(c) })
	n, best, least := len(parts), 0, 0
	for columns := 1; columns <= min(n, 64); columns++ {
		if n%columns != 0 && betterColumns(n, columns) {
			continue
		}
		try := p.lay(example, depth, (w-(columns-1)*gap)/columns, label)
		if try == nil {
			break
		}
		if h := (n + columns - 1) / columns * try.h; best == 0 || h < least {
			best, least = columns, h
		}
		if try.style >= strip && isHost(example.Form) && b.h+least+depth <= p.size.Height {
			break
		}
	}
	b.gap, b.below = gap, b.h
	if best > 0 && n >= manyHosts && b.h+least > p.limit && !p.unlike(parts) {
		b.h += least
		return true
	}
	if best > 0 {
		each := (w - (best-1)*gap) / best
		b.kids, b.columns = p.layAll(parts, depth, label, best, func(*outline.Node) int { return each }), best
	}
	if n < manyHosts && p.unlike(parts) { // widths in proportion to cores, where that is no higher
		other := p.layAll(parts, depth, label, n, p.shared(parts, w-(n-1)*gap))
		if other != nil && (b.kids == nil || height(other, n) <= height(b.kids, best)) {
			b.kids, b.columns = other, n
		}
	}
	b.h += height(b.kids, b.columns)
	return b.kids != nil
}

// unlike reports whether the nodes are of different kinds.
func (p *Plan) unlike(parts []*outline.Node) bool {
	return slices.ContainsFunc(parts, func(n *outline.Node) bool { return p.board.of(n).kind != p.board.of(parts[0]).kind })
}

// height returns how many lines the blocks take in so many columns.
func height(kids []*block, columns int) int {
	sum := 0
	for i := 0; i < len(kids); i += columns {
		sum += kids[i].h
	}
	return sum
}

// betterColumns reports whether a few more columns would make all rows of n equally long.
func betterColumns(n, columns int) bool {
	if n < manyHosts {
		return true
	}
	for c := columns + 1; c <= 2*columns; c++ {
		if n%c == 0 {
			return true
		}
	}
	return false
}

// layAll makes the blocks of parts. With several columns, all get the height of the highest. It returns nil when a
// node has no room.
func (p *Plan) layAll(parts []*outline.Node, depth, label, columns int, width func(*outline.Node) int) []*block {
	var list []*block
	high := 0
	for _, n := range parts {
		kid := p.lay(n, depth, width(n), label)
		if kid == nil {
			return nil
		}
		high = max(high, kid.h)
		list = append(list, kid)
	}
	if columns > 1 {
		for _, kid := range list {
			kid.h = high
		}
	}
	return list
}

// shared returns a function that gives each of parts, which are in one row, its share of w columns, in proportion
// to its cores.
func (p *Plan) shared(parts []*outline.Node, w int) func(*outline.Node) int {
	sum := 0
	for _, n := range parts {
		sum += int(n.Cores)
	}
	return func(n *outline.Node) int { return w * int(n.Cores) / max(sum, 1) }
}

// labelWidth returns the columns for the names of the strips of a type; the names stand beside the cells.
func (p *Plan) labelWidth(t hw.Type) int {
	w, ok := p.labels[t]
	if !ok {
		p.below(p.Root, t, func(n *outline.Node) { w = max(w, paint.Width(p.briefly(n))) })
		w = min(w, mostLabel, p.size.Width/3)
		p.labels[t] = w
	}
	return w
}

// below visits the nodes for objects of a type, from n on, except memory and the parts of cores. Of equal nodes side by side
// it visits the last, whose number is the longest, unless their names may differ in more than a number.
func (p *Plan) below(n *outline.Node, t hw.Type, visit func(*outline.Node)) {
	if core(n).Type == t {
		visit(n)
	}
	has := func(f *outline.Form) bool { return p.board.forms[f.Shape].types.Has(int(t)) }
	if n.Leaf || !slices.ContainsFunc(n.Others(), has) {
		return
	}
	kids := n.OtherKids()
	for i, k := range kids {
		if has(k.Form) && (t < hw.Package || i+1 == len(kids) || kids[i+1].Form != k.Form) {
			p.below(k, t, visit)
		}
	}
}

// group returns how many cells stand together in a row of a strip: the greatest common divisor of the cells of the
// nodes below n; 0 for no groups.
func (p *Plan) group(n *outline.Node) int {
	if n.Leaf || p.board.own(n) > 0 || p.board.crowd < 2 && slices.ContainsFunc(n.Others(), func(f *outline.Form) bool { return f.Leaf }) {
		return 0
	}
	size, several := 0, 0
	var last *outline.Node
	for _, k := range n.OtherKids() {
		size, several, last = common(size, p.board.cells(k)), several+1, k
	}
	switch {
	case several == 1:
		return p.group(last)
	case size == 1:
		return 0
	}
	return size
}

// common returns the greatest common divisor of a and b, where a may be 0.
func common(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// flowOf puts n cells into rows of width w: as few rows as possible, or up to twice as many if that makes them
// equally long; nil when not even a single cell fits.
func (p *Plan) flowOf(n, group, w int) *flow {
	if w < p.wide || n == 0 {
		return nil
	}
	f := &flow{w: w, n: n, group: group}
	if !p.fits(f, 1, p.wide) {
		return nil
	}
	fit := 1
	for fit < n && p.fits(f, fit+1, p.wide) {
		fit++
	}
	least := (n + fit - 1) / fit
	f.perRow = (n + least - 1) / least
	for _, grouped := range []bool{true, false} {
		for rows := least; rows <= 2*least; rows++ {
			per := n / rows
			if n%rows == 0 && (!grouped || group == 0 || per%group == 0 || group%per == 0) {
				f.perRow = per
				return f
			}
		}
	}
	return f
}

// fits reports whether a row has room for k cells, each of wide columns.
func (p *Plan) fits(f *flow, k, wide int) bool { return p.at(f, k-1, wide)+wide <= f.w }

// at returns the column of the i-th cell of a row.
func (p *Plan) at(f *flow, i, wide int) int {
	x := i * (wide + p.mode.gap)
	if f.group > 0 {
		x += i / f.group
	}
	return x
}

// high returns how many lines the rows of a flow take.
func (p *Plan) high(f *flow) int {
	rows := (f.n + f.perRow - 1) / f.perRow
	return rows*p.mode.high + (rows-1)*p.between()
}

// between returns the lines between rows of cells: 1 for tall cells, to tell them apart, else 0.
func (p *Plan) between() int {
	if p.mode.high > 1 {
		return 1
	}
	return 0
}

// each visits a block and all in it.
func (p *Plan) each(b *block, f func(*block)) {
	f(b)
	for _, k := range b.kids {
		p.each(k, f)
	}
}

// flat plans a world without hardware: its ranks in rows.
func (p *Plan) flat() {
	n := len(p.board.Order)
	list := []mode{large, double, single, snug, dense}
	if p.size.Fill == Large {
		list = slices.Concat(bigModes(n, p.size), list)
	}
	for _, p.mode = range list {
		p.wide = p.mode.cell(p.size.Text)
		f := p.flowOf(n, 0, p.size.Width)
		if f == nil {
			continue
		}
		p.top = &block{style: headed, w: p.size.Width, h: p.high(f), flow: f}
		if p.top.h <= p.size.Height {
			break
		}
	}
	if p.top == nil {
		p.top = &block{style: headed, w: p.size.Width}
		return
	}
	for _, r := range p.board.Order {
		p.top.flow.slots = append(p.top.flow.slots, slot{nil, r})
	}
	p.stretch()
	p.Height = p.top.h
	p.findStops()
}

// findStops lists the lines where names and rows of cells begin.
func (p *Plan) findStops() {
	p.each(p.top, func(b *block) {
		if b.node != nil {
			p.stops = append(p.stops, b.y)
		}
		if f := b.flow; f != nil {
			for y := f.y; y < f.y+p.high(f); y += p.mode.high + p.between() {
				p.stops = append(p.stops, y)
			}
		}
	})
	slices.Sort(p.stops)
	p.stops = slices.Compact(p.stops)
}

// Stops returns the lines where a cursor can stand, ascending.
func (p *Plan) Stops() []int { return p.stops }

// Find returns the line of a rank's cell, or of the block that stands for it; -1 when the rank is not in the plan.
func (p *Plan) Find(rank int) int {
	b, at := p.top, p.board.At[rank]
	if b.node != nil && (at < b.node.All.Lo || at >= b.node.All.Hi) {
		return -1
	}
	for {
		i := slices.IndexFunc(b.kids, func(k *block) bool { return k.node.All.Lo <= at && at < k.node.All.Hi })
		if i < 0 {
			break
		}
		b = b.kids[i]
	}
	if b.flow == nil {
		return b.y
	}
	for i, s := range p.slotsOf(b) {
		if int(s.rank) == rank {
			return b.flow.y + i/b.flow.perRow*(p.mode.high+p.between())
		}
	}
	return b.y
}

// Line returns the line of a node's name, or of its cell; -1 when the node is not in the plan. For memory it
// returns the line of the node that the memory is near.
func (p *Plan) Line(n *outline.Node) int {
	if n.Memory {
		n = p.board.Parent(n)
	}
	var path []*outline.Node // from n to the root of the plan
	for at := n; at != p.Root; at = p.board.Parent(at) {
		if at == nil {
			return -1
		}
		path = append(path, at)
	}
	b := p.top
	for i := len(path) - 1; i >= 0; i-- {
		k := slices.IndexFunc(b.kids, func(k *block) bool { return k.node == path[i] })
		if k < 0 {
			break
		}
		b = b.kids[k]
	}
	if b.node == n || b.flow == nil {
		return b.y
	}
	i := slices.IndexFunc(p.slotsOf(b), func(s slot) bool { return s.on == n })
	return b.flow.y + max(i, 0)/b.flow.perRow*(p.mode.high+p.between())
}

// slotsOf returns the cells of a block.
func (p *Plan) slotsOf(b *block) []slot {
	if b.flow.slots == nil {
		b.flow.slots = p.board.slots(b.node, b.flow.deep)
		if len(b.kids) > 0 { // cores with a block of their own are not cells of b
			b.flow.slots = slices.DeleteFunc(b.flow.slots, func(s slot) bool {
				return s.on != b.node && slices.ContainsFunc(b.kids, func(k *block) bool { return k.node == s.on })
			})
		}
	}
	return b.flow.slots
}
