package render

import (
	"math"
	"slices"
)

// block is kids of a tile that stand in a grid: those of equal hardware in a row of siblings, or one that
// stands for several objects and fills a row.
type block struct {
	kids []*tile
	wide []int // of the columns, at least
	high []int // of the rows
	room int   // for all columns
}

// emptyCost is what an empty place of a grid costs, against being twice as wide as a slide.
const emptyCost = 4

// blocksOf puts kids into blocks: runs of equal hardware, where none of them is a single one; otherwise
// all that are not folded.
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

// best is how many kids of a block a row has so that the whole, with what stands above, is about as wide
// as a slide, and few places are empty.
func (b *block) best(above int, ratio float64) int {
	least, n := math.Inf(1), 1
	for k := 1; k <= len(b.kids); k++ {
		b.set(k)
		high := above
		for _, h := range b.high {
			high += h + svgGap
		}
		empty := float64(len(b.high)*k-len(b.kids)) / float64(len(b.high)*k)
		off := math.Abs(math.Log2(float64(b.width())/float64(high)/ratio)) + emptyCost*empty
		if off < least {
			least, n = off, k
		}
	}
	return n
}

// set makes a grid with so many kids in a row.
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
	all := -svgGap
	for _, w := range b.wide {
		all += w + svgGap
	}
	return all
}

// spread shares the room among the columns, and returns the height of all rows.
func (b *block) spread(room int) (high int) {
	b.room = room
	clear(b.high)
	for i, k := range b.kids {
		k.spread(b.left(i%len(b.wide)+1) - b.left(i%len(b.wide)) - svgGap)
		b.high[i/len(b.wide)] = max(b.high[i/len(b.wide)], k.h)
	}
	for i, k := range b.kids {
		k.h = b.high[i/len(b.wide)]
	}
	for i, h := range b.high {
		if high += h; i > 0 {
			high += svgGap
		}
	}
	return high
}

// left is where a column begins.
func (b *block) left(column int) int {
	x := column * (b.room - b.width()) / len(b.wide)
	for _, w := range b.wide[:column] {
		x += w + svgGap
	}
	return x
}

// draw draws the kids from x and y on, and returns where they end.
func (b *block) draw(d *drawing, x, y int) int {
	for i := range b.high {
		for k, kid := range b.kids[i*len(b.wide) : min((i+1)*len(b.wide), len(b.kids))] {
			kid.draw(d, x+b.left(k), y)
		}
		y += b.high[i] + svgGap
	}
	return y - svgGap
}
