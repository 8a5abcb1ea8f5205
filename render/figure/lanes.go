package figure

import (
	"io"
	"strconv"

	"commsplit/hw/spell"
	"commsplit/render"
)

// mostLanes is the most communicators that a picture draws; each has a lane, an intercommunicator two.
const mostLanes = 24

// Lanes draws the communicators that h holds, a lane each: its ranks side by side in the order of the
// communicator, with the world rank of each below the rank. An intercommunicator has two lanes, for the left and
// for the right group. Below the lanes stand the ranks without a communicator.
func Lanes(w io.Writer, v *render.View, h *render.Handle, theme Theme) error {
	p := render.PartingOf(v.Snapshot, h)
	k := render.KeyOf(v, h, p)
	d := &drawing{}
	title := "Communicators of " + h.Name
	lanes := lanesOf(v, h, p)
	room, wide, y := d.column(title, lanes)
	rest := *k
	rest.Lines, rest.Rest = nil, ""
	for _, l := range k.Lines {
		if l.Part < 0 {
			rest.Lines = append(rest.Lines, l)
		}
	}
	if more := p.Len() - mostLanes; more > 0 {
		rest.Rest = "... and " + spell.Plural(more, "more communicator")
	}
	keyWide, keyHigh := d.key(&rest, margin, y+spacing, room, true)
	return d.writeTo(w, max(wide, room, keyWide)+2*margin, y+spacing+keyHigh+margin, title, k.Sentences(), theme)
}

// lanesOf returns the boxes of the lanes.
func lanesOf(v *render.View, h *render.Handle, p *render.Parting) []*tile {
	var lanes []*tile
	for k := range min(p.Len(), mostLanes) {
		c := v.Snapshot.Comm(p.Comm(k))
		if c == nil {
			lanes = append(lanes, selfLane(p, k))
			continue
		}
		head := render.Heading(v, h, c)
		if c.Remote == nil {
			lanes = append(lanes, lane(p, k, "", head+", "+spell.Plural(len(c.Group), "rank"), c.Group))
			continue
		}
		lanes = append(lanes, lane(p, k, "left", head+", left group", c.Group), lane(p, k, "right", head+", right group", c.Remote))
	}
	return lanes
}

// lane returns the box of a group: of a communicator, or of a side of an intercommunicator.
func lane(p *render.Parting, part int, side, label string, group []int32) *tile {
	return boxOf(label, seatRow{badges: groupBadges(p, part, side, group)})
}

// selfLane returns the box of MPI_COMM_SELF, in which each rank is alone.
func selfLane(p *render.Parting, part int) *tile {
	letter := p.Letter(part)
	return &tile{class: "plain", label: []string{letter + ": each rank alone in MPI_COMM_SELF"}, across: mostSeats}
}

// groupBadges returns badges of the first ranks of a group, in its order, and a badge with the number of the
// others. side is "left" or "right" for an intercommunicator, "" otherwise.
func groupBadges(p *render.Parting, part int, side string, group []int32) []badge {
	letter, mark, of := p.Letter(part), p.Letter(part), "communicator "
	switch side {
	case "right":
		mark += "'"
		of = "the right group of communicator "
	case "left":
		of = "the left group of communicator "
	}
	var list []badge
	for rank, world := range group[:min(len(group), mostSeats)] {
		title := "world rank " + strconv.Itoa(int(world)) + ": rank " + strconv.Itoa(rank) + " of " + of + letter
		list = append(list, badge{mark + strconv.Itoa(rank), strconv.Itoa(int(world)), part, p.Slot(part), title})
	}
	return andMore(list, len(group))
}
