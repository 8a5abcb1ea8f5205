package boxes

import (
	"strconv"
	"strings"

	"commsplit/hw"
	"commsplit/render/outline"
	"commsplit/render/paint"
)

// Look is how a moment looks: what each rank holds, and what is selected.
type Look struct {
	Cell   func(rank int32) paint.Cell    // a rank
	Under  func(rank int32) string        // a second line for a rank where cells are tall; nil: none
	Share  func(rank int32) paint.Cell    // its communicator, by the letter alone, for cells that stand for several
	Lit    func(ranks outline.Span) int   // how many of some ranks are lit; nil: none
	Chosen func(object *hw.Object) bool   // whether an object is selected; nil: none is
	Holds  func(object *hw.Object) string // a remark beside the name of an object; nil: none
}

// Item is what can be chosen at a place: a rank, an object, or a core that no rank is on.
type Item struct {
	Object *hw.Object
	Rank   int32 // -1: none
	Area   bool  // the place is the whole of a frame, not its name
}

// Picture is lines of a plan, and what lies where on them.
type Picture = paint.Picture[Item]

// Draw draws height lines of the plan from a line on. Places are counted from that line.
func (p *Plan) Draw(from, height int, look *Look) *Picture {
	d := &drawer{plan: p, look: look, from: from, pic: &Picture{}}
	d.paper = newCanvas(p.size.Width, min(height, max(p.Height-from, 0)))
	if p.top != nil {
		d.block(p.top)
	}
	d.pic.Lines = d.paper.lines()
	return d.pic
}

// drawer draws the blocks of a plan that show.
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

// name writes the names of the objects of a node, each to be chosen by itself.
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

// brief writes the short name of a node.
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

// cells draws the rows of cells that show.
func (d *drawer) cells(b *block) {
	p, f := d.plan, b.flow
	list := p.slotsOf(b)
	pitch, indent := p.mode.high+p.between(), 0
	if b.style == framed {
		indent = (f.w - p.at(f, f.perRow-1, p.wide) - p.wide) / 2
	}
	first := max(0, (d.from-f.y)/pitch)
	for row := first; row*f.perRow < len(list); row++ {
		y := f.y + row*pitch - d.from
		if y >= d.paper.h {
			return
		}
		for i, s := range list[row*f.perRow : min((row+1)*f.perRow, len(list))] {
			d.cell(s, f.x+indent+p.at(f, i, p.wide), y)
		}
	}
}

func (d *drawer) cell(s slot, x, y int) {
	p := d.plan
	item := Item{Rank: s.rank}
	c, under := paint.Cell{State: paint.Vacant, Slot: paint.NoSlot}, ""
	if s.on != nil {
		item.Object = core(s.on)
	}
	if s.rank >= 0 {
		c = d.look.Cell(s.rank)
		if d.look.Under != nil && p.mode.high > 1 {
			under = d.look.Under(s.rank)
		}
	} else {
		c.Lit = d.chosen(item.Object)
	}
	d.mark(x, y, p.wide, p.mode.high, item)
	middle := (p.mode.high - 1) / 2
	for row := range p.mode.high {
		if y+row < 0 || y+row >= d.paper.h {
			continue
		}
		var l paint.Line
		switch row {
		case middle:
			c.Draw(&l, p.wide)
		case middle + 1:
			c.Blank(&l, under, p.wide)
		default:
			c.Blank(&l, "", p.wide)
		}
		d.paper.line(x, y+row, l)
	}
}

// core is the object that stands for a node that is drawn as a cell: the core of its chain.
func core(n *outline.Node) *hw.Object {
	for _, o := range n.Objects {
		if o.Type == hw.Core {
			return o
		}
	}
	return n.First()
}

// tile draws how many ranks of which communicator a node has: as wide as their share, the letters in them.
func (d *drawer) tile(b *block, y int) {
	d.brief(b.node, b.x, y, b.label)
	x, w := b.x+b.label+1, b.w-b.label-1
	list := d.shares(b.node.All)
	high := max(b.h-1, 1)
	for row := range high {
		if y+row >= 0 && y+row < d.paper.h {
			d.bar(list, b.node.All.Len(), x, y+row, w, row == (high-1)/2)
		}
	}
}

// share is ranks of a tile that are drawn alike.
type share struct {
	cell   paint.Cell
	n, lit int
}

// shares counts ranks that are drawn alike, in the order in which they are met.
func (d *drawer) shares(ranks outline.Span) []share {
	var list []share
	last := -1
	for i, r := range d.plan.board.Ranks(ranks) {
		c := d.look.Share(r)
		c.Lit = false
		if last < 0 || list[last].cell != c {
			last = -1
			for k := range list {
				if list[k].cell == c {
					last = k
				}
			}
			if last < 0 {
				last = len(list)
				list = append(list, share{cell: c})
			}
		}
		list[last].n++
		if at := ranks.Lo + int32(i); d.look.Lit != nil {
			list[last].lit += d.look.Lit(outline.Span{Lo: at, Hi: at + 1})
		}
	}
	return list
}

// bar draws shares of n ranks side by side; where they are too many for that, how many there are.
func (d *drawer) bar(list []share, n, x, y, w int, named bool) {
	const least = 2 // columns of a share
	var l paint.Line
	switch {
	case n == 0:
		l.Add("·", paint.Faint)
	case len(list)*least > w:
		lit := 0
		for _, s := range list {
			lit += s.lit
		}
		c := paint.Cell{Text: strconv.Itoa(len(list)) + " comms", Slot: paint.NoSlot, Lit: lit > 0}
		c.Draw(&l, w)
	default:
		widths := d.widths(list, n, w)
		full := true
		for i, s := range list {
			full = full && s.full().Width() < widths[i]
		}
		for i, s := range list {
			c := s.cell
			if c.Lit = s.lit > 0; full {
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

// full is the cell of a share with the number of its ranks.
func (s share) full() paint.Cell {
	c := s.cell
	c.Lit = s.lit > 0
	if c.State == paint.Holds || c.State == paint.Blocked {
		c.Text += "×" + strconv.Itoa(s.n)
	}
	return c
}

// widths are the columns of shares of n ranks in w columns: equal ones for equal shares.
func (d *drawer) widths(list []share, n, w int) []int {
	out := make([]int, len(list))
	free := w - 2*len(list)
	for i, s := range list {
		out[i] = 2 + s.n*free/n
	}
	return out
}
