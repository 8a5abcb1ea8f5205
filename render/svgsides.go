package render

import (
	"fmt"
	"io"
	"strconv"
)

// mostSides is how many intercommunicators one picture shows, and mostSeats how many ranks of a group.
const (
	mostSides = 8
	mostSeats = 24
)

// SVGSides draws the intercommunicators that h holds: each as its two groups side by side, the ranks in
// the order of their group, in the colors of the other pictures. It is an error when h holds none.
func SVGSides(w io.Writer, v *View, h *Handle, theme Theme) error {
	p := PartingOf(v.Snapshot, h)
	d := &drawing{}
	title := "The two groups of " + h.Name
	wide, y := d.head(title, leastWide)
	y += svgEdge + 2*svgPad
	drawn, all := 0, 0
	names := newNaming(v)
	names.short = true
	sides := p.sideTiles()
	for i := range p.list {
		if q := p.list[i]; q.info != nil && q.info.Remote != nil {
			if all++; all <= mostSides {
				head := h.Name + "#" + strconv.Itoa(q.id) + "  " + words("ctx "+contextOf(q.info), names.set(q.id))
				across, high := d.bothSides(sides[i], head, y)
				wide, y, drawn = max(wide, across), y+high+2*svgGap, drawn+1
			}
		}
	}
	if all == 0 {
		return fmt.Errorf("%s holds no intercommunicator, which is what has two sides", h.Name)
	}
	if all > drawn {
		d.text(svgEdge, y+svgLine, "quiet", "... and "+strconv.Itoa(all-drawn)+" more intercommunicators")
		y += 2 * svgLine
	}
	note := "A0: rank 0 of the left group, A'0: of the right group; the small number below it is the world rank."
	d.text(svgEdge, y+svgLine, "quiet small", note)
	wide = max(wide, svgWide(note, svgSmall))
	return d.writeTo(w, wide+2*svgEdge, y+2*svgLine+svgEdge, title, newKey(v, h, p).sentences(), theme)
}

// sideGap is between the two groups, in pixels.
const sideGap = 90

// sideTiles are the two boxes of each intercommunicator, all left ones and all right ones as wide as
// each other, so that they stand in columns.
func (p *Parting) sideTiles() map[int][2]*tile {
	tiles := map[int][2]*tile{}
	var wide [2]int
	for i := range p.list {
		q := &p.list[i]
		if q.info == nil || q.info.Remote == nil || len(tiles) == mostSides {
			continue
		}
		left, right := p.sideTile(i, "left", q.letter, q.info.Group), p.sideTile(i, "right", q.letter+"'", q.info.Remote)
		tiles[i] = [2]*tile{left, right}
		wide[0], wide[1] = max(wide[0], left.w), max(wide[1], right.w)
	}
	for _, both := range tiles {
		both[0].spread(wide[0])
		both[1].spread(wide[1])
	}
	return tiles
}

// sideTile is the box of one group.
func (p *Parting) sideTile(part int, side, mark string, group []int32) *tile {
	t := &tile{class: "plain", label: []string{side + " group, " + Plural(len(group), "rank")}, seats: make([]seatRow, 1)}
	for rank, world := range group[:min(len(group), mostSeats)] {
		what := fmt.Sprintf("world rank %d: rank %d of the %s group of communicator %s", world, rank, side, p.list[part].letter)
		t.seats[0].badges = append(t.seats[0].badges, badge{mark + strconv.Itoa(rank), strconv.Itoa(int(world)), int32(part), what})
	}
	if more := len(group) - mostSeats; more > 0 {
		t.seats[0].badges = append(t.seats[0].badges, badge{"+" + strconv.Itoa(more), "", -1, Plural(more, "more rank")})
	}
	t.fit()
	return t
}

// bothSides draws the two groups of an intercommunicator at y.
func (d *drawing) bothSides(boxes [2]*tile, head string, y int) (wide, high int) {
	d.text(svgEdge, y+svgFont, "bold", head)
	y += svgLine + badgeGap
	high = max(boxes[0].h, boxes[1].h)
	boxes[0].h, boxes[1].h = high, high
	right := svgEdge + boxes[0].w + sideGap
	boxes[0].draw(d, svgEdge, y)
	boxes[1].draw(d, right, y)
	mid, from := y+high/2, svgEdge+boxes[0].w
	d.path("line", "M%d %dH%dM%d %dl8 -5M%d %dl8 5M%d %dl-8 -5M%d %dl-8 5", from+4, mid, right-4,
		from+4, mid, from+4, mid, right-4, mid, right-4, mid)
	d.text((from+right)/2, mid-8, "mid small quiet", "messages")
	return max(boxes[0].w+sideGap+boxes[1].w, svgBold(head, svgFont)), high + svgLine + badgeGap
}

// HoldsInter reports whether a handle holds an intercommunicator on some rank.
func HoldsInter(v *View, h *Handle) bool {
	for _, q := range heldParts(v.Snapshot, h) {
		if q.info != nil && q.info.Remote != nil {
			return true
		}
	}
	return false
}
