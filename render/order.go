package render

import "commsplit/engine/reason"

// orderRows is how many rows of a sorted table are shown; longer ones are folded around the rank
// that they are about.
const orderRows = 16

// order draws the ranks of a communicator sorted by (key, old rank): ">" marks the rank that it is
// about, "tie" the rows where the old rank decides.
func (x *explainer) order(o *reason.Order) {
	orderGrid(o, x.rows).indented(x.page, "order")
}

// orderOf draws a table of at most so many rows.
func (x *explainer) orderOf(o *reason.Order, most int) { orderGrid(o, most).drawTo(x.page) }

func orderGrid(o *reason.Order, most int) *grid {
	number := column{right: true}
	g := newGrid(column{}, number, number, number, number, column{})
	g.row(head(""), head("new"), head("key"), head("old"), head("world"), head(""))
	before := -1
	for _, i := range around(len(o.Seats), o.Focus, most) {
		if i > before+1 {
			g.row(text(""), quiet("⋮"), text(""), text(""), text(""), quiet(itoa(i-before-1)+" more"))
		}
		before = i
		g.row(seatCells(o, i)...)
	}
	return g
}

func seatCells(o *reason.Order, i int) []cell {
	s, mark, k := o.Seats[i], "", inkPlain
	if i == o.Focus {
		mark, k = ">", inkBold
	}
	tie := ""
	if s.Tie {
		tie = "tie"
	}
	return []cell{text(mark), inked(itoa(i), k), inked(itoa(int(s.Key)), k), inked(itoa(int(s.Old)), k),
		inked(itoa(int(s.World)), k), quiet(tie)}
}

// around picks at most limit of n rows: all of them, or the first ones, the last one, and those
// around the focus.
func around(n, focus, limit int) []int {
	var list []int
	for i := range n {
		near := i >= focus-3 && i <= focus+3
		if focus < 0 {
			near = i < limit-3
		}
		if n <= limit || i < 2 || i == n-1 || near {
			list = append(list, i)
		}
	}
	return list
}

// indented draws the grid behind a label, as facts are drawn.
func (g *grid) indented(p *page, label string) {
	widths := g.widths(p.width - factColumn)
	for at, row := range g.rows {
		name := ""
		if at == 0 {
			name = label
		}
		spans := []span{faint("  " + pad(name, factColumn-2-widths[0]-gutter, false))}
		for i, c := range row {
			s := c.at(widths[i])
			spans = append(spans, span{pad(cut(s, widths[i], false), widths[i], g.columns[i].right), c.ink}, gap(gutter))
		}
		p.line(spans...)
	}
}
