package boxes

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Look is the look of a moment: what each rank holds, and the selection.
type Look struct {
	Cell   func(rank int32) paint.Cell  // of a rank
	Says   func(rank int32) string      // what a rank holds, in words; nil: nothing is said
	Under  func(rank int32) string      // a second line for a rank where cells are tall; nil: none
	Share  func(rank int32) paint.Cell  // of a rank by its communicator's letter alone, for tiles
	Tally  *Tally                       // kept counts, valid while Share returns the same; nil: none are kept
	Lit    func(ranks outline.Span) int // how many of some ranks are lit; nil: none
	Chosen func(object *hw.Object) bool // whether an object is selected; nil: none is
}

// Scene arranges height lines of the plan, from line from on, which is the first line of the scene.
func (p *Plan) Scene(from, height int, look *Look) *scene.Scene {
	d := &drawer{plan: p, look: look, from: from}
	d.out = &scene.Scene{Width: p.size.Width, Height: min(height, max(p.Height-from, 0))}
	if p.top != nil {
		d.block(p.top)
	}
	return d.out
}

// drawer arranges those blocks of a plan that are on the screen.
type drawer struct {
	plan *Plan
	look *Look
	from int
	out  *scene.Scene
}

func (d *drawer) block(b *block) {
	y := b.y - d.from
	if y+b.h <= 0 || y >= d.out.Height {
		return
	}
	if b.node != nil {
		d.out.Add(scene.Thing{Kind: scene.Area, X: b.x, Y: y, W: b.w, H: b.h, Of: scene.On(b.node.First())})
	}
	switch {
	case b.node == nil:
	case b.style == framed:
		d.frame(b, y)
	case b.style == headed:
		d.name(b, b.x, y, paint.Bold)
	case b.style == strip:
		d.brief(b.node, b.x, y, b.label)
	case b.style == tile:
		d.brief(b.node, b.x, y, b.label)
		d.bar(b, y)
	}
	if b.flow != nil {
		d.cells(b)
	}
	for _, k := range b.kids {
		d.block(k)
	}
}

func (d *drawer) frame(b *block, y int) {
	t := scene.Thing{Kind: scene.Frame, X: b.x, Y: y, W: b.w, H: b.h, Ink: paint.Faint}
	ink := paint.Plain
	if n := b.node.Around; n != nil {
		t.Dashed, t.Ink, ink = true, paint.Part(n.Slot), paint.Part(n.Slot)
	}
	d.out.Add(t)
	d.name(b, b.x+2, y, ink)
}

// name writes the names of a node's objects; each name stands for its object.
func (d *drawer) name(b *block, x, y int, k paint.Ink) {
	if y < 0 || y >= d.out.Height {
		return
	}
	put := func(text string, k paint.Ink, of *hw.Object) {
		w := paint.Width(text)
		d.out.Add(scene.Thing{Kind: scene.Text, X: x, Y: y, W: w, H: 1, Text: text, Ink: k, Cover: b.style == framed, Of: scene.On(of)})
		x += w
	}
	put(" ", k, nil)
	end := x + nameWidth(b)
	for i, part := range d.plan.names(b.node) {
		if i > 0 {
			put(part.lead, paint.Faint, nil)
		}
		ink := k
		if d.chosen(part.object) {
			ink = paint.Bold.Lit()
		}
		put(paint.Cut(part.text, end-x), ink, part.object)
	}
	put(" ", k, nil)
}

func (d *drawer) chosen(o *hw.Object) bool {
	return d.look.Chosen != nil && o != nil && d.look.Chosen(o)
}

// brief writes the short name of a node, in w columns.
func (d *drawer) brief(n *outline.Node, x, y, w int) {
	text := paint.Cut(d.plan.briefly(n), w)
	ink := paint.Plain
	o := d.plan.brief(n)
	if d.chosen(o) || d.chosen(n.First()) {
		ink = paint.Bold.Lit()
	}
	d.out.Add(scene.Thing{Kind: scene.Text, X: x, Y: y, W: w, H: 1, Text: text, Ink: ink, Of: scene.On(o)})
}

// cells draws those rows of a block's cells that are on the screen.
func (d *drawer) cells(b *block) {
	p, f := d.plan, b.flow
	list := p.slotsOf(b)
	pitch, indent := p.mode.high+p.between(), 0
	if b.style == framed {
		indent = (f.w - p.at(f, min(f.perRow, len(list))-1, p.wide) - p.wide) / 2
	}
	first := max(0, (d.from-f.y)/pitch)
	for row := first; row*f.perRow < len(list); row++ {
		y := f.y + row*pitch - d.from
		if y >= d.out.Height {
			return
		}
		line := list[row*f.perRow : min((row+1)*f.perRow, len(list))]
		for i := 0; i < len(line); {
			next := i + 1
			for line[i].rank >= 0 && next < len(line) && line[next].rank == line[i].rank {
				next++
			}
			x := p.at(f, i, p.wide)
			d.cell(line[i], f.x+indent+x, y, p.at(f, next-1, p.wide)+p.wide-x)
			i = next
		}
	}
}

// cell adds a cell at a place, in a width of wide columns. The cell of a rank that is bound to several cores
// spans those of its cores that are in the row.
func (d *drawer) cell(s slot, x, y, wide int) {
	p := d.plan
	t := scene.Thing{Kind: scene.Cell, X: x, Y: y, W: wide, H: p.mode.high, Big: p.mode.scale > 0,
		Cell: paint.Cell{State: paint.Vacant, Slot: paint.NoSlot}}
	if s.on != nil {
		t.Of = scene.On(core(s.on))
		if !p.board.Topology.Allows(core(s.on)) {
			t.Cell.State, t.Says = paint.Barred, "a core that this process may not use"
		}
	}
	if s.rank == shared {
		t.Cell.State = paint.Taken
	}
	if s.rank >= 0 {
		t.Of = scene.Rank(int(s.rank), t.Of.Object)
		t.Cell = d.look.Cell(s.rank)
		if d.look.Under != nil && p.mode.high > 1 {
			t.Under = d.look.Under(s.rank)
		}
		if d.look.Says != nil {
			t.Says = d.look.Says(s.rank)
		}
	} else {
		t.Cell.Lit = d.chosen(t.Of.Object)
	}
	if s.on != nil && p.mode.high > 1 {
		d.kind(&t, s.on)
	}
	d.out.Add(t)
}

// kind adds the kind of a core to its cell, where cores of other kinds are beside it.
func (d *drawer) kind(t *scene.Thing, n *outline.Node) {
	kind := d.plan.kindOf(n)
	if kind == "" {
		return
	}
	if text := strings.TrimLeft(t.Under+" "+kind, " "); paint.Width(text) <= t.W {
		t.Under = text
	}
	if t.Says != "" {
		t.Says += ", on a core of kind " + strings.TrimPrefix(kind, "kind ")
	}
}

// core returns the object that stands for a node drawn as a cell: the core of its chain.
func core(n *outline.Node) *hw.Object { return coreOf(n.Objects) }

func coreOf(objects []*hw.Object) *hw.Object {
	return objects[max(0, slices.IndexFunc(objects, func(o *hw.Object) bool { return o.Type == hw.Core }))]
}

// Tally holds how many ranks of each tile are drawn alike. Counting them looks at every rank; a key that only
// moves the selection must not wait for that.
type Tally struct{ of map[*outline.Node][]share }

// share is a number of ranks of a tile that are drawn alike.
type share struct {
	cell paint.Cell
	n    int
	lit  bool // at least one of the ranks is selected
}

// shares counts the ranks of a tile that are drawn alike. The shares are in the order of their first ranks.
func (d *drawer) shares(n *outline.Node) []share {
	t := d.look.Tally
	if t == nil {
		t = &Tally{}
	}
	if t.of == nil {
		t.of = map[*outline.Node][]share{}
	}
	kept, ok := t.of[n]
	if !ok {
		kept = d.count(n.All)
		t.of[n] = kept
	}
	list := slices.Clone(kept)
	if d.look.Lit != nil {
		d.highlight(list, n.All)
	}
	return list
}

func (d *drawer) count(ranks outline.Span) []share {
	var list []share
	last := -1
	for _, r := range d.plan.board.Ranks(ranks) {
		if c := d.share(r); last < 0 || list[last].cell != c {
			if last = among(list, c); last < 0 {
				last = len(list)
				list = append(list, share{cell: c})
			}
		}
		list[last].n++
	}
	return list
}

// share returns how a rank is drawn in a tile, as if it were not selected.
func (d *drawer) share(rank int32) paint.Cell {
	c := d.look.Share(rank)
	c.Lit = false
	return c
}

func among(list []share, c paint.Cell) int {
	return slices.IndexFunc(list, func(s share) bool { return s.cell == c })
}

// highlight marks the shares that contain a selected rank. It halves the span of ranks while some of them are
// selected, and stops when all shares are marked.
func (d *drawer) highlight(list []share, ranks outline.Span) {
	n := d.look.Lit(ranks)
	if n == 0 || !slices.ContainsFunc(list, func(s share) bool { return !s.lit }) {
		return
	}
	if ranks.Len() == 1 {
		if k := among(list, d.share(d.plan.board.Ranks(ranks)[0])); k >= 0 {
			list[k].lit = true
		}
		return
	}
	middle := (ranks.Lo + ranks.Hi) / 2
	d.highlight(list, outline.Span{Lo: ranks.Lo, Hi: middle})
	d.highlight(list, outline.Span{Lo: middle, Hi: ranks.Hi})
}

// bar adds how many ranks of each communicator the node of a tile has: side by side, as wide as the communicators'
// shares, with their letters; in color without letters where the columns are too few for these. Where they are too few
// for that, too, it adds a cell with the number of shares.
func (d *drawer) bar(b *block, y int) {
	n, list := b.node, d.shares(b.node)
	x, w, high := b.x+b.label+1, b.w-b.label-1, max(b.h-1, 1)
	add := func(c paint.Cell, w int) {
		d.out.Add(scene.Thing{Kind: scene.Cell, X: x, Y: y, W: w, H: high, Cell: c})
		x += w
	}
	switch {
	case n.All.Len() == 0:
		d.out.Put(x, y+(high-1)/2, "·", paint.Faint)
	case least(list, w)*len(list) > w && (len(list) > w || noun(list) == "values"):
		lit := slices.ContainsFunc(list, func(s share) bool { return s.lit })
		add(paint.Cell{Text: strconv.Itoa(len(list)) + " " + noun(list), Slot: paint.NoSlot, Lit: lit}, w)
	default:
		if least(list, w)*len(list) > w {
			list = slices.Clone(list)
			for i := range list {
				list[i].cell.Text = ""
			}
		}
		widths := d.widths(list, n.All.Len(), w)
		full := true
		for i, s := range list {
			full = full && s.cell.Text != "" && s.full().Width() < widths[i]
		}
		for i, s := range list {
			c := s.cell
			if c.Lit = s.lit; full {
				c = s.full()
			}
			add(c, widths[i])
		}
	}
}

// noun names what the shares differ in: communicators, or values that ranks passed to a call.
func noun(list []share) string {
	if slices.ContainsFunc(list, func(s share) bool { return s.cell.State == paint.Holds && s.cell.Slot == paint.NoSlot }) {
		return "values"
	}
	return "comms"
}

// full returns the cell of a share with the number of its ranks.
func (s share) full() paint.Cell {
	c := s.cell
	c.Lit = s.lit
	if c.State == paint.Holds || c.State == paint.Blocked {
		c.Text += "×" + strconv.Itoa(s.n)
	}
	return c
}

// least returns the fewest columns of a share: 1 where there is no room for 2 each and no share needs 2 for its
// text, else 2.
func least(list []share, w int) int {
	wide := slices.ContainsFunc(list, func(s share) bool { return paint.Width(s.cell.Text) > 1 })
	if len(list)*2 > w && !wide {
		return 1
	}
	return 2
}

// widths returns the columns of each share of n ranks in w columns; equal shares get equal widths.
func (d *drawer) widths(list []share, n, w int) []int {
	out := make([]int, len(list))
	each := least(list, w)
	for i, s := range list {
		out[i] = each + s.n*(w-each*len(list))/n
	}
	return out
}

// Borders returns the names on the borders that the plan shows whole.
func (p *Plan) Borders() []string {
	var list []string
	p.each(p.top, func(b *block) {
		if b.node != nil && b.node.Around != nil && b.style == framed && width(p.names(b.node)) <= nameWidth(b) {
			list = append(list, b.node.Around.Names...)
		}
	})
	return list
}
