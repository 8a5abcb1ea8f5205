package boxes

import (
	"slices"
	"strconv"
	"strings"

	"commsplit/hw"
	"commsplit/render/outline"
	"commsplit/render/paint"
)

// Look is the state of a moment: what each rank holds, and what is selected.
type Look struct {
	Cell   func(rank int32) paint.Cell    // of a rank
	Under  func(rank int32) string        // a second line for a rank where cells are tall; nil: none
	Share  func(rank int32) paint.Cell    // of a rank by its communicator's letter alone, for tiles
	Tally  *Tally                         // kept counts, valid while Share returns the same; nil: none are kept
	Lit    func(ranks outline.Span) int   // how many of some ranks are lit; nil: none
	Chosen func(object *hw.Object) bool   // whether an object is selected; nil: none is
	Holds  func(object *hw.Object) string // a remark beside the name of an object; nil: none
}

// Item is what can be chosen at a place: a rank, an object, or a core without a rank.
type Item struct {
	Object *hw.Object
	Rank   int32 // -1: none
	Area   bool  // the place is the whole of a frame, not its name
}

// Picture is drawn lines of a plan, and the items at places on them.
type Picture = paint.Picture[Item]

// Draw draws height lines of the plan, from line from on. The places in the picture count lines from there.
func (p *Plan) Draw(from, height int, look *Look) *Picture {
	d := &drawer{plan: p, look: look, from: from, pic: &Picture{}}
	d.paper = newCanvas(p.size.Width, min(height, max(p.Height-from, 0)))
	if p.top != nil {
		d.block(p.top)
	}
	d.pic.Lines = d.paper.lines()
	return d.pic
}

// drawer draws those blocks of a plan that are on the screen.
type drawer struct {
	plan  *Plan
	look  *Look
	from  int
	paper *canvas
	pic   *Picture
}

func (d *drawer) block(b *block) {
	y := b.y - d.from
	if y+b.h <= 0 || y >= d.paper.h {
		return
	}
	if b.node != nil {
		d.mark(b.x, y, b.w, b.h, Item{b.node.First(), -1, true})
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
		d.tile(b, y)
	}
	if b.flow != nil {
		d.cells(b)
	}
	for _, k := range b.kids {
		d.block(k)
	}
}

func (d *drawer) mark(x, y, w, h int, item Item) {
	d.pic.Places = append(d.pic.Places, paint.Place[Item]{X: x, Y: y, W: w, H: h, Of: item})
}

func (d *drawer) frame(b *block, y int) {
	k := paint.Faint
	c := d.paper
	c.put(b.x, y, "╭"+strings.Repeat("─", b.w-2)+"╮", k)
	for row := max(y+1, 0); row < min(y+b.h-1, c.h); row++ {
		c.put(b.x, row, "│", k)
		c.put(b.x+b.w-1, row, "│", k)
	}
	c.put(b.x, y+b.h-1, "╰"+strings.Repeat("─", b.w-2)+"╯", k)
	d.name(b, b.x+2, y, paint.Plain)
}

// name writes the names of a node's objects; each name is a place of its own.
func (d *drawer) name(b *block, x, y int, k paint.Ink) {
	if y < 0 || y >= d.paper.h {
		return
	}
	x = d.paper.put(x, y, " ", k)
	end := x + nameWidth(b)
	for i, part := range d.plan.names(b.node) {
		if i > 0 {
			x = d.paper.put(x, y, part.lead, paint.Faint)
		}
		ink := k
		if d.chosen(part.object) {
			ink = paint.Bold.Lit()
		}
		text := paint.Cut(part.text, end-x)
		d.mark(x, y, paint.Width(text), 1, Item{part.object, -1, false})
		x = d.paper.put(x, y, text, ink)
	}
	d.paper.put(x, y, " ", k)
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
	d.mark(x, y, w, 1, Item{o, -1, false})
	d.paper.put(x, y, text, ink)
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
		if y >= d.paper.h {
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

// cell draws a cell at a place, in a width of wide columns. The cell of a rank that is bound to several cores
// spans those of its cores that are in the row.
func (d *drawer) cell(s slot, x, y, wide int) {
	p := d.plan
	item := Item{Rank: max(s.rank, nobody)}
	c, under := paint.Cell{State: paint.Vacant, Slot: paint.NoSlot}, ""
	if s.on != nil {
		item.Object = core(s.on)
	}
	if s.rank == shared {
		c.State = paint.Taken
	}
	if s.rank >= 0 {
		c = d.look.Cell(s.rank)
		if d.look.Under != nil && p.mode.high > 1 {
			under = d.look.Under(s.rank)
		}
	} else {
		c.Lit = d.chosen(item.Object)
	}
	d.mark(x, y, wide, p.mode.high, item)
	if p.mode.scale > 0 {
		if big := c.Big(wide, p.mode.high, under); big != nil {
			for row, l := range big {
				if y+row >= 0 && y+row < d.paper.h {
					d.paper.line(x, y+row, l)
				}
			}
			return
		}
	}
	middle := (p.mode.high - 1) / 2
	for row := range p.mode.high {
		if y+row < 0 || y+row >= d.paper.h {
			continue
		}
		var l paint.Line
		switch row {
		case middle:
			c.Draw(&l, wide)
		case middle + 1:
			c.Blank(&l, under, wide)
		default:
			c.Blank(&l, "", wide)
		}
		d.paper.line(x, y+row, l)
	}
}

// core returns the object that stands for a node drawn as a cell: the core of its chain.
func core(n *outline.Node) *hw.Object {
	for _, o := range n.Objects {
		if o.Type == hw.Core {
			return o
		}
	}
	return n.First()
}

// tile draws how many ranks of each communicator a node has: bars as wide as the communicators' shares, with their
// letters.
func (d *drawer) tile(b *block, y int) {
	d.brief(b.node, b.x, y, b.label)
	x, w := b.x+b.label+1, b.w-b.label-1
	list := d.shares(b.node)
	high := max(b.h-1, 1)
	for row := range high {
		if y+row >= 0 && y+row < d.paper.h {
			d.bar(list, b.node.All.Len(), x, y+row, w, row == (high-1)/2)
		}
	}
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

// bar draws shares of n ranks side by side. Where w columns are too few for that, it writes how many shares there
// are.
func (d *drawer) bar(list []share, n, x, y, w int, named bool) {
	var l paint.Line
	switch {
	case n == 0:
		l.Add("·", paint.Faint)
	case least(list, w)*len(list) > w:
		lit := slices.ContainsFunc(list, func(s share) bool { return s.lit })
		c := paint.Cell{Text: strconv.Itoa(len(list)) + " " + noun(list), Slot: paint.NoSlot, Lit: lit}
		c.Draw(&l, w)
	default:
		widths := d.widths(list, n, w)
		full := true
		for i, s := range list {
			full = full && s.full().Width() < widths[i]
		}
		for i, s := range list {
			c := s.cell
			if c.Lit = s.lit; full {
				c = s.full()
			}
			if named {
				c.Draw(&l, widths[i])
			} else {
				c.Blank(&l, "", widths[i])
			}
		}
	}
	d.paper.line(x, y, l)
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
	wide := slices.ContainsFunc(list, func(s share) bool { return s.lit || paint.Width(s.cell.Text) > 1 })
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
