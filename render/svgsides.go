package render

import (
	"fmt"
	"io"
)

// mostSides is how many intercommunicators one picture shows, and mostSeats how many ranks of a group.
const (
	mostSides = 8
	mostSeats = 24
)

// SVGSides draws the intercommunicators that h holds: each as its two groups side by side, the ranks in
// the order of their group, in the colors of the other pictures. It is an error when h holds none.
func SVGSides(w io.Writer, v *View, h *Handle, theme Theme) error {
	p := partsOf(v.Snapshot, h)
	d := &drawing{}
	title := "The two groups of " + h.Name
	d.text(svgEdge, svgEdge+svgLine, "head", title)
	y, wide, drawn, all := svgEdge+3*svgLine, svgWide(title, 19), 0, 0
	for i := range p.list {
		if q := p.list[i]; q.info != nil && q.info.Remote != nil {
			if all++; all <= mostSides {
				across, high := d.bothSides(p, i, h.Name, y)
				wide, y, drawn = max(wide, across), y+high+2*svgGap, drawn+1
			}
		}
	}
	if all == 0 {
		return fmt.Errorf("%s holds no intercommunicator, which is what has two sides", h.Name)
	}
	if all > drawn {
		d.text(svgEdge, y+svgLine, "quiet", "... and "+itoa(all-drawn)+" more intercommunicators")
		y += 2 * svgLine
	}
	note := "A0: rank 0 of the left group, A'0: of the right group; the small number below it is the world rank."
	d.text(svgEdge, y+svgLine, "quiet small", note)
	wide = max(wide, svgWide(note, svgSmall))
	return d.writeTo(w, wide+2*svgEdge, y+2*svgLine+svgEdge, title, describe(v, h, p), theme)
}

// sideGap is between the two groups, in pixels.
const sideGap = 90

// bothSides draws the i-th communicator, an intercommunicator, at y.
func (d *drawing) bothSides(p *parts, i int, name string, y int) (wide, high int) {
	q := p.list[i]
	var boxes [2]*tile
	for side, group := range [][]int32{q.info.Group, q.info.Remote} {
		t := &tile{class: "plain", label: []string{"left group, " + plural(len(group), "rank")}}
		mark := q.letter
		if side == 1 {
			t.label[0], mark = "right group, "+plural(len(group), "rank"), mark+"'"
		}
		for rank, world := range group[:min(len(group), mostSeats)] {
			what := fmt.Sprintf("world rank %d: rank %d of the %s", world, rank, t.label[0])
			t.badges = append(t.badges, badge{mark + itoa(rank), itoa(int(world)), int32(i), what})
		}
		if more := len(group) - mostSeats; more > 0 {
			t.badges = append(t.badges, badge{"+" + itoa(more), "", -1, plural(more, "more rank")})
		}
		t.layout(nil)
		boxes[side] = t
	}
	head := name + "#" + itoa(q.id) + "  ctx " + contextOf(q.info)
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
	return max(boxes[0].w+sideGap+boxes[1].w, svgWide(head, svgFont+1)), high + svgLine + badgeGap
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
