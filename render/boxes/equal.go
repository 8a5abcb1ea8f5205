package boxes

import (
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/outline"
)

// alike is the key of blocks that must have the same size: their nodes are of one kind. Strips and tiles of one
// type stand in columns, whatever is below them.
type alike struct {
	style style
	kind  int32
	of    hw.Type // of strips and tiles
}

// layEqual makes the blocks of everything below a node; blocks of equal hardware get the same size. Where one of
// them has less room than the others, layEqual makes the others again in its width. Once the result is higher than
// limit, layEqual returns it as it is.
func (p *Plan) layEqual(root *outline.Node, limit int) *block {
	p.narrow, p.limit = map[alike]int{}, limit
	for {
		top, again := p.lay(root, 0, p.size.Width, 0), false
		if top == nil || top.h > limit {
			return top
		}
		p.each(top, func(b *block) {
			if w, ok := p.narrow[p.alike(b)]; !ok || b.w < w {
				p.narrow[p.alike(b)] = b.w
			}
		})
		p.each(top, func(b *block) { again = again || b.w > p.narrow[p.alike(b)] })
		if !again {
			return top
		}
	}
}

// alike returns the key of the blocks that must have the same size as b.
func (p *Plan) alike(b *block) alike {
	if b.style >= strip {
		return alike{b.style, 0, core(b.node).Type}
	}
	return alike{b.style, p.board.of(b.node).kind, 0}
}

// widen gives the innermost blocks as many columns as the plan has room for, each the same number more, and widens
// the blocks around them to match.
func (p *Plan) widen() {
	if len(p.top.kids) == 0 {
		return
	}
	more := 0
	for p.natural(p.top, more+1) <= p.size.Width {
		more++
	}
	p.resize(p.top, more)
	p.fill()
}

// fill widens blocks to the column of the grid that they stand in, as far as all blocks of their kind can be widened.
func (p *Plan) fill() {
	width := map[alike]int{}
	p.each(p.top, func(b *block) {
		for c, widest := range b.widest() {
			for i := c; i < len(b.kids); i += b.columns {
				k := p.alike(b.kids[i])
				if w, ok := width[k]; !ok || widest < w {
					width[k] = widest
				}
			}
		}
	})
	p.each(p.top, func(b *block) {
		for _, k := range b.kids {
			more := max(width[p.alike(k)]-k.w, 0)
			if k.w += more; k.flow != nil {
				k.flow.w += more
			}
		}
	})
}

// widest returns, for each column of the grid, the width of its widest kid.
func (b *block) widest() []int {
	list := make([]int, b.columns)
	for i, k := range b.kids {
		list[i%b.columns] = max(list[i%b.columns], k.w)
	}
	return list
}

// natural returns how many columns a block takes when its innermost blocks are wider by more.
func (p *Plan) natural(b *block, more int) int {
	if len(b.kids) == 0 {
		return b.w + more
	}
	w := (b.columns - 1) * b.gap
	for c := range min(b.columns, len(b.kids)) {
		widest := 0
		for i := c; i < len(b.kids); i += b.columns {
			widest = max(widest, p.natural(b.kids[i], more))
		}
		w += widest
	}
	if f := b.flow; f != nil {
		w = max(w, p.at(f, f.perRow-1, p.wide)+p.wide)
	}
	return w + 2*b.edge
}

// resize sets the width of a block and of all blocks in it, with innermost blocks wider by more, and places kids
// side by side.
func (p *Plan) resize(b *block, more int) {
	w := p.natural(b, more)
	if b.flow != nil {
		b.flow.w += w - b.w
	}
	b.w = w
	for _, k := range b.kids {
		p.resize(k, more)
	}
	at := make([]int, b.columns+1)
	at[0] = b.edge
	for c, w := range b.widest() {
		at[c+1] = at[c] + w + b.gap
	}
	free := b.h - b.below - height(b.kids, b.columns) // the kids of a block lower than its neighbors go in the middle
	if b.style == framed {
		free--
	}
	y := b.below + free/2
	for i, k := range b.kids {
		k.x, k.y = at[i%b.columns], y
		if (i+1)%b.columns == 0 {
			y += k.h
		}
	}
}

// place turns the coordinates of a block and all in it into those of the plan.
func (p *Plan) place(b *block, x, y int) {
	b.x, b.y = b.x+x, b.y+y
	if b.flow != nil {
		b.flow.x, b.flow.y = b.flow.x+b.x, b.flow.y+b.y
	}
	for _, k := range b.kids {
		p.place(k, b.x, b.y)
	}
}

// stretch widens all cells by the same, as far as the narrowest row has room.
func (p *Plan) stretch() {
	wide := p.size.Text + 6 + p.mode.pad
	if p.mode.scale > 0 {
		wide = p.wide * 3 / 2
	}
	p.each(p.top, func(b *block) {
		for f := b.flow; f != nil && wide > p.wide && !p.fits(f, f.perRow, wide); {
			wide--
		}
	})
	p.wide = max(p.wide, wide)
}
