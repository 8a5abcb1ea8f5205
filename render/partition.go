package render

import "io"

// pictureLines is how long a partition may get, legend and picture together.
const pictureLines = 56

// Partition draws the communicators that h holds: a legend with a letter for each, then the
// hardware with every rank as a cell "A2", its communicator's letter and its rank in there. A
// prime marks the right group of an intercommunicator, ○ a rank with MPI_COMM_NULL, … one with nothing yet. Where there
// are many ranks cells become counts ("A×64"), and the picture is folded to less than 60 lines.
func Partition(w io.Writer, v *View, h *Handle, st Style) error {
	p := newPage(st)
	partition(p, v, h)
	return p.writeTo(w)
}

func partition(p *page, v *View, h *Handle) {
	parts := partsOf(v.Snapshot, h)
	start := p.lines
	legend(p, v, h, parts)
	p.line()
	s := v.Snapshot
	if s.Topology == nil || s.Bindings == nil {
		flatCells(p, parts)
		return
	}
	left := p.picture(pictureLines - (p.lines - start))
	lines, rest := arrange(outline(s.Topology, seats(s), parts), left)
	drawCells(p, newLabeler(s.Topology), parts, lines)
	leftOut(p, rest)
}

// flatCells shows the ranks of a world without hardware, in world rank order.
func flatCells(p *page, parts *parts) {
	all := make([]int32, len(parts.of))
	for r := range all {
		all[r] = int32(r)
	}
	p.line(append([]span{faint("ranks  ")}, parts.cells(all, p.limit(p.width-len("ranks  ")), true)...)...)
}

// layout is the columns of a partition picture: labels, cells, world ranks.
type layout struct {
	label, cells, ranks int
	single              bool // ranks are shown one by one
}

// drawCells draws the lines of the picture in three aligned columns.
func drawCells(p *page, l labeler, parts *parts, lines []entry) {
	labels := labelsOf(l, lines)
	occupied := func(i int) bool { return lines[i].sittings() != nil }
	at := layout{label: annotationColumn(labels, p.limit(p.width*3/5), occupied)}
	at.split(p.limit(p.width-at.label-gutter), parts, lines)
	for i, e := range lines {
		list := e.sittings()
		if len(list) == 0 {
			p.line(faint(labels[i]))
		}
		label := labels[i]
		for _, s := range list {
			cells := at.cellsOf(e, s, parts, at.cells)
			ranks := worldRanks(e, s, at.ranks)
			// Who is where matters more than the end of a long label.
			room := p.limit(p.width - 2*gutter - spansWidth(cells) - textWidth(ranks))
			label = cut(label, max(at.label, room), false)
			over := max(0, textWidth(label)-at.label)
			spans := append([]span{faint(pad(label, at.label, false)), gap(gutter)}, cells...)
			fill := max(0, min(at.cells, aligned)-over-spansWidth(cells))
			p.line(append(spans, gap(fill+gutter), faint(ranks))...)
			label = ""
		}
	}
}

// cellsOf are the cells of one place on a line. Folded lines always count.
func (at *layout) cellsOf(e entry, s sitting, parts *parts, width int) []span {
	return parts.cells(s.ranks, width, at.single && len(e.nodes) == 1)
}

// split shares the columns right of the labels between cells and world ranks: ranks that do not
// fit are written shorter before cells are.
func (at *layout) split(room int, parts *parts, lines []entry) {
	const least = 14 // of the column of world ranks
	cells, ranks := 0, 0
	at.single = parts.fewOnAll(lines, room-least-2)
	for _, e := range lines {
		for _, s := range e.sittings() {
			cells = max(cells, spansWidth(at.cellsOf(e, s, parts, room)))
			ranks = max(ranks, textWidth(worldRanks(e, s, room)))
		}
	}
	at.cells = min(cells, max(room-2-min(ranks, least), room/2))
	at.ranks = min(ranks, room-at.cells-2)
}

// fewOnAll reports whether the ranks of every line that stands for one object can be shown one by
// one. If not, all are counted, so that lines can be compared.
func (p *parts) fewOnAll(lines []entry, width int) bool {
	for _, e := range lines {
		if e.closed {
			continue
		}
		for _, s := range e.sittings() {
			if len(s.ranks) > maxCells || spansWidth(p.singleCells(s.ranks)) > width {
				return false
			}
		}
	}
	return true
}
