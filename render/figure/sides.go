package figure

import (
	"fmt"
	"io"
	"strconv"

	"commsplit/engine"
	"commsplit/hw/spell"
	"commsplit/render"
)

// mostSides is how many intercommunicators one picture shows, and mostSeats how many ranks of a group.
const (
	mostSides = 8
	mostSeats = 24
)

// Sides draws the intercommunicators that h holds: each as its two groups side by side, the ranks in
// the order of their group, in the colors of the other pictures. It is an error when h holds none.
func Sides(w io.Writer, v *render.View, h *render.Handle, theme Theme) error {
	p := render.PartingOf(v.Snapshot, h)
	d := &drawing{}
	title := "The two groups of " + h.Name
	wide, y := d.head(title, leastWide)
	y += margin + 2*padding
	drawn, all := 0, 0
	sides := sideTiles(v.Snapshot, p)
	for k := range p.Len() {
		if c := v.Snapshot.Comm(p.Comm(k)); c != nil && c.Remote != nil {
			if all++; all <= mostSides {
				across, high := d.bothSides(sides[k], render.Heading(v, h, c), y)
				wide, y, drawn = max(wide, across), y+high+2*spacing, drawn+1
			}
		}
	}
	if all == 0 {
		return fmt.Errorf("%s holds no intercommunicator, which is what has two sides", h.Name)
	}
	if all > drawn {
		d.text(margin, y+lineHigh, "quiet", "... and "+strconv.Itoa(all-drawn)+" more intercommunicators")
		y += 2 * lineHigh
	}
	note := "A0: rank 0 of the left group, A'0: of the right group; the small number below it is the world rank."
	d.text(margin, y+lineHigh, "quiet small", note)
	wide = max(wide, textWide(note, smallSize))
	return d.writeTo(w, wide+2*margin, y+2*lineHigh+margin, title, render.KeyOf(v, h, p).Sentences(), theme)
}

// sideGap is between the two groups, in pixels.
const sideGap = 90

// sideTiles are the two boxes of each intercommunicator, all left ones and all right ones as wide as
// each other, so that they stand in columns.
func sideTiles(s *engine.Snapshot, p *render.Parting) map[int][2]*tile {
	tiles := map[int][2]*tile{}
	var wide [2]int
	for k := range p.Len() {
		c := s.Comm(p.Comm(k))
		if c == nil || c.Remote == nil || len(tiles) == mostSides {
			continue
		}
		left, right := sideTile(p, k, "left", c.Group), sideTile(p, k, "right", c.Remote)
		tiles[k] = [2]*tile{left, right}
		wide[0], wide[1] = max(wide[0], left.w), max(wide[1], right.w)
	}
	for _, both := range tiles {
		both[0].spread(wide[0])
		both[1].spread(wide[1])
	}
	return tiles
}

// sideTile is the box of one group.
func sideTile(p *render.Parting, part int, side string, group []int32) *tile {
	label := side + " group, " + spell.Plural(len(group), "rank")
	t := &tile{class: "plain", label: []string{label}, seats: []seatRow{{badges: groupBadges(p, part, side, group)}}}
	t.fit()
	return t
}

// bothSides draws the two groups of an intercommunicator at y.
func (d *drawing) bothSides(boxes [2]*tile, head string, y int) (wide, high int) {
	d.text(margin, y+fontSize, "bold", head)
	y += lineHigh + badgeGap
	high = max(boxes[0].h, boxes[1].h)
	boxes[0].h, boxes[1].h = high, high
	right := margin + boxes[0].w + sideGap
	boxes[0].draw(d, margin, y)
	boxes[1].draw(d, right, y)
	mid, from := y+high/2, margin+boxes[0].w
	d.path("M%d %dH%dM%d %dl8 -5M%d %dl8 5M%d %dl-8 -5M%d %dl-8 5", from+4, mid, right-4,
		from+4, mid, from+4, mid, right-4, mid, right-4, mid)
	d.text((from+right)/2, mid-8, "mid small quiet", "messages")
	return max(boxes[0].w+sideGap+boxes[1].w, boldWide(head, fontSize)), high + lineHigh + badgeGap
}
