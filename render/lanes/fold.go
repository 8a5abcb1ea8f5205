package lanes

import (
	"strconv"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// block is the members in one cell: Run.N members of a group from rank Lo on, whose world ranks are a progression.
type block struct {
	Lo  int
	Run render.Run
}

// ranks returns the ranks in the group: "4", "0-63".
func (b block) ranks() string { return render.Run{First: b.Lo, Step: 1, N: b.Run.N}.String() }

// place returns the group rank of a process in the block; -1 if the process is not in the block.
func (b block) place(world int) int {
	if at := b.Run.Index(world); at >= 0 {
		return b.Lo + at
	}
	return -1
}

// around cuts a block so that the given rank has a block of its own.
func (b block) around(rank int) []block {
	var list []block
	cut := func(lo, n int) {
		if n == 1 {
			list = append(list, single(lo, b.Run.First+(lo-b.Lo)*b.Run.Step))
		} else if n > 1 {
			list = append(list, block{lo, render.Run{First: b.Run.First + (lo-b.Lo)*b.Run.Step, Step: b.Run.Step, N: n}})
		}
	}
	cut(b.Lo, rank-b.Lo)
	cut(rank, 1)
	cut(rank+1, b.Lo+b.Run.N-rank-1)
	return list
}

func single(rank, world int) block { return block{rank, render.Run{First: world, Step: 1, N: 1}} }

// blocksOf cuts a group into blocks, each as long as possible.
func blocksOf(group []int32) []block {
	var list []block
	lo := 0
	for _, r := range render.Runs(group) {
		list = append(list, block{lo, r})
		lo += r.N
	}
	return list
}

// singlesOf returns a block for each member.
func singlesOf(group []int32) []block {
	list := make([]block, len(group))
	for k, w := range group {
		list[k] = single(k, int(w))
	}
	return list
}

// gap is the blank columns between cells.
const gap = 1

// item is a cell before it is drawn. It has one text, or two, one above the other.
type item struct {
	texts []string
	slot  int
	state paint.State
	n     int // how many members or communicators it stands for
	block block
	side  int  // of the lane
	part  int  // of a lane of several communicators: the index of the communicator; -1: a cell of members
	bare  bool // of such a lane: no text shows
	big   bool // the first text is in big letters
}

// width returns the columns that the cell needs: a blank on each side of the longest text.
func (it *item) width() int {
	if it.bare {
		return 1
	}
	w := 0
	for _, t := range it.texts {
		w = max(w, paint.Width(t))
	}
	if it.state == paint.Blocked {
		w++
	}
	if it.big {
		big, _ := paint.BigSize(paint.Width(it.texts[0]), 1)
		w = max(w, big)
	}
	return w + padding
}

// high returns the lines of the cell.
func (it *item) high() int {
	if it.big {
		_, lines := paint.BigSize(1, 1)
		return lines + 2
	}
	return len(it.texts)
}

// padding is the blanks beside the text of a cell, where there is room.
const padding = 2

// fit is a layout of items in rows.
type fit struct {
	items  []item
	widths []int
	rows   []int // index behind the last item of each row
	rest   int   // how many members or communicators have no room
	width  int   // columns of a row
}

// total returns the columns of the longest row.
func (f *fit) total() int {
	most, from := 0, 0
	for _, to := range f.rows {
		sum := 0
		for i := from; i < to; i++ {
			sum += f.widths[i]
			if i > from {
				sum += gap
			}
		}
		most, from = max(most, sum), to
	}
	return most
}

// high returns how many lines a row of cells takes.
func (f *fit) high() int {
	if len(f.items) == 0 {
		return 1
	}
	return f.items[0].high()
}

// even sets items in cells of equal width, at least cell columns. Each cell has without blanks fewer beside its
// text than usual. ok is false when the items need more rows than rows.
func even(items []item, cell, without, width, rows int) (f fit, ok bool) {
	for i := range items {
		cell = max(cell, items[i].width()-without)
	}
	per := (width + gap) / (cell + gap)
	if per == 0 || len(items) > per*rows {
		return fit{}, false
	}
	f = fit{items: items, widths: make([]int, len(items)), width: width}
	for i := range items {
		f.widths[i] = cell
		if (i+1)%per == 0 || i == len(items)-1 {
			f.rows = append(f.rows, i+1)
		}
	}
	return f, true
}

// flow sets items in cells that are as wide as each item needs. all is the number of members or communicators;
// items may be only the first of them. When not all have room, the last row has room for the number of the others.
func flow(items []item, all, width, rows int) fit {
	f := fit{items: items, widths: make([]int, len(items)), width: width}
	for i := range items {
		f.widths[i] = min(items[i].width(), width)
	}
	left := all
	used := 0
	for i, w := range f.widths {
		need := w
		if used > 0 {
			need += gap
		}
		end := 0
		if len(f.rows) == rows-1 && left > items[i].n {
			end = gap + paint.Width(moreOf(left))
		}
		switch {
		case used+need+end <= width:
			used += need
		case len(f.rows) < rows-1 && i > 0:
			f.rows = append(f.rows, i)
			used = w
		default:
			f.rows, f.rest = append(f.rows, i), left
			f.items, f.widths = items[:i], f.widths[:i]
			return f
		}
		left -= items[i].n
	}
	f.rows, f.rest = append(f.rows, len(items)), left
	return f
}

// moreOf returns the words for n that are not shown.
func moreOf(n int) string { return "… " + strconv.Itoa(n) + " more" }

// stretch makes the cells of a single row wider, to at most that many columns in all, in proportion to the members
// of each.
func (f *fit) stretch(columns int) {
	if len(f.rows) != 1 || f.rest > 0 {
		return
	}
	free, all := columns-f.total(), 0
	for i := range f.items {
		all += f.items[i].n
	}
	if free <= 0 || all == 0 {
		return
	}
	given, before := 0, 0
	for i := range f.items {
		before += f.items[i].n
		more := free*before/all - given
		f.widths[i] += more
		given += more
	}
}
