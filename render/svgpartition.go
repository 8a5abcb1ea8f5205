package render

import (
	"io"
	"strings"
)

// svgLines is how many boxes of hardware a picture may have.
const svgLines = 120

// SVGPartition draws the communicators that h holds on the hardware, boxes in lstopo's layout and
// colors with a badge for each rank: "A2" and below it the world rank. A prime marks the right group
// of an intercommunicator, ○ MPI_COMM_NULL. Where there are many ranks, badges become counts and equal
// objects one box. Without hardware, the ranks are in a row.
func SVGPartition(w io.Writer, v *View, h *Handle, theme Theme) error {
	d, wide, high, title := drawPartition(v, h)
	return d.writeTo(w, wide, high, title, describe(v, h, partsOf(v.Snapshot, h)), theme)
}

// drawPartition draws the picture, and tells its size and title.
func drawPartition(v *View, h *Handle) (d *drawing, wide, high int, title string) {
	s := v.Snapshot
	p := partsOf(s, h)
	d = &drawing{}
	title = "Communicators of " + h.Name
	var root *tile
	if s.Topology == nil || s.Bindings == nil {
		all := make([]int32, s.Size)
		for r := range all {
			all[r] = int32(r)
		}
		root = &tile{class: "plain", label: []string{"ranks"}, badges: p.badgesOf(all, true, maxCells)}
	} else {
		lines, rest := arrange(outline(s.Topology, seats(s), p), svgLines)
		root = tilesOf(newLabeler(s.Topology), p, lines)
		if rest > 0 {
			root.label = append(root.label, "... and "+plural(rest, "more object"))
		}
		title += " on " + s.Topology.Name
	}
	root.layout(map[[2]int32]int{})
	top := svgEdge + 2*svgLine
	d.text(svgEdge, svgEdge+svgLine, "head", title)
	root.draw(d, svgEdge, top)
	top += root.h + svgLine
	wide = max(root.w, svgWide(title, 19))
	keyWide, high := d.key(v, h, p, svgEdge, top)
	return d, max(wide, keyWide) + 2*svgEdge, top + high + svgEdge, title
}

// key lists the communicators with their badges below the picture.
func (d *drawing) key(v *View, h *Handle, p *parts, x, y int) (wide, high int) {
	const row = badgeFlat + 4
	top := y
	line := func(b badge, text string) {
		w, _ := b.size()
		d.badge(&b, x, y)
		d.text(x+w+svgGap, y+14, "", text)
		wide = max(wide, w+svgGap+svgWide(text, svgFont))
		y += row
	}
	for i, text := range partTexts(v, h, p, 60) {
		q := p.list[i]
		line(badge{q.letter, "", int32(i), "communicator " + q.letter}, text)
	}
	if n := len(p.list) - len(partTexts(v, h, p, 60)); n > 0 {
		d.text(x, y+14, "quiet", "... and "+itoa(n)+" more communicators, to "+p.list[len(p.list)-1].letter)
		y += row
	}
	if len(p.null) > 0 {
		line(badge{hollow, "", -1, "MPI_COMM_NULL"}, "MPI_COMM_NULL: "+rankNoun(p.null, 60))
	}
	note := "A2: communicator A, rank 2; the small number below it is the world rank."
	d.text(x, y+14, "quiet small", note)
	return max(wide, svgWide(note, svgSmall)), y + row - top
}

// partTexts is a line for each communicator, as many as a legend has.
func partTexts(v *View, h *Handle, p *parts, width int) []string {
	freed, names := v.Snapshot.Freed(), newNaming(v)
	var list []string
	for i, q := range p.list {
		if i == legendLines-1 && len(p.list) > legendLines {
			break
		}
		text := h.Name + "#" + itoa(q.id)
		switch {
		case q.info == nil:
			text += ": each rank alone in MPI_COMM_SELF"
		case q.info.Remote != nil:
			text += ": left " + orderList(q.info.Group, width/2) + ", right " + orderList(q.info.Remote, width/2)
		default:
			text += ": " + plural(len(q.info.Group), "rank") + ", world ranks " + orderList(q.info.Group, width)
		}
		if q.info != nil {
			text = words(text, legendRemark(v.Snapshot, q, names, state(freed[q.id], false)))
		}
		list = append(list, text)
	}
	return list
}

// describe says in words what the picture shows.
func describe(v *View, h *Handle, p *parts) string {
	list := partTexts(v, h, p, 60)
	for i := range list {
		list[i] = p.list[i].letter + " is " + list[i] + "."
	}
	if n := len(p.list) - len(list); n > 0 {
		list = append(list, itoa(n)+" more communicators.")
	}
	if len(p.null) > 0 {
		list = append(list, "MPI_COMM_NULL: "+rankNoun(p.null, 60)+".")
	}
	return strings.Join(list, " ")
}
